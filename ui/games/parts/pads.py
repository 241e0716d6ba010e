"""Sheets that end in an act, and the private choice of a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from ui import theme
from ui.games.parts.marks import BoardMark
from ui.games.parts.then import Then
from ui.page import Sheet
from ui.table.moment import Moment
from ui.theme import Step
from ui.widgets.box import column, high, row, swap, wide
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Text


class SeatTaps(GridLayout):
    """One control a seat, of which one or several are chosen."""

    def __init__(self, tapped: Callable[[str], object], cols: int = 5, **rest: object) -> None:
        super().__init__(cols=cols, spacing=dp(theme.GAP), **rest)
        self.taps = [Tap("") for _ in range(7)]
        self._tapped = tapped

    def show(self, seats: Sequence[BoardMark]) -> None:
        for at, tap in enumerate(self.taps):
            mark = seats[at] if at < len(seats) else None
            if mark:
                tap.act = partial(self._tapped, mark.seat)
                tap.show(mark.text, disabled=not mark.can, seat=mark.seat, chosen=mark.chosen)
            if bool(mark) != bool(tap.parent):
                (self.add_widget if mark else self.remove_widget)(tap)


class Pad(Sheet):
    """A sheet that ends in an act, and says why the act was refused.

    Opened for an act of long ago, it asks what that moment would have asked, and ends in an amendment to be looked at.
    """

    then: Then | None = None
    """The moment of long ago; None for now."""

    def fill(self) -> None:
        self.refused = high(Text("", most=Step.TEXT, ink=theme.now.stop), 24)

    def do(self, event: dict[str, Any]) -> None:
        """Acts, and closes if the referee agreed."""
        if self.then:
            self.app.go("back", event=self.then.amended(event))
            return
        refusal = self.app.act(event)
        self.refused.show(refusal)
        if not refusal:
            self.app.go("table")

    def moment(self) -> Moment:
        """What the pad asks about."""
        return self.then.moment if self.then else self.app.moment()

    def was(self, key: str) -> Any:
        """What stood there under that key of the event; None now."""
        return self.then.was.get(key) if self.then else None

    def close(self) -> None:
        if self.then:
            self.app.go("log", number=self.then.number)
        else:
            super().close()


class HandTap(Touchable):
    """A card on the private pad."""

    def __init__(self) -> None:
        super().__init__(size_hint_min=(dp(theme.TOUCH), dp(theme.TOUCH)))
        self.face = CardFace(pos_hint={"x": 0, "y": 0})
        self.face.number._most = Step.CARD
        self.add_widget(self.face)

    def show(self, card: str, chosen: bool) -> None:
        self.face.show(card)
        self.disabled = not card
        self.face.back.paint(theme.now.card, theme.now.accent if chosen else theme.now.line)


class ChoosePad(Pad):
    """A card face down by finger: a cover, then the seat's own hand, and nothing afterwards."""

    title = N_("Choose a card")

    def fill(self) -> None:
        super().fill()
        self.seat = ""
        self.shape = Shape(most=170)
        self.ask = Text("", most=Step.HEAD, align="center", bold=True)
        self.open = Tap("", self.uncover, kind="main", most=Step.TEXT)
        middle = high(row(Widget(), wide(self.open, 320), Widget()), 60)
        self.cover = column(self.shape, high(self.ask, 76), middle, Widget(size_hint_y=0.3), gap=theme.EDGE)
        self.cards = [HandTap() for _ in range(13)]
        self.grid = GridLayout(cols=3 if self.app.upright else 5, spacing=dp(theme.PAD))
        self.chips = high(Text("", most=Step.TEXT, lines=1), 30)
        self.hand = column(self.chips, self.grid, self.refused)

    def enter(self, seat: str, then: Then | None = None) -> None:
        self.seat, self.then = seat, then
        self.shape.seat = seat
        self.refused.show("")
        self.head.show("")
        m = self.moment()
        ask, word = N_("Pass the screen to {seat}. Nobody else may look."), N_("I am {seat}: show my cards")
        if seat in m.absent:
            ask = N_("Pass the screen to whoever plays for {seat}. Nobody else may look.")
            word = N_("I play for {seat}: show the cards")
        self.ask.show(m.say(ask, seat=seat))
        self.open.show(m.say(word, seat=seat))
        swap(self.body, self.cover)

    def show(self) -> None:
        if not self.moment().choosing:
            self.app.go("table")

    def uncover(self) -> None:
        """Shows the hand: the screen is in the hands of its seat."""
        private = self.then.private(self.seat) if self.then else self.app.match.private(self.seat)
        lying = self.was("card") if self.then else private["choice"]
        self.head.show(self.moment().say(N_("{seat}: tap the card to lay face down"), seat=self.seat))
        purse = self.say(N_("Your chips: {chips}"), chips=private["chips"]) if "chips" in private else ""
        self.chips.show(purse)
        for tap, card in zip(self.cards, private["hand"], strict=False):
            tap.show(card, card == lying)
            tap.act = partial(self._choose, card)
            if tap.parent is None:
                self.grid.add_widget(tap)
        for tap in self.cards[len(private["hand"]) :]:
            if tap.parent:
                self.grid.remove_widget(tap)
        swap(self.body, self.hand)

    def _choose(self, card: str) -> None:
        self.do({"event": "choose", "seat": self.seat, "card": card})

    def leave(self) -> None:
        """Nothing of the hand stays behind, not even unseen."""
        swap(self.body, self.cover)
        self.chips.show("")
        for tap in self.cards:
            tap.show("", False)
            tap.act = None
