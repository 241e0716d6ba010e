"""The default board: the number that matters, what can be done, cards, places and a row for every seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from ui import theme
from ui.boards.places import TileGrid
from ui.boards.row import BigNumber
from ui.boards.stages import Act, Go, Say
from ui.models.plain_acts import Deed
from ui.models.plain_board import Big, Plain, Row, Strip
from ui.models.prokonsul import Number
from ui.widgets.box import column, high, row, wide
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text

LINE, ROW, TALL = 34, 16, 186
"""The height of a seat's row at most and at least, and of the number upright, in dp."""


class Banner(BigNumber):
    """The number that matters between the shapes of the seats it is about; without a number the shapes alone."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.shapes = [Shape() for _ in range(3)]
        for shape in self.shapes:
            self.add_widget(shape)
        self._big: Big | None = None

    def show(self, big: Any) -> None:
        super().show(Number(big.caption, big.value, big.beside))
        if big != self._big:
            self._big = big
            for at, shape in enumerate(self.shapes):
                shape.seat = big.seats[at] if at < len(big.seats) else ""
            self._fill()

    def _fill(self, *rest: Any) -> None:
        super()._fill(*rest)
        if not getattr(self, "_big", None):
            return
        assert self._big
        x, y, long, tall = self.value.x, self.value.y, self.value.width, self.value.height
        count = len(self._big.seats)
        side = min(tall * 0.8, dp(96), long / (max(1, count) + 0.6 if not self._big.value else 7))
        low = y + (tall - side) / 2
        if self._big.value:
            lefts = [x, x + long - side]
            self.value.pos, self.value.size = (x + bool(count) * side, y), (long - min(2, count) * side, tall)
        else:
            gap = side * 1.2
            lefts = [x + long / 2 + (at - count / 2) * gap + (gap - side) / 2 for at in range(count)]
        for shape, left in zip(self.shapes, lefts, strict=False):
            shape.size, shape.pos = (side, side), (left, low)


class Cards(BoxLayout):
    """Cards side by side from the left, each at most `most` dp high."""

    def __init__(self, most: float = 60, **rest: Any) -> None:
        super().__init__(**rest)
        self._most, self.faces, self.count = dp(most), list[CardFace](), 0
        self.marked = ""
        self.mark = Text(most=11, least=8, lines=1, align="center", ink=theme.now.accent, bold=True)

    def show(self, cards: Sequence[str], marked: str = "", mark: str = "") -> None:
        while len(self.faces) < len(cards):
            self.faces.append(CardFace(size_hint=(None, None)))
            self.add_widget(self.faces[-1])
        for at, face in enumerate(self.faces):
            face.show(cards[at] if at < len(cards) else "")
        self.count, self.marked = len(cards), marked
        for face, card in zip(self.faces, cards, strict=False):
            face.back.paint(
                theme.now.card, theme.now.accent if card == marked else theme.now.line, 1 + (card == marked)
            )
        if marked and not self.mark.parent:
            self.add_widget(self.mark)
        self.mark.show(mark if marked in cards else "")
        self.do_layout()

    def do_layout(self, *_: Any) -> None:
        """The marked card stands a little higher, over its word."""
        foot = dp(14) if self.marked else 0
        tall = max(1.0, min(self.height - foot, self._most))
        step = min(tall * 0.78 + dp(2), self.width / max(1, self.count))
        low = self.y + foot + (self.height - foot - tall) / 2
        for at, face in enumerate(self.faces):
            face.size, face.pos = (max(1.0, step - dp(2)), tall), (self.x + at * step, low)
            face.number._refit()
        at = next((i for i, face in enumerate(self.faces) if self._is(face)), -1)
        if at >= 0:
            self.mark.size = dp(48), foot
            self.mark.pos = self.x + at * step + (step - dp(48)) / 2, self.faces[at].y - foot
            self.mark.x = max(self.x, min(self.mark.x, self.right - dp(48)))

    def _is(self, face: CardFace) -> bool:
        rank = self.marked.partition(" ")[2]
        return bool(self.marked) and face.shape.seat == self.marked.split()[0] and face.number.text == rank


class CardStrip(BoxLayout):
    """A row of cards with what they are."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(orientation="vertical", size_hint_max_y=dp(96), **rest)
        self.caption = high(Text(most=theme.SMALL, lines=1, ink=theme.now.muted), 18)
        self.cards = Cards()
        self.add_widget(self.caption)
        self.add_widget(self.cards)

    def show(self, strip: Strip) -> None:
        self.caption.show(strip.caption)
        self.cards.show(strip.cards, strip.marked, strip.mark)


