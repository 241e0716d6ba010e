"""A clock that cannot be set: how long the computer has been on."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cache
from pathlib import Path

Up = tuple[str, float]
"""The id of the boot, "" where it is unknown, and the seconds since then, suspended time included."""


def uptime() -> Up:
    return _boot(), time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@cache
def _boot() -> str:
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""
