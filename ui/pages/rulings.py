"""The log, *why*, and what an undo puts back: rulings as the screen tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

from companion.rules import N_, Ruling
from companion.session import Receipt
from companion.words import clause, phrase, say
from ui.games.any import sentences as plain
from ui.table.frame import named
from ui.table.moment import Moment


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
    "after": N_("afterwards"),
    "asked": N_("asked"),
    "attacker": N_("attacks"),
    "back": N_("chips given back"),
    "before": N_("before"),
    "between": N_("in between"),
    "bids": N_("bids"),
    "blue": N_("Blue"),
    "bonus": N_("bonus"),
    "can_ask": N_("can ask"),
    "capital": N_("capital"),
    "card": N_("card"),
    "cards": N_("cards"),
    "chips": N_("chips"),
    "cost": N_("costs"),
    "costs": N_("costs"),
    "count": N_("how many"),
    "counters": N_("counters"),
    "defender": N_("defends"),
    "duellists": N_("in the duel"),
    "enemy": N_("enemy"),
    "fair": N_("fair until"),
    "fighter": N_("fights"),
    "fists": N_("fists"),
    "flipper": N_("flips"),
    "from": N_("from"),
    "governor": N_("governor"),
    "groups": N_("groups"),
    "held": N_("holds"),
    "home": N_("counters home"),
    "last": N_("loads"),
    "late": N_("late, in ms"),
    "leader": N_("leads"),
    "left": N_("left"),
    "limit": N_("at most"),
    "linked": N_("linked with"),
    "loser": N_("loses"),
    "lot": N_("the lot"),
    "lowest": N_("lowest"),
    "members": N_("members"),
    "open": N_("still open"),
    "order": N_("order"),
    "other": N_("other side"),
    "out": N_("no room"),
    "own": N_("own"),
    "owner": N_("belongs to"),
    "passes": N_("passes"),
    "piece": N_("piece"),
    "pile": N_("pile"),
    "place": N_("place"),
    "places": N_("places"),
    "pleader": N_("pleads"),
    "points": N_("points"),
    "prize": N_("prize"),
    "promise": N_("promise"),
    "province": N_("province"),
    "rank": N_("card"),
    "reach": N_("can reach"),
    "reader": N_("reader"),
    "red": N_("Red"),
    "regions": N_("regions"),
    "removed": N_("lost"),
    "room": N_("room"),
    "round": N_("round"),
    "route": N_("route"),
    "routes": N_("routes"),
    "row": N_("row"),
    "scores": N_("scores"),
    "seat": N_("seat"),
    "seats": N_("seats"),
    "sharing": N_("shared"),
    "sides": N_("sides"),
    "size": N_("group"),
    "skipped": N_("skipped"),
    "square": N_("square"),
    "squares": N_("squares"),
    "strongest": N_("strongest"),
    "sum": N_("sum"),
    "survivors": N_("in the game"),
    "tag": N_("tag"),
    "taking_part": N_("take part"),
    "target": N_("target"),
    "theirs": N_("other side"),
    "tied": N_("tied"),
    "to": N_("to"),
    "total": N_("total"),
    "totals": N_("totals"),
    "turn": N_("to move"),
    "unconfirmed_board": N_("board not confirmed"),
    "value": N_("value"),
    "waiting": N_("awaited"),
    "winner": N_("winner"),
    "winners": N_("winners"),
    "working": N_("sum"),
}
"""What a fact is called."""
UNNAMED = {"carthage", "row_after", "row_before", "verb", "what"}
"""Facts that the sentence or a picture tells."""
NO_REGION = {"sale": N_("places")}
"""Rulings whose "place" is a rank, and what it is called there."""


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
    called = FACTS | ({"place": NO_REGION[ruling.code]} if ruling.code in NO_REGION else {})
    shown = [
        (m.say(called[key]), phrase(value, m.lang)) for key, value in facts.items() if key in called and told(value)
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


def told(value: Any) -> bool:
    """The fact says something: it is neither missing nor an empty list nor a plain no."""
    return value is not None and value is not False and not (isinstance(value, Sized) and len(value) == 0)


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
