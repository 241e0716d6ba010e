"""The interface between a board and the table around it."""

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
    """The width of the rail, upright its height, in dp by the size of text; 0 for the usual size.

    Its tiles may be `rows`, also upright; then they stand below the board there.
    """

    wide: tuple[float, float] = (0, 0)
    high: tuple[float, float] = (0, 0)
    rows: bool = False


Place = tuple[float, float, float, float]
"""A rectangle of the window: left, bottom, width and height in pixels."""

C_contra = TypeVar("C_contra", contravariant=True)


class Board(Protocol[C_contra]):
    """The widget between the seats, which shows its game's view-model."""

    margin: tuple[float, float]
    """The margin inside the board's slot, in dp."""

    rail: RailShape
    """The position of the seats' rail beside it."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None: ...

    def annexes(self, count: int) -> Sequence[Widget]:
        """Return the widgets the board adds to the seats' tiles, one per seat; () for none."""

    def show(self, centre: C_contra, /) -> None:
        """Show what has changed."""

    def unveil(self, centre: C_contra, seconds: float, /) -> None:
        """Show the reveal as it stands so many `seconds` after the last card was laid, until all may be seen."""

    def free(self) -> Place | None:
        """Return where a lesson may stand now, as it hides nothing that it explains; None where there is no room."""

    def tap_seat(self, seat: str) -> None:
        """Handle a tap on a seat's panel: carry out what that seat alone can do now."""
