"""Discovery of RC522s: the places on the buses, and what answers there. Only the chip's version is read.

Nothing is written and no reset line is driven: its pin may differ from the drawings.
"""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.hardware.header import SPI
from companion.hardware.kind import Sighting
from companion.rules.message import Message, reason
from drivers.rc522.package import no_answer, refusal
from drivers.rc522.settings import Rc522Settings
from drivers.rc522.transceiver import Clock

SPEED = 1_000_000
"""In Hz, as the package has it."""
READ_VERSION = (0x80 | 0x37 << 1, 0)
NOBODY = (0x00, 0xFF)
START = 0.05
"""Seconds a chip may take to start: its reset line has only just been let up."""
TICK = 0.005
SAME = 3
"""The number of equal readings of the version required: a loose wire gives another value each time."""

Place = tuple[int, int]
"""A bus and a device on it."""


def places(root: Path = Path("/")) -> list[Place]:
    """Return the places on the Pi's two buses that have a file, and the first of each bus that is not switched on."""
    found = (re.fullmatch(r"spidev([01])\.(\d)", path.name) for path in sorted(root.glob("dev/spidev*")))
    there = [(int(at[1]), int(at[2])) for at in found if at]
    known = [(bus, device) for bus, device in there if device < len(SPI[bus].selects)]
    return sorted(known + [(bus, 0) for bus, _ in enumerate(SPI) if bus not in {bus for bus, _ in known}])


def spi() -> Any:
    """Return an unopened device of the package spidev. Raises OSError where the package is missing."""
    try:
        return importlib.import_module("spidev").SpiDev()
    except ImportError:
        raise OSError(Message("The package {name} is missing: run `make pi`", code="missing", name="spidev")) from None


def search(
    there: Callable[[], list[Place]] = places, spi: Callable[[], Any] = spi, clock: Clock = time
) -> Iterator[Sighting[Rc522Settings]]:
    """Yield every place, with the chip that answers there or the fault."""
    for bus, device in there():
        name, settings = f"SPI{bus}.{device}", Rc522Settings(bus, device)
        try:
            with closing(spi()) as opened:
                version = _version(opened, bus, device, clock)
        except OSError as fault:
            yield Sighting(name, settings, fault=reason(refusal(bus, device, fault)))
        else:
            answers = version not in NOBODY
            yield Sighting(name, settings, version if answers else None, "" if answers else no_answer(name, version))


def _version(opened: Any, bus: int, device: int, clock: Clock) -> int:
    """Return the chip's version; 00 or FF if the readings do not agree by the time the chip must have started."""
    opened.open(bus, device)
    opened.max_speed_hz, opened.mode = SPEED, 0
    until = clock.monotonic() + START
    while True:
        read = {opened.xfer2(list(READ_VERSION))[1] for _ in range(SAME)}
        if len(read) == 1 and not read & set(NOBODY):
            return int(read.pop())
        if clock.monotonic() >= until:
            return 0xFF if 0xFF in read else 0x00
        clock.sleep(TICK)
