"""Mercator's centre: the lot and its sum, the auction, the ships, the track; in the end the sale."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.games.mercator.auction import Arc
from ui.games.mercator.model import Mercator
from ui.games.mercator.ships import LotBox, Ships
from ui.games.mercator.track import Track
from ui.games.parts.away import Away
from ui.games.parts.board import Act, Go, Say
from ui.games.parts.controls import ActBoard, Controls
from ui.games.parts.deeds import Deed
from ui.games.parts.rows import SeatTable
from ui.widgets.box import column, high, row, swap
from ui.widgets.text import Text, broad


class LineOfControls(Controls):
    """What can be done side by side, but for what is done by tapping a ship."""

    def show(self, deeds: Sequence[Deed]) -> None:
        deeds = [deed for deed in deeds if not deed.seat]
        super().show(deeds)
        self.cols, self.height = max(1, len(deeds)), dp(theme.TOUCH + 2) if deeds else 0
        for tap, deed in zip(self.taps, deeds, strict=False):
            tap.size_hint_x = broad(deed.text, theme.SMALL, True) + dp(2 * theme.GAP)


class MercatorBoard(ActBoard[Mercator]):
    """Everything between the seats."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright)
        self.orientation, self.spacing = "vertical", dp(theme.GAP)
        self.number, self.arc, self.controls = LotBox(upright), Arc(), LineOfControls(self.do)
        self.track = Track(size_hint_y=None)
        self.ships, self.sale = Ships(self.do, upright), SeatTable(1 if upright else 2)
        self.call = Text(most=160, least=theme.BANNER, lines=1, align="center", bold=True, ink=theme.now.ink)
        self.stage, self.away = BoxLayout(), Away(self.number, self.arc)
        self._lay()

    def do(self, deed: Deed) -> None:
        """Amounts have a page of their own."""
        if deed.verb in ("bid", "sold"):
            self.go("mercator.bids", seat=deed.seat)
        else:
            super().do(deed)

    def _lay(self) -> None:
        if self.upright:
            head = row(self.number, column(self.arc, self.controls), gap=theme.PAD)
            for part in (high(head, theme.either(150, 128)), self.track, self.stage):
                self.add_widget(part)
            return
        self.number.size_hint_y = None
        self.number.height = dp(84)
        self.side = column(self.number, self.arc, self.controls)
        self.add_widget(self.track)
        self.add_widget(row(self.side, self.stage, gap=theme.PAD))

    def _share(self, sold: bool) -> None:
        """The track takes less from large letters, and nothing from a sale in them, which tells every cargo."""
        gone = sold and theme.letters > 1
        self.track.opacity, self.track.height = (
            1 - gone,
            dp(theme.either(78 if self.upright else 72, 0 if gone else 64)),
        )
        if not self.upright:
            self.side.size_hint_x = 0.395 if gone else theme.either(0.58, 0.64)

    def on_touch_up(self, touch: object) -> bool:
        """A touch puts away what has happened, but for one on a number, which is asked about."""
        took = bool(super().on_touch_up(touch))
        if self.away.puts(touch, self.centre.past):
            self.show(self.centre)
        return took

    def show(self, mercator: Mercator) -> None:
        self.centre = mercator
        past = self.away.seen(mercator.past)
        self.number.show(past.lot if past else mercator.lot)
        self.arc.show(past.auction if past else mercator.auction)
        self.controls.show(mercator.deeds)
        self.track.show(mercator.track, mercator.last)
        self.ships.show(mercator.ships)
        self._share(bool(mercator.sale))
        if self.upright:
            self.number.size_hint_x = 1.1 if self.arc.opacity else 2
        if mercator.sale:
            self.sale.show(mercator.sale.heads, mercator.sale.rows)
        self.call.show(mercator.call)
        swap(self.stage, self.call if mercator.call else self.sale if mercator.sale else self.ships)
