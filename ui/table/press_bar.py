"""A bar that grows while a button is held, with a tick at the moment from which letting go means something else."""

from __future__ import annotations

from time import monotonic

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.table.presses import Pressing
from ui.theme import TextSize
from ui.widgets.box import row, wide
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text

TICK = 0.5
"""The place along the bar where the meaning changes."""


class PressFill(Widget):
    """A bar that is full at twice the time of the tick."""

    def __init__(self) -> None:
        super().__init__()
        with self.canvas:
            Color(*theme.rgba(theme.now.line))
            self._ground = Rectangle()
            self._ink = Color(*theme.rgba(theme.now.good))
            self._done = Rectangle()
            Color(*theme.rgba(theme.now.ink))
            self._tick = Rectangle()
        self._part = 0.0
        self.bind(pos=self._draw, size=self._draw)

    def show(self, part: float) -> None:
        """Show the share of the time until the tick that has passed; 1 is the tick."""
        self._part = part
        self._ink.rgba = theme.rgba(theme.now.accent if part >= 1 else theme.now.good)
        self._draw()

    def _draw(self, *_: object) -> None:
        high = dp(14)
        y = self.y + (self.height - high) / 2
        self._ground.pos, self._ground.size = (self.x, y), (self.width, high)
        self._done.pos, self._done.size = (self.x, y), (self.width * min(1.0, self._part * TICK), high)
        self._tick.pos, self._tick.size = (self.x + self.width * TICK - dp(2), y - dp(7)), (dp(4), high + dp(14))


class PressBar(BoxLayout):
    """The bar of a press: who presses, what a short press means, the time so far, and what a long one means."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel, theme.now.accent)
        self.shape = wide(Shape(), 26)
        self.name = Text(most=TextSize.TEXT, lines=1, bold=True)
        self.press = Text(most=TextSize.HEAD, lines=1, align="right", size_hint_x=0.7)
        self.bar = PressFill()
        self.hold = Text(most=TextSize.HEAD, lines=1, size_hint_x=0.7)
        self.add_widget(row(self.shape, self.name, self.press, self.bar, self.hold, gap=theme.PAD, pad=(theme.PAD, 3)))
        self._seat, self._began, self._no = "", 0.0, 1.0
        self._watch = Clock.create_trigger(self._grow, 0, True)

    def show(self, pressing: Pressing | None) -> None:
        """Show a press in progress, starting at its current duration; None ends it."""
        if pressing is None:
            self._seat = ""
            self._watch.cancel()
            return
        self._no = pressing.no_ms / 1000
        if pressing.seat != self._seat:
            self._seat, self._began = pressing.seat, monotonic() - pressing.held / 1000
        self.shape.seat = pressing.seat
        self.name.show(pressing.name)
        self.press.show(pressing.press)
        self.hold.show(pressing.hold)
        self._grow()
        self._watch()

    def _grow(self, *_: object) -> None:
        part = (monotonic() - self._began) / self._no
        self.bar.show(part)
        for text, now in ((self.press, part < 1), (self.hold, part >= 1)):
            text.bold = now
            text.color = theme.rgba(theme.now.ink if now else theme.now.muted)
