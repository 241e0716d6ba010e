"""What people change in a position of Mercator."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.mercator import CARDS as ALL
from companion.notations.mercator import PHASES
from companion.parts import CARDS, Cards, Count, Field, One, Part, Written, alone, purse
from companion.rules import N_, Setup

DECK = [str(card) for card in ALL]


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    bidding = [*(written.get("bids") or ())]
    return [
        alone("flipper", N_("Who flips"), One(setup.seats)),
        alone("phase", N_("What is going on"), One(PHASES)),
        *(Part(("bids", seat), N_("{of:of} bid"), seat, (Field("", Count("chip")),), CARDS) for seat in bidding),
        alone("lot", N_("The lot"), Cards(DECK), CARDS),
        *(Part(("ships", seat), N_("{of:of} ship"), seat, (Field("", Cards(DECK)),), CARDS) for seat in setup.seats),
        alone("gone", N_("Out of the game"), Cards(DECK), CARDS),
        *map(purse, setup.seats),
    ]
