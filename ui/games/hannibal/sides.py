"""The two sides of Hannibal gegen Rom, and what they have at a place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ROME, CARTHAGE = "blue", "red"
ENEMY = {ROME: CARTHAGE, CARTHAGE: ROME}
CAPITAL = {ROME: "rome", CARTHAGE: "carthago"}


def count(data: Mapping[str, Any], side: str) -> int:
    """How many pieces of the side stand there."""
    return int(data.get(side, 0)) + (side == CARTHAGE and bool(data.get("hannibal")))
