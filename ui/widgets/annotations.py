"""Annotations of widgets that are no controls: a number or clause to ask about, places of the real table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import TypeVar

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme

About = tuple[str, str | None]
"""On the table a word of the guide's `numbers`, and whose it is, None where it is the table's; on a page a clause."""

W = TypeVar("W", bound=Widget)


def asks(widget: W, word: str, seat: str | None = None) -> W:
    """Mark the widget as showing this number or clause, "" for none; return it.

    The widget itself takes no touch: its page asks about it.
    """
    widget.about = (word, seat) if word else None
    return widget


def asked(root: Widget, pos: tuple[float, float]) -> About | None:
    """Return what the widget under the finger shows, or the nearest within half a finger's width."""
    widget = _nearest_under(root, pos, "about")
    return widget.about if widget else None


def lies(widget: W, *places: str) -> W:
    """Mark the widget as showing what lies at these places of a layout; return it.

    "seat red" is all that is red's.
    """
    widget.lies_at = places
    return widget


def lying(root: Widget, pos: tuple[float, float]) -> Sequence[str]:
    """Return the places shown by the widget under the finger, or by the nearest within half a finger's width."""
    widget = _nearest_under(root, pos, "lies_at")
    return widget.lies_at if widget else ()


def seen(root: Widget, key: str) -> Iterator[Widget]:
    """Yield every visible widget that has something of this kind: what it asks about, or the places it shows."""
    if root.opacity:
        if getattr(root, key, None) and str(getattr(root, "text", "1")).strip():
            yield root
        for child in root.children:
            yield from seen(child, key)


def controls(root: Widget, kind: type[Widget]) -> Iterator[Widget]:
    """Yield the controls of this kind that show no place of a layout."""
    for child in root.children:
        if isinstance(child, kind) and not any(seen(child, "lies_at")):
            yield child
        else:
            yield from controls(child, kind)


def _nearest_under(root: Widget, pos: tuple[float, float], key: str) -> Widget | None:
    hit = [(_distance(widget, pos), widget) for widget in seen(root, key) if _is_hit(widget, pos)]
    return min(hit, key=lambda found: found[0])[1] if hit else None


def _is_hit(widget: Widget, pos: tuple[float, float]) -> bool:
    """Return whether the finger is on the widget, which counts as at least a finger wide."""
    reach = (max(side, dp(theme.TOUCH)) / 2 for side in widget.size)
    return all(abs(at - of) <= far for at, of, far in zip(pos, widget.center, reach, strict=True))


def _distance(widget: Widget, pos: tuple[float, float]) -> tuple[bool, float]:
    """Return a key that sorts widgets under the finger first, then by the distance of their middle."""
    return not widget.collide_point(*pos), hypot(pos[0] - widget.center_x, pos[1] - widget.center_y)
