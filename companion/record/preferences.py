"""Settings in the store, checked as they are read.

A damaged byte, a manual edit or another version may have left anything there. A value that does not fit counts as
missing, so that it never stops the program from starting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from companion.record.transcript import read_header
from companion.rules.cards import PAWNS
from companion.rules.mistakes import Mistakes
from companion.rules.words import LANGUAGES


class Keeper(Protocol):
    """A store, for the JSON values that are kept under keys besides games."""

    def keep(self, key: str, value: Any) -> int: ...
    def kept(self, key: str) -> Any: ...  # any JSON value


def remembered(store: Keeper, key: str, fits: Callable[[Any], object]) -> Any:
    """Return what is kept under this key; None where there is nothing, or nothing that fits."""
    value = store.kept(key)
    try:
        return value if value is not None and fits(value) else None
    except (TypeError, ValueError, LookupError, AttributeError, Mistakes):
        return None


def is_language(value: Any) -> bool:
    return value in LANGUAGES


def is_ears(value: Any) -> bool:
    """Return whether these are sound cards by seat."""
    return all(seat in PAWNS and "CARD=" in name for seat, name in value.items())


def is_number(value: Any) -> bool:
    return type(value) is int


def is_table(value: Any) -> bool:
    """Return whether this is a table that can be begun once more."""
    known = {"game", "seats", "options", "players", "reveal"}
    return value.keys() == known and bool(read_header({"tabularium": 1, **value}))


def are_games(value: Any) -> bool:
    """Return whether these are numbers of games."""
    return isinstance(value, list) and all(type(number) is int for number in value)


def are_names(value: Any) -> bool:
    """Return whether these are names."""
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def is_told(value: Any) -> bool:
    """Return whether this is a record of the lessons told in a game."""
    return type(value["game"]) is int and all(isinstance(of, str) for of in value["told"])


def are_explained(value: Any) -> bool:
    """Return whether these are counts of explanations by seat."""
    return all(seat in PAWNS and all(map(is_number, counts.values())) for seat, counts in value.items())


def are_approvals(value: Any) -> bool:
    """Return whether these are approvals by seat."""
    return all(type(of["crc"]) is int and isinstance(of["approves"], bool) for of in value.values())


def is_board(read: Callable[[Any], object]) -> Callable[[Any], bool]:
    """Return a check for board data that this game can read."""
    return lambda value: isinstance(value, Mapping) and bool(read(value) or True)
