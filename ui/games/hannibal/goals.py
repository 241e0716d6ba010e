"""What each side of Hannibal gegen Rom still needs for a victory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_
from ui.games.hannibal.at import At
from ui.games.hannibal.sides import CARTHAGE, ROME, count


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing a side wants, and whether it has it."""

    seat: str
    text: str
    held: bool


def held(m: At, side: str) -> int:
    """How many of the three groups of regions that control the Mediterranean the side holds."""
    return sum(condition["held"] is not None for condition in m.beside["mediterranean"][side])


def goals(m: At) -> Sequence[Goal]:
    """Each side's three requirements, and a line with what else is counted."""
    return [goal for side in (ROME, CARTHAGE) for goal in (*mediterranean(m, side), tally(m, side))]


def mediterranean(m: At, side: str) -> Sequence[Goal]:
    return [
        Goal(side, " / ".join(m.name(region) for region in needed["regions"]), needed["held"] is not None)
        for needed in m.beside["mediterranean"][side]
    ]


def tally(m: At, side: str) -> Goal:
    """Chips and core regions where core control is agreed, else the pieces left."""
    chips, core = m.view["chips"], m.beside["core"]
    if chips is None or core is None:
        pieces = sum(count(data, side) for data in m.view["regions"].values())
        fleets = sum(count(data, side) for data in m.view["routes"].values())
        return Goal("", m.say(N_("legions {pieces} · fleets {fleets}"), pieces=pieces, fleets=fleets), False)
    return Goal("", m.say(N_("core {core}/5 · chips {chips}/8"), core=len(core[side]), chips=chips[side]), False)
