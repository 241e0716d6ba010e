"""All hardware of one table, opened and closed in one place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.hardware.doctor.wired import PollSummary
from companion.hardware.kind import Reader
from companion.hardware.tap import Tap, Taps, silent, unheard
from companion.rules.message import Message
from companion.rules.readings import Health, Press, Reading, now
from drivers import ROOT
from drivers.buttons import RELEASE_MS, Buttons
from drivers.controllers.kernel import Evdev
from drivers.controllers.worker import Controller, ControllerWorker
from drivers.hub.worker import Hub, HubWorker
from drivers.lamps import Lamps, Mode
from drivers.supply import SupplyWatch
from drivers.worker import DeviceOwner, HealthWatch, Put, ReaderWorker


def pi_pins() -> Any:
    """Return the pins of a Raspberry Pi through lgpio; gpiozero's own choice may silently be a lesser library.

    Raises ImportError without lgpio, and lgpio's own error where there is no GPIO chip. Importing lgpio makes
    a pipe in the working directory, which must be writable.
    """
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


@dataclass(frozen=True, slots=True)
class Wiring:
    """The connected hardware: an opener for each reader (centre or a seat), a pin (BCM number) a button and lamp, hubs.

    Readers with the same name in `owners` share one thread and take turns; the others have one each. `unasked` are the
    steps of the first hour that do not apply to a reader, `unseen` what may be wrong with one that sees no card at all.
    `controllers` are the buttons that are plugged in, through the `kernel`, None for this computer's. `pins` opens
    gpiozero's pin factory and is called only where there is a button or a lamp; `interval` in s, `release_ms` is how
    long a contact must stay open to count, `clock` gives every event its time, `root` is where the computer's own
    sensors are. `taps` record what the devices do.
    """

    readers: Mapping[str, Callable[[], Reader]] = field(default_factory=dict)
    buttons: Mapping[str, int] = field(default_factory=dict)
    lamps: Mapping[str, int] = field(default_factory=dict)
    pins: Callable[[], Any] = pi_pins
    interval: float = 0.05
    release_ms: int = RELEASE_MS
    clock: Callable[[], int] = now
    owners: Mapping[str, str] = field(default_factory=dict)
    unasked: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unseen: Mapping[str, str] = field(default_factory=dict)
    hubs: Mapping[str, Hub] = field(default_factory=dict)
    controllers: Mapping[str, Controller] = field(default_factory=dict)
    kernel: Evdev | None = None
    root: Path = ROOT
    taps: Taps = unheard


class Rig:
    """The table's hardware at work. Nothing here raises: a fault is reported as Health, and the other devices go on."""

    def __init__(self, wiring: Wiring, put: Put) -> None:
        self.wiring = wiring
        taps = wiring.taps
        put = heard(put, taps("words", ""))
        self._closing = HealthWatch("hardware", put, Message("Restart the program before the next game."))
        self._factory: Any = None
        if wiring.buttons or wiring.lamps:
            remedy = Message("Buttons and lamps do not work: install lgpio (make pi); until then play on the screen.")
            with HealthWatch("pins", put, remedy).guard():
                self._factory = wiring.pins()
        wired = self._factory is not None
        self.lamps = Lamps(wiring.lamps if wired else {}, put, self._factory)
        self._buttons = Buttons(
            wiring.buttons if wired else {},
            put,
            wiring.clock,
            pin_factory=self._factory,
            release_ms=wiring.release_ms,
            taps=taps,
        )
        self._readers = {
            name: ReaderWorker(name, opener, put, wiring.clock, wiring.interval, tap=taps("reader", name))
            for name, opener in wiring.readers.items()
        }
        self.hubs = {
            name: HubWorker(name, hub, put, wiring.release_ms, tap=taps("hub", name))
            for name, hub in wiring.hubs.items()
        }
        own: dict[str, Any] = dict(kernel=wiring.kernel, clock=wiring.clock, root=wiring.root, taps=taps)
        self._controllers = [
            ControllerWorker(name, of, put, wiring.release_ms, **own) for name, of in wiring.controllers.items()
        ]
        supply = SupplyWatch(put, wiring.root)
        self._workers = [*_threads(self._readers, wiring.owners), *self.hubs.values(), *self._controllers, supply]
        # only now: nothing may arrive before all parts exist
        if wired:
            self._buttons.start()
        for worker in self._workers:
            worker.start()

    def show(self, modes: Mapping[str, Mode]) -> None:
        self.lamps.show(modes)
        for hub in self.hubs.values():
            hub.show(modes)

    def errors(self, reader: str, tag: str) -> float | None:
        """Return the share of polls that missed a tag while it lay on a reader; None if they are too few to tell."""
        return self._readers[reader].errors(tag) if reader in self._readers else None

    def lend(self, reader: str, job: Callable[[Reader], object]) -> None:
        """Run a job with a reader on the thread that uses it; from any thread."""
        self._readers[reader].lend(job)

    def ill(self, device: str) -> str:
        """Return the current fault of a reader or of a seat's button; "" while all is well."""
        if device in self._readers:
            return self._readers[device].ill
        seat = device.removeprefix("button ")
        faults = (self._buttons.ill, *(controller.ill for controller in self._controllers))
        return next((ill[seat] for ill in faults if seat in ill), "")

    def held(self) -> frozenset[str]:
        """Return the seats whose buttons are down now."""
        return self._buttons.held.union(*(controller.held for controller in self._controllers))

    def polls(self) -> list[PollSummary]:
        """Return the account of each reader's latest polls."""
        return [worker.account() for worker in self._readers.values()]

    def close(self) -> None:
        """End the threads and release all devices; harmless a second time."""
        # all are asked to stop before any is waited for, so that their last turns run side by side
        for worker in self._workers:
            worker.stop()
        # the pin factory last: buttons and lamps release their pins through it
        for part in (*self._workers, self._buttons, self.lamps, self._factory):
            with self._closing.guard():
                if part is not None:
                    part.close()


def heard(put: Put, tap: Tap) -> Put:
    """Return a `put` that passes each hardware event on, and lets the tap hear it first."""
    if tap is silent:
        return put

    def hear(word: Reading | Press | Health) -> object:
        match word:
            case Reading(reader, tag, present, t):
                tap(reader=reader, tag=tag, present=present, ms=t)
            case Press(seat, down, t, edge):
                tap(button=seat, down=down, edge=edge, ms=t)
            case Health(device, well, detail):
                tap(health=device, well=well, detail=detail)
        return put(word)

    return hear


def _threads(readers: Mapping[str, ReaderWorker], owners: Mapping[str, str]) -> list[ReaderWorker | DeviceOwner]:
    alone: list[ReaderWorker | DeviceOwner] = [worker for name, worker in readers.items() if name not in owners]
    shared: dict[str, list[ReaderWorker]] = {}
    for name, worker in readers.items():
        if name in owners:
            shared.setdefault(owners[name], []).append(worker)
    return alone + [DeviceOwner(owner, workers) for owner, workers in shared.items()]
