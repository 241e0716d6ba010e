"""The clock of another device, a hub or a phone: its microseconds mapped to the host's, by pings."""

from collections import deque
from dataclasses import dataclass

KEPT = 30_000_000
"""The time an answer counts, in µs."""
DRIFT = 20_000
"""In this many µs two crystals may drift apart by one: they differ by up to 50 millionths."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A measurement: at `read` the host's clock was `offset` µs ahead of the device's, give or take `slack`."""

    read: int
    offset: int
    slack: int

    def sure(self, now: int) -> int:
        """Return how far off this measurement may be by now, in µs."""
        return self.slack + (now - self.read) // DRIFT


class DeviceClock:
    """The host's estimate of one device's clock; all times in µs, the host's on a clock that never goes back."""

    def __init__(self) -> None:
        self._answers: deque[Fix] = deque()

    def answered(self, sent: int, read: int, t: int) -> None:
        """Note a ping that was sent and its answer that was read: between the two the device's clock stood at `t`."""
        answer = Fix(read, (sent + read) // 2 - t, (read - sent + 1) // 2)
        while self._answers and self._answers[0].read < read - KEPT:
            self._answers.popleft()
        best = self._surest(read)
        if best and abs(best.offset - answer.offset) > best.sure(read) + answer.slack + 1:
            self._answers.clear()  # they cannot both be right: the host has slept, or a crystal is bad
        self._answers.append(answer)

    def host(self, t: int, now: int) -> int:
        """Return the host's time when the device's was `t`, never later than now. Needs an answer first."""
        best = self._surest(now)
        assert best
        return min(now, t + best.offset)

    def answer(self, now: int) -> tuple[int, int, int]:
        """Return a ping's answer that carries all that is known: sent, read, and the device's clock.

        Needs an answer first.
        """
        best = self._surest(now)
        assert best
        slack = best.sure(now)
        return now - 2 * slack, now, now - slack - best.offset

    def uncertainty(self, now: int) -> int | None:
        """Return how far off a mapped time may be now, in µs; None before the first answer."""
        best = self._surest(now)
        return best.sure(now) if best else None

    def _surest(self, now: int) -> Fix | None:
        # copied: another thread may ask for the uncertainty while an answer arrives
        return min(tuple(self._answers), key=lambda answer: answer.sure(now), default=None)