class Chip(Widget):
    """A card where there is little height: its number, and beside it its shape."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None))
        self.back = Backdrop(self, theme.now.card, theme.now.line, radius=3)
        self.number = Text(most=theme.BODY, least=7, lines=1, align="center", bold=True, ink=theme.now.card_ink)
        self.shape = Shape()
        self.add_widget(self.number)
        self.add_widget(self.shape)

    def show(self, card: str) -> None:
        colour, _, rank = card.partition(" ")
        self.shape.seat, self.opacity = colour, 1 if card else 0
        self.number.show(rank if rank != "flag" else "F")

    def lay(self, x: float, y: float, size: tuple[float, float]) -> None:
        self.pos, self.size = (x, y), size
        side = min(size[1] * 0.6, size[0] * 0.4)
        self.number.pos, self.number.size = (x, y), (max(1, size[0] - side), size[1])
        self.shape.pos, self.shape.size = (x + size[0] - side - dp(1), y + (size[1] - side) / 2), (side, side)


class Chips(BoxLayout):
    """A seat's cards in its row; six always have room."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.chips: list[Chip] = []

    def show(self, cards: Sequence[str]) -> None:
        while len(self.chips) < len(cards):
            self.chips.append(Chip())
            self.add_widget(self.chips[-1])
        for at, chip in enumerate(self.chips):
            chip.show(cards[at] if at < len(cards) else "")

    def do_layout(self, *_: Any) -> None:
        step = min(dp(44), self.width / max(6, len(self.chips)))
        tall = max(1.0, min(self.height, dp(24)))
        for at, chip in enumerate(self.chips):
            chip.lay(self.x + at * step, self.y + (self.height - tall) / 2, (max(1, step - dp(2)), tall))


class SeatLine(BoxLayout):
    """A seat's facts in their columns."""

    def __init__(self, kinds: Sequence[bool]) -> None:
        super().__init__(spacing=dp(4), size_hint_max_y=dp(LINE))
        self.shape = wide(Shape(), 20)
        self.name = Text(most=theme.BODY, least=9, lines=1)
        self.cells: list[Any] = [Chips(size_hint_x=WIDE) if cards else cell() for cards in kinds]
        for child in (self.shape, self.name, *self.cells):
            self.add_widget(child)

    def show(self, line: Row) -> None:
        self.shape.seat = line.seat
        self.name.show(line.name)
        self.name.bold = line.turn
        for widget, value in zip(self.cells, line.cells, strict=True):
            widget.show(value or "" if isinstance(widget, Text) else value or ())


WIDE, NARROW = 2.8, 0.62
"""How much wider a column with cards is, and how much narrower one with numbers, than the names."""


def cell() -> Text:
    return Text(most=theme.LEAD, least=9, lines=1, align="center", bold=True, size_hint_x=NARROW)


class SeatTable(BoxLayout):
    """A row for every seat, a column for every fact."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", spacing=dp(2), padding=(dp(theme.GAP), dp(2)))
        self.back = Backdrop(self, theme.now.panel)
        self._laid: Any = None
        self.lines: list[SeatLine] = []
        self.heads: list[Text] = []

    def show(self, heads: Sequence[str], rows: Sequence[Row]) -> None:
        kinds = [any(isinstance(line.cells[at], tuple) for line in rows) for at in range(len(heads))]
        if (kinds, len(rows)) != self._laid:
            self._laid = kinds, len(rows)
            self._lay(kinds, len(rows))
        for widget, text in zip(self.heads, heads, strict=True):
            widget.show(text)
        for line, facts in zip(self.lines, rows, strict=True):
            line.show(facts)

    def _lay(self, kinds: Sequence[bool], count: int) -> None:
        self.clear_widgets()
        self.heads = [Text(most=theme.SMALL, least=8, lines=1, align="left" if cards else "center",
                           ink=theme.now.muted, size_hint_x=WIDE if cards else NARROW) for cards in kinds]  # fmt: skip
        self.lines = [SeatLine(kinds) for _ in range(count)]
        self.add_widget(high(row(wide(Text(), 20), Text(), *self.heads, gap=4), 18))
        for line in self.lines:
            self.add_widget(line)
        self.add_widget(BoxLayout(size_hint_y=0.01))


class Deeds(GridLayout):
    """A control for everything that can be done now."""

    def __init__(self, done: Any) -> None:
        super().__init__(spacing=dp(theme.GAP), size_hint_y=None)
        self._done = done
        self.taps: list[Tap] = []

    def show(self, deeds: Sequence[Deed]) -> None:
        count = len(deeds)
        self.cols = 1 + (count > 2) + (count > 4)
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


class PlainBoard(BoxLayout):
    """Any game, from what everybody may know."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(theme.PAD))
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.start = ""
        self.plain: Any = None
        self.number, self.deeds = Banner(), Deeds(self.do)
        self.facts = high(Text(most=theme.BODY, least=9, lines=1), 22)
        self.strips = [CardStrip(size_hint_y=0.46) for _ in range(3)]
        self.grid = TileGrid(self.tap)
        self.table = SeatTable()
        self.picture = column()
        head = row(self.number, self.deeds) if upright else column(self.number, self.deeds, size_hint_x=0.56)
        self.deeds.pos_hint = {"center_y": 0.5}
        self.add_widget(high(head, TALL) if upright else head)
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
        self._paint_places()
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

    def _paint_places(self) -> None:
        taps: Mapping[tuple[str, str], Deed | None] = self.plain.taps
        lit = {place for start, place in taps if start == self.start}
        begins = {place for start, place in taps if not start} if self.start else set()
        self.grid.show(self.plain.tiles, lit, lit | begins, self.start)

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
        self._paint_places()
        deed = taps.get(pair)
        if deed:
            self.do(deed)

    def tap_seat(self, seat: str) -> None:
        """A seat was tapped: what it alone can do now."""
        mine = [deed for deed in self.plain.deeds if deed.seat == seat]
        if len(mine) == 1:
            self.do(mine[0])
