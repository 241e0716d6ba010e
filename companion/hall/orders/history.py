"""The orders to undo and redo the last order."""

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

NUMBER = Argument("the number of the order, refused if another has come since (default: only say which it is)", "N")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Back(Order):
    """An order about another order; `companion.hall._evening.line` applies it."""

    needs_reason = "results"

    of: Annotated[int | None, NUMBER] = None
    reason: Annotated[str | None, WHY] = None

    def _act_on_last(self, orders: Sequence[Payload]) -> Act:
        number: int = orders[-1]["number"]
        if self.of not in (None, number):
            raise ValueError(
                Message("Another order has come since; the last one is now order {number}.", number=number)
            )
        return {"act": self.do, "of": number, **self.its_reason}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        raise AssertionError("undo and redo are resolved before folding")


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoOrder(_Back):
    """Undo the last order; without its number, only say which it is."""

    do = "undo"
    example = "undo 12"
    log = N_("order {of} undone: {reason}")

    def act(self, desk: OrderContext) -> Act:
        if not desk.line.done:
            raise ValueError(Message("There is nothing to undo."))
        return self._act_on_last(desk.line.done)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        (undone,) = (of for of in desk.line.done if of["number"] == act["of"])
        what = described(desk.now.evening, undone)
        return [Message("Undone: order {number}, {what}", number=act["of"], what=what), *changes(desk.now, after)]

    @classmethod
    def preview(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [Message("To undo it: {tabularium} hall undo {number}", number=act["of"])]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoOrder(_Back):
    """Redo the order that was undone last; without its number, only say which it is."""

    do = "redo"
    example = "redo 12"
    log = N_("order {of} redone: {reason}")

    def act(self, desk: OrderContext) -> Act:
        if not desk.line.undone:
            raise ValueError(Message("There is nothing to redo: no order was undone, or another has come since."))
        return self._act_on_last(desk.line.undone)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        (again,) = (of for of in desk.line.undone if of["number"] == act["of"])
        what = described(after.evening, again)
        return [Message("Redone: order {number}, {what}", number=act["of"], what=what), *changes(desk.now, after)]

    @classmethod
    def preview(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [Message("To redo it: {tabularium} hall redo {number}", number=act["of"])]
