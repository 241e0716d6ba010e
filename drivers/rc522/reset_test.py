"""The test of a chip: whether its reset line works, how soon it starts, and how long a transfer takes."""

from __future__ import annotations

from companion.hardware.doctor.hour import ResetTest
from drivers.rc522.package import pulse
from drivers.rc522.transceiver import Clock, Transceiver

MARK, MARKED = 0x2D, 39
"""The timer's reload value, which the driver sets and a reset makes 0 (MFRC522 data sheet, 9.3.3.13)."""
VERSION = 0x37
LATEST = 0.05
"""Seconds a chip may take to start."""
TRANSFERS = 200


def reset_test(chip: object, reset: int, transceiver: Transceiver, clock: Clock) -> ResetTest:
    """Reset the chip by its line, and time it; its settings are lost. Raises OSError if the line cannot be used."""
    began = clock.monotonic()
    # one transfer is too short to time: the clock's own call would be a large part of it
    for _ in range(TRANSFERS):
        transceiver.read(VERSION)
    transfer_us = 1e6 * (clock.monotonic() - began) / TRANSFERS
    transceiver.write(MARK, MARKED)
    pulse(chip, reset, clock)
    began = clock.monotonic()
    # without a sleep, which would last longer than many a chip takes to start
    while not (answers := transceiver.read(VERSION) not in (0x00, 0xFF)) and clock.monotonic() < began + LATEST:
        pass
    start_us = 1e6 * (clock.monotonic() - began) if answers else None
    return ResetTest(answers and transceiver.read(MARK) != MARKED, start_us, transfer_us)
