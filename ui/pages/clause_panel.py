"""A clause, shown beside what rests on it."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.answers.why import Reason
from ui import theme
from ui.theme import TextSize
from ui.widgets.annotations import asks
from ui.widgets.box import high, put
from ui.widgets.text import Backdrop, Text, tall

SIDES, GAP = 26, 2
"""The margins at both sides together, and between the parts, in dp."""


class ClausePanel(BoxLayout):
    """A clause: its id, whose it is, and its text, which `cuts` where there is no room for all of it. A touch on the id
    leads to the rules."""

    def __init__(self, *, cuts: bool = False) -> None:
        super().__init__(orientation="vertical", padding=(dp(16), dp(8), dp(10), dp(8)), spacing=dp(GAP))
        self.back = Backdrop(self, theme.now.panel, theme.now.line)
        self.edge = Widget(size_hint=(None, None))
        self.edge_back = Backdrop(self.edge, theme.now.accent, radius=0)
        self.rule = Text(most=TextSize.HEAD, lines=1, bold=True, ink=theme.now.accent)
        self.mark = Text(most=TextSize.LABEL, ink=theme.now.muted)
        self.text = Text(most=TextSize.TEXT, upright="top", cuts=cuts)
        self.add_widget(high(self.rule, theme.above(TextSize.HEAD)))
        self.add_widget(self.text)
        self.add_widget(self.mark)
        self.bind(pos=self._follow, size=self._follow)

    def show(self, link: Reason) -> None:
        asks(self.rule, link.rule if link.clause else "").show(link.rule)
        self.text.show(link.clause)
        self.mark.show(link.mark)
        self.opacity = 1 if link.clause else 0
        self._follow()

    def _follow(self, *_: object) -> None:
        put(self.edge, self.x, self.y, dp(6), self.height)
        high(self.mark, tall(self.mark.text, TextSize.LABEL, self.width - dp(SIDES)) / dp(1) if self.mark.text else 0)


def least(link: Reason, width: float) -> float:
    """Return the height in pixels that a leaf of this width needs for the whole clause."""
    words = sum(tall(text, TextSize.LABEL, width - dp(SIDES)) for text in (link.clause, link.mark) if text)
    return float(words + dp(theme.above(TextSize.HEAD) + 2 * GAP + 16))
