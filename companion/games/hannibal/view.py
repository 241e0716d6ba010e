"""The types of Hannibal's view, and of what its rules derive from it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from companion.rules.views import Derived, Sealed, View

HannibalPhase = Literal["moving", "declaring", "choosing", "over"]


class Region(TypedDict):
    """The number of each side's legions in a region; Hannibal is counted apart."""

    blue: int
    red: int
    hannibal: bool


class Route(TypedDict):
    """The number of each side's fleets on a route."""

    blue: int
    red: int


class Battle(TypedDict):
    place: str
    mover: str
    hannibal: bool | None
    """He fights; None while red has still to say."""


class HannibalView(View):
    phase: HannibalPhase
    regions: dict[str, Region]
    routes: dict[str, Route]
    battle: Battle | None
    chosen: list[str]
    hand_sizes: dict[str, int]
    chips: dict[str, int] | None
    private: NotRequired[Sealed]


class Needed(TypedDict):
    """The regions of which one needs a legion; `held` is the region that has one, or None."""

    regions: list[str]
    held: str | None


class HannibalDerived(Derived):
    mediterranean: dict[str, list[Needed]]
    """The regions each side still needs to control the Mediterranean (H-14)."""
    a_move_away: list[str]
    """The sides that could win with a single move, if need be after a battle."""
    core: dict[str, list[str]] | None
    """The core regions that each side controls (H-18), None where core control is not agreed."""
    land: dict[str, list[str]]
    """Which regions each one borders on by land (H-3); by sea the routes say it."""
