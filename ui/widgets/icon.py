"""Drawn signs: a loudspeaker, that is on or silent, and an earphone."""

from __future__ import annotations

from kivy.graphics import Color, Mesh
from kivy.graphics import Line as Drawn
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.stroke import Stroke

HORN = (
    *((-0.2, 0), (-0.46, -0.17), (-0.24, -0.17), (0.02, -0.4)),
    *((0.02, 0.4), (-0.24, 0.17), (-0.46, 0.17), (-0.46, -0.17)),
)
"""A loudspeaker as a fan, in sides of its square, around the middle of that."""


class Loudspeaker(Widget):
    """Two waves come from it, or a cross stands there while it is silent."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        with self.canvas:
            self._ink = Color(*theme.rgba(theme.now.ink))
            self._horn = Mesh(mode="triangle_fan", indices=list(range(len(HORN))))
        self._waves, self._cross = Stroke(1.2, 2), Stroke(1.4, 2)
        for part in (self._waves, self._cross):
            self.canvas.add(part)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, silent: bool, ink: str) -> None:
        self._ink.rgba = theme.rgba(ink)
        self._waves.paint(None if silent else ink)
        self._cross.paint(ink if silent else None)

    def _draw(self, *_: object) -> None:
        side, x, y = _middle(self)
        self._horn.vertices = [n for right, up in HORN for n in (x + right * side, y + up * side, 0, 0)]
        for wave, radius in zip(self._waves.lines, (0.2, 0.38), strict=True):
            wave.circle = (x + 0.06 * side, y, radius * side, 45, 135, 12)
        for line, way in zip(self._cross.lines, (1, -1), strict=True):
            low, high = y - way * 0.16 * side, y + way * 0.16 * side
            line.points = (x + 0.14 * side, low, x + 0.46 * side, high)


class Earphone(Widget):
    """The sign of a seat with an ear of its own; nothing while it has none."""

    def __init__(self, on: bool = False, **rest: object) -> None:
        super().__init__(**rest)
        self._lines = Stroke(1.3, 3)
        self.canvas.add(self._lines)
        self.bind(pos=self._draw, size=self._draw)
        self.show(on)

    def show(self, on: bool, ink: str = "") -> None:
        self._lines.paint((ink or theme.now.ink) if on else None)

    def _draw(self, *_: object) -> None:
        side, x, y = _middle(self)
        band, *pads = self._lines.lines
        band.circle = (x, y - 0.06 * side, 0.38 * side, -90, 90, 18)
        for pad, way in zip(pads, (-1, 1), strict=True):
            _pad(pad, x + way * 0.36 * side - 0.08 * side, y - 0.42 * side, 0.16 * side, 0.32 * side)


def _pad(line: Drawn, x: float, y: float, wide: float, high: float) -> None:
    line.rounded_rectangle = (x, y, wide, high, min(wide / 2, dp(2)))


def _middle(of: Widget) -> tuple[float, float, float]:
    """Its shorter side and its middle; the centre that Kivy keeps is not new yet when `pos` tells."""
    return min(of.size), of.x + of.width / 2, of.y + of.height / 2
