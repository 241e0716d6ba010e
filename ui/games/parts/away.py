"""What has happened stays on the board until it is touched."""

from __future__ import annotations

from typing import Any, Protocol


class Place(Protocol):
    """A widget, as far as it is touched."""

    def collide_point(self, x: float, y: float) -> bool: ...


def puts_away(touch: Any, *shown: Place) -> bool:  # a touch of Kivy, which has no types
    """A touch on something that stayed: no control took it, and it is on no number that can be asked about."""
    free = not touch.grab_list and not touch.ud.get("asked")
    return free and any(widget.collide_point(*touch.pos) for widget in shown)
