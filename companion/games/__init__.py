"""The games, one module each. A sixth is one module and one line here."""

from importlib import import_module

from companion.rules import Game

NAMES = ("mercator", "prokonsul", "spartacus", "caesar", "hannibal")


def game(name: str) -> Game:
    """The game of that name, loaded when first asked for; KeyError for a name that is not in NAMES."""
    if name not in NAMES:
        raise KeyError(name)
    loaded: Game = import_module(f"companion.games.{name}").GAME
    return loaded
