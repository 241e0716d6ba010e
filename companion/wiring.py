"""A table's wiring as a drawing (SVG), from the same settings the program runs with, so that they cannot disagree.

The header lies as on a Pi seen from above with its USB sockets to the right. Readers stand above it, seats below. Each
net leaves its pin, runs along a lane of its own and ends at its devices: wires cross, but none lies on another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from companion.settings import Reader, Settings, Wires

HEADER = (
    *("3.3V", "5V", "GPIO 2", "5V", "GPIO 3", "GND", "GPIO 4", "GPIO 14", "GND", "GPIO 15"),
    *("GPIO 17", "GPIO 18", "GPIO 27", "GND", "GPIO 22", "GPIO 23", "3.3V", "GPIO 24", "GPIO 10", "GND"),
    *("GPIO 9", "GPIO 25", "GPIO 11", "GPIO 8", "GND", "GPIO 7", "GPIO 0", "GPIO 1", "GPIO 5", "GND"),
    *("GPIO 6", "GPIO 12", "GPIO 13", "GND", "GPIO 19", "GPIO 16", "GPIO 26", "GPIO 20", "GND", "GPIO 21"),
)
"""What is at each place of the header, from place 1."""
POWER, READERS_GROUND, SEATS_GROUND = 17, 20, 39
"""The places the readers' 3.3V and ground, and the seats' ground, are taken from."""
LINES = {0: {"SCK": 11, "MOSI": 10, "MISO": 9}, 1: {"SCK": 21, "MOSI": 20, "MISO": 19}}
SELECTS = {0: (8, 7), 1: (18, 17, 16)}
"""The pins of each SPI bus by BCM number: its lines, and the chip select of each device."""

PITCH, ROW, LANE = 48, 40, 14
BESIDE = 16
"""How far beside its column a wire passes the other row."""
PHASE = 9
"""Devices' columns stand so far beside the header's: no wire down meets one up."""
BOX = 112
COLOURS = {
    "3.3V": "#d1495b", "GND": "#3b3f46", "SCK": "#2e86ab", "MOSI": "#3d9a50", "MISO": "#b5862c", "SDA": "#7b4fa6",
    "RST": "#c2589b", "red": "#c8392f", "blue": "#2c62b4", "green": "#35853b", "yellow": "#c79a12",
    "purple": "#8449a6", "black": "#26292e", "white": "#8d949e",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leg:
    """One connection of a device: what is printed at it, and the net it belongs to ("" is left free)."""

    name: str
    net: str
    place: int = 0


@dataclass(frozen=True, slots=True)
class Device:
    title: str
    note: str
    legs: tuple[Leg, ...]
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Net:
    """What one place of the header is joined with: columns of devices, in pixels."""

    place: int
    colour: str
    ends: tuple[int, ...]


def drawing(settings: Settings) -> str:
    """The whole wiring. Readers of other kinds than rc522 are not wired, and not drawn."""
    above = [_reader(name, reader) for name, reader in settings.readers.items() if reader.kind == "rc522"]
    below = [_seat(seat, wires) for seat, wires in settings.seats.items() if wires.button or wires.lamp]
    return "\n".join(_Sheet(above, below).parts()) + "\n"


def place(pin: int) -> int:
    """Where on the header a pin (BCM number) is."""
    return HEADER.index(f"GPIO {pin}") + 1


def _reader(name: str, reader: Reader) -> Device:
    lines = {line: place(pin) for line, pin in LINES[reader.bus].items()}
    select, reset = place(SELECTS[reader.bus][reader.device]), place(reader.reset)
    legs = [Leg("SDA", "SDA", select), *(Leg(line, line, at) for line, at in lines.items())]
    legs += [Leg("IRQ", ""), Leg("GND", "GND", READERS_GROUND), Leg("RST", "RST", reset), Leg("3.3V", "3.3V", POWER)]
    note = f"MFRC522 on SPI{reader.bus}, device {reader.device}"
    return Device(f"reader {name}", note, tuple(legs), COLOURS.get(name, ""))


def _seat(seat: str, wires: Wires) -> Device:
    uses = {"button": wires.button, "lamp": wires.lamp}
    legs = [Leg(use, seat, place(pin)) for use, pin in uses.items() if pin is not None]
    return Device(seat, "", (*legs, Leg("GND", "GND", SEATS_GROUND)), COLOURS[seat])


class _Sheet:
    """One drawing: devices and header in columns, and lanes between them."""

    def __init__(self, above: list[Device], below: list[Device]) -> None:
        columns = max(28, *(sum(len(device.legs) + 1 for device in row) + 1 for row in (above, below)))
        self.width = columns * PITCH
        self.left = (columns - 20) // 2 * PITCH + PITCH // 2
        self.above = list(self._placed(above, columns))
        self.below = list(self._placed(below, columns))
        upper, lower = _nets(self.above), _nets(self.below)
        self.upper = {net: lane for lane, net in enumerate(self._in_order(upper))}
        self.lower = {net: lane for lane, net in enumerate(self._in_order(lower))}
        self.boxes_top = 64
        self.channel_top = self.boxes_top + (BOX if above else 0)
        self.even = self.channel_top + 26 + LANE * len(upper) + 22
        self.odd = self.even + ROW
        self.channel_bottom = self.odd + 54 + LANE * len(lower) + 34
        self.height = self.channel_bottom + (BOX if below else 0) + 58

    def _placed(self, devices: list[Device], columns: int) -> Iterator[tuple[int, Device]]:
        """Each device with the column of its first leg, the row of them in the middle."""
        column = (columns - sum(len(device.legs) + 1 for device in devices) + 1) // 2
        for device in devices:
            yield column * PITCH + PITCH // 2 + PHASE, device
            column += len(device.legs) + 1

    def _in_order(self, nets: Iterable[Net]) -> list[Net]:
        """The first lane is nearest to the header. This order keeps wires that go the same way from crossing."""

        def order(net: Net) -> tuple[bool, bool, int]:
            x = self._x(net.place)
            leftward = sum(net.ends) < x * len(net.ends)
            return len(net.ends) > 1, leftward, x if leftward else -x

        return sorted(nets, key=order)

    def _x(self, at: int) -> int:
        return self.left + (at - 1) // 2 * PITCH

    def parts(self) -> Iterator[str]:
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="DejaVu Sans, Arial, sans-serif">'
        yield f'<rect width="{self.width}" height="{self.height}" fill="#fbfaf7"/>'
        words = "Switch the Pi off before you wire. Readers get 3.3V, never 5V."
        several = " Join each SDA with 3.3V over 10 kΩ." if len(self.above) > 1 else ""
        yield _text(self.width // 2, 38, words + several, 17, "#26292e")
        yield from self._board()
        for nets, up in ((self.upper, True), (self.lower, False)):
            for net, lane in nets.items():
                yield from self._wire(net, lane, up)
        yield from self._pins({net.place: net.colour for net in (*self.upper, *self.lower)})
        for x, device in self.above:
            yield from _box(x, self.boxes_top, device, legs_below=True)
        for x, device in self.below:
            yield from _box(x, self.channel_bottom, device, legs_below=False)
        if self.below:
            words = "Buttons join their pin with ground. Lamps are LEDs with 330 Ω, the long leg towards the pin."
            yield _text(self.width // 2, self.height - 24, words, 14, "#5b616b")
        yield "</svg>"

    def _board(self) -> Iterator[str]:
        x, y, right = self.left - 170, self.even - 26, self.left + 19 * PITCH + 170
        yield f'<rect x="{x}" y="{y}" width="{right - x}" height="{ROW + 52}" rx="12" fill="#dfe9dc" stroke="#8aa583"/>'
        words = (("Raspberry Pi,", "seen from above", x + 85), ("the USB sockets", "are on this side →", right - 85))
        for first, second, middle in words:
            yield _text(middle, self.even + 8, first, 14, "#4d6a46")
            yield _text(middle, self.even + 28, second, 14, "#4d6a46")

    def _pins(self, used: Mapping[int, str]) -> Iterator[str]:
        for number, name in enumerate(HEADER, start=1):
            x, y = self._x(number), self.odd if number % 2 else self.even
            fill, ink = (used[number], "#ffffff") if number in used else ("#ffffff", "#6b727c")
            shape = f'<circle cx="{x}" cy="{y}" r="12" fill="{fill}" stroke="{used.get(number, "#b9bfc7")}"'
            yield f"{shape}><title>{number}: {name}</title></circle>"
            yield _text(x, y + 4, "5V" if name == "5V" else str(number), 11, ink)

    def _wire(self, net: Net, lane: int, up: bool) -> Iterator[str]:
        """Pin, past the other row if need be, lane, and off it to each end."""
        x, from_even = self._x(net.place), net.place % 2 == 0
        y = self.even if from_even else self.odd
        middle = (self.even + self.odd) // 2
        path = f"M{x} {y}"
        if from_even != up:
            x += -BESIDE if from_even else BESIDE
            path += f"L{x} {middle}"
        level = self.even - 36 - LANE * lane if up else self.odd + 68 + LANE * lane
        end = self.channel_top if up else self.channel_bottom
        path += f"V{level}" + "".join(f"M{x} {level}H{to}V{end}" for to in net.ends)
        yield f'<path d="{path}" fill="none" stroke="{net.colour}" stroke-width="3" stroke-linecap="round"/>'
        knots = sorted({x, *net.ends})[1:-1]
        yield from (f'<circle cx="{knot}" cy="{level}" r="5" fill="{net.colour}"/>' for knot in knots)


def _nets(devices: Iterable[tuple[int, Device]]) -> list[Net]:
    ends: dict[tuple[int, str], list[int]] = {}
    for x, device in devices:
        for column, leg in enumerate(device.legs):
            if leg.net:
                ends.setdefault((leg.place, COLOURS[leg.net]), []).append(x + column * PITCH)
    return [Net(at, colour, tuple(columns)) for (at, colour), columns in ends.items()]


def _box(x: int, y: int, device: Device, legs_below: bool) -> Iterator[str]:
    """A device with its legs, each with its name, its pin and the pin's place on the header."""
    left, width = x - PITCH // 2 - 6, len(device.legs) * PITCH + 12
    yield f'<rect x="{left}" y="{y}" width="{width}" height="{BOX}" rx="10" fill="#ffffff" stroke="#8d949e"/>'
    title, first = (y + 24, y + 64) if legs_below else (y + BOX - 14, y + 22)
    middle = left + width // 2
    if device.colour:
        yield f'<rect x="{left}" y="{title - 17}" width="8" height="24" fill="{device.colour}"/>'
    yield _text(middle, title, device.title, 16, "#26292e", weight="bold")
    if device.note:
        yield _text(middle, title + 17, device.note, 12, "#5b616b")
    for column, leg in enumerate(device.legs):
        at = x + column * PITCH
        colour = COLOURS[leg.net] if leg.net else "#9aa1ab"
        yield _text(at, first, leg.name, 12, colour, weight="bold")
        if leg.place and HEADER[leg.place - 1] != leg.name:
            yield _text(at, first + 17, HEADER[leg.place - 1], 10, "#26292e")
        yield _text(at, first + 33, f"at {leg.place}" if leg.place else "free", 12, "#5b616b")
        if leg.name == "lamp":
            yield _resistor(at, y - 27, colour)


def _resistor(x: int, y: int, colour: str) -> str:
    return f'<rect x="{x - 5}" y="{y}" width="10" height="22" fill="#fbfaf7" stroke="{colour}" stroke-width="2"/>'


def _text(x: int, y: int, words: str, size: int, ink: str, *, weight: str = "normal") -> str:
    look = f'font-size="{size}" fill="{ink}" text-anchor="middle" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(words)}</text>'
