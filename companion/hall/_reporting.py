"""What the organiser reads at the terminal: a round's seating, and how the evening stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion import __version__
from companion.games import game
from companion.hall._evening import By, HallEvening, SeatedTable
from companion.hall._people import as_it_is
from companion.hall._results import Outcome, of_round
from companion.hall.kept import Fault, HallGame, TableRow
from companion.hall.shown import CLOCK_S, Stand, rounded
from companion.rules import N_, plural
from companion.rules.message import Message
from companion.rules.words import Words

BY: dict[By, str] = {
    "scores": N_("Standings: the scores added up"),
    "wins": N_("Standings: games won"),
    "places": N_("Standings: places as points, for the share of opponents left behind"),
}
OFF = plural(
    "The clock of table {table} is off by {count} minute.", "The clock of table {table} is off by {count} minutes."
)
LATEST = 20
"""Faults that are listed, the newest."""


def seating(evening: HallEvening, number: int) -> Sequence[Message]:
    """Who sits where in a round."""
    one = next(one for one in evening.rounds if one.number == number)
    lines = [Message("Round {round}", round=number), *(_table(evening, seated) for seated in one.tables)]
    if one.byes:
        lines.append(Message("A bye: {names}", names=tuple(_name(evening, player) for player in one.byes)))
    return lines


def _table(evening: HallEvening, seated: SeatedTable) -> Message:
    return Message(
        "Table {table}, {game}: {names}",
        table=seated.table,
        game=Message(game(seated.game).title),
        names=_players(evening, seated, tuple(seated.seats)),
    )


def _players(evening: HallEvening, seated: SeatedTable, seats: Sequence[str]) -> tuple[Message, ...]:
    return tuple(Message("{name} ({colour})", name=_name(evening, seated.seats[seat]), colour=seat) for seat in seats)


def _name(evening: HallEvening, player: int) -> Words:
    """With the number where nobody else is told the name: that is how tables and board call them."""
    name = evening.people[player].name
    return as_it_is(f"{name} #{player}" if evening.names == "none" else name)


def status(now: Stand, faults: Sequence[Fault], games: Sequence[HallGame]) -> Sequence[Message]:
    """How the evening stands: what is awaited, what is wrong, who leads."""
    return [
        *_round(now),
        *(line for outcome in now.outcomes for line in _outcome(now.evening, outcome)),
        *_strays(now, games),
        *(line for row in now.tables for line in _wrong(row)),
        *(_fault(fault) for fault in faults[-LATEST:]),
        *_standings(now),
    ]


def _round(now: Stand) -> Iterator[Message]:
    here = sum(player.here for player in now.evening.people.values())
    yield Message("Players who are here: {count}.", count=here)
    if now.round:
        its = [outcome for outcome in now.outcomes if outcome.round == now.round]
        settled = sum(not outcome.open for outcome in its)
        yield Message(
            "Round {round}: {settled} of {all} results count.", round=now.round, settled=settled, all=len(its)
        )


def _outcome(evening: HallEvening, outcome: Outcome) -> Iterator[Message]:
    """What is awaited of a game, or odd about it."""
    seated, played = outcome.seated, outcome.played
    at: dict[str, Any] = {"round": outcome.round, "table": seated.table}
    match outcome.state:
        case "missing":
            yield Message("Round {round}, table {table}: nothing reported yet.", **at)
        case "playing":
            yield Message("Round {round}, table {table}: playing.", **at)
        case "waiting":
            lacking = _players(evening, seated, outcome.lacking)
            yield Message("Round {round}, table {table}: not yet approved by {names}.", names=lacking, **at)
        case "contested":
            against = [seat for seat, approves in (played.approvals if played else {}).items() if not approves]
            names = _players(evening, seated, [seat for seat in against if seat in seated.seats])
            yield Message("Round {round}, table {table}: contested by {names}.", names=names, **at)
    if outcome.why:
        yield Message("Round {round}, table {table}: {why}", why=outcome.why, **at)


def _strays(now: Stand, games: Sequence[HallGame]) -> Iterator[Message]:
    seated = {(outcome.round, outcome.seated.table) for outcome in now.outcomes}
    off = {row.table: row.off or 0 for row in now.tables}
    rounds = {one.number: one for one in now.evening.rounds}
    for row in games:
        at: dict[str, Any] = {"round": row.round, "table": row.table, "game": row.game}
        if row.round is None:
            continue
        if (row.round, row.table) not in seated:
            yield Message("Table {table} plays game {game} for round {round}, but nobody was seated there.", **at)
        elif not of_round(now.evening, rounds[row.round], row, off.get(row.table, 0)):
            yield Message(
                "Table {table}: game {game} was begun before round {round} was seated, and does not count for it.", **at
            )


def _wrong(row: TableRow) -> Iterator[Message]:
    """What is wrong with a table itself."""
    if not row.here:
        yield Message("Table {table} is away.", table=row.table)
    version = (row.status or {}).get("version")
    if version and version != __version__:
        its: dict[str, Any] = {"table": row.table, "version": as_it_is(version), "ours": __version__}
        yield Message("Table {table} runs version {version}, the hall {ours}.", **its)
    if row.off is not None and abs(row.off) > CLOCK_S:
        minutes = max(1, round(abs(row.off) / 60))
        yield Message(OFF, table=row.table, count=minutes)
    for ill in (row.health or {}).get("ill", ()):
        yield Message("Table {table}: {what}", table=row.table, what=as_it_is(ill))


def _fault(fault: Fault) -> Message:
    where = fault.what
    if fault.table:
        where = Message("Table {table}: {what}", table=as_it_is(fault.table), what=where)
    return Message("{what} ({count} times)", what=where, count=fault.times) if fault.times > 1 else where


def _standings(now: Stand) -> Iterator[Message]:
    table = now.standings
    if now.evening.rounds:
        yield Message(BY[table.by])
    for row in table.rows:
        name, score = _name(now.evening, row.id), rounded(row.score)
        yield Message("{place}. {name}: {score}", place=row.place, name=name, score=as_it_is(f"{score:g}"))
