"""Waiting for a program without missing orders that come meanwhile."""

from __future__ import annotations

import select
from contextlib import suppress
from socket import socketpair
from typing import Protocol


class CutOffError(Exception):
    """The words being said are no longer wanted."""


class Wait(Protocol):
    def __call__(self, fd: int | None, seconds: float, *, writing: bool = False) -> bool:
        """Wait until a file can be read, or written; return False if it could not within `seconds`.

        Without a file descriptor, wait for `seconds`. Raises CutOffError when the words being said are no longer
        wanted.
        """


class Bell:
    """A bell that wakes a thread while it waits for files; rung from any thread."""

    def __init__(self) -> None:
        self._hears, self._rings = socketpair()
        self._hears.setblocking(False)
        self._rings.setblocking(False)
        self.fd = self._hears.fileno()

    def ring(self) -> None:
        with suppress(OSError):  # it has been rung already, or the listener has gone
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
    """Return the files that can be read or written, after `seconds` at the latest; None waits without limit."""
    poll = select.poll()
    for fd in (reads, bell):
        if fd is not None:
            poll.register(fd, select.POLLIN)
    if writes is not None:
        poll.register(writes, select.POLLOUT)
    return {fd for fd, _ in poll.poll(None if seconds is None else max(0.0, seconds) * 1000)}


def patiently(fd: int | None, seconds: float, *, writing: bool = False) -> bool:
    """Wait where no orders can come."""
    return fd in ready(seconds, None if writing else fd, fd if writing else None)
