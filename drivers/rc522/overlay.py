"""The Pi's second SPI bus, switched on for the duration of a search for readers. It drives GPIO 16 to 21."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from gpiozero import DigitalInputDevice

from companion.hardware.header import SPI
from companion.rules.message import Message, reason

NAME = "spi1-3cs"
BUS = 1
PINS = frozenset((*SPI[BUS].lines.values(), *SPI[BUS].selects))
APPEARS_S = 2.0
"""Seconds udev may take to make the bus's files."""
TICK_S = 0.05


class Overlay:
    """The device-tree overlay of SPI1. `root` is the system's, `pins` a factory of gpiozero's for its pins."""

    def __init__(self, pins: Callable[[], Any], root: Path = Path("/"), command: str = "dtoverlay") -> None:
        self._pins, self._root, self._command = pins, root, command

    def off(self, used: Collection[int]) -> bool:
        """Return whether the bus is off and could be switched on: no configured device uses its pins."""
        there = any(re.fullmatch(rf"spidev{BUS}\.\d", path.name) for path in self._root.glob("dev/spidev*"))
        return not there and bool(shutil.which(self._command)) and not PINS & set(used)

    @property
    def allowed(self) -> bool:
        """Return whether this program may switch the bus."""
        return os.geteuid() == 0

    @contextmanager
    def on(self) -> Iterator[None]:
        """Switch the bus on, and off again afterwards.

        Raises OSError where a pin is at ground, or the system refuses.
        """
        if grounded := self._grounded():
            wired = ", ".join(map(str, grounded))
            raise OSError(Message("GPIO {pins} is at ground: something is wired there, so SPI1 stays off", pins=wired))
        self._run(NAME)
        try:
            self._wait()
            yield
        finally:
            self._run("-r", NAME)

    def _grounded(self) -> list[int]:
        found = []
        with closing(self._pins()) as factory:
            for pin in sorted(PINS):
                with closing(DigitalInputDevice(pin, pull_up=True, pin_factory=factory)) as device:
                    if device.is_active:
                        found.append(pin)
        return found

    def _run(self, *words: str) -> None:
        try:
            done = subprocess.run([self._command, *words], check=False, capture_output=True, text=True, timeout=10)
        except (OSError, subprocess.SubprocessError) as error:
            raise OSError(Message("{command} cannot be run: {why}", command=self._command, why=reason(error))) from None
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise OSError(Message("{command} failed: {why}", command=self._command, why=said))

    def _wait(self) -> None:
        until = time.monotonic() + APPEARS_S
        while not (self._root / f"dev/spidev{BUS}.0").exists() and time.monotonic() < until:
            time.sleep(TICK_S)
