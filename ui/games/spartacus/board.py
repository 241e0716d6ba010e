"""Spartacus' centre: the trick in the order of play, what it is worth, and every seat's part in it."""

from __future__ import annotations

from kivy.animation import Animation
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.away import Away
from ui.games.parts.board import Act, Go, Say
from ui.games.parts.controls import ActBoard
from ui.games.spartacus.model import Gladiator, Lying, Spartacus, Trick
from ui.widgets.asked import asks, lies
from ui.widgets.box import column, high, row, wide
from ui.widgets.shape import CardFace, Shape
from ui.widgets.stroke import Stroke
from ui.widgets.text import Backdrop, Text

MOVE = 0.25
"""How long a card is on its way, in seconds."""

TIGHT = 36
"""Words that would be narrower than this, in dp, stay away."""


class PlayedCard(Widget):
    """A card of the trick; the one that takes it stands out. Flags have their word above, numbers below."""

    def __init__(self) -> None:
        super().__init__()
        self.face = CardFace(most=theme.BANNER, size_hint=(None, None))
        self.word = Text(most=theme.BODY, lines=1, align="center", bold=True)
        self.add_widget(self.face)
        self.add_widget(self.word)

    def show(self, lying: Lying | None, gone: bool) -> None:
        look = theme.now
        self.face.show(lying.card if lying else "")
        self.face.opacity = 0 if not lying else 0.75 if gone else 1
        self.word.show(lying.word if lying else "")
        strong = bool(lying and lying.strong)
        self.word.color = theme.rgba(look.accent if strong else look.muted)
        self.face.back.paint(look.card, look.accent if strong else look.line, 2 if strong else 1)


class TrickRow(Widget):
    """The cards as they were played, and the place where the next one comes."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        self.back = Backdrop(self, theme.now.sunk)
        self.caption = Text(most=theme.BODY, lines=1, ink=theme.now.muted)
        self.add_widget(self.caption)
        self.next = Shape()
        self._slot = Stroke(1.2)
        self.canvas.add(self._slot)
        self.add_widget(self.next)
        self.played: list[PlayedCard] = []
        self._trick = Trick("", (), "", False)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, trick: Trick) -> None:
        """A card that is new comes up from the seats below."""
        while len(self.played) < len(trick.cards):
            self.played.append(PlayedCard())
            self.add_widget(self.played[-1])
        for at, played in enumerate(self.played):
            Animation.cancel_all(played.face)
            played.show(trick.cards[at] if at < len(trick.cards) else None, trick.gone)
        self.caption.show(trick.caption if trick.gone or not trick.cards else "")
        self.next.seat = "" if trick.gone else trick.turn
        self._slot.paint(theme.now.accent if self.next.seat else None)
        before, self._trick = self._trick, trick
        self._line_up()
        if not trick.gone and not before.gone and len(trick.cards) == len(before.cards) + 1:
            face = self.played[len(before.cards)].face
            y, face.y = face.y, self.y - face.height
            Animation(y=y, duration=MOVE, transition="out_quad").start(face)

    def _line_up(self, *_: object) -> None:
        head, foot, pad = dp(22), dp(20), dp(8)
        self.caption.pos, self.caption.size = (self.x + pad, self.top - head), (self.width - 2 * pad, head)
        tall = max(1.0, min(self.height - head - foot - dp(2), dp(110)))
        count = len(self._trick.cards) + bool(self.next.seat)
        step = min(tall * 0.74 + dp(6), (self.width - 2 * pad) / max(1, count))
        low = self.y + foot + (self.height - head - foot - tall) / 2
        for at, played in enumerate(self.played):
            left, wide = self.x + pad + at * step, max(1.0, step - dp(4))
            Animation.cancel_all(played.face)
            played.face.size, played.face.pos = (wide, tall), (left, low)
            flag = played.face.number.text == "flag"
            room = wide if flag else max(wide, dp(theme.grown(70)))
            played.word.size = room, foot
            spot = max(self.x + dp(2), min(left + (wide - room) / 2, self.right - room))
            played.word.pos = spot, low + tall if flag else low - foot
        left, wide = self.x + pad + len(self._trick.cards) * step, max(1.0, step - dp(4))
        side = min(wide * 0.7, tall * 0.6, dp(44))
        self.next.size, self.next.pos = (side, side), (left + (wide - side) / 2, low + (tall - side) / 2)
        self._slot.lines[0].rounded_rectangle = (left, low + 1, wide, tall - 2, dp(3))


class GladiatorLine(BoxLayout):
    """A seat's part in the trick, the cards it holds, its points."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.GAP), dp(1)), size_hint_max_y=dp(40))
        self.back = Backdrop(self, None)
        self.shape = wide(Shape(), 22)
        self.words = Text(most=theme.BODY, lines=1)
        self.words.bind(width=lambda words, width: setattr(words, "opacity", int(width > dp(TIGHT))))
        self.points = wide(Text(most=theme.TITLE, lines=1, bold=True, align="right"), 50)
        for child in (self.shape, self.words, self.points):
            self.add_widget(child)

    def show(self, seat: Gladiator) -> None:
        look = theme.now
        self.shape.seat = seat.seat
        self.shape.opacity = 0.4 if seat.out else 1
        self.words.show(seat.text)
        self.words.bold = seat.turn or seat.takes
        self.words.color = theme.rgba(look.accent if seat.takes else look.muted if seat.out else look.ink)
        asks(self.points, "points" if seat.points else "", seat.seat).show(seat.points)
        lies(self, f"taken {seat.seat}")
        self.back.paint(look.panel if seat.turn else None, look.accent if seat.turn else None)


