"""A table's wiring as a drawing (SVG), from the same settings the program runs with, so that they cannot disagree.

The header lies as on a Pi seen from above with its USB sockets to the right. Readers stand above it, seats below. Each
net leaves its pin, runs along a lane of its own and ends at its devices: wires cross, but none lies on another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.hardware.cabling import Cables, Gadget, plugged_in
from companion.hardware.header import COLOURS, HEADER, Say, place, sheet, text
from companion.hardware.kind import DrawnReader, Leg
from companion.hardware.settings import Settings, Wires
from companion.rules.message import Message
from companion.rules.message import device as called
from companion.rules.readings import BACK

SUPPLY = {"3.3V": 17, "5V": 4, "GND": 20}
"""The places the readers' supply and ground are taken from."""
SEATS_GROUND = 39

PITCH, ROW, LANE = 48, 40, 14
BESIDE = 16
"""The distance of a wire from its column where it passes the other row."""
PHASE = 9
"""Devices' columns stand this far beside the header's: no wire down meets one up."""
BOX = 112
OTHER = "#5c8a8a"
"""The colour of any other leg's wire."""
BOARD = Message("Raspberry Pi,"), Message("seen from above")
SOCKETS = Message("the USB sockets"), Message("are on this side →")
BELOW = Message("Buttons join their pin with ground. Lamps are LEDs with 330 Ω, the long leg towards the pin.")
FREE = Message("unused")


@dataclass(frozen=True, slots=True)
class Joint:
    """A leg of a device with where it goes: its place on the header (0 is nowhere), and its wire's colour."""

    name: str
    place: int
    colour: str


@dataclass(frozen=True, slots=True)
class Device:
    title: str
    note: str
    legs: tuple[Joint, ...]
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Net:
    """What one place of the header is joined with: columns of devices, in pixels."""

    place: int
    colour: str
    ends: tuple[int, ...]


def drawing(settings: Settings, say: Say = str) -> str:
    """Return the drawing of the whole wiring, in the language of `say`.

    It shows the header with everything wired to it, and below it the plugged-in devices. Without wired devices there is
    no header.
    """
    gadgets = plugged_in(settings)
    fitted = {name: reader for name, reader in settings.readers.items() if reader.kind.drawn}
    drawn = {name: reader.kind.drawn(reader.settings) for name, reader in fitted.items() if reader.kind.drawn}
    below = [_seat(seat, wires) for seat, wires in settings.seats.items() if wires.button or wires.lamp]
    backs = [_buttoned(f"{BACK}{seat}", of.back, None, COLOURS[seat]) for seat, of in settings.seats.items() if of.back]
    below += backs
    if settings.power.button is not None or settings.power.lamp is not None:
        below.append(_buttoned("power", settings.power.button, settings.power.lamp, OTHER))
    above = [_reader(name, reader) for name, reader in drawn.items()]
    cautions = " ".join(map(say, _cautions(list(drawn.values()))))
    if gadgets and not above and not below:
        cables = Cables(gadgets, 40, say)
        lines = [sheet(cables.width, cables.height + 40), *cables.parts(cables.width), "</svg>"]
    else:
        lines = [*_Sheet(cautions, above, below, say).parts(gadgets)]
    return "\n".join(lines) + "\n"


def _cautions(readers: Sequence[DrawnReader]) -> list[str]:
    several = [reader.several for reader in readers if sum(other.several == reader.several for other in readers) > 1]
    words = (Message("Switch the Pi off before you wire."), *(reader.caution for reader in readers), *several)
    return list(dict.fromkeys(filter(None, words)))


def _reader(name: str, reader: DrawnReader) -> Device:
    legs = tuple(Joint(leg.name, _header_position(leg), COLOURS.get(leg.name, OTHER)) for leg in reader.legs)
    return Device(called(f"reader {name}"), reader.note, legs, COLOURS.get(name, ""))


def _header_position(leg: Leg) -> int:
    """Return the header position that a leg goes to, 0 for none."""
    if isinstance(leg.to, int):
        return place(leg.to)
    return SUPPLY[leg.to] if leg.to else 0


def _seat(seat: str, wires: Wires) -> Device:
    return _buttoned(seat, wires.button, wires.lamp, COLOURS[seat])


def _buttoned(title: str, button: int | None, lamp: int | None, colour: str) -> Device:
    """Return a device with a button, a lamp, and the ground they share."""
    uses = {"button": button, "lamp": lamp}
    legs = [Joint(called(use), place(pin), colour) for use, pin in uses.items() if pin is not None]
    return Device(called(title), "", (*legs, Joint("GND", SEATS_GROUND, COLOURS["GND"])), colour)


