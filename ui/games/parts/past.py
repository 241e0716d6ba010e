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
    """What the last act moved, told apart from every other by the act's number; `seat` is the colour on top.

    It has come from nowhere where `start` is "": a piece that was placed.
    """

    number: int
    seat: str
    start: str
    to: str
    size: int = 1


def moved(m: Moment, *codes: str) -> Moved | None:
    """What has just moved by a ruling with one of these codes; nothing has where an act was taken back."""
    for ruling in m.acts[-1].public if m.previous else ():
        if ruling.code in codes:
            facts = ruling.facts
            seat = facts.get("seat") or facts["winner"]
            to = facts.get("to") or facts["square"]
            return Moved(m.acts[-1].number, seat, facts.get("from", ""), to, facts.get("size", 1))
    return None


def latest(m: Moment) -> Sequence[Ruling]:
    """The rulings of the last act that stands."""
    return m.acts[-1].public if m.acts else ()


def last(m: Moment, code: str, fresh: bool = False) -> Facts:
    """The facts of the last ruling of this kind, {} if there was none; `fresh`: of the last act alone."""
    acts = m.acts[-1:] if fresh else m.acts
    found = (ruling.facts for act in reversed(acts) for ruling in act.public if ruling.code == code)
    return next(found, {})
