"""The hub's clock mapped to the host's: within a millisecond, whatever the way there and back is like."""

import random
from collections.abc import Callable

import pytest

from drivers.clock import DeviceClock

MS, S = 1_000, 1_000_000
START = 5_000 * S
"""What the hub's clock shows when the host's is 0: it has been on for longer."""


class Pair:
    """A host and a hub whose crystals differ by `ppm`; time is the host's."""

    def __init__(self, ppm: int = 0) -> None:
        self.clock = DeviceClock()
        self.now = 0
        self._ppm = ppm

    def hub(self, now: int) -> int:
        return START + now + now * self._ppm // S

    def ping(self, there: int, back: int) -> None:
        sent, self.now = self.now, self.now + there + back
        self.clock.answered(sent, self.now, self.hub(sent + there))

    def error(self) -> int:
        """How far off an event of just now is mapped, in µs; the host hears of it a second later."""
        return abs(self.clock.host(self.hub(self.now), self.now + S) - self.now)


Way = Callable[[random.Random], tuple[int, int]]
WAYS: dict[str, Way] = {
    "steady": lambda _: (500, 500),
    "all on the way back": lambda _: (0, 1_800),
    "jitter": lambda chance: (chance.randrange(200, 900), chance.randrange(200, 900)),
    "a busy host": lambda chance: (300, 400 if chance.random() < 0.3 else chance.randrange(5 * MS, 300 * MS)),
    "a busy hub": lambda chance: (400 if chance.random() < 0.3 else chance.randrange(5 * MS, 100 * MS), 300),
}


@pytest.mark.parametrize("ppm", [0, 50, -50])
@pytest.mark.parametrize("way", WAYS)
def test_an_event_is_mapped_to_within_a_millisecond(way: str, ppm: int) -> None:
    chance = random.Random(3)
    pair = Pair(ppm)
    for second in range(600):
        pair.now = max(pair.now, second * S)
        pair.ping(*WAYS[way](chance))
        uncertainty = pair.clock.uncertainty(pair.now)
        assert uncertainty is not None
        assert pair.error() <= uncertainty + 1
        if second >= 30:  # by then one answer at least was quick
            assert pair.error() <= MS


def test_the_surest_answer_counts_and_grows_less_sure() -> None:
    pair = Pair()
    assert pair.clock.uncertainty(0) is None
    pair.ping(100, 100)
    assert pair.clock.uncertainty(pair.now) == 100
    assert pair.clock.uncertainty(pair.now + 10 * S) == 600
    pair.now = 10 * S
    pair.ping(1_000, 1_000)
    assert pair.clock.uncertainty(pair.now) == 600
    pair.now = 10 * S
    pair.ping(200, 200)
    assert pair.clock.uncertainty(pair.now) == 200


def test_an_old_answer_no_longer_counts() -> None:
    pair = Pair(20)
    pair.ping(1, 1)
    pair.now = 31 * S
    pair.ping(3 * MS, 3 * MS)
    assert pair.clock.uncertainty(pair.now) == 3 * MS


def test_no_event_is_mapped_to_later_than_its_arrival() -> None:
    pair = Pair()
    pair.ping(10 * MS, 0)
    assert pair.clock.host(pair.hub(pair.now), pair.now) <= pair.now
    assert pair.clock.host(pair.hub(pair.now) + 500 * S, pair.now) == pair.now


def test_a_host_that_slept_believes_the_next_answer() -> None:
    pair = Pair()
    for second in range(10):
        pair.now = second * S
        pair.ping(100, 100)
    slept = 3600 * S
    sent, read = pair.now, pair.now + 4 * MS
    pair.clock.answered(sent, read, pair.hub(sent) + slept + 2 * MS)
    assert abs(pair.clock.host(pair.hub(read) + slept, read + S) - read) <= 2 * MS


def test_a_bad_crystal_is_followed() -> None:
    pair = Pair(2_000)
    for second in range(60):
        pair.now = second * S
        pair.ping(100, 100)
        assert pair.error() <= MS
