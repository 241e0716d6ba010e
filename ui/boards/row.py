"""The pawn row, the bar that grows towards the target, and the number that matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.animation import Animation
from kivy.graphics import Color, Line, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.models.prokonsul import Bar, Number, Row, rank
from ui.widgets.box import column
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text


class BigNumber(Widget):
    """A number that is read from two metres, what it is above it and what stands beside it below."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.caption = Text(most=theme.SMALL, lines=1, align="center", ink=theme.now.muted, size_hint_y=0.16)
        self.value = Text(most=theme.TARGET * 1.6, least=theme.DESIGN / 10, lines=1, align="center", bold=True,
                          ink=theme.now.accent, size_hint_y=0.66)  # fmt: skip
        self.beside = Text(most=theme.LEAD, lines=1, align="center", size_hint_y=0.18)
        self.box = column(self.caption, self.value, self.beside, gap=0)
        self.add_widget(self.box)
        self.bind(pos=self._fill, size=self._fill)

    def _fill(self, *_: Any) -> None:
        self.box.pos, self.box.size = self.pos, self.size

    def show(self, number: Number) -> None:
        self.caption.show(number.caption)
        self.value.show(number.value)
        self.beside.show(number.beside)


class PleaBar(Widget):
    """The pleader's cards, each as long as it is worth, on the way to the target."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.back = Backdrop(self, theme.now.sunk, theme.now.line, radius=3)
        self._parts: list[tuple[Color, Rectangle, Text, Shape]] = []
        with self.canvas.after:
            Color(*theme.rgba(theme.now.accent))
            self._goal = Line(width=dp(2), cap="none")
        self._bar: Bar | None = None
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, bar: Bar) -> None:
        if bar == self._bar:
            return
        self._bar = bar
        while len(self._parts) < len(bar.cards):
            with self.canvas:
                part = Color(), Rectangle()
            text = Text(most=theme.LEAD, lines=1, align="center", bold=True)
            self._parts.append((*part, text, Shape()))
            self.add_widget(text)
            self.add_widget(self._parts[-1][3])
        self._line_up()

    def _line_up(self, *_: Any) -> None:
        if not self._bar:
            return
        scale = self.width / max(self._bar.target, self._bar.held)
        x = self.x
        for at, (colour, box, text, shape) in enumerate(self._parts):
            card = self._bar.cards[at] if at < len(self._bar.cards) else ""
            long = rank(card) * scale if card else 0
            seat = card.split()[0] if card else ""
            colour.rgba = theme.rgba(theme.SEATS.get(seat, theme.now.stone), 1 if card else 0)
            box.pos, box.size = (x, self.y + dp(1)), (max(0, long - dp(1)), self.height - dp(2))
            self._label(text, shape, seat, card, x, long)
            x += long
        goal = self.x + self._bar.target * scale - dp(1)
        self._goal.points = [goal, self.y - dp(4), goal, self.top + dp(4)]

    def _label(self, text: Text, shape: Shape, seat: str, card: str, x: float, long: float) -> None:
        side = min(dp(18), long * 0.44)
        text.show(card.split()[1] if card else "")
        text.color = theme.rgba(theme.on(theme.SEATS[seat]) if seat else theme.now.ink)
        text.pos, text.size = (x + long * 0.06, self.y), (max(1, long * 0.46), self.height)
        shape.seat, shape.size = seat, (side, side)
        shape.center = (x + long * 0.73, self.center_y)


class PawnRow(Widget):
    """The pawns in a row; the one that pays for a tie is seen moving to the end."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.back = Backdrop(self, theme.now.panel, theme.now.line)
        self.caption = Text(most=theme.SMALL, lines=1, ink=theme.now.muted)
        self.note = Text(most=theme.SMALL, least=9, ink=theme.now.ink)
        self.add_widget(self.caption)
        self.add_widget(self.note)
        self._pawns: dict[str, Shape] = {}
        self._row: Sequence[str] = ()
        self.bind(pos=self._at_once, size=self._at_once)

    def show(self, row: Row) -> None:
        self.caption.show(row.caption)
        self.note.show(row.note)
        for seat in row.seats:
            if seat not in self._pawns:
                self._pawns[seat] = Shape(seat, size=(dp(22), dp(22)))
                self.add_widget(self._pawns[seat])
        before, self._row = self._row, tuple(row.seats)
        for seat, shape in self._pawns.items():
            shape.opacity = 1 if seat in self._row else 0
        if sorted(before) == sorted(self._row) and before != self._row:
            self._move()
        elif before != self._row:
            self._at_once()

    def _place(self, at: int) -> tuple[float, float]:
        return self.x + dp(76) + at * dp(28), self.center_y - dp(11)

    def _at_once(self, *_: Any) -> None:
        self.caption.pos, self.caption.size = (self.x + dp(8), self.y), (dp(64), self.height)
        for at, seat in enumerate(self._row):
            Animation.cancel_all(self._pawns[seat])
            self._pawns[seat].pos = self._place(at)
        left = self._place(max(len(self._row), 3))[0] + dp(6)
        self.note.pos, self.note.size = (left, self.y + dp(1)), (max(1, self.right - left - dp(6)), self.height - dp(2))

    def _move(self) -> None:
        for at, seat in enumerate(self._row):
            x, y = self._place(at)
            Animation.cancel_all(self._pawns[seat])
            Animation(x=x, y=y, duration=0.7, transition="in_out_cubic").start(self._pawns[seat])
