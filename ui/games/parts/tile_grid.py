"""Places as tiles: the seats there with their numbers, and where an act begins or leads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.places import Tile
from ui.theme import TextSize
from ui.widgets.box import row
from ui.widgets.shape import Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, broad

SHORT = 3
"""A name with fewer letters is a square's, and stands in a corner."""


class PlaceTap(Touchable):
    """One place."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None)
        own: dict[str, Any] = dict(size_hint=(None, None))
        self.name = Text(most=TextSize.LABEL, align="center", ink=theme.now.muted, **own)
        self.shapes = [Shape(**own) for _ in range(3)]
        self.texts = [Text(most=TextSize.HEAD, lines=1, bold=True, **own) for _ in range(3)]
        for child in (self.name, *self.shapes, *self.texts):
            self.add_widget(child)
        self._tile: Tile | None = None
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, tile: Tile, lit: bool, able: bool, start: bool) -> None:
        look = theme.now
        self.name.show(tile.name, lines=1 if len(tile.name) < SHORT else 0)
        fill = look.sunk if not (lit or able or tile.marks) else look.card if theme.now is theme.LIGHT else look.panel
        strong = (fill, look.accent, 2.0) if lit else (fill, look.line, 1.0)
        self.chosen = start or tile.chosen
        self.back.paint(*(theme.selected() if self.chosen else strong))
        self.disabled = not able
        ink = theme.rgba(look.ink)
        self.name.color = self.name.disabled_color = theme.rgba(look.muted)
        for at, (shape, text) in enumerate(zip(self.shapes, self.texts, strict=True)):
            seat, words = tile.marks[at] if at < len(tile.marks) else ("", "")
            neutral = seat == "neutral"
            shape.seat, shape.hollow = ("black" if neutral else seat), neutral
            text.show(words)
            text.color = text.disabled_color = ink
        self._tile = tile
        self._line_up()

    def _line_up(self, *_: object) -> None:
        """Place the name and the marks.

        The name stands in a corner, above or, in a low tile, on the left; each mark is a shape with its number beside
        it.
        """
        marks = self._tile.marks if self._tile else ()
        x, y, wide, tall = self.x + dp(3), self.y, self.width - dp(6), self.height
        if not marks:
            self._name(x, y, wide, tall)
        elif len(self.name.text) < SHORT:
            self._name(x, y + tall - dp(theme.grown(18)), dp(theme.grown(26)), dp(theme.grown(17.5)))
            narrow = dp(12) if tall < dp(52) else 0
            x, wide = x + narrow, wide - narrow
        elif tall < dp(LOW):
            room = max(tall, dp(theme.above(TextSize.LABEL, 2)))
            self._name(x, y + (tall - room) / 2, wide * 0.52, room)
            x, wide = x + wide * 0.52, wide * 0.48
        else:
            head = max(tall * 0.42, min(tall * 0.74, dp(theme.above(TextSize.LABEL, 2))))
            self._name(self.x, y + tall - head, self.width, head)
            tall -= head
        self._marks(marks, (x, y), (wide, tall))

    def _name(self, x: float, y: float, wide: float, tall: float) -> None:
        self.name.pos, self.name.size = (x, y), (max(1, wide), max(1, tall))

    def _marks(self, marks: Sequence[tuple[str, str]], pos: tuple[float, float], size: tuple[float, float]) -> None:
        step, tall = size[0] / max(1, len(marks)), size[1]
        for at, (shape, text) in enumerate(zip(self.shapes, self.texts, strict=True)):
            words = marks[at][1] if at < len(marks) else ""
            side = max(1.0, min(tall * 0.62, step * (0.42 if words else 0.8), dp(34)))
            room = min(step - side, side * 1.1 * max(1, len(words) * 0.8)) if words else 0
            left = pos[0] + at * step + (step - side - room) / 2
            shape.size, shape.pos = (side, side), (left, pos[1] + (tall - side) / 2)
            high = max(tall, dp(theme.size(TextSize.LABEL)))  # digits need less than their line
            broadest = max(room, broad(words, TextSize.LABEL, True) + dp(3)) if words else 1
            text.size, text.pos = (broadest, high), (left + side + dp(2), pos[1] + (tall - high) / 2)


LOW = 40
"""Below this height, in dp, a tile is read from left to right."""


class TileGrid(BoxLayout):
    """Rows of places."""

    def __init__(self, tap: Callable[[str], object]) -> None:
        super().__init__(orientation="vertical", spacing=dp(2))
        self._tap = tap
        self.tiles: list[PlaceTap] = []
        self._laid: Sequence[int] = ()

    def show(self, tiles: Sequence[Sequence[Tile]], lit: Collection[str], able: Collection[str], start: str) -> None:
        """Show the tiles: `lit` lead somewhere or begin an act, `able` can be tapped, `start` was tapped."""
        if [len(line) for line in tiles] != self._laid:
            self._lay([len(line) for line in tiles])
        for widget, tile in zip(self.tiles, (tile for line in tiles for tile in line), strict=True):
            widget.act = partial(self._tap, tile.place)
            widget.show(tile, tile.place in lit, tile.place in able, tile.place == start)

    def _lay(self, widths: Sequence[int]) -> None:
        self._laid = list(widths)
        self.clear_widgets()
        self.tiles = [PlaceTap() for _ in range(sum(widths))]
        left = iter(self.tiles)
        for count in widths:
            rest = (Widget() for _ in range(max(widths) - count))  # a place is as wide in a row that is not full
            self.add_widget(row(*(next(left) for _ in range(count)), *rest, gap=3))
