"""The seven provinces: value, candidates, governor, links and the black pawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.prokonsul.links import LINK, Province, Provinces
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.fresh import Ring
from ui.widgets.shape import PawnShape, Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, long

STEP = 15, 19
"""How much lower each level of arcs hangs, in dp, in normal and in large text."""
ARCS = 2
"""The levels of arcs that there is room for below the tiles."""
TILE = 84
"""The height of a tile, in dp."""
COUNTER = 18
"""The size of a counter, in dp: two of one seat decide the game."""


def below() -> float:
    """Return the room below the tiles for two levels of arcs with their 5, in dp."""
    return float(2 + theme.either(*STEP) * ARCS)


class ProvinceTile(Touchable):
    """One province."""

    def __init__(self, tap: Callable[[str], object]) -> None:
        super().__init__(lambda: tap(self.id), size_hint=(None, None))
        self.id = ""
        self.back = Backdrop(self, None)
        self.fresh = Ring(self)
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.name = Text(most=TextSize.LABEL, align="center", cuts=True, **own)
        self.value = Text(most=TextSize.HEAD, lines=1, align="center", bold=True, **own)
        self.governor, self.pawn = Shape(**own), PawnShape(**own)
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
        ground = look.card if theme.now is theme.LIGHT else look.panel
        self.back.paint(theme.SEATS.get(tile.governor, ground), look.accent if tile.lit else look.line,
                        1.6 if tile.lit else 1)  # fmt: skip
        ink = theme.on_seat(tile.governor) if tile.governor else look.ink
        self.governor.fill = ink if tile.governor else ""
        self.fresh.show(bool(tile.fresh) and not tile.tap, tile.fresh, theme.SEATS.get(tile.governor, ""))
        self.disabled = not tile.tap
        for text in (self.name, self.value):
            text.color = text.disabled_color = theme.rgba(ink)
        for shape, seat in zip(self.candidates, (*tile.candidates, *[""] * 5), strict=False):
            shape.seat = seat
        self._line_up()

    def _line_up(self, *_: object) -> None:
        """Place the name, below it the value with the black pawn, at the foot the candidates or the governor."""
        if not self._shown:
            return
        (x, y), (wide, high) = self.pos, self.size
        foot, value = dp(COUNTER), dp(theme.size(TextSize.HEAD))
        middle = y + foot  # digits have nothing below their line: the counters may reach under it
        low = middle + value - dp(2)  # a line takes whole pixels: two need a little more than twice its height
        put(self.name, x + dp(1), low, wide - dp(2), y + high - low)
        number = long(self.value.text, TextSize.HEAD, True)
        pawn = min(dp(22), wide - number - dp(2)) if self._shown.pawn else 0
        put(self.value, x, middle, wide - pawn, value)
        put(self.pawn, x + wide - pawn - dp(4), middle + dp(2), pawn, value - dp(4))
        put(self.governor, x + (wide - foot) / 2, y + dp(2), foot, foot)
        count = len(self._shown.candidates)
        each = min(foot + dp(1), (wide - dp(4) - foot) / max(1, count - 1))
        left = x + (wide - each * (count - 1) - foot) / 2
        for at, shape in enumerate(self.candidates):
            put(shape, left + at * each, y + dp(2), foot, foot)


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
            five = Text(f"+{LINK}", most=TextSize.LABEL, lines=1, align="center", bold=True)
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
        low = dp(below())
        width = (self.width + gap) / max(1, len(self.tiles)) - gap
        for at, tile in enumerate(self.tiles):
            put(tile, self.x + at * (width + gap), self.y + low, width, self.height - low)
        for (left, right, level), (line, five) in zip(self._links, self._arcs, strict=False):
            self._place_arc(line, five, (left, right), level, low)

    def _place_arc(self, line: Line, five: Text, ends: tuple[int, int], level: int, below: float) -> None:
        top = self.y + below - dp(2)
        low = top - dp(6 + theme.either(*STEP) * level)
        # An arc starts towards its partner's side of the tile, so that two links of one tile stay apart.
        shift = self.tiles[0].width * (0.12 + 0.1 * level)
        left, right = self.tiles[ends[0]].center_x + shift, self.tiles[ends[1]].center_x - shift
        line.points = [left, top, left, low, right, low, right, top]
        five.center = ((left + right) / 2, low)
