"""The bar that grows towards the target, whom to ask, and the pawn row."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.animation import Animation
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.rules.cards import DECK
from ui import theme
from ui.games.prokonsul.plea import Askable, Bar, PawnRow
from ui.theme import Step
from ui.widgets.asked import lies
from ui.widgets.box import put
from ui.widgets.icon import Tick
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, long

CARD = 52, 76
"""How large a card in the bar is, in dp, where it is long enough."""
LEAST = 24
"""A card that would be smaller than this is not drawn."""
GOAL = 6
"""How thick the target is, in dp: the right edge of the bar."""
PAWN = 22
MOVE = 0.25
"""How long a pawn is on its way, in seconds."""


class Slice(Widget):
    """One card in the bar, as long as it is worth, in its colour."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None, radius=4)
        self.face = CardFace(most=Step.CARD, radius=5, size_hint=(None, None))
        self.add_widget(self.face)

    def show(self, card: str, x: float, y: float, size: tuple[float, float]) -> None:
        self.pos, self.size, self.opacity = (x, y), size, 1 if card else 0
        self.back.paint(theme.SEATS.get(card.split(" ", maxsplit=1)[0]), theme.now.ink, 1)
        self.face.show(card)
        wide, high = min(dp(CARD[0]), size[0] - dp(4)), min(dp(CARD[1]), size[1] - dp(12))
        put(self.face, x + (size[0] - wide) / 2, y + (size[1] - high) / 2, wide, high)
        if min(wide, high) < dp(LEAST):
            self.face.opacity = 0  # its colour and its length are left


class PleaBar(Widget):
    """The pleader's cards, each as long as it is worth, and what is missing; the target is its right edge."""

    def __init__(self, say: str = "") -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.sunk, theme.now.line, radius=4)
        self._slices: list[Slice] = []
        self.missing = Text(most=Step.FIGURE, lines=1, align="center", bold=True)
        self.words = Text(say, most=Step.TEXT, lines=1, align="center", bold=True)
        self.add_widget(self.missing)
        self.add_widget(self.words)
        with self.canvas.after:
            Color(*theme.rgba(theme.now.ink))
            self._goal = Rectangle()
        self._bar: Bar | None = None
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, bar: Bar) -> None:
        if bar != self._bar:
            self._bar = bar
            while len(self._slices) < len(bar.cards):
                self._slices.append(Slice())
                self.add_widget(self._slices[-1])
            self.missing.show(str(bar.missing) if bar.missing else "")
            self._line_up()

    def _line_up(self, *_: object) -> None:
        if not self._bar:
            return
        right = self.x + self.width - dp(GOAL)
        scale = (self.width - dp(GOAL)) / max(1, self._bar.target, self._bar.held)
        x = self.x
        for at, piece in enumerate(self._slices):
            card = self._bar.cards[at] if at < len(self._bar.cards) else ""
            broad = DECK[card].rank * scale if card else 0
            piece.show(card, x, self.y, (max(1, broad - dp(1)), self.height))
            x += broad
        goal = self.x + self._bar.target * scale
        self._goal.pos, self._goal.size = (goal, self.y - dp(6)), (dp(GOAL), self.height + dp(12))
        self._lay_missing(x, right)

    def _lay_missing(self, left: float, right: float) -> None:
        """The number, and its word where there is room for it: below, else beside."""
        line, number = dp(theme.above(Step.TEXT)), dp(theme.above(Step.FIGURE))
        worded = bool(self.missing.text) and right - left >= long(self.words.text, Step.TEXT, True)
        both = min(self.height, number * 0.86 + line)
        low = self.y + (self.height - both) / 2
        self.words.opacity = 1 if worded else 0
        put(self.words, left, low, right - left, line)
        if worded:
            put(self.missing, left, low + line, right - left, both - line)
        else:
            put(self.missing, left, self.y, right - left, self.height)


