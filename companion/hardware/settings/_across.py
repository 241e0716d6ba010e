"""Mistakes between the parts of config.yaml: a pin that is used twice, a reader that does not exist."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from companion.hardware.header import PINS, RESERVED, SPI
from companion.hardware.settings import _hubs as hubs
from companion.hardware.settings import _keys as keys
from companion.hardware.settings import _parts
from companion.hardware.settings._parts import PowerSettings, Settings, Wires
from companion.rules.data import Data
from companion.rules.mistakes import LineOf, Mistake, Where, dotted, nearest, shown
from companion.rules.readings import CENTRE

WAKING: tuple[Where, int] = ("power", "button"), 3
"""A button there also starts a Pi that has been switched off; that pin is I2C's, as long as no reader uses it."""


def mistakes(settings: Settings, data: Data, line_of: LineOf) -> Iterator[Mistake]:
    """Yield the mistakes between parts.

    `data`, as written, tells keys that were left out from those that were only wrong.
    """
    hardware = data.get("hardware", settings.hardware)
    yield from _pin_mistakes(settings, line_of)
    if hardware == "usb":
        yield from _pins_off_pi(settings)
    yield from _reader_mistakes(settings, hardware, line_of)
    yield from hubs.mistakes(settings, data, hardware, line_of)
    yield from _parts.mistakes(settings, hardware, line_of)
    yield from _audio_mistakes(settings, data, line_of)
    readers = data.get("readers", {CENTRE: None})
    for seat, wires in settings.seats.items():
        if wires.reader is not None and isinstance(readers, Mapping):
            yield from _reader_of(seat, wires.reader, {*readers, *settings.at_hubs})
        buttonless = "button" not in data["seats"][seat] and seat not in settings.pressed
        if hardware == "pi" and settings.reveal.mode == "fists" and buttonless:
            what = f"{seat} has no button, and line {line_of(('reveal', 'mode'))} asks for fists"
            yield Mistake(("seats", seat), f"{what}: wire one, or set reveal.mode to auto")


def _pin_mistakes(settings: Settings, line_of: LineOf) -> Iterator[Mistake]:
    reserved = dict(RESERVED)
    uses: list[tuple[Where, int]] = []
    for name, reader in settings.readers.items():
        occupied = reader.occupied
        if occupied.bus:
            whose = f"{occupied.bus.name}, which the reader {name!r} needs"
            reserved |= dict.fromkeys(occupied.bus.pins, whose)
        uses += ((("readers", name, key), pin) for key, pin in occupied.pins.items())
    for seat, wires in settings.seats.items():
        pins = {"button": wires.button, "back": wires.back, "lamp": wires.lamp}
        uses += ((("seats", seat, use), pin) for use, pin in pins.items() if pin is not None)
    power = {"button": settings.power.button, "lamp": settings.power.lamp}
    uses += ((("power", use), pin) for use, pin in power.items() if pin is not None)
    first: dict[int, Where] = {}
    for place, pin in sorted(uses, key=lambda use: line_of(use[0])):
        other = first.setdefault(pin, place)
        shared = place[0] == other[0] == "readers"  # readers may be reset together
        waking = (place, pin) == WAKING and reserved.get(pin) == RESERVED.get(pin)
        if pin in reserved and not waking:
            yield Mistake(place, f"pin {pin} belongs to {reserved[pin]}{_free_pins(reserved, uses)}")
        elif other != place and not shared:
            what = f"pin {pin} is already used by {dotted(other)} (line {line_of(other)})"
            yield Mistake(place, what + _free_pins(reserved, uses))


def _pins_off_pi(settings: Settings) -> Iterator[Mistake]:
    """Yield a mistake for each pin on a table that is not a Pi."""
    wired: dict[Where, Wires | PowerSettings] = {("seats", seat): wires for seat, wires in settings.seats.items()}
    for place, of in (wired | {("power",): settings.power}).items():
        back = of.back if isinstance(of, Wires) else None
        for key, pin in {"button": of.button, "back": back, "lamp": of.lamp}.items():
            if pin is not None:
                yield Mistake((*place, key), "only a Raspberry Pi has pins: set hardware to pi")


def _free_pins(reserved: Mapping[int, str], uses: list[tuple[Where, int]]) -> str:
    taken = {*reserved, *SPI[0].pins, *(pin for _, pin in uses)}
    return f"; free pins: {', '.join(str(pin) for pin in PINS if pin not in taken)}"


def _reader_mistakes(settings: Settings, hardware: object, line_of: LineOf) -> Iterator[Mistake]:
    first: dict[str, Where] = {}
    for name, reader in settings.readers.items():
        kind, place = reader.kind, ("readers", name)
        taken = kind.occupied(reader.settings).place
        other = first.setdefault(taken, place)
        if taken and other != place:
            yield Mistake(place, f"{taken} is already used by {dotted(other)} (line {line_of(other)})")
        yield from (Mistake((*place, key), what) for key, what in kind.wrong(reader.settings))
        if hardware == "virtual" and not kind.virtual:
            why, fit = ("needs a Raspberry Pi", "pi") if kind.pi else ("is on no virtual table", "usb (on a Pi: pi)")
            what = f"{kind.called} {why}: set hardware to {fit}, or kind to virtual"
            yield Mistake((*place, "kind"), what)
        if hardware == "usb" and kind.pi:
            yield Mistake((*place, "kind"), f"{kind.called} needs a Raspberry Pi: set hardware to pi")


def _audio_mistakes(settings: Settings, data: Data, line_of: LineOf) -> Iterator[Mistake]:
    """Yield the mistakes about presses, the voice and ears. An ear's sound card is for one seat alone."""
    press = data.get("press")
    if isinstance(press, Mapping) and "long_ms" in press and settings.press.long_ms <= settings.press.no_ms:
        what = f"expected more than press.no_ms, which is {settings.press.no_ms}, not {settings.press.long_ms}"
        yield Mistake(("press", "long_ms"), what)
    if settings.voice.engine == "piper" and settings.voice.model is None:
        yield Mistake(("voice", "engine"), "piper needs a voice: name its file at voice.model")
    for seat, wires in settings.seats.items():
        if wires.back is not None and wires.ear is None:
            yield Mistake(
                ("seats", seat, "back"), "leads an ear back, and this seat has none: name its sound card at ear"
            )
    first: dict[str, Where] = {keys.card(settings.voice.device): ("voice", "device")}
    for whose, device in settings.ears.items():
        place: Where = ("seats", whose, "ear")
        other = first.setdefault(keys.card(device), place)
        if other != place:
            what = f"is already used by {dotted(other)} (line {line_of(other)}): an ear is heard by one player alone"
            yield Mistake(place, f"{device} {what}")


def _reader_of(seat: str, name: str, readers: Collection[str]) -> Iterator[Mistake]:
    place: Where = ("seats", seat, "reader")
    if name not in (CENTRE, seat):
        what = f"{seat} lays its cards on 'centre' or on a reader of its own, {seat!r}, not {shown(name)}"
        yield Mistake(place, what + nearest(name, (CENTRE, seat)))
    elif name not in readers:
        yield Mistake(place, f"there is no reader {name!r} under readers{nearest(name, readers)}")
