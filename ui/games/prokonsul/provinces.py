"""The seven provinces: value, candidates, governor, links and the black pawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.prokonsul.links import Province, Provinces
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.fresh import Ring
from ui.widgets.shape import BlackPawn, Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text

STEP = 15, 19
"""How much lower each level of arcs hangs, in dp, in normal and in large text."""


class ProvinceTile(Touchable):
    """One province."""

    def __init__(self, tap: Callable[[str], object]) -> None:
        super().__init__(lambda: tap(self.id), size_hint=(None, None))
        self.id = ""
        self.back = Backdrop(self, None)
        self.fresh = Ring(self)
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.name = Text(most=TextSize.LABEL, lines=1, align="center", cuts=True, **own)
        self.value = Text(most=TextSize.HEAD, lines=1, align="center", bold=True, **own)
        self.governor, self.pawn = Shape(**own), BlackPawn(**own)
        self.candidates = [Shape(size_hint=(None, None)) for _ in range(5)]
        for child in (self.name, self.governor, self.value, self.pawn, *self.candidates):
            self.add_widget(child)
        self.bind(pos=self._line_up, size=self._line_up)
        self._shown: Province | None = None

    def show(self, tile: Province) -> None:
        if tile == self._shown:
            return
        self._shown, self.id = tile, tile.id
        look = theme.now
        self.name.show(tile.name, shorter=tile.shorter)
        lies(self, f"province {tile.id}", f"governor {tile.id}")
        asks(self.value, "value", tile.id).show(str(tile.value))
        self.governor.seat = tile.governor
        self.pawn.opacity = 1 if tile.pawn else 0
        fill = look.sunk if tile.governor else look.card if theme.now is theme.LIGHT else look.panel
        self.back.paint(fill, look.accent if tile.lit else look.line, 1.6 if tile.lit else 1)
        self.fresh.show(bool(tile.fresh) and not tile.tap, tile.fresh)
        self.disabled = not tile.tap
        self.name.disabled_color = self.value.disabled_color = theme.rgba(look.ink)
        for shape, seat in zip(self.candidates, (*tile.candidates, *[""] * 5), strict=False):
            shape.seat = seat
        self._line_up()

    def _line_up(self, *_: object) -> None:
        """Place the name, below it the value with the governor, at the foot the candidates."""
        if not self._shown:
            return
        (x, y), (wide, high) = self.pos, self.size
        name, foot = min(dp(theme.above(TextSize.LABEL)), high * 0.36), min(dp(13), high * 0.2)
        put(self.name, x - dp(1), y + high - name, wide + dp(2), name)
        middle, low = high - name - foot, y + foot
        side = min(dp(24), middle, wide * 0.26)
        beside = bool(self._shown.governor) + self._shown.pawn
        room = wide - beside * side
        put(self.governor, x + dp(2), low + (middle - side) / 2, side, side)
        put(self.value, x + (side if self._shown.governor else 0), low, room, middle)
        put(self.pawn, x + wide - side - dp(2), low + (middle - side) / 2, side, side)
        count = len(self._shown.candidates)
        each = min(dp(14), wide / 5.4)
        left = x + (wide - count * each) / 2
        for at, shape in enumerate(self.candidates):
            put(shape, left + at * each, y + dp(2), each * 0.9, min(each * 0.9, foot))


class ProvinceBoard(Widget):
    """The tiles in a row; linked ones are joined by an arc with the 5 the link pays."""

    def __init__(self, tap: Callable[[str], object], **rest: object) -> None:
        super().__init__(**rest)
        self._tap = tap
        self.tiles: list[ProvinceTile] = []
        self._arcs: list[tuple[Line, Text]] = []
        self._links: Sequence[tuple[int, int, int]] = ()
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, provinces: Provinces) -> None:
        while len(self.tiles) < len(provinces.tiles):
            self.tiles.append(ProvinceTile(self._tap))
            self.add_widget(self.tiles[-1])
        for widget, tile in zip(self.tiles, provinces.tiles, strict=True):
            widget.show(tile)
        if provinces.links != self._links:
            self._links = provinces.links
            self._draw_arcs()
        self._line_up()

    def _draw_arcs(self) -> None:
        while len(self._arcs) < len(self._links):
            with self.canvas:
                Color(*theme.rgba(theme.now.muted))
                line = Line(width=dp(1.2))
            five = Text("+5", most=TextSize.LABEL, lines=1, align="center", bold=True)
            five.size = dp(theme.size(TextSize.LABEL) * 1.5), dp(theme.size(TextSize.LABEL))
            five.back = Backdrop(five, theme.now.stone, radius=7)
            self._arcs.append((line, five))
            self.add_widget(five)
        for at, (line, five) in enumerate(self._arcs):
            five.opacity = 1 if at < len(self._links) else 0
            if at >= len(self._links):
                line.points = []

    def _line_up(self, *_: object) -> None:
        gap = dp(4 if self.width > dp(480) else 2)
        below = dp(10 + theme.either(*STEP) * (1 + max((level for *_, level in self._links), default=-1)))
        width = (self.width + gap) / max(1, len(self.tiles)) - gap
        for at, tile in enumerate(self.tiles):
            put(tile, self.x + at * (width + gap), self.y + below, width, self.height - below)
        for (left, right, level), (line, five) in zip(self._links, self._arcs, strict=False):
            self._place_arc(line, five, (left, right), level, below)

    def _place_arc(self, line: Line, five: Text, ends: tuple[int, int], level: int, below: float) -> None:
        top = self.y + below - dp(2)
        low = top - dp(6 + theme.either(*STEP) * level)
        # An arc starts towards its partner's side of the tile, so that two links of one tile stay apart.
        shift = self.tiles[0].width * (0.12 + 0.1 * level)
        left, right = self.tiles[ends[0]].center_x + shift, self.tiles[ends[1]].center_x - shift
        line.points = [left, top, left, low, right, low, right, top]
        five.center = ((left + right) / 2, low)
