"""What the organiser reads: a round's seating, how the evening stands, and why somebody stands there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from companion.games import game
from companion.hall._changes import figure, scores
from companion.hall._clock import told as clock_told
from companion.hall._evening import By, HallEvening, Round, SeatedTable, Tie, name_of
from companion.hall._needs import named_seats, needs, questions, table_faults
from companion.hall._people import as_it_is
from companion.hall._results import Outcome
from companion.hall._stand import Stand
from companion.hall._standings import Item, Row
from companion.hall._why import StandingExplained, TurningPoint
from companion.hall.records import Fault
from companion.rules import N_
from companion.rules.message import Message
from companion.rules.words import Words

BY: dict[By, str] = {
    "scores": N_("Standings by total score"),
    "wins": N_("Standings by games won"),
    "places": N_("Standings by place points (the share of opponents beaten)"),
}
TIED: Mapping[Tie, str] = {
    "wins": N_("games won"),
    "shares": N_("place points"),
    "best": N_("best single game"),
    "opponents": N_("opponents' average"),
}
LATEST = 10
"""The most faults listed, the newest."""
FEW = 15
"""The most tables with a line each; above that, only tables with news are listed."""
FIRST = 3
"""The number of leading players named."""


def seating(evening: HallEvening, number: int) -> Sequence[Message]:
    """Return who sits where in a round."""
    one = evening.round(number)
    assert one
    return seats(evening, one)


def seats(evening: HallEvening, one: Round) -> Sequence[Message]:
    """Return who sits where in a round that is seated or planned."""
    lines = [Message("Round {round}", round=one.number), *(_table(evening, seated) for seated in one.tables)]
    if one.byes:
        lines.append(Message("Bye: {names}", names=tuple(name_of(evening, player) for player in one.byes)))
    return lines


def _table(evening: HallEvening, seated: SeatedTable) -> Message:
    return Message(
        "Table {table}, {game}: {names}",
        table=seated.table,
        game=Message(game(seated.game).title),
        names=named_seats(evening, seated, tuple(seated.seats)),
    )


# -- status --------------------------------------------------------------------------------------------------------


def status(now: Stand, faults: Sequence[Fault], table: str | None = None) -> Sequence[Message]:
    """Return how the evening stands, or all there is to say of one table.

    The evening's lines are: what needs the organiser, a line per table, the faults, and the leaders. Raises ValueError
    for an unknown table.
    """
    if table is not None:
        return _table_status(now, faults, table)
    return [
        *_round(now),
        *(line for need in needs(now) for line in need.said),
        *_open_games(now),
        *(line for _, line in faulty(now, faults)),
        *([Message("To dismiss these faults: {tabularium} hall aside")] if _new_faults(now, faults) else []),
        *_leaders(now),
    ]


def _round(now: Stand) -> Iterator[Message]:
    here = sum(player.here for player in now.evening.people.values())
    yield Message("Players here: {count}.", count=here)
    if now.round:
        its = [outcome for outcome in now.outcomes if outcome.round == now.round]
        settled = sum(not outcome.open for outcome in its)
        yield Message(
            "Round {round}: {settled} of {all} results are official.", round=now.round, settled=settled, all=len(its)
        )
    if now.clock:
        yield clock_told(now.clock)


def _open_games(now: Stand) -> Iterator[Message]:
    """Yield a line for each open game.

    With more than FEW such games, only those of earlier rounds, those waiting for approval and those with a problem
    have a line; the others are counted.
    """
    awaited = [of for of in now.outcomes if of.open and of.state not in ("contested", "otherwise", "reopened")]
    if len(awaited) <= FEW:
        yield from (_open_game(now.evening, of) for of in awaited)
        return
    yield from (
        _open_game(now.evening, of) for of in awaited if of.round < now.round or of.state == "waiting" or of.why
    )
    quiet = [of for of in awaited if of.round >= now.round and of.state != "waiting" and not of.why]
    playing = sum(of.state == "playing" for of in quiet)
    yield Message("Tables still playing: {playing}; nothing reported yet: {missing}.", playing=playing,
                  missing=len(quiet) - playing)  # fmt: skip


def _open_game(evening: HallEvening, outcome: Outcome) -> Message:
    at: dict[str, Any] = {"round": outcome.round, "table": outcome.seated.table}
    if outcome.state == "playing" and outcome.why:
        return Message("Round {round}, table {table}: {why}", why=outcome.why, **at)
    match outcome.state:
        case "playing":
            return Message("Round {round}, table {table}: still playing.", **at)
        case "waiting":
            lacking = named_seats(evening, outcome.seated, outcome.lacking)
            return Message("Round {round}, table {table}: not yet approved by {names}.", names=lacking, **at)
    return Message("Round {round}, table {table}: nothing reported yet.", **at)


def _table_status(now: Stand, faults: Sequence[Fault], table: str) -> Sequence[Message]:
    its = [of for of in now.outcomes if of.seated.table == table]
    device = now.evening.device(table)
    rows = [row for row in now.tables if row.table == device]
    wrong = [fault for fault in faults if fault.table == device]
    if not (its or rows or wrong):
        raise ValueError(Message("The hall knows no table {table}.", table=as_it_is(table)))
    lines: list[Message] = []
    for of in its:
        lines.append(_table(now.evening, of.seated))
        if of.open:
            asked = [line for need in questions(now.evening, of) for line in need.said]
            lines += asked or [_open_game(now.evening, of)]
        elif of.result:
            counts = scores(now.evening, of, of.result)
            lines.append(
                Message(
                    "Round {round}, table {table}, official result: {scores}",
                    round=of.round,
                    table=table,
                    scores=counts,
                )
            )
        else:
            lines.append(Message("Round {round}, table {table}: the game is void.", round=of.round, table=table))
    ill = (line for row in rows for need in table_faults(row, [row.table], table) for line in need.said)
    return [*lines, *ill, *map(_fault, wrong)]


def _new_faults(now: Stand, faults: Sequence[Fault]) -> Sequence[Fault]:
    """Return the faults since the organiser last dismissed faults."""
    return [fault for fault in faults if fault.at > now.evening.aside]


def faulty(now: Stand, faults: Sequence[Fault]) -> Iterator[tuple[str, Message]]:
    """Yield the faults since the organiser last dismissed faults, each once with its table, the newest last."""
    new = _new_faults(now, faults)
    if len(new) > LATEST:
        yield "", Message("Older faults not listed: {count}.", count=len(new) - LATEST)
    yield from ((fault.table, _fault(fault)) for fault in new[-LATEST:])


def _fault(fault: Fault) -> Message:
    where = fault.what
    if fault.table:
        where = Message("Table {table}: {what}", table=as_it_is(fault.table), what=where)
    at = as_it_is(hour(fault.at))
    if fault.times > 1:
        return Message("{at} {what} ({count} times)", at=at, what=where, count=fault.times)
    return Message("{at} {what}", at=at, what=where)


def hour(at: str) -> str:
    """Return the time of day of a moment."""
    return f"{datetime.fromisoformat(at):%H:%M}"


def _leaders(now: Stand) -> Iterator[Message]:
    rows = now.standings.rows
    if not now.evening.rounds or not rows:
        return
    yield Message(BY[now.evening.by])
    yield from (_row(now, row) for row in rows[:FIRST])
    if len(rows) > FIRST:
        yield Message("For all players: {tabularium} hall standings")


# -- standings and why ---------------------------------------------------------------------------------------------


def standings(now: Stand) -> Sequence[Message]:
    """Return the standings, and the tie-breaks that order tied players."""
    ties = tuple(Message(TIED[tie]) for tie in now.standings.ties)
    broken = Message("Ties are broken by: {ties}", ties=ties) if ties else Message("Tied players share the place.")
    return [Message(BY[now.standings.by]), broken, *(_row(now, row) for row in now.standings.rows)]


def _row(now: Stand, row: Row) -> Message:
    its: dict[str, Any] = {"place": row.place, "name": name_of(now.evening, row.id), "score": figure(row.score)}
    alike = [other for other in now.standings.rows if other.score == row.score]
    if len(alike) < 2 or not row.ties:
        return Message("{place}. {name}: {score}", **its)
    ties = as_it_is(" · ".join(map(figure, row.ties)))
    return Message("{place}. {name}: {score} ({ties})", ties=ties, **its)


def why_of(now: Stand, why: StandingExplained) -> Sequence[Message]:
    """Return why a player stands in this place.

    The lines give what the score is made of, what separated the player from the one above, and what would have changed
    that.
    """
    evening, row = now.evening, why.row
    lines = [_row(now, row), *(_item(now, item) for item in row.items)]
    if why.above is None:
        return lines
    above = name_of(evening, why.above.id)
    match why.apart:
        case "left":
            lines.append(
                Message("{name} has left and ranks behind everybody who is here.", name=name_of(evening, row.id))
            )
        case "score":
            lines.append(Message("{above} is next above, ahead by {more}.", above=above,
                                 more=figure(why.above.score - row.score)))  # fmt: skip
        case tie:
            at = now.standings.ties.index(tie)
            what = {"theirs": figure(why.above.ties[at]), "own": figure(row.ties[at])}
            lines.append(Message("The tie with {above} is broken by {tie}: {theirs} to {own}.", above=above,
                                 tie=Message(TIED[tie]), **what))  # fmt: skip
    return [*lines, _turning_point(now, why.turn, row.id, above)]


def _turning_point(now: Stand, turn: TurningPoint | None, player: int, above: Words) -> Message:
    if turn is None:
        return Message("No single other result would have changed that.")
    of = turn.change.outcome
    its: dict[str, Any] = {"name": name_of(now.evening, player), "above": above, "round": of.round,
                           "table": of.seated.table, "now": turn.now, "was": turn.was}  # fmt: skip
    own = turn.player == player
    if now.evening.by == "scores":
        if own:
            return Message("{name} would be ahead of {above} with a score of {now} instead of {was} in round {round},"
                           " at table {table}.", **its)  # fmt: skip
        return Message("{name} would be ahead of {above} if {above} had scored {now} instead of {was} in round"
                       " {round}, at table {table}.", **its)  # fmt: skip
    if own:
        return Message("{name} would be ahead of {above} with place {now} instead of {was} in round {round}, at"
                       " table {table}.", **its)  # fmt: skip
    return Message("{name} would be ahead of {above} if {above} had finished in place {now} instead of {was} in"
                   " round {round}, at table {table}.", **its)  # fmt: skip


def _item(now: Stand, item: Item) -> Message:
    """Return what a round or a penalty has brought."""
    its: dict[str, Any] = {"round": item.round, "worth": figure(item.worth)}
    match item.kind:
        case "game":
            assert item.outcome and item.outcome.result
            told = scores(now.evening, item.outcome, item.outcome.result)
            table = item.outcome.seated.table
            return Message("Round {round}, table {table}: {worth} ({scores})", table=table, scores=told, **its)
        case "bye":
            return Message("Round {round}, bye: {worth}", **its)
        case "void":
            return Message("Round {round}, void game: {worth}", **its)
        case "late":
            return Message("Round {round}, before arrival: {worth}", **its)
    return Message("Penalty: {worth} ({reason})", worth=figure(item.worth), reason=as_it_is(item.reason))
