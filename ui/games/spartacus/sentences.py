"""What the screen says of Spartacus: what is expected, each seat's facts, the acts, what goes back, the score."""

from __future__ import annotations

from functools import partial

from companion.rules import N_
from ui.games.parts import ending, status
from ui.games.parts.ending import Chart
from ui.games.parts.past import last
from ui.games.parts.sentences import common
from ui.games.spartacus.at import At


def expected(m: At) -> str:
    """One sentence: what is expected now, and from whom."""
    return common(m) or playing(m)


def playing(m: At) -> str:
    view = m.view
    if not view["trick"]:
        return m.say(N_("{seat} leads: play any card."), seat=view["turn"])
    if m.beside["below"] is None:
        return m.say(N_("{seat}: play any card – nobody may pass yet."), seat=view["turn"])
    below, kind = m.beside["below"], str(m.options["flags"]) if view["turn"] in m.beside["flags"] else "none"
    lowest, lower = BELOW[kind]
    return m.say(lowest if below == 1 else lower, seat=view["turn"], rank=below)


BELOW = {
    "double": (N_("{seat}: play your flag or pass."), N_("{seat}: play below {rank}, play your flag, or pass.")),
    "joker": (N_("{seat}: play your joker or pass."), N_("{seat}: play below {rank}, play your joker, or pass.")),
    "none": (N_("{seat}: you can only pass; nothing is below 1."), N_("{seat}: play below {rank} or pass.")),
}
"""By what a flag is that may still come: what to play on a 1, and on any other number."""

STATUS = partial(status.status, score=N_("points: {count}"))


def number(m: At, _: str) -> str:
    """What that counts."""
    return "score" if m.view["over"] else "points"


def laying(m: At) -> bool:
    """Cards are laid as long as tricks are played."""
    return not m.view["over"]


VALUES = {
    "double": N_("double"),
    "joker": N_("joker"),
    "minus10": N_("minus 10"),
    "void": N_("void"),
    "shown": N_("shown"),
    "covered": N_("covered"),
}


def chart(m: At) -> Chart | None:
    """The points, trick by trick; none where they were covered."""
    return None if m.options.get("points") == "covered" else ending.chart(m)


def breakdown(m: At, seat: str) -> str:
    """The points of the tricks, less what was left in the hand."""
    totals = last(m, "over", fresh=True).get("totals")
    if totals is None:
        return ending.breakdown(m, seat)
    return m.say(N_("tricks, less the hand: {working}"), working=totals[seat])
