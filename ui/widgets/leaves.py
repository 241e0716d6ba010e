"""Content on several leaves, turned by Previous and Next or by a finger that goes up or down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from ui import theme
from ui.theme import TextSize
from ui.widgets.box import high, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text

SWIPE = 40
"""A finger that goes further than so many dp, mostly up or down, turns the leaf."""


class Leaves(BoxLayout):
    """Leaves turned at the side of a page that `turns` them, elsewhere by a `foot`, added where there are several.

    A swipe is no tap on what the finger was on.
    """

    def __init__(self, say: Callable[..., str]) -> None:
        super().__init__(orientation="vertical", spacing=dp(theme.GAP))
        self.say = say
        self.back = Tap(say(N_("Previous")), self.turn_back)
        self.where = Text("", most=TextSize.TEXT, lines=1, align="center", ink=theme.now.muted)
        self.on = Tap(say(N_("Next")), self.turn_on)
        self.foot = high(row(wide(self.back, 120), self.where, wide(self.on, 120)), theme.TOUCH)
        self.many = self.before = self.after = False
        """There are several leaves; one before the one that is seen, one after it."""
        self.place = ""
        """The position of the visible leaf: "2/5"."""

    @property
    def outside(self) -> Any:
        """Return the page that turns the leaves, None if none does. Any: a sheet, which is made of these."""
        parent = self.parent
        while parent is not None and not hasattr(parent, "turns"):
            parent = None if parent.parent is parent else parent.parent
        return parent

    def stand(self, page: int, pages: int) -> None:
        """Show which leaf of how many is seen, counted from 0."""
        self.many, self.before, self.after = pages > 1, page > 0, page < pages - 1
        self.place = f"{page + 1}/{pages}"
        self.back.show(self.back.words.text, disabled=not self.before)
        self.on.show(self.on.words.text, disabled=not self.after)
        self.where.show(self.say(N_("{page} of {pages}"), page=page + 1, pages=pages))
        sheet = self.outside
        foot = self.many and sheet is None
        if foot != bool(self.foot.parent):
            (self.add_widget if foot else self.remove_widget)(self.foot)
        if sheet:
            sheet.turns(self)

    def turn_back(self) -> None:
        """Turn to the leaf before."""

    def turn_on(self) -> None:
        """Turn to the next leaf."""

    def on_touch_up(self, touch: Any) -> bool:
        right, up = touch.x - touch.ox, touch.y - touch.oy
        if touch.grab_current or not self.collide_point(*touch.opos) or abs(up) < max(dp(SWIPE), 2 * abs(right)):
            return bool(super().on_touch_up(touch))
        let_go(touch)
        turn, tap = (self.turn_on, self.on) if up > 0 else (self.turn_back, self.back)
        if self.many and not tap.disabled:
            turn()
        return True


def let_go(touch: Any) -> None:
    """Release the touch from the widgets that hold it, as it was not meant for them."""
    touch.ud.pop("asked", None)
    for held in list(touch.grab_list):
        if widget := held():
            touch.ungrab(widget)
            widget.state = "normal"
