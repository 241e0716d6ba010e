"""The layout of every page: five slots, in dp of a shorter side of 480."""

from __future__ import annotations

from dataclasses import dataclass

from ui import theme

EDGE = 12
"""The margin inside the board."""
BETWEEN = 8
"""The gaps inside the board."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The heights of band and line and the widths of rail and spine; upright all four are heights."""

    band: float
    rail: float
    line: float
    spine: float


def slots(upright: bool) -> Slots:
    """Return the slots for the text size in use; the board has all that is left."""
    if upright:
        return theme.either(Slots(72, 68, 72, 60), Slots(96, 84, 96, 72))
    return theme.either(Slots(60, 140, 56, 64), Slots(72, 172, 72, 80))
