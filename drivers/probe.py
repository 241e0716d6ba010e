"""Tests of the wiring: polls readers, watches buttons, blinks lamps. Then all of a table at once, for the doctor."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from gpiozero import LED, DigitalInputDevice

from companion.hardware.doctor import Finding, computer, wired
from companion.hardware.doctor.installation import installation
from companion.hardware.doctor.wired import Contact, Lamp, PollSummary
from companion.hardware.fitting import Fitting
from companion.hardware.kind import Checkup, DeviceFile, Package, Reader
from companion.rules.dates import moment
from companion.rules.message import Message, reason
from drivers import ROOT, installed, machine
from drivers.controllers import listed
from drivers.controllers.listed import InputDevice
from drivers.controllers.worker import Controller
from drivers.hub import probe as hubs
from drivers.hub.worker import HubWorker
from drivers.rc522.transceiver import Clock
from drivers.rig import Wiring

Wait = Callable[[float], object]
LGPIO = Package("lgpio")
PLUG_IN = Message("Plug it in; {tabularium} setup finds it")
BLINK = 0.4
"""Seconds a lamp is lit."""
TRIES, PAUSE = 50, 0.01
"""How often a pin is closed until its library lets it go, and the seconds between."""


# -- readers -----------------------------------------------------------------------------------------------------


class _Polled:
    """One reader while it is polled; faults are recorded and do not stop the polling."""

    def __init__(self, name: str, opener: Callable[[], Reader], clock: Clock) -> None:
        self._name = name
        self._clock = clock
        self._reader: Reader | None = None
        self._fault = ""
        self._failed = 0
        self._times: list[float] = []
        self._seen: Counter[str] = Counter()
        self._first: dict[str, int] = {}
        try:
            self._reader = opener()
        except Exception as fault:  # a driver for an untested device: any exception is a finding
            self._fault = reason(fault)

    def poll(self) -> None:
        if self._reader is None:
            return
        began = self._clock.monotonic()
        try:
            tags = self._reader.poll()
        except OSError as fault:
            self._fault = reason(fault)
            self._failed += 1
            return
        for tag in tags:
            self._first.setdefault(tag, len(self._times))
        self._seen.update(tags - getattr(self._reader, "faint", frozenset()))
        self._times.append(1000 * (self._clock.monotonic() - began))

    def end(self) -> PollSummary:
        """Close the reader and return the account of its polls."""
        version, repaired = getattr(self._reader, "version", None), getattr(self._reader, "repairs", 0)
        try:
            if self._reader:
                self._reader.close()
        except OSError as fault:
            self._fault = self._fault or reason(fault)
        polls = len(self._times)
        tags = {tag: (self._seen[tag], polls - first) for tag, first in self._first.items()}
        return PollSummary(self._name, self._fault, version, tuple(self._times), self._failed, repaired, tags)


def readers(openers: Mapping[str, Callable[[], Reader]], polls: int, clock: Clock = time) -> list[PollSummary]:
    """Poll every reader this many times, in turn as at the table; only one antenna is on at a time."""
    polled = [_Polled(name, opener, clock) for name, opener in openers.items()]
    for _ in range(polls):
        for reader in polled:
            reader.poll()
    return [reader.end() for reader in polled]


# -- buttons and lamps -------------------------------------------------------------------------------------------


def buttons(
    pins: Mapping[str, int],
    factory: object,
    wait: Callable[[], object],
    clock: Callable[[], float] = time.monotonic,
) -> list[Contact]:
    """Record the changes of every button until `wait` returns."""
    began = clock()
    opened: dict[str, Any] = {}
    faults: dict[str, str] = {}
    changes: dict[str, list[tuple[int, bool]]] = {name: [] for name in pins}

    def note(name: str, down: bool) -> None:
        changes[name].append((round(1000 * (clock() - began)), down))

    for name, pin in pins.items():
        try:
            device = opened[name] = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
        except Exception as fault:  # each library has its own errors
            faults[name] = reason(fault)
            continue
        device.when_activated = partial(note, name, True)
        device.when_deactivated = partial(note, name, False)
    held = {name for name, device in opened.items() if device.is_active}
    wait()
    for device in opened.values():
        _let_go(device)
    return [Contact(name, pin, faults.get(name, ""), name in held, tuple(changes[name])) for name, pin in pins.items()]


def _let_go(device: Any) -> None:
    """Close a device on a pin. lgpio calls a pin busy as long as its own thread still listens to it."""
    for _ in range(TRIES):
        try:
            device.close()
            return
        except Exception:  # lgpio has its own errors
            time.sleep(PAUSE)


def lamps(pins: Mapping[str, int], factory: object, wait: Wait = time.sleep) -> list[Lamp]:
    """Blink each lamp in turn."""
    return [_blink(name, pin, factory, wait) for name, pin in pins.items()]


def _blink(name: str, pin: int, factory: object, wait: Wait) -> Lamp:
    try:
        with closing(LED(pin, pin_factory=factory)) as led:
            led.on()
            wait(BLINK)
            rose = bool(led.value)
            led.off()
            return Lamp(name, pin, followed=rose and not led.value)
    except Exception as fault:  # each library has its own errors
        return Lamp(name, pin, reason(fault))


# -- all of it ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bench:
    """The means to examine a table; all but the table itself has defaults for a real one.

    `fitted` are its readers as config.yaml has them, `plugs` whether buttons are plugged in. `watch` returns when the
    buttons have been pressed, `environment` and `root` are the system's, `folders` where packages lie, `written` our
    own files. While a game is being played, readers and pins are in use and left alone: `running` returns the account
    of the readers' latest polls, and the hubs that are `working` are asked through their workers. `boot` are the lines
    that config.yaml needs in the boot configuration; systemd and the firmware are `asked` by their commands. Nothing of
    a `virtual` table is plugged in or wired, and its findings say so.
    """

    wiring: Wiring
    data: Path
    pi: bool
    debounce_ms: int
    plugs: bool = False
    running: Callable[[], list[PollSummary]] | None = None
    working: Mapping[str, HubWorker] | None = None
    fitted: Mapping[str, Fitting[Any]] = field(default_factory=dict)
    polls: int = 100
    watch: Callable[[], object] = lambda: time.sleep(1)
    wait: Wait = time.sleep
    clock: Clock = time
    disk_clock: Callable[[], float] = time.perf_counter
    contacts_clock: Callable[[], float] = time.monotonic
    root: Path = ROOT
    allowed: machine.Allowed = machine.may_use
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    folders: tuple[str, ...] | None = None
    written: tuple[Path, ...] = (Path(__file__),)
    boot: tuple[str, ...] = ()
    virtual: bool = False
    asked: installed.Ask = installed.ask


def examine(bench: Bench) -> Iterator[Finding]:
    """Yield every finding, part by part."""
    yield from _computer(bench)
    if there := installed.installed(bench.root, bench.boot, bench.asked):
        yield from installation(there)
    for of in _wired(bench):
        yield replace(of, what=Message("virtual: {what}", what=of.what), next="") if bench.virtual else of
    yield from hubs.examine(bench.wiring.hubs, bench.working)
    yield from _controllers(bench)
    root = bench.root
    yield computer.display(machine.display(bench.environment, root, bench.allowed), bench.pi)
    yield from computer.disk(machine.disk(bench.data, root, clock=bench.disk_clock))
    seen = machine.clock((*bench.written, bench.data), root)
    yield computer.clock(seen, moment(datetime.fromtimestamp(seen.now).astimezone()))


def _wired(bench: Bench) -> Iterator[Finding]:
    """Yield the findings on readers, buttons and lamps."""
    if bench.running:
        yield from _poll_findings(bench, _without_tags(bench.running()))
        yield from _in_use(bench)
    else:
        yield from _readers(bench)
        yield from _pins(bench)


def _computer(bench: Bench) -> Iterator[Finding]:
    seen = machine.machine(bench.root)
    usb = not bench.virtual and bool(bench.wiring.hubs or bench.fitted or bench.plugs)
    yield from computer.machine(seen, bench.pi, usb)
    pins = bool(bench.wiring.buttons or bench.wiring.lamps)
    wanted = [package for reader in bench.fitted.values() for package in reader.kind.packages]
    wanted += [LGPIO] if bench.pi and pins else []
    if bench.pi or wanted:
        yield from computer.packages(machine.packages(bench.folders), wanted, seen.model)
    apt = dict.fromkeys(name for reader in bench.fitted.values() for name in reader.kind.apt)
    yield from computer.debian(machine.not_installed(apt, bench.root))
    if not bench.pi:
        return
    if pins or any(reader.kind.pi for reader in bench.fitted.values()):
        folder = bench.environment.get("LG_WD") or str(Path.cwd())
        yield computer.folder(folder, os.access(folder, os.W_OK))
        yield computer.file("pins", *machine.gpio_chip(bench.root, bench.allowed))
        if not bench.running:  # else this program holds them itself
            yield from computer.pins(machine.claims(bench.root), _pin_uses(bench))


def _pin_uses(bench: Bench) -> dict[int, str]:
    readers = {pin: f"reader {name}" for name, reader in bench.fitted.items() for pin in reader.occupied.pins.values()}
    buttons = {pin: f"button {seat}" for seat, pin in bench.wiring.buttons.items()}
    return readers | buttons | {pin: f"lamp {seat}" for seat, pin in bench.wiring.lamps.items()}


def _readers(bench: Bench) -> Iterator[Finding]:
    openers = dict(bench.wiring.readers)
    for name, reader in bench.fitted.items():
        if reader.kind.file:
            file = reader.kind.file(reader.settings)
            state = machine.state(file.path, bench.root, bench.allowed)
            yield computer.file(f"reader {name}", file, state)
            if state != "usable":
                openers.pop(name, None)
    polled = readers(openers, bench.polls, bench.clock)
    yield from _poll_findings(bench, polled)
    if any(polls.failed or not polls.times for polls in polled):
        yield from _check_conflicts(bench)


def _check_conflicts(bench: Bench) -> Iterator[Finding]:
    """Yield the findings on how readers of one kind disturb each other, where one of several fails."""
    for kind in {reader.kind.name: reader.kind for reader in bench.fitted.values()}.values():
        settings = {name: reader.settings for name, reader in bench.fitted.items() if reader.kind.name == kind.name}
        if kind.together and len(settings) > 1:
            with suppress(OSError):  # the reader's own finding says why it cannot be asked
                yield from wired.held(kind.together(settings))


def _poll_findings(bench: Bench, polled: list[PollSummary]) -> Iterator[Finding]:
    for polls in polled:
        fitted = bench.fitted.get(polls.name)
        yield from wired.reader(polls, fitted.kind.checkup if fitted else Checkup())
    yield from wired.crosstalk(polled)


def _without_tags(polled: list[PollSummary]) -> list[PollSummary]:
    """Return the polls with numbers instead of tags: nobody may learn which cards lie face down."""
    numbers: dict[str, str] = {}
    for tag in (tag for polls in polled for tag in polls.tags or {}):
        numbers.setdefault(tag, str(len(numbers) + 1))
    return [replace(polls, tags={numbers[tag]: seen for tag, seen in (polls.tags or {}).items()}) for polls in polled]


def _controllers(bench: Bench) -> Iterator[Finding]:
    there = listed.devices(bench.root)
    for name, controller in bench.wiring.controllers.items():
        part = f"controller {name}"
        try:
            device = listed.find(controller.plug, controller.buttons.values(), there)
        except OSError as fault:
            yield Finding(part, "fail", reason(fault), PLUG_IN)
            continue
        if not bench.allowed(bench.root / device.path.lstrip("/")):
            yield computer.file(part, DeviceFile(device.path, PLUG_IN, "input"), "denied")
        else:
            yield Finding(part, "pass", Message("{name} is plugged in", name=device.name))
            yield from _rollover(part, controller, device)


def _rollover(part: str, controller: Controller, device: InputDevice) -> Iterator[Finding]:
    """Yield a warning where a controller may not tell all seats' keys apart when all are held."""
    seats, together = len(controller.buttons), controller.together
    if together is None and device.types and seats > listed.ROLLOVER:
        text = Message(
            "This is a keyboard: it reliably reports only two keys at once, but {seats} seats use it", seats=seats
        )
        yield Finding(part, "warn", text, Message("Test holding all of them at once: {tabularium} setup"))
    elif together is not None and together < seats:
        text = Message("When all are held, {together} of {seats} keys arrive", together=together, seats=seats)
        yield Finding(part, "warn", text, Message("Use an arcade encoder, which reports all keys at once"))


def _in_use(bench: Bench) -> Iterator[Finding]:
    if bench.wiring.buttons or bench.wiring.lamps:
        what = Message("Buttons and lamps are in use and not tested while the table is open")
        yield Finding("pins", "pass", what, Message("Close the table and run: {tabularium} doctor"))


def _pins(bench: Bench) -> Iterator[Finding]:
    wiring = bench.wiring
    if not wiring.buttons and not wiring.lamps:
        return
    try:
        factory = wiring.pins()
    except Exception as fault:  # lgpio has its own errors
        what = Message("No pin can be used: {fault}", fault=reason(fault))
        see = Message("See packages and permissions above; without buttons, play on the screen")
        yield Finding("pins", "fail", what, see)
        return
    with closing(factory):
        for contact in buttons(wiring.buttons, factory, bench.watch, bench.contacts_clock):
            yield wired.button(contact, bench.debounce_ms)
        for lamp in lamps(wiring.lamps, factory, bench.wait):
            yield wired.lamp(lamp)
