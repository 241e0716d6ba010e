"""What systemd hears of the program: that it is up, how it stands, that it is alive, that it ends (sd_notify(3)).

Where no service manager has asked for it, all of this does nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic


class Service:
    """The manager's socket, from the environment. Nothing here waits, and nothing raises: it must not stop a game."""

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
        self._every = _every(environment, os.getpid() if pid is None else pid)
        self._due = 0.0
        self._status = ""

    @property
    def there(self) -> bool:
        """Whether a service manager runs this program."""
        return self._socket is not None

    def ready(self) -> None:
        """The first frame is there."""
        self._say("READY=1")

    def status(self, status: str) -> None:
        """One line for `systemctl status`; it stands in the system's journal, so nothing secret may be in it."""
        if status != self._status:
            self._status = status
            self._say(f"STATUS={status}")

    def beat(self) -> None:
        """The main loop is alive. Called as often as you like, it is said twice in the watchdog's time."""
        if self._every and self._clock() >= self._due:
            self._due = self._clock() + self._every
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def close(self) -> None:
        """Harmless a second time."""
        here, self._socket = self._socket, None
        if here:
            here.close()

    def _say(self, line: str) -> None:
        if self._socket:
            with suppress(OSError):  # the manager has gone, or has too much to read
                self._socket.sendto(line.encode(), self._address)


def _every(environment: Mapping[str, str], pid: int) -> float:
    """Seconds between two beats, half of what the watchdog allows; 0 if there is none, or another program's."""
    try:
        allowed, watched = int(environment.get("WATCHDOG_USEC", "0")), int(environment.get("WATCHDOG_PID", pid))
    except ValueError:
        return 0.0
    return allowed / 2e6 if watched == pid and allowed > 0 else 0.0
