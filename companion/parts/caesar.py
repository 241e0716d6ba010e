"""What people change in a position of Caesar."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.caesar import NEUTRAL, SQUARES
from companion.games.caesar import setup as opening
from companion.notations.caesar import PHASES
from companion.parts import BOARD, TURN, Count, Field, One, Part, Written, alone, dealt, hand
from companion.rules import N_, Setup

ROWS = [column + row for row in "54321" for column in "abcde"]
"""The squares as the board shows them, row by row."""
FOLLOWS = ("before", "box")
"""Whoever is placing has what is not on the board; and what neither has is in the box."""


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    group = (Field("owner", One((None, *setup.seats, NEUTRAL))), Field("size", Count("counter", 1, len(SQUARES))))
    duel = (Field("from", One((None, *SQUARES)), N_("From")), Field("to", One(SQUARES), N_("To")))
    cards, fought = dealt(setup, opening), [f"square {square}" for square in (written.get("duel") or {}).values()]
    return [
        alone("turn", N_("Whose turn"), One(setup.seats)),
        alone("phase", N_("What is going on"), One(PHASES)),
        alone("passes", N_("Passes in a row"), Count("", 0, len(setup.seats))),
        Part(("duel",), N_("Attack"), "", duel, TURN, places=fought),
        *(Part(("board", square), N_("{of}"), square, group, BOARD, places=(f"square {square}",)) for square in ROWS),
        *(hand(seat, cards[seat]) for seat in setup.seats),
    ]
