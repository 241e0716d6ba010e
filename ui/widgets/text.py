"""Text that fits the box it is given, and boxes with a background."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

from kivy.clock import Clock
from kivy.core.text import DEFAULT_FONT, Label
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ColorProperty, StringProperty
from kivy.uix.widget import Widget

from ui import theme
from ui.fonts import has_bold, register
from ui.theme import Step
from ui.widgets import japanese
from ui.widgets.plate import Plate, sharp


class Backdrop:
    """A rounded rectangle behind a widget, that follows it; `paint` changes its colours."""

    def __init__(self, widget: Any, fill: str | None, edge: str | None = None, radius: float = theme.ROUND) -> None:
        self._widget, self.plate = widget, Plate(radius)
        self.paint = self.plate.paint
        widget.canvas.before.add(self.plate)
        widget.bind(pos=self._follow, size=self._follow)
        self._follow()
        self.paint(fill, edge)

    def _follow(self, *_: object) -> None:
        self.plate.lay(self._widget.pos, self._widget.size)


class Text(Widget):
    """Words in a step of the type scale, or in the one below it where they do not fit; then `shorter`, then "…".

    A long word is broken only where it may be `split`, Japanese only where its script allows; one `lines` keeps the
    text on one line. Only what `cuts` is meant to end in "…". Measured and drawn text is cached: drawing letters is
    most of the work of a new page.
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
        most: Step = Step.TEXT,
        lines: int = 0,
        split: bool = False,
        cuts: bool = False,
        ink: str | None = None,
        align: str = "left",
        upright: str = "middle",
        **rest: Any,
    ) -> None:
        self.cuts, self.one_line, self._split = cuts, lines == 1, split
        self._most, self._lines, self._shorter = most, lines, ""
        self.valign, self.font_size, self.texture_size, self.is_shortened = upright, dp(12), (0, 0), False
        colour = theme.rgba(ink or theme.now.ink)
        super().__init__(text=text, halign=align, color=colour, **rest)
        with self.canvas:
            self._ink = Color(*colour)
            self._letters = Rectangle(size=(0, 0))
        self._refit = Clock.create_trigger(self._draw, -1)
        for name in ("text", "pos", "size", "bold", "font_name", "halign", "color", "disabled_color", "disabled"):
            self.fbind(name, self._refit)
        self._refit()

    def show(self, text: str, most: Step | None = None, lines: int | None = None, shorter: str = "") -> None:
        """Change the text, how large it may be, and on how many lines; `shorter` is shown where it does not fit."""
        if lines is not None and lines != self._lines:
            self._lines, self.one_line = lines, lines == 1
            self._refit()
        if most is not None and most != self._most:
            self._most = most
            self._refit()
        if shorter != self._shorter:
            self._shorter = shorter
            self._refit()
        self.text = text  # Kivy notifies only of a change

    def _draw(self, *_: object) -> None:
        self._ink.rgba = self.disabled_color if self.disabled else self.color
        wide, high = self.size
        if not self.text.strip() or wide <= 1 or high <= 1:
            self._letters.size = self.texture_size = 0, 0
            return
        type_ = self.font_name, self.bold, dp(1)
        room = wide, high, self._lines
        text, size, tight = stepped((self.text, self._shorter), type_, self._most, room)
        loose = self._split or self.one_line  # then what is not cut is whole
        tight = tight and not (loose and cut(text, type_, size, room) == text)
        self.font_size, self.is_shortened = dp(size), tight
        text = cut(text, type_, size, room) if tight else text
        texture = drawn(text, type_, size, self.halign, None if self._lines == 1 else wide)
        self._letters.texture, self._letters.size = texture, texture.size
        self.texture_size = texture.size
        self._letters.pos = self._place(*texture.size)

    def _place(self, wide: int, high: int) -> tuple[int, int]:
        """Return the position in whole pixels, or the letters would blur."""
        x, y = (int(at + (size - int(size)) / 2) for at, size in zip(self.pos, self.size, strict=True))
        across, up = int(self.width) - wide, int(self.height) - high
        return x + {"left": 0, "right": across}.get(self.halign, across // 2), y + {
            "top": up, "bottom": 0}.get(self.valign, up - up // 2)  # fmt: skip


class Letters(Label):
    """A label that caches the size of a word: breaking lines measures the same words again and again."""

    measured: ClassVar[dict[tuple[str, str, float], tuple[int, int]]] = {}
    most = 5_000

    def get_extents(self, text: str) -> tuple[int, int]:
        key = text, self.options["font_name_r"], self.options["font_size"]
        if key not in self.measured:
            if len(self.measured) >= self.most:
                self.measured.clear()
            self.measured[key] = super().get_extents(text)
        return self.measured[key]


Type = tuple[str, bool, float]
"""A font, whether it is bold, and how many pixels a dp has."""
Room = tuple[float, float, int]
"""Width and height in pixels, and how many lines; 0 for any number."""


def speak(lang: str) -> None:
    """Write every text with the fonts of a language from now on; they go by the same names."""
    register(lang)
    tall.cache_clear()
    broad.cache_clear()
    cut.cache_clear()
    drawn.cache_clear()


def long(text: str, size: Step, bold: bool = False) -> float:
    """Return how many pixels wide a text of this type size is on one line."""
    return float(_label(text, (DEFAULT_FONT, bold, dp(1)), theme.size(size), None).get_extents(text)[0])


@lru_cache(maxsize=4096)
def tall(text: str, size: Step, width: float, bold: bool = False) -> float:
    """Return how many pixels high a text of this type size is, in lines of this many pixels; 0 for none."""
    if not text.strip():
        return 0.0
    return float(_label(text, (DEFAULT_FONT, bold, dp(1)), theme.size(size), max(1.0, width)).render()[1])


@lru_cache(maxsize=4096)
def broad(text: str, size: Step, bold: bool = False) -> float:
    """Return how many pixels wide the widest word of a text of this type size is."""
    label = _label(text, (DEFAULT_FONT, bold, dp(1)), theme.size(size), None)
    return float(max((label.get_extents(word)[0] for word in _words(text)), default=0))


@lru_cache(maxsize=512)
def drawn(text: str, type_: Type, size: float, align: str, wide: float | None) -> Any:
    """Return white letters as a texture, in lines of this many pixels, or on one."""
    label = _label(text, type_, size, wide)
    label.options["halign"] = align
    label.refresh()
    return sharp(label.texture)


def stepped(texts: tuple[str, str], type_: Type, step: Step, room: Room) -> tuple[str, float, bool]:
    """Return the first of the texts that fits at its step or the one below, its size in dp, and whether none does.

    A bare number may take any step below: it cannot be said in fewer words.
    """
    least = max(step - 1, 0) if any(letter.isalpha() for letter in texts[0]) else 0
    sizes = [theme.size(Step(at)) for at in range(step, least - 1, -1)]
    found = ((text, size, False) for text in filter(None, texts) for size in sizes if _fits(text, type_, size, room))
    last = texts[1] or texts[0]
    return next(found, (last, sizes[-1], cut(last, type_, sizes[-1], room) != last))


@lru_cache(maxsize=512)
def cut(text: str, type_: Type, size: float, room: Room) -> str:
    """Return as much of the text as there is room for, and "…" for the rest; one line is always there."""
    wide, high, lines = room

    def fits(part: str) -> bool:
        label = _label(part, type_, size, None if lines == 1 else wide)
        if lines == 1:
            return bool(label.get_extents(part)[0] <= wide)
        return bool(label.render()[1] <= max(high + 0.5, label.get_extents(part)[1]))

    if fits(text):
        return text
    fit, too_long = 0, len(text)
    while too_long - fit > 1:
        middle = (fit + too_long) // 2
        fit, too_long = (middle, too_long) if fits(f"{text[:middle]}…") else (fit, middle)
    return f"{text[:fit].rstrip()}…"


def _fits(text: str, type_: Type, size: float, room: Room, broken: bool = False) -> bool:
    """Return whether the text fits; `broken` lets Japanese words break, but not their katakana."""
    wide, high, lines = room
    if lines == 1:
        broad = _label(text, type_, size, None).get_extents(text)[0]
        return bool(broad + 2 <= wide and size * type_[2] <= high + 0.5)  # no letter needs the room between lines
    label = _label(text, type_, size, wide)
    if label.render()[1] > high + 0.5:  # measured, not drawn
        return False
    words = _words(text, broken) + ([] if broken else COUNT.findall(text))
    return max((label.get_extents(word)[0] for word in words), default=0) <= wide


def _label(text: str, type_: Type, size: float, wide: float | None) -> Any:
    font, bold, unit = type_
    box, bold = (wide, None), bold and has_bold(text)
    label = Letters(text=text, font_name=font, bold=bold, font_size=size * unit, text_size=box, valign="middle")
    label.resolve_font_name()
    if wide is not None:

        def measure(part: str) -> int:
            return int(label.get_extents(part)[0])

        label.text = dashed(japanese.lines(counted(text, wide, measure), wide, measure), wide, measure)
    return label


def counted(text: str, wide: float, measure: Callable[[str], int]) -> str:
    """Return the text with numbers kept on the line of their word, as in "Cards: 6", and sums kept whole.

    Both hold only where a line has room for them.
    """

    def whole(part: re.Match[str]) -> str:
        return part[0].replace(" ", "\u00a0") if measure(part[0]) <= wide else part[0]

    return SUM.sub(whole, COUNT.sub(whole, text))


COUNT = re.compile(r"\w+: \d+")
SUM = re.compile(r"\(?\d+\)?(?: [+−×=] \(?\d+\)?)+")


def dashed(text: str, wide: float, measure: Callable[[str], int]) -> str:
    """Return the text with a pair of names that is too long for a line broken at its dash."""
    return PAIR.sub(lambda pair: pair[0] if measure(pair[0]) <= wide else f"{pair[1]}\n{pair[2]}", text)


PAIR = re.compile(r"(\w{3,}–)(\w{3,})")


def _words(text: str, broken: bool = False) -> list[str]:
    """Return the parts that must not be broken.

    Long parts in a script without spaces, from U+3000 on, are left out: a line may end inside them.
    """
    if broken:
        return japanese.PART.findall(text)
    return [word for word in re.split(r"\s+|(?<=・)|(?<=\w\w\w–)", text) if len(word) < 12 or max(word) < "\u3000"]
