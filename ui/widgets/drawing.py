"""A drawing of our own (SVG) as a picture that can be looked at closely: a tap goes near, a finger moves it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from kivy.core.text import DEFAULT_FONT
from kivy.graphics import Color, Ellipse, Fbo, Line, Rectangle, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.text import drawn

NEAR = 1.25
"""The size of the drawing from near: its least letters, of 11, are as high as the theme's least then."""
MOST = 2_048
"""The largest picture that every graphics card takes, in pixels."""
MOVED = 8
"""A finger that moves this far, in dp, moves the drawing and is no tap."""


class Drawing(Widget):
    """A picture of the elements that companion/hardware/wiring.py draws with: rect, circle, path and text."""

    def __init__(self) -> None:
        super().__init__()
        self.near = False
        self.size_drawn = (1.0, 1.0)
        self._svg = ""
        self._at = [0.5, 0.5]
        with self.canvas:
            Color(1, 1, 1)
            self._picture = Rectangle()
        self.bind(pos=lambda *_: self._lay(), size=lambda *_: self._lay())

    def show(self, svg: str) -> None:
        """Show a drawing; "" shows nothing."""
        self.opacity = int(bool(svg))
        if svg and svg != self._svg:
            self._svg, self.near, self._at = svg, False, [0.5, 0.5]
            self._draw()
        self._lay()

    def _draw(self) -> None:
        top = ElementTree.fromstring(self._svg)
        wide, high = float(top.get("width", 1)), float(top.get("height", 1))
        scale = min(dp(NEAR), MOST / wide, MOST / high)
        self.size_drawn = wide * scale, high * scale
        fbo = Fbo(size=(int(wide * scale), int(high * scale)))
        with fbo:
            for element in top:
                _Pen(scale, high * scale).draw(element)
        fbo.draw()
        self._fbo = fbo
        self._picture.texture = fbo.texture

    def _lay(self) -> None:
        """Place the whole drawing as large as there is room for, or from near the part that fits."""
        wide, high = self.size_drawn
        if not self._svg or min(self.size) <= 1:
            return
        far = min(self.width / wide, self.height / high, 1.0)
        scale = max(far, min(1.0, far * 8)) if self.near else far
        shown = min(1.0, self.width / (wide * scale)), min(1.0, self.height / (high * scale))
        self._at = [min(max(at, part / 2), 1 - part / 2) for at, part in zip(self._at, shown, strict=True)]
        left, bottom = (at - part / 2 for at, part in zip(self._at, shown, strict=True))
        right, up = left + shown[0], bottom + shown[1]
        size = wide * scale * shown[0], high * scale * shown[1]
        self._picture.size = size
        self._picture.pos = self.center_x - size[0] / 2, self.center_y - size[1] / 2
        self._picture.tex_coords = (left, bottom, right, bottom, right, up, left, up)

    # -- fingers -------------------------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        if self.near:
            self._at = [at - moved / size for at, moved, size in zip(
                self._at, (touch.dx, touch.dy), self.size_drawn, strict=True)]  # fmt: skip
            self._lay()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if max(abs(touch.x - touch.ox), abs(touch.y - touch.oy)) < dp(MOVED):
            self._tap(touch.pos)
        return True

    def _tap(self, pos: tuple[float, float]) -> None:
        """Go near to what the finger is on, or away again."""
        if not self.near:
            begin, size = self._picture.pos, self._picture.size
            self._at = [(at - start) / max(1, length) for at, start, length in zip(pos, begin, size, strict=True)]
        self.near = not self.near
        self._lay()


class _Pen:
    """A pen that draws one element at a time. SVG counts from the top, Kivy from the bottom."""

    def __init__(self, scale: float, top: float) -> None:
        self._scale, self._top = scale, top

    def draw(self, element: ElementTree.Element) -> None:
        kind = element.tag.rpartition("}")[2]
        given = {name: element.get(name, "") for name in element.keys()}  # noqa: SIM118 - an element is no mapping
        {"rect": self._rect, "circle": self._circle, "path": self._path, "text": self._text}[kind](
            given, element.text or ""
        )

    def _rect(self, given: dict[str, str], _: str) -> None:
        x, y, wide, high = (self._length(given.get(name, "0")) for name in ("x", "y", "width", "height"))
        pos, size, round_ = (x, self._top - y - high), (wide, high), self._length(given.get("rx", "0"))
        Color(*_colour(given["fill"]))
        RoundedRectangle(pos=pos, size=size, radius=[round_])
        if "stroke" in given:
            Color(*_colour(given["stroke"]))
            Line(rounded_rectangle=(*pos, *size, max(round_, 1)), width=max(1.0, self._scale / 2))

    def _circle(self, given: dict[str, str], _: str) -> None:
        x, y, radius = (self._length(given[name]) for name in ("cx", "cy", "r"))
        Color(*_colour(given["fill"]))
        Ellipse(pos=(x - radius, self._top - y - radius), size=(2 * radius, 2 * radius))
        if "stroke" in given:
            Color(*_colour(given["stroke"]))
            Line(circle=(x, self._top - y, radius), width=max(1.0, self._scale / 2))

    def _path(self, given: dict[str, str], _: str) -> None:
        Color(*_colour(given["stroke"]))
        for points in strokes(given["d"]):
            scaled = [part for x, y in points for part in (x * self._scale, self._top - y * self._scale)]
            Line(points=scaled, width=self._length(given["stroke-width"]) / 2, cap="round")

    def _text(self, given: dict[str, str], words: str) -> None:
        size = float(given["font-size"])
        type_ = DEFAULT_FONT, given.get("font-weight") == "bold", self._scale
        letters = drawn(words.replace("→", "»"), type_, size, "center", None)  # Roboto has no arrows
        Color(*_colour(given["fill"]))
        x, y = self._length(given["x"]), self._top - self._length(given["y"])
        below = letters.height * 0.26  # SVG gives the line that letters stand on
        Rectangle(texture=letters, size=letters.size, pos=(int(x - letters.width / 2), int(y - below)))

    def _length(self, written: str) -> float:
        return float(written) * self._scale


def strokes(path: str) -> Iterator[list[tuple[float, float]]]:
    """Yield the lines of a path made of M, L, H and V, each as the points it goes through."""
    points: list[tuple[float, float]] = []
    for letter, numbers in re.findall(r"([MLHV])([-\d. ]+)", path):
        to = [float(number) for number in numbers.split()]
        if letter == "M":
            if len(points) > 1:
                yield points
            points = [(to[0], to[1])]
        elif letter == "L":
            points.append((to[0], to[1]))
        else:
            x, y = points[-1]
            points.append((to[0], y) if letter == "H" else (x, to[0]))
    if len(points) > 1:
        yield points


def _colour(written: str) -> theme.Rgba:
    return theme.rgba(written.removeprefix("#"))
