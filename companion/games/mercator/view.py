"""The types of Mercator's view, and of what its rules derive from it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from companion.rules.views import Derived, View

MercatorPhase = Literal["flipping", "fists", "bidding", "loading", "over"]


class Purse(TypedDict):
    chips: int | float


class MercatorView(View):
    phase: MercatorPhase
    pile: int
    lot: list[str]
    flipper: str | None
    taking_part: list[str]
    bids: dict[str, int]
    ships: dict[str, list[str]]
    track: dict[str, int]
    private: NotRequired[Purse]


class MercatorDerived(Derived):
    worth: int
    """The worth of the lot (M-8)."""
    last: int
    """The last space of the track (M-17)."""
    room: dict[str, int]
    """The number of cards each ship can still load (M-11)."""
    limit: int | None
    """The largest number of cards in this turn's lot (M-4), None while nothing is auctioned."""
    order: list[str]
    """The seats by precedence in a tie: clockwise, from the flipper's left (M-9)."""
