"""The tables at which laws are tried: every game, number of seats and variant, or as many as the suite has time for.

`make soak` sets TABULARIUM_TESTS=all: then nothing is left out. `make quick` sets it to few: then two tables a game do.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from companion import games
from companion.games import position_of
from companion.rules import AnyGame
from companion.rules.position import Position

EVERYTHING = os.environ.get("TABULARIUM_TESTS") == "all"
QUICK = os.environ.get("TABULARIUM_TESTS") == "few"


def times(suite: int, soak: int) -> int:
    """Return how often something random is tried."""
    return soak if EVERYTHING else suite


Table = tuple[str, int, dict[str, Any]]
"""A game's name, how many play it, and its options."""


def variants(game: AnyGame) -> Iterator[dict[str, Any]]:
    """Yield every combination of options that a header allows."""
    for values in product(*(option.values for option in game.options)):
        chosen = dict(zip((option.name for option in game.options), values, strict=True))
        needs = ((o, o.needs) for o in game.options if o.needs and chosen[o.name] != o.default)
        if all(chosen[need[0]] == need[1] for _, need in needs):
            yield chosen


def tables(name: str) -> list[Table]:
    """Return every table of a game."""
    game = games.game(name)
    return [(name, seats, options) for options in variants(game) for seats in game.seats]


def pairwise(every: Sequence[Table]) -> list[Table]:
    """Return as few of a game's tables as will do for any two choices to meet at one of them."""
    met = {at: choices(table) for at, table in enumerate(every)}
    missing = set[Any]().union(*met.values())
    chosen = []
    while missing:
        best = max(met, key=lambda at: len(met[at] & missing))
        missing -= met[best]
        chosen.append(best)
    return [every[at] for at in sorted(chosen)]


def choices(table: Table) -> set[Any]:
    """Return what is chosen at a table, and each pair of it."""
    _, seats, options = table
    made = [("seats", seats), *options.items()]
    return {*made, *combinations(made, 2)}


def shown(table: Table) -> Any:
    """Return the table as a case of a test."""
    name, seats, options = table
    return pytest.param(*table, id=f"{name}-{seats}-{'-'.join(map(str, options.values()))}")


EVERY = {name: tables(name) for name in games.NAMES}
PAIRWISE = {name: pairwise(every) for name, every in EVERY.items()}
OF = EVERY if EVERYTHING else {name: [of[0], of[-1]] for name, of in PAIRWISE.items()} if QUICK else PAIRWISE
TABLES = [shown(table) for of in OF.values() for table in of]
NOTED = [name for name in games.NAMES if position_of(name) != Position()]
"""A new game has no positions until somebody writes its notation; these have."""
NOTED_TABLES = [shown(table) for name in NOTED for table in OF[name]]
FEW = [shown(table) for name in NOTED for table in Random(name).sample(EVERY[name], min(times(2, 6), len(EVERY[name])))]
"""Two tables of each game: for what takes a second each."""
SOME = TABLES if EVERYTHING else FEW
"""The same, and every table in the soak: for what is seldom wrong at one table alone."""
