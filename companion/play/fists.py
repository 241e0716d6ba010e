"""How a fist does while a reveal is made, for screen and lamps alike."""

from collections.abc import Collection
from typing import Literal

from companion.rules import Seat

Fist = Literal["hold", "holding", "open", "opened"]


def fist(seat: Seat, closed: Collection[Seat], called: bool) -> Fist:
    """To be held, held; and once all are `called` to open: still to open, opened."""
    if called:
        return "open" if seat in closed else "opened"
    return "holding" if seat in closed else "hold"
