"""Mercator's table: the lot, the ships, the pawns on the track, the pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.layout import CARD, Layout
from companion.parts import Path, Written
from companion.parts.mercator import DECK
from companion.rules import Setup
from companion.spots import Spot, Spots, by_seat, in_order
from companion.views import MercatorView


def places(setup: Setup) -> Sequence[Spot]:
    return [
        *by_seat(setup.seats, ("ship",), DECK),
        *(Spot(f"track {seat}", ("space",), 199) for seat in setup.seats),
        Spot("lot", DECK),
        Spot("pile", (CARD,), 65),
    ]


def look(view: MercatorView, laid: Layout) -> Layout:
    """A pawn is on a space, which is a number."""
    rest = {place: pieces for place, pieces in laid.items() if not place.startswith("space ")}
    return rest | {f"track {seat}": {"space": space} for seat, space in view["track"].items() if space}


def entered(written: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    word, _, seat = place.partition(" ")
    if word == "lot":
        return ("lot",), in_order(written.get("lot") or (), pieces)
    if word == "ship":
        return ("ships", seat), in_order((written.get("ships") or {}).get(seat) or (), pieces)
    return None


SPOTS: Spots[MercatorView] = Spots(places, look, entered)
