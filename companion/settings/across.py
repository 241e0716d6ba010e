"""What is wrong between the parts of config.yaml: a pin that is used twice, a reader nobody has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from companion.mistakes import LineOf, Mistake, Where, dotted, nearest, shown
from companion.settings import hubs
from companion.settings.parts import Settings
from companion.table import CENTRE

SPI = {0: range(7, 12), 1: range(16, 22)}
"""The pins of each SPI bus, by BCM number: not free while a reader is on it."""
DEVICES = {0: 2, 1: 3}
"""How many readers each bus can choose between."""
RESERVED = {0: "the ID EEPROM", 1: "the ID EEPROM", 2: "I2C", 3: "I2C", 14: "the UART", 15: "the UART"}


def mistakes(settings: Settings, data: Mapping[str, Any], line_of: LineOf) -> Iterator[Mistake]:
    """What is wrong between parts; `data`, as written, tells what was left out from what was only wrong."""
    hardware = data.get("hardware", settings.hardware)
    yield from _pins(settings, line_of)
    yield from _devices(settings, hardware, line_of)
    yield from hubs.mistakes(settings, data, hardware, line_of)
    readers = data.get("readers", settings.readers)
    for seat, wires in settings.seats.items():
        if wires.reader is not None and isinstance(readers, Mapping):
            yield from _reader_of(seat, wires.reader, {*readers, *settings.at_hubs})
        buttonless = "button" not in data["seats"][seat] and seat not in settings.at_hubs
        if hardware == "pi" and settings.reveal.mode == "fists" and buttonless:
            what = f"{seat} has no button, and line {line_of(('reveal', 'mode'))} asks for fists"
            yield Mistake(("seats", seat), f"{what}: wire one, or set reveal.mode to auto")


def _pins(settings: Settings, line_of: LineOf) -> Iterator[Mistake]:
    chips = {name: reader for name, reader in settings.readers.items() if reader.kind == "rc522"}
    reserved = dict(RESERVED)
    for name, chip in chips.items():
        reserved |= dict.fromkeys(SPI[chip.bus], f"SPI{chip.bus}, which the reader {name!r} needs")
    uses: list[tuple[Where, int]] = [(("readers", name, "reset"), chip.reset) for name, chip in chips.items()]
    for seat, wires in settings.seats.items():
        pins = {"button": wires.button, "lamp": wires.lamp}
        uses += ((("seats", seat, use), pin) for use, pin in pins.items() if pin is not None)
    first: dict[int, Where] = {}
    for place, pin in sorted(uses, key=lambda use: line_of(use[0])):
        other = first.setdefault(pin, place)
        shared = place[0] == other[0] == "readers"  # readers may be reset together
        if pin in reserved:
            yield Mistake(place, f"pin {pin} belongs to {reserved[pin]}{_free(reserved, uses)}")
        elif other != place and not shared:
            what = f"pin {pin} is {dotted(other)}'s already (line {line_of(other)})"
            yield Mistake(place, what + _free(reserved, uses))


def _free(reserved: Mapping[int, str], uses: list[tuple[Where, int]]) -> str:
    taken = {*reserved, *SPI[0], *(pin for _, pin in uses)}
    return f"; free are {', '.join(str(pin) for pin in range(28) if pin not in taken)}"


def _devices(settings: Settings, hardware: Any, line_of: LineOf) -> Iterator[Mistake]:
    first: dict[tuple[int, int], Where] = {}
    for name, reader in settings.readers.items():
        if reader.kind != "rc522":
            continue
        place: Where = ("readers", name)
        other = first.setdefault((reader.bus, reader.device), place)
        if other != place:
            what = f"bus {reader.bus}, device {reader.device} is {dotted(other)}'s already"
            yield Mistake(place, f"{what} (line {line_of(other)})")
        if reader.device >= DEVICES[reader.bus]:
            last = DEVICES[reader.bus] - 1
            yield Mistake((*place, "device"), f"SPI{reader.bus} has the devices 0 to {last}, not {reader.device}")
        if hardware == "virtual":
            what = "an rc522 needs a Raspberry Pi: set hardware to pi, or kind to virtual"
            yield Mistake((*place, "kind"), what)


def _reader_of(seat: str, name: str, readers: Collection[str]) -> Iterator[Mistake]:
    place: Where = ("seats", seat, "reader")
    if name not in (CENTRE, seat):
        what = f"{seat} lays its cards on 'centre' or on a reader of its own, {seat!r}, not {shown(name)}"
        yield Mistake(place, what + nearest(name, (CENTRE, seat)))
    elif name not in readers:
        yield Mistake(place, f"there is no reader {name!r} under readers{nearest(name, readers)}")
