"""Orders about results: the organiser's word for what counts, and for what no longer does."""

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
    """Something about the result of one game."""

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
    """Settle a result: approve what the table reports, or say the scores."""

    do = "result"
    example = 'result 3 --reason "seen"'
    log = N_("round {round}, table {table} settled: {reason}")
    previews_changes = True
    corrects: ClassVar[bool] = False
    """It is about a result that counts already."""

    scores: Annotated[Mapping[str, str | float] | None, Argument(
        "seats or players with their scores: all of the table (default: what it reports); before any option",
        "SEAT=SCORE",
    )] = None  # fmt: skip
    round: Annotated[int | None, of_round("the one that is meant most likely")] = None
    won: Annotated[Sequence[str] | None, Argument(
        "who has won, where the highest score does not say so; may be given several times", "SEAT", "--won"
    )] = None  # fmt: skip
    void: Annotated[bool | None, Argument("the game counts for nobody", flag="--void")] = None

    def act(self, desk: OrderContext) -> Act:
        outcome = meant(desk.now, self.table, self.round, self.corrects)
        if not self.corrects and not outcome.open:
            raise ValueError(Message("That result counts already; to correct it, say amend."))
        if self.corrects and outcome.open:
            raise ValueError(Message("That result does not count yet; to settle it, say result."))
        why = self.why
        found = None if self.void else result_of(desk.now.evening, outcome, self.scores or {}, self.won or ())
        return {"act": self.do, **_of(outcome), "result": found, "reason": why}

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        at: dict[str, Any] = {"round": act["round"], "table": act["table"]}
        if act["result"] is None:
            return [Message("Round {round}, table {table}: the game counts for nobody.", **at)]
        (of,) = (of for of in after.outcomes if of.key == (act["round"], act["table"]))
        told = scores(after.evening, of, act["result"])
        return [Message("Round {round}, table {table}: {scores}.", scores=told, **at)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendResult(SettleResult):
    """Correct a result that counts: everybody reads why."""

    do = "amend"
    example = 'amend 3 red=12 blue=9 --reason "miscounted"'
    log = N_("round {round}, table {table} corrected: {reason}")
    corrects = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenResult(_AboutResult):
    """Let a result count no longer, until it is settled anew."""

    do = "reopen"
    example = 'reopen 3 --reason "looked at again"'
    log = N_("round {round}, table {table} reopened: {reason}")

    round: Annotated[int | None, of_round("the last that counts")] = None

    def act(self, desk: OrderContext) -> Act:
        outcome = meant(desk.now, self.table, self.round, corrects=True)
        if outcome.open:
            raise ValueError(Message("That result does not count yet; to settle it, say result."))
        told, played = _of(outcome), outcome.played
        approved = played is not None and all(played.approvals.get(seat) for seat in outcome.seated.seats)
        return {"act": "reopen", **told, "crc": told["crc"] if approved else None, "reason": self.why}


def _of(outcome: Outcome) -> Act:
    """Return which game an order is about, and what was reported and counted before it."""
    played = outcome.played
    return {
        "round": outcome.round,
        "table": outcome.seated.table,
        "game": played.game if played else None,
        "crc": played.crc if played else None,
        "before": None if outcome.open else outcome.result,
    }
