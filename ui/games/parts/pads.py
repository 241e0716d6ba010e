"""Sheets that end in an act, and the private choice of a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.session.receipt import unseen
from ui import theme
from ui.games.face import face_of
from ui.games.parts.cards import BoardMark, offered
from ui.games.parts.past import Then
from ui.page import Sheet
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import column, high, row, swap, wide
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Text


def possible(m: Moment, seat: str) -> Sequence[str]:
    """Return the cards that everybody knows may be in the seat's hand."""
    gone = face_of(m.game.name).terms.seen(m)
    return [card for card in offered(m, seat) if card not in gone]


def by_finger_next(m: Moment, seat: str) -> str:
    """Return the next seat to choose where both it and this seat can choose only by finger; "" for none."""

    def finger_only(one: str) -> bool:
        return not m.means[one].reader and one not in m.ears

    at = m.seats.index(seat)
    others = [one for one in (*m.seats[at + 1 :], *m.seats[:at]) if one in m.view["waiting"] and finger_only(one)]
    return others[0] if others and finger_only(seat) else ""


class SeatTaps(GridLayout):
    """A grid with one control per seat, of which one or several are chosen."""

    def __init__(self, tapped: Callable[[str], object], cols: int = 5, **rest: object) -> None:
        super().__init__(cols=cols, spacing=dp(theme.GAP), **rest)
        self.taps = [Tap("") for _ in range(7)]
        self._tapped = tapped

    def show(self, seats: Sequence[BoardMark]) -> None:
        for at, tap in enumerate(self.taps):
            mark = seats[at] if at < len(seats) else None
            if mark:
                tap.act = partial(self._tapped, mark.seat)
                tap.show(mark.text, not mark.can, seat=mark.seat, chosen=mark.chosen, shorter=mark.shorter)
            if bool(mark) != bool(tap.parent):
                (self.add_widget if mark else self.remove_widget)(tap)


class Pad(Sheet):
    """A sheet that ends in an act, and says why the act was refused.

    Opened for an earlier act, it asks what that moment would have asked, and ends in a correction to be reviewed.
    """

    then: Then | None = None
    """The moment of long ago; None for now."""

    def fill(self) -> None:
        self.refused = high(Text("", most=TextSize.TEXT, ink=theme.now.stop), 24)

    def do(self, event: dict[str, Any]) -> None:
        """Carry out the act, and close if the referee agreed; for an earlier act, open the correction for review."""
        if self.then:
            self.app.go("back", event=self.then.amended(event), back=self.then.back, given=self.then.leads)
            return
        refusal = self.app.act(event)
        self.refused.show(refusal)
        if not refusal:
            self.app.go("table")

    def moment(self) -> Moment:
        """Return the moment the pad asks about."""
        return self.then.moment if self.then else self.app.moment()

    def was(self, key: str) -> Any:
        """Return the value under that key of the event to correct; None for a new act."""
        return self.then.was.get(key) if self.then else None

    def close(self) -> None:
        if self.then:
            self.app.go(self.then.back, **self.then.leads)
        else:
            super().close()


class HandTap(Touchable):
    """A card on the private pad."""

    def __init__(self) -> None:
        super().__init__(size_hint_min=(dp(theme.TOUCH), dp(theme.TOUCH)))
        self.face = CardFace(pos_hint={"x": 0, "y": 0})
        self.face.number._most = TextSize.CARD
        self.add_widget(self.face)

    def show(self, card: str, chosen: bool) -> None:
        self.face.show(card)
        self.disabled = not card
        _, edge, width = theme.selected()
        self.face.back.paint(theme.now.card, *((edge, width) if chosen else (theme.now.line, 1)))


