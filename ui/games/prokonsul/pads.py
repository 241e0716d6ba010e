"""The contents of the pads: seats to ask, stock promises, a coalition's sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_
from companion.rules.words import Words
from ui.games.parts.cards import BoardMark, marks
from ui.games.prokonsul.moment import ProkonsulMoment

PROMISES = (
    N_("I will sell you my card next round"),
    N_("I will not stand against you in this province"),
    N_("You choose the next province"),
)
"""Promises people make all the time, one tap away."""


@dataclass(frozen=True, slots=True)
class Coalition:
    members: Sequence[BoardMark]
    winners: Sequence[BoardMark]
    sum: str
    note: str


def askable(m: ProkonsulMoment, to: str) -> Sequence[BoardMark]:
    """Return every seat but the pleader, with whether it can be made an offer.

    While an offer waits for its answer, only the seat asked can.
    """
    view = m.view
    can = [view["offer"]["to"]] if view["offer"] else view["can_ask"]
    held = m.derived["held"]
    return [holding(m, seat, held[seat], seat == to, seat in can) for seat in m.seats if seat != view["pleader"]]


def holding(m: ProkonsulMoment, seat: str, held: int, chosen: bool, can: bool = True) -> BoardMark:
    """Return the mark of a seat with the worth of its cards."""
    text, *shorter = [
        m.say(N_("{seat} + {held}"), seat=Words(name), held=held) for name in (m.name(seat), *m.short_names[seat])
    ]
    return BoardMark(seat, text, chosen, can, tuple(shorter))


def coalition(m: ProkonsulMoment, members: Sequence[str], winner: str) -> Coalition:
    """Return the members' own cards against the target."""
    target, own = m.view["target"] or 0, m.derived["held"]
    held = sum(own[seat] for seat in members)
    everybody = [holding(m, seat, own[seat], seat in members) for seat in m.seats]
    short = max(0, target - held)
    note = m.say(N_("{more} short of the target of {target}") if short else N_("the target of {target} is reached"),
                 more=short, target=target)  # fmt: skip
    winners = [mark for mark in marks(m, [winner], able=m.derived["able"]) if mark.seat in members]
    return Coalition(everybody, winners, str(held), note)
