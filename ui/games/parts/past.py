"""The results of the last acts, as boards keep showing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import Ruling, Seat
from companion.rules.data import Data
from companion.rules.outline import Outline
from ui.table.moment import Moment

Facts = Data
"""A ruling's facts, of every kind that can be said."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The move of the last act, identified by the act's number; `seat` is the colour on top.

    Where `start` is "", the piece has come from nowhere: it was placed.
    """

    number: int
    seat: str
    start: str
    to: str
    size: int = 1


def moved(m: Moment, *codes: str) -> Moved | None:
    """Return what the last act moved by a ruling with one of these codes; None after an undo."""
    for ruling in m.acts[-1].public if m.previous else ():
        if ruling.code in codes:
            facts = ruling.facts
            seat = facts.get("seat") or facts["winner"]
            to = facts.get("to") or facts["square"]
            return Moved(m.acts[-1].number, seat, facts.get("from", ""), to, facts.get("size", 1))
    return None


def latest(m: Moment) -> Sequence[Ruling]:
    """Return the rulings of the last act that stands."""
    return m.acts[-1].public if m.acts else ()


def last(m: Moment, code: str, fresh: bool = False) -> Facts:
    """Return the facts of the last ruling with this code, {} if there is none; `fresh`: of the last act alone."""
    acts = m.acts[-1:] if fresh else m.acts
    found = (ruling.facts for act in reversed(acts) for ruling in act.public if ruling.code == code)
    return next(found, {})


# -- A pad opened in the past: the moment it asks about, and what was done there -----------------------------------


@dataclass(frozen=True, slots=True)
class Then:
    """The moment before the act with this number; `was` is that act as a transcript writes it."""

    number: int
    moment: Moment
    was: Data
    private: Callable[[Seat], Data]
    """The private view of a seat at that moment: for its own pad, behind the cover."""
    back: str = "log"
    """The page it was opened from."""

    @property
    def leads(self) -> Data:
        """Return the arguments of the page the pad was opened from."""
        return {"number": self.number} if self.back == "log" else {}

    def amended(self, event: Data) -> dict[str, Any]:
        """Return the correction that puts this event in the act's place; words that went with the same act stay."""
        same = event["event"] == self.was["event"]
        kept = {key: self.was[key] for key in self._text_keys(event["event"]) if same and key in self.was}
        return {"event": "amend", "act": self.number, "as": {**kept, **event}}

    def _text_keys(self, verb: str) -> set[str]:
        of_it: list[Outline] = [outline for outline in self.moment.outlines if outline.verb == verb]
        return {key for outline in of_it for key, (kind, _) in outline.keys.items() if kind == "text"}
