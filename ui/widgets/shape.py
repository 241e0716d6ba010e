"""A seat's shape in its colour, a card with it, and the black pawn."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse, InstructionGroup, Line, Mesh, Rectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.words import tr
from ui import fonts, theme
from ui.theme import TextSize
from ui.widgets.text import Backdrop, Text, broad

Point = tuple[float, float]


class Shape(Widget):
    """The shape of `seat`, at `most` that many dp wide, with an edge of `ink`; `hollow` draws only that edge.

    No seat, no shape.
    """

    seat = StringProperty("")
    hollow = BooleanProperty(False)
    fill = StringProperty("")
    """Another colour than the seat's: on a ground that has that."""
    ink = StringProperty("")
    """The colour of its edge."""

    def __init__(
        self, seat: str = "", hollow: bool = False, most: float = 400, ink: str | None = None, **rest: Any
    ) -> None:
        super().__init__(ink=ink or theme.now.ink, **rest)
        self._most = dp(most) / 2
        with self.canvas:
            self._fill = Color()
            self._mesh = Mesh(mode="triangle_fan")
            self._ink = Color()
            self._edge = Mesh(mode="triangle_strip")  # not a Line, which is drawn through the stencil
        redraw = Clock.create_trigger(self._draw, -1)
        self.bind(pos=redraw, size=redraw, seat=redraw, hollow=redraw, fill=redraw, ink=redraw)
        self.seat, self.hollow = seat, hollow
        redraw()

    def _draw(self, *_: object) -> None:
        if not (self.seat in theme.SHAPES or self._mesh.indices):
            return
        radius = max(0, min(min(self.size) / 2 - dp(1), self._most))
        x, y = self.x + self.width / 2, self.y + self.height / 2  # `center` is not yet new when `pos` tells
        for mesh, points in zip((self._mesh, self._edge), figure(self.seat, radius, dp(1.6)), strict=True):
            mesh.vertices = [number for right, up in points for number in (x + right, y + up, 0, 0)]
            mesh.indices = list(range(len(points)))
        colour = self.fill or theme.SEATS.get(self.seat, theme.now.ink)
        self._fill.rgba = theme.rgba(colour, 0 if self.hollow else 1)
        self._ink.rgba = theme.rgba(self.fill or self.ink, 1 if self.fill else 0.85)


@lru_cache(maxsize=512)
def figure(seat: str, radius: float, edge: float) -> tuple[list[Point], list[Point]]:
    """Return the fan of a seat's shape around its middle, and the strip of its edge, at most `edge` pixels wide."""
    points = [(radius * x, radius * y) for x, y in theme.SHAPES.get(seat, ())]
    inner = theme.inset(points, min(edge, radius / 3)) if radius else points
    ring = [point for pair in zip([*points, *points[:1]], [*inner, *inner[:1]], strict=True) for point in pair]
    return [(0, 0), *points, *points[:1]] if points else [], ring


