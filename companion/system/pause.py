"""The backoff between attempts."""

from __future__ import annotations


class Pause:
    """A backoff that doubles with each failure, from `first` up to `longest` seconds."""

    def __init__(self, first: float = 0.5, longest: float = 10.0) -> None:
        self.first, self.longest = first, longest
        self._next = first

    def after_failure(self) -> float:
        """Return the next pause, in seconds."""
        pause, self._next = self._next, min(2 * self._next, self.longest)
        return pause

    def end(self) -> None:
        """Reset the backoff after a success."""
        self._next = self.first
