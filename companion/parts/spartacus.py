"""What people change in a position of Spartacus."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.spartacus import setup as opening
from companion.parts import CARDS, Cards, Field, One, Part, Some, Written, alone, dealt
from companion.rules import N_, Setup

FOLLOWS = ("hand",)
"""A card that is neither in the trick nor taken is in its hand."""


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    hands = dealt(setup, opening)
    deck = Cards([card for seat in setup.seats for card in hands[seat]])
    taken = written.get("taken") or {}
    covered = setup.options["points"] == "covered"
    return [
        alone("turn", N_("Whose turn"), One(setup.seats)),
        alone("passed", N_("Out of the trick"), Some(setup.seats)),
        alone("trick", N_("The trick, in order"), deck, CARDS, places=("trick",)),
        *(
            Part(("taken", seat, at), text, seat, (Field("", deck),), CARDS, covered=covered,
                 places=("taken", f"taken {seat}", f"seat {seat}"))
            for seat in setup.seats
            for at, text in enumerate([*[N_("A trick {of} took")] * len(taken.get(seat) or ()),
                                       N_("Another trick for {of}")])
        ),
    ]  # fmt: skip


def follow(setup: Setup, written: Written) -> Written:
    """The hands: `FOLLOWS`."""
    tricks = [trick for tricks in (written.get("taken") or {}).values() for trick in tricks]
    seen = {card for trick in (written.get("trick") or (), *tricks) for card in trick}
    hands = dealt(setup, opening)
    return {"hand": {seat: [card for card in hands[seat] if card not in seen] for seat in setup.seats}}
