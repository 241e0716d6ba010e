"""The plea and the pawn row: the seats to ask, the offer, the next pleaders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.prokonsul.view import Offer
from companion.rules import N_, Amount, Said
from companion.rules.cards import DECK
from ui.games.parts.past import Facts
from ui.games.parts.sum import Sum
from ui.games.prokonsul.moment import ProkonsulMoment


@dataclass(frozen=True, slots=True)
class PawnRow:
    """The pawn row, left to right, which settles ties; `moved` is the pawn that has paid for the last one.

    `next` are the seats that plead if this plea fails; where none is left, `first` wins, the first pleader.
    """

    seats: Sequence[str]
    moved: str
    next: Sequence[str]
    first: str


@dataclass(frozen=True, slots=True)
class Askable:
    """One seat the pleader might ask: what that would come to, or why not."""

    seat: str
    name: str
    text: str
    can: bool
    enough: bool = False
    """Whether the target is reached with its cards."""
    shorter: tuple[str, ...] = ()
    """The name in fewer letters, the longest first."""


@dataclass(frozen=True, slots=True)
class Plea:
    bar: Sum
    ask: Sequence[Askable]
    offer: str
    """The unanswered offer; "" without one."""
    asked: str
    replace: bool
    """Two-way: the pleader may still change the offer."""


def plea(m: ProkonsulMoment) -> Plea | None:
    """Return the plea that is going on, None while nobody pleads."""
    view = m.view
    pleader, target, offer = view["pleader"], view["target"], view["offer"]
    if not pleader or target is None:
        return None
    held = m.derived["held"][pleader]
    ranks = [str(DECK[card].rank) for card in view["holds"][pleader]]
    total = f" = {held}" if len(ranks) > 1 else ""
    text = m.say(N_("Holds {working}"), working=f"{' + '.join(ranks)}{total}")
    before = m.previous.view["holds"].get(pleader, ()) if m.previous else view["holds"][pleader]
    new = [card for card in view["holds"][pleader] if before and card not in before]
    bar = Sum(pleader, tuple(view["holds"][pleader]), target, held, text, new[-1] if new else "")
    others = [seat for seat in m.seats if seat != pleader]
    two_way = m.options.get("negotiation") == "two_way"
    return Plea(
        bar,
        tuple(ask(m, seat) for seat in others),
        offered(m, offer) if offer else "",
        offer["to"] if offer else "",
        bool(offer) and two_way,
    )


def ask(m: ProkonsulMoment, seat: str) -> Askable:
    """Return whether the pleader can still ask this seat, and why not."""
    view, name, short = m.view, m.name(seat), m.short_names[seat]
    if not view["holds"][seat]:
        return Askable(seat, name, m.say(N_("has sold")), False, shorter=short)
    if seat in view["can_ask"]:
        held, target = m.derived["held"], view["target"] or 0
        comes = held[view["pleader"] or ""] + held[seat]
        text = f"+ {held[seat]} = {comes}"
        return Askable(
            seat, m.say(N_("Ask {seat}"), seat=seat), text, not view["offer"], comes >= target, (name, *short)
        )
    if view["offer"] and view["offer"]["to"] == seat:
        return Askable(seat, name, m.say(N_("is asked")), False, shorter=short)
    return Askable(seat, name, m.say(N_("said no")), False, shorter=short)


def offered(m: ProkonsulMoment, offer: Offer) -> str:
    """Return the offer in words."""
    facts = {"seat": m.view["pleader"], "to": offer["to"], "chips": Amount(offer["chips"])}
    if offer["promise"]:
        text = N_("{seat} offers {to} {chips} and promises {promise}")
        return m.say(text, **facts, promise=Said(offer["promise"]))
    return m.say(N_("{seat} offers {to} {chips}"), **facts)


# -- the pawn row -----------------------------------------------------------------------------------------------


def pawn_row(m: ProkonsulMoment) -> PawnRow | None:
    """Return the row, its last move in this round, and the pleading order it leads to."""
    if not m.view["row"]:
        return None
    tie = last_tie(m) if m.view["pleader"] else None
    pleas = [plea["seat"] for plea in m.derived["pleas"]] if m.view["pleader"] else []
    return PawnRow(tuple(m.view["row"]), tie["pleader"] if tie else "", pleas, m.view["first_pleader"] or "")


def last_tie(m: ProkonsulMoment) -> Facts | None:
    """Return the facts of the tie that gave the present plea, if one did."""
    for receipt in reversed(m.acts):
        facts = {ruling.code: ruling.facts for ruling in receipt.public}
        if "plea" in facts and facts["plea"]["pleader"] == m.view["pleader"]:
            tie = facts.get("tie")
            return tie if tie and list(tie["row_after"]) == list(m.view["row"]) else None
    return None
