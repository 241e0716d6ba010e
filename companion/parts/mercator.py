"""What people change in a position of Mercator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.cards import DECK as KNOWN
from companion.games.mercator import CARDS as ALL
from companion.games.mercator import cargo
from companion.games.mercator import setup as opening
from companion.notations.mercator import PHASES
from companion.parts import CARDS, Cards, Count, Field, One, Part, Written, alone, purse
from companion.rules import N_, Setup

DECK = [str(card) for card in ALL]


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    bidding, loaded = [*(written.get("bids") or ())], written.get("ships") or {}
    ships = {seat: tuple(KNOWN[card] for card in loaded.get(seat) or ()) for seat in setup.seats}
    track = {seat: cargo(replace(opening(setup), ships=ships), seat) for seat in setup.seats}
    return [
        alone("flipper", N_("Who flips"), One(setup.seats)),
        alone("phase", N_("What is going on"), One(PHASES)),
        *(Part(("bids", seat), N_("{of:of} bid"), seat, (Field("", Count("chip")),), CARDS,
               places=(f"bid {seat}", f"seat {seat}")) for seat in bidding),
        alone("lot", N_("The lot"), Cards(DECK), CARDS, ("lot",)),
        *(Part(("ships", seat), N_("{of:of} ship"), seat, (Field("", Cards(DECK)),), CARDS,
               places=(f"ship {seat}", f"space {track[seat]}", f"seat {seat}")) for seat in setup.seats),
        alone("gone", N_("Out of the game"), Cards(DECK), CARDS, ("pile", "box")),
        *map(purse, setup.seats),
    ]  # fmt: skip
