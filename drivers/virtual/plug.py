"""A USB serial plug without a cable: a pseudo terminal, whose far end the other program opens."""

from __future__ import annotations

import os
import select
import socket
import tty
from threading import Lock


class VirtualPlug:
    """The near end. The firmware's thread reads, writes and waits; any other plugs, unplugs and wakes it."""

    def __init__(self) -> None:
        self.port: str | None = None
        """The path a serial library opens; None while it is unplugged."""
        self._lock = Lock()
        self._ends: tuple[int, int] | None = None
        self._bell, self._rope = socket.socketpair()
        for end in (self._bell, self._rope):
            end.setblocking(False)

    def plug(self) -> None:
        """Open a new pseudo terminal; harmless if there is one.

        The far end is held open here as well, as a near end alone fails when the other program closes its own.
        """
        with self._lock:
            if self._ends is None:
                near, far = self._ends = os.openpty()
                tty.setraw(far)
                os.set_blocking(near, False)
                self.port = os.ttyname(far)
        self.wake()

    def unplug(self) -> None:
        """Close the pseudo terminal: the other program's port fails at once, and bytes on their way are lost."""
        with self._lock:
            ends, self._ends, self.port = self._ends, None, None
            for end in ends or ():
                os.close(end)
        self.wake()

    def read(self) -> bytes:
        """Return the bytes that have come."""
        with self._lock:
            try:
                return os.read(self._ends[0], 512) if self._ends else b""
            except BlockingIOError:
                return b""

    def write(self, data: bytes) -> int:
        """Send bytes and return how many were sent; none with nothing plugged in."""
        with self._lock:
            try:
                return os.write(self._ends[0], data) if self._ends else 0
            except BlockingIOError:
                return 0

    def wake(self) -> None:
        """End the firmware's rest."""
        try:
            self._rope.send(b"!")
        except OSError:  # the bell has been rung already, or is closed
            return

    def wait(self, seconds: float) -> None:
        """Wait until bytes have come, another thread wakes it or time is up."""
        waiting = select.poll()
        waiting.register(self._bell, select.POLLIN)
        with self._lock:
            if self._ends:
                waiting.register(self._ends[0], select.POLLIN)
        waiting.poll(seconds * 1000)
        try:
            self._bell.recv(4096)
        except BlockingIOError:
            return

    def close(self) -> None:
        """Unplug and close the plug; harmless a second time."""
        self.unplug()
        self._bell.close()
        self._rope.close()
