"""Hannibal's table: the regions, the sea routes, the hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.hannibal import REGIONS, SIDES
from companion.parts import Path, Written
from companion.rules import Setup
from companion.spots import Spot, Spots, by_seat
from companion.views import HannibalView


def places(setup: Setup) -> Sequence[Spot]:
    legions = [*(f"{side} legion" for side in SIDES), "hannibal"]
    fleets = [f"{side} fleet" for side in SIDES]
    return [
        *by_seat(setup.seats, ("hand", "sealed", "aside")),
        *(Spot(place, legions) for place in REGIONS),
        *(Spot(route, fleets) for route in setup.board.routes),
    ]


def entered(_: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    if " " in place:
        return None
    kind = "legion" if place in REGIONS else "fleet"
    found: dict[str, int | bool] = {side: count for side in SIDES if (count := pieces.get(f"{side} {kind}", 0))}
    if pieces.get("hannibal"):
        found["hannibal"] = True
    return ("regions" if place in REGIONS else "routes", place), found or None


SPOTS: Spots[HannibalView] = Spots(places, entered=entered)
