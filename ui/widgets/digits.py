"""A number by finger: digits, and a step up or down."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from ui import theme
from ui.theme import TextSize
from ui.widgets.box import high, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text

MOST = 999
"""The largest number of the pad; a balance is never its bound, for that would tell it."""


class Digits(BoxLayout):
    """A whole number from 0."""

    def __init__(
        self, changed: Callable[[int], object] | None = None, keys: bool = True, across: int = 3, **rest: Any
    ) -> None:
        super().__init__(orientation="vertical", spacing=dp(theme.GAP), **rest)
        self.changed = changed
        self.value = 0
        self.fresh = False  # the first digit replaces the number shown
        self.text = Text("0", most=TextSize.CARD, lines=1, align="center", bold=True, ink=theme.now.ink)
        less = wide(Tap("−", lambda: self.put(self.value - 1), most=TextSize.HEAD), 64)
        more = wide(Tap("+", lambda: self.put(self.value + 1), most=TextSize.HEAD), 64)
        self.add_widget(high(row(less, self.text, more), 56))
        if keys:
            pad = GridLayout(cols=across, spacing=dp(theme.GAP))
            for digit in "123456789":
                pad.add_widget(Tap(digit, partial(self._type_digit, int(digit)), most=TextSize.TEXT))
            pad.add_widget(Tap("C", lambda: self.put(0)))
            pad.add_widget(Tap("0", partial(self._type_digit, 0), most=TextSize.TEXT))
            pad.add_widget(Tap("<", lambda: self.put(self.value // 10), most=TextSize.TEXT))
            self.add_widget(pad)

    def _type_digit(self, digit: int) -> None:
        self.put((0 if self.fresh else self.value * 10) + digit)

    def begin(self, value: int) -> None:
        """Show a number to begin with: the first digit replaces it."""
        self.put(value)
        self.fresh = True

    def put(self, value: int) -> None:
        """Show a number, from 0 to MOST, and report it."""
        self.value, self.fresh = max(0, min(MOST, value)), False
        self.text.show(str(self.value))
        if self.changed:
            self.changed(self.value)
