"""The seats around the edge: who sits there, the lamp, what everybody may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, Ellipse, Line
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.table.frame import SeatPanel
from ui.widgets.asked import asks, lies
from ui.widgets.box import column, high, row, wide
from ui.widgets.icon import Earphone
from ui.widgets.shape import CardFace, Shape
from ui.widgets.stroke import ROUND, Stroke
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text

COUNTER = 13
"""How large a counter is, in dp."""
EAR = 17
"""How wide the sign of an ear is, in dp."""


class Lamp(Widget):
    """The seat's lamp as it shines on the table: a ring when off, filled when on, with a halo when it blinks.

    A cross where a device of the seat is ill: what is not connected does not shine.
    """

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        with self.canvas:
            self._fill = Color(0, 0, 0, 0)
            self._disc = Ellipse(segments=ROUND)
            Color(*theme.rgba(theme.now.muted))
            self._ring = Line(width=dp(1))
        self._halo = Stroke(1.2)
        self._cross = Stroke(1.6, lines=2)
        for part in (self._halo, self._cross):
            self.canvas.add(part)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, mode: str, well: bool) -> None:
        colour = {"on": theme.now.good, "blink": theme.now.accent}.get(mode if well else "")
        self._fill.rgba = theme.rgba(colour) if colour else (0, 0, 0, 0)
        self._halo.paint(theme.now.accent if well and mode == "blink" else None)
        self._cross.paint(None if well else theme.now.stop)

    def _draw(self, *_: object) -> None:
        radius = min(self.size) * 0.28
        x, y = self.x + self.width / 2, self.y + self.height / 2
        self._disc.pos, self._disc.size = (x - radius, y - radius), (2 * radius, 2 * radius)
        self._ring.circle = (x, y, radius, 0, 360, ROUND)
        self._halo.lines[0].circle = (x, y, radius * 1.6, 0, 360, ROUND)
        arm = radius * 1.5
        for line, way in zip(self._cross.lines, (1, -1), strict=True):
            line.points = (x - arm, y - way * arm, x + arm, y + way * arm)


class SeatPlate(Touchable):
    """One seat's panel; a tap does what the seat does at the moment."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel)
        self.shape = wide(Shape(), 20)
        self.name = Text(most=theme.LEAD, lines=1, bold=True)
        self.lamp = wide(Lamp(), 20)
        self.ear = wide(Earphone(), 0)
        most = theme.LEAD if theme.letters == 1 else theme.BODY  # large letters keep to one line
        self.status = Text(most=most, ink=theme.now.muted)
        self.counters = [wide(Shape(), COUNTER) for _ in range(5)]
        self.cards = [CardFace(most=theme.TITLE, size_hint_max=(dp(48), dp(48))) for _ in range(5)]
        self.hand = row(gap=2)
        self.count = wide(row(*self.counters, gap=1), 5 * COUNTER + 4)
        self.foot = high(row(self.count, Widget(), gap=0), COUNTER)
        box = column(
            high(row(self.shape, self.name, self.ear, gap=3), theme.either(22, 25)),
            row(column(self.hand, self.foot, gap=1), self.lamp, gap=2),
            gap=0,
            pad=(5, 1, 3, 1),
            pos_hint={"x": 0, "y": 0},
        )
        self.add_widget(box)
        self._shown: SeatPanel | None = None

    def show(self, panel: SeatPanel) -> None:
        if panel == self._shown:
            return
        self._shown = panel
        lies(self, f"seat {panel.seat}").shape.seat = panel.seat
        self.name.show(panel.name)
        self.ear.width = dp(EAR if panel.ear else 0)
        self.ear.show(panel.ear)
        asks(self.status, *panel.about)
        asks(self.count, "counters" if panel.counters is not None else "", panel.seat)
        self.lamp.show(panel.lamp, panel.well)
        self.status.show(panel.status)
        self.status.color = theme.rgba(theme.now.ink if panel.turn or panel.lamp == "blink" else theme.now.muted)
        if not panel.well:
            self.status.color = theme.rgba(theme.now.stop)
        edge = theme.now.stop if not panel.well else theme.now.accent if panel.turn else theme.now.line
        ground = theme.now.card if panel.turn and theme.now is theme.LIGHT else theme.now.panel
        self.back.paint(ground if panel.well else theme.now.sunk, edge, 1 if panel.well else 3)
        for at, shape in enumerate(self.counters):
            shape.seat = panel.seat if panel.counters is not None else ""
            shape.hollow = at >= (panel.counters or 0)
        self.foot.height = dp(COUNTER) if panel.counters is not None else 0
        self._lay(panel.cards)

    def on_touch_down(self, touch: Any) -> bool:
        """A number is asked about where it stands itself; all else of the panel is its seat's."""
        on = (each for each in (self.status, self.count) if each.parent and getattr(each, "about", None))
        if any(each.collide_point(*touch.pos) for each in on):
            return False
        return bool(super().on_touch_down(touch))

    def _lay(self, cards: Sequence[str]) -> None:
        """Cards where some lie, the status where none do."""
        wanted: list[Widget] = self.cards[: len(cards)] if cards else [self.status]
        for face, card in zip(self.cards, cards, strict=False):
            face.show(card)
        if self.hand.children[::-1] != wanted:
            self.hand.clear_widgets()
            for child in wanted:
                self.hand.add_widget(child)


def edges(count: int, side: str, upright: bool) -> tuple[list[int], list[int]]:
    """Which seats sit on the two edges, seen from the top or the left, clockwise round the table.

    Upright, the edges are top and bottom; else left and right. `side` is where the first seat sits.
    """
    first = count // 2 if not upright else (count + 1) // 2
    # Clockwise: up the left edge and down the right one, or along the top and back along the bottom.
    places = {"left": 0, "right": first, "top": first - 1, "bottom": count - 1}
    if upright:
        places = {"top": 0, "right": first - 1, "bottom": first, "left": count - 1}
    start = places.get(side, 0)
    seats = [(at - start) % count for at in range(count)]
    one, other = seats[:first], seats[first:]
    return (one, other[::-1]) if upright else (one[::-1], other)


class Seats:
    """The panels of all seats, on two edges."""

    def __init__(self, count: int, side: str, upright: bool, act: Callable[[str], object]) -> None:
        self.panels = [SeatPlate() for _ in range(count)]
        self._act = act
        self.edges = [BoxLayout(orientation="horizontal" if upright else "vertical", spacing=dp(theme.GAP))
                      for _ in range(2)]  # fmt: skip
        self._places, self._upright = edges(count, side, upright), upright
        self.right: frozenset[str] = frozenset()
        """The seats on the right edge; none where the edges are top and bottom."""
        for box, seats in zip(self.edges, self._places, strict=True):
            for seat in seats:
                box.add_widget(self.panels[seat])

    def show(self, seats: Sequence[SeatPanel]) -> None:
        self.right = frozenset() if self._upright else frozenset(seats[at].seat for at in self._places[1])
        for widget, panel in zip(self.panels, seats, strict=True):
            widget.act = partial(self._act, panel.seat)
            widget.show(panel)
