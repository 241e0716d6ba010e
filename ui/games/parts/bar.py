"""A bar of cards that add up towards a target, each as long as it is worth, with the missing amount."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.rules.cards import DECK
from ui import theme
from ui.games.parts.sum import Sum
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.motion import COUNT, ease, motions
from ui.widgets.shape import CardFace
from ui.widgets.text import Backdrop, Text, long

CARD = 52, 76
"""The size of a card in the bar, in dp, where it is long enough."""
LEAST = 24
"""A card that would be smaller than this is not drawn."""
GOAL = 6
"""The thickness of the target, in dp: the right edge of the bar."""
ASIDE = 36
"""The least room beside the target in which a card steps aside for it, in dp; a card with less covers it."""


class Slice(Widget):
    """One card in the bar, as long as it is worth, in its colour; its `face` lies over the target."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None, radius=4)
        self.face = CardFace(most=TextSize.CARD, radius=5, size_hint=(None, None))

    def show(
        self, card: str, x: float, y: float, size: tuple[float, float], goal: float, *, fresh: bool = False
    ) -> None:
        """Show the card from `x` on, aside from the target at `goal` if there is room beside that."""
        self.pos, self.size, self.opacity = (x, y), size, 1 if card else 0
        self.back.paint(theme.SEATS.get(card.split(" ", maxsplit=1)[0]), theme.now.ink, 1)
        self.face.show(card)
        self.face.back.paint(theme.now.card, *((theme.now.amber, 4) if fresh else (theme.now.line, 1)))
        wide, high = min(dp(CARD[0]), size[0] - dp(4)), min(dp(CARD[1]), size[1] - dp(12))
        left, right = self._beside(goal)
        wide = min(wide, right - left - dp(4))
        put(self.face, left + (right - left - wide) / 2, y + (size[1] - high) / 2, wide, high)
        if min(wide, high) < dp(LEAST):
            self.face.opacity = 0  # only its colour and its length stay visible

    def _beside(self, goal: float) -> tuple[float, float]:
        """Return where the card may lie: on the wider side of the target, or anywhere if both are narrow."""
        sides = (self.x, min(goal, self.right)), (max(goal + dp(GOAL), self.x), self.right)
        left, right = max(sides, key=lambda side: side[1] - side[0])
        return (left, right) if right - left >= dp(ASIDE) else (self.x, self.right)


class SumBar(Widget):
    """Cards, each as long as it is worth, and the missing amount; the target is the right edge."""

    def __init__(self, say: str = "") -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.sunk, theme.now.line, radius=4)
        self._slices: list[Slice] = []
        self.missing = Text(most=TextSize.FIGURE, lines=1, align="center", bold=True)
        self.words = Text(say, most=TextSize.TEXT, lines=1, align="center", bold=True)
        self.faces, self.slices = Widget(), Widget()
        self.goal = Widget()
        with self.goal.canvas:
            Color(*theme.rgba(theme.now.ink))
            self._goal = Rectangle()
        for part in (self.slices, self.goal, self.faces, self.missing, self.words):
            self.add_widget(part)
        self._bar: Sum | None = None
        self._grown = 1.0
        """The part of the newest card that has joined the bar."""
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, bar: Sum) -> None:
        """Show the cards and the missing amount; a new card grows into the bar."""
        if bar != self._bar:
            joins = bool(bar.fresh) and self._bar is not None and bar.fresh not in self._bar.cards
            self._bar = bar
            while len(self._slices) < len(bar.cards):
                self._slices.append(Slice())
                self.slices.add_widget(self._slices[-1])
                self.faces.add_widget(self._slices[-1].face)
            self.missing.show(str(bar.missing) if bar.missing else "")
            self._line_up()
            if joins:
                motions.play(self, COUNT, self._grow)

    def _grow(self, part: float) -> None:
        self._grown = ease(part)
        self._line_up()

    def _line_up(self, *_: object) -> None:
        if not self._bar:
            return
        right = self.x + self.width - dp(GOAL)
        scale = (self.width - dp(GOAL)) / max(1, self._bar.target, self._bar.held)
        x, goal = self.x, self.x + self._bar.target * scale
        for at, piece in enumerate(self._slices):
            card = self._bar.cards[at] if at < len(self._bar.cards) else ""
            fresh = bool(card) and card == self._bar.fresh
            broad = DECK[card].rank * scale * (self._grown if fresh else 1) if card else 0
            piece.show(card, x, self.y, (max(1, broad - dp(1)), self.height), goal, fresh=fresh)
            x += broad
        self._goal.pos, self._goal.size = (goal, self.y - dp(6)), (dp(GOAL), self.height + dp(12))
        self._lay_missing(x, right)

    def _lay_missing(self, left: float, right: float) -> None:
        """Place the missing amount above its word, in a low bar beside it; hide the word where there is no room."""
        line, number = dp(theme.above(TextSize.TEXT)), dp(theme.above(TextSize.FIGURE))
        word, wide = (long(text.text, step, True) + dp(4) for text, step in (
            (self.words, TextSize.TEXT), (self.missing, TextSize.FIGURE)))  # fmt: skip
        if self.missing.text and self.height < number * 0.86 + line and right - left >= word + wide:
            begin = left + (right - left - word - wide) / 2
            self.words.opacity = 1
            put(self.missing, begin, self.y, wide, self.height)
            put(self.words, begin + wide, self.y, word, self.height)
            return
        worded = bool(self.missing.text) and right - left >= long(self.words.text, TextSize.TEXT, True)
        both = min(self.height, number * 0.86 + line)
        low = self.y + (self.height - both) / 2
        self.words.opacity = 1 if worded else 0
        put(self.words, left, low, right - left, line)
        if worded:
            put(self.missing, left, low + line, right - left, both - line)
        else:
            put(self.missing, left, self.y, right - left, self.height)
