"""Discovery: looks for all that is wired or plugged in, without driving anything; then listens to all of it at once.

What is found goes through the same drivers as at the table. Until a pin is assigned, it is an input with a pull-up,
which disturbs nothing: not even an output of another board.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from gpiozero import DigitalInputDevice

from companion.hardware.doctor.hubs import Box
from companion.hardware.doctor.search_findings import (
    ControllerFound,
    HubFound,
    ReaderFound,
    SearchResults,
    key,
    pin,
    place,
)
from companion.hardware.header import PINS, RESERVED, SPI
from companion.hardware.kind import Kind
from companion.rules.message import Message, code, reason
from drivers import ROOT, kinds, machine
from drivers.controllers import listed
from drivers.controllers.kernel import Evdev
from drivers.controllers.listed import Plug
from drivers.controllers.worker import Controller
from drivers.hub import faults
from drivers.hub.lines import Hello
from drivers.hub.protocol import HubLink
from drivers.hub.talk import SECOND
from drivers.hub.worker import Hub, exchange, micros
from drivers.port import Plugged, SerialPort, TerminalError, Where, lasting, plugged
from drivers.rig import Rig, Wiring, pi_pins
from drivers.worker import Put

QUICK = SECOND * 6 // 5
"""The time to listen for a hub at a port, in µs: two greetings."""
PAUSE_S = 0.05
"""How long, in seconds, it is listened to at a time.

Time in which a busy computer does not listen is not counted: the answer waits in the port.
"""
NONE = ("absent", "missing")
"""The codes of faults of a computer without such a bus, or without a package for it."""


def real_kinds() -> list[Kind[Any]]:
    return [kinds.kind(name) for name in kinds.NAMES if not kinds.kind(name).virtual]


def kept(hub: HubFound) -> Where:
    """Return where a hub is found again, even if its port has another number by then."""
    key, word = hub.where
    return Where(**{"path" if key == "port" else key: word})


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """The place of the search: a Pi and its USB ports, or emulated ones. `root` and `environment` are the system's."""

    kinds: Callable[[], Sequence[Kind[Any]]] = real_kinds
    pins: Callable[[], Any] = pi_pins
    ports: Callable[[], Sequence[Plugged]] = plugged
    root: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    allowed: machine.Allowed = machine.may_use
    where: Callable[[HubFound], Where] = kept
    model: Callable[[Path], str] = lambda root: machine.machine(root).model
    debounce_ms: int = 12
    kernel: Evdev | None = None

    # -- looking -------------------------------------------------------------------------------------------------

    def look(self) -> SearchResults:
        """Return all hardware found. Takes a second or two for each serial port; raises nothing."""
        pi = bool(self.model(self.root))
        readers = [reader for reader in self._readers() if pi or code(reader.at.fault) not in NONE]
        fault, held = "", frozenset[int]()
        if pi:
            with ExitStack() as pulled:
                fault, held = _pull_up(self.pins, _readable_pins(readers), pulled)
                if not all(reader.answers for reader in readers):
                    readers = [_better_of(*both) for both in zip(readers, self._readers(), strict=False)]
        readers = [_checked_reset(reader, held) for reader in readers]
        controllers, denied = _controllers(self.root, self.allowed)
        pins = [] if fault or not pi else _button_pins(readers)
        return SearchResults(
            readers=readers,
            hubs=list(_hubs(self.ports(), self.root, {reader.at.place for reader in readers if reader.answers})),
            controllers=controllers,
            denied=denied,
            pins=[number for number in pins if number not in held],
            held=held & frozenset(pins),
            fault=fault,
            display=machine.display(self.environment, self.root, self.allowed) if pi else None,
            pi=pi,
        )

    def _readers(self) -> list[ReaderFound]:
        return [ReaderFound(kind, at) for kind in self.kinds() for at in kind.search()]

    # -- listening -----------------------------------------------------------------------------------------------

    def listen(self, found: SearchResults, put: Put) -> Rig:
        """Start all hardware that answers; its events name the places in `found`. Close it in the end."""
        answering = [reader for reader in found.readers if reader.answers]
        readers = {of.at.place: partial(of.kind.open, of.at.settings) for of in answering}
        owners = {of.at.place: of.kind.owner for of in answering if of.kind.owner}
        buttons = {pin(number): number for number in found.pins}
        hubs = {hub.name: Hub(self.where(hub), _places(hub), hub.dtr) for hub in found.hubs if hub.where[0]}
        pressed = {of.name: Controller(Plug(of.usb, of.place), _keys(of), grabs=False) for of in found.controllers}
        there = Wiring(readers, buttons, {}, self.pins, 0.02, self.debounce_ms, owners=owners, hubs=hubs)
        return Rig(replace(there, controllers=pressed, kernel=self.kernel, root=self.root), put)


def _readable_pins(readers: Iterable[ReaderFound]) -> list[int]:
    """Return the pins that may be read: neither the system's nor a bus's."""
    taken = {*RESERVED, *SPI[0].pins}
    for reader in readers:
        bus = reader.kind.occupied(reader.at.settings).bus
        taken |= bus.pins if bus and not _bus_is_off(reader) else frozenset()
    return [number for number in PINS if number not in taken]


