"""The header of a Raspberry Pi: what is at each of its places, and which pins go together. Pins are BCM numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Annotated

from companion.system.typed import whole

HEADER = (
    *("3.3V", "5V", "GPIO 2", "5V", "GPIO 3", "GND", "GPIO 4", "GPIO 14", "GND", "GPIO 15"),
    *("GPIO 17", "GPIO 18", "GPIO 27", "GND", "GPIO 22", "GPIO 23", "3.3V", "GPIO 24", "GPIO 10", "GND"),
    *("GPIO 9", "GPIO 25", "GPIO 11", "GPIO 8", "GND", "GPIO 7", "GPIO 0", "GPIO 1", "GPIO 5", "GND"),
    *("GPIO 6", "GPIO 12", "GPIO 13", "GND", "GPIO 19", "GPIO 16", "GPIO 26", "GPIO 20", "GND", "GPIO 21"),
)
"""The signal at each place of the header, from place 1."""
PINS = range(28)
Pin = Annotated[int, whole(PINS[0], PINS[-1])]
RESERVED = {0: "the ID EEPROM", 1: "the ID EEPROM", 2: "I2C", 3: "I2C", 14: "the UART", 15: "the UART"}
"""Pins reserved for the system."""


def place(pin: int) -> int:
    """Return a pin's position on the header."""
    return HEADER.index(f"GPIO {pin}") + 1


@dataclass(frozen=True, slots=True)
class Bus:
    """A bus of the Pi: its lines by their names, and the pin that selects each of its devices."""

    name: str
    lines: Mapping[str, int]
    selects: tuple[int, ...] = ()

    @property
    def pins(self) -> frozenset[int]:
        """Return all pins of the bus, which are not free while a device is on it."""
        return frozenset({*self.lines.values(), *self.selects})


SPI = (
    Bus("SPI0", {"SCK": 11, "MOSI": 10, "MISO": 9}, (8, 7)),
    Bus("SPI1", {"SCK": 21, "MOSI": 20, "MISO": 19}, (18, 17, 16)),
)


# -- The few elements that the drawings of a table are made of, and their colours, as on the screen ----------------


COLOURS = {
    "3.3V": "#d1495b", "GND": "#3b3f46", "SCK": "#2e86ab", "MOSI": "#3d9a50", "MISO": "#b5862c", "SDA": "#7b4fa6",
    "RST": "#c2589b", "red": "#c8392f", "blue": "#2c62b4", "green": "#35853b", "yellow": "#c79a12",
    "purple": "#8449a6", "black": "#26292e", "white": "#8d949e",
}  # fmt: skip

Say = Callable[[str], str]
"""Puts a message into a language."""


def sheet(width: int, height: int) -> str:
    """Return the beginning of a drawing of this size, in px, on paper; `</svg>` ends it."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    paper = f'<rect width="{width}" height="{height}" fill="#fbfaf7"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="DejaVu Sans, Arial, sans-serif">\n{paper}'


def text(x: int, y: int, words: str, size: int, ink: str, *, weight: str = "normal") -> str:
    """Return words centred on x, with their baseline at y."""
    look = f'font-size="{size}" fill="{ink}" text-anchor="middle" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(words)}</text>'
