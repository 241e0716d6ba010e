"""What needs the organiser: contested results, players who have left their seat, tables that are away or ill."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from companion import __version__
from companion.hall._changes import scores
from companion.hall._evening import HallEvening, SeatedTable, name_of
from companion.hall._people import as_it_is
from companion.hall._results import Outcome, of_round
from companion.hall._stand import CLOCK_S, Stand
from companion.hall.records import TableRow
from companion.rules import N_, plural
from companion.rules.message import Message

OFF = plural(
    "The clock of table {table} is off by {count} minute.", "The clock of table {table} is off by {count} minutes."
)
Kind = Literal["hall", "contested", "otherwise", "left", "away", "stray", "ill", "behind", "clock", "version"]
"""The hall itself; a contested result; a result that something else is in the way of; a player who has left and is
seated; a table that is away; a game of nobody's; a table that reports a fault, lags, has a wrong clock or another
version."""
URGENCY: Mapping[Kind, int] = {
    "hall": 0, "contested": 1, "otherwise": 2, "left": 3, "away": 4, "stray": 5,
    "ill": 6, "behind": 7, "clock": 8, "version": 9,
}  # fmt: skip
ALARMS = 6
"""The kinds below this urgency stop players; the others can wait."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that needs the organiser, and the table, round and player that it is about."""

    kind: Kind
    said: Sequence[Message]
    table: str = ""
    round: int | None = None
    player: int | None = None

    @property
    def alarm(self) -> bool:
        """Return whether players are held up by it."""
        return URGENCY[self.kind] < ALARMS

    @property
    def key(self) -> tuple[object, ...]:
        """Return what identifies it for as long as it lasts."""
        return self.kind, self.table, self.round, self.player, self.said[0].template


@dataclass(slots=True)
class FirstSeen:
    """Since when each need has lasted, as far as this process has seen it."""

    since: dict[tuple[object, ...], str] = field(default_factory=dict)

    def note(self, found: Iterable[Need], at: str) -> Mapping[tuple[object, ...], str]:
        """Return since when each of these has lasted; forget those that are over."""
        self.since = {need.key: self.since.get(need.key, at) for need in found}
        return self.since


def needs(now: Stand) -> Sequence[Need]:
    """Return what needs the organiser now."""
    expected = _devices_expected(now)
    return [
        *(need for outcome in now.outcomes for need in questions(now.evening, outcome)),
        *left_seated(now, {player.id for player in now.evening.people.values() if not player.here}),
        *_unseated_games(now),
        *(
            need
            for row in now.tables
            if row.table not in now.evening.devices or row.table in expected
            for need in table_faults(row, expected, now.evening.table_on(row.table))
        ),
    ]


def left_seated(now: Stand, players: Collection[int]) -> Iterator[Need]:
    """Yield which of these players are still seated for a game that has not begun."""
    for of in now.outcomes:
        if of.state != "missing" or of.round < now.round:
            continue
        for player in of.seated.players:
            if player in players:
                text = Message(
                    "{name} has left but is still seated in round {round} at table {table}: seat somebody else there,"
                    " or mark {name} as absent.",
                    name=name_of(now.evening, player),
                    round=of.round,
                    table=of.seated.table,
                )
                yield Need("left", [text], of.seated.table, of.round, player)


def _devices_expected(now: Stand) -> Collection[str]:
    """Return the devices of the tables that are seated in the current round or later, or whose game is open."""
    if now.evening.over:
        return set()
    devices = {one.number: one.device for one in now.evening.rounds}
    return {
        devices[of.round](of.seated.table)
        for of in now.outcomes
        if of.state != "withdrawn" and (of.open or of.round >= now.round)
    }


def questions(evening: HallEvening, outcome: Outcome) -> Iterator[Need]:
    """Yield what a game needs from the organiser, with both scores where there are two."""
    seated, played = outcome.seated, outcome.played
    at: dict[str, Any] = {"round": outcome.round, "table": seated.table}
    kind: Kind = "contested" if outcome.state == "contested" else "otherwise"
    if outcome.state == "contested":
        against = [seat for seat, approves in (played.approvals if played else {}).items() if not approves]
        names = named_seats(evening, seated, [seat for seat in against if seat in seated.seats])
        lines = [Message("Round {round}, table {table}: contested by {names}.", names=names, **at)]
    elif outcome.why and outcome.state != "playing":
        lines = [Message("Round {round}, table {table}: {why}", why=outcome.why, **at)]
    else:
        return
    if played and played.result and {*played.result["scores"]} == {*seated.seats}:
        reported = scores(evening, outcome, played.result)  # type: ignore[arg-type]  # as the schema has it
        lines.append(Message("Round {round}, table {table}, reported result: {scores}", scores=reported, **at))
    if outcome.settled and outcome.result:
        counts = scores(evening, outcome, outcome.result)
        lines.append(Message("Round {round}, table {table}, official result: {scores}", scores=counts, **at))
    yield Need(kind, lines, seated.table, outcome.round)


def named_seats(evening: HallEvening, seated: SeatedTable, seats: Sequence[str]) -> tuple[Message, ...]:
    """Return the players on these seats of a table, each with the colour."""
    return tuple(Message("{name} ({colour})", name=name_of(evening, seated.seats[seat]), colour=seat) for seat in seats)


def _unseated_games(now: Stand) -> Iterator[Need]:
    off = {row.table: row.off or 0 for row in now.tables}
    on = {one.number: {one.device(of.table): of for of in one.tables} for one in now.evening.rounds}
    for row in now.games:
        if row.round is None:
            continue
        one = now.evening.round(row.round)
        if one and row.table in one.moved:
            continue
        there = on[one.number].get(row.table) if one else None
        table = there.table if there else row.table
        at: dict[str, Any] = {"round": row.round, "table": table, "game": row.game}
        if one is None or there is None:
            text = Message("Table {table} plays game {game} for round {round}, but nobody was seated there.", **at)
            yield Need("stray", [text], table, row.round)
        elif one.withdrawn is None and not of_round(now.evening, one, row, off.get(row.table, 0)):
            text = Message(
                "Table {table}: game {game} began before round {round} was seated and does not count for it.", **at
            )
            yield Need("stray", [text], table, row.round)


def table_faults(row: TableRow, wanted: Collection[str], name: str | None = None) -> Iterator[Need]:
    """Yield what is wrong with a device, by its table's name; a device where nobody is seated may be away."""
    table = name or row.table
    called = as_it_is(table)
    if not row.here and row.table in wanted:
        yield Need("away", [Message("Table {table} is not connected.", table=called)], table)
    version = (row.status or {}).get("version")
    if version and version != __version__:
        its: dict[str, Any] = {"table": called, "version": as_it_is(version), "ours": __version__}
        text = Message("Table {table} runs version {version}, the hall {ours}.", **its)
        yield Need("version", [text], table)
    if row.off is not None and abs(row.off) > CLOCK_S:
        minutes = max(1, round(abs(row.off) / 60))
        yield Need("clock", [Message(OFF, table=called, count=minutes)], table)
    if behind := (row.health or {}).get("behind"):
        waiting = N_("Moves at table {table} that the hall does not have yet: {count}.")
        text = Message(waiting, table=called, count=behind)
        yield Need("behind", [text], table)
    for ill in (row.health or {}).get("ill", ()):
        yield Need("ill", [Message("Table {table}: {what}", table=called, what=as_it_is(ill))], table)