class ChoosePad(Pad):
    """The choice of a card face down by finger: a cover, then the seat's own hand, and nothing afterwards.

    Players who touch their own tile have the screen already. They choose at once among the cards that everybody knows
    may be in that hand: nothing private is seen. After that the screen is passed on to the next player who can only use
    a finger.
    """

    title = N_("Choose a card")

    def fill(self) -> None:
        super().fill()
        self.seat = ""
        self.shape = Shape(most=170)
        self.ask = Text("", most=TextSize.HEAD, align="center", bold=True)
        self.open = Tap("", self.uncover, kind="main", most=TextSize.TEXT)
        middle = high(row(Widget(), wide(self.open, 320), Widget()), 60)
        self.cover = column(self.shape, high(self.ask, 76), middle, Widget(size_hint_y=0.3), gap=theme.EDGE)
        self.cards = [HandTap() for _ in range(13)]
        self.grid = GridLayout(cols=3 if self.app.upright else 5, spacing=dp(theme.PAD))
        self.chips = high(Text("", most=TextSize.TEXT, lines=1), 30)
        self.hand = column(self.chips, self.grid, self.refused)

    def enter(self, seat: str, then: Then | None = None, own: bool = False) -> None:
        """Show the cover or the cards; `own` if the pad was opened at the seat's own tile."""
        self.seat, self.then = seat, then
        self.shape.seat = seat
        self.refused.show("")
        self.head.show(self.say(self.title))
        m = self.moment()
        if own or self._was_turned_up:
            self.chips.show("")
            ask, lying = N_("{seat}: tap the card to lay face down. The others look away."), ""
            if self._was_turned_up:
                ask, lying = N_("{seat}: which card was it?"), self.was("card")
            self._show_choice(ask, possible(m, seat), lying)
            return
        ask, word = N_("Pass the screen to {seat}. Nobody else may look."), N_("I am {seat}: show my cards")
        if seat in m.absent:
            ask = N_("Pass the screen to the player who stands in for {seat}. Nobody else may look.")
            word = N_("I stand in for {seat}: show the cards")
        self.ask.show(m.say(ask, seat=seat))
        self.open.show(m.say(word, seat=seat))
        swap(self.body, self.cover)

    @property
    def _was_turned_up(self) -> bool:
        """Return whether the card to correct was turned up long ago.

        The pad then asks only which card it was, and shows nothing private.
        """
        if self.then is None or self.then.was["event"] != "choose":
            return False
        return all(self.then.number not in numbers for numbers in unseen(self.app.moment().acts))

    def show(self) -> None:
        if not self.moment().choosing:
            self.app.go("table")

    def uncover(self) -> None:
        """Show the hand, now that its player has the screen."""
        private = self.then.private(self.seat) if self.then else self.app.match.private(self.seat)
        lying = self.was("card") if self.then else private["choice"]
        purse = self.say(N_("Your chips: {chips}"), chips=private["chips"]) if "chips" in private else ""
        self.chips.show(purse)
        self._show_choice(N_("{seat}: tap the card to lay face down"), private["hand"], lying)

    def _show_choice(self, text: str, cards: Sequence[str], lying: str) -> None:
        """Show the cards to choose from, and mark the one that lies face down."""
        self.head.show(self.moment().say(text, seat=self.seat))
        for tap, card in zip(self.cards, cards, strict=False):
            tap.show(card, card == lying)
            tap.act = partial(self._choose, card)
            if tap.parent is None:
                self.grid.add_widget(tap)
        for tap in self.cards[len(cards) :]:
            if tap.parent:
                self.grid.remove_widget(tap)
        swap(self.body, self.hand)

    def _choose(self, card: str) -> None:
        """Lay the card face down, then pass the screen on."""
        following = None if self.then else by_finger_next(self.moment(), self.seat)
        self.do({"event": "choose", "seat": self.seat, "card": card})
        if following and self.app.page is not self:
            self.app.go("choose", seat=following)

    def leave(self) -> None:
        """Clear the pad, so that nothing of the hand stays behind, not even unseen."""
        swap(self.body, self.cover)
        self.chips.show("")
        for tap in self.cards:
            tap.show("", False)
            tap.act = None
