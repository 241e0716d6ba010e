"""The goals that each side of Hannibal gegen Rom still has to reach for a victory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_
from ui.games.hannibal.moment import HannibalMoment
from ui.games.hannibal.sentences import CARTHAGE, ROME, count


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing a side wants, and whether it has it."""

    seat: str
    text: str
    shorter: tuple[str, ...]
    """The text in fewer letters, the longest first."""
    held: bool


def goals(m: HannibalMoment) -> Sequence[Goal]:
    """Return each side's three requirements."""
    return [goal for side in (ROME, CARTHAGE) for goal in mediterranean(m, side)]


def mediterranean(m: HannibalMoment, side: str) -> Sequence[Goal]:
    return [
        Goal(side, *wordings(m, needed["regions"]), needed["held"] is not None)
        for needed in m.derived["mediterranean"][side]
    ]


def wordings(m: HannibalMoment, regions: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the regions of a requirement by their names, then with one and all of them shortened, then closed up."""
    names, short = (
        [m.name(at) for at in regions],
        [m.say(SHORTER[at]) if at in SHORTER else m.name(at) for at in regions],
    )
    whole, *shorter = (" / ".join((*short[:count], *names[count:])) for count in range(len(names) + 1))
    return whole, (*shorter, "/".join(short))


SHORTER = {
    "hispania_n": N_("Hisp. N"),
    "hispania_s": N_("Hisp. S"),
    "mauretania": N_("Mauret."),
}
"""The names of regions where there is little room."""


def wants(m: HannibalMoment, side: str) -> str:
    """Return what the three goals are for; where one move would win, tell everybody that."""
    if side not in m.derived["a_move_away"]:
        return m.say(N_("To win, a legion in"))
    return m.say(N_("Can win this turn") if side == m.view["turn"] else N_("Can win next turn"))


def figure(m: HannibalMoment, seat: str) -> float | None:
    """Return how many pieces a side has left; None at the end."""
    return None if m.view["over"] else legions(m, seat) + fleets(m, seat)


def left(m: HannibalMoment, side: str) -> str:
    """Return the pieces a side has left, in words; Hannibal counts as a legion."""
    return m.say(N_("legions: {legions} · fleets: {fleets}"), legions=legions(m, side), fleets=fleets(m, side))


def left_briefly(m: HannibalMoment, side: str) -> str:
    """Return the pieces a side has left in fewer letters."""
    return m.say(N_("leg. {legions} · fl. {fleets}"), legions=legions(m, side), fleets=fleets(m, side))


def tally(m: HannibalMoment, side: str) -> str:
    """Return the chips and core regions of a side where core control is agreed, else ""."""
    chips, core = m.view["chips"], m.derived["core"]
    if chips is None or core is None:
        return ""
    return m.say(N_("chips {chips} · core {core}"), chips=chips[side], core=len(core[side]))


def legions(m: HannibalMoment, side: str) -> int:
    """Return how many legions a side has left; Hannibal counts as one."""
    return sum(count(data, side) for data in m.view["regions"].values())


def fleets(m: HannibalMoment, side: str) -> int:
    return sum(count(data, side) for data in m.view["routes"].values())
