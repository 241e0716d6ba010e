"""What newcomers are told now: one sentence on the side it matters to, put away with one touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from ui import theme
from ui.table.lesson import Told
from ui.widgets.box import column, row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text


class LessonBar(BoxLayout):
    """The shapes of those it matters to stand at their side, the way out at the other."""

    def __init__(self, say: Callable[..., str], got_it: Callable[[], Any], enough: Callable[[], Any],
                 upright: bool) -> None:  # fmt: skip
        super().__init__(spacing=dp(theme.PAD), padding=(dp(theme.PAD), 0, 0, 0))
        self.back = Backdrop(self, theme.now.sunk, theme.now.good, 2)
        self.shapes = [wide(Shape(), 26) for _ in range(3)]
        self.text = Text(most=theme.LEAD)
        taps = Tap(say(N_("Got it")), got_it, kind="main"), Tap(say(N_("No more tips")), enough, kind="quiet")
        width = theme.grown(96)
        self.out = wide(column(*taps, gap=4), width) if upright else wide(row(*taps, gap=4), 2 * width + 4)
        self._laid: tuple[Sequence[str], bool] | None = None

    def show(self, told: Told, right: bool) -> None:
        self.text.show(told.text)
        if (told.seats, right) != self._laid:
            self._laid = told.seats, right
            self._lay(told.seats[: len(self.shapes)], right)

    def _lay(self, seats: Sequence[str], right: bool) -> None:
        self.clear_widgets()
        for shape, seat in zip(self.shapes, seats, strict=False):
            shape.seat = seat
        parts = [*self.shapes[: len(seats)], self.text, self.out]
        self.text.halign = "right" if right else "left"
        self.padding = [0, 0, dp(theme.PAD), 0] if right else [dp(theme.PAD), 0, 0, 0]
        for part in reversed(parts) if right else parts:
            self.add_widget(part)
