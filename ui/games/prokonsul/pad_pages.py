"""The pads of the negotiations: an offer, chips handed over, a coalition."""

from __future__ import annotations

from functools import partial
from typing import cast

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from ui import theme
from ui.games.parts.cards import marks
from ui.games.parts.pads import Pad, SeatTaps
from ui.games.prokonsul import pads
from ui.games.prokonsul.moment import ProkonsulMoment
from ui.theme import TextSize
from ui.widgets.box import column, high, row
from ui.widgets.digits import Digits
from ui.widgets.tap import Tap
from ui.widgets.text import Text


def now(pad: Pad) -> ProkonsulMoment:
    """Return the moment a pad is shown in, as one of Prokonsul, the only game that opens it."""
    return cast("ProkonsulMoment", pad.app.moment())


class OfferPad(Pad):
    """The pleader's offer: to whom, chips now, and a promise in words."""

    title = N_("An offer")

    def fill(self) -> None:
        super().fill()
        self.to, self.promise = "", ""
        self.seats = SeatTaps(self._set_receiver, cols=4 if not self.app.upright else 2)
        self.seats.size_hint_y, self.seats.height = None, dp(56 if not self.app.upright else 112)
        self.digits = Digits(lambda _: self._clear_refusal(), across=6 if self.app.upright else 3)
        self.words = Tap("", self._write_promise, most=TextSize.TEXT)
        self.stock = [Tap("") for _ in pads.PROMISES]
        for tap, text in zip(self.stock, map(self.say, pads.PROMISES), strict=True):
            tap.show(text)
            tap.act = partial(self._set_promise, text)
        self.chips = high(Text(self.say(N_("Chips, paid at once if the answer is yes")), most=TextSize.LABEL, lines=1,
                               ink=theme.now.muted, align="center"), theme.grown(18))  # fmt: skip
        self.note = high(Text(self.say(N_("A promise, if you like; promises bind nobody")), most=TextSize.LABEL,
                              ink=theme.now.muted), theme.above(TextSize.LABEL, 2))  # fmt: skip
        self.offer = high(Tap(self.say(N_("Make the offer")), self._offer, kind="main", most=TextSize.TEXT), 56)
        promises = GridLayout(cols=2 if self.app.upright else 1, spacing=dp(theme.GAP))
        for tap in (self.words, *self.stock):
            promises.add_widget(tap)
        side = column(self.seats, self.note, promises, size_hint_y=0.8 if self.app.upright else 1)
        end = column(self.chips, self.digits, self.offer)
        both = column(side, end) if self.app.upright else row(side, end, gap=theme.EDGE)
        self.body.add_widget(both)
        self.body.add_widget(self.refused)

    def enter(self, to: str = "", promise: str | None = None) -> None:
        if promise is not None:
            self.promise = promise
            self._clear_refusal()
            return
        view = now(self).view
        can = [view["offer"]["to"]] if view["offer"] else view["can_ask"]
        self.to, self.promise = to or (can[0] if len(can) == 1 else ""), ""
        self.digits.begin(view["offer"]["chips"] if view["offer"] else 0)
        self._clear_refusal()

    def show(self) -> None:
        moment = now(self)
        if moment.view["phase"] not in ("pleading", "answering"):
            self.app.go("table")
            return
        self.seats.show(pads.askable(moment, self.to))
        self.head.show(moment.say(N_("{seat} makes an offer"), seat=moment.view["pleader"]))
        self._show_promise()
        self.offer.show(self.offer.words.text, disabled=not self.to)

    def _clear_refusal(self) -> None:
        """Clear the refusal of the last try, which no longer holds after a change."""
        self.refused.show("")

    def _set_receiver(self, seat: str) -> None:
        self.to = seat
        self._clear_refusal()
        self.show()

    def _set_promise(self, said: str) -> None:
        self.promise = "" if said == self.promise else said
        self._clear_refusal()
        self._show_promise()

    def _show_promise(self) -> None:
        """Mark the chosen promise, or show the words that were written."""
        stock = [self.say(text) for text in pads.PROMISES]
        for tap, text in zip(self.stock, stock, strict=True):
            tap.show(text, chosen=text == self.promise)
        written = "" if self.promise in stock else self.promise
        self.words.show(written or self.say(N_("Write a promise …")), chosen=bool(written))

    def _write_promise(self) -> None:
        self.app.go("write", title=self.say(N_("A promise")), text=self.promise,
                    done=lambda said: self.app.go(self.name, promise=said))  # fmt: skip

    def _offer(self) -> None:
        event = {"event": "offer", "seat": now(self).view["pleader"], "to": self.to, "chips": self.digits.value}
        self.do(event | {"promise": self.promise} if self.promise else event)


