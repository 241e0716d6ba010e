"""A game written down: its positions as plain JSON (T-10), what lies where on its real table (T-11), and its parts.

Everything here may be left out: a game without it plays on, but its position cannot be written, and a decision about it
is made in words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from companion.rules import Options, Ruling, Setup, as_json
from companion.rules.data import SEALED, Data
from companion.rules.layout import Layout, Payment, Spot
from companion.rules.message import Message
from companion.rules.mistakes import Mistake, Mistakes
from companion.rules.position_parts import Part, Path, Written
from companion.rules.views import View

S = TypeVar("S")
V = TypeVar("V", bound=View)


def _none(*_: object) -> NoReturn:
    raise Mistakes([Mistake((), Message("nobody has written down yet what a position of this game is"))])


@dataclass(frozen=True, slots=True)
class Position(Generic[S, V]):
    """How the states S of one game are written, its views V laid out, and what people change and compare."""

    write: Callable[[S], Data] = _none
    """Everything true about the game at one moment and nothing that follows from it (docs/positions.md)."""
    read: Callable[[Setup, Data], S] = _none
    """The state that a position describes; raises Mistakes with all that is wrong with it, each at its path."""
    secret: Sequence[str] = ("chips", "hand", SEALED)
    """The keys of a position that hold what only one seat may know, each an object by seat."""
    layout: Callable[[V, Options], Layout] = lambda *_: {}
    """The layout of the real table, as far as everybody may know it: from the public view of a game with these
    options."""
    paid: Callable[[Ruling], Sequence[Payment]] = lambda _: ()
    """The payments announced by a ruling."""

    @property
    def writes(self) -> bool:
        """Return whether positions of this game can be written."""
        return self.write is not _none

    # what people change, part by part
    parts: Callable[[Setup, Written], Sequence[Part]] = lambda *_: ()
    """Everything people can change; the second argument is what everybody may know of the position."""
    follow: Callable[[Setup, Written], Written] = lambda *_: {}
    """The values implied by the rest of a position; nobody need enter them."""
    follows: Collection[str] = ()
    """The first words of places of a layout that no part holds: what lies there follows from the parts."""

    # what people compare, place by place
    places: Callable[[Setup], Sequence[Spot]] = lambda _: ()
    """The places, empty ones too, in the order in which people look; none: the table is not compared."""
    look: Callable[[V, Layout], Layout] = lambda _, laid: laid
    """The layout as people see it: whose a group is, on which space a pawn stands."""
    rebuilt: Callable[[V, Layout], Layout] | None = None
    """The same, with everything else that is needed to lay the table anew; None where there is nothing more."""
    entered: Callable[[Written, str, Mapping[str, int]], tuple[Path, Any] | None] = lambda *_: None
    """The value of a position, and the path of the part, that says what lies at a place; None where none does."""

    # what is derived from these

    def written(self, state: S) -> dict[str, Any]:
        """Return everything true about a game, as plain JSON. Raises Mistakes where its positions cannot be written."""
        found: dict[str, Any] = as_json(self.write(state))
        return found

    def lies(self, view: V, options: Options) -> Layout:
        """Return what should lie where, as people see it."""
        return self.look(view, self.layout(view, options))

    def relaid(self, view: V, options: Options) -> Layout:
        """Return what should lie where, with everything else that is needed to lay the table anew."""
        return (self.rebuilt or self.look)(view, self.layout(view, options))

    def followed(self, setup: Setup, written: Written) -> Written:
        """Return the position with what follows from the rest of it, where a game says so."""
        return {**written, **self.follow(setup, written)}


AnyPosition = Position[Any, Any]
"""Some game's: its states and views are known to its game alone."""
