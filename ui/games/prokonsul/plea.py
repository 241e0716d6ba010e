"""The plea and the pawn row: who may be asked, what is offered, who pleads next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.prokonsul.view import Offer
from companion.rules import N_, Amount, Said
from ui.games.parts.past import Facts
from ui.games.prokonsul.at import At


@dataclass(frozen=True, slots=True)
class PawnRow:
    """The pawn row, left to right; `note` tells its last move and who pleads next if this plea fails."""

    seats: Sequence[str]
    moved: str
    note: str


@dataclass(frozen=True, slots=True)
class Bar:
    """The pleader's cards on the way to the target."""

    seat: str
    cards: Sequence[str]
    target: int
    held: int
    text: str


@dataclass(frozen=True, slots=True)
class Askable:
    """One seat the pleader might ask: what it holds, or why not."""

    seat: str
    text: str
    can: bool


@dataclass(frozen=True, slots=True)
class Plea:
    bar: Bar
    ask: Sequence[Askable]
    offer: str
    """The offer that waits for an answer, "" while none does."""
    asked: str
    replace: bool
    """Two-way: the pleader may still change the offer."""


def plea(m: At) -> Plea | None:
    """The plea that is going on, None while nobody pleads."""
    view = m.view
    pleader, target, offer = view["pleader"], view["target"], view["offer"]
    if not pleader or target is None:
        return None
    held = m.derived["held"][pleader]
    more = m.say(N_("{seat} holds {held}: {more} to go"), seat=pleader, held=held, more=max(0, target - held))
    bar = Bar(pleader, tuple(view["holds"][pleader]), target, held, more)
    others = [seat for seat in m.seats if seat != pleader]
    two_way = m.options.get("negotiation") == "two_way"
    return Plea(
        bar,
        tuple(ask(m, seat) for seat in others),
        offered(m, offer) if offer else "",
        offer["to"] if offer else "",
        bool(offer) and two_way,
    )


def ask(m: At, seat: str) -> Askable:
    """Whether the pleader can still ask this seat, and why not."""
    view = m.view
    if not view["holds"][seat]:
        return Askable(seat, m.say(N_("no cards")), False)
    if seat in view["can_ask"]:
        return Askable(seat, m.say(N_("ask: {held}"), held=m.derived["held"][seat]), not view["offer"])
    if view["offer"] and view["offer"]["to"] == seat:
        return Askable(seat, m.say(N_("is asked")), False)
    return Askable(seat, m.say(N_("said no")), False)


def offered(m: At, offer: Offer) -> str:
    """The offer in words."""
    facts = {"seat": m.view["pleader"], "to": offer["to"], "chips": Amount(offer["chips"])}
    if offer["promise"]:
        text = N_("{seat} offers {to} {chips} and promises {promise}")
        return m.say(text, **facts, promise=Said(offer["promise"]))
    return m.say(N_("{seat} offers {to} {chips}"), **facts)


# -- the pawn row -----------------------------------------------------------------------------------------------


def pawn_row(m: At) -> PawnRow | None:
    """The row, its last move in this round, and the pleading order it leads to."""
    if not m.view["row"]:
        return None
    tie = last_tie(m) if m.view["pleader"] else None
    moved = tie["pleader"] if tie else ""
    return PawnRow(tuple(m.view["row"]), moved, row_note(m, tie))


def row_note(m: At, tie: Facts | None) -> str:
    """The tie that moved a pawn, and who pleads next if nobody sells."""
    view = m.view
    if not view["pleader"]:
        return m.say(N_("It settles ties."))
    facts: dict[str, object] = {"next": [plea["seat"] for plea in m.derived["pleas"]], "first": view["first_pleader"]}
    if not tie:
        then, last = N_("Next if this plea fails: {next}."), N_("If this plea fails, {first}, who pleaded first, wins.")
        return m.say(then if facts["next"] else last, **facts)
    return m.say(N_("Tie: {seat} moved to the end. Next: {next}."), **facts, seat=tie["pleader"])


def last_tie(m: At) -> Facts | None:
    """The facts of the tie that gave the present plea, if one did."""
    for receipt in reversed(m.acts):
        facts = {ruling.code: ruling.facts for ruling in receipt.public}
        if "plea" in facts and facts["plea"]["pleader"] == m.view["pleader"]:
            tie = facts.get("tie")
            return tie if tie and list(tie["row_after"]) == list(m.view["row"]) else None
    return None
