"""Numbers that can be asked about: a touch that no control takes opens *why* for the one under it."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import TypeVar

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme

Number = tuple[str, str | None]
"""A word of the guide's `numbers`, and whose it is; None where it is the table's."""

W = TypeVar("W", bound=Widget)


def asks(widget: W, word: str, seat: str | None = None) -> W:
    """The widget shows this number, or from now on none where `word` is "". It still takes no touch of its own."""
    widget.about = (word, seat) if word else None
    return widget


def asked(root: Widget, pos: tuple[float, float]) -> Number | None:
    """The number at this place of the window: the one under the finger, or the nearest within half a finger's width."""
    hit = [(_far(widget, pos), widget) for widget in _seen(root) if _hits(widget, pos)]
    return min(hit, key=lambda found: found[0])[1].about if hit else None


def _seen(root: Widget) -> Iterator[Widget]:
    """Every widget that shows a number now."""
    if root.opacity:
        if getattr(root, "about", None) and getattr(root, "text", "1").strip():
            yield root
        for child in root.children:
            yield from _seen(child)


def _hits(widget: Widget, pos: tuple[float, float]) -> bool:
    """The finger is on it; it is at least a finger wide."""
    reach = (max(side, dp(theme.TOUCH)) / 2 for side in widget.size)
    return all(abs(at - of) <= far for at, of, far in zip(pos, widget.center, reach, strict=True))


def _far(widget: Widget, pos: tuple[float, float]) -> tuple[bool, float]:
    """Beside it before far from its middle."""
    return not widget.collide_point(*pos), hypot(pos[0] - widget.center_x, pos[1] - widget.center_y)
