"""The state of each game of the evening: seated, played, approved, settled by the organiser, or contested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, cast

from companion.hall._evening import HallEvening, Key, Round, SeatedTable, Settled
from companion.hall._people import as_it_is
from companion.hall.records import HallGame, Payload
from companion.rules import N_, Seat
from companion.rules.message import Message
from companion.rules.views import Result

TWICE = N_("Two games of this round have been approved; the first counts unless you enter another result.")
LEEWAY = timedelta(seconds=1)
"""The tolerance for the difference of two clocks, measured to the second."""
State = Literal["missing", "playing", "waiting", "contested", "otherwise", "reopened", "counts", "void", "withdrawn"]
"""In order: nothing heard; begun; over, and not approved by all; contested by a player; not the game that was seated;
reopened by the organiser; counts; counts for nobody; of a round that was withdrawn."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game of a round. `result` is the one that counts, or the one the table reports; `why` is what is in the way."""

    round: int
    seated: SeatedTable
    state: State
    result: Result | None = None
    played: HallGame | None = None
    settled: Settled | None = None
    lacking: tuple[Seat, ...] = ()
    why: Message | None = None
    withdrawn: str | None = None
    """Why its round was withdrawn."""

    @property
    def key(self) -> Key:
        """Return the round and the table, which identify the game."""
        return self.round, self.seated.table

    @property
    def verdict(self) -> Payload:
        """Return what the `have` message says of the result."""
        if self.withdrawn is not None:
            return {"settled": "nobody", "reason": self.withdrawn}
        if self.open:
            return {"settled": None}
        if self.settled is None:
            return {"settled": "all"}
        word, told = self.settled, self.played.result if self.played else None
        if not word.result:
            return {"settled": "nobody", "reason": word.reason}
        other = told is None or any(word.result[key] != told[key] for key in ("winners", "scores", "places"))
        counts = {"counts": word.result} if other else {}
        return {"settled": "organiser", "reason": word.reason, **counts}

    @property
    def open(self) -> bool:
        """Return whether the result is missing or does not count yet."""
        return self.state not in ("counts", "void", "withdrawn")


class OutcomeMemo:
    """The outcomes made so far, each with all that it rests on: it is made again only where that has changed."""

    def __init__(self) -> None:
        self._evening: tuple[object, ...] = ()
        self._known: dict[Key, tuple[tuple[object, ...], Outcome]] = {}

    def begin(self, evening: HallEvening) -> None:
        """Forget all outcomes if something that each of them rests on has changed."""
        its = evening.mark, evening.names, evening.people
        if its != self._evening:
            self._evening = its
            self._known.clear()

    def of(self, evening: HallEvening, one: Round, seated: SeatedTable, rows: Sequence[HallGame], off: int) -> Outcome:
        """Return the outcome of a table."""
        key = one.number, seated.table
        rests_on = one.at, one.withdrawn, seated, evening.settled.get(key, ()), rows, off
        known = self._known.get(key)
        if known is None or known[0] != rests_on:
            its = [row for row in rows if of_round(evening, one, row, off)]
            known = self._known[key] = rests_on, _outcome(evening, one, seated, its)
        return known[1]


def outcomes(
    evening: HallEvening, games: Sequence[HallGame], off: Mapping[str, int] = {}, memo: OutcomeMemo | None = None
) -> tuple[Outcome, ...]:
    """Return an outcome for each table of each round, in order.

    `off` is by how many seconds a table's clock is ahead.
    """
    memo = memo or OutcomeMemo()
    memo.begin(evening)
    by_device: dict[tuple[int | None, str], list[HallGame]] = {}
    for row in games:
        by_device.setdefault((row.round, row.table), []).append(row)
    return tuple(
        memo.of(evening, one, seated, by_device.get((one.number, device), []), off.get(device, 0))
        for one in evening.rounds
        for seated in one.tables
        for device in [one.device(seated.table)]
    )


def of_round(evening: HallEvening, one: Round, row: HallGame, off: int = 0) -> bool:
    """Return whether a game that claims this round belongs to it: to this evening, and begun after the seating.

    The header of a game that was begun with the seating known has the players' numbers. Otherwise the table's clock
    decides.
    """
    if evening.mark is None or row.header is None:
        return True  # begun by an earlier version without marks, or no header has come yet
    header = row.header["header"]
    if header.get("evening") != evening.mark:
        return False
    if header.get("ids"):
        return True
    with suppress(ValueError, TypeError, OverflowError):  # no time, or one without an offset
        begun = datetime.fromisoformat(row.begun or "") - timedelta(seconds=off)
        return begun >= datetime.fromisoformat(one.at) - (LEEWAY if off else timedelta())
    return False


