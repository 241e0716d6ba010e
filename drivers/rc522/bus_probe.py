"""Detects a reader that keeps driving MISO while another is selected: each is asked with the others held in reset.

A board that does not release MISO works alone, but no other reader works beside it (miguelbalboa/rfid#290). Whether it
releases the line while it is held in reset depends on the board: the chip freezes its outputs then (MFRC522 data sheet,
8.6.1). So a conflict found is certain; where none is found, only trying the wires by hand can tell.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from companion.hardware.kind import BusProbe
from drivers.rc522.package import opened, package
from drivers.rc522.reader import SILENT, START, VERSION
from drivers.rc522.settings import Rc522Settings
from drivers.rc522.transceiver import Clock

SAME = 5
"""The number of equal readings of the version required."""


def beside(
    readers: Mapping[str, Rc522Settings], load: Callable[[], Any] = package, clock: Clock = time
) -> Sequence[BusProbe]:
    """Return how each reader answers beside all others, and, if it does not, without each. All lose their settings.

    Raises OSError where the bus or a pin cannot be used at all.
    """
    with ExitStack() as stack:
        chips = {}
        for name, at in readers.items():
            chips[name] = opened(load, at.bus, at.device, at.reset)
            stack.callback(chips[name].spi.close)
        clock.sleep(START)
        return [_conflict_of(name, readers, chips, clock) for name in readers]


def _conflict_of(name: str, readers: Mapping[str, Rc522Settings], chips: Mapping[str, Any], clock: Clock) -> BusProbe:
    at = readers[name]
    if _answers(chips[name]):
        return BusProbe(name, at.bus, True)
    asked, without = [], []
    for other, place in readers.items():
        # a reader on the same reset line cannot be silenced without silencing this one too
        if place.bus == at.bus and place.reset != at.reset:
            asked.append(other)
            with _in_reset(chips[other], place.reset, clock):
                if _answers(chips[name]):
                    without.append(other)
    return BusProbe(name, at.bus, False, tuple(without), tuple(asked))


def _answers(chip: Any) -> bool:
    read = {int(chip.Read_MFRC522(VERSION)) for _ in range(SAME)}
    return len(read) == 1 and not read & set(SILENT)


@contextmanager
def _in_reset(chip: Any, pin: int, clock: Clock) -> Iterator[None]:
    """Hold every chip on that reset line in reset for the duration of the block."""
    gpio = chip.__init__.__globals__["GPIO"]
    gpio.output(pin, gpio.LOW)
    try:
        clock.sleep(START)
        yield
    finally:
        gpio.output(pin, gpio.HIGH)
        clock.sleep(START)
