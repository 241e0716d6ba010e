"""Text that fits the box it is given, and boxes with a background."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.label import Label

from ui import theme


class Backdrop:
    """A rounded rectangle behind a widget, that follows it; `paint` changes its colours.

    The edge is a rectangle behind the fill: Kivy draws a line of more than a pixel through the stencil, and a page
    full of those takes several times as long.
    """

    def __init__(self, widget: Any, fill: str | None, edge: str | None = None, radius: float = theme.ROUND) -> None:
        self._widget, self._radius, self._width = widget, dp(radius), 0.0
        with widget.canvas.before:
            self._edge = Color()
            self._outer = RoundedRectangle()
            self._fill = Color()
            self._inner = RoundedRectangle()
        widget.bind(pos=self._follow, size=self._follow)
        self.paint(fill, edge)

    def paint(self, fill: str | None, edge: str | None = None, width: float = 1) -> None:
        """New colours, and how thick the edge is in dp; None is none at all, an edge alone lies on the ground."""
        self._fill.rgba = _shade(fill or (theme.now.stone if edge else None))
        self._edge.rgba = _shade(edge)
        self._width = dp(width) if edge else 0.0
        self._follow()

    def _follow(self, *_: Any) -> None:
        (x, y), (width, height) = self._widget.pos, self._widget.size
        radius = max(0, min(self._radius, width / 2, height / 2))
        for box, inset in ((self._outer, 0.0), (self._inner, self._width)):
            box.pos = x + inset, y + inset
            box.size = max(0, width - 2 * inset), max(0, height - 2 * inset)
            box.radius = [max(0, radius - inset)]


def _shade(colour: str | None) -> theme.Rgba:
    return theme.rgba(colour) if colour else (0, 0, 0, 0)


class Text(Label):
    """A label whose letters shrink from `most` towards `least` dp until its text fits, and only then end in "…".

    A long word is never broken; one `lines` keeps it on one line.
    """

    def __init__(
        self,
        text: str = "",
        *,
        most: float = theme.BODY,
        least: float = 9,
        lines: int = 0,
        ink: str | None = None,
        align: str = "left",
        upright: str = "middle",
        **rest: Any,
    ) -> None:
        self._most, self._least, self._lines = most, min(least, most), lines
        self._refit = Clock.create_trigger(self._fit, -1)
        super().__init__(text=text, font_size=dp(most), halign=align, valign=upright, **rest)
        self.color = theme.rgba(ink or theme.now.ink)
        self.bind(size=self._refit, text=self._refit, bold=self._refit, font_name=self._refit)
        self._refit()

    def show(self, text: str) -> None:
        """Changes the text."""
        self.text = text  # Kivy tells nobody where nothing has changed

    def _fit(self, *_: Any) -> None:
        if self.width <= 1 or self.height <= 1:
            return
        self.shorten = False
        self.text_size = (None if self._lines == 1 else self.width, None)
        if not self._fits(self._most):
            fits, too_large = self._least, self._most
            while too_large - fits > 1:
                size = (fits + too_large) // 2
                fits, too_large = (size, too_large) if self._fits(size) else (fits, size)
            tight = not self._fits(fits)
        else:
            tight = False
        # One line stays one: shortening is what keeps Kivy from breaking it.
        self.shorten, self.shorten_from = self._lines == 1 or tight, "right"
        self.text_size = self.size

    def _fits(self, size: float) -> bool:
        self.font_size = dp(size)
        self._label.resolve_font_name()
        wide, high = self._label.render()  # measured, not drawn: only the size that is chosen becomes a texture
        if self._lines == 1:
            return bool(wide + 2 <= self.width and high <= self.height + 0.5)
        words = max((self._label.get_extents(word)[0] for word in _words(self.text)), default=0)
        return bool(words <= self.width and high <= self.height + 0.5)


def _words(text: str) -> list[str]:
    """What must not be broken; a script without spaces breaks anywhere."""
    return [word for word in text.split() if word.isascii() or len(word) < 12]
