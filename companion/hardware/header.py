"""The header of a Raspberry Pi: what is at each of its places, and which pins go together. Pins are BCM numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from companion.system.typed import whole

HEADER = (
    *("3.3V", "5V", "GPIO 2", "5V", "GPIO 3", "GND", "GPIO 4", "GPIO 14", "GND", "GPIO 15"),
    *("GPIO 17", "GPIO 18", "GPIO 27", "GND", "GPIO 22", "GPIO 23", "3.3V", "GPIO 24", "GPIO 10", "GND"),
    *("GPIO 9", "GPIO 25", "GPIO 11", "GPIO 8", "GND", "GPIO 7", "GPIO 0", "GPIO 1", "GPIO 5", "GND"),
    *("GPIO 6", "GPIO 12", "GPIO 13", "GND", "GPIO 19", "GPIO 16", "GPIO 26", "GPIO 20", "GND", "GPIO 21"),
)
"""What is at each place of the header, from place 1."""
PINS = range(28)
Pin = Annotated[int, whole(PINS[0], PINS[-1])]
RESERVED = {0: "the ID EEPROM", 1: "the ID EEPROM", 2: "I2C", 3: "I2C", 14: "the UART", 15: "the UART"}
"""Pins that the system keeps for itself."""


def place(pin: int) -> int:
    """Where on the header a pin is."""
    return HEADER.index(f"GPIO {pin}") + 1


@dataclass(frozen=True, slots=True)
class Bus:
    """A bus of the Pi: its lines by their names, and the pin that selects each of its devices."""

    name: str
    lines: Mapping[str, int]
    selects: tuple[int, ...] = ()

    @property
    def pins(self) -> frozenset[int]:
        """All of them: not free while a device is on the bus."""
        return frozenset({*self.lines.values(), *self.selects})


SPI = (
    Bus("SPI0", {"SCK": 11, "MOSI": 10, "MISO": 9}, (8, 7)),
    Bus("SPI1", {"SCK": 21, "MOSI": 20, "MISO": 19}, (18, 17, 16)),
)
