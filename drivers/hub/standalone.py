"""Hubs on the desk, without a game: what is plugged in, what a hub reports, and whether its lamps and buttons work."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.hardware.doctor.hubs import Box
from companion.rules.readings import Health, Press, Reading
from drivers.hub import FIRMWARE, lines
from drivers.hub.lines import Gone, Hello, HubEvent, Place
from drivers.hub.probe import ask
from drivers.hub.protocol import HubLink
from drivers.hub.talk import SECOND
from drivers.hub.worker import Hub, exchange, micros
from drivers.lamps import Mode
from drivers.port import Plugged, SerialPort, Where, find, plugged

LISTEN = 0.1
LIT = 7
"""A lamp is lit for this many times LISTEN seconds."""
QUICK = SECOND * 6 // 5
"""The time to ask a port for a hub, in µs: two greetings."""


@dataclass(frozen=True, slots=True)
class AtPort:
    """A port, the name of its hub in config.yaml ("" if it has none), and what answers there."""

    port: Plugged
    name: str
    box: Box


class StandaloneHubs:
    """The hubs of config.yaml by their names, and all others that are plugged in."""

    shipped = FIRMWARE

    def __init__(self, table: Mapping[str, Hub]) -> None:
        self.table = table

    def found(self) -> Iterator[AtPort]:
        """Yield every USB serial port and every hub of config.yaml, asked one after the other."""
        left = dict(self.table)
        for port in plugged():
            name = next((name for name, hub in left.items() if _is_plugged_at(hub.where, port)), "")
            hub = left.pop(name, Hub(Where(), ()))
            yield AtPort(port, name, self.asked(Hub(Where(path=port.path), hub.seats, hub.dtr), name))
        for name, hub in left.items():
            absent = Plugged(hub.where.path or "no port", hub.where.usb, hub.where.serial)
            yield AtPort(absent, name, self.asked(hub, name))

    def asked(self, hub: Hub, name: str = "") -> Box:
        return ask(name, hub, pings=1, patience=QUICK)

    def pick(self, wanted: str | None) -> tuple[str, Hub]:
        """Return a hub by its name or port; without either the only one. Raises LookupError that names the choice."""
        if wanted and wanted in self.table:
            return wanted, self.table[wanted]
        if wanted and wanted.startswith("/"):
            return wanted, Hub(Where(path=wanted), ())
        choice = [*self.table, *(port.path for port in plugged())]
        if wanted or len(self.table or choice) != 1:
            there = f"there is {', '.join(choice)}" if choice else "nothing is plugged in, and config.yaml names no hub"
            raise LookupError(f"there is no hub {wanted!r}: {there}" if wanted else f"which hub? {there}")
        return self.pick(choice[0])

    def monitor(self, hub: Hub, raw: bool) -> Iterator[str]:
        """Yield what the hub reports, for as long as the caller iterates; "" while it is quiet. Raises OSError."""
        link = HubLink("", (), lambda _: None)
        rest = b""
        for data in _first_answers(hub, link):
            *said, rest = (rest + data).split(b"\n")
            rest = rest[: lines.LONGEST]
            for line in said:
                yield line.decode("ascii", "backslashreplace").rstrip("\r") if raw else _sentence_of(line, hub.seats)
            yield ""

    def test(self, hub: Hub) -> Iterator[str]:
        """Light each lamp in turn; meanwhile and afterwards yield what buttons and readers do. Raises OSError."""
        words: list[Any] = []
        labels = [_label(place, hub.seats) for place in range(8)]
        dark: dict[str, Mode] = dict.fromkeys(labels, "off")
        link = HubLink("", labels, words.append)
        waiting: list[str] | None = None
        for count, _ in enumerate(_first_answers(hub, link)):
            yield from filter(None, map(_event_sentence, words))
            words.clear()
            if waiting is None and link.settled and link.hello:
                waiting = [label for label, has in zip(labels, link.hello.places, strict=False) if "l" in has]
            if waiting and count % LIT == 0:
                yield f"{waiting[0]}: its lamp is on"
                link.show({**dark, waiting.pop(0): "on"})
            elif waiting == [] and count % LIT == 0:
                link.show(dark)
            yield ""


def _first_answers(hub: Hub, link: HubLink) -> Iterator[bytes]:
    with closing(SerialPort(find(hub.where), hub.dtr)) as port:
        link.opened(micros())
        while True:
            yield exchange(port, link, LISTEN)


def _is_plugged_at(where: Where, port: Plugged) -> bool:
    if where.path:
        return Path(where.path).resolve() == Path(port.path).resolve()
    return (where.serial or where.usb).upper() == (port.serial if where.serial else port.usb).upper()


def _label(place: int, seats: Sequence[str | None]) -> str:
    seat = seats[place] if place < len(seats) else None
    return f"place {place} ({seat})" if seat else f"place {place}"


def _sentence_of(line: bytes, seats: Sequence[str | None]) -> str:
    """Return a line as a sentence; "" for the lines that come all the time."""
    said = lines.body(line)
    match lines.word(said) if said else None:
        case Hello(_, hub, boot, firmware, places):
            return f"hub {hub}, firmware {firmware}, started as {boot}, places {','.join(places)}"
        case Place(place, button, reader, tags):
            return f"{_label(place, seats)}: button {button}, reader {reader} {' '.join(tags)}".rstrip()
        case HubEvent(seq, t, place, what, tag, why, tags):
            more = " ".join((tag, why, *tags)).strip()
            return f"{t / SECOND:12.6f} s  {seq:>6}  {_label(place, seats)}: {what} {more}".rstrip()
        case Gone(seq):
            return f"events before {seq} are no longer kept"
        case None:
            return f"damaged: {line.decode('ascii', 'backslashreplace')}"
    return ""


def _event_sentence(word: Press | Reading | Health) -> str:
    match word:
        case Press(label, down):
            return f"{label}: button {'down' if down else 'up'}"
        case Reading(label, tag, present):
            return f"{label}: card {tag} {'laid' if present else 'lifted'}"
        case Health(device, well, detail) if device.startswith("reader"):
            return f"{device.removeprefix('reader ')}: its reader is well again" if well else f"{device}: {detail}"
    return ""
