"""What a board is to the table around it, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

Act = Callable[[dict[str, Any]], object]
"""Sends an event to the referee, as a transcript writes it."""
Go = Callable[..., object]
"""Turns to a page, with what it is given."""
Say = Callable[..., str]
"""A text in the language chosen."""


@dataclass(frozen=True, slots=True)
class RailShape:
    """How wide the rail is, upright how high, in dp by the size of text; 0 where it is as usual.

    Its tiles may be `rows`, also upright; then they stand below the board there.
    """

    wide: tuple[float, float] = (0, 0)
    high: tuple[float, float] = (0, 0)
    rows: bool = False


C_contra = TypeVar("C_contra", contravariant=True)


class Board(Protocol[C_contra]):
    """The widget between the seats, which shows its game's view-model."""

    margin: tuple[float, float]
    """The margin inside the board's slot, in dp."""

    rail: RailShape
    """How the seats' rail stands beside it."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None: ...

    def annexes(self, count: int) -> Sequence[Widget]:
        """What it adds to the seats' tiles, one each; () for nothing."""

    def show(self, centre: C_contra, /) -> None:
        """Shows what has changed."""

    def unveil(self, centre: C_contra, seconds: float, /) -> None:
        """Cards are revealed: what is shown so long after the last was down, until all of it may be."""

    def tap_seat(self, seat: str) -> None:
        """A seat's panel was tapped: what that seat alone can do now."""
