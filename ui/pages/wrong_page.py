"""Something went wrong: what can have happened, a row each, and one touch to what mends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.rules import N_
from companion.rules.mistakes import Mistakes
from companion.rules.parts import Path
from ui import theme
from ui.page import Sheet
from ui.pages import wrong
from ui.pages.ways import Way, Wrong
from ui.theme import Step
from ui.widgets.box import column
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text, tall

WORDS = 0.46
"""How much of a row's width its words have; upright they have all of it, and the ways stand below."""
ACROSS = 3
"""How many ways stand side by side; more of seats, whose names fit below their shapes, fewer of large words."""


class WrongRow(BoxLayout):
    """What happened, what is to be said about it, and a control for each way on."""

    def __init__(self, take: Callable[[Way], object], upright: bool) -> None:
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(theme.PAD),
                         padding=(dp(theme.PAD), dp(4)))  # fmt: skip
        self._take, self._upright = take, upright
        self.item: Wrong | None = None
        self.back = Backdrop(self, theme.now.panel)
        self.text = Text(most=Step.TEXT, bold=True, size_hint_y=None)
        self.remedy = Text(most=Step.TEXT, ink=theme.now.muted, upright="top")
        self.ways = GridLayout(spacing=dp(theme.GAP), size_hint=(1, None) if upright else (1 - WORDS, None))
        self.ways.pos_hint = {} if upright else {"center_y": 0.5}
        self.taps: list[Tap] = []
        self.words = column(self.text, self.remedy, gap=2, size_hint_x=1 if upright else WORDS)
        self.add_widget(self.words)
        self.add_widget(self.ways)

    def show(self, item: Wrong) -> None:
        self.item = item
        self.text.show(item.text)
        self.text.height = tall(item.text, Step.TEXT, self._room(self.width), True) + dp(2)
        self.text.color = theme.rgba(theme.now.stop if item.urgent else theme.now.ink)
        self.remedy.show(item.remedy)
        self.back.paint(theme.now.panel, theme.now.stop if item.urgent else None)
        self.ways.cols = min(across(item), len(item.ways))
        self.ways.height = self._high(item)
        while len(self.taps) < len(item.ways):
            self.taps.append(Tap(most=Step.TEXT))
        for tap, way in zip(self.taps, item.ways, strict=False):
            tap.act = partial(self._take, way)
            tap.show(way.text, seat=way.seat)
        wanted = self.taps[: len(item.ways)]
        if self.ways.children[::-1] != wanted:
            self.ways.clear_widgets()
            for tap in wanted:
                self.ways.add_widget(tap)

    def tall(self, item: Wrong, width: float) -> float:
        room = self._room(width)
        words = tall(item.text, Step.TEXT, room, True) + tall(item.remedy, Step.TEXT, room) + dp(6)
        ways = self._high(item)
        both = words + ways + dp(theme.PAD) if self._upright else max(words, ways)
        return float(both + dp(8))

    def _room(self, width: float) -> float:
        """How wide the words are."""
        inner = width - 2 * dp(theme.PAD)
        return float(inner if self._upright else (inner - dp(theme.PAD)) * WORDS)

    def _high(self, item: Wrong) -> float:
        rows = -(-len(item.ways) // across(item))
        return float(rows * dp(theme.grown(56)) + (rows - 1) * dp(theme.GAP))


def across(item: Wrong) -> int:
    """How many of its ways stand side by side."""
    seats = [way.seat for way in item.ways if way.seat]
    if theme.letters > 1:
        return ACROSS if seats else ACROSS - 1
    return 5 if len(seats) == len(item.ways) > ACROSS else ACROSS


class WrongPage(Sheet):
    """All that can have happened by now."""

    title = N_("Mistake")

    def fill(self) -> None:
        self.flow = Flow({Wrong: lambda: WrongRow(self._take, self.app.upright)}, self.say)
        self.body.add_widget(self.flow)

    def enter(self) -> None:
        self.flow.turn_to(0)

    def show(self) -> None:
        self.flow.show(wrong.found(self.app.moment(), self._own()))

    def close(self) -> None:
        self.app.go("table")

    def _own(self) -> list[Path]:
        """The purses and hands that the table can change."""
        try:
            return [part.path for part in self.app.match.draft().parts if part.secret]
        except Mistakes:
            return []

    def _take(self, way: Way) -> None:
        if way.page:
            self.app.go(way.page, **way.given)
        elif way.event and not self.app.act(way.event):
            self.app.go("table")
        else:
            self.show()
