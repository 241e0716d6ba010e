"""The default board: the number that matters, what can be done, cards, places and a row for every seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.rules import N_
from ui import theme
from ui.games.any.model import Plain
from ui.games.parts.deeds import Deed
from ui.games.parts.rows import CardStrip, SeatTable
from ui.games.parts.tiles import TileGrid
from ui.games.prokonsul.model import Number
from ui.games.prokonsul.phases import Act, Go, Say
from ui.games.prokonsul.row import BigNumber, enough
from ui.widgets.box import column, high, row
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Text

ROW, TALL = 16, (164, 186)
"""A seat's row at least, and upright the number at least and at most, in dp."""
LONG = 4
"""A number with more characters than this has no room for shapes beside it."""


class Banner(BigNumber):
    """The number that matters between the shapes of the seats it is about; without a number the shapes alone."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes = [Shape() for _ in range(3)]
        for shape in self.shapes:
            self.add_widget(shape)

    def show(self, big: Any) -> None:
        super().show(Number(big.caption, big.value, big.beside))
        for at, shape in enumerate(self.shapes):
            shape.seat = big.seats[at] if at < len(big.seats) else ""
        self._fill()

    def _fill(self, *_: Any) -> None:
        """The caption goes where it would cost the number its height."""
        if not hasattr(self, "shapes"):
            return
        line, x, room = dp(22), self.x, self.width
        tall = self.height - 2 * line >= enough()
        value = max(1.0, min(self.height - (2 * line if tall else line), dp(theme.TARGET * 2)))
        low = self.y + (self.height - value - (2 * line if tall else line)) / 2
        self.beside.pos, self.beside.size = (x, low), (room, line)
        self.caption.pos = (x, low + line + value) if tall else (x, low)
        self.caption.size = room, line
        self.caption.opacity = 1 if tall or not self.beside.text else 0
        if len(self.value.text) > LONG:
            self._line_below(low, line)
            self.value.pos, self.value.size = (x, low + line), (room, value)
        else:
            self._line_up(low + line, value)

    def _line_below(self, low: float, side: float) -> None:
        """The shapes at both ends of the line under the number, which needs all the width there is."""
        for shape, left in zip(self.shapes, (self.x, self.right - side), strict=False):
            shape.size, shape.pos = (side, side), (left, low)
        self.beside.pos, self.beside.size = (self.x + side, low), (max(1, self.width - 2 * side), side)

    def _line_up(self, low: float, tall: float) -> None:
        shapes = [shape for shape in self.shapes if shape.seat]
        count, x, room = len(shapes), self.x, self.width
        told = bool(self.value.text)
        side = min(tall * 0.8, dp(96), room / (10.4 if told else count + 0.6))
        self.value.pos = x + (side if told and count else 0), low
        self.value.size = max(1, room - (min(2, count) * side if told else 0)), tall
        for at, shape in enumerate(shapes):
            left = x + at * (room - side) if told else x + room / 2 + ((at - count / 2) * 1.2 + 0.1) * side
            shape.size, shape.pos = (side, side), (left, low + (tall - side) / 2)


class Deeds(GridLayout):
    """A control for everything that can be done now."""

    def __init__(self, done: Any) -> None:
        super().__init__(spacing=dp(theme.GAP), size_hint_y=None)
        self._done = done
        self.taps: list[Tap] = []

    def show(self, deeds: Sequence[Deed]) -> None:
        count = len(deeds)
        self.cols = 1 + (count > 2 or any(deed.seat for deed in deeds)) + (count > 4)
        rows = -(-count // self.cols)
        self.height = rows * dp(54) + max(0, rows - 1) * dp(theme.GAP)
        while len(self.taps) < count:
            self.taps.append(Tap("", most=theme.LEAD))
        for at, tap in enumerate(self.taps):
            if at < count:
                deed = deeds[at]
                tap.act = partial(self._done, deed)
                tap.show(deed.text, kind="main" if deed.main and not deed.seat else "plain", seat=deed.seat)
            if (at < count) != bool(tap.parent):
                (self.add_widget if at < count else self.remove_widget)(tap)


class ActBoard(BoxLayout):
    """A board with the number that matters, controls, and places that are tapped one after another."""

    edge = 56
    """How high the seats' panels are upright, in dp."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(theme.PAD))
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.start = ""
        self.plain: Any = None
        self.number, self.deeds = Banner(), Deeds(self.do)

    def paint_places(self) -> None:
        """Shows where an act begins and where it leads."""

    def do(self, deed: Deed) -> None:
        """A control was tapped: acts, or asks what is missing."""
        if deed.verb == "end":
            self.go("end")
        elif deed.verb == "choose":
            self.go("choose", seat=deed.picked["seat"])
        elif deed.event:
            self.act(dict(deed.event))
        else:
            self.go("act", verb=deed.verb, picked=deed.picked)

    def tap(self, place: str) -> None:
        """A place was tapped: an act begins there, leads there, or is called off."""
        taps = self.plain.taps
        pair = self.start, place
        if pair not in taps:
            pair = "", place
        self.start = "" if place == self.start or taps.get(pair) else place
        self.paint_places()
        deed = taps.get(pair)
        if deed:
            self.do(deed)

    def tap_seat(self, seat: str) -> None:
        """A seat was tapped: what it alone can do now."""
        mine = [deed for deed in self.plain.deeds if deed.seat == seat]
        if len(mine) == 1:
            self.do(mine[0])


