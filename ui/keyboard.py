"""The window's keyboard: what is let go of because the window has lost it has not been let go of."""

from __future__ import annotations

from typing import Any, Protocol

from kivy.clock import Clock


class Keys(Protocol):
    """Who takes the keys."""

    def pressed(self, key: int) -> bool:
        """A key went down; true if it meant something."""

    def let_go(self, key: int) -> bool:
        """A key went up."""

    def found_up(self, key: int) -> bool:
        """A key that was down is up; nobody knows since when."""

    def away(self, lost: bool) -> None:
        """The window has lost the keyboard while a key was down; or has it back."""


class Keyboard:
    """Passes a window's keys on.

    SDL lets go of every key that is held when a window loses the focus, in the same frame and before it says so, and
    presses those again that are still held when it is back. A fist that opened thus would be a reveal nobody made.
    """

    def __init__(self, window: Any, keys: Keys) -> None:
        self._window, self._keys = window, keys
        self._down: set[int] = set()
        self._going: list[int] = []  # went up in this frame
        self._kept: set[int] = set()  # were down when the window lost the keyboard
        self._settle = Clock.create_trigger(self._settled)
        self._back = Clock.create_trigger(self._returned)
        window.bind(on_key_down=self._key_down, on_key_up=self._key_up, focus=self._focused)

    def _key_down(self, _window: Any, key: int, *_: object) -> bool:
        if key in self._kept:
            self._kept.discard(key)
            self._down.add(key)
            return True
        self._down.add(key)
        return self._keys.pressed(key)

    def _key_up(self, _window: Any, key: int, *_: object) -> bool:
        if key not in self._down:
            return False
        self._down.discard(key)
        self._going.append(key)
        self._settle()
        return True

    def _settled(self, _dt: float) -> None:
        """The frame is over: whether they went up by themselves is known now."""
        going, self._going = self._going, []
        if self._window.focus:
            for key in going:
                self._keys.let_go(key)
        elif going:
            self._kept.update(going)
            self._keys.away(True)

    def _focused(self, _window: Any, focus: bool) -> None:
        if focus and self._kept:
            self._back()

    def _returned(self, _dt: float) -> None:
        """What is still held has been pressed again by now."""
        if not self._window.focus:
            return
        kept, self._kept = self._kept, set()
        for key in kept:
            self._keys.found_up(key)
        self._keys.away(False)
