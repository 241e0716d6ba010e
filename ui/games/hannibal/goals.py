"""What each side of Hannibal gegen Rom still needs for a victory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_
from ui.games.hannibal.at import At
from ui.games.hannibal.sentences import CARTHAGE, ROME, count


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing a side wants, and whether it has it."""

    seat: str
    text: str
    held: bool


def goals(m: At) -> Sequence[Goal]:
    """Return each side's three requirements."""
    return [goal for side in (ROME, CARTHAGE) for goal in mediterranean(m, side)]


def mediterranean(m: At, side: str) -> Sequence[Goal]:
    return [
        Goal(side, " / ".join(m.name(region) for region in needed["regions"]), needed["held"] is not None)
        for needed in m.derived["mediterranean"][side]
    ]


def wants(m: At, side: str) -> str:
    """Return what the three goals are for; where one move would win, tell everybody that."""
    if side not in m.derived["a_move_away"]:
        return m.say(N_("To win, a piece in"))
    return m.say(N_("Can win this turn") if side == m.view["turn"] else N_("Can win next turn"))


def left(m: At, side: str) -> str:
    """Return the pieces a side has left, in words; Hannibal counts as a legion."""
    return m.say(N_("legions: {legions} · fleets: {fleets}"), legions=legions(m, side), fleets=fleets(m, side))


def tally(m: At, side: str) -> str:
    """Return the chips and core regions of a side where core control is agreed, else ""."""
    chips, core = m.view["chips"], m.derived["core"]
    if chips is None or core is None:
        return ""
    return m.say(N_("chips {chips} · core {core}"), chips=chips[side], core=len(core[side]))


def legions(m: At, side: str) -> int:
    """Return how many legions a side has left; Hannibal counts as one."""
    return sum(count(data, side) for data in m.view["regions"].values())


def fleets(m: At, side: str) -> int:
    return sum(count(data, side) for data in m.view["routes"].values())
