"""Cards side by side, and a table with a row for every seat."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.facts import SeatRow, Strip
from ui.theme import TextSize
from ui.widgets.annotations import asks
from ui.widgets.box import high, row, wide
from ui.widgets.shape import CardFace, Shape
from ui.widgets.text import Backdrop, Text, broad

LINE = 34
"""The height of a seat's row at most, in dp."""


class CardRow(BoxLayout):
    """Cards side by side from the left, each at most `most` dp high."""

    def __init__(self, most: float = 60, **rest: object) -> None:
        super().__init__(**rest)
        self._most, self.faces, self.count = dp(most), list[CardFace](), 0
        self.marked = ""
        self.mark = Text(most=TextSize.LABEL, lines=1, align="center", ink=theme.now.accent, bold=True)

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

    def do_layout(self, *_: object) -> None:
        """Lay out the cards, and the word of the marked one under it."""
        foot = dp(14) if self.marked else 0
        tall = max(1.0, min(self.height - foot, self._most))
        step = min(tall * 0.78 + dp(2), self.width / max(1, self.count))
        low = self.y + foot + (self.height - foot - tall) / 2
        for at, face in enumerate(self.faces):
            face.size, face.pos = (max(1.0, step - dp(2)), tall), (self.x + at * step, low)
            face.number._refit()
        at = next((i for i, face in enumerate(self.faces) if self._is_marked(face)), -1)
        if at >= 0:
            self.mark.size = dp(48), foot
            self.mark.pos = self.x + at * step + (step - dp(48)) / 2, self.faces[at].y - foot
            self.mark.x = max(self.x, min(self.mark.x, self.right - dp(48)))

    def _is_marked(self, face: CardFace) -> bool:
        rank = self.marked.partition(" ")[2]
        return bool(self.marked) and face.shape.seat == self.marked.split()[0] and face.number.text == rank


class CardStrip(BoxLayout):
    """A row of cards with a caption."""

    def __init__(self, **rest: object) -> None:
        super().__init__(orientation="vertical", size_hint_max_y=dp(96), **rest)
        self.caption = high(Text(most=TextSize.LABEL, lines=1, ink=theme.now.muted), theme.grown(18))
        self.cards = CardRow()
        self.add_widget(self.caption)
        self.add_widget(self.cards)

    def show(self, strip: Strip) -> None:
        self.caption.show(strip.caption)
        self.cards.show(strip.cards, strip.marked, strip.mark)


def room(number: Text) -> float:
    """Return the least width of a number, in pixels, however narrow its card."""
    return float(broad(number.text, TextSize.LABEL, True) + dp(3))


class Chip(Widget):
    """A card where there is little height: its number, and beside it its shape."""

    def __init__(self, most: TextSize = TextSize.TEXT) -> None:
        super().__init__(size_hint=(None, None))
        self.back = Backdrop(self, theme.now.card, theme.now.line, radius=3)
        self.number = Text(most=most, lines=1, align="center", bold=True, ink=theme.now.card_ink)
        self.shape = Shape(ink=theme.now.card_ink)
        self.add_widget(self.number)
        self.add_widget(self.shape)

    def show(self, card: str) -> None:
        colour, _, rank = card.partition(" ")
        self.shape.seat, self.opacity = colour, 1 if card else 0
        self.number.show(rank if rank != "flag" else "F")

    def lay(self, x: float, y: float, size: tuple[float, float]) -> None:
        self.pos, self.size = (x, y), size
        side = min(size[1] * 0.6, size[0] * 0.4)
        self.number.pos, self.number.size = (x, y), (max(room(self.number), size[0] - side), size[1])
        self.shape.pos, self.shape.size = (x + size[0] - side - dp(1), y + (size[1] - side) / 2), (side, side)


class Chips(BoxLayout):
    """A seat's cards in its row; six always have room."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        self.chips: list[Chip] = []

    def show(self, cards: Sequence[str]) -> None:
        while len(self.chips) < len(cards):
            self.chips.append(Chip())
            self.add_widget(self.chips[-1])
        for at, chip in enumerate(self.chips):
            chip.show(cards[at] if at < len(cards) else "")

    def do_layout(self, *_: object) -> None:
        step = min(dp(44), self.width / max(6, len(self.chips)))
        tall = max(1.0, min(self.height, dp(24)))
        for at, chip in enumerate(self.chips):
            chip.lay(self.x + at * step, self.y + (self.height - tall) / 2, (max(1, step - dp(2)), tall))


class SeatLine(BoxLayout):
    """A seat's facts in their columns."""

    def __init__(self, kinds: Sequence[bool]) -> None:
        super().__init__(spacing=dp(2), size_hint_max_y=dp(LINE))
        self.shape = wide(Shape(), 20)
        self.name = Text(most=TextSize.TEXT, lines=1, size_hint_x=theme.either(*NAMES))
        self.cells: list[Chips | Text] = [Chips(size_hint_x=WIDE) if cards else cell() for cards in kinds]
        for child in (self.shape, self.name, *self.cells):
            self.add_widget(child)

    def show(self, line: SeatRow) -> None:
        self.shape.seat = line.seat
        self.name.show(line.name)
        self.name.bold = line.turn
        for widget, value in zip(self.cells, line.cells, strict=True):
            if isinstance(widget, Chips):
                widget.show(value if isinstance(value, tuple) else ())
            else:
                widget.show(value if isinstance(value, str) else "")
        for widget, about in zip(self.cells, line.about, strict=False):
            asks(widget, *about)


WIDE, NARROW, NAMES = 2.8, 1.1, (1.9, 1.57)
"""How wide a column with cards is beside one with numbers, and that with the names in normal and in large text."""


def cell() -> Text:
    return Text(most=TextSize.TEXT, lines=1, align="center", bold=True, size_hint_x=NARROW)


class SeatTable(BoxLayout):
    """A row for every seat, a column for every fact; the column names take up to `lines` lines."""

    def __init__(self, lines: int = 2) -> None:
        super().__init__(orientation="vertical", spacing=dp(2), padding=(dp(theme.either(theme.GAP, 2)), dp(2)))
        self.back = Backdrop(self, theme.now.panel)
        self._laid: object = None
        self._tall = theme.above(TextSize.LABEL, lines)
        self.lines: list[SeatLine] = []
        self.heads: list[Text] = []

    def show(self, heads: Sequence[str], rows: Sequence[SeatRow]) -> None:
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
        self.heads = [Text(most=TextSize.LABEL, cuts=True, align="left" if cards else "center",
                           ink=theme.now.muted, size_hint_x=WIDE if cards else NARROW) for cards in kinds]  # fmt: skip
        self.lines = [SeatLine(kinds) for _ in range(count)]
        self.add_widget(
            high(row(wide(Text(), 20), Text(size_hint_x=theme.either(*NAMES)), *self.heads, gap=2), self._tall)
        )
        for line in self.lines:
            self.add_widget(line)
        self.add_widget(BoxLayout(size_hint_y=0.01))
