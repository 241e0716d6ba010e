"""What people change in a position of Hannibal gegen Rom."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.hannibal import CHIPS, REGIONS, SIDES
from companion.games.hannibal import setup as opening
from companion.notations.hannibal import PHASES, WHOLE
from companion.parts import BOARD, TURN, Count, Field, One, Part, Some, Written, alone, dealt, hand
from companion.rules import N_, Setup

FOLLOWS = ("box",)
"""The lost pieces are those that are nowhere on the map."""


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    cards, routes = dealt(setup, opening), tuple(setup.board.routes)
    legions = [Field(side, Count(f"{side} legion", 0, WHOLE[side, "legion"])) for side in SIDES]
    fleets = [Field(side, Count(f"{side} fleet", 0, WHOLE[side, "fleet"])) for side in SIDES]
    leader = Field("hannibal", Count("hannibal", 0, 1, flag=True))
    battle = (
        Field("place", One((None, *REGIONS, *routes)), N_("Where")),
        Field("fighter", One((None, "legion", "hannibal", "fleet")), N_("Who fights for Carthage")),
    )
    fought = [place] if (place := (written.get("battle") or {}).get("place")) else []
    chips = SIDES if setup.options["core_control"] else ()
    return [
        alone("turn", N_("Whose turn"), One(setup.seats)),
        alone("phase", N_("What is going on"), One(PHASES)),
        Part(("battle",), N_("Battle"), "", battle, TURN, places=fought),
        alone("winners", N_("Who has won"), Some(setup.seats)),
        *(Part(("chips", side), N_("Chips of {of}"), side, (Field("", Count("chip", 0, CHIPS)),), TURN,
               places=(f"seat {side}",)) for side in chips),
        *(Part(("regions", place), N_("{of}"), place, (*legions, leader), BOARD, places=(place,)) for place in REGIONS),
        *(Part(("routes", route), N_("{of}"), route, fleets, BOARD, places=(route,)) for route in routes),
        *(hand(seat, cards[seat]) for seat in setup.seats),
    ]  # fmt: skip
