"""What people compare with the real table, place by place (T-11): made from the layout, and so from the public view.

`companion/spots/` holds a module for each game, beside its notation; the table of a game without one is not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.layout import CARD, Layout
from companion.neighbour import neighbour
from companion.notation import layout
from companion.parts import Path, Written
from companion.rules import AnyGame, Options, Seat, Setup
from companion.views import View

V = TypeVar("V", bound=View)

ELSE = ""
"""Every piece that is not named."""
Lies = Mapping[str, Mapping[str, int]]
"""What lies at some places: how many of each piece that is named, and where it is said also of ELSE."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the real table, and the pieces that can lie there; of cards that lie open every one by its name."""

    place: str
    pieces: Sequence[str]
    most: int = 30
    """So many of one piece at most."""
    one: bool = False
    """All that lies there is one of the pieces: whose group it is, whose pawn."""


@dataclass(frozen=True, slots=True)
class Spots(Generic[V]):
    """How the table of one game is compared, whose views are V."""

    places: Callable[[Setup], Sequence[Spot]] = lambda _: ()
    """Every place, empty ones too, in the order in which people look."""
    look: Callable[[V, Layout], Layout] = lambda _, laid: laid
    """The layout as people see it: whose a group is, on which space a pawn stands."""
    entered: Callable[[Written, str, Mapping[str, int]], tuple[Path, Any] | None] = lambda *_: None
    """The value of a position, and the path of the part, that says what lies at a place; None where none does."""


AnySpots = Spots[Any]


def spots_of(game: str) -> AnySpots:
    """How the table of a game is compared, loaded when first asked for."""
    found = neighbour("companion.spots", game)
    spots: AnySpots = found.SPOTS if found else Spots()
    return spots


def lies(game: AnyGame, view: View, options: Options) -> Layout:
    """What should lie where, as people see it."""
    return spots_of(game.name).look(view, layout(game, view, options))


def entered(game: str, written: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    """What a position has to say for these pieces to lie there: the path of its part, and the value."""
    return spots_of(game).entered(written, place, pieces)


def by_seat(seats: Sequence[Seat], places: Sequence[str], pieces: Sequence[str] = (CARD,)) -> Sequence[Spot]:
    """These places before every seat."""
    return [Spot(f"{place} {seat}", pieces) for seat in seats for place in places]


def there(pieces: Mapping[str, int]) -> Sequence[str]:
    """The pieces that lie there at all."""
    return [piece for piece, count in pieces.items() if count]


def in_order(before: Sequence[str], pieces: Mapping[str, int]) -> list[str]:
    """The cards that lie there, or whose counters, those that lay there before first."""
    found = there(pieces)
    return [*(card for card in before if card in found), *(card for card in found if card not in before)]
