"""Mercator's board: the lot and what it is worth, the highest bid, the track; the ships are the seats' rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.mercator.model import Best, Lot, Mercator
from ui.games.mercator.ships import ShipRow
from ui.games.mercator.track import Track
from ui.games.parts.action_controls import ActionControls
from ui.games.parts.actions import Action
from ui.games.parts.board import Act, Go, RailShape, Say
from ui.games.parts.controls import ActBoard
from ui.games.parts.sticky_result import Away
from ui.layout import BETWEEN
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.shape import CardFace, Shape
from ui.widgets.text import Backdrop, Text, long

CARD, THREE = (84, 128), 68
"""The size of a lot's card, in dp, and its width where three lie."""
TRACK = 76


class BestSheet(Widget):
    """The highest bid so far, or how many fists are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel, theme.now.line)
        self.caption = Text(most=TextSize.TEXT, lines=1, cuts=True)
        self.shape, self.name = Shape(), Text(most=TextSize.HEAD, lines=1, bold=True, cuts=True)
        self.value = Text(most=TextSize.FIGURE, lines=1, bold=True, align="right")
        for part in (self.caption, self.shape, self.name, self.value):
            self.add_widget(part)
        self.bind(pos=self._lay, size=self._lay)

    def show(self, best: Best) -> None:
        look = theme.now
        self.back.paint(*(look.wax, look.accent, 1.5) if best.value else (None,))
        self.caption.show(best.caption, shorter=best.shorter)
        self.shape.seat = best.seat
        self.name.show(best.name)
        asks(self.value, "bid" if best.value and best.seat else "", best.seat or None).show(best.value)
        self._lay()

    def _lay(self, *_: object) -> None:
        (x, y), (wide, high), pad = self.pos, self.size, dp(12)
        number = long(self.value.text, TextSize.FIGURE, True) + dp(4) if self.value.text else 0
        number = min(number, wide * 0.5)
        line = min(dp(theme.above(TextSize.TEXT)), high / 2)
        below = high - line - dp(8)
        narrow = long(self.caption.text, TextSize.LABEL) + dp(2) > wide - 2 * pad - number
        put(self.caption, x + pad, y + high - line - dp(4), wide - 2 * pad - (0 if narrow else number), line)
        side = dp(26) if self.shape.seat else 0
        put(self.shape, x + pad, y + dp(4) + (below - side) / 2, side, side)
        left = x + pad + (side + dp(8) if side else 0)
        room = x + wide - pad - number - dp(4) - left
        self.name.opacity = 1 if room >= long(self.name.text, TextSize.TEXT, True) else 0  # its shape says it too
        put(self.name, left, y + dp(4), room, below)
        put(self.value, x + wide - pad - number, y + dp(4) * narrow, number, below if narrow else high)


class MercatorBoard(ActBoard[Mercator]):
    """The lot above, the highest bid and the acts below it, the track at the foot."""

    rail = RailShape(wide=(408, 400), high=(364, 350), rows=True)

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright)
        self.title, self.pile = (
            Text(most=TextSize.TEXT, lines=1, bold=True),
            Text(most=TextSize.TEXT, lines=1, align="right"),
        )
        self.pile.color = theme.rgba(theme.now.muted)
        self.faces = [CardFace(most=TextSize.FIGURE, radius=6, size_hint=(None, None)) for _ in range(3)]
        self.shapes = [Shape() for _ in range(2)]
        self.note = Text(most=TextSize.TEXT, lines=1, align="right", ink=theme.now.muted)
        self.value = Text(most=TextSize.NUMBER, lines=1, align="right", bold=True)
        self.best, self.track, self.acts = BestSheet(), Track(), ActionControls(self.do)
        self.call = Text(most=TextSize.NUMBER, lines=1, align="center", bold=True)
        self.rows: list[ShipRow] = []
        self.away = Away(self)
        self._cards = 0
        for part in (self.title, self.pile, *self.faces, *self.shapes, self.note, self.value, self.best, self.track,
                     self.acts, self.call):  # fmt: skip
            self.add_widget(part)

    def annexes(self, count: int) -> Sequence[Widget]:
        """Return the rows with the ships, one per seat."""
        self.rows = [ShipRow() for _ in range(count)]
        return self.rows

    def do(self, action: Action) -> None:
        """Carry out an act; open a separate page to name amounts."""
        if action.verb in ("bid", "sold"):
            self.go("mercator.bids", seat=action.seat)
        else:
            super().do(action)

    def on_touch_up(self, touch: object) -> bool:
        """Put away the last auction on a touch, except one on a number, which is asked about."""
        took = bool(super().on_touch_up(touch))
        if self.away.puts(touch, self.centre.past):
            self.show(self.centre)
        return took

    def show(self, mercator: Mercator) -> None:
        self.centre = mercator
        past = self.away.seen(mercator.past)
        self._show_lot(Lot("", (), (), "", ("", None)) if mercator.call else past.lot if past else mercator.lot)
        bids = {bidder.seat: bidder for bidder in past.auction.bidders} if past else {}
        for row, ship in zip(self.rows, mercator.ships, strict=False):
            told = bids.get(ship.seat)
            row.show(replace(ship, bid=told.text, best=told.wins, fist="") if told and told.text else ship)
        self.title.show(mercator.title if not past else "")
        lies(asks(self.pile, "pile" if mercator.pile else ""), "pile").show("" if mercator.call else mercator.pile)
        best = None if past else mercator.best
        self.best.opacity = 1 if best else 0
        if best:
            self.best.show(best)
        self.track.show(mercator.track, mercator.last, mercator.stood)
        self.acts.show([action for action in mercator.actions if not action.seat])
        self.call.show(mercator.call)
        self.do_layout()

    def unveil(self, mercator: Mercator, seconds: float) -> None:
        """Do nothing: the players open their fists themselves."""

    def _show_lot(self, lot: Lot) -> None:
        lies(asks(self.value, *lot.about), lot.about[0]).show(lot.value)
        self.note.show(lot.note)
        self._cards = len(lot.cards)
        for at, face in enumerate(self.faces):
            lies(face, "lot").show(lot.cards[at] if at < len(lot.cards) else "")
        for at, shape in enumerate(self.shapes):
            shape.seat = lot.seats[at] if at < len(lot.seats) else ""

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high), gap = self.pos, self.size, dp(BETWEEN)
        line = dp(theme.above(TextSize.TEXT))
        self.title.opacity = 0 if self.upright else 1
        put(self.title, x, y + high - line, wide / 2, line)
        track = dp(theme.either(TRACK, 70))
        put(self.track, x, y, wide, track)
        top = y + high - (0 if self.upright else line + dp(4))
        if not self.upright:
            put(self.pile, x + wide / 2, y + high - line, wide / 2, line)
        tall = min(dp(CARD[1]), top - y - track - gap - (0 if self.upright else dp(60) + gap))
        beside = wide * 0.34 if self.upright else 0
        self._lay_lot((x, top - tall), (wide - beside, tall))
        if self.upright:
            self._lay_below((x + wide - beside + gap, top - tall), (beside - gap, tall))
        else:
            low = y + track + gap
            self._lay_below((x, low), (wide, min(dp(96), top - tall - gap - low)))
        put(self.call, x, top - tall, wide - beside, tall)

    def _lay_lot(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Place the cards at the left, and their worth at the right."""
        (x, y), (wide, high), gap = pos, size, dp(6)
        broad = dp(THREE if self._cards > 2 else CARD[0]) * min(1.0, high / dp(CARD[1]))
        if self.upright and self._cards > 2:
            broad = min(broad, dp(theme.either(60, 52)))
        if self._cards and self.note.text:
            word = long(self.note.text, TextSize.LABEL) + dp(4)
            broad = min(broad, (wide - word) / self._cards - gap)
        for at, face in enumerate(self.faces):
            put(face, x + at * (broad + gap), y, broad, high)
        left = x + self._cards * (broad + gap)
        for shape in self.shapes:
            if shape.seat:
                put(shape, left, y + (high - dp(40)) / 2, dp(40), dp(40))
                left += dp(48)
        room = x + wide - left
        line = dp(theme.above(TextSize.TEXT))
        number = (
            dp(theme.above(TextSize.NUMBER)) if room >= long(self.value.text, TextSize.NUMBER, True) + dp(2) else dp(80)
        )
        number = min(number, high - line)
        low = 0.0
        if self.upright:  # the pile stands below
            low = min(line, high * 0.25)
            put(self.pile, left, y, room, low)
            number = min(number, high - line - low)
        put(self.value, left, y + low, room, number)
        put(self.note, left, y + min(low + number + dp(2), high - line), room, line)

    def _lay_below(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Place the highest bid, and beside it or in its place the possible acts."""
        (x, y), (wide, high), gap = pos, size, dp(BETWEEN)
        count = sum(bool(tap.parent) for tap in self.acts.taps)
        told = bool(self.best.opacity) and count < 2 and not (self.upright and count)
        low = min(high, dp(60)) if not self.upright else high
        acts = self.acts.needed(wide, low)
        put(self.acts, x + wide - acts, y, acts, low)
        put(self.best, x, y, wide - (acts + gap if count else 0), high)
        self.best.opacity = 1 if told else 0
