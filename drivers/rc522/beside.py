"""Readers on one bus, each with the others held in reset: does one of them hold the line that all answer on?

A board that does not let go of MISO works alone; beside it no other does (miguelbalboa/rfid#290). Whether it lets go
while it is held in reset depends on the board: the chip freezes its outputs then (MFRC522 data sheet, 8.6.1). So what
is found is sure, and where nothing is found only a hand at the wire can tell.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from companion.hardware.kind import Beside
from drivers.rc522.package import opened, package
from drivers.rc522.reader import SILENT, START, VERSION
from drivers.rc522.settings import Rc522Settings
from drivers.rc522.transceiver import Clock

SAME = 5
"""How many readings of the version must agree."""


def beside(
    readers: Mapping[str, Rc522Settings], load: Callable[[], Any] = package, clock: Clock = time
) -> Sequence[Beside]:
    """How each answers with all others there, and, where it does not, without each of them. All lose their settings.

    Raises OSError where the bus or a pin cannot be used at all.
    """
    with ExitStack() as stack:
        chips = {}
        for name, at in readers.items():
            chips[name] = opened(load, at.bus, at.device, at.reset)
            stack.callback(chips[name].spi.close)
        clock.sleep(START)
        return [_beside(name, readers, chips, clock) for name in readers]


def _beside(name: str, readers: Mapping[str, Rc522Settings], chips: Mapping[str, Any], clock: Clock) -> Beside:
    at = readers[name]
    if _answers(chips[name]):
        return Beside(name, at.bus, True)
    asked, without = [], []
    for other, place in readers.items():
        if place.bus == at.bus and place.reset != at.reset:
            asked.append(other)
            with _in_reset(chips[other], place.reset, clock):
                if _answers(chips[name]):
                    without.append(other)
    return Beside(name, at.bus, False, tuple(without), tuple(asked))


def _answers(chip: Any) -> bool:
    read = {int(chip.Read_MFRC522(VERSION)) for _ in range(SAME)}
    return len(read) == 1 and not read & set(SILENT)


@contextmanager
def _in_reset(chip: Any, pin: int, clock: Clock) -> Iterator[None]:
    """As long as this lasts, every chip on that reset line is switched off."""
    gpio = chip.__init__.__globals__["GPIO"]
    gpio.output(pin, gpio.LOW)
    try:
        clock.sleep(START)
        yield
    finally:
        gpio.output(pin, gpio.HIGH)
        clock.sleep(START)
