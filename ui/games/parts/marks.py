"""Seats to choose from on a pad."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Mark:
    """A seat on a pad."""

    seat: str
    text: str
    chosen: bool
    can: bool


def marks(m: Moment, chosen: Collection[str], without: str = "") -> Sequence[Mark]:
    """Every seat but one, by name."""
    return [Mark(seat, m.name(seat), seat in chosen, True) for seat in m.seats if seat != without]
