"""A press that is going on, and what it will mean: pressed shortly yes, held for longer no."""

from __future__ import annotations

from dataclasses import dataclass

from companion.answers import guide
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Pressing:
    """A press in progress: who presses, what letting go means before the moment and after it, and both in ms since it
    began."""

    seat: str
    name: str
    press: str
    hold: str
    held: int
    no_ms: int


def pressing(m: Moment) -> Pressing | None:
    """Return the first press that answers a question; None if nobody presses.

    A press at an audio seat never answers one.
    """
    for can in guide.now(m.game, m.known).can if m.presses else ():
        for seat in can.seats if can.press and can.hold else ():
            if seat in m.presses and seat not in m.ears:
                return Pressing(seat, m.name(seat), m.say(can.press), m.say(can.hold), m.presses[seat], m.no_ms)
    return None
