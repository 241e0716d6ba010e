"""Hannibal's map: which regions are joined by land and by sea, compared with the print on the drawn map itself."""

from __future__ import annotations

from functools import partial

from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from companion.rules.data import Data
from ui import theme
from ui.games.hannibal import data
from ui.games.hannibal.sea import Sea
from ui.games.parts.data_sheet import DataSheet
from ui.theme import TextSize
from ui.widgets.box import column, high, panel, row
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class MapPage(DataSheet):
    """The map as a game draws it; tap a region, then those that are joined with it."""

    game, title = "hannibal", N_("Board data: Hannibal")

    def fill(self) -> None:
        super().fill()
        upright = self.app.upright
        self.chosen, self.kind = "", "land"
        self.map = Sea(self.tap)
        words = {"land": self.say(N_("By land")), "sea": self.say(N_("By sea"))}
        self.kinds = {
            kind: Tap(text, partial(self._set_kind, kind), most=TextSize.TEXT) for kind, text in words.items()
        }
        kinds = row(*self.kinds.values())
        self.note = high(Text(most=TextSize.TEXT), theme.above(TextSize.LABEL, 3)) if upright else self.head
        """What can be done; where the title has little room, below the map."""
        if upright:
            foot, tall = column(self.note, kinds, self.ends, pad=6), 132 + theme.above(TextSize.LABEL, 3)
        else:
            foot, tall = row(kinds, self.ends, gap=theme.EDGE, pad=(10, 4)), 60
        self.body.padding, self.body.spacing = 0, 0
        self.stage = BoxLayout()
        self.stage.add_widget(self.map)
        self.body.add_widget(self.stage)
        self.body.add_widget(high(panel(foot, theme.now.panel, radius=0), tall))

    def enter(self) -> None:
        self.draft = data.read(self.app.evening.boards.of(self.game))
        self.chosen, self.kind, self.told = "", "land", ""

    def show(self) -> None:
        text = N_(
            "Tap the regions joined to {region} on your board; tap again to separate them. Tap {region} when done."
        )
        if not self.chosen:
            text = N_("Compare the map with your board. To change it, tap a region.")
        self.note.show(self.told or self.say(text, region=self.chosen))
        for kind, tap in self.kinds.items():
            tap.show(tap.words.text, chosen=kind == self.kind)
        drawn = data.drawn(self.draft, self.app.lang)
        self.map.show(drawn)
        near = data.joined(self.draft, self.kind, self.chosen)
        for name, spot in drawn.regions.items():
            sign = "start" if name == self.chosen else "about" if name in near else ""
            self.map.spots[name].show(spot, sign, bool(self.chosen) and not sign)
        for name, spot in drawn.routes.items():
            self.map.spots[name].show(spot, "")

    def _set_kind(self, kind: str) -> None:
        self.kind = kind
        self.show()

    def tap(self, region: str) -> None:
        """Choose a region, or join it with the chosen one; ignore a route."""
        if region not in data.REGIONS:
            return
        self.told = ""
        if self.chosen in ("", region):
            self.chosen = "" if self.chosen else region
        else:
            self.draft = data.join(self.draft, self.kind, self.chosen, region)
        self.show()

    def written(self, confirmed: bool) -> Data:
        return data.write(self.draft, confirmed)
