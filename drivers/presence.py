"""Which tags lie on a reader, from polls that miss some of them."""

from collections import deque


class Presence:
    """What lies there: every tag one of the last `misses` polls has seen. Counts polls and knows no time.

    A single miss never means that a card was lifted: an RC522 polled the plain way misses a tag that stays
    every second time, because the request meets a tag that is already awake (NTAG21x data sheet, 8.4).
    """

    def __init__(self, misses: int = 3) -> None:
        self.here: frozenset[str] = frozenset()
        self._polls: deque[frozenset[str]] = deque(maxlen=misses)

    def see(self, tags: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Takes one poll; returns the tags that arrived with it and those that have left."""
        self._polls.append(tags)
        before, self.here = self.here, frozenset().union(*self._polls)
        return self.here - before, before - self.here
