"""Lines that cost nothing while they are not seen."""

from __future__ import annotations

from kivy.graphics import Color, InstructionGroup, Line
from kivy.metrics import dp

from ui import theme

ROUND = 36
"""How many sides a small circle has: the 180 that Kivy gives it look no rounder and cost five times as much."""


class Stroke(InstructionGroup):
    """A number of lines in one colour, `width` dp wide, taken out of the canvas while they have no colour.

    Kivy draws a line of more than a pixel that is not opaque, and so one that is not seen at all, through the stencil:
    two dozen of those take as long as all the rest of a page. Made outside of any `with canvas`, and added to one.
    """

    def __init__(self, width: float, lines: int = 1) -> None:
        super().__init__()
        self.lines = [Line(width=dp(width)) for _ in range(lines)]
        self._colour: str | None = None

    def paint(self, colour: str | None) -> None:
        """Another colour; None is none at all."""
        if colour == self._colour:
            return
        self._colour = colour
        self.clear()
        if colour:
            for part in (Color(*theme.rgba(colour)), *self.lines):
                self.add(part)
