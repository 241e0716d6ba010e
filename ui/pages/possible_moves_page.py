"""The page of possible moves, by whom and how, by which clause."""

from __future__ import annotations

from functools import partial

from companion.rules import N_
from ui import theme
from ui.page import Sheet
from ui.pages.answer_rows import kinds
from ui.pages.possible_moves import possible
from ui.table.press_bar import PressBar
from ui.table.presses import pressing
from ui.widgets.box import high
from ui.widgets.flow import Flow
from ui.widgets.spine import Control


class PossibleMovesPage(Sheet):
    """The acts that are possible; a button held meanwhile shows what releasing it means."""

    title = N_("What can I do now?")

    def fill(self) -> None:
        self.ways = (Control("help", self.say(N_("Rules")), self._open_rules), None)
        self.flow = Flow(kinds(), self.say)
        self.press = high(PressBar(), theme.TOUCH)
        self.body.add_widget(self.flow)

    def enter(self) -> None:
        self.flow.turn_to(0)

    def leave(self) -> None:
        self.press.show(None)

    def close(self) -> None:
        self.app.go("table")

    def tell(self, word: str, seat: str | None) -> None:  # noqa: ARG002 - a clause is nobody's
        self._open_rules(word)

    def _open_rules(self, rule: str = "") -> None:
        self.app.go("rules", rule=rule, back=partial(self.app.go, "now"))

    def show(self) -> None:
        m = self.app.moment()
        self.flow.show(possible(m))
        held = pressing(m)
        self.press.show(held)
        if bool(held) != bool(self.press.parent):
            (self.body.add_widget if held else self.body.remove_widget)(self.press)
