"""Spartacus' board: the trick in the order of play, what it is worth, and what can be done."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.action_controls import ActionControls
from ui.games.parts.board import Act, Go, Place, Say
from ui.games.parts.controls import ActBoard
from ui.games.parts.sticky_result import Away
from ui.games.spartacus.model import Spartacus, Trick, TrickCard
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.fresh import Dashed
from ui.widgets.motion import glide, motions
from ui.widgets.shape import CardFace, Shape
from ui.widgets.text import Backdrop, Text, long

CARD = 76, 132
"""The size of a card, in dp; more than fit overlap by equal steps."""
APART = 6.5
TAG = 30
"""The height of the word below a card, in dp."""
LESSON = 220
"""The least width of a lesson beside the trick, in dp."""


class PlayedCard(Widget):
    """A card of the trick, and below it what it does; the one that takes the trick has a ring."""

    def __init__(self) -> None:
        super().__init__()
        self.face = CardFace(most=TextSize.FIGURE, radius=6, size_hint=(None, None))
        self.word = Text(most=TextSize.TEXT, lines=1, align="center", bold=True, ink=theme.LIGHT.card_ink)
        self.tag = Backdrop(self.word, None)
        self.add_widget(self.face)
        self.add_widget(self.word)

    def show(self, lying: TrickCard | None) -> None:
        look = theme.now
        self.face.show(lying.card if lying else "")
        self.word.show(lying.word if lying else "")
        strong = bool(lying and lying.strong)
        self.word.color = theme.rgba(theme.LIGHT.card_ink if strong else look.ink)
        self.tag.paint(look.amber if strong and lying and lying.word else None)
        self.face.back.paint(look.card, look.amber if strong else look.line, 4 if strong else 1)


class TrickRow(Widget):
    """The cards as they were played, and the place of the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.caption = Text(most=TextSize.TEXT, lines=1, ink=theme.now.muted)
        self.next, self.slot = Shape(), Widget()
        self._dashes = Dashed(self.slot)
        for part in (self.caption, self.slot, self.next):
            self.add_widget(part)
        self.played: list[PlayedCard] = []
        self._trick, self._tall = Trick("", (), "", False), 1.0
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, trick: Trick) -> None:
        """Show the trick; a new card comes up from below."""
        while len(self.played) < len(trick.cards):
            self.played.append(PlayedCard())
            self.add_widget(self.played[-1])
        for at, played in enumerate(self.played):
            motions.drop(played.face)
            played.show(trick.cards[at] if at < len(trick.cards) else None)
        self.caption.show(trick.caption)
        self.next.seat = "" if trick.gone else trick.turn
        self._dashes.paint(theme.now.muted if self.next.seat else None)
        before, self._trick = self._trick, trick
        self._line_up()
        if not trick.gone and not before.gone and len(trick.cards) == len(before.cards) + 1:
            face = self.played[len(before.cards)].face
            glide(face, (face.x, self.y - face.height), (face.x, face.y))

    def _line_up(self, *_: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        head = dp(theme.above(TextSize.TEXT))
        self.caption.pos, self.caption.size = (x, y + high - head), (wide, head)
        broad, tag = dp(CARD[0]), dp(TAG)
        tall = self._tall = max(1.0, min(dp(CARD[1]), high - head - tag - dp(8)))
        count = len(self._trick.cards) + bool(self.next.seat)
        rows = max(
            1,
            min(
                -(-count // max(1, int((wide + dp(APART)) // (broad + dp(APART))))), int((high - head) // (tall + tag))
            ),
        )
        each = -(-count // rows)
        step = min(broad + dp(APART), (wide - broad) / max(1, each - 1))
        for at in range(max(count, len(self.played))):
            line, place = divmod(at, max(1, each))
            left, low = x + place * step, y + high - head - dp(6) - tall - line * (tall + tag)
            if at < len(self.played):
                self._lay(self.played[at], (left, low), step)
            if at == len(self._trick.cards) and self.next.seat:
                side = dp(40)
                self.next.size, self.next.pos = (side, side), (left + (broad - side) / 2, low + (tall - side) / 2)
                put(self.slot, left, low, broad, tall)

    def taken(self) -> float:
        """Return how far to the right the cards and the place of the next one reach."""
        last = [self.slot.right] if self.next.seat else []
        cards = [played.face.right for played in self.played[: len(self._trick.cards)]]
        return float(max([self.x, *cards, *last]) + dp(APART))

    def _lay(self, played: PlayedCard, pos: tuple[float, float], step: float) -> None:
        broad, tall, tag = dp(CARD[0]), self._tall, dp(TAG)
        motions.drop(played.face)
        played.face.seen = step if step < broad else 0.0
        played.face.size, played.face.pos = (broad, tall), pos
        room = max(broad, long(played.word.text, TextSize.TEXT, True) + dp(12)) if played.word.text else 1
        left = max(self.x, min(pos[0] + (min(step, broad) - room) / 2, self.x + self.width - room))
        played.word.pos, played.word.size = (left, pos[1] - tag - dp(2)), (room, tag)


class SpartacusBoard(ActBoard[Spartacus]):
    """The trick above; below it its worth, the working behind that, and the acts."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright)
        self.trick = lies(TrickRow(), "trick")
        self.acts = ActionControls(self.do)
        self.caption = Text(most=TextSize.TEXT, lines=1, ink=theme.now.muted)
        self.value = Text(most=TextSize.NUMBER, lines=1, bold=True)
        self.sum, self.words = Text(most=TextSize.HEAD, bold=True), Text(most=TextSize.TEXT, ink=theme.now.muted)
        self.seats = [Shape() for _ in range(2)]
        self.away = Away(self, self.trick)
        for part in (self.trick, self.caption, self.value, self.sum, self.words, *self.seats, self.acts):
            self.add_widget(part)

    def on_touch_up(self, touch: object) -> bool:
        """Put away the taken trick on a touch, except one on a number, which is asked about."""
        took = bool(super().on_touch_up(touch))
        if self.away.puts(touch, self.centre.past):
            self.show(self.centre)
        return took

    def show(self, spartacus: Spartacus) -> None:
        self.centre = spartacus
        past = self.away.seen(spartacus.past)
        big = past.big if past else spartacus.big
        asks(self.value, *(past.about if past else spartacus.about))
        self.caption.show(big.caption)
        self.value.show(big.value)
        self.sum.show(past.sum if past else "" if big.seats else big.beside, shorter=" " if past else spartacus.brief)
        self.words.show("" if past else spartacus.doubled)
        for at, shape in enumerate(self.seats):
            shape.seat = big.seats[at] if at < len(big.seats) else ""
        self.trick.show(past.trick if past else spartacus.trick)
        self.acts.show(spartacus.actions)
        self.do_layout()

    def free(self) -> Place | None:
        """Return the room at the right of the trick."""
        left, trick = self.trick.taken(), self.trick
        room = trick.x + trick.width - left
        return (left, trick.y, room, trick.height) if room >= dp(theme.grown(LESSON)) else None

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        line, number, side = dp(theme.above(TextSize.TEXT)), dp(theme.above(TextSize.NUMBER)), dp(48)
        low = line + number
        put(self.trick, x, y + low + dp(4), wide, high - low - dp(4))
        acts = self.acts.needed(wide * 0.55, low)
        put(self.acts, x + wide - acts, y, acts, low)
        left, right = x, x + wide - acts - dp(12)
        put(self.caption, x, y + number, right - x, line)
        for shape in self.seats:
            if shape.seat:
                put(shape, left, y + (number - side) / 2, side, side)
                left += side + dp(8)
        broad = min(long(self.value.text, TextSize.NUMBER, True) + dp(4), right - left) if self.value.text else 0
        put(self.value, left, y, broad, number)
        left += broad + dp(14)
        half = number / 2 if self.words.text else 0
        put(self.sum, left, y + half, right - left, number - half)
        put(self.words, left, y + dp(4), right - left, half)
