"""What each side of Hannibal gegen Rom still needs for a victory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import N_
from ui.games.hannibal.sides import CARTHAGE, ROME, count
from ui.table.moment import Moment

NEEDED: Mapping[str, Sequence[Sequence[str]]] = {
    ROME: (("sardinia",), ("hispania_s", "mauretania"), ("zama", "sicilia")),
    CARTHAGE: (("corsica",), ("hispania_n", "gallia"), ("sicilia", "cannae")),
}
"""A legion in one region of each group controls the Mediterranean (H-14)."""
NORTH = (("sardinia",), ("hispania_n", "mauretania"), ("zama", "sicilia"))
"""Rome's groups with the option "north"."""

CORE: Mapping[str, Sequence[Sequence[str]]] = {
    ROME: (
        ("corsica", "sardinia"),
        ("sardinia",),
        ("sicilia", "zama"),
        ("hispania_n", "hispania_s", "mauretania"),
        ("hispania_s", "mauretania"),
    ),
    CARTHAGE: (
        ("corsica",),
        ("sardinia", "corsica"),
        ("sicilia", "cannae"),
        ("hispania_n", "gallia"),
        ("hispania_s", "hispania_n", "gallia"),
    ),
}
"""Where a side's legion controls each of the five core regions (H-18)."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing a side wants, and whether it has it."""

    seat: str
    text: str
    held: bool


def legions(m: Moment, side: str) -> Collection[str]:
    """Where a side's legions stand; Hannibal counts as one."""
    return [name for name, data in m.view["regions"].items() if count(data, side)]


def reckoned(m: Moment) -> Mapping[str, Any]:
    """What the rules say and the view does not, by side: the three groups of regions that control the Mediterranean,
    with those that are held, and how many of the five core regions are."""
    found = {}
    for side in (ROME, CARTHAGE):
        at = legions(m, side)
        north = side == ROME and m.options.get("rome_hispania") == "north"
        groups = NORTH if north else NEEDED[side]
        found[side] = {
            "needed": [(group, any(region in at for region in group)) for group in groups],
            "core": sum(any(region in at for region in within) for within in CORE[side]),
        }
    return found


def held(m: Moment, side: str) -> int:
    """How many of the three groups the side holds."""
    return sum(has for _, has in reckoned(m)[side]["needed"])


def goals(m: Moment) -> Sequence[Goal]:
    """Each side's three requirements, and a line with what else is counted."""
    return [goal for side in (ROME, CARTHAGE) for goal in (*mediterranean(m, side), tally(m, side))]


def mediterranean(m: Moment, side: str) -> Sequence[Goal]:
    return [
        Goal(side, " / ".join(m.name(region) for region in group), held) for group, held in reckoned(m)[side]["needed"]
    ]


def tally(m: Moment, side: str) -> Goal:
    """Chips and core regions where core control is agreed, else the pieces left."""
    view = m.view
    pieces = sum(count(data, side) for data in view["regions"].values())
    fleets = sum(count(data, side) for data in view["routes"].values())
    if view["chips"] is None:
        return Goal("", m.say(N_("legions {pieces} · fleets {fleets}"), pieces=pieces, fleets=fleets), False)
    core, chips = reckoned(m)[side]["core"], view["chips"][side]
    return Goal("", m.say(N_("core {core}/5 · chips {chips}/8"), core=core, chips=chips), False)
