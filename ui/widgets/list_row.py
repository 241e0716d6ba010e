"""A row of a list, of which one is chosen: selected as everything is, with a bar at its edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text

EDGE = 6
"""The width of the bar, in dp."""


class ListRow(Touchable):
    """A row with its words; a touch chooses it. Any: the items of the list."""

    def __init__(self, choose: Callable[[Any], object], **words: Any) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel, radius=0)
        self.edge = Widget(size_hint=(None, None))
        self.edge_back = Backdrop(self.edge, None, radius=0)
        self.text = Text(most=TextSize.TEXT, **words)
        self.item: Any = None
        self.act = lambda: choose(self.item)
        self.bind(pos=self._follow, size=self._follow)

    def light(self, chosen: bool, ink: str, edge: str) -> None:
        """Light the row if it is `chosen`; `ink` is the colour of its words, `edge` that of its bar, "" for none."""
        self.chosen = self.text.bold = chosen
        self.text.color = theme.rgba(ink)
        self.back.paint(*(theme.selected() if chosen else (theme.now.panel, theme.now.line)))
        self.edge_back.paint(edge or None)

    def _follow(self, *_: object) -> None:
        put(self.edge, self.x, self.y, dp(EDGE), self.height)
