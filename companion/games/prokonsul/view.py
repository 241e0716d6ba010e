"""The types of Prokonsul's view, and of what its rules derive from it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from companion.rules.views import Derived, View

ProkonsulPhase = Literal["pawns", "province", "choosing", "pleading", "answering", "negotiating", "over"]


class Province(TypedDict):
    value: int
    candidates: list[str]
    governor: str | None


class Offer(TypedDict):
    to: str
    chips: int
    promise: str | None


class ProkonsulPrivate(TypedDict):
    chips: int
    hand: list[str]
    choice: str | None


class ProkonsulView(View):
    phase: ProkonsulPhase
    round: int | None
    row: list[str]
    province: str | None
    provinces: dict[str, Province]
    counters: dict[str, int]
    chosen: list[str]
    played: dict[str, str]
    holds: dict[str, list[str]]
    total: int | None
    target: int | None
    pleader: str | None
    first_pleader: str | None
    pleaded: list[str]
    can_ask: list[str]
    offer: Offer | None
    private: NotRequired[ProkonsulPrivate]


class Plea(TypedDict):
    """A plea that is still to come; its pawn moves if it wins the plea through a tie with others."""

    seat: str
    tied: list[str]


class ProkonsulDerived(Derived):
    pleas: list[Plea]
    """The seats that plead after the present plea, in this order, if nobody sells and every plea fails (P-8, P-9)."""
    held: dict[str, int]
    """The total of the cards that each seat holds (P-13)."""
    able: list[str]
    """Free: who can win the round with a coalition (P-25)."""
    links: dict[str, list[str]]
    """The provinces that each province is linked with (P-2)."""
