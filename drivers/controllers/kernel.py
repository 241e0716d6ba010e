"""The kernel's evdev, as far as it is needed: a thin seam, as there is no such device where tests run.

Only Linux has it, and fcntl with it: elsewhere there is nothing to open.

Untested with a real device: the numbers are those of linux/input.h.
"""

from __future__ import annotations

import os
from typing import Protocol

KEYS = 0x2FF
"""The highest code of a key."""
_GET_KEYS = 0x80604518
"""EVIOCGKEY of 96 bytes: which keys are down."""
_GRAB, _SET_CLOCK = 0x40044590, 0x400445A0
_MONOTONIC = 1


class Evdev(Protocol):
    """A kernel with input devices."""

    def open(self, path: str) -> int:
        """Open a device and return its descriptor. Raises OSError.

        Reading from it never blocks, and its events are stamped with the monotonic clock.
        """

    def down(self, fd: int) -> frozenset[int]:
        """Return the keys that are down now. Raises OSError."""

    def grab(self, fd: int) -> None:
        """Keep the device's events from every other program. Raises OSError."""


class LinuxEvdev:
    """The evdev of this computer."""

    def open(self, path: str) -> int:
        from fcntl import ioctl

        # never blocking: a device that goes while it is read would hold the thread for ever
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            # the default is the wall clock, which NTP sets: presses could end before they began
            ioctl(fd, _SET_CLOCK, _MONOTONIC.to_bytes(4, "little"))
        except OSError:
            os.close(fd)
            raise
        return fd

    def down(self, fd: int) -> frozenset[int]:
        from fcntl import ioctl

        bits = int.from_bytes(ioctl(fd, _GET_KEYS, bytes(96)), "little")
        return frozenset(code for code in range(KEYS + 1) if bits >> code & 1)

    def grab(self, fd: int) -> None:
        from fcntl import ioctl

        # released by the kernel when the descriptor is closed, also after a crash
        ioctl(fd, _GRAB, 1)
