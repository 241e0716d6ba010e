"""The places of any game as tiles, with the seats there and their numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

from companion.rules import Setup
from companion.rules.data import Data
from ui.games.parts.asking import shown
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Tile:
    """A place: its name, and the seats there with their numbers."""

    place: str
    name: str
    marks: Sequence[tuple[str, str]]
    chosen: bool
    """The moment is about it."""


def tiles(m: Moment, chosen: Collection[str] = ()) -> Sequence[Sequence[Tile]]:
    """Return the places in rows."""
    found = known(m)
    return [[Tile(at, shown(m, at), marks(m, found[at]), at in chosen) for at in row] for row in arranged(list(found))]


def known(m: Moment) -> Mapping[str, Data]:
    """Return every place of the game with what is public about it."""
    read = m.game.board(m.board) if m.game.board and m.board else None
    names = m.game.vocabulary(Setup(tuple(m.seats), m.options, read)).get("place", ())
    found: dict[str, Data] = {place: {} for place in names}
    for value in m.view.values():
        if isinstance(value, Mapping):
            found |= {place: data for place, data in value.items() if place in found and isinstance(data, Mapping)}
    return found


def about(m: Moment) -> Collection[str]:
    """Return the places the moment is about, as single facts of the view name them."""
    facts = [value for fact in m.view.values() for value in (fact.values() if isinstance(fact, Mapping) else [fact])]
    return [value for value in facts if isinstance(value, str)]


def arranged(found: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return squares like c3 as a grid with a1 at the lower left, other places in equal rows."""
    if found and all(len(place) == 2 and place[1].isdigit() for place in found):
        rows = sorted({place[1] for place in found}, reverse=True)
        return [[place for place in found if place[1] == row] for row in rows]
    wide = max(1, isqrt(max(0, len(found) - 1)) + 1)
    return [found[at : at + wide] for at in range(0, len(found), wide)]


def marks(m: Moment, data: Data) -> Sequence[tuple[str, str]]:
    """Return the seats at a place with their numbers.

    The data have an owner with a size, or a number or a list of seats by key.
    """
    if "owner" in data:
        return [(data["owner"], "" if data["owner"] == "neutral" else str(data.get("size", "")))]
    found: list[tuple[str, str]] = []
    for key, value in data.items():
        if key in m.seats:
            found += [(key, str(value))] if value else []
        elif isinstance(value, int) and not isinstance(value, bool):
            found.append(("", str(value)))
        else:
            found += [(seat, "") for seat in (value if isinstance(value, list) else [value]) if seat in m.seats]
    return found
