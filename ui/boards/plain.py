"""The centre of a game without a board of its own: everything public, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.boards.stages import Act, Go, Say
from ui.widgets.box import panel, row
from ui.widgets.text import Text

LINES = 8


class PlainBoard(BoxLayout):
    """A line for everything there is to know."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical", spacing=dp(2), padding=dp(theme.PAD))
        panel(self)
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.lines: list[tuple[Any, Text, Text]] = []
        for _ in range(LINES):
            key = Text(most=theme.SMALL, lines=1, ink=theme.now.muted, size_hint_x=0.3)
            value = Text(most=theme.BODY, least=8)
            self.lines.append((row(key, value), key, value))

    def show(self, told: Sequence[tuple[str, str]]) -> None:
        for at, (line, key, value) in enumerate(self.lines):
            wanted = at < len(told)
            if wanted:
                key.show(told[at][0])
                value.show(told[at][1])
            if wanted != bool(line.parent):
                (self.add_widget if wanted else self.remove_widget)(line)
