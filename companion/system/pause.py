"""How long to wait before something that failed is tried once more."""

from __future__ import annotations


class Pause:
    """Twice as long after each failure, from `first` up to `longest` seconds."""

    def __init__(self, first: float = 0.5, longest: float = 10.0) -> None:
        self.first, self.longest = first, longest
        self._next = first

    def after_failure(self) -> float:
        """Return how long to wait now, in seconds."""
        pause, self._next = self._next, min(2 * self._next, self.longest)
        return pause

    def end(self) -> None:
        """It has worked: the next failure is a first one."""
        self._next = self.first
