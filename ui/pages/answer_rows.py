"""The widgets answers are made of; each shows its item and says how high that needs to be."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.answers.why import Cell
from ui import theme
from ui.games.parts.bar import SumBar
from ui.pages.answer_items import Cited, Compared, Heading, Sentence, StoodBefore, Summed, Ticked, Weighed
from ui.theme import TextSize
from ui.widgets.annotations import About, asks
from ui.widgets.box import column, high, row, wide
from ui.widgets.flow import Kinds
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text, tall

BOLD = ("lead", "strong", "near")
"""The weights of sentences in bold letters."""
SHAPES = 3
"""The most seats whose shapes stand before a sentence: some of many would say nothing."""


class Marks(BoxLayout):
    """The shapes of the seats that a line is about, at one side of it; none where there are more than fit."""

    def __init__(self, side: float, most: int = SHAPES) -> None:
        super().__init__(spacing=dp(4), size_hint_x=None)
        self._side = side
        self.shapes = [wide(Shape(most=side), side) for _ in range(most)]

    def show(self, seats: Sequence[str]) -> None:
        seats = seats if len(seats) <= len(self.shapes) else ()
        for at, shape in enumerate(self.shapes):
            shape.seat = seats[at] if at < len(seats) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.add_widget if shape.seat else self.remove_widget)(shape)
        self.width = self.room(seats)

    def room(self, seats: Sequence[str]) -> float:
        return float(dp(self._side + 4) * len(seats)) if len(seats) <= len(self.shapes) else 0.0


class HeadingRow(BoxLayout):
    def __init__(self) -> None:
        super().__init__(padding=(0, dp(theme.GAP), 0, 0))
        self.text = Text(most=TextSize.TEXT, lines=1, bold=True, ink=theme.now.muted, upright="bottom")
        self.add_widget(self.text)

    def show(self, item: Heading) -> None:
        self.text.show(item.text)

    def tall(self, _: Heading, __: float) -> float:
        return float(dp(34))


class SentenceRow(BoxLayout):
    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.PAD))
        self.marks = Marks(26)
        self.text = Text(most=TextSize.HEAD)
        self.add_widget(self.marks)
        self.add_widget(self.text)

    def show(self, item: Sentence) -> None:
        self.marks.show(item.seats)
        self.spacing = dp(theme.PAD) if item.seats else 0
        self.text.bold = item.weight in BOLD
        inks = {"near": theme.now.accent, "muted": theme.now.muted, "warning": theme.now.stop}
        self.text.color = theme.rgba(inks.get(item.weight, theme.now.ink))
        self.text.show(item.text, self._size(item, self._room(item, self.width)))

    def tall(self, item: Sentence, width: float) -> float:
        room = self._room(item, width)
        return float(tall(item.text, self._size(item, room), room, item.weight in BOLD) + dp(6))

    def _room(self, item: Sentence, width: float) -> float:
        return width - (room + dp(theme.PAD) if (room := self.marks.room(item.seats)) else 0)

    def _size(self, item: Sentence, room: float) -> TextSize:
        """Return the size of the letters: a lead is larger if three lines hold it; alone it may take five."""
        wanted, lines = item.weight == "lead" or item.alone, 5 if item.alone else 3
        large = wanted and tall(item.text, TextSize.HEAD, room, True) <= dp(theme.above(TextSize.HEAD, lines))
        return TextSize.HEAD if large else TextSize.TEXT


class CitedRow(BoxLayout):
    """A clause; its id leads to the rules."""

    ID = 64

    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.PAD))
        self.rule = Text(most=TextSize.TEXT, lines=1, bold=True, ink=theme.now.accent, upright="top")
        self.text = Text(most=TextSize.TEXT, upright="top")
        self.mark = Text(most=TextSize.TEXT, upright="top", ink=theme.now.muted)
        self.add_widget(wide(self.rule, self.ID))
        self.add_widget(column(self.text, self.mark, gap=2))

    def show(self, item: Cited) -> None:
        asks(self.rule, item.rule)
        self.rule.show(item.rule)
        self.text.show(item.text)
        self.mark.show(item.mark)
        high(self.mark, 0).height = self._lines(item.mark, self.width)

    def tall(self, item: Cited, width: float) -> float:
        return float(max(dp(34), self._lines(item.text, width) + self._lines(item.mark, width) + dp(8)))

    def _lines(self, text: str, width: float) -> float:
        return tall(text, TextSize.TEXT, width - dp(self.ID + theme.PAD))


class WeighedRow(BoxLayout):
    NAME = 0.28

    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.PAD))
        self.name = Text(most=TextSize.TEXT, ink=theme.now.muted, upright="top", size_hint_x=self.NAME)
        self.value = Text(most=TextSize.TEXT, bold=True, upright="top", size_hint_x=1 - self.NAME)
        self.add_widget(self.name)
        self.add_widget(self.value)

    def show(self, item: Weighed) -> None:
        self.name.show(item.name)
        self.value.show(item.value)

    def tall(self, item: Weighed, width: float) -> float:
        room = width - dp(theme.PAD)
        name = tall(item.name, TextSize.LABEL, room * self.NAME)
        return float(max(dp(24), name, tall(item.value, TextSize.TEXT, room * (1 - self.NAME), True) + dp(4)))


class SummedRow(BoxLayout):
    """The bar of the board: what is held, and what was missing."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", spacing=dp(2), padding=(0, dp(6)))
        self.bar = SumBar()
        self.held = Text(most=TextSize.TEXT, lines=1, bold=True)
        self.target = Text(most=TextSize.TEXT, lines=1, bold=True, align="right")
        self.add_widget(high(self.bar, 72))
        self.add_widget(row(self.held, wide(self.target, 60)))

    def show(self, item: Summed) -> None:
        self.bar.show(item.sum)
        self.held.show(item.sum.text)
        self.target.show(str(item.sum.target))

    def tall(self, _: Summed, __: float) -> float:
        return float(dp(72 + 16 + theme.above(TextSize.TEXT)))


