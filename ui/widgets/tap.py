"""Controls: every one is at least a finger wide, and a ghost touch on it acts once."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout

from ui import theme
from ui.theme import TextSize
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text, broad, long

GHOST = 0.15
"""A second touch on one control within this many seconds is the same touch."""

Act = Callable[[], object]


class Touchable(ButtonBehavior, FloatLayout):
    """A widget that acts when it is tapped. It may be `chosen`, and the `primary` control of its page."""

    def __init__(self, act: Act | None = None, **rest: object) -> None:
        super().__init__(**rest)
        self.act, self.chosen = act, False
        self._acted = -GHOST

    @property
    def primary(self) -> bool:
        """Return whether it is the one thing to do next, on a page that has one."""
        return False

    def on_release(self) -> None:
        began, self._acted = self._acted, monotonic()
        if self.act and self._acted - began >= GHOST:
            self.act()


class Tap(Touchable):
    """A button with words on it. `kind`: "main" for what is expected, "plain", "quiet" for the way out."""

    def __init__(self, text: str = "", act: Act | None = None, kind: str = "plain", most: TextSize = TextSize.TEXT,
                 seat: str = "", **rest: Any) -> None:  # fmt: skip
        rest.setdefault("size_hint_min", (dp(theme.TOUCH), dp(theme.TOUCH)))
        super().__init__(act, **rest)
        self.kind = kind
        self.back = Backdrop(self, None)
        self.words = Text(text, most=most, align="center", size_hint=(None, None), bold=kind == "main")
        self.shape = Shape(seat, size_hint=(None, None))
        self.add_widget(self.words)
        self.add_widget(self.shape)
        self.bind(pos=self._arrange, size=self._arrange, state=self._dress, disabled=self._dress)
        self.shape.bind(seat=self._arrange)
        self.words.bind(text=self._arrange)
        self._dress()

    def show(self, text: str, disabled: bool = False, kind: str | None = None, seat: str | None = None, *,
             chosen: bool = False, shorter: tuple[str, ...] = ()) -> None:  # fmt: skip
        """Set the words, whether it can be tapped, its `kind` and `seat`, and whether it is chosen."""
        self.words.show(text, shorter=shorter)
        if seat is not None:
            self.shape.seat = seat
            self.words.cuts = bool(seat)  # a name is known by its shape, too
        self.kind, self.chosen = kind or self.kind, chosen
        self.disabled = disabled
        self._dress()

    @property
    def primary(self) -> bool:
        return self.kind == "main" and not self.disabled and not self.chosen

    def _arrange(self, *_: object) -> None:
        pad = dp(4)
        side = dp(22) if self.shape.seat else 0
        if side and self._stacks(self.words.text):
            self._stack(side)
            return
        self.shape.size = (side, side)
        self.shape.pos = (self.x + pad, self.center_y - side / 2)
        if side and not self.words.text:
            self.shape.center = self.center
        left = pad + (side + dp(4) if side else 0)
        self.words.pos = (self.x + left, self.y + dp(2))
        self.words.size = (max(1, self.width - left - pad), max(1, self.height - dp(4)))

    def _stacks(self, text: str) -> bool:
        """Return whether words and shape would be cramped side by side; several words may need two lines there."""
        cramped = text and self.width < dp(theme.grown(100)) and self.height >= dp(54)
        beside = " " in text and broad(text, TextSize.LABEL) <= self.width - dp(34)
        return bool(cramped and (not beside or long(text, TextSize.LABEL) + 2 <= self.width))

    def _stack(self, side: float) -> None:
        """Put the shape above the words, where they would be cramped beside it."""
        self.shape.size = (side, side)
        self.shape.center = (self.center_x, self.top - dp(4) - side / 2)
        self.words.pos = self.x, self.y + dp(2)
        self.words.size = self.width, self.height - side - dp(7)

    def _dress(self, *_: object) -> None:
        look = theme.now
        fill, edge, width = (None if self.disabled or self.kind == "quiet" else look.panel), look.line, 1.0
        ink = look.muted if self.disabled else look.ink
        if self.chosen:
            fill, edge, width = theme.selected()
        elif self.primary:
            fill, edge, ink = look.seal, look.rim, look.on_seal
        if self.state == "down" and not self.disabled:
            fill, edge, ink = look.ink, look.ink, look.stone
        self.back.paint(fill, edge, width)
        self.words.bold = self.chosen or self.kind == "main"
        self.words.color = theme.rgba(ink)
        self.words.disabled_color = theme.rgba(ink)
