"""Time that passes only when somebody spends it: a transfer, a wait, a sleep."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf


class VirtualClock:
    """Emulated seconds, beside things planned to happen at their time; one thread spends them."""

    def __init__(self) -> None:
        self.now = 0.0
        self._plans: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = count()
        self._next = inf

    def monotonic(self) -> float:
        return self.now

    def ms(self) -> int:
        """The time as words are stamped with it."""
        return int(self.now * 1000)

    def at(self, time: float, act: Callable[[], object]) -> None:
        """Plans `act` for a time, in s; it happens within the transfer or sleep that passes it."""
        heappush(self._plans, (time, next(self._numbers), act))
        self._next = self._plans[0][0]

    def sleep(self, seconds: float) -> None:
        """Lets emulated time pass and what was planned in it happen; takes no real time."""
        end = self.now + seconds
        while self._next <= end:
            time, _, act = heappop(self._plans)
            self._next = self._plans[0][0] if self._plans else inf
            self.now = max(time, self.now)
            act()
        self.now = end
