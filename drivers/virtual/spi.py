"""The SPI and GPIO of a Pi without hardware, as the modules `spidev` and `RPi.GPIO`, and mfrc522 on top of them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import ENOENT
from os import strerror
from threading import Lock
from types import ModuleType
from typing import Any, Protocol

Place = tuple[int, int]
"""An SPI bus and the device on it."""
_LOADING = Lock()
"""The lock of the import system: only one thread at a time may put its modules in the place of the real ones."""
RESET_PIN = 25
"""The reset line's BCM number."""


class OnBus(Protocol):
    """A device on an SPI bus, with a reset line."""

    def transfer(self, sent: Sequence[int], speed: float, /) -> list[int]: ...
    def restart(self) -> None: ...

    @property
    def holds(self) -> str:
        """Return whether its board keeps driving MISO: "" for no, "awake" until it is held in reset, or "always"."""


class SpiDev:
    """One opened device as `spidev.SpiDev` is, to the emulated chips.

    `held` says whether another chip, which is not selected, holds this one's answers at ground.
    """

    def __init__(self, chips: Mapping[Place, OnBus], held: Callable[[Place], bool] = lambda _: False) -> None:
        self._chips, self._held = chips, held
        self._place: Place = (0, 0)
        self._chip: OnBus | None = None
        self.max_speed_hz = 500_000
        self.mode = 0

    def open(self, bus: int, device: int) -> None:
        if (bus, device) not in self._chips:
            raise FileNotFoundError(ENOENT, strerror(ENOENT))
        self._place = bus, device
        self._chip = self._chips[bus, device]

    def xfer2(self, sent: list[int]) -> list[int]:
        if self._chip is None:
            raise OSError("the SPI device is closed")
        answer = self._chip.transfer(sent, self.max_speed_hz)
        return [0] * len(sent) if self._held(self._place) else answer

    def close(self) -> None:
        self._chip = None


class Gpio:
    """`RPi.GPIO` as far as outputs go.

    `levels` are the outputs, by number; `restart` is called with the number of an output that goes up again.
    """

    BOARD, BCM, OUT, IN, LOW, HIGH = 10, 11, 0, 1, 0, 1

    def __init__(self, restart: Callable[[int], object] = lambda _: None) -> None:
        self._restart = restart
        self.mode: int | None = None
        self.warns = True
        self.levels: dict[int, int | None] = {}

    def getmode(self) -> int | None:
        return self.mode

    def setmode(self, mode: int) -> None:
        if self.mode not in (None, mode):
            raise ValueError("A different mode has already been set!")
        self.mode = mode

    def setwarnings(self, wanted: bool) -> None:
        self.warns = wanted

    def setup(self, channel: int, direction: int) -> None:
        if direction != self.OUT:
            raise ValueError("only outputs are emulated")
        if self.mode is None:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)")
        self.levels.setdefault(channel, None)

    def output(self, channel: int, level: int) -> None:
        if channel not in self.levels:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        before, self.levels[channel] = self.levels[channel], level
        if before == self.LOW and level == self.HIGH:
            self._restart(channel)

    def cleanup(self, channel: int | None = None) -> None:
        for given in [channel] if channel is not None else list(self.levels):
            self.levels.pop(given, None)
        self.mode = self.mode if self.levels else None


class VirtualPi:
    """The chips on the buses of one Pi, on one clock and used by one thread.

    They share one reset line, except for those whose own pin is in `resets`.
    """

    def __init__(self, chips: Mapping[Place, OnBus], resets: Mapping[Place, int] | None = None) -> None:
        self.chips = chips
        self._resets = resets or {}
        self.gpio = Gpio(self._restart)
        self._package: Any = None

    def mfrc522(self) -> Any:
        """Return the real mfrc522 package, loaded for these chips alone; from any thread.

        Raises ImportError without it.
        """
        with _LOADING:
            if self._package is None:
                with self._modules():
                    self._package = importlib.import_module("mfrc522")
            return self._package

    def _restart(self, pin: int) -> None:
        for place, chip in self.chips.items():
            if self.reset_of(place) == pin:
                chip.restart()

    def reset_of(self, place: Place) -> int:
        """Return the pin of a chip's reset line."""
        return self._resets.get(place, RESET_PIN)

    def _miso_is_held(self, place: Place) -> bool:
        """Return whether another chip on the same bus keeps driving MISO."""
        for at, chip in self.chips.items():
            if at == place or at[0] != place[0]:
                continue
            if chip.holds == "always" or (chip.holds and self.gpio.levels.get(self.reset_of(at)) != self.gpio.LOW):
                return True
        return False

    @contextmanager
    def _modules(self) -> Iterator[None]:
        """Put our modules in the place of the real ones while the package is loaded.

        Afterwards all is as it was: a real Pi has its real modules, and no copy of the package that uses ours.
        """
        spidev, rpi = ModuleType("spidev"), ModuleType("RPi")
        spidev.SpiDev = lambda: SpiDev(self.chips, self._miso_is_held)  # type: ignore[attr-defined]
        rpi.GPIO = self.gpio  # type: ignore[attr-defined]
        ours: dict[str, Any] = {"spidev": spidev, "RPi": rpi, "RPi.GPIO": self.gpio}
        before = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_swapped(name)}
        sys.modules.update(ours)
        try:
            yield
        finally:
            for name in list(sys.modules):
                if _is_swapped(name):
                    del sys.modules[name]
            sys.modules.update(before)


def _is_swapped(name: str) -> bool:
    return name.partition(".")[0] in ("spidev", "RPi", "mfrc522")


def installed() -> bool:
    """Return whether the mfrc522 package is installed."""
    return importlib.util.find_spec("mfrc522") is not None
