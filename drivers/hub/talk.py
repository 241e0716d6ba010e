"""The state of a talk with a hub."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from drivers.hub.lines import Place, Whole

SECOND = 1_000_000
"""In µs, like all times here."""


@dataclass(slots=True)
class Talk:
    """The state of a talk since the port was opened, or since the hub restarted; times in µs."""

    since: int
    heard: int
    done: dict[str, int]
    """The time at which each repeated message was last sent."""
    pings: set[int] = field(default_factory=set)
    """The unanswered pings, by their times."""
    answered: int = 0
    coming: list[Place] = field(default_factory=list)
    """The lines of an incomplete snapshot."""
    snapshot: tuple[Whole, Sequence[Place]] | None = None
    """A snapshot waiting for the events before it."""
    wanting: bool = True
    """A snapshot is needed."""
    missing: bool = False
    """Events have been lost, and that has been reported."""
    last: int = 0
    """The latest event we have heard of."""
    acked: int = -1
    asked: int = 0
    echoed: bool = False

    def due(self, what: str, now: int, every: int) -> bool:
        """Return whether the message is due: never sent, or this long ago; if so, count it as sent now."""
        if now - self.done.get(what, now - every) < every:
            return False
        self.done[what] = now
        return True
