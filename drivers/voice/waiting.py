"""Waiting for a program while something else may come: how a mouth is never deaf."""

from __future__ import annotations

import select
from contextlib import suppress
from socket import socketpair
from typing import Protocol


class CutOffError(Exception):
    """What is being said is no longer wanted."""


class Wait(Protocol):
    def __call__(self, fd: int | None, seconds: float, *, writing: bool = False) -> bool:
        """Until there is something to read, or room to write; False if there was none after so many seconds.

        Without a file descriptor those seconds are all. Raises CutOffError when what is being said is no longer wanted.
        """


class Bell:
    """Wakes one thread that waits for files as well; rung from any thread."""

    def __init__(self) -> None:
        self._hears, self._rings = socketpair()
        self._hears.setblocking(False)
        self._rings.setblocking(False)
        self.fd = self._hears.fileno()

    def ring(self) -> None:
        with suppress(OSError):  # it has been rung often enough, or nobody is there any more
            self._rings.send(b"!")

    def still(self) -> None:
        with suppress(BlockingIOError):
            while self._hears.recv(4096):
                pass

    def close(self) -> None:
        self._hears.close()
        self._rings.close()


def ready(
    seconds: float | None, reads: int | None = None, writes: int | None = None, bell: int | None = None
) -> set[int]:
    """Those of the files that can be read or written, after so many seconds at the latest; None: however long."""
    poll = select.poll()
    for fd in (reads, bell):
        if fd is not None:
            poll.register(fd, select.POLLIN)
    if writes is not None:
        poll.register(writes, select.POLLOUT)
    return {fd for fd, _ in poll.poll(None if seconds is None else max(0.0, seconds) * 1000)}


def patiently(fd: int | None, seconds: float, *, writing: bool = False) -> bool:
    """Waits where nothing else can come."""
    return fd in ready(seconds, None if writing else fd, fd if writing else None)
