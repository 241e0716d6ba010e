"""The page on which an auction's amounts are named: a row each, and one touch for any amount."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout

from companion.rules import N_
from ui import theme
from ui.games.mercator.bids import MOST, BidRow, Bids, bids, event
from ui.games.mercator.moment import MercatorMoment
from ui.games.parts.pads import Pad
from ui.theme import TextSize
from ui.widgets.box import column, row
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, level


class BidLine(Touchable):
    """A seat and its amount; a touch asks for this seat's amount."""

    def __init__(self, touched: Callable[[str], object]) -> None:
        super().__init__(size_hint_min_y=dp(theme.TOUCH), size_hint_max_y=dp(60))
        self._touched = touched
        self.back = Backdrop(self, theme.now.panel)
        self.shape = Shape(size_hint=(None, None))
        self.name = Text(most=TextSize.TEXT, lines=1, size_hint=(None, None))
        self.amount = Text(most=TextSize.HEAD, lines=1, align="right", bold=True, size_hint=(None, None))
        for child in (self.shape, self.name, self.amount):
            self.add_widget(child)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, bidder: BidRow) -> None:
        look = theme.now
        self.act = partial(self._touched, bidder.seat)
        self.shape.seat = bidder.seat
        self.name.show(bidder.name, shorter=bidder.shorter)
        self.chosen = self.name.bold = bidder.asked
        self.amount.show(bidder.amount)
        self.back.paint(*(theme.selected() if bidder.asked else (look.panel, look.line)))

    def _line_up(self, *_: object) -> None:
        pad, side, amount = dp(theme.GAP), dp(28), dp(theme.either(36, 44))
        self.shape.size, self.shape.pos = (side, side), (self.x + pad, self.center_y - side / 2)
        left = self.x + 2 * pad + side
        self.amount.size, self.amount.pos = (amount, self.height), (self.right - pad - amount, self.y)
        self.name.size, self.name.pos = (max(1, self.amount.x - left), self.height), (left, self.y)


class BidsPad(Pad):
    """Every seat that takes part, and every amount; the next seat is asked when one has named its own."""

    title = N_("The bids")

    def fill(self) -> None:
        super().fill()
        self.shown: Bids | None = None
        self.seat = ""
        upright = self.app.upright
        self.lines = [BidLine(self._touch) for _ in range(7)]
        self.seats = GridLayout(cols=2 if upright else 1, spacing=dp(4))
        self.amounts = GridLayout(cols=8 if upright else theme.either(10, 9), spacing=dp(4))
        self.taps = [Tap(str(chips), partial(self._name, chips), most=TextSize.HEAD) for chips in range(MOST + 1)]
        for tap in self.taps:
            self.amounts.add_widget(tap)
        parts = self.seats, self.amounts
        self.seats.size_hint = (1, 0.62) if upright else (0.36, 1)
        self.body.add_widget(column(*parts, gap=theme.PAD) if upright else row(*parts, gap=theme.PAD))
        self.body.add_widget(self.refused)

    def enter(self, seat: str = "") -> None:
        self.seat = seat
        self.refused.show("")

    def show(self) -> None:
        self.shown = bids(cast("MercatorMoment", self.app.moment()), self.seat)
        if self.shown is None:
            self.app.go("table")
            return
        self.head.show(self.shown.title)
        for at, line in enumerate(self.lines):
            there = at < len(self.shown.rows)
            if there:
                line.show(self.shown.rows[at])
            if there != bool(line.parent):
                (self.seats.add_widget if there else self.seats.remove_widget)(line)
        level([line.name for line in self.lines[: len(self.shown.rows)]])
        for chips, tap in enumerate(self.taps):
            tap.show(str(chips), disabled=not self.shown.seat or chips < self.shown.least)

    def _touch(self, seat: str) -> None:
        self.seat = seat
        self.refused.show("")
        self.show()

    def _name(self, chips: int) -> None:
        """Name the amount of the seat that is asked; a second touch waits until the next seat is asked."""
        if self.shown is None:
            return
        refusal = self.app.act(event(self.shown, chips))
        self.refused.show(refusal)
        if not refusal:
            self.seat, self.shown = "", None
