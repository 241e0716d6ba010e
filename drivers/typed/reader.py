"""A reader that types, through the kernel's evdev: no other program gets its events."""

from __future__ import annotations

import errno
import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from drivers import ROOT
from drivers.controllers import listed
from drivers.controllers.kernel import Evdev, LinuxEvdev
from drivers.controllers.listed import Plug
from drivers.controllers.worker import AT_ONCE, EVENT, KEY, named
from drivers.presence import OneCard
from drivers.typed.numbers import Sends, tag

DOWN = 1
DIGITS = dict(zip((*range(2, 12), 79, 80, 81, 75, 76, 77, 71, 72, 73, 82), "12345678901234567890", strict=True))
LETTERS = dict(zip((30, 48, 46, 32, 18, 33), "ABCDEF", strict=True))
KEYS = DIGITS | LETTERS
"""The keys of a typed number, independent of the keyboard's layout (linux/input-event-codes.h)."""
ENTER = (28, 96)
LIES_S = 1.0
"""Seconds that a tag counts as lying there: such a reader never reports that it leaves. Some readers repeat the tag."""
LONGEST = 40


class TypedReader:
    """One reader. Raises OSError where it is not plugged in or may not be read."""

    def __init__(
        self,
        plug: Plug,
        sends: Sends,
        *,
        kernel: Evdev | None = None,
        clock: Callable[[], float] = time.monotonic,
        root: Path = ROOT,
    ) -> None:
        self._kernel: Evdev = kernel or LinuxEvdev()
        self._sends, self._clock = sends, clock
        device = listed.find(plug, (2, ENTER[0]), listed.devices(root))  # some are a mouse as well
        try:
            self._fd: int | None = self._kernel.open(device.path)
        except OSError as fault:
            raise named(fault) from None
        self._grabbed = False
        self._typed = ""
        self._tag, self._until = "", 0.0
        self._one = OneCard()

    def poll(self) -> frozenset[str]:
        """Return the tag that was typed last, for as long as it counts as lying there. Raises OSError."""
        try:
            self._read_keys()
        except OSError as fault:
            raise named(fault) from None
        t = self._clock()
        return self._one.see(self._tag if t < self._until else "", t)

    def _read_keys(self) -> None:
        assert self._fd is not None
        # not before every key is up, as in `ControllerWorker`
        if not self._grabbed and not self._kernel.down(self._fd):
            self._kernel.grab(self._fd)
            self._grabbed = True
        while select.select([self._fd], [], [], 0)[0]:
            data = os.read(self._fd, AT_ONCE * EVENT.size)
            if not data:
                raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
            for _, _, kind, code, value in EVENT.iter_unpack(data):
                if kind == KEY and value == DOWN:
                    self._handle_key(code)

    def _handle_key(self, code: int) -> None:
        if code in KEYS:
            # bounded: a keyboard without an Enter key would fill the memory
            self._typed = (self._typed + KEYS[code])[-LONGEST:]
        elif code in ENTER and self._typed:
            typed, self._typed = self._typed, ""
            self._tag, self._until = tag(typed, self._sends), self._clock() + LIES_S

    def close(self) -> None:
        fd, self._fd = self._fd, None
        if fd is not None:
            with suppress(OSError):  # it has gone
                os.close(fd)
