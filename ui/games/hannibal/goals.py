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
    return sum(condition["held"] is not None for condition in m.derived["mediterranean"][side])


def goals(m: At) -> Sequence[Goal]:
    """Each side's three requirements."""
    return [goal for side in (ROME, CARTHAGE) for goal in mediterranean(m, side)]


def mediterranean(m: At, side: str) -> Sequence[Goal]:
    return [
        Goal(side, " / ".join(m.name(region) for region in needed["regions"]), needed["held"] is not None)
        for needed in m.derived["mediterranean"][side]
    ]


def tally(m: At) -> str:
    """Chips and core regions where core control is agreed, else the legions left: Rome's first, as in the number."""
    chips, core = m.view["chips"], m.derived["core"]
    if chips is None or core is None:
        return m.say(N_("legions {count}"), count=against(*(legions(m, side) for side in (ROME, CARTHAGE))))
    cores = against(*(len(core[side]) for side in (ROME, CARTHAGE)))
    return m.say(N_("chips {chips} · core {core}"), chips=against(chips[ROME], chips[CARTHAGE]), core=cores)


def against(rome: int, carthage: int) -> str:
    return f"{rome}:{carthage}"


def legions(m: At, side: str) -> int:
    """Hannibal counts as one."""
    return sum(count(data, side) for data in m.view["regions"].values())


def fleets(m: At, side: str) -> int:
    return sum(count(data, side) for data in m.view["routes"].values())
