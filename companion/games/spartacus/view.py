"""The types of Spartacus's view, and of what its rules derive from it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from companion.rules.views import Derived, View

SpartacusPhase = Literal["trick", "over"]


class LaidCard(TypedDict):
    """A card of the trick, and who played it."""

    seat: str
    card: str


class Hand(TypedDict):
    hand: list[str]


class SpartacusView(View):
    phase: SpartacusPhase
    trick: list[LaidCard]
    lowest: LaidCard | None
    passed: list[str]
    hand_sizes: dict[str, int]
    tricks: dict[str, int]
    points: dict[str, int]
    """{} while they are covered (S-16)."""
    private: NotRequired[Hand]


class SpartacusDerived(Derived):
    below: int | None
    """A number is played below this (S-4); None while no number lies."""
    takes: LaidCard | None
    """The card that takes the trick as it lies (S-7, S-14)."""
    flags: list[str]
    """The seats whose flag has not been seen and may still come (S-1)."""
    worth: int | None
    """The worth of the trick as it lies (S-10, S-14); None while points are covered (S-16)."""
    working: str
    """The working of that worth: "(9+7) × 2 = 32"; "" while points are covered."""
    numbers: int
    """The sum of the numbers that lie."""
    doubled: int
    """The number of flags that double it."""
    jokers: int
    """The number of jokers that cost ten each."""
    void: bool
    """A joker makes it worth nothing."""
