"""The log, *why*, and what an undo puts back: rulings as the screen shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass

from companion.rules import N_, Ruling
from companion.session import Receipt
from companion.words import clause
from ui.games.face import face_of
from ui.table.frame import named
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class LogEntry:
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


@dataclass(frozen=True, slots=True)
class Undoing:
    """The act an undo takes back: its rulings, newest first, and whether cards were turned up by it."""

    lines: Sequence[str]
    hint: str
    sealed: bool
    number: int


FACTS: Mapping[str, str] = {
    "card": N_("card"),
    "cards": N_("cards"),
    "chips": N_("chips"),
    "count": N_("number"),
    "fair": N_("allowed, in ms"),
    "fists": N_("fists"),
    "from": N_("from"),
    "late": N_("late by, in ms"),
    "loser": N_("loses"),
    "open": N_("still open"),
    "own": N_("own"),
    "owner": N_("belongs to"),
    "place": N_("place"),
    "places": N_("places"),
    "reach": N_("can reach"),
    "reader": N_("reader"),
    "scores": N_("scores"),
    "seat": N_("player"),
    "seats": N_("players"),
    "sum": N_("sum"),
    "tag": N_("tag"),
    "tied": N_("tied"),
    "to": N_("to"),
    "turn": N_("to move"),
    "unconfirmed_board": N_("board not confirmed"),
    "value": N_("value"),
    "waiting": N_("still to act"),
    "winner": N_("winner"),
    "winners": N_("winners"),
}
"""What a fact is called in any game; a face names those of its own."""
HIDDEN = ("row_after", "row_before", "verb", "what")
"""Facts that the sentence or a picture says."""


def log(m: Moment) -> Sequence[LogEntry]:
    """All rulings for everybody, newest first."""
    return [
        LogEntry(m.tongue.say(ruling), ruling.rule, not receipt.ok, named(ruling, m.seats), ruling)
        for receipt in reversed(m.log)
        for ruling in reversed(receipt.public)
    ]


def why(m: Moment, ruling: Ruling) -> Why:
    """The ruling, the facts it weighed and the clause it rests on."""
    facts, face = ruling.facts, face_of(m.game.name)
    names, hidden = {**FACTS, **face.names}, (*HIDDEN, *face.hidden)
    shown = [
        (fact(m, key, names), m.tongue.phrase(value))
        for key, value in facts.items()
        if key not in hidden and says(value)
    ]
    return Why(
        m.tongue.say(ruling),
        ruling.rule,
        clause(m.game, ruling.rule, m.lang),
        shown,
        tuple(facts.get("row_before", ())),
        tuple(facts.get("row_after", ())),
    )


def fact(m: Moment, key: str, names: Mapping[str, str]) -> str:
    """What a fact is called; a fact of a seat by the seat."""
    if key in m.seats:
        return m.name(key)
    return m.say(names[key]) if key in names else key.replace("_", " ")


def says(value: object) -> bool:
    """The fact says something: it is neither missing nor an empty list nor a plain no."""
    return value is not None and value is not False and not (isinstance(value, Sized) and len(value) == 0)


BACK: Mapping[str, str] = {
    "choose": N_("That card goes back into the hand."),
    "pass": N_("The pass does not count."),
    "reveal": N_("Turn the cards face down again; counters, chips and pawns moved by this reveal go back."),
}
"""What people put back on the real table in any game, by the verb that is taken back; a face has those of its own."""


def undo(m: Moment, act: Receipt | None) -> Undoing | None:
    """The act an undo would take back, None where there is nothing."""
    if act is None:
        return None
    back = {**BACK, **face_of(m.game.name).back}
    lines = [m.tongue.say(ruling) for ruling in act.public]
    return Undoing(lines, m.say(back[act.verb]) if act.verb in back else "", act.verb == "reveal", act.number)
