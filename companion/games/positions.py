"""Any game written down and laid out, by what its folder says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games import position_of
from companion.rules import AnyGame, Options, Setup, as_json
from companion.rules.data import Data
from companion.rules.layout import Layout
from companion.rules.parts import Part, Written
from companion.rules.views import View


def position(game: AnyGame, state: object) -> dict[str, Any]:
    """Everything true about a game, as plain JSON. Raises Mistakes for a game whose positions cannot be written."""
    written: dict[str, Any] = as_json(position_of(game.name).write(state))
    return written


def placed(game: AnyGame, setup: Setup, written: Data) -> Any:
    """The state that a position describes. Raises Mistakes with all that is wrong with it, each at its path."""
    return position_of(game.name).read(setup, written)


def layout(game: AnyGame, view: View, options: Options) -> Layout:
    """What should lie where, from the public view alone."""
    return position_of(game.name).layout(view, options)


def lies(game: AnyGame, view: View, options: Options) -> Layout:
    """What should lie where, as people see it."""
    return position_of(game.name).look(view, layout(game, view, options))


def rebuilt(game: AnyGame, view: View, options: Options) -> Layout:
    """What should lie where, with all that a table needs that is laid anew."""
    of = position_of(game.name)
    return (of.rebuilt or of.look)(view, layout(game, view, options))


def parts(game: str, setup: Setup, written: Written) -> Sequence[Part]:
    """Everything people can change in a position of this game, in its order."""
    return position_of(game).parts(setup, written)


def follow(game: str, setup: Setup, written: Written) -> Written:
    """The position with what follows from the rest of it, where a game says so."""
    return {**written, **position_of(game).follow(setup, written)}