class CellBox(BoxLayout):
    """A seat's value at one step: set off where it decided, grey where the seat was out."""

    def __init__(self) -> None:
        super().__init__(padding=dp(1))
        self.text = Text(most=TextSize.HEAD, lines=1, align="center")
        self.back = Backdrop(self.text, None)
        self.add_widget(self.text)

    def show(self, cell: Cell) -> None:
        look = theme.now
        self.text.show(cell.text)
        self.text.bold = cell.left
        self.text.color = theme.rgba(look.on_seal if cell.decides else look.ink if cell.left else look.muted)
        self.back.paint(look.seal if cell.decides else None)


class ContestLine(BoxLayout):
    def __init__(self, columns: int) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.GAP), 0))
        self.ground = Backdrop(self, None)
        self.shape = wide(Shape(most=22), 26)
        self.name = Text(most=TextSize.TEXT, lines=1, size_hint_x=1.2)
        self.cells = [CellBox() for _ in range(columns)]
        for child in (self.shape, self.name, *self.cells):
            self.add_widget(child)

    def show(self, seat: str, name: str, cells: Sequence[Cell], winner: bool, about: About) -> None:
        asks(self.cells[0].text, *about)
        self.shape.seat = seat
        self.name.show(name)
        self.name.bold = winner
        self.name.color = theme.rgba(theme.now.ink if winner else theme.now.muted)
        self.ground.paint(theme.now.wax if winner else theme.now.stone, theme.now.line)
        for widget, cell in zip(self.cells, cells, strict=True):
            widget.show(cell)


class ContestHead(BoxLayout):
    """The captions of the steps, each over the id of its clause."""

    def __init__(self, columns: int) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.GAP), 0))
        self.captions = [Text(most=TextSize.TEXT, lines=1, align="center") for _ in range(columns)]
        self.rules = [Text(most=TextSize.TEXT, lines=1, align="center", bold=True, ink=theme.now.accent)
                      for _ in range(columns)]  # fmt: skip
        self.add_widget(wide(Widget(), 26))
        self.add_widget(Widget(size_hint_x=1.2))
        for caption, rule in zip(self.captions, self.rules, strict=True):
            self.add_widget(column(caption, rule, gap=0))

    def show(self, columns: Sequence[tuple[str, str]]) -> None:
        for caption, rule, (text, clause) in zip(self.captions, self.rules, columns, strict=True):
            caption.show(text)
            asks(rule, clause).show(clause)


