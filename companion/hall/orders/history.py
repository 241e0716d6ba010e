"""Undo and redo: taking back the last order, and giving it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from companion.hall._changes import changes
from companion.hall._evening import HallEvening
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.hall.request import WHY, Act, Argument, Order, OrderContext, described
from companion.rules import N_
from companion.rules.message import Message

NUMBER = Argument("the order's number: refused where another has come since", "N")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Back(Order):
    """Something about another order; `companion.hall._evening.line` follows it."""

    needs_reason = "results"

    of: Annotated[int | None, NUMBER] = None
    reason: Annotated[str | None, WHY] = None

    def _meant(self, orders: Sequence[Payload]) -> Act:
        number: int = orders[-1]["number"]
        if self.of not in (None, number):
            raise ValueError(Message("Another order has come since: now it would be order {number}.", number=number))
        return {"act": self.do, "of": number, **self.its_reason}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        raise AssertionError("it is no part of the evening: the acts that stand are")


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoOrder(_Back):
    """Say what the last order was; with its number, take it back."""

    do = "undo"
    example = "undo 12"
    log = N_("order {of} taken back: {reason}")

    def act(self, desk: OrderContext) -> Act:
        if not desk.line.done:
            raise ValueError(Message("There is nothing to take back."))
        return self._meant(desk.line.done)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        (undone,) = (of for of in desk.line.done if of["number"] == act["of"])
        what = described(desk.now.evening, undone)
        return [Message("Taken back: order {number}, {what}", number=act["of"], what=what), *changes(desk.now, after)]

    @classmethod
    def preview(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [Message("To take it back: {tabularium} hall undo {number}", number=act["of"])]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoOrder(_Back):
    """Say what was taken back last; with its number, give it again."""

    do = "redo"
    example = "redo 12"
    log = N_("order {of} given again: {reason}")

    def act(self, desk: OrderContext) -> Act:
        if not desk.line.undone:
            raise ValueError(Message("There is nothing that was taken back, or something else has been ordered since."))
        return self._meant(desk.line.undone)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        (again,) = (of for of in desk.line.undone if of["number"] == act["of"])
        what = described(after.evening, again)
        return [Message("Given again: order {number}, {what}", number=act["of"], what=what), *changes(desk.now, after)]

    @classmethod
    def preview(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [Message("To give it again: {tabularium} hall redo {number}", number=act["of"])]