class SpartacusBoard(ActBoard[Spartacus]):
    """Everything between the seats; their cards and their points are a line each."""

    edge = 61

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright)
        self.orientation, self.spacing = "vertical", dp(theme.GAP)
        self.lines = [GladiatorLine() for _ in range(5)]
        self.seats = column(gap=1)
        self.trick = lies(TrickRow(), "trick")
        self.away = Away(self.number, self.trick)
        self.beside = column(self.controls, size_hint_x=0.56)
        self.controls.pos_hint = {"center_y": 0.5}
        self.number.size_hint_x = 0.9
        self.lower = row(self.number, self.beside, self.seats, gap=theme.PAD)
        self.add_widget(self.trick)
        self.add_widget(high(self.lower, 164 if upright else 132))

    def on_touch_up(self, touch: object) -> bool:
        """A touch puts away the trick that was taken, but for one on a number, which is asked about."""
        took = bool(super().on_touch_up(touch))
        if self.away.puts(touch, self.centre.past):
            self.show(self.centre)
        return took

    def show(self, spartacus: Spartacus) -> None:
        self.centre = spartacus
        past = self.away.seen(spartacus.past)
        big = past.big if past else spartacus.big
        if self.upright:
            digits = len(big.value)
            self.number.size_hint_x = share(digits, bool(big.seats))
            self.beside.size_hint_x = theme.either(0.8, 1) if digits < 3 else 0.56
        asks(self.number.value, *(past.about if past else spartacus.about))
        self.number.show(big)
        self.trick.show(past.trick if past else spartacus.trick)
        self.controls.show(spartacus.deeds)
        for at, line in enumerate(self.lines):
            known = at < len(spartacus.seats)
            if known:
                line.show(spartacus.seats[at])
            if known != bool(line.parent):
                (self.seats.add_widget if known else self.seats.remove_widget)(line)


def share(digits: int, beside: bool) -> float:
    """How much of the width the number needs upright to stay tall: more for a fourth digit, and for a shape beside."""
    return 0.65 * (max(3, digits) + beside * (1.4 if digits > 3 else 0.5))
