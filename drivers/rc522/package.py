"""Opening a chip through the mfrc522 package, and saying in plain words why that fails."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

BCM = 11
"""`GPIO.BCM`: pins by their GPIO numbers."""


def package() -> Any:
    """The mfrc522 package. Raises OSError if it, or what it needs, is missing or does not run on this machine."""
    try:
        return importlib.import_module("mfrc522")
    except ImportError as missing:
        raise OSError(f"The package {missing.name} is missing: run `make pi`") from missing
    except RuntimeError as refused:  # RPi.GPIO on a Pi 5, or on no Pi at all
        raise OSError(f"{refused}. On a Pi 5, rpi-lgpio must stand in for RPi.GPIO: run `make pi`") from refused


def opened(load: Callable[[], Any], bus: int, device: int, reset: int) -> Any:
    """An MFRC522 of the package, initialised; `reset` is a BCM number. Raises OSError.

    The pin is always named: the package's own choice is GPIO 15, the UART, once the mode is BCM.
    """
    mfrc522 = load().MFRC522
    gpio = mfrc522.__init__.__globals__["GPIO"]
    if gpio.getmode() not in (None, BCM):
        raise OSError("Another part of the program counts pins by their place on the header: only BCM numbers work")
    gpio.setwarnings(False)  # the pin stays an output when a program ends, and the next one is warned of it
    try:
        chip = mfrc522(bus=bus, device=device, pin_mode=BCM, pin_rst=reset)
    except FileNotFoundError as absent:
        switch = "switch SPI on with raspi-config" if bus == 0 else "add dtoverlay=spi1-3cs to config.txt"
        raise OSError(f"There is no /dev/spidev{bus}.{device}: {switch}, then restart the Pi") from absent
    except PermissionError as denied:
        raise OSError(f"/dev/spidev{bus}.{device} may not be opened: add your user to the group spi") from denied
    except OSError:
        raise
    except Exception as refused:  # lgpio has an error class of its own, and what it says is for programmers
        raise OSError(f"The reset pin GPIO {reset} cannot be used ({refused})") from refused
    _quiet(chip.logger)
    return chip


def _quiet(logger: Any) -> None:
    """Takes away the output the package adds to its logger for every chip: each line came once for each of them."""
    for added in list(logger.handlers):
        logger.removeHandler(added)
