"""How each game is played for pictures: in a module of its name, or as any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from companion.rules import AnyGame

if TYPE_CHECKING:
    from ui.page import App

Scenes = Callable[["App", AnyGame], Iterator[str]]
"""Plays the game; yields the name of each picture to be taken."""


def scenes_of(game: AnyGame) -> Scenes:
    """Return the function that plays this game for pictures."""
    own = f"{__name__}.{game.name}"
    scenes: Scenes = import_module(own if find_spec(own) else f"{__name__}.any").scenes
    return scenes
