"""The lessons of a first game that newcomers have been told so far: each is seen once, even after an undo."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from companion.answers.guide import due
from companion.rules import AnyGame
from companion.rules.data import Data
from companion.rules.guide import AnyKnown, Lesson

Told = Data
"""The stored form: the game's number, and the keys of the lessons."""


class Lessons:
    """The lessons of one game; `keep` stores what has been told, and None once they are over."""

    def __init__(self, number: int, keep: Callable[[Told | None], object], told: Collection[str] = ()) -> None:
        self.number = number
        self.over = False
        self._keep = keep
        self._told = dict.fromkeys(told)
        self._current: Lesson[Any, Any] | None = None
        self._phase = ""
        self._save()

    @property
    def told(self) -> Collection[str]:
        """Return the keys of the lessons that have been told."""
        return self._told.keys()

    def look(self, game: AnyGame, known: AnyKnown) -> Lesson[Any, Any] | None:
        """Return the lesson to show at this moment: until it is put away, matters no longer, or the phase is over."""
        phase = known.view["phase"]
        if self.over or known.view["over"]:
            return None
        if self._current and not (phase == self._phase and self._current.matters(known)):
            self._current = None
        if self._current is None and (lesson := due(game, known, self._told)):
            self._current, self._phase = lesson, phase
        return self._current

    def seen(self) -> None:
        """Record that the current lesson is shown or spoken; one that never came to it is due again."""
        if self._current and self._current.key not in self._told:
            self._told[self._current.key] = None
            self._save()

    def put_away(self) -> None:
        """Close the current lesson."""
        self._current = None

    def end(self) -> None:
        """End the lessons."""
        self.over, self._current = True, None
        self._keep(None)

    def go_on(self) -> None:
        """Resume the lessons after their end."""
        self.over = False
        self._save()

    def _save(self) -> None:
        self._keep({"game": self.number, "told": list(self._told)})


def kept(told: Told | None, number: int) -> Collection[str] | None:
    """Return which lessons have been told in this game; None where it is not a first game."""
    return told["told"] if told and told.get("game") == number else None
