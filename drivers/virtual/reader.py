"""A reader without hardware: the program lays and lifts tags, and can make the reader fail."""

from collections.abc import Mapping
from threading import Semaphore
from typing import Any


class VirtualReader:
    """A whole reader. One thread polls; cards are laid, lifted and faults made from one other thread.

    The tags lie there whether it is open, closed or broken, as cards do.
    """

    def __init__(self) -> None:
        self.tags: frozenset[str] = frozenset()
        self.closed = False
        self._fault: OSError | None = None
        self._misses = Semaphore(0)

    @property
    def wired(self) -> Mapping[str, Any]:
        """Return the reader's kind, as a trace records it."""
        return {"kind": "virtual"}

    @property
    def several(self) -> bool:
        return len(self.tags) > 1

    def open(self) -> "VirtualReader":
        """Open the same device once more, as after a reset. Raises the fault while there is one."""
        if self._fault:
            raise self._fault
        self.closed = False
        return self

    def poll(self) -> frozenset[str]:
        """Return the tags on the reader. Raises OSError if it is closed or has a fault."""
        if self._fault:
            raise self._fault
        if self.closed:
            raise OSError("The reader is closed")
        if self._misses.acquire(blocking=False):
            return frozenset()
        return self.tags

    def close(self) -> None:
        self.closed = True

    # -- the hand at the table -------------------------------------------------------------------------------

    def lay(self, tag: str) -> None:
        self.tags |= {tag.upper()}

    def lift(self, tag: str) -> None:
        self.tags -= {tag.upper()}

    # -- faults ----------------------------------------------------------------------------------------------

    def fail(self, fault: OSError) -> None:
        """Make the reader raise `fault`, when polled and when opened, until it is healed."""
        self._fault = fault

    def heal(self) -> None:
        self._fault = None

    def miss(self, polls: int = 1) -> None:
        """Let the next `polls` polls see an empty field, as real readers do at times."""
        self._misses.release(polls)
