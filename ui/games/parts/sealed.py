"""The cards of the seats while all choose, from what everybody may know: whose lies face down, never which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules import N_
from ui.games.parts.status import seats_in
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class CardPlace:
    """The place of a seat's card: "" while it is to come, "?" face down, then the card."""

    seat: str
    card: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """A place for every seat that chooses, and how many cards lie there: "2 of 4"."""

    places: Sequence[CardPlace]
    count: str


def sealed(m: Moment, up: Mapping[str, str] | None = None) -> Sealed | None:
    """Return the places while cards are chosen, and with the cards just turned `up`; None at other times."""
    if m.choosing:
        down, waiting = seats_in(m.view, "chosen"), m.view["waiting"]
        cards = {seat: "?" if seat in down else "" for seat in m.seats if seat in down or seat in waiting}
    else:
        cards = {seat: up[seat] for seat in m.seats if seat in up} if up else {}
    there = sum(map(bool, cards.values()))
    places = tuple(CardPlace(seat, card) for seat, card in cards.items())
    return Sealed(places, m.say(N_("{count} of {all}"), count=there, all=len(places))) if places else None
