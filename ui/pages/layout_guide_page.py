"""Before a first game: what it is about, and how to lay it out, a picture a step."""

from __future__ import annotations

from dataclasses import replace

from kivy.metrics import dp

from companion.games import guide_of, position_of
from companion.rules import N_
from ui import theme
from ui.page import Sheet
from ui.pages.answer_rows import kinds
from ui.pages.layout_guide import Step, lying, mats, steps
from ui.pages.layout_picture import LayoutPicture
from ui.pages.small_board import SmallBoard
from ui.theme import TextSize
from ui.widgets.box import column, high, row, swap, wide
from ui.widgets.flow import Flow
from ui.widgets.leaves import Leaves
from ui.widgets.tap import Tap
from ui.widgets.text import Text, tall

TOLD = 292
"""The width of the text beside the picture, in dp."""
MOST = 9
"""So many lines of pieces are drawn as they lie; more are a list."""


class Steps(Leaves):
    """The steps of the set-up, one at a time: its picture, and beside it, upright below, what to do."""

    def __init__(self, page: LayoutGuidePage) -> None:
        super().__init__(page.say)
        self.page, self.at = page, 0
        self.steps: list[Step] = []
        self.picture = LayoutPicture(SmallBoard(page.app))
        self.aim = Text("", most=TextSize.TEXT, ink=theme.now.muted, upright="top")
        self.text = Text("", most=TextSize.HEAD, upright="top")
        self.told = column(self.aim, self.text, gap=theme.PAD)
        upright = page.app.upright
        if not upright:
            wide(self.told, theme.either(TOLD, TOLD + 40))
        self.add_widget((column if upright else row)(self.picture, self.told, gap=theme.EDGE))
        for part in (self.aim, self.text):
            part.bind(width=self._set_height, text=self._set_height)

    def show(self) -> None:
        m = self.page.app.moment()
        self.steps = list(steps(m))
        self.at = min(self.at, len(self.steps) - 1)
        step, guide = self.steps[self.at], guide_of(m.game.name)
        self.aim.show(m.say(guide.aim) if guide.aim and not self.at else "")
        self.text.show("\n".join(step.texts))
        self.picture.show(step, replace(m, outlines=(), fists=(), called=False))  # a board nobody is asked on
        self.stand(self.at, len(self.steps))

    def turn_on(self) -> None:
        self.at += 1
        self.show()

    def turn_back(self) -> None:
        self.at -= 1
        self.show()

    def _set_height(self, *_: object) -> None:
        """Give the aim the height that its words need, upright both; the picture has the rest."""
        wide = self.told.width
        aim = tall(self.aim.text, TextSize.TEXT, wide) + dp(2) if self.aim.text else dp(1)
        self.aim.size_hint_y, self.aim.height = None, aim
        if self.page.app.upright:
            step = TextSize.TEXT if self.aim.text else TextSize.HEAD
            self.told.size_hint_y = None
            self.told.height = aim + tall(self.text.text, step, wide) + dp(theme.PAD + 4)


class LayoutGuidePage(Sheet):
    """The set-up for these seats; one touch, and the game begins. Later on the menu shows here what lies where."""

    title = N_("Set-up")

    def fill(self) -> None:
        self.flow, self.steps = Flow(kinds(), self.say), Steps(self)
        self.slot, self.board = column(), SmallBoard(self.app)
        self.listed, self.now = column(self.flow), LayoutPicture(SmallBoard(self.app))
        lies = self.listed if self.app.upright else row(self.listed, wide(self.board, TOLD), gap=theme.EDGE)
        self.lies = lies
        self.body.add_widget(self.slot)
        self.ready = Tap("", self._go_on, kind="main", most=TextSize.TEXT)
        self.body.add_widget(high(self.ready, 56))
        self.begins = True

    def enter(self, begins: bool = True) -> None:
        self.begins, self.steps.at = begins, 0
        swap(self.slot, self.steps if begins else self.lies)
        self.flow.turn_to(0)

    def finish(self) -> None:
        """Offer to begin the game at the last step."""
        super().finish()
        if not self.begins:
            self.ready.show(self.say(N_("Continue")))
            return
        steps = self.steps
        facts = {"page": steps.at + 1, "pages": len(steps.steps)}
        self.head.show(self.say(N_("Lay this out, {page} of {pages}"), **facts))
        self.ready.show(
            self.say(N_("Next, {place}"), place=steps.place) if steps.after else self.say(N_("All laid out: begin"))
        )

    def _go_on(self) -> None:
        if self.begins and self.steps.after:
            self.steps.turn_on()
        else:
            self.close()

    def close(self) -> None:
        self.app.go("table")

    def show(self) -> None:
        if self.begins:
            self.steps.show()
        else:
            self.head.show(self.say(self.title))
            m = self.app.moment()
            now = Step((), mats(m, position_of(m.game.name).layout(m.view, m.options)))
            drawn = sum(len(mat.lines) for mat in now.mats) <= MOST
            swap(self.listed, self.now if drawn else self.flow)
            self.flow.show(lying(m))
            self.now.show(now, m)
            if not self.app.upright:
                self.board.show(replace(m, outlines=(), fists=(), called=False))
