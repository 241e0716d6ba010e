"""Notifications to systemd: the program is up, its status, its heartbeat, its end (sd_notify(3)).

Where no service manager has asked for them, all of this does nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

WAITING = "waiting for "
"""The beginning of the status while the program is up but shows nothing yet, as it waits for something external."""
LOADING_S = 120
"""The watchdog's seconds from there to the first frame: as many as the unit allows a start."""
BEATS = 10
"""How often the watchdog is fed in its time: a step of the main loop may then take nine tenths of it."""


class Service:
    """The manager's socket, from the environment. Nothing here blocks or raises: it must not stop a game."""

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = monotonic,
        pid: int | None = None,
    ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._clock = clock
        self._address = "\0" + address[1:] if address[:1] == "@" else address  # "@" is an abstract name
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        if self._socket:
            self._socket.setblocking(False)
        self._watchdog_microseconds = _watchdog_microseconds(environment, os.getpid() if pid is None else pid)
        self._due = 0.0
        self._status = ""

    @property
    def there(self) -> bool:
        """Return whether a service manager runs this program."""
        return self._socket is not None

    def waiting(self, what: str) -> None:
        """Say that the program is up but waits for `what`; neither the start nor its caller waits any longer."""
        self._send_status(f"{WAITING}{what}", "READY=1")

    def loading(self) -> None:
        """Say that the wait is over: the first frame comes within LOADING_S, and nothing beats until then."""
        self._send_status("starting", *self._watchdog_lines(LOADING_S * 1_000_000))

    def ready(self) -> None:
        """Say that the first frame is there."""
        self._send("\n".join(("READY=1", *self._watchdog_lines(self._watchdog_microseconds))))

    def status(self, status: str) -> None:
        """Send one line for `systemctl status`. It stands in the system's journal, so nothing secret may be in it."""
        self._send_status(status)

    def beat(self) -> None:
        """Tell the watchdog that the main loop is alive, at most BEATS times in the watchdog's time.

        It may be called as often as you like.
        """
        if self._watchdog_microseconds and self._clock() >= self._due:
            self._due = self._clock() + self._watchdog_microseconds / (BEATS * 1e6)
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def close(self) -> None:
        """Close the socket; harmless a second time."""
        here, self._socket = self._socket, None
        if here:
            here.close()

    def _send_status(self, status: str, *more: str) -> None:
        """Send a status if it is new, together with the other lines."""
        if status != self._status:
            self._status = status
            self._send("\n".join((f"STATUS={status}", *more)))

    def _watchdog_lines(self, microseconds: int) -> Sequence[str]:
        return [f"WATCHDOG_USEC={microseconds}"] if self._watchdog_microseconds else []

    def _send(self, lines: str) -> None:
        if self._socket:
            with suppress(OSError):  # the manager has gone, or has too much to read
                self._socket.sendto(lines.encode(), self._address)


def _watchdog_microseconds(environment: Mapping[str, str], pid: int) -> int:
    """Return the microseconds that the watchdog allows between two beats; 0 without a watchdog for this program."""
    try:
        allowed, watched = int(environment.get("WATCHDOG_USEC", "0")), int(environment.get("WATCHDOG_PID", pid))
    except ValueError:
        return 0
    return allowed if watched == pid and allowed > 0 else 0


# -- What the window may ask of the computer it is on --------------------------------------------------------------


Ask = Callable[[], str]
"""Requests an action that ends this program; returns why it was refused, "" if it was not. It may take seconds."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The computer that the window runs on. A laptop has a window and nothing else: it is only quit."""

    light: Callable[[bool], object] = lambda _: None
    """Switches the light behind the screen on or off, where there is one."""
    off: Ask | None = None
    restart: Ask | None = None
    lamp: bool = False
    """Whether a lamp is wired that goes out when the plug may be pulled."""
    service: Service = field(default_factory=lambda: Service({}))
