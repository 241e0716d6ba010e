"""Seats to choose from on a pad."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class BoardMark:
    """A seat on a pad."""

    seat: str
    text: str
    chosen: bool
    can: bool


def marks(
    m: Moment, chosen: Collection[str], without: str = "", able: Collection[str] | None = None
) -> Sequence[BoardMark]:
    """Every seat but one, by name; `able` are those that can be chosen, None for all."""
    can = m.seats if able is None else able
    return [BoardMark(seat, m.name(seat), seat in chosen, seat in can) for seat in m.seats if seat != without]