def _outcome(evening: HallEvening, one: Round, seated: SeatedTable, rows: Sequence[HallGame]) -> Outcome:
    played, number = _played(evening, seated, rows), one.number
    if one.withdrawn is not None:
        result = cast("Result | None", played.result) if played else None
        return Outcome(number, seated, "withdrawn", result, played, withdrawn=one.withdrawn)
    settled = evening.settled.get((number, seated.table), ())
    word = settled[-1] if settled else None
    if word and not word.reopened:
        state: State = "counts" if word.result else "void"
        return Outcome(number, seated, state, word.result, played, word, why=_changed_since(word, played))
    if played is None or played.header is None:
        return Outcome(number, seated, "missing")
    result, why = cast("Result | None", played.result), otherwise(evening, seated, played)
    if result is None:
        return Outcome(number, seated, "playing", played=played, why=why)
    lacking = tuple(seat for seat in seated.seats if not played.approvals.get(seat))
    twice = len([row for row in rows if _is_valid(evening, seated, row)]) > 1
    if why:
        state = "otherwise"
    elif False in played.approvals.values():
        state = "contested"
    elif word and word.crc == played.crc:  # a reopened result does not count again by itself
        state, why = "reopened", Message("reopened: {reason}", reason=as_it_is(word.reason))
    else:
        state = "waiting" if lacking else "counts"
        why = Message(TWICE) if twice else None
    return Outcome(number, seated, state, result, played, lacking=lacking, why=why)


def _played(evening: HallEvening, seated: SeatedTable, rows: Sequence[HallGame]) -> HallGame | None:
    """Return the first approved game for a round, else the latest with a result, else the latest."""
    for row in rows:
        if _is_valid(evening, seated, row):
            return row
    return max(rows, key=lambda row: (row.result is not None, rows.index(row)), default=None)


def _is_valid(evening: HallEvening, seated: SeatedTable, row: HallGame) -> bool:
    """Return whether the result counts by itself: everybody approves it, and it is the game that was seated."""
    approved = row.result is not None and all(row.approvals.get(seat) for seat in seated.seats)
    return approved and row.header is not None and not otherwise(evening, seated, row)


def _changed_since(settled: Settled, played: HallGame | None) -> Message | None:
    """Return a message if the table has reported another result since the organiser settled it, else None."""
    if played is None or played.crc in (settled.crc, None):
        return None
    return Message("The table has since reported a different result.")


def otherwise(evening: HallEvening, seated: SeatedTable, row: HallGame) -> Message | None:
    """Return how the game at the table differs from the one that was seated, None if it does not.

    The result of another game waits for the organiser.
    """
    if row.header is None:
        return None
    header = row.header["header"]
    if header["game"] != seated.game or set(header["seats"]) != set(seated.seats):
        return Message("The table plays a different game or with different seats than planned.")
    if any(header["options"].get(option, value) != value for option, value in seated.options.items()):
        return Message("The table plays with different options than planned.")
    if row.result and not {*row.result["scores"]} == {*row.result["places"]} == {*seated.seats} >= {
        *row.result["winners"]
    }:
        return Message("The result is not for these players.")
    return _differs(evening, seated, header)


def _differs(evening: HallEvening, seated: SeatedTable, header: Payload) -> Message | None:
    """Return who sits at another seat than was seated, None where all sit right.

    Players are told apart by number, or by name where the hall shows names in full.
    """
    ids, players = header.get("ids") or {}, header.get("players") or {}
    names = {evening.people[player].name.casefold(): player for player in seated.seats.values()}
    for seat, player in seated.seats.items():
        name = players.get(seat, "")
        sits = ids.get(seat, names.get(name.casefold()))
        if sits not in (None, player):
            return Message("{name} sits in a different seat than planned.", name=as_it_is(evening.people[sits].name))
        if sits is None and evening.mark and evening.names != "full":
            return Message("The table does not say who sits at {seat}.", seat=seat)
    return None
