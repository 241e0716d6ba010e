"""An act's result that stays on the board until it is touched."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar


class AwayPlace(Protocol):
    """A widget that knows whether a point is on it."""

    def collide_point(self, x: float, y: float) -> bool: ...


class Numbered(Protocol):
    """An act's result, with the act's number."""

    @property
    def number(self) -> int: ...


P = TypeVar("P", bound=Numbered)


class Away:
    """The memory of the last result that was put away: a result stays until then, or until the next act."""

    def __init__(self, *shown: AwayPlace) -> None:
        self._shown, self._number = shown, 0

    def seen(self, past: P | None) -> P | None:
        """Return the result while it is still to be shown, else None."""
        return past if past and past.number != self._number else None

    def puts(self, touch: Any, past: Numbered | None) -> bool:  # a touch of Kivy, which has no types
        """Put the result away if this touch asks for it; return whether it does.

        Such a touch is on one of the widgets, no control took it, and it is on no number that can be asked about.
        """
        free = not touch.grab_list and not touch.ud.get("asked")
        if not (free and self.seen(past) and any(widget.collide_point(*touch.pos) for widget in self._shown)):
            return False
        self._number = past.number if past else 0
        return True
