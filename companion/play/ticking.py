"""A number runs while a button is held: the clock that has it said on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Timer

TICK_S = 0.12
"""Often enough for the quickest steps; only while a button is held."""


@dataclass(frozen=True, slots=True)
class HoldTimer:
    """A moment, in ms on the hardware's clock."""

    t: int


class Due(HoldTimer):
    """The moment that was asked for last: a caller may put others in besides, as from a transcript."""


def later(seconds: float, do: Callable[[], object]) -> None:
    """Does it from a thread of its own, which keeps no program from ending."""
    timer = Timer(seconds, do)
    timer.daemon = True
    timer.start()
