"""The log, *why*, and what an undo puts back: rulings as the screen shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.receipt import Receipt
from companion.rules import N_, Ruling
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
class Undoing:
    """The act an undo takes back: its rulings, newest first, and whether cards were turned up by it."""

    lines: Sequence[str]
    hint: str
    sealed: bool
    number: int


def log(m: Moment) -> Sequence[LogEntry]:
    """All rulings for everybody, newest first."""
    return [
        LogEntry(m.tongue.say(ruling), ruling.rule, not receipt.ok, named(ruling, m.seats), ruling)
        for receipt in reversed(m.log)
        for ruling in reversed(receipt.public)
    ]


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
