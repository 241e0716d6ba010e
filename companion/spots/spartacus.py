"""Spartacus's table: the trick, the hands, what has been taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.spartacus import setup as opening
from companion.layout import CARD
from companion.parts import Path, Written, dealt
from companion.rules import Setup
from companion.spots import Spot, Spots, by_seat, in_order
from companion.views import SpartacusView


def places(setup: Setup) -> Sequence[Spot]:
    hands = dealt(setup, opening)
    deck = [card for seat in setup.seats for card in hands[seat]]
    return [*by_seat(setup.seats, ("hand",)), Spot("trick", deck), Spot("taken", (CARD,), 65)]


def entered(written: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    return (("trick",), in_order(written.get("trick") or (), pieces)) if place == "trick" else None


SPOTS: Spots[SpartacusView] = Spots(places, entered=entered)
