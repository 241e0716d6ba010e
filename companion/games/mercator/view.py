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
    """What the lot is worth (M-8)."""
    last: int
    """The last space of the track (M-17)."""
    room: dict[str, int]
    """How many more cards each ship can load (M-11)."""
    limit: int | None
    """How many cards the lot of this turn can have (M-4), None while nothing is auctioned."""
    order: list[str]
    """Who comes first in a tie: clockwise, from the flipper's left (M-9)."""
