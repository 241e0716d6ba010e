"""The two sides of Hannibal gegen Rom, and what they have at a place."""

from __future__ import annotations

from companion.games.hannibal.view import Region, Route

ROME, CARTHAGE = "blue", "red"
ENEMY = {ROME: CARTHAGE, CARTHAGE: ROME}
CAPITAL = {ROME: "rome", CARTHAGE: "carthago"}


def count(at: Region | Route, side: str) -> int:
    """How many pieces of the side stand there."""
    if side == ROME:
        return at["blue"]
    return at["red"] + bool(at.get("hannibal")) if side == CARTHAGE else 0
