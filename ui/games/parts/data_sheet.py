"""The page on which the owner checks a board's data against the print; it links to the pages of the other games."""

from __future__ import annotations

from functools import partial

from companion.rules import N_
from companion.rules.data import Data
from companion.rules.mistakes import Mistakes
from ui.games.face import face_of
from ui.page import Sheet
from ui.theme import TextSize
from ui.widgets.box import high, row, wide
from ui.widgets.tap import Tap


class DataSheet(Sheet):
    """The shared part of all data pages: saving, confirmed or not, and the outcome."""

    game = ""
    told = ""
    """The outcome of saving, shown in place of what can be done until the next touch."""

    def fill(self) -> None:
        self.confirm = Tap(
            self.say(N_("Confirm as printed")), lambda: self._save(True), kind="main", most=TextSize.TEXT
        )
        self.keep = Tap(self.say(N_("Save unconfirmed")), lambda: self._save(False), most=TextSize.TEXT)
        self.ends = high(row(self.confirm, self.keep), 56)
        for other in self.app.evening.games:
            if face_of(other.name).data and other.name != self.game:
                tap = Tap(self.say(other.title), partial(self.app.go, f"{other.name}.data"))
                self.titled.add_widget(wide(tap, 130))

    def written(self, confirmed: bool) -> Data:
        """Return the edited board as data."""
        raise NotImplementedError

    def _save(self, confirmed: bool) -> None:
        try:
            self.app.evening.boards.save(self.game, self.written(confirmed))
            self.told = self.say(N_("Saved: the next game will use it."))
        except Mistakes as mistakes:
            self.told = str(mistakes)
        self.show()
