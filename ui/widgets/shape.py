"""A seat's shape in its colour, a card with it, and the black pawn."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse, Mesh
from kivy.metrics import dp
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.words import tr
from ui import fonts, theme
from ui.widgets.stroke import ROUND, Stroke
from ui.widgets.text import Backdrop, Text, broad

Point = tuple[float, float]


class Shape(Widget):
    """The shape of `seat`, at `most` that many dp wide, with an edge of `ink`; `hollow` draws only that edge.

    No seat, no shape.
    """

    seat = StringProperty("")
    hollow = BooleanProperty(False)

    def __init__(
        self, seat: str = "", hollow: bool = False, most: float = 400, ink: str | None = None, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self._most, self.ink = dp(most) / 2, ink or theme.now.ink
        with self.canvas:
            self._fill = Color()
            self._mesh = Mesh(mode="triangle_fan")
            self._ink = Color()
            self._edge = Mesh(mode="triangle_strip")  # not a Line, which is drawn through the stencil
        redraw = Clock.create_trigger(self._draw, -1)
        self.bind(pos=redraw, size=redraw, seat=redraw, hollow=redraw)
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
        self._fill.rgba = theme.rgba(theme.SEATS.get(self.seat, theme.now.ink), 0 if self.hollow else 1)
        self._ink.rgba = theme.rgba(self.ink, 0.85)


@lru_cache(maxsize=512)
def figure(seat: str, radius: float, edge: float) -> tuple[list[Point], list[Point]]:
    """The fan of a seat's shape around its middle, and the strip of its edge, at most so many pixels wide."""
    points = [(radius * x, radius * y) for x, y in theme.SHAPES.get(seat, ())]
    inner = theme.inset(points, min(edge, radius / 3)) if radius else points
    ring = [point for pair in zip([*points, *points[:1]], [*inner, *inner[:1]], strict=True) for point in pair]
    return [(0, 0), *points, *points[:1]] if points else [], ring


class CardFace(FloatLayout):
    """A small card: its number over its colour's shape, or beside it where the card lies on its side."""

    def __init__(self, card: str = "", most: float = theme.LEAD, **rest: object) -> None:
        super().__init__(**rest)
        self.back = Backdrop(self, theme.now.card, theme.now.line, radius=3)
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.number = Text("", most=most, lines=1, fine=True, ink=theme.now.card_ink, align="center", bold=True, **own)
        self.shape = Shape(ink=theme.now.card_ink, **own)
        self.add_widget(self.number)
        self.add_widget(self.shape)
        self.show(card)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        if wide > high * 1.15:
            side = max(dp(4), min(high * 0.7, wide * 0.42, wide - broad(self.number.text, theme.FINE, True) - dp(5)))
            self.number.pos, self.number.size = (x, y), (wide - side - dp(1), high)
            self.shape.pos, self.shape.size = (x + wide - side - dp(2), y + (high - side) / 2), (side, side)
            return
        self.number.size = wide, max(high * 0.58, min(high * 0.7, dp(theme.grown(theme.SMALL) + 1)))
        self.number.pos = x, y + high * 0.99 - self.number.height
        side = min(wide * 0.7, y + high * 0.97 - self.number.height - y)
        self.shape.size = side, side
        self.shape.pos = x + (wide - side) / 2, y + high * 0.04

    def show(self, card: str) -> None:
        """The card "red 7"; "" is no card at all."""
        colour, _, rank = card.partition(" ")
        self.number.show(tr(N_("flag"), fonts.spoken) if rank == "flag" else rank)
        self.shape.seat = colour
        self.opacity = 1.0 if card else 0.0


class BlackPawn(Widget):
    """The black pawn, as it stands on a province: black on every ground, with an edge of ink."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        with self.canvas:
            Color(*theme.rgba(theme.SEATS["black"]))
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
