"""Cards that add up towards a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sum:
    """A seat's cards on the way to a target; `text` says the sum."""

    seat: str
    cards: Sequence[str]
    target: int
    held: int
    text: str
    fresh: str = ""
    """The card that the last act has added; "" for none."""

    @property
    def missing(self) -> int:
        return max(0, self.target - self.held)