class _Sheet:
    """One drawing: devices and header in columns, and lanes between them."""

    def __init__(self, cautions: str, above: list[Device], below: list[Device], say: Say) -> None:
        self.cautions, self.say = cautions, say
        columns = max(28, *(sum(len(device.legs) + 1 for device in row) + 1 for row in (above, below)))
        self.width = columns * PITCH
        self.left = (columns - 20) // 2 * PITCH + PITCH // 2
        self.above = list(self._positions(above, columns))
        self.below = list(self._positions(below, columns))
        upper, lower = _nets(self.above), _nets(self.below)
        self.upper = {net: lane for lane, net in enumerate(self._in_order(upper))}
        self.lower = {net: lane for lane, net in enumerate(self._in_order(lower))}
        self.boxes_top = 64
        self.channel_top = self.boxes_top + (BOX if above else 0)
        self.even = self.channel_top + 26 + LANE * len(upper) + 22
        self.odd = self.even + ROW
        self.channel_bottom = self.odd + 54 + LANE * len(lower) + 34
        self.height = self.channel_bottom + (BOX if below else 0) + 58

    def _positions(self, devices: list[Device], columns: int) -> Iterator[tuple[int, Device]]:
        """Yield each device with the x of its first leg; the row is centred."""
        column = (columns - sum(len(device.legs) + 1 for device in devices) + 1) // 2
        for device in devices:
            yield column * PITCH + PITCH // 2 + PHASE, device
            column += len(device.legs) + 1

    def _in_order(self, nets: Iterable[Net]) -> list[Net]:
        """Return the nets in the order of their lanes, the first nearest to the header.

        This order keeps wires that go the same way from crossing.
        """

        def order(net: Net) -> tuple[bool, bool, int]:
            x = self._x(net.place)
            leftward = sum(net.ends) < x * len(net.ends)
            return len(net.ends) > 1, leftward, x if leftward else -x

        return sorted(nets, key=order)

    def _x(self, at: int) -> int:
        return self.left + (at - 1) // 2 * PITCH

    def parts(self, gadgets: list[Gadget]) -> Iterator[str]:
        cables = Cables(gadgets, self.height, self.say)
        width = max(self.width, cables.width)
        yield sheet(width, self.height + cables.height)
        yield text(self.width // 2, 38, self.cautions, 17, "#26292e")
        yield from self._board()
        for nets, up in ((self.upper, True), (self.lower, False)):
            for net, lane in nets.items():
                yield from self._wire(net, lane, up)
        yield from self._pins({net.place: net.colour for net in (*self.upper, *self.lower)})
        for x, device in self.above:
            yield from _box(x, self.boxes_top, device, self.say, legs_below=True)
        for x, device in self.below:
            yield from _box(x, self.channel_bottom, device, self.say, legs_below=False)
        if self.below:
            yield text(self.width // 2, self.height - 24, self.say(BELOW), 14, "#5b616b")
        yield from cables.parts(width)
        yield "</svg>"

    def _board(self) -> Iterator[str]:
        x, y, right = self.left - 170, self.even - 26, self.left + 19 * PITCH + 170
        yield f'<rect x="{x}" y="{y}" width="{right - x}" height="{ROW + 52}" rx="12" fill="#dfe9dc" stroke="#8aa583"/>'
        for first, second, middle in ((*BOARD, x + 85), (*SOCKETS, right - 85)):
            yield text(middle, self.even + 8, self.say(first), 14, "#4d6a46")
            yield text(middle, self.even + 28, self.say(second), 14, "#4d6a46")

    def _pins(self, used: Mapping[int, str]) -> Iterator[str]:
        for number, name in enumerate(HEADER, start=1):
            x, y = self._x(number), self.odd if number % 2 else self.even
            fill, ink = (used[number], "#ffffff") if number in used else ("#ffffff", "#6b727c")
            shape = f'<circle cx="{x}" cy="{y}" r="12" fill="{fill}" stroke="{used.get(number, "#b9bfc7")}"'
            yield f"{shape}><title>{number}: {name}</title></circle>"
            yield text(x, y + 4, "5V" if name == "5V" else str(number), 11, ink)

    def _wire(self, net: Net, lane: int, up: bool) -> Iterator[str]:
        """Yield a net's wire: from the pin, past the other row if need be, along its lane, and off to each end."""
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
            if leg.place:
                ends.setdefault((leg.place, leg.colour), []).append(x + column * PITCH)
    return [Net(at, colour, tuple(columns)) for (at, colour), columns in ends.items()]


def _box(x: int, y: int, device: Device, say: Say, legs_below: bool) -> Iterator[str]:
    """Yield a device with its legs, each with its name, its pin and that pin's position on the header."""
    left, width = x - PITCH // 2 - 6, len(device.legs) * PITCH + 12
    yield f'<rect x="{left}" y="{y}" width="{width}" height="{BOX}" rx="10" fill="#ffffff" stroke="#8d949e"/>'
    title, first = (y + 24, y + 64) if legs_below else (y + BOX - 14, y + 22)
    middle = left + width // 2
    if device.colour:
        yield f'<rect x="{left}" y="{title - 17}" width="8" height="24" fill="{device.colour}"/>'
    yield text(middle, title, say(device.title), 16, "#26292e", weight="bold")
    if device.note:
        yield text(middle, title + 17, say(device.note), 12, "#5b616b")
    for column, leg in enumerate(device.legs):
        at = x + column * PITCH
        colour = leg.colour if leg.place else "#9aa1ab"
        yield text(at, first, say(leg.name), 12, colour, weight="bold")
        if leg.place and HEADER[leg.place - 1] != leg.name:
            yield text(at, first + 17, HEADER[leg.place - 1], 10, "#26292e")
        yield text(at, first + 33, say(Message("at {place}", place=leg.place) if leg.place else FREE), 12, "#5b616b")
        if leg.name == "lamp":
            yield _resistor(at, y - 27, colour)


def _resistor(x: int, y: int, colour: str) -> str:
    return f'<rect x="{x - 5}" y="{y}" width="10" height="22" fill="#fbfaf7" stroke="{colour}" stroke-width="2"/>'
