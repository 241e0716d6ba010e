"""The window's keyboard; a key that SDL releases because the window lost the focus does not count as released."""

from __future__ import annotations

from typing import Any, Protocol

from kivy.clock import Clock


class Keys(Protocol):
    """The receiver of the keys."""

    def pressed(self, key: int) -> bool:
        """Handle a key that went down; return whether it meant something."""

    def let_go(self, key: int) -> bool:
        """Handle a key that went up."""

    def found_up(self, key: int) -> bool:
        """Handle a key that was down and is up, though nobody knows since when."""

    def away(self, lost: bool) -> None:
        """Note that the window has lost the keyboard while a key was down (`lost`), or has it back."""


class Keyboard:
    """The keys of a window, passed on.

    SDL releases every held key when a window loses the focus, in the same frame and before it reports the loss, and
    presses those still held again when the focus is back. A fist opened this way would be a reveal that nobody made.
    """

    def __init__(self, window: Any, keys: Keys) -> None:
        self._window, self._keys = window, keys
        self._down: set[int] = set()
        self._going: list[int] = []  # went up in this frame
        self._kept: set[int] = set()  # were down when the window lost the keyboard
        self._settle = Clock.create_trigger(self._decide_at_frame_end)
        self._back = Clock.create_trigger(self._report_released)
        window.bind(on_key_down=self._key_down, on_key_up=self._key_up, focus=self._focus_changed)

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

    def _decide_at_frame_end(self, _dt: float) -> None:
        """Decide at the end of the frame whether keys went up by themselves or because the focus was lost."""
        going, self._going = self._going, []
        if self._window.focus:
            for key in going:
                self._keys.let_go(key)
        elif going:
            self._kept.update(going)
            self._keys.away(True)

    def _focus_changed(self, _window: Any, focus: bool) -> None:
        if focus and self._kept:
            self._back()

    def _report_released(self, _dt: float) -> None:
        """Report the kept keys that are up; those still held have been pressed again by now."""
        if not self._window.focus:
            return
        kept, self._kept = self._kept, set()
        for key in kept:
            self._keys.found_up(key)
        self._keys.away(False)
