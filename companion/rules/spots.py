"""What people compare with the real table, place by place (T-11): made from the layout, and so from the public view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules import Seat
from companion.rules.vocabulary import CARD

ELSE = ""
"""Every piece that is not named."""
Lies = Mapping[str, Mapping[str, int]]
"""What lies at some places: how many of each piece that is named, and where it is said also of ELSE."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the real table, and the pieces that can lie there; of cards that lie open every one by its name."""

    place: str
    pieces: Sequence[str]
    most: int = 30
    """The most of one piece that can lie there."""
    one: bool = False
    """All that lies there is one of the pieces: whose group it is, whose pawn."""


def by_seat(seats: Sequence[Seat], places: Sequence[str], pieces: Sequence[str] = (CARD,)) -> Sequence[Spot]:
    """These places before every seat."""
    return [Spot(f"{place} {seat}", pieces) for seat in seats for place in places]


def there(pieces: Mapping[str, int]) -> Sequence[str]:
    """The pieces that lie there at all."""
    return [piece for piece, count in pieces.items() if count]


def in_order(before: Sequence[str], pieces: Mapping[str, int]) -> list[str]:
    """The cards that lie there, or whose counters, those that lay there before first."""
    found = there(pieces)
    return [*(card for card in before if card in found), *(card for card in found if card not in before)]
