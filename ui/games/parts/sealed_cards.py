"""The places of the cards that all choose face down: dashed, then a back, until all turn."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.sealed import CardPlace, Sealed
from ui.layout import BETWEEN
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.fresh import Dashed
from ui.widgets.icon import Tick
from ui.widgets.motion import Turn, turned
from ui.widgets.shape import CardFace, Shape
from ui.widgets.text import Backdrop, Text, long

CARD = 60, 84
"""The size of a place, in dp."""


class SealedCard(FloatLayout):
    """The place of a seat's card, its back, or the card."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None))
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.back, self.place = Backdrop(self, None, radius=4), Dashed(self)
        self.card, self.shape, self.tick = CardFace(most=TextSize.CARD, radius=4, **own), Shape(**own), Tick(**own)
        for part in (self.card, self.shape, self.tick):
            self.add_widget(part)
        self._turn = Turn(self)

    def turn(self, part: float) -> None:
        """Show how far the card has turned."""
        self._turn.show(part)

    def show(self, place: CardPlace, ink: str = "") -> None:
        """Show the place; on a ground of the seat's colour an empty one is drawn in `ink`."""
        down, up = place.card == "?", len(place.card) > 1
        self.card.show(place.card if up else "")
        self.back.paint(theme.SEATS[place.seat] if down else None, theme.now.ink if down else None, 1.5)
        self.place.paint(None if place.card else ink or theme.now.muted)
        self.shape.seat = "" if up else place.seat
        self.shape.fill = theme.on_seat(place.seat) if down else ink
        self.tick.show(down)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        put(self.card, x, y, wide, high)
        side = wide * 0.45
        put(self.shape, x + (wide - side) / 2, y + (high - side) / 2, side, side)
        put(self.tick, x + wide - dp(14), y + high - dp(14), dp(22), dp(22))


class SealedCards(Widget):
    """A place for every seat, and beside them how many cards lie there."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.cards: list[SealedCard] = []
        self.count = Text(most=TextSize.HEAD, lines=1, bold=True)
        self.add_widget(self.count)
        self.bind(pos=self._lay, size=self._lay)

    def show(self, sealed: Sealed | None) -> None:
        places = sealed.places if sealed else ()
        while len(self.cards) > len(places):
            self.remove_widget(self.cards.pop())
        while len(self.cards) < len(places):
            self.cards.append(SealedCard())
            self.add_widget(self.cards[-1])
        for card, place in zip(self.cards, places, strict=True):
            card.show(place)
        self.count.show(sealed.count if sealed else "")
        self._lay()

    def unveil(self, sealed: Sealed, seconds: float) -> None:
        """Show the backs, then the cards as they turn."""
        part = turned(seconds)
        up = part >= 0.5
        self.show(Sealed([CardPlace(place.seat, place.card if up else "?") for place in sealed.places], sealed.count))
        for card in self.cards:
            card.turn(part)

    def _lay(self, *_: object) -> None:
        """Place the cards, closer together where there is little width; the count lies below if there is more room."""
        (broad, tall), count, least = (dp(side) for side in CARD), len(self.cards), dp(theme.GAP)
        words, fewest = (long(self.count.text, size, True) + dp(2) for size in (TextSize.HEAD, TextSize.TEXT))
        line = dp(theme.above(TextSize.TEXT))
        below = self.width < count * (broad + least) + fewest and self.height >= tall + line
        if not below and count:
            broad = min(broad, (self.width - fewest) / count - least)
        room = self.width - count * broad - (dp(BETWEEN) if below else words)
        between = max(least, min(dp(2 * BETWEEN), room / max(1, count - below)))
        low = self.y + (self.height - tall + line * below) / 2
        for at, card in enumerate(self.cards):
            put(card, self.x + at * (broad + between), low, broad, tall)
        left = count * (broad + between)
        if below:
            put(self.count, self.x, low - line, self.width, line)
        else:
            put(self.count, self.x + left, low, max(1, self.width - left), tall)
