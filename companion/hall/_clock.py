"""The clock of a round. It informs, and never ends a game: what is to happen at its end is said beforehand.

The acts of the evening hold the moment at which it ends, or what is left while it stands. The moment is known by the
computer's uptime too, and that counts for as long as the computer is on: a clock that is set meanwhile shortens no
round. What goes out is how many seconds are left, over and over: tables and browsers count down from there, so it does
not matter how right their own clocks are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from companion.hall.kept import Payload
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.message import Message
from companion.system.uptime import Up, uptime

Then = Literal["act", "round", "nothing"]
"""What is played out at its end: the act at hand, the round at hand, or whatever people like."""
THEN: dict[Then, str] = {
    "act": N_("at its end this act is played out"),
    "round": N_("at its end this round of the game is played out"),
    "nothing": N_("at its end games go on"),
}
LONGEST_S = 10 * 60 * 60
"""The longest that a clock can run."""


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
    """The time of a round: the moment at which it ends, or while it stands None and the seconds that are left."""

    round: int
    then: Then
    whole: int
    """All the seconds that it was given."""
    ends: datetime | None
    left: int = 0
    up: Up | None = None
    """The same moment by the computer's uptime."""

    def seconds(self, at: Instant) -> int:
        """What is left at that moment, 0 at least."""
        if not self.ends:
            return self.left
        if self.up and self.up[0] == at.up[0] != "":
            return max(0, round(self.up[1] - at.up[1]))
        return max(0, round((self.ends - at.wall).total_seconds()))

    def paused(self, at: Instant) -> HallClock:
        """The same, standing."""
        return replace(self, ends=None, up=None, left=self.seconds(at))

    def going(self, at: Instant) -> HallClock:
        """The same, running."""
        left = self.seconds(at)
        ends = (at.wall + timedelta(seconds=left)).replace(microsecond=0)
        return replace(self, ends=ends, up=(at.up[0], at.up[1] + left))

    def longer(self, by: timedelta, at: Instant) -> HallClock:
        """The same with so much more, or less."""
        left = max(0, self.seconds(at) + round(by.total_seconds()))
        longer = replace(self, whole=max(1, self.whole + left - self.seconds(at)), ends=None, left=left)
        return longer.going(at) if self.ends else longer

    @property
    def act(self) -> dict[str, Any]:
        """As the evening keeps it."""
        ends = self.ends.isoformat(timespec="seconds") if self.ends else None
        up = {"up": list(self.up)} if self.up else {}
        return {"act": "clock", "round": self.round, "then": self.then, "whole": self.whole, "ends": ends,
                "left": self.left, **up}  # fmt: skip


def clock_of(act: Payload) -> HallClock | None:
    """What such an act has set; None for none any more."""
    if act["round"] is None:
        return None
    ends = datetime.fromisoformat(act["ends"]) if act["ends"] else None
    up = (act["up"][0], act["up"][1]) if act.get("up") else None
    return HallClock(act["round"], act["then"], act["whole"], ends, act["left"], up)


NONE: Data = {"round": 0, "state": "none", "left": 0, "whole": 0, "then": "nothing"}
"""What goes out where there is no clock."""


def clock_data(clock: HallClock | None, at: Instant) -> Data:
    """What everybody hears of it (docs/hall/schemas/clock.json)."""
    if clock is None:
        return NONE
    left = clock.seconds(at)
    state = "running" if clock.ends and left else "paused" if left else "up"
    return {"round": clock.round, "state": state, "left": left, "whole": clock.whole, "then": clock.then}


def told(clock: HallClock) -> Message:
    """The clock as the organiser reads it."""
    told: dict[str, Any] = {"round": clock.round, "then": Message(THEN[clock.then])}
    if clock.ends:
        return Message("The clock of round {round} runs until {time}; {then}.", time=f"{clock.ends:%H:%M}", **told)
    left = f"{clock.left // 60}:{clock.left % 60:02}"
    return Message("The clock of round {round} stands, with {left} left; {then}.", left=left, **told)
