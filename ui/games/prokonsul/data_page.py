"""The board's data: names, values and links of the provinces, checked once against the print."""

from __future__ import annotations

from kivy.uix.widget import Widget

from companion.mistakes import Mistakes
from companion.rules import N_
from ui import theme
from ui.games.prokonsul import data as board
from ui.games.prokonsul.provinces import ProvinceBoard
from ui.page import Sheet
from ui.widgets.box import column, high, row, wide
from ui.widgets.digits import Digits
from ui.widgets.tap import Tap
from ui.widgets.text import Text

GAME = "prokonsul"


class BoardPage(Sheet):
    """Tap a province, then change its name, its value or its links."""

    title = N_("Board data: Prokonsul")

    def fill(self) -> None:
        upright = self.app.upright
        self.chosen, self.linking = 0, False
        self.note = high(Text("", most=theme.BODY, least=10, ink=theme.now.muted), 44)
        self.tiles = ProvinceBoard(self._tap)
        high(self.tiles, 180 if upright else 124)
        self.name_tap = Tap("", self._rename, most=theme.LEAD)
        self.link = Tap("", self._link, most=theme.LEAD)
        self.value = Digits(self._revalue, keys=False)
        self.told = high(Text("", most=theme.BODY, least=9, ink=theme.now.accent), 40)
        self.confirm = Tap(self.say(N_("As printed: confirm")), lambda: self._save(True), kind="main", most=theme.LEAD)
        self.keep = Tap(self.say(N_("Save, unconfirmed")), lambda: self._save(False), most=theme.LEAD)
        ends = high(row(self.confirm, self.keep), 56)
        words = high((column if upright else row)(self.name_tap, self.link), 112 if upright else 54)
        for part in (self.note, self.tiles, words, high(self.value, 56), self.told, Widget(), ends):
            self.body.add_widget(part)
        other = wide(Tap("Hannibal", lambda: self.app.go("map")), 130)
        self.back.parent.add_widget(other)
        self.draft = board.read(self.app.evening.board(GAME))

    def enter(self, renamed: str | None = None) -> None:
        if renamed is None:
            self.draft = board.read(self.app.evening.board(GAME))
            self.chosen, self.linking = 0, False
            self.told.show("")
        else:
            self.draft = board.rename(self.draft, self.chosen, renamed)
        self._choose(self.chosen)

    def show(self) -> None:
        text = N_("Tap the province that is linked with {province}, or tap it again to part them.")
        if not self.linking:
            text = N_("Compare with your board: tap a province, then change its name, value or links.")
        province = self.draft.names[self.chosen]
        self.note.show(self.say(text, province=province))
        self.tiles.show(board.shown(self.draft, self.chosen, self.app.lang))
        self.name_tap.show(self.say(N_("Name: {province}"), province=province))
        self.link.show(self.say(N_("Links done") if self.linking else N_("Change its links")), chosen=self.linking)

    def _tap(self, province: str) -> None:
        at = self.draft.names.index(province)
        if self.linking:
            self.draft = board.link(self.draft, self.chosen, at)
            self.show()
        else:
            self._choose(at)

    def _choose(self, at: int) -> None:
        self.chosen = at
        self.value.put(self.draft.values[at])
        self.show()

    def _link(self) -> None:
        self.linking = not self.linking
        self.show()

    def _revalue(self, value: int) -> None:
        self.draft = board.revalue(self.draft, self.chosen, value)
        self.show()

    def _rename(self) -> None:
        name = self.say(N_("{province}"), province=self.draft.names[self.chosen])
        title = self.say(N_("Name of the province"))
        self.app.go("write", title=title, text=name, done=lambda said: self.app.go("board", renamed=said))

    def _save(self, confirmed: bool) -> None:
        try:
            self.app.evening.save_board(GAME, board.write(self.draft, confirmed))
            self.told.show(self.say(N_("Saved: the next game is played on it.")))
        except Mistakes as mistakes:
            self.told.show(str(mistakes))
