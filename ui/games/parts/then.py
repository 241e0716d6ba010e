"""A pad opened in the past: the moment it asks about, and what was done there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.rules import Seat
from companion.rules.data import Data
from companion.rules.outline import Outline
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Then:
    """The moment before the act with this number; `was` is that act as a transcript writes it."""

    number: int
    moment: Moment
    was: Data
    private: Callable[[Seat], Data]
    """What a seat alone could see then: for its own pad, behind the cover."""
    back: str = "log"
    """The page it was opened from."""

    @property
    def leads(self) -> Data:
        """What that page is given."""
        return {"number": self.number} if self.back == "log" else {}

    def amended(self, event: Data) -> dict[str, Any]:
        """The amendment that puts this event in the act's place; words that went with the same act stay."""
        same = event["event"] == self.was["event"]
        kept = {key: self.was[key] for key in self._words(event["event"]) if same and key in self.was}
        return {"event": "amend", "act": self.number, "as": {**kept, **event}}

    def _words(self, verb: str) -> set[str]:
        of_it: list[Outline] = [outline for outline in self.moment.outlines if outline.verb == verb]
        return {key for outline in of_it for key, (kind, _) in outline.keys.items() if kind == "text"}
