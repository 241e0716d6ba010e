"""What the last acts came to, as boards go on showing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import Ruling
from companion.rules.data import Data
from ui.table.moment import Moment

Facts = Data
"""A ruling's facts, of every kind that can be said."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What the last act moved, told apart from every other by the act's number; `seat` is the colour on top."""

    number: int
    seat: str
    start: str
    to: str
    size: int


def moved(m: Moment, *codes: str) -> Moved | None:
    """What has just moved by a ruling with one of these codes; nothing moves by itself when an act is taken back."""
    act = m.log[-1] if m.log else None
    for ruling in act.public if act and act.number else ():
        if act and ruling.code in codes:
            facts = ruling.facts
            seat = facts.get("seat") or facts["winner"]
            return Moved(act.number, seat, facts["from"], facts["to"], facts.get("size", 1))
    return None


def latest(m: Moment) -> Sequence[Ruling]:
    """The rulings of the last act that stands."""
    return m.acts[-1].public if m.acts else ()


def last(m: Moment, code: str, fresh: bool = False) -> Facts:
    """The facts of the last ruling of this kind, {} if there was none; `fresh`: of the last act alone."""
    acts = m.acts[-1:] if fresh else m.acts
    found = (ruling.facts for act in reversed(acts) for ruling in act.public if ruling.code == code)
    return next(found, {})
