"""Drawn signs: those of the controls, an earphone, a tick."""

from __future__ import annotations

from math import cos, pi, sin

from kivy.graphics import Color, Ellipse
from kivy.graphics import Line as Drawn
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.shape import Stroke

Path = tuple[tuple[float, float], ...]


def _arc(x: float, y: float, radius: float, begin: float, end: float) -> Path:
    """Return part of a circle, in degrees anticlockwise from the right."""
    steps = max(2, round(abs(end - begin) / 20))
    turns = (pi / 180 * (begin + (end - begin) * at / steps) for at in range(steps + 1))
    return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)


_DOT = 0.02
SIGNS: dict[str, tuple[Path, ...]] = {
    "help": (
        (*_arc(0, 0.2, 0.24, 180, -60), (0, -0.06), (0, -0.18)),
        ((0, -0.42), (0, -0.42 - _DOT)),
    ),
    "undo": (
        ((-0.16, 0.4), (-0.4, 0.16), (-0.16, -0.08)),
        ((-0.4, 0.16), *_arc(0.14, -0.1, 0.26, 90, -90), (-0.2, -0.36)),
    ),
    "log": tuple(line for y in (0.3, 0, -0.3) for line in (((-0.42, y), (-0.42 + _DOT, y)), ((-0.2, y), (0.44, y)))),
    "mistake": (
        ((0, 0.42), (0.46, -0.38), (-0.46, -0.38), (0, 0.42), (0.02, 0.4)),
        ((0, 0.12), (0, -0.08)),
        ((0, -0.22), (0, -0.22 - _DOT)),
    ),
    "menu": tuple(((-0.42, y), (0.42, y)) for y in (0.32, 0, -0.32)),
    "back": (((0.18, 0.36), (-0.2, 0), (0.18, -0.36)),),
    "next": (((-0.18, 0.36), (0.2, 0), (-0.18, -0.36)),),
    "up": (((-0.36, -0.16), (0, 0.2), (0.36, -0.16)),),
    "down": (((-0.36, 0.16), (0, -0.2), (0.36, 0.16)),),
    "check": (
        (*_arc(0, -0.34, 0.56, 142, 38), *_arc(0, 0.34, 0.56, -38, -142), (-0.44, 0)),
        _arc(0, 0, 0.13, 0, 360),
    ),
    "globe": (
        _arc(0, 0, 0.42, 0, 360),
        ((-0.42, 0), (0.42, 0)),
        tuple((0.2 * x / 0.42, y) for x, y in _arc(0, 0, 0.42, 0, 360)),
    ),
    "cards": (
        ((-0.22, 0.22), (0.3, 0.22), (0.3, -0.46), (-0.22, -0.46), (-0.22, 0.22), (-0.2, 0.22)),
        ((-0.36, 0.36), (0.12, 0.36)),
        ((-0.36, 0.36), (-0.36, -0.28)),
    ),
    "fist": (
        ((-0.3, -0.1), (-0.3, 0.26), *_arc(-0.2, 0.28, 0.1, 180, 0), (-0.1, 0.1)),
        ((-0.1, 0.3), *_arc(0, 0.32, 0.1, 180, 0), (0.1, 0.1)),
        (
            (0.1, 0.3),
            *_arc(0.2, 0.28, 0.1, 180, 0),
            (0.3, -0.14),
            *_arc(0.06, -0.16, 0.24, 0, -90),
            (-0.1, -0.4),
            (-0.32, -0.16),
            (-0.3, -0.06),
            (0.0, 0.02),
        ),
    ),
    "home": (
        ((-0.44, 0.02), (0, 0.42), (0.44, 0.02)),
        ((-0.3, 0.1), (-0.3, -0.38), (0.3, -0.38), (0.3, 0.1)),
    ),
    "export": (
        ((-0.34, -0.06), (-0.34, -0.4), (0.34, -0.4), (0.34, -0.06)),
        ((0, -0.16), (0, 0.42)),
        ((-0.2, 0.22), (0, 0.42), (0.2, 0.22)),
    ),
    "filter": (
        ((-0.42, 0.36), (0.42, 0.36), (0.08, -0.04), (0.08, -0.4), (-0.08, -0.28), (-0.08, -0.04), (-0.42, 0.36)),
    ),
    "fork": (
        ((0, -0.44), (0, -0.1), (-0.34, 0.26), (-0.34, 0.44)),
        ((0, -0.1), (0.34, 0.26), (0.34, 0.44)),
    ),
    "rules": (
        ((-0.32, 0.44), (0.32, 0.44), (0.32, -0.44), (-0.32, -0.44), (-0.32, 0.44), (-0.3, 0.44)),
        *(((-0.14, y), (0.14, y)) for y in (0.18, 0, -0.18)),
    ),
}
"""Lines through these points, in sides of their square around the middle of that."""


class Sign(Widget):
    """One of the SIGNS."""

    def __init__(self, name: str = "", width: float = 2.4, **rest: object) -> None:
        super().__init__(**rest)
        self.name, self._ink, self._width = "", theme.now.ink, width
        self._lines: Stroke | None = None
        self.bind(pos=self._draw, size=self._draw)
        self.show(name)

    def show(self, name: str, ink: str = "") -> None:
        """Show another sign; "" is none."""
        self._ink = ink or self._ink
        if name != self.name:
            self.name = name
            if self._lines:
                self.canvas.remove(self._lines)
            self._lines = Stroke(self._width / 2, len(SIGNS[name])) if name else None
            if self._lines:
                for line in self._lines.lines:
                    line.cap, line.joint = "round", "round"
                self.canvas.add(self._lines)
            self._draw()
        if self._lines:
            self._lines.paint(self._ink)

    def _draw(self, *_: object) -> None:
        side, x, y = _middle(self)
        for line, path in zip(self._lines.lines if self._lines else (), SIGNS.get(self.name, ()), strict=True):
            line.points = [part for right, up in path for part in (x + right * side, y + up * side)]


class Tick(Widget):
    """A green disc with a tick: done."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        self._colour = Color(0, 0, 0, 0)
        self._disc = Ellipse(segments=24)
        self._line = Stroke(1.4)
        for part in (self._colour, self._disc, self._line):
            self.canvas.add(part)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, on: bool) -> None:
        self._colour.rgba = theme.rgba(theme.now.good) if on else (0, 0, 0, 0)
        self._line.paint(theme.now.panel if on else None)

    def _draw(self, *_: object) -> None:
        side, x, y = _middle(self)
        self._disc.pos, self._disc.size = (x - side / 2, y - side / 2), (side, side)
        at = ((-0.24, 0.0), (-0.06, -0.18), (0.26, 0.18))
        self._line.lines[0].points = [part for right, up in at for part in (x + right * side, y + up * side)]


class Earphone(Widget):
    """The sign of a seat with an ear; nothing while it has none."""

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
    """Return the shorter side and the middle; the centre that Kivy keeps is still old when `pos` changes."""
    return min(of.size), of.x + of.width / 2, of.y + of.height / 2
