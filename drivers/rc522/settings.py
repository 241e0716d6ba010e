"""The wiring of an RC522."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from companion.hardware.header import Pin
from companion.system.typed import one_of, whole


@dataclass(frozen=True, slots=True)
class Rc522Settings:
    """The place of an RC522: SPI bus and device, and the pin of its reset line (a BCM number).

    `gain` is its receiver's, in dB; None for the chip's own.
    """

    bus: Annotated[int, whole(0, 1)] = 0
    device: Annotated[int, whole(0, 2)] = 0
    reset: Pin = 25
    gain: Annotated[int, one_of(*GAINS)] | None = None


# -- How much the receiver amplifies (MFRC522 data sheet, 9.3.3.6: RFCfgReg, bits 6 to 4) --------------------------


RF_CFG = 0x26
GAINS = {18: 0x00, 23: 0x10, 33: 0x40, 38: 0x50, 43: 0x60, 48: 0x70}
"""What stands in the register for each gain in dB. The chip's own is 33; at 48, two readers side by side may read
nothing at all (miguelbalboa/rfid#536)."""
OWN = 33
