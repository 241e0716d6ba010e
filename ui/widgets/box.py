"""Rows and columns with the spacing of the theme."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.layout import slots
from ui.widgets.text import Backdrop


def row(*children: Widget, gap: float = theme.GAP, pad: object = 0, **rest: object) -> BoxLayout:
    """Return a box with the children side by side."""
    return _box("horizontal", children, gap, pad, rest)


def column(*children: Widget, gap: float = theme.GAP, pad: object = 0, **rest: object) -> BoxLayout:
    """Return a box with the children from top to bottom."""
    return _box("vertical", children, gap, pad, rest)


def _box(orientation: str, children: tuple[Widget, ...], gap: float, pad: object, rest: dict[str, Any]) -> BoxLayout:
    padding = [dp(side) for side in pad] if isinstance(pad, tuple | list) else dp(pad)
    box = BoxLayout(orientation=orientation, spacing=dp(gap), padding=padding, **rest)
    for child in children:
        box.add_widget(child)
    return box


def high(widget: Widget, height: float) -> Widget:
    """Return the widget with a fixed height in dp."""
    widget.size_hint_y, widget.height = None, dp(height)
    return widget


def wide(widget: Widget, width: float) -> Widget:
    """Return the widget with a fixed width in dp."""
    widget.size_hint_x, widget.width = None, dp(width)
    return widget


def put(widget: Widget, left: float, low: float, wide: float, high: float) -> None:
    """Put the widget in this place, in pixels; nothing is thinner than one."""
    widget.pos, widget.size = (left, low), (max(1.0, wide), max(1.0, high))


def page_width(upright: bool) -> float:
    """Return the width of a page in dp, which may not be laid out yet."""
    from kivy.core.window import Window

    return float(Window.width / dp(1)) - (0 if upright else slots(upright).spine)


def page_height(upright: bool) -> float:
    """Return the height of a page in dp, which may not be laid out yet."""
    from kivy.core.window import Window

    return float(Window.height / dp(1)) - (slots(upright).spine if upright else 0)


def panel(widget: Widget, fill: str | None = None, edge: str | None = None, radius: float = theme.ROUND) -> Widget:
    """Return the widget with a panel behind it."""
    widget.backdrop = Backdrop(widget, fill or theme.now.panel, edge, radius)
    return widget


def swap(box: BoxLayout, child: Widget) -> None:
    """Make `child` the only one in the box, if it is not already."""
    if box.children != [child]:
        box.clear_widgets()
        box.add_widget(child)
