"""What stands on several leaves, turned by Previous and Next or by a finger that goes up or down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from ui import theme
from ui.widgets.box import high, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text

SWIPE = 40
"""A finger that goes further than so many dp, mostly up or down, turns the leaf."""


class Leaves(BoxLayout):
    """Its `foot` is added where there is more than one leaf. A swipe is no tap on what the finger was on."""

    def __init__(self, say: Callable[..., str]) -> None:
        super().__init__(orientation="vertical", spacing=dp(theme.GAP))
        self.say = say
        self.back = Tap(say(N_("Previous")), self.turn_back)
        self.where = Text("", most=theme.BODY, lines=1, align="center", ink=theme.now.muted)
        self.on = Tap(say(N_("Next")), self.turn_on)
        self.foot = high(row(wide(self.back, 120), self.where, wide(self.on, 120)), theme.TOUCH)

    def turn_back(self) -> None:
        """To the leaf before."""

    def turn_on(self) -> None:
        """To the next leaf."""

    def on_touch_up(self, touch: Any) -> bool:
        right, up = touch.x - touch.ox, touch.y - touch.oy
        if touch.grab_current or not self.collide_point(*touch.opos) or abs(up) < max(dp(SWIPE), 2 * abs(right)):
            return bool(super().on_touch_up(touch))
        let_go(touch)
        turn, tap = (self.turn_on, self.on) if up > 0 else (self.turn_back, self.back)
        if self.foot.parent and not tap.disabled:
            turn()
        return True


def let_go(touch: Any) -> None:
    """The finger was not meant for what it has been on."""
    touch.ud.pop("asked", None)
    for held in list(touch.grab_list):
        if widget := held():
            touch.ungrab(widget)
            widget.state = "normal"
