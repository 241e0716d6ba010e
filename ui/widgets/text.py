"""Text that fits the box it is given, and boxes with a background."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.clock import Clock
from kivy.core.text import DEFAULT_FONT, Label
from kivy.graphics import Color, Rectangle, RoundedRectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ColorProperty, StringProperty
from kivy.uix.widget import Widget

from ui import theme


class Backdrop:
    """A rounded rectangle behind a widget, that follows it; `paint` changes its colours.

    The edge is a rectangle behind the fill: Kivy draws a line of more than a pixel through the stencil, and a page
    full of those takes several times as long.
    """

    def __init__(self, widget: Any, fill: str | None, edge: str | None = None, radius: float = theme.ROUND) -> None:
        self._widget, self._radius, self._width = widget, dp(radius), 0.0
        self._look: Any = None
        with widget.canvas.before:
            self._edge = Color()
            self._outer = RoundedRectangle()
            self._fill = Color()
            self._inner = RoundedRectangle()
        widget.bind(pos=self._follow, size=self._follow)
        self.paint(fill, edge)

    def paint(self, fill: str | None, edge: str | None = None, width: float = 1) -> None:
        """New colours, and how thick the edge is in dp; None is none at all, an edge alone lies on the ground."""
        look = fill or (theme.now.stone if edge else None), edge, width
        if look == self._look:
            return
        self._look = look
        self._fill.rgba, self._edge.rgba = _shade(look[0]), _shade(edge)
        self._width = dp(width) if edge else 0.0
        self._follow()

    def _follow(self, *_: Any) -> None:
        """What has no colour has no size either: unseen pixels take as long to draw as seen ones."""
        (x, y), (width, height) = self._widget.pos, self._widget.size
        radius = max(0, min(self._radius, width / 2, height / 2))
        for box, inset, colour in ((self._outer, 0.0, self._look[1]), (self._inner, self._width, self._look[0])):
            box.pos = x + inset, y + inset
            box.size = (max(0, width - 2 * inset), max(0, height - 2 * inset)) if colour else (0, 0)
            box.radius = [max(0, radius - inset)]


def _shade(colour: str | None) -> theme.Rgba:
    return theme.rgba(colour) if colour else (0, 0, 0, 0)


class Text(Widget):
    """Words whose letters shrink from `most` towards `least` dp until they fit, and only then end in "…".

    A long word is never broken; one `lines` keeps it on one line. What has been measured or drawn once is kept for
    whoever says the same again: drawing letters is most of the work of a new page.
    """

    text = StringProperty("")
    bold = BooleanProperty(False)
    font_name = StringProperty(DEFAULT_FONT)
    halign = StringProperty("left")
    color = ColorProperty()
    disabled_color = ColorProperty((1, 1, 1, 0.3))

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
        self.valign, self.font_size, self.texture_size, self.is_shortened = upright, dp(most), (0, 0), False
        colour = theme.rgba(ink or theme.now.ink)
        super().__init__(text=text, halign=align, color=colour, **rest)
        with self.canvas:
            self._ink = Color(*colour)
            self._letters = Rectangle(size=(0, 0))
        self._refit = Clock.create_trigger(self._draw, -1)
        for name in ("text", "pos", "size", "bold", "font_name", "halign", "color", "disabled_color", "disabled"):
            self.fbind(name, self._refit)
        self._refit()

    def show(self, text: str) -> None:
        """Changes the text."""
        self.text = text  # Kivy tells nobody where nothing has changed

    def _draw(self, *_: Any) -> None:
        self._ink.rgba = self.disabled_color if self.disabled else self.color
        wide, high = self.size
        if not self.text.strip() or wide <= 1 or high <= 1:
            self._letters.size = self.texture_size = 0, 0
            return
        type_ = self.font_name, self.bold, dp(1)
        size, tight = fitting(self.text, type_, self._most, self._least, (wide, high, self._lines))
        self.font_size, self.is_shortened = dp(size), tight
        box = (wide, high) if tight else (None if self._lines == 1 else wide, None)
        texture = drawn(self.text, type_, size, self.halign, box)
        self._letters.texture, self._letters.size = texture, texture.size
        self.texture_size = texture.size
        self._letters.pos = self._place(*texture.size)

    def _place(self, wide: int, high: int) -> tuple[int, int]:
        """Whole pixels, or the letters would blur."""
        x, y = (int(at + (size - int(size)) / 2) for at, size in zip(self.pos, self.size, strict=True))
        across, up = int(self.width) - wide, int(self.height) - high
        return x + {"left": 0, "right": across}.get(self.halign, across // 2), y + {
            "top": up, "bottom": 0}.get(self.valign, up - up // 2)  # fmt: skip


Type = tuple[str, bool, float]
"""A font, whether it is bold, and how many pixels a dp has."""
Room = tuple[float, float, int]
"""Width and height in pixels, and how many lines; 0 for any number."""
Box = tuple[float | None, float | None]
"""The width that breaks the lines and the height that ends in "…", in pixels; None for neither."""


def forget() -> None:
    """Other fonts go by the same names now."""
    fitting.cache_clear()
    drawn.cache_clear()


@lru_cache(maxsize=1024)
def drawn(text: str, type_: Type, size: float, align: str, box: Box) -> Any:
    """White letters as a texture."""
    label = _label(text, type_, size, box)
    label.options |= {"halign": align, "shorten": box[1] is not None, "shorten_from": "right"}
    label.refresh()
    return label.texture


@lru_cache(maxsize=4096)
def fitting(text: str, type_: Type, most: float, least: float, room: Room) -> tuple[float, bool]:
    """The size in dp at which a text fits, and whether even the least is too large."""

    def fits(size: float) -> bool:
        return _fits(text, type_, size, room)

    if fits(most):
        return most, False
    fit, too_large = least, most
    while too_large - fit > 1:
        size = (fit + too_large) // 2
        fit, too_large = (size, too_large) if fits(size) else (fit, size)
    return fit, fit == least and not fits(fit)


def _fits(text: str, type_: Type, size: float, room: Room) -> bool:
    wide, high, lines = room
    if lines == 1:
        broad, tall = _label(text, type_, size, (None, None)).get_extents(text)
        return bool(broad + 2 <= wide and tall <= high + 0.5)
    label = _label(text, type_, size, (wide, None))
    if label.render()[1] > high + 0.5:  # measured, not drawn
        return False
    return max((label.get_extents(word)[0] for word in _words(text)), default=0) <= wide


def _label(text: str, type_: Type, size: float, box: Box) -> Any:
    font, bold, unit = type_
    label = Label(text=text, font_name=font, bold=bold, font_size=size * unit, text_size=box, valign="middle")
    label.resolve_font_name()
    return label


def _words(text: str) -> list[str]:
    """What must not be broken; a script without spaces breaks anywhere."""
    return [word for word in text.split() if word.isascii() or len(word) < 12]
