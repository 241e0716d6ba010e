"""The exports of a game's folder, loaded when they are first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from companion.rules.vocabulary import KNOWN, Vocabulary, learn

if TYPE_CHECKING:
    from companion.rules import AnyGame
    from companion.rules.guide import AnyGuide
    from companion.rules.position import AnyPosition
    from companion.rules.prompts import AnyPrompts
    from companion.rules.speech import AnySpeech


class Record:
    """A game's folder: `rules` it must have; `position`, `prompts`, `guide`, `voice` and its board have defaults.

    `package` is the folder's import name, its last part the game's; `number` its place in the book, `words` what its
    pieces and places are called.
    """

    def __init__(self, package: str, number: int = 99, words: Vocabulary | None = None) -> None:
        self.package = package
        self.name = package.rpartition(".")[2]
        self.number = number
        self.acts: Mapping[str, str] = {**KNOWN.acts, **(words.acts if words else {})}
        """By verb: what is offered."""
        self.names: Mapping[str, str] = words.names if words else {}
        """The names of things in its events and views: provinces, pieces."""
        if words:
            learn(words)

    @property
    def game(self) -> AnyGame:
        """Return its rules: `GAME` of the module `rules`."""
        found: AnyGame = import_module(f"{self.package}.rules").GAME
        return found

    @property
    def position(self) -> AnyPosition:
        """Return how its positions are written: `POSITION` of the module `position`."""
        from companion.rules.position import Position

        found: AnyPosition = self._found("position", "POSITION") or Position()
        return found

    @property
    def guide(self) -> AnyGuide:
        """Return what it tells when it is asked: `GUIDE` of the module `guide`."""
        from companion.rules.guide import Guide

        found: AnyGuide = self._found("guide", "GUIDE") or Guide()
        return found

    @property
    def prompts(self) -> AnyPrompts:
        """Return what it expects, moment by moment: `PROMPTS` of the module `prompts`."""
        from companion.rules.prompts import Prompts

        found: AnyPrompts = self._found("prompts", "PROMPTS") or Prompts()
        return found

    @property
    def speech(self) -> AnySpeech:
        """Return what it says aloud: `SPEECH` of the module `voice`."""
        from companion.rules.speech import Speech

        found: AnySpeech = self._found("voice", "SPEECH") or Speech()
        return found

    def _found(self, module: str, export: str) -> Any:
        """Return a module's export, None without the module. Any: only its name says which game it is of."""
        found = neighbour(f"{self.package}.{module}")
        return getattr(found, export) if found else None


@cache
def neighbour(name: str) -> ModuleType | None:
    """Return the module of that name, None where there is none. Raises where the module fails to load."""
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{name}.".startswith(f"{missing.name}."):
            raise
        return None
