"""A round from the organiser's order: at which tables, which games with which options, and who sits where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.games import NAMES, game
from companion.hall import _people as people
from companion.hall._evening import HallEvening, Round, SeatedTable, colours, round_act
from companion.hall._people import as_it_is
from companion.hall._seating import USUAL, Problem, Search, Seating, Wishes, sizes
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.record.transcript import read_header
from companion.rules import Options
from companion.rules.message import Message

TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""What a table can be called: a level of a topic."""
SPAN = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
MOST_TABLES = 500
MOST_ROUNDS = 20
"""The most rounds of a plan."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The organiser's wishes for a round; an empty field is taken from the last round."""

    games: Sequence[str] = ()
    options: Options = field(default_factory=dict)
    tables: Sequence[str] = ()
    size: int | None = None
    swiss: bool = False
    anew: bool = False
    """Ignore the plan for this round."""


def seated(now: Stand, wanted: Wanted, number: int, seed: int, *, search: Search) -> Payload:
    """Return the act that seats a round: as planned, else as the search finds it. Raises ValueError."""
    one = next((one for one in now.evening.planned if one.number == number), None)
    fits = one and {*one.everybody} == {*people.here(now.evening.people)}
    if one and fits and wanted == Wanted() and all(_is_table(now.evening, of.table) for of in one.tables):
        return round_act(number, one.seed, one.tables, one.byes, one.offered)
    if one:
        like = _like(one)
        wanted = replace(wanted, games=wanted.games or like.games, options=wanted.options or like.options,
                         tables=wanted.tables or tables_of(now.evening, like.tables))  # fmt: skip
    blank, tables = _blank(now, wanted)
    (found,) = search(_problem(now, wanted, blank, seed), number)
    return _filled(number, seed, blank, found, tables)


def _problem(now: Stand, wanted: Wanted, blank: Sequence[SeatedTable], seed: int, rounds: int | None = None) -> Problem:
    here = people.here(now.evening.people)
    chairs = tuple(of.chairs for of in blank)
    return Problem(tuple(here), chairs, now.history, seed, _wishes(now, wanted, blank, here), rounds)


def _like(one: Round) -> Wanted:
    """Return the wishes behind a planned round, to seat it anew because somebody has come or gone."""
    games = list(dict.fromkeys(of.game for of in one.tables))
    return Wanted(games, one.tables[0].options, one.offered)


def planned(now: Stand, wanted: Wanted, count: int, first: int, seed: int, *, search: Search) -> list[Payload]:
    """Return the acts of so many rounds from the first on, seated one after the other for the players here.

    Of several such plans, the one in which people meet again least is taken. Raises ValueError.
    """
    if not 1 <= count <= MOST_ROUNDS:
        raise ValueError(Message("A plan has 1 to {most} rounds.", most=MOST_ROUNDS))
    blank, tables = _blank(now, wanted)
    plan = search(_problem(now, wanted, blank, seed, count), first)
    return [dict(_filled(first + at, seed + at, blank, found, tables)) for at, found in enumerate(plan)]


def _blank(now: Stand, wanted: Wanted) -> tuple[list[SeatedTable], Sequence[str]]:
    """Return the tables to seat, with nobody at them yet, and all tables on offer. Raises ValueError."""
    here = people.here(now.evening.people)
    tables = _tables(now, wanted.tables)
    played = _games(now.evening, wanted, len(tables))
    plan = sizes(len(here), [game(name).seats for name, _ in played], wanted.size or USUAL)
    if not plan:
        raise ValueError(Message("Too few players for a table: {count}.", count=len(here)))
    return [
        SeatedTable(table, name, options, dict.fromkeys(colours(name, size), 0))
        for size, table, (name, options) in zip(plan, tables, played, strict=False)
    ], tables


def _filled(number: int, seed: int, blank: Sequence[SeatedTable], found: Seating, tables: Sequence[str]) -> Payload:
    filled = [
        SeatedTable(of.table, of.game, of.options, dict(zip(of.seats, players, strict=True)))
        for of, players in zip(blank, found.tables, strict=True)
    ]
    return round_act(number, seed, filled, found.byes, tables)


