"""The types of Spartacus's view, and of what its rules derive from it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from companion.rules.views import Derived, View

SpartacusPhase = Literal["trick", "over"]


class Lying(TypedDict):
    """A card of the trick, and who played it."""

    seat: str
    card: str


class Hand(TypedDict):
    hand: list[str]


class SpartacusView(View):
    phase: SpartacusPhase
    trick: list[Lying]
    lowest: Lying | None
    passed: list[str]
    hand_sizes: dict[str, int]
    tricks: dict[str, int]
    points: dict[str, int]
    """{} while they are covered (S-16)."""
    private: NotRequired[Hand]


class SpartacusDerived(Derived):
    below: int | None
    """A number is played below this (S-4); None while no number lies."""
    takes: Lying | None
    """The card that takes the trick as it lies (S-7, S-14)."""
    flags: list[str]
    """Whose flag may still come: it has not been seen (S-1)."""
    worth: int | None
    """What the trick is worth as it lies (S-10, S-14); None while points are covered (S-16)."""
    working: str
    """How it comes to that: "(9+7) × 2 = 32"; "" while points are covered."""
    numbers: int
    """The sum of the numbers that lie."""
    doubled: int
    """How many flags double it."""
    jokers: int
    """How many jokers cost ten each."""
    void: bool
    """A joker makes it worth nothing."""