class AskTile(Touchable):
    """A seat that might be asked: who, what its cards would come to, and whether that is enough."""

    def __init__(self) -> None:
        super().__init__()
        own: dict[str, tuple[None, None]] = {"size_hint": (None, None)}
        self.back = Backdrop(self, None)
        self.shape = Shape(size_hint=(None, None))
        self.name = Text(most=Step.TEXT, lines=1, bold=True, cuts=True, size_hint=(None, None))
        self.words = Text(most=Step.TEXT, lines=1, cuts=True, size_hint=(None, None))
        self.tick = Tick(**own)
        for part in (self.shape, self.name, self.words, self.tick):
            self.add_widget(part)
        self.enough = False
        self.bind(pos=self._arrange, size=self._arrange)

    def show(self, ask: Askable) -> None:
        look = theme.now
        self.shape.seat, self.shape.opacity = ask.seat, 1 if ask.can else 0.45
        self.name.show(ask.name, shorter=ask.brief)
        self.words.show(ask.text)
        self.enough = ask.enough
        self.tick.show(ask.enough)
        self.disabled = not ask.can
        for text in (self.name, self.words):
            text.color = text.disabled_color = theme.rgba(look.ink if ask.can else look.muted)
        self.back.paint(look.panel if ask.can else None, look.accent if ask.can else look.line, 1.5)
        self._arrange()

    def _arrange(self, *_: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        side, line, pad = dp(26), min(high / 2, dp(theme.above(Step.TEXT))), dp(8)
        low = y + (high - 2 * line) / 2
        put(self.shape, x + pad, low + line + (line - side) / 2, side, side)
        left = x + pad + side + dp(6)
        put(self.name, left, low + line, x + wide - left - dp(4), line)
        tick = dp(22) if self.enough else 0
        put(self.words, x + pad, low, wide - 2 * pad - tick, line)
        put(self.tick, x + wide - pad - tick, low + (line - tick) / 2, tick, tick)


class MovingPawns(Widget):
    """The pawns in a row, which settles ties, then those who plead next; a pawn that pays is seen moving to the end."""

    def __init__(self, row: str, then: str, wins: str) -> None:
        super().__init__()
        self._then, self._wins = then, wins
        self.caption = Text(row, most=Step.LABEL, lines=1, ink=theme.now.muted)
        self.words = Text(most=Step.LABEL, lines=1, ink=theme.now.muted)
        self.next = [Shape() for _ in range(4)]
        for part in (self.caption, self.words, *self.next):
            self.add_widget(part)
        self._pawns: dict[str, Shape] = {}
        self._row: Sequence[str] = ()
        self.bind(pos=self._at_once, size=self._at_once)

    def show(self, row: PawnRow) -> None:
        for at, seat in enumerate(row.seats, start=1):
            if seat not in self._pawns:
                self._pawns[seat] = Shape(seat, size=(dp(PAWN), dp(PAWN)))
                self.add_widget(self._pawns[seat])
            lies(self._pawns[seat], f"row {at}")
        then = row.next or ([row.first] if row.first else [])
        self.words.show(self._then if row.next else self._wins if then else "")
        for at, shape in enumerate(self.next):
            shape.seat = then[at] if at < len(then) else ""
        before, self._row = self._row, tuple(row.seats)
        for seat, shape in self._pawns.items():
            shape.opacity = 1 if seat in self._row else 0
        moved = sorted(before) == sorted(self._row) and before != self._row
        standing = [pawn.pos for pawn in self._pawns.values()]
        self._at_once()
        if moved:
            for pawn, stood in zip(self._pawns.values(), standing, strict=True):
                (x, y), pawn.pos = pawn.pos, stood
                Animation(x=x, y=y, duration=MOVE, transition="out_quad").start(pawn)

    def _at_once(self, *_: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        side, step = dp(PAWN), dp(PAWN + 6)
        row = len(self._row) * step
        room = wide - row - sum(bool(shape.seat) for shape in self.next) * step - dp(20)
        first, then = (long(text.text, Step.LABEL) + dp(8) if text.text else 0 for text in (self.caption, self.words))
        first = first if first + then <= room else 0
        then = then if then <= room + dp(20) else 0
        self.words.opacity = 1 if then else 0
        self.caption.opacity = 1 if first else 0
        left, low = x, y + (high - side) / 2
        put(self.caption, left, y, first, high)
        left += first
        for seat in self._row:
            Animation.cancel_all(self._pawns[seat])
            self._pawns[seat].pos = left, low
            left += step
        left = max(left + dp(12), x + wide - then - sum(bool(shape.seat) for shape in self.next) * step)
        put(self.words, left, y, min(then, room - first + dp(20)), high)
        left += then
        for shape in self.next:
            put(shape, left, low, side, side)
            left += step
