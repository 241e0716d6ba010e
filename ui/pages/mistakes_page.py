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
from ui.pages import mistakes
from ui.pages.remedies import PossibleMistake, Way
from ui.theme import TextSize
from ui.widgets.box import column, high, row, wide
from ui.widgets.list_row import ListRow
from ui.widgets.pages import Paged
from ui.widgets.tap import Tap
from ui.widgets.text import Text

ROW, LIST = 52, 424
"""The height of a row and the width of the list, in dp."""


class MistakeRow(ListRow):
    """A possible mistake; the chosen one is lit."""

    def __init__(self, choose: Callable[[PossibleMistake], object]) -> None:
        super().__init__(choose)
        self.add_widget(row(self.text, pad=(14, 1, 6, 1), pos_hint={"x": 0, "y": 0}))
        self.add_widget(self.edge)

    def show(self, entry: tuple[PossibleMistake, bool]) -> None:
        self.item, chosen = entry
        look, urgent = theme.now, self.item.urgent
        self.text.show(self.item.text)
        self.light(chosen, look.stop if urgent else look.ink, look.stop if urgent else look.accent if chosen else "")


class MistakesPage(Sheet):
    """All that can have happened by now: what was refused or done last comes first, and is chosen."""

    title = N_("Mistake")

    def fill(self) -> None:
        upright = self.app.upright
        self.chosen = ""
        self.list = Paged(lambda: MistakeRow(self._choose), self.say, theme.either(ROW, 58), gap=0)
        self.list.turned = self._choose_seen
        self.remedy = Text(most=TextSize.TEXT, upright="top")
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
        found = mistakes.found(self.app.moment(), self._private_paths())
        chosen = next((each for each in found if each.key == self.chosen), found[0])
        self.chosen = chosen.key
        self.list.show([(each, each is chosen) for each in found])
        self._show_remedy(chosen)

    def _show_remedy(self, item: PossibleMistake) -> None:
        """Show the remedy, and a control for each way on."""
        self.remedy.show(item.remedy)
        self.pads.cols = 2 if len(item.ways) > (2 if self.app.upright else 3) else 1
        while len(self.taps) < len(item.ways):
            self.taps.append(Tap(most=TextSize.TEXT))
        for tap, way in zip(self.taps, item.ways, strict=False):
            tap.act = partial(self._take_way, way)
            tap.show(way.text, seat=way.seat, kind="plain")
        wanted = self.taps[: len(item.ways)]
        if self.pads.children[::-1] != wanted:
            self.pads.clear_widgets()
            for tap in wanted:
                self.pads.add_widget(tap)

    def _choose(self, item: PossibleMistake) -> None:
        self.chosen = item.key
        self.show()

    def _choose_seen(self) -> None:
        """Choose the first mistake in sight if the chosen one is out of sight."""
        seen = [each for each, _ in self.list.seen]
        if all(each.key != self.chosen for each in seen):
            self._choose(seen[0])

    def close(self) -> None:
        self.app.go("table")

    def _private_paths(self) -> list[Path]:
        """Return the paths of the purses and hands that the table can change."""
        try:
            return [part.path for part in self.app.match.draft().parts if part.secret]
        except Mistakes:
            return []

    def _take_way(self, way: Way) -> None:
        if way.page:
            self.app.go(way.page, **way.given)
        elif way.event and not self.app.act(way.event):
            self.app.go("table")
        else:
            self.show()
