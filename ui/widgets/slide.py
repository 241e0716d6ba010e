"""A slider over whole numbers: a finger anywhere on it moves the knob there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Ellipse, Line
from kivy.metrics import dp

from ui import theme
from ui.widgets.tap import Touchable

KNOB = 26
"""The width of the knob, in dp; the whole height takes the finger."""


class Slide(Touchable):
    """A slider from 0 to `last`; it calls `moved` with every new value while the finger moves."""

    def __init__(self, moved: Callable[[int], object]) -> None:
        super().__init__()
        self.moved, self.value, self.last = moved, 0, 0
        with self.canvas:
            Color(*theme.rgba(theme.now.line))
            self._track = Line(width=dp(2))
            Color(*theme.rgba(theme.now.seal))
            self._done = Line(width=dp(3))
            self._knob = Ellipse(size=(dp(KNOB), dp(KNOB)))
        self.bind(pos=self._draw, size=self._draw)

    def show(self, value: int, last: int) -> None:
        self.value, self.last = value, last
        self._draw()

    def _draw(self, *_: object) -> None:
        left, right, y = self.x + dp(KNOB) / 2, self.right - dp(KNOB) / 2, self.y + self.height / 2
        at = left + (right - left) * self.value / max(1, self.last)
        self._track.points = [left, y, right, y]
        self._done.points = [left, y, at, y]
        self._knob.pos = at - dp(KNOB) / 2, y - dp(KNOB) / 2

    def on_touch_down(self, touch: Any) -> bool:
        mine = bool(super().on_touch_down(touch))
        if mine:
            self._follow_touch(touch)
        return mine

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is self:
            self._follow_touch(touch)
        return bool(super().on_touch_move(touch))

    def _follow_touch(self, touch: Any) -> None:
        part = (touch.x - self.x - dp(KNOB) / 2) / max(1, self.width - dp(KNOB))
        value = round(max(0, min(1, part)) * self.last)
        if value != self.value:
            self.moved(value)
