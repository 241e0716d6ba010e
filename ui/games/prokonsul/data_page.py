"""The board's data: names, values and links of the provinces, checked once against the print."""

from __future__ import annotations

from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.data import Data
from ui import theme
from ui.games.parts.data_sheet import DataSheet
from ui.games.prokonsul import data
from ui.games.prokonsul.provinces import ProvinceBoard
from ui.theme import TextSize
from ui.widgets.box import column, high, row
from ui.widgets.digits import Digits
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class BoardPage(DataSheet):
    """The row of provinces; tap one, then change its name, its value or its links."""

    game, title = "prokonsul", N_("Board data: Prokonsul")

    def fill(self) -> None:
        super().fill()
        upright = self.app.upright
        self.chosen, self.linking = 0, False
        lines = 3 if upright else 2
        self.note = high(Text("", most=TextSize.TEXT, ink=theme.now.muted), theme.above(TextSize.TEXT, lines))
        self.tiles = ProvinceBoard(self._tap)
        high(self.tiles, 180 if upright else theme.either(124, 130))
        self.name_tap = Tap("", self._rename, most=TextSize.TEXT)
        self.link = Tap("", self._link, most=TextSize.TEXT)
        self.value = Digits(self._revalue, keys=False)
        words = high((column if upright else row)(self.name_tap, self.link), 112 if upright else 54)
        for part in (self.note, self.tiles, words, high(self.value, 56), Widget(), self.ends):
            self.body.add_widget(part)
        self.draft = data.read(self.app.evening.boards.of(self.game))

    def enter(self, renamed: str | None = None) -> None:
        self.told = ""
        if renamed is None:
            self.draft = data.read(self.app.evening.boards.of(self.game))
            self.chosen, self.linking = 0, False
        else:
            self.draft = data.rename(self.draft, self.chosen, renamed)
        self._choose(self.chosen)

    def show(self) -> None:
        text = N_("Tap a province to link it with {province}, or tap it again to unlink it.")
        if not self.linking:
            text = N_("Compare with your board: tap a province, then change its name, value or links.")
        province = self.draft.names[self.chosen]
        self.note.show(self.told or self.say(text, province=province))
        self.tiles.show(data.shown(self.draft, self.chosen, self.app.lang))
        self.name_tap.show(self.say(N_("Name: {province}"), province=province))
        self.link.show(self.say(N_("Links done") if self.linking else N_("Change its links")), chosen=self.linking)

    def _tap(self, province: str) -> None:
        self.told = ""
        at = self.draft.names.index(province)
        if self.linking:
            self.draft = data.link(self.draft, self.chosen, at)
            self.show()
        else:
            self._choose(at)

    def _choose(self, at: int) -> None:
        self.chosen = at
        self.value.put(self.draft.values[at])
        self.show()

    def _link(self) -> None:
        self.told, self.linking = "", not self.linking
        self.show()

    def _revalue(self, value: int) -> None:
        self.told = ""
        self.draft = data.revalue(self.draft, self.chosen, value)
        self.show()

    def _rename(self) -> None:
        name = self.say(N_("{province}"), province=self.draft.names[self.chosen])
        title = self.say(N_("Name of the province"))
        self.app.go("write", title=title, text=name, done=lambda said: self.app.go(self.name, renamed=said))

    def written(self, confirmed: bool) -> Data:
        return data.write(self.draft, confirmed)
