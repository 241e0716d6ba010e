"""Draw what is plugged into the table's computer: a box for each device, and which seat each of its buttons serves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from companion.hardware.header import COLOURS, Say, text
from companion.hardware.plugged import WHERE
from companion.hardware.settings import Settings
from companion.rules.message import Message
from companion.rules.message import device as called

COMPUTER, WINDOW = Message("The computer"), Message("the window")
BOX, WIDE, GAP, BUTTON, LANE = 104, 240, 40, 72, 12
CABLE = "#5b616b"


@dataclass(frozen=True, slots=True)
class Gadget:
    """A device on a cable: its title, what identifies it, and what it has for each seat."""

    title: str
    note: str
    seats: Mapping[str, str]
    colour: str = ""

    @property
    def width(self) -> int:
        return max(WIDE, BUTTON * len(self.seats) + GAP)


def plugged_in(settings: Settings) -> list[Gadget]:
    """Return all gadgets: readers, hubs with the seat at each place, controllers with each seat's key."""
    return [*_readers(settings), *_hubs(settings), *_controllers(settings)]


def _readers(settings: Settings) -> Iterator[Gadget]:
    for name, reader in settings.readers.items():
        if reader.kind.drawn or reader.kind.virtual:
            continue
        at = (getattr(reader.settings, of.name) for of in fields(reader.settings))
        words = " ".join(str(value) for value in at if value not in (None, ""))
        yield Gadget(called(f"reader {name}"), f"{reader.kind.name}: {words}", {}, COLOURS.get(name, ""))


def _hubs(settings: Settings) -> Iterator[Gadget]:
    for name, hub in settings.hubs.items():
        where = " ".join(word for key in WHERE if (word := getattr(hub, key)))
        seats: dict[str, str] = {seat: str(at) for at, seat in enumerate(hub.seats) if seat}
        yield Gadget(called(f"hub {name}"), where, seats)


def _controllers(settings: Settings) -> Iterator[Gadget]:
    for name, of in settings.controllers.items():
        where = ", ".join(filter(None, (of.name, of.usb, of.place))) or WINDOW
        yield Gadget(called(f"controller {name}"), where, {seat: str(code) for seat, code in of.seats.items()})


class Cables:
    """The drawing of gadgets below `top`, in px."""

    def __init__(self, gadgets: list[Gadget], top: int, say: Say) -> None:
        self._gadgets, self._top, self._say = gadgets, top, say
        self.width = sum(gadget.width + GAP for gadget in gadgets) + GAP
        self._boxes = top + 60 + LANE * (len(gadgets) + 1)
        self.height = self._boxes + BOX + 30 - top if gadgets else 0

    def parts(self, width: int) -> Iterator[str]:
        """Yield the drawing's SVG elements, centred on a sheet of this width in px."""
        if not self._gadgets:
            return
        middle, boxes = width // 2, self._boxes
        yield _rect(middle - 120, self._top, 240, 60, fill="#dfe9dc", stroke="#8aa583")
        yield text(middle, self._top + 36, self._say(COMPUTER), 16, "#4d6a46", weight="bold")
        x = (width - self.width) // 2 + GAP
        last = len(self._gadgets) - 1
        for number, gadget in enumerate(self._gadgets):
            of, to = middle + 20 * number - 10 * last, x + gadget.width // 2
            level = self._top + 60 + LANE * (1 + (number if to < of else last - number))  # the outer ones run above
            yield _path(f"M{of} {self._top + 60}V{level}H{to}V{boxes}", CABLE)
            yield from self._box(x, boxes, gadget)
            x += gadget.width + GAP

    def _box(self, x: int, y: int, gadget: Gadget) -> Iterator[str]:
        middle = x + gadget.width // 2
        yield _rect(x, y, gadget.width, BOX, fill="#ffffff", stroke="#8d949e")
        if gadget.colour:
            yield _rect(x + 10, y + 9, 8, 22, fill=gadget.colour, stroke=gadget.colour)
        yield text(middle, y + 26, self._say(gadget.title), 16, "#26292e", weight="bold")
        yield text(middle, y + 45, self._say(gadget.note), 12, "#5b616b")
        left = middle - BUTTON * (len(gadget.seats) - 1) // 2
        for at, (seat, what) in enumerate(gadget.seats.items()):
            yield _circle(left + at * BUTTON, y + 68, 11, COLOURS.get(seat, CABLE))
            yield text(left + at * BUTTON, y + 96, what, 12, "#26292e")


def _rect(x: int, y: int, width: int, height: int, *, fill: str, stroke: str) -> str:
    size = f'width="{width}" height="{height}" rx="{min(8, width // 4)}"'
    return f'<rect x="{x}" y="{y}" {size} fill="{fill}" stroke="{stroke}"/>'


def _path(way: str, stroke: str) -> str:
    return f'<path d="{way}" fill="none" stroke="{stroke}" stroke-width="3" stroke-linecap="round"/>'


def _circle(x: int, y: int, radius: int, fill: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{fill}"/>'
