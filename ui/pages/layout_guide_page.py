"""Before a first game: what it is about, and what lies where."""

from __future__ import annotations

from companion.rules import N_
from ui.page import Sheet
from ui.pages.answer_rows import kinds
from ui.pages.layout_guide import lines
from ui.theme import TextSize
from ui.widgets.box import high
from ui.widgets.flow import Flow
from ui.widgets.leaves import Leaves
from ui.widgets.tap import Tap


class LayoutGuidePage(Sheet):
    """The set-up for these seats; one touch, and the game begins. Later on the menu leads here again."""

    title = N_("Show us how")

    def fill(self) -> None:
        self.flow = Flow(kinds(), self.say)
        self.body.add_widget(self.flow)
        self.ready = Tap("", self._go_on, kind="main", most=TextSize.TEXT)
        self.begins, self.read = True, False  # `read`: whether the last leaf has been seen
        self.body.add_widget(high(self.ready, 56))

    def enter(self, begins: bool = True) -> None:
        self.head.show(self.say(self.title if begins else N_("Set-up")))
        self.begins, self.read = begins, False
        self.flow.turn_to(0)

    def turns(self, leaves: Leaves) -> None:
        self.read = self.read or not leaves.after
        super().turns(leaves)

    def finish(self) -> None:
        """Offer to begin the game once the player has seen every leaf."""
        super().finish()
        ready = self.say(N_("All laid out: begin") if self.begins else N_("Continue"))
        self.ready.show(ready if self.read else self.say(N_("Next, {place}"), place=self.flow.place))

    def _go_on(self) -> None:
        if self.read:
            self.close()
        else:
            self.flow.turn_on()

    def close(self) -> None:
        self.app.go("table")

    def show(self) -> None:
        self.flow.show(lines(self.app.moment(), self.begins))
