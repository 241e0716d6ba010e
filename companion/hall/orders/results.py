"""Orders about results: the organiser enters, corrects or reopens them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, cast

from companion.hall._changes import scores
from companion.hall._evening import HallEvening, Settled
from companion.hall._result_override import meant, result_of
from companion.hall._results import Outcome
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.hall.request import TABLE, WHY, Act, Argument, Order, OrderContext, of_round
from companion.rules import N_
from companion.rules.message import Message
from companion.rules.views import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class _AboutResult(Order):
    """An order about the result of one game."""

    needs_reason = "always"

    table: Annotated[str, TABLE]
    reason: Annotated[str | None, WHY] = None

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        key = act["round"], act["table"]
        word = Settled(
            cast("Result | None", act.get("result")), act["reason"], act["at"], corrects=act["act"] == "amend",
            game=act["game"], crc=act["crc"], before=cast("Result | None", act.get("before")),
            reopened=act["act"] == "reopen",
        )  # fmt: skip
        return replace(evening, settled={**evening.settled, key: (*evening.settled.get(key, ()), word)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleResult(_AboutResult):
    """Approve the result that a table reports, or enter the scores."""

    do = "result"
    example = 'result 3 --reason "seen"'
    log = N_("round {round}, table {table}, result entered: {reason}")
    previews_changes = True
    corrects: ClassVar[bool] = False
    """Whether the order changes an official result."""

    scores: Annotated[Mapping[str, str | float] | None, Argument(
        "the score of each seat or player at the table (default: as the table reports); before any option",
        "SEAT=SCORE",
    )] = None  # fmt: skip
    round: Annotated[int | None, of_round("the first open one; with amend and reopen, the last official one")] = None
    won: Annotated[Sequence[str] | None, Argument(
        "the winner, if the highest score does not decide; may be repeated", "SEAT", "--won"
    )] = None  # fmt: skip
    void: Annotated[bool | None, Argument("declare the game void", flag="--void")] = None

    def act(self, desk: OrderContext) -> Act:
        outcome = meant(desk.now, self.table, self.round, self.corrects)
        if not self.corrects and not outcome.open:
            raise ValueError(Message("That result is already official. Use amend to correct it."))
        if self.corrects and outcome.open:
            raise ValueError(Message("That result is not official yet. Use result to enter it."))
        why = self.why
        found = None if self.void else result_of(desk.now.evening, outcome, self.scores or {}, self.won or ())
        return {"act": self.do, **_about(outcome), "result": found, "reason": why}

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        at: dict[str, Any] = {"round": act["round"], "table": act["table"]}
        if act["result"] is None:
            return [Message("Round {round}, table {table}: the game is void.", **at)]
        (of,) = (of for of in after.outcomes if of.key == (act["round"], act["table"]))
        told = scores(after.evening, of, act["result"])
        return [Message("Round {round}, table {table}: {scores}.", scores=told, **at)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendResult(SettleResult):
    """Correct an official result; the reason is published."""

    do = "amend"
    example = 'amend 3 red=12 blue=9 --reason "miscounted"'
    log = N_("round {round}, table {table}, result corrected: {reason}")
    corrects = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenResult(_AboutResult):
    """Reopen a result: it no longer counts until it is entered or approved again."""

    do = "reopen"
    example = 'reopen 3 --reason "looked at again"'
    log = N_("round {round}, table {table}, result reopened: {reason}")

    round: Annotated[int | None, of_round("the last that counts")] = None

    def act(self, desk: OrderContext) -> Act:
        outcome = meant(desk.now, self.table, self.round, corrects=True)
        if outcome.open:
            raise ValueError(Message("That result is not official yet. Use result to enter it."))
        told, played = _about(outcome), outcome.played
        approved = played is not None and all(played.approvals.get(seat) for seat in outcome.seated.seats)
        return {"act": "reopen", **told, "crc": told["crc"] if approved else None, "reason": self.why}


def _about(outcome: Outcome) -> Act:
    """Return the game that an order is about, and what was reported and official before it."""
    played = outcome.played
    return {
        "round": outcome.round,
        "table": outcome.seated.table,
        "game": played.game if played else None,
        "crc": played.crc if played else None,
        "before": None if outcome.open else outcome.result,
    }
