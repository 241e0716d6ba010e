"""The clock of a round in the hall, as a table counts it down from what the hall said last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.rules import N_
from companion.rules.message import Message

CALL_S = 5 * 60
"""So long before the end everybody is told."""
FIVE: Mapping[str, str] = {
    "act": N_("Five minutes left. After that, play out the act at hand."),
    "round": N_("Five minutes left. After that, play out the round at hand."),
    "nothing": N_("Five minutes left."),
}
UP: Mapping[str, str] = {
    "act": N_("The time is up: play out the act at hand."),
    "round": N_("The time is up: play out the round at hand."),
    "nothing": N_("The time is up."),
}
"""What is told then, by what is to happen at its end; the program never ends a game."""


@dataclass(frozen=True, slots=True)
class RoundClock:
    """What the hall said of it (docs/hall/schemas/clock.json) at the moment `heard`, in seconds of the table's own."""

    round: int
    state: Literal["running", "paused", "up"]
    left: int
    whole: int
    then: str
    heard: float

    def seconds(self, now: float) -> float:
        """What is left at that moment."""
        return max(0.0, self.left - (now - self.heard)) if self.state == "running" else float(self.left)

    def part(self, now: float) -> float:
        """The same as a part of the whole, 0 to 1."""
        return min(1.0, self.seconds(now) / max(1, self.whole))

    def minutes(self, now: float) -> int:
        """The same as people say it: a minute that has begun is one."""
        return -int(-self.seconds(now) // 60)


class TimeCall:
    """Calls five minutes before the end and at the end: each once, and again where there was more time meanwhile."""

    def __init__(self) -> None:
        self._before: tuple[int, float] | None = None  # the round, and the seconds that were left when it looked last

    def look(self, clock: RoundClock | None, now: float) -> Message | None:
        """What is to be said now; nothing of a moment that had passed when the table heard of the clock."""
        before, self._before = self._before, (clock.round, clock.seconds(now)) if clock else None
        if not clock or not before or before[0] != clock.round:
            return None
        left, was = clock.seconds(now), before[1]
        if was > 0 >= left:
            return Message(UP[clock.then])
        return Message(FIVE[clock.then]) if was > CALL_S >= left else None