class TransferPad(Pad):
    """The pad for chips handed over in free negotiation."""

    title = N_("Hand over chips")

    def fill(self) -> None:
        super().fill()
        self.giver = self.taker = ""
        cols = 3 if self.app.upright or theme.letters > 1 else 5
        tall = dp(112 if cols == 3 else 56)
        self.givers = SeatTaps(self._set_giver, cols, size_hint_y=None, height=tall)
        self.takers = SeatTaps(self._set_taker, cols, size_hint_y=None, height=tall)
        self.digits = Digits(across=6 if self.app.upright else 3)
        self.done = high(Tap(self.say(N_("Hand over")), self._send, kind="main", most=TextSize.TEXT), 56)
        captions = [high(Text(self.say(text), most=TextSize.LABEL, lines=1, ink=theme.now.muted), theme.grown(18))
                    for text in (N_("From"), N_("To"))]  # fmt: skip
        side = column(captions[0], self.givers, captions[1], self.takers, Widget())
        end = column(self.digits, self.done)
        self.body.add_widget(column(side, end) if self.app.upright else row(side, end, gap=theme.EDGE))
        self.body.add_widget(self.refused)

    def enter(self) -> None:
        self.giver = self.taker = ""
        self.digits.put(0)
        self.refused.show("")

    def show(self) -> None:
        moment = now(self)
        self.givers.show(marks(moment, [self.giver]))
        self.takers.show(marks(moment, [self.taker], without=self.giver))
        self.done.show(self.done.words.text, disabled=not (self.giver and self.taker))

    def _set_giver(self, seat: str) -> None:
        self.giver = seat
        self.taker = "" if self.taker == seat else self.taker
        self.show()

    def _set_taker(self, seat: str) -> None:
        self.taker = seat
        self.show()

    def _send(self) -> None:
        self.do({"event": "transfer", "seat": self.giver, "to": self.taker, "chips": self.digits.value})


class CoalitionPad(Pad):
    """The pad for a coalition in free negotiation: its members, and which of them wins."""

    title = N_("Name a coalition")

    def fill(self) -> None:
        super().fill()
        self.members: list[str] = []
        self.winner = ""
        cols = 3 if self.app.upright else 5
        tall = dp(112 if self.app.upright else 60)
        self.all = SeatTaps(self._toggle_member, cols, size_hint_y=None, height=tall)
        self.winners = SeatTaps(self._set_winner, cols, size_hint_y=None, height=tall)
        self.sum = Text("", most=TextSize.NUMBER, lines=1, align="center", bold=True, ink=theme.now.ink)
        self.note = high(Text("", most=TextSize.TEXT, lines=1, align="center"), 24)
        self.done = high(Tap(self.say(N_("Award the round")), self._send, kind="main", most=TextSize.TEXT), 56)
        captions = [high(Text(self.say(text), most=TextSize.LABEL, lines=1, ink=theme.now.muted), theme.grown(18))
                    for text in (N_("Members, with their own cards"), N_("Which of them wins"))]  # fmt: skip
        for part in (captions[0], self.all, self.sum, self.note, captions[1], self.winners, self.refused, self.done):
            self.body.add_widget(part)

    def enter(self) -> None:
        self.members, self.winner = [], ""
        self.refused.show("")

    def show(self) -> None:
        moment = now(self)
        if moment.view["phase"] != "negotiating":
            self.app.go("table")
            return
        model = pads.coalition(moment, self.members, self.winner)
        self.all.show(model.members)
        self.winners.show(model.winners)
        self.sum.show(model.sum)
        self.note.show(model.note)
        self.done.show(self.done.words.text, disabled=not self.winner)

    def _toggle_member(self, seat: str) -> None:
        self.members = [s for s in now(self).seats if (s in self.members) != (s == seat)]
        self.winner = self.winner if self.winner in self.members else ""
        self.show()

    def _set_winner(self, seat: str) -> None:
        self.winner = seat
        self.show()

    def _send(self) -> None:
        self.do({"event": "coalition", "seat": self.winner, "members": self.members})
