"""The clock of a round in the hall, as a table counts it down from what the hall said last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.rules import N_
from companion.rules.message import Message

CALL_S = 5 * 60
"""Seconds left when everybody is told."""
FIVE: Mapping[str, str] = {
    "act": N_("Five minutes left. After that, finish the current move."),
    "round": N_("Five minutes left. After that, finish this round."),
    "nothing": N_("Five minutes left."),
}
UP: Mapping[str, str] = {
    "act": N_("The time is up: finish the current move."),
    "round": N_("The time is up: finish this round."),
    "nothing": N_("The time is up."),
}
"""The announcement at the end of the time, by the rule for unfinished games; the program never ends a game."""


@dataclass(frozen=True, slots=True)
class RoundClock:
    """A round's clock as the hall reported it (docs/hall/schemas/clock.json).

    `heard` is the moment of the report, in seconds of the table's clock.
    """

    round: int
    state: Literal["running", "paused", "up"]
    left: int
    whole: int
    then: str
    heard: float

    def seconds(self, now: float) -> float:
        """Return the seconds left at that moment."""
        return max(0.0, self.left - (now - self.heard)) if self.state == "running" else float(self.left)

    def part(self, now: float) -> float:
        """Return the time left at that moment as a part of the whole, 0 to 1."""
        return min(1.0, self.seconds(now) / max(1, self.whole))

    def minutes(self, now: float) -> int:
        """Return the minutes left as people say them: a minute that has begun is one."""
        return -int(-self.seconds(now) // 60)


class TimeCall:
    """The calls five minutes before the end and at the end: each once, and again where time was added meanwhile."""

    def __init__(self) -> None:
        self._before: tuple[int, float] | None = None  # the round, and the seconds left at the last look

    def look(self, clock: RoundClock | None, now: float) -> Message | None:
        """Return the call that is due now; none for a moment that had passed when the table heard of the clock."""
        before, self._before = self._before, (clock.round, clock.seconds(now)) if clock else None
        if not clock or not before or before[0] != clock.round:
            return None
        left, was = clock.seconds(now), before[1]
        if was > 0 >= left:
            return Message(UP[clock.then])
        return Message(FIVE[clock.then]) if was > CALL_S >= left else None
