"""Mercator's ships as the seats' rows: six berths, the cargo, the bid or the closed fist."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.mercator.model import SHIP, Ship
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.icon import Sign
from ui.widgets.shape import CardFace
from ui.widgets.text import Backdrop, Text

BERTH = 25, 36
"""The size of a berth, in dp."""
BID = 60
"""The width of the column of bids, in dp."""
FIST = 40


class ShipRow(FloatLayout):
    """The row to the right of a seat's name: its berths, its cargo, its bid or fist."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None))
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.back = Backdrop(self, theme.now.panel, radius=0)
        self.column = Widget(**own)
        self.column_back = Backdrop(self.column, theme.now.stone, radius=0)
        self.places = [Widget(**own) for _ in range(SHIP)]
        for place in self.places:
            place.back = Backdrop(place, theme.now.sunk, theme.now.line, radius=4)
        self.chips = [CardFace(most=TextSize.TEXT, **own) for _ in range(SHIP)]
        for chip in self.chips:
            chip.number.disabled_color = theme.rgba(theme.now.card_ink, 0.6)
        self.cargo = Text(most=TextSize.HEAD, lines=1, align="right", bold=True, **own)
        self.words = Text(most=TextSize.LABEL, align="center", ink=theme.now.muted, cuts=True, **own)
        self.bid = Text(most=TextSize.CARD, lines=1, align="center", **own)
        self.hand = Widget(**own)
        self.hand_back = Backdrop(self.hand, None)
        self.sign = Sign("", 2, **own)
        for part in (self.column, *self.places, *self.chips, self.cargo, self.words, self.bid, self.hand, self.sign):
            self.add_widget(part)

    def show(self, ship: Ship) -> None:
        look = theme.now
        lies(self, f"ship {ship.seat}")
        asks(self.cargo, "cargo", ship.seat).show(ship.cargo)
        for at, chip in enumerate(self.chips):
            chip.show(ship.cards[at] if at < len(ship.cards) else "")
            new = len(ship.cards) - ship.fresh <= at < len(ship.cards)
            chip.back.paint(*(look.card, look.amber, 3) if new else (look.card, look.line))
        self.back.paint(look.wax if ship.best else look.sunk if ship.faint else look.panel)
        self.column_back.paint(look.wax if ship.best else look.sunk if ship.faint else look.stone)
        lies(asks(self.bid, "bid" if ship.bid else "", ship.seat), f"bid {ship.seat}").show(ship.bid)
        self.bid.bold = ship.best
        self.words.show("" if ship.bid or ship.fist else ship.text)
        closed = ship.fist == "closed"
        seat = theme.SEATS[ship.seat]
        self.hand_back.paint(*(seat, look.ink, 1) if closed else (None,))
        self.sign.show(
            "fist" if closed else "help" if ship.fist else "", theme.on_seat(ship.seat) if closed else look.ink
        )
        for part in (*self.chips, *self.places):
            part.disabled = ship.faint
        self.do_layout()

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        column, (broad, tall) = dp(BID), (dp(side) for side in BERTH)
        put(self.column, x + wide - column, y, column, high)
        cargo = dp(theme.either(38, 47))
        left, right = x + dp(3), x + wide - column - cargo - dp(5)
        step = min(dp(32), (right - left) / SHIP)
        for at, (place, chip) in enumerate(zip(self.places, self.chips, strict=True)):
            for part in (place, chip):
                put(part, left + at * step, y + (high - tall) / 2, min(broad, step - dp(2)), tall)
        put(self.cargo, right, y, cargo, high)
        put(self.words, x + wide - column + dp(2), y, column - dp(4), high)
        put(self.bid, x + wide - column, y, column, high)
        side = min(dp(FIST), high - dp(8))
        put(self.hand, x + wide - (column + side) / 2, y + (high - side) / 2, side, side)
        put(self.sign, x + wide - (column + side * 0.6) / 2, y + (high - side * 0.6) / 2, side * 0.6, side * 0.6)
