"""The state of the evening: the organiser's acts, and the results from the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from companion.hall._clock import HallClock
from companion.hall._evening import HallEvening
from companion.hall._results import Outcome, OutcomeMemo, outcomes
from companion.hall._seating import History, Seating, history
from companion.hall._standings import Standings, standings
from companion.hall.records import HallGame, TableRow

CLOCK_S = 120
"""A table's clock that is off by more seconds than this is reported."""


@dataclass(frozen=True)
class Stand:
    """The evening with its results so far; derived values are computed once, on demand."""

    evening: HallEvening
    outcomes: tuple[Outcome, ...]
    tables: Sequence[TableRow]
    games: Sequence[HallGame] = ()
    memo: OutcomeMemo = field(default_factory=OutcomeMemo, compare=False)

    def with_evening(self, evening: HallEvening) -> Stand:
        """Return the same games with another evening."""
        off = {row.table: row.off for row in self.tables if row.off is not None}
        return replace(self, evening=evening, outcomes=outcomes(evening, self.games, off, self.memo)).like(self)

    def like(self, other: Stand | None) -> Stand:
        """Take over the other's standings where nothing behind them has changed; return self."""
        known = other.__dict__.get("standings") if other else None
        if other and known is not None and self._counting == other._counting:
            self.__dict__["standings"] = known
        return self

    @property
    def _counting(self) -> tuple[object, ...]:
        """Return everything that the standings depend on."""
        of, its = self.evening, [(one.round, one.seated, one.state, one.result) for one in self.outcomes]
        return its, of.rounds, of.people, of.penalties, of.scoring, of.tie_breaks

    @cached_property
    def standings(self) -> Standings:
        return standings(self.evening, self.outcomes)

    @cached_property
    def round(self) -> int:
        """Return the round that is played, 0 before any.

        That is the last round that a table has begun or, once all of it counts, the next. A contested result of an
        earlier round does not hold up the evening.
        """
        counting = [outcome for outcome in self.outcomes if outcome.state != "withdrawn"]
        begun = max((outcome.round for outcome in counting if outcome.state != "missing"), default=0)
        awaited = [outcome.round for outcome in counting if outcome.open and outcome.round >= begun]
        return min(awaited, default=max((outcome.round for outcome in counting), default=0))

    @property
    def clock(self) -> HallClock | None:
        """Return the clock of the round that is played, None where it has none."""
        clock = self.evening.clock
        return clock if clock and clock.round == self.round and not self.evening.over else None

    @cached_property
    def history(self) -> History:
        """Return who has met whom, and who sat and paused where.

        Nobody has met at a table that counted for nobody, or that was never played while the evening went on.
        """
        rounds = []
        for one in self.evening.rounds:
            its = {of.seated.table: of for of in self.outcomes if of.round == one.number}
            met = [
                of for of in one.tables
                if its[of.table].state not in ("void", "withdrawn")
                and not (its[of.table].state == "missing" and one.number < self.round)
            ]  # fmt: skip
            byes = one.byes if one.withdrawn is None else ()
            rounds.append((Seating(tuple(of.players for of in met), byes), [of.chairs for of in met]))
        return history(rounds)

    @cached_property
    def state(self) -> Literal["open", "seated", "playing", "over"]:
        if self.evening.over:
            return "over"
        states = {outcome.state for outcome in self.outcomes if outcome.round == self.round}
        if not states - {"counts", "void"}:
            return "open"
        return "seated" if states == {"missing"} else "playing"
