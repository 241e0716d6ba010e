"""The seven provinces: value, candidates, governor, links and the black pawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.prokonsul.links import Province, Provinces
from ui.widgets.asked import asks, lies
from ui.widgets.shape import BlackPawn, Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, broad

STEP = 15, 19
"""How much lower each level of arcs hangs, in dp, in normal and in large text."""
MIDDLE = 0.36, 0.26
"""How high up the tile its value stands, in normal and in large text."""


class ProvinceTile(Touchable):
    """One province."""

    def __init__(self, tap: Callable[[str], object]) -> None:
        super().__init__(lambda: tap(self.id), size_hint=(None, None))
        self.id = ""
        self.back = Backdrop(self, None)
        place: dict[str, Any] = {
            "size_hint": (0.98, theme.either(0.52, 0.605)),
            "pos_hint": {"center_x": 0.5, "top": 1},
        }
        self.name = Text(most=theme.SMALL, least=theme.SMALL, fine=True, split=True, align="center", **place)
        self.value = Text(most=28, lines=1, align="center", bold=True, size_hint=(0.5, theme.either(0.32, 0.27)),
                          pos_hint={"center_x": 0.5, "center_y": theme.either(*MIDDLE)})  # fmt: skip
        self.governor = Shape(size_hint=(0.4, 0.4), pos_hint={"center_x": 0.26, "center_y": 0.3})
        self.pawn = BlackPawn(size_hint=(0.2, 0.32), pos_hint={"x": 0.04, "center_y": 0.42})
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
        self.name.show(tile.name.replace("・", "\n"))
        lies(self, f"province {tile.id}", f"governor {tile.id}")
        asks(self.value, "value", tile.id).show(str(tile.value))
        aside = 0.72 if tile.governor else 0.6 if tile.pawn else 0.5
        self.value.pos_hint = {"center_x": aside, "center_y": theme.either(*MIDDLE)}
        self.governor.seat = tile.governor
        self.pawn.opacity = 1 if tile.pawn else 0
        fill = look.sunk if tile.governor else look.card if theme.now is theme.LIGHT else look.panel
        self.back.paint(fill, look.accent if tile.lit else look.line, 1.6 if tile.lit else 1)
        self.disabled = not tile.tap
        self.name.disabled_color = self.value.disabled_color = theme.rgba(look.ink)
        for shape, seat in zip(self.candidates, (*tile.candidates, *[""] * 5), strict=False):
            shape.seat = seat
        self._line_up()

    def _line_up(self, *_: object) -> None:
        count = len(self._shown.candidates) if self._shown else 0
        side = min(dp(14), self.width / 5.6, self.height * 0.19)
        left = self.x + self.width / 2 - count * side / 2
        for at, shape in enumerate(self.candidates):
            shape.size, shape.pos = (side * 0.92, side * 0.92), (left + at * side, self.y + self.height * 0.04)


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
            five = Text("5", most=theme.SMALL, lines=1, align="center", bold=True)
            five.size = dp(theme.grown(14)), dp(theme.grown(14))
            five.back = Backdrop(five, theme.now.stone, radius=7)
            self._arcs.append((line, five))
            self.add_widget(five)
        for at, (line, five) in enumerate(self._arcs):
            five.opacity = 1 if at < len(self._links) else 0
            if at >= len(self._links):
                line.points = []

    def _line_up(self, *_: object) -> None:
        gap = dp(4)
        below = dp(10 + theme.either(*STEP) * (1 + max((level for *_, level in self._links), default=-1)))
        left = self.x
        for tile, width in zip(self.tiles, self._widths(gap), strict=True):
            tile.size = width, max(1, self.height - below)
            tile.pos = left, self.y + below
            left += width + gap
        for (left, right, level), (line, five) in zip(self._links, self._arcs, strict=False):
            self._place_arc(line, five, (left, right), level, below)

    def _widths(self, gap: float) -> Sequence[float]:
        """What each name needs and a finger, and an equal part of what is left."""
        needs = [max(broad(tile.name.text, theme.SMALL) + dp(3), dp(theme.TOUCH)) for tile in self.tiles]
        rest = self.width - sum(needs) - gap * (len(needs) - 1)
        spare = [need - dp(theme.TOUCH) for need in needs]
        if rest < 0 < sum(spare):  # the broadest give way, with smaller letters
            return [need + rest * more / sum(spare) for need, more in zip(needs, spare, strict=True)]
        return [need + rest / max(1, len(needs)) for need in needs]

    def _place_arc(self, line: Line, five: Text, ends: tuple[int, int], level: int, below: float) -> None:
        top = self.y + below - dp(2)
        low = top - dp(6 + theme.either(*STEP) * level)
        # An arc starts towards its partner's side of the tile, so that two links of one tile stay apart.
        shift = self.tiles[0].width * (0.12 + 0.1 * level)
        left, right = self.tiles[ends[0]].center_x + shift, self.tiles[ends[1]].center_x - shift
        line.points = [left, top, left, low, right, low, right, top]
        five.center = ((left + right) / 2, low)
