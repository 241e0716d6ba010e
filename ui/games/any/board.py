"""The default board: the number that matters, what can be done, cards, places and a row for every seat."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.any.model import Anything
from ui.games.parts.board import Act, Go, Say
from ui.games.parts.controls import ActBoard
from ui.games.parts.headline import Headline
from ui.games.parts.rows import CardStrip, SeatTable
from ui.games.parts.tile_grid import TileGrid
from ui.theme import TextSize
from ui.widgets.box import column, high, row
from ui.widgets.text import Text

ROW, TALL, LINES = 16, (156, 178), 40
"""A seat's row at least, upright the number at least and at most, and two lines of facts, in dp."""


NOTHING = Anything(Headline("", "", ""), (), "", (), (), (), {}, ())
"""The model shown before the first moment."""


class AnyBoard(ActBoard[Anything]):
    """The board of any game, from public information alone."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright)
        self.centre, self.start = NOTHING, ""
        self.spacing = dp(theme.GAP if upright else theme.PAD)
        self.facts = high(Text(most=TextSize.TEXT, lines=2), LINES)
        self.strips = [CardStrip(size_hint_y=0.34) for _ in range(3)]
        self.grid = TileGrid(self.tap)
        self.table = SeatTable()
        self.picture, self.blank = column(), Widget()
        head = row(self.number, self.controls) if upright else column(self.number, self.controls, size_hint_x=0.56)
        self.controls.pos_hint = {"center_y": 0.5}
        self.add_widget(high(head, TALL[0]) if upright else head)
        if upright:
            self.bind(height=lambda *_: high(head, max(TALL[0], min(TALL[1], self.height / dp(1) * 0.35))))
        self.add_widget(self.picture)
        self.picture.bind(size=self._lay)
        self._shape: tuple[bool, int, bool, bool] | None = None

    def show(self, centre: Anything) -> None:
        self.centre = centre
        if self.start and ("", self.start) not in centre.taps:
            self.start = ""
        self.number.show(centre.big)
        self.controls.show(centre.actions)
        self.facts.show(centre.facts)
        for widget, strip in zip(self.strips, centre.strips, strict=False):
            widget.show(strip)
        if centre.heads:
            self.table.show(centre.heads, centre.rows)
        self.paint_places()
        self._lay()

    def _lay(self, *_: object) -> None:
        """Lay out the parts there is room for.

        Where there is little room, and beside places, the seats' own panels tell their facts instead of the table.
        """
        centre = self.centre
        need = bool(centre.facts) * (LINES + 2) + len(centre.strips) * 64 + 22 + ROW * len(centre.rows)
        tabled = bool(centre.heads) and not centre.tiles and self.picture.height >= dp(need)
        shape = bool(centre.facts), len(centre.strips), bool(centre.tiles), tabled
        if shape == self._shape:
            return
        self._shape = shape
        self.picture.clear_widgets()
        parts = [*([self.facts] if centre.facts else []), *self.strips[: len(centre.strips)]]
        parts += [self.grid] if centre.tiles else [self.table] if tabled else [self.blank]
        for part in parts:
            self.picture.add_widget(part)

    def tap(self, place: str) -> None:
        """Handle a tap on a place: begin an act there, carry it out, or call it off."""
        taps = self.centre.taps
        pair = self.start, place
        if pair not in taps:
            pair = "", place
        self.start = "" if place == self.start or taps.get(pair) else place
        self.paint_places()
        action = taps.get(pair)
        if action:
            self.do(action)

    def paint_places(self) -> None:
        taps = self.centre.taps
        lit = {place for start, place in taps if start == self.start}
        begins = {place for start, place in taps if not start} if self.start else set()
        self.grid.show(self.centre.tiles, lit, lit | begins, self.start)