class Flag(Widget):
    """A flag on its pole, in the colour of `seat`; no seat, no flag."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self._ink, self._pole = Color(), Mesh(mode="triangle_fan", indices=[0, 1, 2, 3])
        self._colour, self._cloth = Color(), Mesh(mode="triangle_fan", indices=[0, 1, 2, 3, 4])
        for part in (self._ink, self._pole, self._colour, self._cloth):
            self.canvas.add(part)
        self.bind(pos=self._draw, size=self._draw)
        self.show("")

    def show(self, seat: str) -> None:
        self._ink.rgba = theme.rgba(theme.LIGHT.card_ink, 1 if seat else 0)
        self._colour.rgba = theme.rgba(theme.SEATS.get(seat, theme.LIGHT.card_ink), 1 if seat else 0)

    def _draw(self, *_: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        side = min(wide, high)
        left, thick = x + (wide - side * 0.8) / 2, max(dp(1.5), side * 0.09)
        low, top = y + (high - side) / 2, y + (high + side) / 2
        self._pole.vertices = _corners((left, low), (left + thick, low), (left + thick, top), (left, top))
        near, far, below = left + thick, left + side * 0.8, top - side * 0.55
        notch = far - side * 0.18, (top + below) / 2
        self._cloth.vertices = _corners(notch, (far, top), (near, top), (near, below), (far, below))


def _corners(*points: Point) -> list[float]:
    return [number for point in points for number in (*point, 0, 0)]


UPSIDE_DOWN = "6", "9"
"""Numbers that are underlined: somebody sees them upside down."""


class CardFace(FloatLayout):
    """A card: its number over its colour's shape, or beside it where the card lies on its side.

    Of a card that others overlap only `seen` pixels from the left are seen; number and shape stand there.
    """

    def __init__(self, card: str = "", most: TextSize = TextSize.TEXT, radius: float = 3, **rest: object) -> None:
        super().__init__(**rest)
        self.back = Backdrop(self, theme.now.card, theme.now.line, radius=radius)
        self.seen = 0.0
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.number = Text("", most=most, lines=1, ink=theme.now.card_ink, align="center", bold=True, **own)
        self.shape = Shape(ink=theme.now.card_ink, **own)
        self.flag = Flag(**own)
        with self.canvas.after:
            self._under_ink = Color(0, 0, 0, 0)
            self._under = Rectangle()
        for part in (self.number, self.shape, self.flag):
            self.add_widget(part)
        self.show(card)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        if wide > high * 1.15:
            side = max(
                dp(4), min(high * 0.7, wide * 0.42, wide - broad(self.number.text, TextSize.LABEL, True) - dp(5))
            )
            self.number.pos, self.number.size = (x, y), (wide - side - dp(1), high)
            self.shape.pos, self.shape.size = (x + wide - side - dp(2), y + (high - side) / 2), (side, side)
        else:
            wide = min(wide, self.seen or wide)
            self.number.size = wide + dp(4), max(high * 0.58, min(high * 0.7, dp(theme.size(TextSize.LABEL) + 1)))
            self.number.pos = x - dp(2), y + high * 0.99 - self.number.height
            below = high * 0.97 - self.number.height
            side = min(wide * 0.55, below)
            self.shape.size = side, side
            self.shape.pos = x + (wide - side) / 2, y + high * 0.04 + max(0, (below - side) * 0.4)
        side = min(self.number.size) * 0.72
        self.flag.size = side, side
        self.flag.pos = self.number.x + (self.number.width - side) / 2, self.number.y + (self.number.height - side) / 2
        letters = self.number.font_size
        self._under.size = letters * 0.5, max(1, round(letters * 0.06))
        middle = self.number.x + self.number.width / 2, self.number.y + self.number.height / 2
        self._under.pos = middle[0] - letters * 0.25, round(middle[1] - letters * 0.46)

    def show(self, card: str) -> None:
        """Show the card "red 7"; "" is no card at all."""
        colour, _, rank = card.partition(" ")
        flag = rank == "flag"
        self.number.show(tr(N_("flag"), fonts.spoken) if flag else rank)
        self.number.opacity = 0 if flag else 1
        self.flag.show(colour if flag else "")
        self._under_ink.rgba = theme.rgba(theme.LIGHT.card_ink, 1 if rank in UPSIDE_DOWN else 0)
        self.shape.seat = colour
        self.opacity = 1.0 if card else 0.0
        self.do_layout()


class PawnShape(Widget):
    """A pawn in a seat's colour, which is the same on every ground, with an edge of ink."""

    def __init__(self, seat: str = "black", **rest: object) -> None:
        super().__init__(**rest)
        with self.canvas:
            Color(*theme.rgba(theme.SEATS[seat]))
            self._head = Ellipse(segments=ROUND)
            self._body = Mesh(mode="triangle_fan", indices=[0, 1, 2, 3])
        self._edge = Stroke(1, lines=2)
        self.canvas.add(self._edge)
        self._edge.lines[1].close = True
        self.bind(pos=self._draw, size=self._draw, opacity=self._show)
        self._show()

    def _show(self, *_: object) -> None:
        self._edge.paint(theme.now.ink if self.opacity else None)

    def _draw(self, *_: object) -> None:
        x, y, high = self.x + self.width / 2, self.y, min(self.height, self.width * 1.5)
        head, foot = high * 0.46, high * 0.36
        corners = ((x - foot, y), (x + foot, y), (x + foot * 0.3, y + high * 0.6), (x - foot * 0.3, y + high * 0.6))
        self._body.vertices = [number for corner in corners for number in (*corner, 0, 0)]
        self._head.pos, self._head.size = (x - head / 2, y + high - head), (head, head)
        self._edge.lines[0].circle = (x, y + high - head / 2, head / 2, 0, 360, ROUND)
        self._edge.lines[1].points = [number for corner in corners for number in corner]


# -- Lines that cost nothing while they are not seen ---------------------------------------------------------------


ROUND = 36
"""The number of sides of a small circle: the 180 that Kivy gives it look no rounder and cost five times as much."""


class Stroke(InstructionGroup):
    """A number of lines in one colour, `width` dp wide, taken out of the canvas while they have no colour.

    Kivy draws a line of more than a pixel that is not opaque, and so one that is not seen at all, through the stencil:
    two dozen of those take as long as all the rest of a page. Made outside of any `with canvas`, and added to one.
    """

    def __init__(self, width: float, lines: int = 1) -> None:
        super().__init__()
        self.lines = [Line(width=dp(width)) for _ in range(lines)]
        self._colour: str | None = None

    def paint(self, colour: str | None) -> None:
        """Change the colour; None hides the lines."""
        if colour == self._colour:
            return
        self._colour = colour
        self.clear()
        if colour:
            for part in (Color(*theme.rgba(colour)), *self.lines):
                self.add(part)
