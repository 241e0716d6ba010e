"""Prokonsul's table: the provinces with candidates and governors, the pawn row, the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.prokonsul import setup as opening
from companion.parts import Path, Written, dealt
from companion.rules import Setup
from companion.spots import Spot, Spots, by_seat, in_order, there
from companion.views import ProkonsulView


def places(setup: Setup) -> Sequence[Spot]:
    seats, hands = setup.seats, dealt(setup, opening)
    counters = [f"{seat} counter" for seat in seats]
    deck = [card for seat in seats for card in hands[seat]]
    rows = [] if setup.options["negotiation"] == "free" else range(1, len(seats) + 1)
    return [
        *by_seat(seats, ("hand", "sealed", "aside")),
        *by_seat(seats, ("before",), deck),
        *(Spot(f"stock {seat}", (f"{seat} counter",)) for seat in seats),
        *(Spot(f"row {at}", [f"{seat} pawn" for seat in seats], 1, True) for at in rows),
        *(Spot(f"province {name}", (*counters, "black pawn"), 1) for name in setup.board.provinces),
        *(Spot(f"governor {name}", (*counters, "marker"), 1, True) for name in setup.board.provinces),
    ]


def entered(written: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    word, _, of = place.partition(" ")
    found = there(pieces)
    seats = [piece.split()[0] for piece in found if piece.endswith(" counter")]
    match word:
        case "province" if "black pawn" in found and written.get("province") != of:
            return ("province",), of
        case "province":
            before = _province(written, of)
            candidates = in_order(before.get("candidates") or (), dict.fromkeys(seats, 1))
            return ("provinces", of), {**before, "candidates": candidates}
        case "governor" if seats or not found:
            return ("provinces", of), {**_province(written, of), "governor": seats[0] if seats else None}
        case "before":
            return ("holds", of), in_order((written.get("holds") or {}).get(of) or (), pieces)
        case "row" if found:
            return ("row",), _row(written.get("row") or (), int(of) - 1, found[0].split()[0])
    return None


def _province(written: Written, name: str) -> Mapping[str, Any]:
    return (written.get("provinces") or {}).get(name) or {}


def _row(before: Sequence[str], at: int, seat: str) -> list[str]:
    """The row with this pawn at its place, and the others as they stood."""
    rest = [other for other in before if other != seat]
    return [*rest[:at], seat, *rest[at:]]


SPOTS: Spots[ProkonsulView] = Spots(places, entered=entered)