class ContestTable(BoxLayout):
    """A line for each seat, a column for each step."""

    HEAD, LINE = 44, 36

    def __init__(self) -> None:
        super().__init__(orientation="vertical", padding=(0, dp(4)), spacing=dp(3))
        self._laid: tuple[int, int] | None = None

    def show(self, item: Compared) -> None:
        table = item.table
        if (shape := (len(table.columns), len(table.lines))) != self._laid:
            self._lay(*shape)
        self.head.show(table.columns)
        for line, (seat, cells) in zip(self.lines, table.lines, strict=True):
            line.show(seat, item.names[seat], cells, seat in table.winners, item.about.get(seat, ("", None)))

    def _lay(self, columns: int, lines: int) -> None:
        self._laid = columns, lines
        self.clear_widgets()
        self.head, self.lines = ContestHead(columns), [ContestLine(columns) for _ in range(lines)]
        self.add_widget(high(self.head, self.HEAD))
        for line in self.lines:
            self.add_widget(line)

    def tall(self, item: Compared, _: float) -> float:
        return float(dp(self.HEAD + (self.LINE + 3) * len(item.table.lines) + 8))


class TickedRow(BoxLayout):
    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.GAP))
        self.tick = TickRow()
        self.text = Text(most=TextSize.TEXT)
        self.rule = Text(most=TextSize.TEXT, lines=1, bold=True, align="right", ink=theme.now.accent)
        for child in (wide(self.tick, 24), self.text, wide(self.rule, 56)):
            self.add_widget(child)

    def show(self, item: Ticked) -> None:
        self.tick.show(item.held.holds)
        self.text.show(item.held.text)
        asks(self.rule, item.held.rule).show(item.held.rule)

    def tall(self, item: Ticked, width: float) -> float:
        return float(max(dp(30), tall(item.held.text, TextSize.TEXT, width - dp(80 + 2 * theme.GAP)) + dp(4)))


class TickRow(Widget):
    """A tick or a cross."""

    def __init__(self) -> None:
        super().__init__()
        with self.canvas:
            self._ink = Color()
            self._lines = [Line(width=dp(1.6)) for _ in range(2)]
        self._holds = True
        self.bind(pos=self._draw, size=self._draw)

    def show(self, holds: bool) -> None:
        self._holds = holds
        self._draw()

    def _draw(self, *_: object) -> None:
        x, y, far = self.x + self.width / 2, self.y + self.height / 2, dp(7)
        self._ink.rgba = theme.rgba(theme.now.good if self._holds else theme.now.stop)
        tick, cross = [(-1, 0, -0.25, -0.8, 1, 0.9), ()], [(-0.8, -0.8, 0.8, 0.8), (-0.8, 0.8, 0.8, -0.8)]
        for line, points in zip(self._lines, tick if self._holds else cross, strict=True):
            line.points = [(y if at % 2 else x) + far * of for at, of in enumerate(points)]


class StoodRow(BoxLayout):
    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.GAP))
        self.caption = Text(most=TextSize.TEXT, lines=1, ink=theme.now.muted)
        self.pawns = Marks(26, 7)
        self.add_widget(wide(self.caption, 128))
        self.add_widget(self.pawns)
        self.add_widget(Widget())

    def show(self, item: StoodBefore) -> None:
        self.caption.show(item.caption)
        self.pawns.show(item.seats)

    def tall(self, _: StoodBefore, __: float) -> float:
        return float(dp(34))


def kinds() -> Kinds:
    """Return a widget for every kind of item."""
    return {
        Heading: HeadingRow,
        Sentence: SentenceRow,
        Cited: CitedRow,
        Weighed: WeighedRow,
        Summed: SummedRow,
        Compared: ContestTable,
        Ticked: TickedRow,
        StoodBefore: StoodRow,
    }
