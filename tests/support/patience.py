"""How long a test waits for what threads and devices do: long enough for any machine, and not for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

SECONDS = 150.0
LOOK_S = 0.1
"""What counts of a single look: while the machine stands still, no time goes by."""


def waiting(done: Callable[[], object], why: Callable[[], object] = lambda: "") -> Iterator[None]:
    """Yields until it is done. Raises AssertionError with `why` once it will not happen any more."""
    waited, before = 0.0, monotonic()
    while not done():
        assert waited < SECONDS, f"it has not happened: {why()}"
        yield
        now = monotonic()
        waited, before = waited + min(now - before, LOOK_S), now
