"""The end of a round, which stays in sight: the cards, the sum and the target, and who reached it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules import N_, Ruling
from companion.rules.cards import DECK
from companion.rules.phrases import THEN
from ui.games.parts.headline import Headline
from ui.games.parts.sum import Sum
from ui.games.prokonsul.moment import ProkonsulMoment

ENDS = ("alone", "reached", "coalition", "first_pleader", "no_decision")
"""The rulings at the end of a round."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a round by the last act, whose number is `act`."""

    act: int
    number: Headline
    text: str
    bar: Sum


def last_end(m: ProkonsulMoment) -> Ended | None:
    """Return the end of a round, until the next act; None where the last act ended none."""
    ruling = end(m)
    if ruling is None:
        return None
    holds, (total, target) = held(m), sums(m)
    seat = str(ruling.facts.get("seat", ""))
    members = ruling.facts.get("members", (seat,))
    cards = tuple(card for member in members for card in holds.get(member, ()))
    number = Headline(m.say(N_("Target")), str(target), m.say(N_("of {total}"), total=total))
    text = m.tongue.say(ruling)
    if last := next((one for one in m.acts[-1].public if one.code == "last_province"), None):
        text = m.say(THEN, first=ruling, then=last)
    reached = sum(DECK[card].rank for card in cards)
    return Ended(m.acts[-1].number, number, text, Sum(seat, cards, target, reached, ""))


def end(m: ProkonsulMoment) -> Ruling | None:
    """Return the ruling of the last act that ended a round."""
    act = m.acts[-1].public if m.acts else ()
    return next((ruling for ruling in act if ruling.code in ENDS), None)


def held(m: ProkonsulMoment) -> Mapping[str, Sequence[str]]:
    """Return the cards that everybody held when the last act ended a round; {} where it ended none."""
    if end(m) is None:
        return {}
    facts = {ruling.code: ruling.facts for ruling in m.acts[-1].public}
    if "revealed" in facts:
        return {seat: (f"{seat} {rank}",) for seat, rank in facts["revealed"]["cards"].items()}
    before = m.before["holds"]
    if "accepted" not in facts:
        return before
    pleader, seller = facts["accepted"]["pleader"], facts["accepted"]["seat"]
    return {**before, pleader: [*before[pleader], *map(str, facts["accepted"]["taken"])], seller: ()}


def sums(m: ProkonsulMoment) -> tuple[int, int]:
    """Return the total and the target of the round that the last act ended."""
    for ruling in m.acts[-1].public:
        if ruling.code == "revealed":
            return ruling.facts["total"], ruling.facts["target"]
    before = m.before
    return before["total"] or 0, before["target"] or 0
