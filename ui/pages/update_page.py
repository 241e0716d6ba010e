"""Another version of the program: what was found, what is new, and the way there and back. Root does it; this asks."""

from __future__ import annotations

from functools import partial
from typing import Literal

from kivy.clock import Clock

from companion import __version__
from companion.rules import N_
from companion.system.updates import Answer
from ui import theme
from ui.page import Sheet
from ui.pages.answer_rows import kinds
from ui.pages.update import Act, Standing, acts, items
from ui.theme import Step
from ui.widgets.box import high, row
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap

LOOK_S = 0.5
"""How often the answer is looked for, in seconds."""
TAPS = 4


class UpdatePage(Sheet):
    """Looks on the sticks when it is turned to. Nothing is put in place by one touch, and none while a game is on."""

    title = N_("Update")

    def fill(self) -> None:
        self.sure: Literal["", "take", "back"] = ""
        self.failed = ""
        self.flow = Flow(kinds(), self.say)
        self.taps = [Tap("", most=Step.TEXT) for _ in range(TAPS)]
        self.foot = row()
        self.body.add_widget(self.flow)
        self.body.add_widget(high(self.foot, theme.TOUCH * (2 if self.app.upright else 1)))
        self.look = Clock.create_trigger(self._look, LOOK_S, True)
        self.shown: Standing | None = None

    def enter(self) -> None:
        self.sure, self.failed = "", ""
        self.flow.turn_to(0)
        if not self._stands().busy:
            self.do("look")
        self.look()

    def leave(self) -> None:
        self.look.cancel()

    def _look(self, _: float) -> None:
        if self._stands() != self.shown:
            self.show()

    def _stands(self) -> Standing:
        updates, match = self.app.evening.updates, self.app.evening.match
        if updates is None:
            return Standing(__version__)
        last, answer = updates.last(), updates.heard()
        return Standing(
            __version__,
            last[1] if last else None,
            updates.trial(),
            updates.before,
            updates.address,
            match is not None and not match.view["over"],
            Answer("failed", text=self.failed) if self.failed else answer,
            self.sure,
        )

    def show(self) -> None:
        stands = self.shown = self._stands()
        self.flow.show(items(stands, self.app.lang))
        self.foot.clear_widgets()
        for tap, (act, text, facts) in zip(self.taps, acts(stands), strict=False):
            tap.show(self.say(text, **facts), kind="main" if act in ("take", "sure", "away") else "plain")
            tap.act = partial(self.do, act)
            self.foot.add_widget(tap)

    def do(self, act: Act) -> None:
        updates = self.app.evening.updates
        if updates is None:
            return
        self.failed = ""
        best, wanted = self._stands().best, self.sure
        try:
            if act in ("look", "address"):
                updates.look(address=act == "address")
            elif act in ("take", "back"):
                self.sure = act
            elif act == "away":
                self.app.evening.put_away()
                updates.look()
            else:
                self.sure = ""
                if act == "sure" and wanted == "take" and best:
                    updates.take(best.place)
                elif act == "sure" and wanted == "back":
                    updates.back()
        except OSError as error:
            self.failed = str(error)
        self.flow.turn_to(0)
        self.show()

    def close(self) -> None:
        if self.sure:
            self.do("no")
        else:
            self.app.go("hardware")
