"""A hub at work: the thread that opens its port, talks, loses it, and opens it again."""

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic_ns

from companion.hardware.tap import Tap, silent
from companion.rules.message import code, reason
from companion.system.pause import Pause
from drivers.hub import faults
from drivers.hub.faults import OtherVersion
from drivers.hub.protocol import HubLink
from drivers.lamps import Mode
from drivers.port import Absent, SerialPort, Where, find
from drivers.worker import Loop, Put

TICK = 0.25
"""Seconds of listening before the thread checks for due work."""
STAND = 10_000_000
"""µs between two records of a hub's state, for a recording."""
LOOK = 1.0
"""Seconds between two searches for a missing hub."""


def micros() -> int:
    """Return the microseconds on the clock of `companion.play.table.now`."""
    return monotonic_ns() // 1000


def exchange(port: SerialPort, link: HubLink, seconds: float, *bells: object, tap: Tap = silent) -> bytes:
    """Send what is due, listen for `seconds` at most, and answer; return the bytes that came. Raises OSError."""
    _send_due(port, link, tap)
    data = port.read(seconds, *bells)
    now = micros()
    tap(heard=data, now=now)
    link.feed(data, now)
    link.tick(now)
    _send_due(port, link, tap)
    return data


def _send_due(port: SerialPort, link: HubLink, tap: Tap) -> None:
    said = link.out()
    if said:
        tap(said=said)
    port.write(said)


@dataclass(frozen=True, slots=True)
class Hub:
    """A hub as it is wired: its port, and the seat at each place (None for none)."""

    where: Where
    seats: Sequence[str | None]
    dtr: bool = True


class HubWorker:
    """One hub on its own thread. Nothing here raises, and only that thread waits for the hub."""

    def __init__(
        self,
        name: str,
        hub: Hub,
        put: Put,
        debounce_ms: int = 12,
        search: Callable[[], str] | None = None,
        *,
        tap: Tap = silent,
    ) -> None:
        """Create the worker; `search` finds the port's path again each time the port is opened."""
        self.hub = hub
        self._tap = tap
        self.link = HubLink(name, hub.seats, put, debounce_ms)
        self.port: SerialPort | None = None
        self.fault: str = faults.UNASKED
        """The reason why there is no port, or none yet."""
        self._search = search or partial(find, hub.where)
        self._modes: Mapping[str, Mode] = {}
        self._recorded_at = 0
        self._pause = Pause()
        # select() waits for sockets and the port together, but for no threading.Event
        self._rope, self._bell = socket.socketpair()
        # a full socket has rung already; blocking here would hold up the main thread
        self._rope.setblocking(False)
        self._loop = Loop(f"hub {name}", self.turn, self._close_port)
        self.start = self._loop.start
        self.wake = self._loop.wake
        """Ends a pause; from any thread."""

    def show(self, modes: Mapping[str, Mode]) -> None:
        """Set the lamps that are to change; from any thread."""
        # replaced as a whole, never changed: the hub's thread may be reading it
        self._modes = {**self._modes, **modes}
        self._wake_listening()

    def turn(self) -> float:
        """Listen for a while and send what is due; return the seconds to wait before the next turn. Never raises."""
        try:
            self._exchange_once()
        except Exception as fault:  # broad on purpose: no fault of a device may reach the game
            return self._close_after(fault)
        return 0.0

    def _exchange_once(self) -> None:
        if self.port is None:
            self.port = SerialPort(self._search(), self.hub.dtr)
            now = micros()
            self._tap(opened=not self.link.rows, now=now)
            self.link.opened(now)
        self.link.show(self._modes)
        exchange(self.port, self.link, TICK, self._bell, tap=self._tap)
        self._record_state()
        # after the exchange: the next turn begins at once, and sends the lamps set meanwhile
        self._clear_bell()
        # only a settled talk resets the pause: a port that opens and then says nothing must not be retried in a hurry
        if self.link.settled:
            self._pause.end()

    def _record_state(self) -> None:
        """Record the hub's state at intervals, so that a recording of the last minute has a known start."""
        now = micros()
        if self._tap is not silent and now - self._recorded_at >= STAND and (said := self.link.standing(now)):
            self._recorded_at = now
            self._tap(stands=said, now=now)

    def _close_after(self, fault: Exception) -> float:
        self._close_port()
        self.fault = reason(fault)
        self._tap(closed=self.fault, code=code(self.fault))
        self.link.closed(faults.status(self.fault))
        # a missing port costs little to look for; anything else at the port is retried ever more slowly
        if isinstance(fault, Absent):
            return LOOK
        return self._pause.longest if isinstance(fault, OtherVersion) else self._pause.after_failure()

    def _close_port(self) -> None:
        port, self.port = self.port, None
        if port:
            port.close()

    def _wake_listening(self) -> None:
        """End the listening."""
        try:
            self._rope.send(b"!")
        except OSError:  # the bell has been rung already, or the worker has ended
            return

    def _clear_bell(self) -> None:
        try:
            self._bell.recv(4096, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return

    def stop(self) -> None:
        """Ask the thread to end after this turn, and do not wait for it."""
        self._loop.stop()
        self._wake_listening()

    def close(self) -> None:
        """Stop the thread and wait for its end; harmless a second time. Raises ThreadStuckError."""
        self.stop()
        try:
            self._loop.close()
        finally:
            self._rope.close()
            self._bell.close()
