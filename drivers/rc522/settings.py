"""Where an RC522 is wired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from companion.hardware.header import Pin
from companion.system.typed import one_of, whole
from drivers.rc522.gain import GAINS


@dataclass(frozen=True, slots=True)
class Rc522Settings:
    """Where an RC522 is: SPI bus and device, and the pin of its reset line (a BCM number).

    `gain` is its receiver's, in dB; None for the chip's own.
    """

    bus: Annotated[int, whole(0, 1)] = 0
    device: Annotated[int, whole(0, 2)] = 0
    reset: Pin = 25
    gain: Annotated[int, one_of(*GAINS)] | None = None
