"""What has happened stays on the board until it is touched."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar


class AwayPlace(Protocol):
    """A widget, as far as it is touched."""

    def collide_point(self, x: float, y: float) -> bool: ...


class Numbered(Protocol):
    """What an act left behind, by the act's number."""

    @property
    def number(self) -> int: ...


P = TypeVar("P", bound=Numbered)


class Away:
    """Which act's end has been put away: what it left behind stays until then, or until the next act."""

    def __init__(self, *shown: AwayPlace) -> None:
        self._shown, self._number = shown, 0

    def seen(self, past: P | None) -> P | None:
        """What is still to be shown."""
        return past if past and past.number != self._number else None

    def puts(self, touch: Any, past: Numbered | None) -> bool:  # a touch of Kivy, which has no types
        """Whether this touch puts it away: no control took it, and it is on no number that can be asked about."""
        free = not touch.grab_list and not touch.ud.get("asked")
        if not (free and self.seen(past) and any(widget.collide_point(*touch.pos) for widget in self._shown)):
            return False
        self._number = past.number if past else 0
        return True
