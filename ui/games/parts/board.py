"""What a board is to the table around it, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

Act = Callable[[dict[str, Any]], object]
"""Sends an event to the referee, as a transcript writes it."""
Go = Callable[..., object]
"""Turns to a page, with what it is given."""
Say = Callable[..., str]
"""A text in the language chosen."""

C_contra = TypeVar("C_contra", contravariant=True)


class Board(Protocol[C_contra]):
    """The widget between the seats, which shows its game's view-model."""

    edge: int
    """How high the seats' panels are upright, in dp."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None: ...

    def show(self, centre: C_contra, /) -> None:
        """Shows what has changed."""

    def tap_seat(self, seat: str) -> None:
        """A seat's panel was tapped: what that seat alone can do now."""
