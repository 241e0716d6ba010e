"""Mistakes: a row for each possible one, and beside the list the remedy for the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout

from companion.rules import N_
from companion.rules.mistakes import Mistakes
from companion.rules.position_parts import Path
from ui import theme
from ui.page import Sheet
from ui.pages import wrong
from ui.pages.remedies import Way, Wrong
from ui.theme import Step
from ui.widgets.box import column, high, row, wide
from ui.widgets.list_row import ListRow
from ui.widgets.pages import Paged
from ui.widgets.tap import Tap
from ui.widgets.text import Text

ROW, LIST = 52, 424
"""How high a row is and how wide the list, in dp."""


class WrongRow(ListRow):
    """What can have happened; the chosen one is lit."""

    def __init__(self, choose: Callable[[Wrong], object]) -> None:
        super().__init__(choose)
        self.add_widget(row(self.text, pad=(14, 1, 6, 1), pos_hint={"x": 0, "y": 0}))
        self.add_widget(self.edge)

    def show(self, entry: tuple[Wrong, bool]) -> None:
        self.item, chosen = entry
        look, urgent = theme.now, self.item.urgent
        self.text.show(self.item.text)
        self.light(chosen, look.stop if urgent else look.ink, look.stop if urgent else look.accent if chosen else "")


class WrongPage(Sheet):
    """All that can have happened by now: what was refused or done last comes first, and is chosen."""

    title = N_("Mistake")

    def fill(self) -> None:
        upright = self.app.upright
        self.chosen = ""
        self.list = Paged(lambda: WrongRow(self._choose), self.say, theme.either(ROW, 58), gap=0)
        self.remedy = Text(most=Step.TEXT, upright="top")
        self.pads = GridLayout(spacing=dp(8), size_hint_y=None, row_default_height=dp(ROW), row_force_default=True)
        self.pads.bind(minimum_height=self.pads.setter("height"))
        self.taps: list[Tap] = []
        side = column(self.remedy, self.pads, gap=8, pad=(16, 14))
        self.body.padding, self.body.spacing = 0, 0
        if upright:
            self.body.add_widget(column(high(self.list, theme.either(7 * ROW, 6 * 58)), side, gap=0))
        else:
            self.body.add_widget(row(wide(self.list, theme.either(LIST, 400)), side, gap=0))

    def enter(self) -> None:
        self.chosen = ""
        self.list.from_the_top()

    def show(self) -> None:
        found = wrong.found(self.app.moment(), self._own())
        chosen = next((each for each in found if each.key == self.chosen), found[0])
        self.chosen = chosen.key
        self.list.show([(each, each is chosen) for each in found])
        self._tell(chosen)

    def _tell(self, item: Wrong) -> None:
        """Show the remedy, and a control for each way on."""
        self.remedy.show(item.remedy)
        self.pads.cols = 2 if len(item.ways) > (2 if self.app.upright else 3) else 1
        while len(self.taps) < len(item.ways):
            self.taps.append(Tap(most=Step.TEXT))
        for tap, way in zip(self.taps, item.ways, strict=False):
            tap.act = partial(self._take, way)
            tap.show(way.text, seat=way.seat, kind="plain")
        wanted = self.taps[: len(item.ways)]
        if self.pads.children[::-1] != wanted:
            self.pads.clear_widgets()
            for tap in wanted:
                self.pads.add_widget(tap)

    def _choose(self, item: Wrong) -> None:
        self.chosen = item.key
        self.show()

    def close(self) -> None:
        self.app.go("table")

    def _own(self) -> list[Path]:
        """Return the paths of the purses and hands that the table can change."""
        try:
            return [part.path for part in self.app.match.draft().parts if part.secret]
        except Mistakes:
            return []

    def _take(self, way: Way) -> None:
        if way.page:
            self.app.go(way.page, **way.given)
        elif way.event and not self.app.act(way.event):
            self.app.go("table")
        else:
            self.show()
