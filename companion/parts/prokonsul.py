"""What people change in a position of Prokonsul."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.prokonsul import negotiation
from companion.games.prokonsul import setup as opening
from companion.notations.prokonsul import FREE, STRICT
from companion.parts import BOARD, CARDS, Cards, Count, Field, One, Part, Some, Written, alone, dealt, hand, purse
from companion.rules import N_, Setup

FOLLOWS = ("stock",)
"""The counters that are not on the board are before their seats."""


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    seats, provinces, cards = setup.seats, tuple(setup.board.provinces), dealt(setup, opening)
    phases = FREE if negotiation(opening(setup)) == "free" else STRICT
    deck = Cards([card for seat in seats for card in cards[seat]])
    pawn = f"province {written['province']}" if written.get("province") else "box"
    offer = (Field("to", One((None, *seats)), N_("To")), Field("chips", Count("chip")))
    return [
        alone("phase", N_("What is going on"), One(phases)),
        alone("round", N_("Round"), Count("")),
        alone("row", N_("Pawn row, from the front"), Some(seats), places=[*(f"row {at}" for at in range(1, 6)), "box"]),
        alone("province", N_("Black pawn"), One((None, *provinces)), places=(pawn,)),
        alone("winner", N_("Who won the round"), One((None, *seats))),
        alone("pleader", N_("Who pleads"), One((None, *seats)), CARDS),
        alone("pleaded", N_("Who has pleaded"), Some(seats), CARDS),
        alone("asked", N_("Who has been asked"), Some(seats), CARDS),
        Part(("offer",), N_("Offer"), "", offer, CARDS, places=("offer",)),
        *(Part(("holds", seat), N_("Cards open before {of}"), seat, (Field("", deck),), CARDS,
               places=(f"before {seat}", f"seat {seat}")) for seat in seats),
        *(
            Part(("provinces", name), N_("{of}"), name,
                 (Field("candidates", Some(seats), N_("Candidates")),
                  Field("governor", One((None, *seats)), N_("Governor"))), BOARD,
                 places=(f"province {name}", f"governor {name}"))
            for name in provinces
        ),
        *map(purse, seats),
        *(hand(seat, cards[seat]) for seat in seats),
    ]  # fmt: skip
