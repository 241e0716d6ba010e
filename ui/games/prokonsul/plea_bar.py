"""The bar that grows towards the target, and the pawn row."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.animation import Animation
from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.rules.cards import DECK
from ui import theme
from ui.games.prokonsul.plea import Bar, PawnRow
from ui.widgets.asked import lies
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text, broad


class Slice(Widget):
    """One card in the bar, as long as it is worth: its colour, and on it a label with number and shape."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        self.back = Backdrop(self, None, radius=2)
        self.label = Widget()
        self.label_back = Backdrop(self.label, theme.now.card, radius=3)
        self.text = Text(most=theme.LEAD, lines=1, align="center", bold=True, ink=theme.now.card_ink)
        self.shape = Shape(ink=theme.now.card_ink)
        for child in (self.label, self.text, self.shape):
            self.add_widget(child)

    def show(self, card: str, x: float, y: float, size: tuple[float, float]) -> None:
        colour, _, number = card.partition(" ")
        self.pos, self.size, self.opacity = (x, y), size, 1 if card else 0
        self.back.paint(theme.SEATS.get(colour))
        self.text.show(number)
        self.shape.seat = colour
        wide, high = min(dp(50), size[0] - dp(2)), min(dp(30), size[1] - dp(4))
        left, low = x + (size[0] - wide) / 2, y + (size[1] - high) / 2
        self.label.pos, self.label.size = (left, low), (max(0, wide), high)
        cramped = wide < dp(34)
        room = broad(number, theme.SMALL, True) + dp(3)
        self.text.pos, self.text.size = (left, low), (max(room, wide if cramped else wide * 0.55), high)
        side = 0 if cramped else min(dp(18), wide * 0.4)
        self.shape.size, self.shape.pos = (side, side), (left + wide * 0.56, low + (high - side) / 2)


class PleaBar(Widget):
    """The pleader's cards, each as long as it is worth, on the way to the target."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        self.back = Backdrop(self, theme.now.sunk, theme.now.line, radius=3)
        self._slices: list[Slice] = []
        with self.canvas.after:
            Color(*theme.rgba(theme.now.accent))
            self._goal = Line(width=dp(2), cap="none")
        self._bar: Bar | None = None
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, bar: Bar) -> None:
        if bar != self._bar:
            self._bar = bar
            while len(self._slices) < len(bar.cards):
                self._slices.append(Slice())
                self.add_widget(self._slices[-1])
            self._line_up()

    def _line_up(self, *_: object) -> None:
        if not self._bar:
            return
        scale = self.width / max(self._bar.target, self._bar.held)
        x = self.x
        for at, piece in enumerate(self._slices):
            card = self._bar.cards[at] if at < len(self._bar.cards) else ""
            long = DECK[card].rank * scale if card else 0
            piece.show(card, x, self.y, (max(1, long - dp(1)), self.height))
            x += long
        goal = self.x + self._bar.target * scale - dp(1)
        self._goal.points = [goal, self.y - dp(3), goal, self.y + self.height + dp(3)]


class MovingPawns(Widget):
    """The pawns in a row; the one that pays for a tie is seen moving to the end."""

    def __init__(self, upright: bool, **rest: object) -> None:
        super().__init__(**rest)
        self.upright = upright
        self.back = Backdrop(self, theme.now.panel, theme.now.line)
        self.note = Text(most=theme.BODY, ink=theme.now.ink)
        self.add_widget(self.note)
        self._pawns: dict[str, Shape] = {}
        self._row: Sequence[str] = ()
        self.bind(pos=self._at_once, size=self._at_once)

    def show(self, row: PawnRow) -> None:
        self.note.show(row.note)
        for at, seat in enumerate(row.seats, start=1):
            if seat not in self._pawns:
                self._pawns[seat] = Shape(seat, size=(dp(22), dp(22)))
                self.add_widget(self._pawns[seat])
            lies(self._pawns[seat], f"row {at}")
        before, self._row = self._row, tuple(row.seats)
        for seat, shape in self._pawns.items():
            shape.opacity = 1 if seat in self._row else 0
        if sorted(before) == sorted(self._row) and before != self._row:
            self._move()
        elif before != self._row:
            self._at_once()

    def _place(self, at: int) -> tuple[float, float]:
        """Where a pawn stands; the note is beside the row, upright below it."""
        line = min(self.height, dp(36))
        return self.x + dp(8) + at * dp(24), self.y + self.height - line / 2 - dp(11)

    def _at_once(self, *_: object) -> None:
        line = min(self.height, dp(36))
        for at, seat in enumerate(self._row):
            Animation.cancel_all(self._pawns[seat])
            self._pawns[seat].pos = self._place(at)
        left = self.x + dp(8) if self.upright else self._place(max(len(self._row), 3))[0] + dp(6)
        self.note.pos = left, self.y + dp(2)
        high = self.height - line if self.upright else self.height
        self.note.opacity = 1 if high > dp(theme.grown(36 if self.upright else 44)) else 0  # else the row alone
        self.note.size = max(1, self.x + self.width - left - dp(6)), max(1, high - dp(4))

    def _move(self) -> None:
        for at, seat in enumerate(self._row):
            x, y = self._place(at)
            Animation.cancel_all(self._pawns[seat])
            Animation(x=x, y=y, duration=0.7, transition="in_out_cubic").start(self._pawns[seat])
