"""What goes where on the real table, beside the board until it lies there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from ui import theme
from ui.widgets.box import wide
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text


class GoesBar(BoxLayout):
    """The list on one line; a touch on it shows all of it, one on the button puts it away."""

    def __init__(self, say: Callable[..., str], whole: Callable[[], Any], lies: Callable[[], Any]) -> None:
        super().__init__(spacing=dp(theme.PAD), padding=(dp(theme.PAD), dp(1)))
        self.back = Backdrop(self, theme.now.sunk, theme.now.accent, 2)
        self.text = Text(most=theme.LEAD, pos_hint={"x": 0, "y": 0})
        line = Touchable(whole)
        line.add_widget(self.text)
        self.add_widget(line)
        self.add_widget(wide(Tap(say(N_("All in place")), lies, kind="main"), theme.grown(116)))

    def show(self, text: str) -> None:
        self.text.show(text)
