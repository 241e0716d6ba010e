"""Hannibal's map: which regions are joined by land and by sea, checked once against the print."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout

from companion.rules import N_
from companion.rules.data import Data
from companion.rules.words import name
from ui import theme
from ui.games.hannibal import data
from ui.games.parts.data_sheet import DataSheet
from ui.theme import Step
from ui.widgets.box import column, high, panel, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class MapPage(DataSheet):
    """The ways by land and by sea as lists; tap a region, then those that are joined with it."""

    game, title = "hannibal", N_("Board data: Hannibal")

    def fill(self) -> None:
        super().fill()
        upright = self.app.upright
        self.chosen, self.kind = "", "land"
        self.note = high(
            Text("", most=Step.TEXT, ink=theme.now.muted),
            theme.above(Step.LABEL, theme.either(2, 3) if upright else 2),
        )
        self.lists = {kind: Text("", most=Step.TEXT) for kind in ("land", "sea")}
        words = {"land": self.say(N_("By land")), "sea": self.say(N_("By sea"))}
        self.kinds = {kind: Tap(words[kind], partial(self._by, kind)) for kind in self.lists}
        lists = [
            panel(row(wide(self.kinds[kind], 110), self.lists[kind], gap=theme.PAD, pad=(4, 0))) for kind in self.lists
        ]
        self.regions = {region: Tap(name(region, self.app.lang)) for region in data.REGIONS}
        gap = theme.either(theme.GAP, 3)
        grid = GridLayout(cols=2 if upright else 4, spacing=dp(gap))
        for region, tap in self.regions.items():
            tap.act = partial(self.tap, region)
            grid.add_widget(tap)
        rows = 6 if upright else 3
        high(grid, rows * (theme.TOUCH + gap) - gap)
        self.saved.bind(text=lambda line, text: high(line, theme.grown(22) if text else 0))
        for part in (self.note, column(*lists, gap=gap), grid, high(self.saved, 0), high(self.ends, 50)):
            self.body.add_widget(part)

    def enter(self) -> None:
        self.draft = data.read(self.app.evening.boards.of(self.game))
        self.chosen, self.kind = "", "land"
        self.saved.show("")

    def show(self) -> None:
        text = N_("Tap the regions joined to {region} on your board, and again to part them; tap {region} when done.")
        if not self.chosen:
            text = N_("Compare both lists with your board. To change one, tap its name, then a region.")
        self.note.show(self.say(text, region=self.chosen))
        for kind, ways in self.lists.items():
            ways.show(data.in_words(getattr(self.draft, kind), self.app.lang))
            self.kinds[kind].show(self.kinds[kind].words.text, chosen=kind == self.kind)
        near = data.joined(self.draft, self.kind, self.chosen)
        for region, tap in self.regions.items():
            tap.show(tap.words.text, kind="main" if region == self.chosen else "plain")
            tap.back.paint(*self._ground(region, region in near))

    def _ground(self, region: str, near: bool) -> tuple[str, str, float]:
        """The chosen region stands out, those joined with it have a thick edge."""
        look = theme.now
        if region == self.chosen:
            return look.seal, look.seal, 1
        return look.panel, look.accent if near else look.line, 3 if near else 1

    def _by(self, kind: str) -> None:
        self.kind = kind
        self.show()

    def tap(self, region: str) -> None:
        if self.chosen in ("", region):
            self.chosen = "" if self.chosen else region
        else:
            self.draft = data.join(self.draft, self.kind, self.chosen, region)
        self.show()

    def written(self, confirmed: bool) -> Data:
        return data.write(self.draft, confirmed)
