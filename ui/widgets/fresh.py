"""Marks of recent changes: an amber ring where a piece stands now, a dashed outline where it stood, and an arrow
between."""

from __future__ import annotations

from math import hypot
from typing import Any

from kivy.graphics import Color, Mesh, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import TextSize
from ui.widgets.motion import RING, motions
from ui.widgets.plate import Plate
from ui.widgets.text import Text, long

Box = tuple[float, float, float, float]
"""Left, low, width and height, in pixels."""
Way = tuple[float, float, float, float]
"""From a point to a point."""
AMBER, LINE = 4, 1.5
"""The width of the ring, and of the line of bronze outside it, in dp."""
DASH, GAP = 7, 5
SHAFT, HEAD = 6, 15
"""The thickness of the arrow, and the length of its head, in dp; it has a light edge of LIGHT."""
LIGHT = 1.5


class Ring:
    """The amber ring behind a widget, on wax; it fades in when something is new."""

    def __init__(self, widget: Any, radius: float = theme.ROUND) -> None:
        self._widget, self._new = widget, 0
        self._plates = Plate(radius + LINE), Plate(radius)
        for plate in self._plates:
            widget.canvas.before.add(plate)
        widget.bind(pos=self._follow, size=self._follow)

    def show(self, on: bool, new: int = 0, ground: str = "") -> None:
        """Show or hide the ring, on another `ground` than wax; it fades in once for the act with the number `new`."""
        look = theme.now
        outer, inner = self._plates
        outer.paint(look.accent if on else None)
        inner.paint(*(ground or look.wax, look.amber, AMBER) if on else (None,))
        self._follow()
        if on and new and new != self._new:
            motions.play(self, RING, self._fade)
        elif not on:
            motions.drop(self)
            self._fade(1)
        self._new = new

    def _follow(self, *_: object) -> None:
        (x, y), (wide, high), more = self._widget.pos, self._widget.size, dp(LINE)
        self._plates[0].lay((x - more, y - more), (wide + 2 * more, high + 2 * more))
        self._plates[1].lay((x, y), (wide, high))

    def _fade(self, part: float) -> None:
        for plate in self._plates:
            plate.fade(part)


class Struck(Text):
    """The number that was there before, struck out; "" for none."""

    def __init__(self, most: TextSize, **rest: Any) -> None:
        super().__init__(most=most, lines=1, align="right", ink=theme.now.muted, **rest)
        with self.canvas.after:
            self._line_ink = Color()
            self._line = Rectangle(size=(0, 0))
        self.bind(pos=self._strike, size=self._strike, text=self._strike, color=self._strike)

    def room(self) -> float:
        """Return how wide it is, in pixels."""
        return long(self.text, self._most) + dp(6) if self.text else 0.0

    def _strike(self, *_: object) -> None:
        wide = min(self.width, self.room() + dp(2)) if self.text else 0
        self._line_ink.rgba = self.color
        self._line.size = wide, dp(2)
        self._line.pos = self.x + self.width - wide + dp(2), self.y + self.height / 2 - dp(1)


class Dashed:
    """A dashed outline around a widget, that follows it: the place of something that is not there."""

    def __init__(self, widget: Any) -> None:
        self._widget = widget
        with widget.canvas:
            self._ink, self._lines = Color(0, 0, 0, 0), Mesh(mode="triangles")
        widget.bind(pos=self._follow, size=self._follow)
        self._seen = False

    def paint(self, colour: str | None) -> None:
        """Change the colour; None hides the outline."""
        self._seen = colour is not None
        self._ink.rgba = theme.rgba(colour) if colour else (0, 0, 0, 0)
        self._follow()

    def _follow(self, *_: object) -> None:
        widget = self._widget
        fill(self._lines, outline((*widget.pos, *widget.size)) if self._seen else [])


def fill(mesh: Mesh, corners: list[float]) -> None:
    """Set the mesh to these triangles and no others."""
    mesh.vertices = [number for at in range(0, len(corners), 2) for number in (*corners[at : at + 2], 0, 0)]
    mesh.indices = list(range(len(corners) // 2))


class Trail(Widget):
    """The place where a piece stood, and the way it went. It covers nothing that can be touched."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        with self.canvas:
            Color(*theme.rgba(theme.now.panel, 0.9))
            self._light = Mesh(mode="triangles")
            self._colour = Color(0, 0, 0, 0)
            self._dark = Mesh(mode="triangles")

    def show(self, start: Box, end: Box, colour: str) -> None:
        """Show the trail from one box to another, in this colour."""
        self._colour.rgba = theme.rgba(colour)
        way = between(start, end)
        light = arrowed(way, dp(SHAFT + 2 * LIGHT), dp(HEAD + 2.4 * LIGHT), dp(LIGHT)) if way else []
        dark = arrowed(way, dp(SHAFT), dp(HEAD)) if way else []
        fill(self._light, light)
        fill(self._dark, [*outline(start), *dark])

    def clear(self) -> None:
        """Hide the trail, as nothing has moved."""
        fill(self._light, [])
        fill(self._dark, [])


def outline(box: Box) -> list[float]:
    """Return a dashed rectangle as triangles."""
    x, y, wide, high = box
    thick, dash, gap = dp(2), dp(DASH), dp(GAP)
    found: list[float] = []
    for length, across in ((wide, True), (high, False)):
        count = max(1, round((length + gap) / (dash + gap)))
        step = (length + gap) / count
        for at in range(count):
            far, long = at * step, step - gap
            if across:
                found += _bar(x + far, y, long, thick) + _bar(x + far, y + high - thick, long, thick)
            else:
                found += _bar(x, y + far, thick, long) + _bar(x + wide - thick, y + far, thick, long)
    return found


def _bar(x: float, y: float, wide: float, high: float) -> list[float]:
    return [x, y, x + wide, y, x + wide, y + high, x, y, x + wide, y + high, x, y + high]


def between(start: Box, end: Box) -> Way | None:
    """Return the way from edge to edge on the line between the middles; None where they are too near.

    It begins further inside where the way would be too short to be seen.
    """
    (x, y), (u, v) = ((box[0] + box[2] / 2, box[1] + box[3] / 2) for box in (start, end))
    far = hypot(u - x, v - y)
    if not far:
        return None
    right, up = (u - x) / far, (v - y) / far

    def edge(box: Box) -> float:
        return min(box[2] / 2 / abs(right) if right else far, box[3] / 2 / abs(up) if up else far)

    back = edge(end) + dp(2)
    if far - back < dp(HEAD):
        return None
    out = min(edge(start), max(0.0, far - back - 2 * dp(HEAD)))
    return x + right * out, y + up * out, u - right * back, v - up * back


def arrowed(way: Way, thick: float, head: float, more: float = 0) -> list[float]:
    """Return a shaft and its head as triangles, longer by `more` at both ends."""
    x, y, u, v = way
    far = hypot(u - x, v - y)
    right, up = (u - x) / far, (v - y) / far
    x, y, u, v = x - right * more, y - up * more, u + right * more * 1.8, v + up * more * 1.8
    neck = u - right * head, v - up * head
    half, broad = thick / 2, head * 0.62
    a, b = (x - up * half, y + right * half), (x + up * half, y - right * half)
    c, d = (neck[0] + up * half, neck[1] - right * half), (neck[0] - up * half, neck[1] + right * half)
    left, low = (neck[0] - up * broad, neck[1] + right * broad), (neck[0] + up * broad, neck[1] - right * broad)
    return [*a, *b, *c, *a, *c, *d, *left, *low, u, v]
