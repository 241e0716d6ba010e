"""A screen that goes dark while nobody plays, and a touch that wakes it and does nothing else."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from ui.widgets.tap import GHOST

LONGEST_S = 3.0
"""Seconds the touch that woke the screen may last before it is taken for lost."""


class ScreenBlanker(Widget):
    """A black cover over everything while the screen is dark.

    It takes the touch that wakes the screen until the finger is lifted, and a ghost touch after it. Hardware events
    wake the screen too, and keep their usual meaning.
    """

    def __init__(
        self, minutes: int, light: Callable[[bool], object], clock: Callable[[], float] = monotonic, **rest: Any
    ) -> None:
        """Darken the screen after so many `minutes` without a game and without a touch; never with 0."""
        super().__init__(**rest)
        self.dark = False
        self._minutes, self._light, self._clock = minutes, light, clock
        self._since = clock()
        self._fingers: set[Any] = set()
        self._away = Clock.create_trigger(self._remove, GHOST)
        self._at_last = Clock.create_trigger(self._forget_fingers, LONGEST_S)
        with self.canvas:
            self._ink = Color(0, 0, 0, 1)
            self._black = Rectangle(pos=self.pos, size=self.size)
        self.bind(pos=self._fill_window, size=self._fill_window)

    def look(self, playing: bool) -> None:
        """Darken the screen if it has been idle long enough; while a game is `playing`, it stays lit."""
        if Window.allow_screensaver == playing:  # a desktop's own
            Window.allow_screensaver = not playing
        if playing:
            self.stir()
        elif self._minutes and not self.dark and self._clock() - self._since >= 60 * self._minutes:
            self._darken()

    def stir(self) -> None:
        """Restart the idle time, and light the screen if it is dark."""
        self._since = self._clock()
        if self.dark:
            self.dark = False
            self._light(True)
            self._ink.a = 0
            self._at_last()
            if not self._fingers:
                self._away()

    def _darken(self) -> None:
        self.dark = True
        self._away.cancel()
        self._at_last.cancel()
        self._ink.a = 1
        if self.parent is None:
            Window.add_widget(self)
        self._light(False)

    def _remove(self, _: float) -> None:
        if self.parent and not self.dark and not self._fingers:
            Window.remove_widget(self)

    def _forget_fingers(self, _: float) -> None:
        """Forget all fingers: a touchscreen may lose the end of a touch, which must not block the table for good."""
        self._fingers.clear()
        self._remove(0)

    def _fill_window(self, *_: object) -> None:
        self._black.pos, self._black.size = self.pos, self.size

    # -- fingers and keys ----------------------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        """Take every touch while the cover is there: the page below hears neither its start nor its end."""
        self._fingers.add(touch.uid)
        touch.grab(self)
        self.stir()
        return True

    def on_touch_move(self, touch: Any) -> bool:
        return touch.uid in self._fingers

    def on_touch_up(self, touch: Any) -> bool:
        mine = touch.uid in self._fingers
        self._fingers.discard(touch.uid)
        if mine and not self._fingers:
            self._away()
        return mine

    def key(self) -> bool:
        """Handle a key press; return whether it has woken the screen, so that it means nothing else."""
        woken = self.dark
        self.stir()
        return woken
