"""How a talk with a hub stands."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from drivers.hub.lines import Place, Whole

SECOND = 1_000_000
"""In µs, like all times here."""


@dataclass(slots=True)
class Talk:
    """What is known of a talk since the port was opened, or since the hub restarted; times in µs."""

    since: int
    heard: int
    done: dict[str, int]
    """When what is said again and again was last said."""
    pings: set[int] = field(default_factory=set)
    """Those that were sent, by their times, and not answered yet."""
    answered: int = 0
    coming: list[Place] = field(default_factory=list)
    """The lines of a snapshot that is not whole yet."""
    snapshot: tuple[Whole, Sequence[Place]] | None = None
    """One that waits for the events before it."""
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
        """Whether it was last said this long ago, or never; if so, it counts as said now."""
        if now - self.done.get(what, now - every) < every:
            return False
        self.done[what] = now
        return True
