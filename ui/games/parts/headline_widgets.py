"""The number that matters, in the largest letters, with a caption and a remark; also between the shapes of seats."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.headline import Headline
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.shape import Shape
from ui.widgets.text import Text
from ui.widgets.text import tall as lines_of

LONG = 4
"""A number with more characters than this has no room for shapes beside it."""


def enough() -> float:
    """Return the height of a label whose number has at least the size of a figure, in pixels."""
    return float(dp(theme.above(TextSize.FIGURE)))


class HeadlineText(Widget):
    """A number legible from two metres, with its caption above it and its remark below."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        self.caption = Text(most=TextSize.TEXT, align="center", ink=theme.now.muted)
        self.value = Text(most=TextSize.NUMBER, lines=1, align="center", bold=True)
        self.beside = Text(most=TextSize.TEXT, align="center", ink=theme.now.muted)
        for child in (self.caption, self.value, self.beside):
            self.add_widget(child)
        self.bind(pos=self._fill, size=self._fill)

    def _fill(self, *_: object) -> None:
        """Give the number the height it needs; hide the caption where there is little height."""
        foot, head = (self._high(text) for text in (self.beside, self.caption))
        tall = self.height - foot - head >= enough()
        value = min(self.height - foot - (head if tall else 0), dp(theme.size(TextSize.NUMBER)))
        low = self.y + (self.height - value - foot - (head if tall else 0)) / 2
        put(self.beside, self.x, low, self.width, foot)
        put(self.value, self.x, low + foot, self.width, value)
        put(self.caption, self.x, low + foot + value, self.width, head)
        self.caption.opacity = 1 if tall else 0

    def _high(self, text: Text) -> float:
        """Return the height of a caption or remark: one line needs no more than its letters."""
        high = lines_of(text.text, TextSize.LABEL, self.width)
        one = high <= dp(theme.above(TextSize.LABEL)) + 1
        text.show(text.text, lines=1 if one else 0)
        return float(dp(theme.size(TextSize.LABEL))) if one else high

    def show(self, big: Headline) -> None:
        self.caption.show(big.caption)
        self.value.show(big.value)
        self.beside.show(big.beside)
        self._fill()


class HeadlineBanner(HeadlineText):
    """The number that matters between the shapes of the seats it is about; without a number the shapes alone."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes = [Shape() for _ in range(3)]
        for shape in self.shapes:
            self.add_widget(shape)

    def show(self, big: Headline) -> None:
        super().show(big)
        for at, shape in enumerate(self.shapes):
            shape.seat = big.seats[at] if at < len(big.seats) else ""
        self._fill()

    def _fill(self, *_: object) -> None:
        """Place the number, the shapes and the texts.

        The caption gives way where it would cost the number its height; then it stands only in place of an empty
        remark.
        """
        if not hasattr(self, "shapes"):
            return
        x, room = self.x, self.width
        line = dp(theme.grown(22))
        line = max(line, lines_of(self.beside.text, TextSize.LABEL, room - 2 * line))
        head = max(line, lines_of(self.caption.text, TextSize.LABEL, room))
        tall = self.height - line - head >= enough()
        value = max(1.0, min(self.height - line - (head if tall else 0), 2 * dp(theme.size(TextSize.NUMBER))))
        low = self.y + (self.height - value - line - (head if tall else 0)) / 2
        self.beside.pos, self.beside.size = (x, low), (room, line)
        self.caption.pos = (x, low + line + value) if tall else (x, low)
        self.caption.size = room, head
        self.caption.opacity = 1 if tall or not self.beside.text else 0
        if len(self.value.text) > LONG:
            self._place_shapes_below(low, line)
            self.value.pos, self.value.size = (x, low + line), (room, value)
        else:
            self._place_in_line(low + line, value)

    def _place_shapes_below(self, low: float, side: float) -> None:
        """Place the shapes at both ends of the line under the number, which needs the whole width."""
        for shape, left in zip(self.shapes, (self.x, self.right - side), strict=False):
            shape.size, shape.pos = (side, side), (left, low)
        self.beside.pos, self.beside.size = (self.x + side, low), (max(1, self.width - 2 * side), side)

    def _place_in_line(self, low: float, tall: float) -> None:
        shapes = [shape for shape in self.shapes if shape.seat]
        count, x, room = len(shapes), self.x, self.width
        number = bool(self.value.text)
        side = min(tall * 0.8, dp(96), room / (10.4 if number else count + 0.6))
        self.value.pos = x + (side if number and count else 0), low
        self.value.size = max(1, room - (min(2, count) * side if number else 0)), tall
        for at, shape in enumerate(shapes):
            left = x + at * (room - side) if number else x + room / 2 + ((at - count / 2) * 1.2 + 0.1) * side
            shape.size, shape.pos = (side, side), (left, low + (tall - side) / 2)
