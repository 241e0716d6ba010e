"""A clock that advances only by transfers, waits and sleeps."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf


class VirtualClock:
    """Emulated seconds, with actions planned for their times; one thread advances them."""

    def __init__(self) -> None:
        self.now = 0.0
        self._plans: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = count()
        self._next = inf

    def monotonic(self) -> float:
        return self.now

    def ms(self) -> int:
        """Return the time in ms, as in the hardware events."""
        return int(self.now * 1000)

    def at(self, time: float, act: Callable[[], object]) -> None:
        """Plan `act` for a time, in s; it runs within the transfer or sleep that passes that time."""
        heappush(self._plans, (time, next(self._numbers), act))
        self._next = self._plans[0][0]

    def sleep(self, seconds: float) -> None:
        """Advance the emulated time and run the actions planned in it; takes no real time."""
        end = self.now + seconds
        while self._next <= end:
            time, _, act = heappop(self._plans)
            self._next = self._plans[0][0] if self._plans else inf
            self.now = max(time, self.now)
            act()
        self.now = end
