"""A game written down: its positions as plain JSON (T-10), and what lies where on its real table (T-11).

`companion/notations/` holds a module for each game; a game without one plays on, but its position cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from companion.layout import Layout, Payment
from companion.message import Message
from companion.mistakes import Mistake, Mistakes
from companion.neighbour import neighbour
from companion.rules import AnyGame, Options, Ruling, Setup, as_json
from companion.views import View

S = TypeVar("S")
V = TypeVar("V", bound=View)

SEALED = "choice"
"""The key of a position under which the cards that lie face down stand, by seat."""


def _none(*_: object) -> NoReturn:
    raise Mistakes([Mistake((), Message("nobody has written down yet what a position of this game is"))])


@dataclass(frozen=True, slots=True)
class Notation(Generic[S, V]):
    """How the states S of one game are written, and its views V laid out."""

    write: Callable[[S], Mapping[str, Any]] = _none
    """Everything true about the game at one moment and nothing that follows from it (docs/positions.md)."""
    read: Callable[[Setup, Mapping[str, Any]], S] = _none
    """The state that a position describes; raises Mistakes with all that is wrong with it, each at its path."""
    secret: Sequence[str] = ("chips", "hand", SEALED)
    """The keys of a position that hold what only one seat may know, each an object by seat."""
    layout: Callable[[V, Options], Layout] = lambda *_: {}
    """What should lie where on the real table, as far as everybody may know it: from the public view of a game with
    these options."""
    paid: Callable[[Ruling], Sequence[Payment]] = lambda _: ()
    """The chips that a ruling announced as moving."""


AnyNotation = Notation[Any, Any]
"""Some game's notation: its states and views are known to its game alone."""


def notation(game: str) -> AnyNotation:
    """The notation of a game, loaded when first asked for."""
    module = neighbour("companion.notations", game)
    found: AnyNotation = module.NOTATION if module else Notation()
    return found


def position(game: AnyGame, state: Any) -> dict[str, Any]:
    """Everything true about a game, as plain JSON. Raises Mistakes for a game that has no notation."""
    written: dict[str, Any] = as_json(notation(game.name).write(state))
    return written


def placed(game: AnyGame, setup: Setup, written: Mapping[str, Any]) -> Any:
    """The state that a position describes. Raises Mistakes with all that is wrong with it, each at its path."""
    return notation(game.name).read(setup, written)


def layout(game: AnyGame, view: View, options: Options) -> Layout:
    """What should lie where, from the public view alone."""
    return notation(game.name).layout(view, options)
