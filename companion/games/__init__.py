"""The games, one module each. A sixth is one module and one line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the list alone needs none of it
    from companion.rules import AnyGame

NAMES = ("mercator", "prokonsul", "spartacus", "caesar", "hannibal")


def game(name: str) -> AnyGame:
    """The game of that name, loaded when first asked for; KeyError for a name that is not in NAMES.

    Which of them a name means is known only at run time, so neither is the type of its states and views.
    """
    if name not in NAMES:
        raise KeyError(name)
    loaded: AnyGame = import_module(f"companion.games.{name}").GAME
    return loaded
