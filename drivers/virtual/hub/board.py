"""The hub's board without hardware: emulated readers, fingers, lamps, a plug and a clock, as the firmware sees them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from threading import Lock

from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults
from drivers.virtual.plug import VirtualPlug


class PowerOff(BaseException):
    """The firmware's power has gone; raised within it."""


class VirtualBoard:
    """The board that firmware_notes/hub/loop.py expects, and the hands that act on it.

    One thread is the firmware's and owns the chips; fingers, cards and plugs are moved from any one other.
    """

    def __init__(self, places: Sequence[str], identity: str, plug: VirtualPlug | None = None) -> None:
        self.places = list(places)
        self.identity = identity
        self.boot = ""
        self.plug = plug or VirtualPlug()
        self.held = 0
        self.lit = 0
        self.linked = False
        self.noise: Callable[[bytes], bytes] = bytes
        """A function that changes the bytes on their way to the host."""
        self._injected = b""
        self._clock = VirtualClock()
        self.chips = {at: Chip(self._clock, Faults(at)) for at, has in enumerate(self.places) if "r" in has}
        self._lock = Lock()
        self._edges: list[tuple[int, int]] = []
        self._began = 0
        self._powered = False

    # -- power and fingers --------------------------------------------------------------------------------------------

    def power_on(self) -> None:
        """Start the clock from 0 with a new boot id; held buttons stay held."""
        with self._lock:
            self._powered = True
            self._start()

    def restart(self) -> None:
        """Restart the firmware, as the watchdog does. Raises PowerOff if there is no power."""
        with self._lock:
            if not self._powered:
                raise PowerOff
            self._start()

    def _start(self) -> None:
        self.boot = secrets.token_hex(4).upper()
        self._began = time.monotonic_ns()
        self._edges.clear()

    def power_off(self) -> None:
        with self._lock:
            self._powered = False
            self.lit, self.linked = 0, False
        self.plug.wake()

    def forget(self) -> None:
        """Reset the chips' registers, as the loss of power does. For the thread that owns the chips."""
        for chip in self.chips.values():
            chip.reset()

    def finger(self, place: int, down: bool) -> None:
        """Press or release a button: the edge is stamped at once, as by a sampler, and the firmware reads it later."""
        with self._lock:
            held = self.held | 1 << place if down else self.held & ~(1 << place)
            if held != self.held:
                self.held = held
                self._edges.append((held, self._time()))
        self.plug.wake()

    def inject(self, data: bytes) -> None:
        """Give the firmware bytes besides those that the host sends."""
        with self._lock:
            self._injected += data
        self.plug.wake()

    # -- what the firmware asks ---------------------------------------------------------------------------------------

    def now(self) -> int:
        if not self._powered:
            raise PowerOff
        return self._time()

    def _time(self) -> int:
        return (time.monotonic_ns() - self._began) // 1000

    def edges(self) -> list[tuple[int, int]]:
        with self._lock:
            edges, self._edges = self._edges, []
        return edges

    def receive(self) -> bytes:
        with self._lock:
            data, self._injected = self._injected, b""
        return data + self.plug.read()

    def send(self, data: bytes) -> int:
        noisy = self.noise(data)
        sent = self.plug.write(noisy)
        return sent if noisy == data else len(data)

    def show(self, lit: int, linked: bool) -> None:
        with self._lock:
            if self._powered:
                self.lit, self.linked = lit, linked

    def feed(self) -> None:
        """Do nothing: there is no watchdog, and the runner restarts a firmware that gives up."""

    def rest(self, us: int) -> None:
        if us > 0:
            self.plug.wait(us / 1e6)

    # -- the SPI bus --------------------------------------------------------------------------------------------------

    def transfer(self, place: int, data: bytes) -> bytes:
        return bytes(self.chips[place].transfer(data))

    def reset(self) -> None:
        """Pulse the readers' common reset line."""
        for chip in self.chips.values():
            chip.restart()

    def wait(self, us: int) -> None:
        """Advance the chips' emulated time; it costs no real time."""
        self._clock.sleep(us / 1e6)
