"""Caesar's table: the squares with their groups, the hands, the cards that are spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.caesar import NEUTRAL, SQUARES
from companion.layout import Layout
from companion.parts import Path, Written
from companion.parts.caesar import ROWS
from companion.rules import Setup
from companion.spots import Spot, Spots, by_seat, there
from companion.views import CaesarView


def places(setup: Setup) -> Sequence[Spot]:
    groups = [*(f"{seat} counter" for seat in setup.seats), "counter"]
    return [
        *by_seat(setup.seats, ("hand", "sealed", "aside")),
        *by_seat(setup.seats, ("before",), ("counter",)),
        *(Spot(f"square {square}", groups, one=True) for square in ROWS),
    ]


def look(view: CaesarView, laid: Layout) -> Layout:
    """A group is the owner's of its top counter."""
    groups: dict[str, Mapping[str, int]] = {
        f"square {square}": {"counter" if group["owner"] == NEUTRAL else f"{group['owner']} counter": group["size"]}
        for square, group in view["board"].items()
    }
    return {**laid, **groups}


def entered(_: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    square = place.removeprefix("square ")
    if square not in SQUARES:
        return None
    found = there(pieces)
    whose = found[0].removesuffix("counter").strip() or NEUTRAL if found else None
    return ("board", square), {"owner": whose, "size": pieces[found[0]]} if found else None


SPOTS: Spots[CaesarView] = Spots(places, look, entered)
