"""The log, *why*, and what an undo puts back: rulings as the screen tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules import N_, Ruling
from companion.session import Receipt
from companion.words import clause, phrase, say
from ui.models import plain
from ui.models.moment import Moment
from ui.models.table import named


@dataclass(frozen=True, slots=True)
class Entry:
    """A ruling in the log."""

    text: str
    rule: str
    refused: bool
    seats: Sequence[str]
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Why:
    """Everything behind a ruling."""

    text: str
    rule: str
    clause: str
    facts: Sequence[tuple[str, str]]
    before: Sequence[str]
    after: Sequence[str]
    """The pawn row before and after a tie, empty where there was none."""
    mover: str


@dataclass(frozen=True, slots=True)
class Undo:
    """The act an undo takes back: its rulings, newest first, and whether cards were turned up by it."""

    lines: Sequence[str]
    hint: str
    sealed: bool
    number: int


FACTS = {
    "addends": N_("sum"),
    "asked": N_("asked"),
    "can_ask": N_("can ask"),
    "cards": N_("cards"),
    "chips": N_("chips"),
    "fair": N_("fair until"),
    "held": N_("holds"),
    "home": N_("counters home"),
    "late": N_("late, in ms"),
    "linked": N_("linked with"),
    "members": N_("members"),
    "open": N_("still open"),
    "places": N_("places"),
    "pleader": N_("pleads"),
    "promise": N_("promise"),
    "province": N_("province"),
    "rank": N_("card"),
    "round": N_("round"),
    "scores": N_("scores"),
    "seat": N_("seat"),
    "target": N_("target"),
    "tied": N_("tied"),
    "to": N_("to"),
    "total": N_("total"),
    "value": N_("value"),
    "waiting": N_("awaited"),
    "winner": N_("winner"),
    "winners": N_("winners"),
}
"""What a fact is called; those without a word here are told by the sentence alone."""


def log(m: Moment) -> Sequence[Entry]:
    """All rulings for everybody, newest first."""
    return [
        Entry(say(ruling, m.lang), ruling.rule, not receipt.ok, named(ruling, m.seats), ruling)
        for receipt in reversed(m.log)
        for ruling in reversed(receipt.public)
    ]


def why(m: Moment, ruling: Ruling) -> Why:
    """The ruling, the facts it weighed and the clause it rests on."""
    facts = ruling.facts
    shown = [
        (m.say(FACTS[key]), phrase(value, m.lang))
        for key, value in facts.items()
        if key in FACTS and value is not None and value != ()
    ]
    return Why(
        say(ruling, m.lang),
        ruling.rule,
        clause(m.game, ruling.rule, m.lang),
        shown,
        tuple(facts.get("row_before", ())),
        tuple(facts.get("row_after", ())),
        str(facts.get("pleader", "")) if "row_after" in facts else "",
    )


BACK: Mapping[str, str] = {
    "pawns": N_("Take the pawns out of the row."),
    "province": N_("The black pawn goes back to where it stood."),
    "choose": N_("That card goes back into the hand."),
    "reveal": N_("Turn the cards face down again; counters, chips and pawns of this reveal go back."),
    "offer": N_("The offer is off the table."),
    "answer": N_("Chips, cards, counters and pawns moved by this answer go back."),
    "coalition": N_("Counters and chips of this win go back."),
    "transfer": N_("The chips go back."),
    "no_decision": N_("The cards of the round come back onto the table."),
    **plain.BACK,
}
"""What people put back on the real table, by the verb that is taken back."""


def undo(m: Moment, act: Receipt | None) -> Undo | None:
    """The act an undo would take back, None where there is nothing."""
    if act is None:
        return None
    lines = [say(ruling, m.lang) for ruling in act.public]
    return Undo(lines, m.say(BACK[act.verb]) if act.verb in BACK else "", act.verb == "reveal", act.number)
