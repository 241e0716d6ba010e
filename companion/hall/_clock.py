"""The clock of a round. It informs, and never ends a game: the organiser says beforehand what happens at its end.

The evening's acts hold the moment at which the clock ends, or the seconds left while it is paused. They also hold that
moment by the computer's uptime, which counts for as long as the computer is on: setting the wall clock does not shorten
a round. The hall publishes the seconds left over and over. Tables and browsers count down from there, so their own
clocks need not be right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from companion.hall.records import Payload
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.message import Message
from companion.system.uptime import Up, uptime

Then = Literal["act", "round", "nothing"]
"""What is still played at its end: the current act, the current round, or as much as the players like."""
THEN: dict[Then, str] = {
    "act": N_("when time is up, the current move is finished"),
    "round": N_("when time is up, the current round of the game is finished"),
    "nothing": N_("when time is up, games continue"),
}
LONGEST_S = 10 * 60 * 60
"""The longest running time of a clock, in seconds."""


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment by the clock on the wall, which may be set, and by the computer's uptime, which may not."""

    wall: datetime
    up: Up

    @classmethod
    def now(cls) -> Instant:
        return cls(datetime.now().astimezone(), uptime())


@dataclass(frozen=True, slots=True)
class HallClock:
    """The clock of a round: the moment at which it ends, or None and the seconds left while it is paused."""

    round: int
    then: Then
    whole: int
    """Its total time in seconds."""
    ends: datetime | None
    left: int = 0
    up: Up | None = None
    """The same moment by the computer's uptime."""

    def seconds(self, at: Instant) -> int:
        """Return the seconds left at that moment, at least 0."""
        if not self.ends:
            return self.left
        if self.up and self.up[0] == at.up[0] != "":
            return max(0, round(self.up[1] - at.up[1]))
        return max(0, round((self.ends - at.wall).total_seconds()))

    def paused(self, at: Instant) -> HallClock:
        """Return this clock, paused."""
        return replace(self, ends=None, up=None, left=self.seconds(at))

    def going(self, at: Instant) -> HallClock:
        """Return this clock, running."""
        left = self.seconds(at)
        ends = (at.wall + timedelta(seconds=left)).replace(microsecond=0)
        return replace(self, ends=ends, up=(at.up[0], at.up[1] + left))

    def longer(self, by: timedelta, at: Instant) -> HallClock:
        """Return this clock with so much more time, or less."""
        left = max(0, self.seconds(at) + round(by.total_seconds()))
        longer = replace(self, whole=max(1, self.whole + left - self.seconds(at)), ends=None, left=left)
        return longer.going(at) if self.ends else longer

    @property
    def act(self) -> dict[str, Any]:
        """Return the clock as the evening keeps it."""
        ends = self.ends.isoformat(timespec="seconds") if self.ends else None
        up = {"up": list(self.up)} if self.up else {}
        return {"act": "clock", "round": self.round, "then": self.then, "whole": self.whole, "ends": ends,
                "left": self.left, **up}  # fmt: skip


def clock_of(act: Payload) -> HallClock | None:
    """Return the clock that such an act has set, or None if the act has removed it."""
    if act["round"] is None:
        return None
    ends = datetime.fromisoformat(act["ends"]) if act["ends"] else None
    up = (act["up"][0], act["up"][1]) if act.get("up") else None
    return HallClock(act["round"], act["then"], act["whole"], ends, act["left"], up)


NONE: Data = {"round": 0, "state": "none", "left": 0, "whole": 0, "then": "nothing"}
"""The message where there is no clock."""


def clock_data(clock: HallClock | None, at: Instant) -> Data:
    """Return the clock as everybody hears of it (docs/hall/schemas/clock.json)."""
    if clock is None:
        return NONE
    left = clock.seconds(at)
    state = "running" if clock.ends and left else "paused" if left else "up"
    return {"round": clock.round, "state": state, "left": left, "whole": clock.whole, "then": clock.then}


def told(clock: HallClock) -> Message:
    """Return the clock as the organiser reads it."""
    told: dict[str, Any] = {"round": clock.round, "then": Message(THEN[clock.then])}
    if clock.ends:
        return Message("The clock of round {round} runs until {time}; {then}.", time=f"{clock.ends:%H:%M}", **told)
    left = f"{clock.left // 60}:{clock.left % 60:02}"
    return Message("The clock of round {round} is paused with {left} left; {then}.", left=left, **told)