def _button_pins(readers: Sequence[ReaderFound]) -> list[int]:
    """Return the pins that may be a button: not the reset line of a reader that answers."""
    lines = [_own_pins(reader) for reader in readers if reader.answers]
    return [number for number in _readable_pins(readers) if not any(number in of for of in lines)]


def _own_pins(reader: ReaderFound) -> list[int]:
    """Return the reader's own pins, without its bus."""
    return [*reader.kind.occupied(reader.at.settings).pins.values()]


def _bus_is_off(reader: ReaderFound) -> bool:
    """Return whether the reader's bus is not switched on: its pins are free, and most computers have no such bus."""
    return code(reader.at.fault) == "absent"


def _pull_up(open_pins: Callable[[], Any], numbers: Iterable[int], pulled: ExitStack) -> tuple[str, frozenset[int]]:
    """Pull these pins up for as long as `pulled` lasts; return why that fails, and the pins that stay at ground."""
    try:
        factory = pulled.enter_context(closing(open_pins()))
    except Exception as fault:  # lgpio has its own errors
        return reason(fault), frozenset()
    held = set()
    for number in numbers:
        try:
            device = pulled.enter_context(closing(DigitalInputDevice(number, pull_up=True, pin_factory=factory)))
        except Exception:  # another program has it: not ours to look at
            continue
        if device.is_active:
            held.add(number)
    return "", frozenset(held)


def _better_of(before: ReaderFound, pulled: ReaderFound) -> ReaderFound:
    """Return the reader if it answered at once, else as found with its reset line pulled up, which some boards need."""
    return before if before.answers else pulled


def _checked_reset(reader: ReaderFound, held: Set[int]) -> ReaderFound:
    """Return the reader, with a fault where its reset line is held at ground: opening it would work against that."""
    grounded = [number for number in _own_pins(reader) if number in held]
    if not reader.answers or not grounded:
        return reader
    fault = Message("GPIO {pin} is held at ground, but it is the readers' reset line: free it", pin=grounded[0])
    return replace(reader, at=replace(reader.at, version=None, fault=fault))


# -- hubs ----------------------------------------------------------------------------------------------------------


def _hubs(ports: Sequence[Plugged], root: Path, readers: Set[str]) -> Iterator[HubFound]:
    """Yield every serial port that is no reader's, greeted one after the other.

    The hubs are called box1, box2 and so on.
    """
    count = 0
    for port in (port for port in ports if port.path not in readers):
        hello, fault = greet(port.path)
        if not hello:
            question = faults.QUESTIONS.get(code(fault), "")
            yield HubFound(Box(port.path, port.path, fault, question=question))
            continue
        count += 1
        box = Box(f"box{count}", port.path, "", hello.hub, hello.firmware, hello.places)
        yield HubFound(box, lasting(port, ports, root), *steady(port.path, hello.boot))


def greet(path: str, dtr: bool = True) -> tuple[Hello | None, str]:
    """Return the greeting of the hub at a port, or why none came."""
    link = HubLink("", (), lambda _: None)
    try:
        with closing(SerialPort(path, dtr)) as port:
            began, listened = micros(), 0
            link.opened(began)
            while not link.hello and listened < QUICK:
                exchange(port, link, PAUSE_S)
                began, before = micros(), began
                listened += min(began - before, round(PAUSE_S * SECOND))
    except (OSError, TerminalError) as fault:
        return None, reason(fault)
    return link.hello, "" if link.hello else faults.NOBODY


def steady(path: str, boot: str, greet: Callable[..., tuple[Hello | None, str]] = greet) -> tuple[bool, bool]:
    """Return how to open a port: whether with its control lines up, and whether its board restarts either way.

    The lines stay down for a board that restarts by them; `boot` is what it said the first time.
    """
    again, _ = greet(path)
    if not again or again.boot == boot:
        return True, False
    quiet, _ = greet(path, dtr=False)
    if quiet is None:  # without them it is silent: the first opening alone may have restarted it
        last, _ = greet(path)
        return True, bool(last and last.boot != again.boot)
    return False, quiet.boot != again.boot


def _places(hub: HubFound) -> list[str]:
    return [place(hub.name, number) for number in range(len(hub.box.has))]


# -- controllers ---------------------------------------------------------------------------------------------------


def _controllers(root: Path, allowed: machine.Allowed) -> tuple[list[ControllerFound], list[str]]:
    """Return the controllers with buttons to play with, and the names of those that may not be read.

    A controller's place is given where another of its kind is plugged in.
    """
    there = [device for device in listed.devices(root) if device.playable]
    readable = [device for device in there if allowed(root / device.path.lstrip("/"))]
    found = []
    for number, device in enumerate(readable, 1):
        twin = any(other.usb == device.usb and other.place != device.place for other in readable)
        name = f"buttons{number}" if len(readable) > 1 else "buttons"
        found.append(ControllerFound(name, device.name, device.usb, device.place if twin else "", device.keys))
    return found, [device.name for device in there if device not in readable]


def _keys(controller: ControllerFound) -> dict[str, int]:
    return {key(controller.name, code): code for code in controller.keys}
