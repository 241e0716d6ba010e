"""The words of Mercator on the screen: each seat's facts, the score, the number at rest."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules import N_, plural
from ui.games.mercator.moment import MercatorMoment
from ui.games.parts import ending, status
from ui.games.parts.actions import Terms
from ui.games.parts.ending import Chart, ScorePart, concerns
from ui.games.parts.status import Resting


def figure(m: MercatorMoment, seat: str) -> float | None:
    """Return the cargo; at the end the chips."""
    return status.figure(m, seat, ("track",))


def number(m: MercatorMoment, _: str) -> str:
    """Return what the seat's number counts, as its guide names it."""
    return "chips" if m.view["over"] else "cargo"


def out(m: MercatorMoment, seat: str) -> bool:
    """Return whether the seat may not bid: its ship has no room for the lot that lies, or for any."""
    if m.view["over"]:
        return False
    return seat not in m.view["taking_part"] if m.view["lot"] else not m.derived["room"][seat]


def mark(m: MercatorMoment, seat: str) -> str:
    """Return the sign of the flipper, who has the pile; ties go down from the next seat."""
    return "cards" if m.derived["order"] and seat == m.derived["order"][-1] and not m.view["over"] else ""


TERMS = Terms(aside=("unsold",))


def parts(m: MercatorMoment, seat: str) -> Sequence[ScorePart]:
    """Return the prize for the cargo, and the chips that were left."""
    said = [ruling for act in reversed(m.acts) for ruling in act.public if ruling.code in ("sale", "shared")]
    prize = next((ruling.facts["prize"] for ruling in said if concerns(ruling, seat)), 0)
    sold = ScorePart(m.say(N_("cargo of {cargo}"), cargo=m.view["track"][seat]), prize, always=True)
    return sold, ScorePart(m.say(N_("chips")), m.result["scores"][seat] - prize, earned=False)


def why_won(m: MercatorMoment, seat: str) -> str:
    """Return what the winner's cargo was sold for, and the chips that were left."""
    sold, rest = parts(m, seat)
    cargo = m.say(N_("a cargo of {cargo} sold for {prize}"), cargo=m.view["track"][seat], prize=sold.value)
    return ending.listed(m, seat, [cargo, ending.chips(m, rest.value)])


def length(m: MercatorMoment) -> str:
    return ending.said(m, plural("{count} auction", "{count} auctions"), "sold", "unsold")


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
