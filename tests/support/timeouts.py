"""How long a test waits for what threads and devices do: long enough for any machine, and not for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

SECONDS = 150.0
LOOK_S = 0.1
"""The most that a single look counts for: while the machine stands still, no time goes by."""


def waiting(done: Callable[[], object], why: Callable[[], object] = lambda: "") -> Iterator[None]:
    """Yield until it is done. Raises AssertionError with `why` after `SECONDS`."""
    waited, before = 0.0, monotonic()
    while not done():
        assert waited < SECONDS, f"it has not happened: {why()}"
        yield
        now = monotonic()
        waited, before = waited + min(now - before, LOOK_S), now
