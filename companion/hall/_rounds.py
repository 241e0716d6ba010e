"""A round from the organiser's order: at which tables, which games with which options, and who sits where."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.games import NAMES, game
from companion.hall import _people as people
from companion.hall._evening import HallEvening, SeatedTable, colours, round_act
from companion.hall._people import as_it_is
from companion.hall._seating import USUAL, seat, sizes
from companion.hall.kept import Payload
from companion.hall.shown import Stand
from companion.record.transcript import read_header
from companion.rules import Options
from companion.rules.message import Message

TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""What a table can be called: a level of a topic."""


def seated(now: Stand, order: Payload, number: int, seed: int) -> Payload:
    """The act that seats a round as it was ordered: what the search has found. Raises ValueError."""
    here = people.here(now.evening.people)
    tables = _tables(now, order.get("tables"))
    played = _games(now.evening, order, len(tables))
    plan = sizes(len(here), [game(name).seats for name, _ in played], int(order.get("size") or USUAL))
    if not plan:
        raise ValueError(Message("Too few players for a table: {count}.", count=len(here)))
    blank = [
        SeatedTable(table, name, options, dict.fromkeys(colours(name, size), 0))
        for size, table, (name, options) in zip(plan, tables, played, strict=False)
    ]
    found = seat(here, [of.chairs for of in blank], now.evening.history(number), seed)
    filled = [
        SeatedTable(of.table, of.game, of.options, dict(zip(of.seats, players, strict=True)))
        for of, players in zip(blank, found.tables, strict=True)
    ]
    return round_act(number, seed, filled, found.byes, tables)


def _tables(now: Stand, asked: Sequence[str] | None) -> Sequence[str]:
    """The tables to be seated: those named, else those that are here, else those of the round before."""
    last = now.evening.latest.offered if now.evening.latest else ()
    found = list(dict.fromkeys(asked or [row.table for row in now.tables if row.here] or last))
    for table in found:
        if not TABLE.fullmatch(table):
            raise ValueError(Message("No table can be called {table}: a to z, 0 to 9 and -.", table=as_it_is(table)))
    if not found:
        raise ValueError(Message("No table has reported: name the tables, such as --tables 1,2,3."))
    return found if asked else sorted(found, key=lambda table: (len(re.sub(r"\D", "", table)), table))


def _games(evening: HallEvening, order: Payload, tables: int) -> Sequence[tuple[str, Options]]:
    """What is played at each of so many tables, which take the games in turn: those named, or the last round's."""
    named: Sequence[str] = order.get("games") or ()
    options: Options = order.get("options") or {}
    for name in named:
        if name not in NAMES:
            there = as_it_is(", ".join(NAMES))
            raise ValueError(Message("There is no game {game}; there are {games}.", game=as_it_is(name), games=there))
    if named:
        known = {option.name for name in named for option in game(name).options}
        for option in options.keys() - known:
            raise ValueError(Message("None of these games has an option {option}.", option=as_it_is(option)))
        games = [(name, _options(name, options)) for name in named]
    else:
        last = [(seated.game, seated.options) for seated in evening.latest.tables] if evening.latest else []
        games = list({name: (name, told) for name, told in last}.values())
    if not games:
        raise ValueError(Message("Say what is played, such as --game mercator."))
    return [games[at % len(games)] for at in range(tables)]


def _options(name: str, wanted: Options) -> Options:
    """Every option of a game with its value. Raises Mistakes for values that cannot be."""
    own = {option.name for option in game(name).options}
    seats = list(colours(name, game(name).seats[0]))
    asked = {option: value for option, value in wanted.items() if option in own}
    header = read_header({"tabularium": 1, "game": name, "seats": seats, "options": asked})
    return header.options
