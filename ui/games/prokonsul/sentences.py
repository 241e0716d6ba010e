"""The words of Prokonsul on the screen: each seat's facts, the score, the number at rest."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

from companion.games.prokonsul.view import ProkonsulView
from companion.rules import N_, NC_, Ruling, plural
from companion.rules.cards import DECK
from ui.games.parts import ending
from ui.games.parts import status as panel
from ui.games.parts.actions import Terms
from ui.games.parts.ending import Chart, ScorePart
from ui.games.parts.status import Resting
from ui.games.parts.sum import Sum
from ui.games.prokonsul.links import LINK, links, shorter
from ui.games.prokonsul.moment import ProkonsulMoment
from ui.games.prokonsul.plea import plea
from ui.games.prokonsul.won import held
from ui.table.moment import Moment

# -- the seats ---------------------------------------------------------------------------------------------------


def figure(m: ProkonsulMoment, seat: str) -> float | None:
    """Return what the bank has paid a seat for provinces and links; at the end the chips.

    Purses are secret; who governs what is not.
    """
    return panel.figure(m, seat) if m.view["over"] else governed(m, seat)


def governed(m: ProkonsulMoment, seat: str) -> int:
    """Return the worth of the provinces that a seat governs, with their links."""
    own = {place: of["value"] for place, of in m.view["provinces"].items() if of["governor"] == seat}
    return sum(own.values()) + LINK * sum(one in own and other in own for one, other in links(m))


def status(_m: ProkonsulMoment, _seat: str) -> str:
    """Return nothing: the counters and the cards tell a seat's part of the moment."""
    return ""


def caption(m: ProkonsulMoment, _seat: str) -> str:
    """Return what the number of a seat counts: at the end the chips, before that what the bank has paid."""
    if m.view["over"]:
        return m.say(NC_("beside a number", "chips"))
    return m.say(NC_("beside a number", "prov."))


def number(m: ProkonsulMoment, seat: str) -> str:
    """Return what the seat's number counts, as its guide names it: what the bank has paid, and at the end the chips."""
    return "score" if m.view["over"] else "paid" if governed(m, seat) else ""


def counters(m: ProkonsulMoment, seat: str) -> int | None:
    """Return how many counters a seat has not yet placed; None at the end."""
    return None if m.view["over"] else int(m.view["counters"][seat])


def lying(m: ProkonsulMoment, seat: str) -> Sequence[str]:
    """Return the cards a seat holds, once they are up, and at the end of the round until the next act."""
    return tuple((m.view["holds"] or held(m)).get(seat, ()))


def tapped(m: ProkonsulMoment, seat: str) -> panel.Opened:
    """Return the offer pad for a seat that the pleader can ask, else any game's page."""
    if m.view["phase"] == "pleading" and seat in m.view["can_ask"]:
        return "prokonsul.offer", {"to": seat}
    return panel.tapped(m, seat)


# -- by finger --------------------------------------------------------------------------------------------------


def seen(m: Moment) -> Collection[str]:
    """Return the cards shown since everybody last took the hand back: public, so the dock may know."""
    shown: set[str] = set()
    for ruling in (ruling for act in m.acts for ruling in act.public):
        if ruling.code == "cards_back":
            shown.clear()
        elif ruling.code == "revealed":
            shown |= {f"{seat} {rank}" for seat, rank in ruling.facts["cards"].items()}
    return shown


TERMS = Terms(seen=seen)

# -- in words ---------------------------------------------------------------------------------------------------


# -- the end ----------------------------------------------------------------------------------------------------


def parts(m: ProkonsulMoment, seat: str) -> Sequence[ScorePart]:
    """Return what the bank paid for provinces and links, and the other chips.

    Those are the chips of the start, more or less by deals.
    """
    won = [ruling for act in m.acts for ruling in act.public if ruling.facts.get("seat") == seat]
    provinces = [
        ScorePart(m.name(at := of.facts["province"]), of.facts["value"], shorter=shorter(at, m.tongue))
        for of in won
        if of.code == "governor"
    ]
    links = ScorePart(m.say(N_("links")), sum(of.facts["value"] for of in won if of.code == "link"))
    rest = m.result["scores"][seat] - sum(part.value for part in (*provinces, links))
    return *provinces, links, ScorePart(m.say(N_("chips")), rest, earned=False)


def why_won(m: ProkonsulMoment, seat: str) -> str:
    """Return the winner's provinces and links with their worth, and the chips."""
    *provinces, links, rest = parts(m, seat)
    won = plural("{count} province ({value})", "{count} provinces ({value})")
    paid = m.say(won, count=len(provinces), value=sum(part.value for part in provinces)) if provinces else ""
    linked = m.say(N_("links ({value})"), value=links.value) if links.value else ""
    return ending.listed(m, seat, [paid, linked, ending.chips(m, rest.value)])


def length(m: ProkonsulMoment) -> str:
    return ending.said(m, plural("{count} round", "{count} rounds"), "round")


def chart(m: ProkonsulMoment) -> Chart:
    """Return what the bank had paid by the end of every round; chips that changed hands stay secret."""
    lines = {seat: [0] for seat in m.seats}
    for act in m.acts:
        won = [ruling.facts for ruling in act.public if ruling.code in ("governor", "link")]
        if won or any(ruling.code in ("candidate", "no_counter", "no_decision") for ruling in act.public):
            for seat, line in lines.items():
                line.append(line[-1] + sum(facts["value"] for facts in won if facts["seat"] == seat))
    return N_("Paid by the bank, round by round"), lines


def resting(m: ProkonsulMoment) -> Resting:
    """Return what is missing while somebody pleads, else what is at stake."""
    view = m.view
    pleads = plea(m) if view["phase"] in ("pleading", "answering") else None
    if pleads:
        held = m.say(N_("{held} of {target}"), held=pleads.bar.held, target=pleads.bar.target)
        return Resting(str(pleads.bar.missing), m.say(N_("to go")), held, pleads.bar)
    at = view["province"]
    if view["phase"] == "choosing" and at:
        return Resting(str(view["provinces"][at]["value"]), m.say(N_("At stake")), m.name(at))
    return Resting()


def summed(m: ProkonsulMoment, ruling: Ruling) -> Sum | None:
    """Return what the pleader held when a plea was ruled on, and what it needed."""
    facts = ruling.facts
    act = next((act for act in m.acts if any(one is ruling for one in act.public)), None)
    if act is None or "target" not in facts or not ({"held", "rank"} & {*facts}):
        return None
    seat = facts.get("pleader") or facts.get("seat", "")
    after = act.before if ruling.code not in ("accepted", "plea") and act.before else act
    view = cast("ProkonsulView", after.view)
    cards = tuple(view["holds"].get(seat, ())) if view["holds"] else ()
    sold = next((one.facts["taken"] for one in act.public if one.code == "accepted"), ()) if after is not act else ()
    cards += tuple(str(card) for card in sold)
    held = sum(DECK[card].rank for card in cards)
    numbers = [str(DECK[card].rank) for card in cards]
    text = f"{' + '.join(numbers)} = {held}" if len(numbers) > 1 else str(held)
    return Sum(seat, cards, facts["target"], held, text) if cards else None
