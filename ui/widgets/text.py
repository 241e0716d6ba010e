"""Text that fits the box it is given, and boxes with a background."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
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
from ui.theme import TextSize
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

    No word is broken or cut but in Japanese, where its script allows, and a path at its slashes; one `lines` keeps the
    text on one line. Only what `cuts` is meant to end in "…". Measured and drawn text is cached: drawing letters is
    most of the work of a new page.
    """

    text = StringProperty("")
    bold = BooleanProperty(False)
    font_name = StringProperty(DEFAULT_FONT)
    halign = StringProperty("left")
    color = ColorProperty()
    disabled_color = ColorProperty((1, 1, 1, 0.3))
    shown = StringProperty("")
    """What is drawn of it."""

    def __init__(
        self,
        text: str = "",
        *,
        most: TextSize = TextSize.TEXT,
        lines: int = 0,
        cuts: bool = False,
        ink: str | None = None,
        align: str = "left",
        upright: str = "middle",
        **rest: Any,
    ) -> None:
        self.cuts, self.one_line = cuts, lines == 1
        self._most, self._lines, self.shorter = most, lines, tuple[str, ...]()
        self._own_step: TextSize = most
        self._alike: Sequence[Text] = ()
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

    def show(self, text: str, most: TextSize | None = None, lines: int | None = None,
             shorter: str | tuple[str, ...] = ()) -> None:  # fmt: skip
        """Change the text, how large it may be, and on how many lines; the first of `shorter` that fits replaces it."""
        if lines is not None and lines != self._lines:
            self._lines, self.one_line = lines, lines == 1
            self._refit()
        if most is not None and most != self._most:
            self._most = most
            self._refit()
        shorter = (shorter,) if isinstance(shorter, str) else shorter
        if shorter != self.shorter:
            self.shorter = shorter
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
        texts = (self.text, *filter(None, self.shorter))
        text, size, tight = stepped(texts, type_, self._most, room)
        if (step := self._common_step(size)) < self._own_step:
            size = theme.size(step)
            text = next((text for text in texts if _fits(text, type_, size, room)), text)
        self.font_size, self.is_shortened = dp(size), tight
        self.shown = text = cut(text, type_, size, room) if tight else text
        texture = drawn(text, type_, size, self.halign, None if self._lines == 1 else wide)
        self._letters.texture, self._letters.size = texture, texture.size
        self.texture_size = texture.size
        self._letters.pos = self._place(*texture.size)

    def _common_step(self, size: float) -> TextSize:
        """Return the smallest step that this text or one of those like it needs; tell them where that is news."""
        step = next(step for step in TextSize if theme.size(step) == size)
        if step != self._own_step:
            self._own_step = step
            for other in self._alike:
                other._refit()
        return min((one._own_step for one in self._alike), default=step)

    def be_like(self, others: Sequence[Text]) -> None:
        """Take the same step as these texts from now on; see `level`."""
        if self._alike != others:
            self._alike = others
            self._refit()

    @property
    def left_out(self) -> str:
        """Return what "…" stands for."""
        return self.text.removeprefix(self.shown.removesuffix("…")).lstrip(LEFT_OUT) if self.is_shortened else ""

    def lines(self) -> list[str]:
        """Return the lines as they are drawn."""
        label = _label(self.shown, (self.font_name, self.bold, dp(1)), self.font_size / dp(1),
                       None if self._lines == 1 else self.width)  # fmt: skip
        label.render()
        return ["".join(word.text for word in line.words) for line in label._cached_lines]

    def _place(self, wide: int, high: int) -> tuple[int, int]:
        """Return the position in whole pixels, or the letters would blur."""
        x, y = (int(at + (size - int(size)) / 2) for at, size in zip(self.pos, self.size, strict=True))
        across, up = int(self.width) - wide, int(self.height) - high
        return x + {"left": 0, "right": across}.get(self.halign, across // 2), y + {
            "top": up, "bottom": 0}.get(self.valign, up - up // 2)  # fmt: skip


def level(texts: Sequence[Text]) -> None:
    """Give the texts of a list one step of the scale, the largest in which all of them fit."""
    for text in texts:
        text.be_like(texts)


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


def long(text: str, size: TextSize, bold: bool = False) -> float:
    """Return how many pixels wide a text of this type size is on one line."""
    return float(_label(text, (DEFAULT_FONT, bold, dp(1)), theme.size(size), None).get_extents(text)[0])


@lru_cache(maxsize=4096)
def tall(text: str, size: TextSize, width: float, bold: bool = False) -> float:
    """Return how many pixels high a text of this type size is, in lines of this many pixels; 0 for none."""
    if not text.strip():
        return 0.0
    return float(_label(text, (DEFAULT_FONT, bold, dp(1)), theme.size(size), max(1.0, width)).render()[1])


@lru_cache(maxsize=4096)
def broad(text: str, size: TextSize, bold: bool = False) -> float:
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


def stepped(texts: tuple[str, ...], type_: Type, step: TextSize, room: Room) -> tuple[str, float, bool]:
    """Return the first of the texts that fits, its size in dp, and whether none does.

    Each is tried at its step and the one below before any takes a smaller one; a bare number cannot be said in fewer
    words, so it may take any step at once.
    """
    sizes = [theme.size(TextSize(at)) for at in range(step, -1, -1)]
    near = 2 if any(letter.isalpha() for letter in texts[0]) else len(sizes)
    tried = (sizes[:near], sizes[near:])
    found = ((text, size, False) for some in tried for text in texts for size in some if _fits(text, type_, size, room))
    last = texts[-1]
    return next(found, (last, sizes[-1], cut(last, type_, sizes[-1], room) != last))


@lru_cache(maxsize=512)
def cut(text: str, type_: Type, size: float, room: Room) -> str:
    """Return as many words of the text as there is room for, and "…" for the rest; one line is always there.

    Of a single word that is too long, return as many letters.
    """
    wide, _, lines = room

    def fits(part: str) -> bool:
        label = _label(part, type_, size, None if lines == 1 else wide)
        if lines == 1:
            return bool(label.get_extents(part)[0] <= wide)
        return bool(label.render()[1] <= max(_room_for_lines(type_, size, room) + 0.5, label.get_extents(part)[1]))

    if fits(text):
        return text
    for ends in ([part.end() for part in japanese.PART.finditer(text)], range(len(text))):
        starts = [text[:end].rstrip(LEFT_OUT) for end in ends]
        if count := bisect_left(starts, True, key=lambda start: not fits(f"{start}…")):
            return f"{starts[count - 1]}…"
    return "…"


LEFT_OUT = " ,;:·–+−=(„“「"
"""Characters removed before "…"."""


def _fits(text: str, type_: Type, size: float, room: Room, broken: bool = False) -> bool:
    """Return whether the text fits; `broken` lets Japanese words break, but not their katakana."""
    wide, high, lines = room
    if lines == 1:
        broad = _label(text, type_, size, None).get_extents(text)[0]
        return bool(broad + 2 <= wide and size * type_[2] <= high + 0.5)  # no letter needs the room between lines
    label = _label(text, type_, size, wide)
    if label.render()[1] > _room_for_lines(type_, size, room) + 0.5:  # measured, not drawn
        return False
    words = _words(text, broken) + ([] if broken else COUNT.findall(text))
    return max((label.get_extents(word)[0] for word in words), default=0) <= wide


def _room_for_lines(type_: Type, size: float, room: Room) -> float:
    """Return the height for a text of this size: all there is, or that of its few lines."""
    _, high, lines = room
    # half a line more, as letters of another font can be a little higher
    return min(high, (lines + 0.5) * float(_label("0", type_, size, None).render()[1])) if lines else high


def _label(text: str, type_: Type, size: float, wide: float | None) -> Any:
    font, bold, unit = type_
    box, bold = (wide, None), bold and has_bold(text)
    label = Letters(text=text, font_name=font, bold=bold, font_size=size * unit, text_size=box, valign="middle")
    label.resolve_font_name()
    if wide is not None:

        def measure(part: str) -> int:
            return int(label.get_extents(part)[0])

        label.text = parted(japanese.lines(counted(text, wide, measure), wide, measure), wide, measure)
    return label


def counted(text: str, wide: float, measure: Callable[[str], int]) -> str:
    """Return the text with numbers kept on the line of their word, as in "Cards: 6", and sums kept whole.

    Both hold only where a line has room for them.
    """

    def whole(part: re.Match[str]) -> str:
        return part[0].replace(" ", "\u00a0") if measure(part[0]) <= wide else part[0]

    return SUM.sub(whole, COUNT.sub(whole, text))


COUNT = re.compile(r"\w+: \d+")
SUM = re.compile(r"\(?\d+\)?(?: [+−×÷=] \(?\d+\)?)+")


def parted(text: str, wide: float, measure: Callable[[str], int]) -> str:
    """Return the text with paths, sums and pairs of names that are too long for a line broken where they may be."""

    def lines(run: re.Match[str]) -> str:
        found = ""
        for piece in JOINT.split(run[0]) if measure(run[0]) > wide else (run[0],):
            whole = measure(found.rpartition("\n")[2] + piece) <= wide
            found += piece if whole or not found else f"\n{piece}"
        return found

    return RUN.sub(lines, text)


RUN = re.compile(rf"[^ \n{japanese.SCRIPT}]+")
JOINT = re.compile(r"(?<=[^\W\d_][^\W\d_][–/._-])(?=\w\w)|(?<=\d\+)(?=\d)")


def _words(text: str, broken: bool = False) -> list[str]:
    """Return the parts that must not be broken.

    Long parts in a script without spaces, from U+3000 on, are left out: a line may end inside them.
    """
    if broken:
        return japanese.PART.findall(text)
    return [word for word in re.split(rf"\s+|(?<=・)|{JOINT.pattern}", text) if len(word) < 12 or max(word) < "\u3000"]
