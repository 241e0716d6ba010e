"""What the screen says of Spartacus: what is expected, each seat's facts, the acts, what goes back, the score."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.rules import N_
from ui.games.parts import ending, status
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
    texts = {
        "double": N_("{seat}: play below {rank}, play your flag, or pass."),
        "joker": N_("{seat}: play below {rank}, play your joker, or pass."),
        "none": N_("{seat}: play below {rank} or pass."),
    }
    return m.say(texts[str(m.options["flags"])], seat=view["turn"], rank=m.beside["below"])


STATUS = partial(status.status, score=N_("points: {count}"))


def laying(m: At) -> bool:
    """Cards are laid as long as tricks are played."""
    return not m.view["over"]


BACK: Mapping[str, str] = {
    "play": N_("That card goes back into the hand; a trick just taken goes back on the table."),
    "pass": N_("The pass does not count; a trick just taken goes back on the table."),
}


VALUES = {
    "double": N_("double"),
    "joker": N_("joker"),
    "minus10": N_("minus 10"),
    "void": N_("void"),
}


def breakdown(m: At, seat: str) -> str:
    """The points of the tricks, less what was left in the hand."""
    totals = last(m, "over", fresh=True).get("totals")
    if totals is None:
        return ending.breakdown(m, seat)
    return m.say(N_("tricks, less the hand: {working}"), working=totals[seat])