class PlainBoard(ActBoard):
    """Any game, from what everybody may know."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright)
        self.facts = high(Text(most=theme.BODY, least=9, lines=1), 22)
        self.strips = [CardStrip(size_hint_y=0.46) for _ in range(3)]
        self.grid = TileGrid(self.tap)
        self.table = SeatTable()
        self.picture = column()
        head = row(self.number, self.deeds) if upright else column(self.number, self.deeds, size_hint_x=0.56)
        self.deeds.pos_hint = {"center_y": 0.5}
        self.add_widget(high(head, TALL[0]) if upright else head)
        if upright:
            self.bind(height=lambda *_: high(head, max(TALL[0], min(TALL[1], self.height / dp(1) * 0.42))))
        self.add_widget(self.picture)
        self.picture.bind(size=self._lay)
        self._shape: Any = None

    def show(self, plain: Plain) -> None:
        self.plain = plain
        if self.start and ("", self.start) not in plain.taps:
            self.start = ""
        self.number.show(plain.big)
        result = Deed("end", self.say(N_("The result")), "", main=True)
        self.deeds.show([result] if plain.over else plain.deeds)
        self.facts.show(plain.facts)
        for widget, strip in zip(self.strips, plain.strips, strict=False):
            widget.show(strip)
        if plain.heads:
            self.table.show(plain.heads, plain.rows)
        self.paint_places()
        self._lay()

    def _lay(self, *_: Any) -> None:
        """What there is room for: where there is little, and beside places, the seats' own panels tell their facts."""
        plain = self.plain
        if not plain:
            return
        need = bool(plain.facts) * 24 + len(plain.strips) * 64 + 22 + ROW * len(plain.rows)
        tabled = bool(plain.heads) and not plain.tiles and self.picture.height >= dp(need)
        shape = bool(plain.facts), len(plain.strips), bool(plain.tiles), tabled
        if shape == self._shape:
            return
        self._shape = shape
        self.picture.clear_widgets()
        parts = [*([self.facts] if plain.facts else []), *self.strips[: len(plain.strips)]]
        parts += [self.grid] if plain.tiles else [self.table] if tabled else []
        for part in parts:
            self.picture.add_widget(part)

    def paint_places(self) -> None:
        taps: Mapping[tuple[str, str], Deed | None] = self.plain.taps
        lit = {place for start, place in taps if start == self.start}
        begins = {place for start, place in taps if not start} if self.start else set()
        self.grid.show(self.plain.tiles, lit, lit | begins, self.start)
