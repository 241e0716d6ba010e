"""The words of Mercator on the screen: each seat's facts, the score, the number at rest."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules import N_
from ui.games.mercator.moment import MercatorMoment
from ui.games.parts import ending, status
from ui.games.parts.actions import Terms
from ui.games.parts.ending import Chart, ScorePart, concerns
from ui.games.parts.past import latest
from ui.games.parts.status import Resting


def figure(m: MercatorMoment, seat: str) -> str:
    """Return the cargo; at the end the chips."""
    return status.figure(m, seat, ("track",))


def number(m: MercatorMoment, _: str) -> str:
    """Return what the seat's number counts, as its guide names it."""
    return "chips" if m.view["over"] else "cargo"


def mark(m: MercatorMoment, seat: str) -> str:
    """Return the sign of the flipper, who has the pile; ties go down from the next seat."""
    return "cards" if m.derived["order"] and seat == m.derived["order"][-1] and not m.view["over"] else ""


TERMS = Terms(aside=("unsold",))


def parts(m: MercatorMoment, seat: str) -> Sequence[ScorePart]:
    """Return the prize for the cargo, and the chips that were left."""
    prize = next((r.facts["prize"] for r in latest(m) if r.code in ("sale", "shared") and concerns(r, seat)), 0)
    sold = ScorePart(m.say(N_("cargo of {cargo}"), cargo=m.view["track"][seat]), prize)
    return sold, ScorePart(m.say(N_("chips")), m.result["scores"][seat] - prize, earned=False)


def chart(m: MercatorMoment) -> Chart:
    return ending.fortunes(m, N_("Cargo, lot by lot"), lambda view: view["track"])


def resting(m: MercatorMoment) -> Resting:
    """Return what the lot is worth, or how many cards are left."""
    worth = m.derived["worth"] if m.view["lot"] else 0
    if worth:
        bids = m.view["bids"].values()
        best = m.say(N_("Highest bid so far: {chips}"), chips=max(bids)) if any(bids) else ""
        return Resting(str(worth), m.say(N_("Worth")), best)
    return Resting(str(m.view["pile"]), "", m.say(N_("In the pile")))
