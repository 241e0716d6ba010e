"""The one number of a game while its table rests."""

from __future__ import annotations

from dataclasses import dataclass

from ui.games.parts.sum import Sum
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Resting:
    """The number, what it is part of and what it is, and the cards that it is about; "" for none."""

    number: str = ""
    of: str = ""
    what: str = ""
    sum: Sum | None = None


def resting(m: Moment) -> Resting:  # noqa: ARG001 - what its numbers are, only a game knows
    """Any game: no number, but what happened last."""
    return Resting()