def _wishes(now: Stand, wanted: Wanted, blank: Sequence[SeatedTable], here: Sequence[int]) -> Wishes:
    """Return who has a fixed table or seat, and the standings where tables are to be of one strength.

    Raises ValueError where more players need a table than it has seats.
    """
    places = {of.table: at for at, of in enumerate(blank)}
    homes: dict[int, tuple[int, int | None]] = {}
    for player, (table, colour) in now.evening.fixed.items():
        if player in here and table in places:
            seats = list(blank[places[table]].seats)
            homes[player] = places[table], seats.index(colour) if colour in seats else None
    for table, at in places.items():
        theirs = [player for player, (home, _) in homes.items() if home == at]
        if len(theirs) > len(blank[at].seats):
            names = tuple(now.evening.people[player].called for player in theirs)
            raise ValueError(Message("Table {table} has too few seats for {names}.", table=table, names=names))
    strength = {row.id: at for at, row in enumerate(now.standings.rows)} if wanted.swiss else {}
    return Wishes(homes, strength)


def _tables(now: Stand, asked: Sequence[str]) -> Sequence[str]:
    """Return the tables to seat: those named, else those that are here, else the last round's. Raises ValueError."""
    evening = now.evening
    here = [table for row in now.tables if row.here and (table := evening.table_on(row.table))]
    last = tables_of(evening, evening.latest.offered) if evening.latest else ()
    found = list(dict.fromkeys(_names(asked) or here or last))
    for table in found:
        if not TABLE.fullmatch(table):
            raise ValueError(
                Message("{table} cannot be the name of a table: use a to z, 0 to 9 and -.", table=as_it_is(table))
            )
        if not _is_table(evening, table):
            raise ValueError(Message("Device {device} is a spare: nobody can be seated there.", device=as_it_is(table)))
    if not found:
        raise ValueError(Message("No table has reported yet: name the tables, for example --tables 1,2,3."))
    return found if asked else sorted(found, key=lambda table: (len(re.sub(r"\D", "", table)), table))


def tables_of(evening: HallEvening, offered: Sequence[str]) -> Sequence[str]:
    """Return those of the tables that were on offer once that are still tables: spares are never seated."""
    return [table for table in offered if _is_table(evening, table)]


def _is_table(evening: HallEvening, name: str) -> bool:
    """Return whether this is a table, and not the name of a device that is a spare or at another table."""
    return name in evening.devices or evening.table_on(name) == name


def _names(asked: Sequence[str]) -> list[str]:
    """Return the tables that are asked for, where 1-12 is twelve of them."""
    return [table for word in asked for table in span(word)]


def span(word: str) -> Sequence[str]:
    """Return the tables that a word means: 1-12 is twelve of them, any other word is one. Raises ValueError."""
    if not (found := SPAN.fullmatch(word)):
        return [word]
    first, last = int(found[1]), int(found[2])
    if not first < last <= first + MOST_TABLES:
        raise ValueError(
            Message(
                "{tables} is not a list of tables: write 1-12 for twelve tables, or 1,2,blue.", tables=as_it_is(word)
            )
        )
    return [str(number) for number in range(first, last + 1)]


def _games(evening: HallEvening, wanted: Wanted, tables: int) -> Sequence[tuple[str, Options]]:
    """Return what is played at each of so many tables, which take the games in turn.

    The games are those named, or the last round's. Raises ValueError.
    """
    named, options = wanted.games, wanted.options
    for name in named:
        if name not in NAMES:
            there = as_it_is(", ".join(NAMES))
            raise ValueError(Message("There is no game {game}. Choose from {games}.", game=as_it_is(name), games=there))
    if named:
        known = {option.name for name in named for option in game(name).options}
        for option in options.keys() - known:
            raise ValueError(Message("None of these games has an option {option}.", option=as_it_is(option)))
        games = [(name, _options(name, options)) for name in named]
    else:
        last = [(seated.game, seated.options) for seated in evening.latest.tables] if evening.latest else []
        games = list({name: (name, told) for name, told in last}.values())
    if not games:
        raise ValueError(Message("Name the game, for example --game mercator."))
    return [games[at % len(games)] for at in range(tables)]


def _options(name: str, wanted: Options) -> Options:
    """Return every option of a game with its value. Raises Mistakes for impossible values."""
    own = {option.name for option in game(name).options}
    seats = list(colours(name, game(name).seats[0]))
    asked = {option: value for option, value in wanted.items() if option in own}
    header = read_header({"tabularium": 1, "game": name, "seats": seats, "options": asked})
    return header.options
