"""The table at rest: the colour of the player to move, the number that matters, and what happened last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.bar import SumBar
from ui.page import Page
from ui.table.line import Shapes
from ui.table.rest import AtRest, at_rest
from ui.theme import TextSize
from ui.widgets.box import high, put, row, wide
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text, long, tall

SIDE, SHAPE = 300, 208
"""The width of the colour, upright its height, and the largest size of its one shape, in dp."""
WHO = 252
"""The least height of shape and name together, in dp."""
BAR, NUMBER, STANDING = 60, 196, 44
"""The heights of the bar, of the number and of how it stands, in dp."""


class Whose(FloatLayout):
    """The seat's colour with its shape, its name and what it does; of several seats their shapes."""

    def __init__(self) -> None:
        super().__init__()
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.back = Backdrop(self, theme.now.seal, radius=0)
        self.shapes = [Shape(**own) for _ in range(7)]
        self.name = Text(most=TextSize.FIGURE, lines=1, bold=True, align="center", cuts=True, **own)
        self.what = Text(most=TextSize.CARD, align="center", upright="top", cuts=True, **own)
        for part in (*self.shapes, self.name, self.what):
            self.add_widget(part)
        self._count = 0

    def show(self, rest: AtRest) -> None:
        one = rest.seats[0] if len(rest.seats) == 1 else ""
        ink = theme.on_seat(one) if one else theme.now.on_seal
        self.back.paint(theme.SEATS[one] if one else theme.now.seal, ink if one in ("black", "white") else None)
        self._count = len(rest.seats)
        for at, shape in enumerate(self.shapes):
            shape.seat = rest.seats[at] if at < self._count else ""
            shape.fill, shape.ink = (ink if one else ""), theme.now.on_seal
        self.name.show(rest.name)
        self.what.show(rest.what, shorter=rest.short)
        for text in (self.name, self.what):
            text.color = theme.rgba(ink)
        self.do_layout()

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide_, high_), edge = self.pos, self.size, dp(16)
        name = dp(theme.above(TextSize.FIGURE)) if self.name.text else 0
        if self._is_beside:
            side = high_ - name - 2 * edge
            self._line_up((x + edge, y + high_ - edge - side), (side, side))
            put(self.name, x + edge, y + edge, wide_ - 2 * edge, name)
            put(self.what, x + side + 2 * edge, y + high_ - edge - side, wide_ - side - 3 * edge, side)
            return
        most = max(dp(60), high_ - dp(WHO) - 2 * edge)
        words = min(tall(self.what.text, TextSize.CARD, wide_ - 2 * edge), most)
        left = high_ - name - words - 2 * edge
        low = y + words + edge
        self._line_up((x + edge, low + name), (wide_ - 2 * edge, left))
        put(self.name, x + edge, low, wide_ - 2 * edge, name)
        put(self.what, x + edge, low - words, wide_ - 2 * edge, words)

    @property
    def _is_beside(self) -> bool:
        """Return whether the words stand beside the shape, as they do upright."""
        return bool(self.width > self.height * 1.2)

    def _line_up(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Place one large shape, or several in rows."""
        (x, y), (wide_, high_) = pos, size
        columns = 1 if self._count < 2 else 2 if self._count < 5 else 3
        rows = max(1, -(-self._count // columns))
        side = max(1.0, min(dp(SHAPE), wide_ / columns, high_ / rows))
        for at, shape in enumerate(self.shapes):
            down, across = divmod(at, columns)
            left = x + (wide_ - columns * side) / 2 + across * side
            inset = side * (0.04 if self._count < 2 else 0.12)
            top = y + high_ - (high_ - rows * side) / 2 - (down + 1) * side
            put(shape, left + inset, top + inset, side - 2 * inset, side - 2 * inset)


class Numbered(FloatLayout):
    """The number, and beside it what it is."""

    def __init__(self) -> None:
        super().__init__()
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.number = Text(most=TextSize.REST, lines=1, bold=True, **own)
        self.of = Text(most=TextSize.CARD, lines=1, ink=theme.now.muted, upright="bottom", cuts=True, **own)
        self.what = Text(most=TextSize.CARD, bold=True, upright="top", cuts=True, **own)
        for part in (self.number, self.of, self.what):
            self.add_widget(part)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide_, high_), gap = self.pos, self.size, dp(20)
        broad = min(long(self.number.text, TextSize.REST, True) + dp(4), wide_ * 0.72)
        over = dp(theme.size(TextSize.REST)) - high_  # above and below its digits a line has room that none needs
        put(self.number, x, y - over / 2, broad, high_ + over)
        left, right = x + broad + gap, x + wide_
        half = high_ / 2
        put(self.of, left, y + half, right - left, min(half, dp(theme.above(TextSize.CARD))))
        put(self.what, left, y, right - left, half)


class Standing(BoxLayout):
    """Every seat's shape and number, the highest first."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.PAD))
        self._shown: Sequence[tuple[str, str]] = ()

    def show(self, standing: Sequence[tuple[str, str]]) -> None:
        if standing == self._shown:
            return
        self._shown = standing
        self.clear_widgets()
        step = TextSize.CARD if len(standing) < 5 else TextSize.HEAD if len(standing) < 6 else TextSize.TEXT
        self.spacing = dp(theme.PAD if len(standing) < 6 else 3)
        for seat, figure in standing:
            text = Text(figure, most=step, lines=1, bold=True)
            self.add_widget(wide(Shape(seat), 28 if len(standing) < 6 else 22))
            self.add_widget(wide(text, long(figure, step, True) / dp(1) + 6))
        self.add_widget(Widget())


class RestPage(Page):
    """The resting screen; any touch or change brings the table back, and that touch does nothing else."""

    warns = True

    def build(self) -> None:
        self.spacing, self.padding = 0, 0
        self.whose, self.number, self.bar = Whose(), high(Numbered(), NUMBER), SumBar()
        self.bar.missing.opacity = 0
        self.standing = high(Standing(), STANDING)
        self.marks, self.last = Shapes(40), Text(most=TextSize.CARD, cuts=True)
        self.told = row(self.marks, self.last, gap=theme.PAD)
        self.side = BoxLayout(orientation="vertical", spacing=dp(12), padding=(dp(28), dp(20)))
        self.orientation = "vertical" if self.app.upright else "horizontal"
        (high if self.app.upright else wide)(self.whose, theme.either(SIDE, 320))
        self.add_widget(self.whose)
        self.add_widget(self.side)
        self._was: object = None

    def arrive(self) -> None:
        """Add no controls: any touch brings the table's own back."""

    def enter(self, back: str = "table") -> None:
        """Rest; a touch turns to the page `back`."""
        self._was, self.way_back = None, back

    def show(self) -> None:
        """Show the resting table, or turn to the table as soon as anything changes."""
        moment = self.app.moment()
        now = at_rest(moment), moment.closed, moment.lying, len(moment.log)
        if now[0] is None or self.app.shell.warns or (self._was is not None and now != self._was):
            self.app.go(self.way_back)
            return
        self._was = now
        rest = now[0]
        self.whose.show(rest)
        self.number.number.show(rest.number.number)
        self.number.of.show(rest.number.of)
        self.number.what.show(rest.number.what)
        self.number.do_layout()
        self.marks.show(rest.last.seats)
        self.last.show(rest.last.text)
        if rest.number.sum:
            self.bar.show(rest.number.sum)
        parts: list[Widget] = [self.number] if rest.number.number else []
        parts += [high(self.bar, BAR)] if rest.number.sum else []
        self.standing.show(rest.standing)
        parts += [self.standing] if rest.standing else []
        if self.side.children[::-1] != [*parts, self.told]:
            self.side.clear_widgets()
            for part in (*parts, self.told):
                self.side.add_widget(part)

    def on_touch_down(self, touch: Any) -> bool:
        touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if self.app.page is self:
            self.app.go(self.way_back)
        return True

    def key(self, key: int, down: bool, edge: bool = True) -> bool:  # noqa: ARG002 - any key
        if down:
            self.app.go(self.way_back)
        return True
