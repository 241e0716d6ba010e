"""Opening a chip through the mfrc522 package, with faults in plain words."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from companion.hardware.tap import Tap, silent
from companion.rules.message import Message
from drivers.rc522.transceiver import Clock

BCM = 11
"""`GPIO.BCM`: pins by their GPIO numbers."""
LOW = 0.0001
"""Seconds the reset line is held low; 100 ns are enough for the chip (data sheet, 8.8)."""

resets: Counter[int] = Counter()
"""How often each reset pin was pulsed. Readers may share one, and all of them have lost their settings then; as all
are used by one thread, none is in the middle of a poll."""


def package() -> Any:
    """Return the mfrc522 package. Raises OSError if it or a dependency is missing or does not run on this machine."""
    try:
        return importlib.import_module("mfrc522")
    except ImportError as missing:
        raise OSError(
            Message("The package {name} is missing: run `make pi`", code="missing", name=missing.name)
        ) from missing
    except RuntimeError as refused:  # RPi.GPIO on a Pi 5, or on no Pi at all
        text = Message(
            "{why}. On a Pi 5, rpi-lgpio must replace RPi.GPIO: run `make pi`", code="refused", why=str(refused)
        )
        raise OSError(text) from refused


def opened(load: Callable[[], Any], bus: int, device: int, reset: int) -> Any:
    """Return an initialised MFRC522 of the package; `reset` is a BCM number. Raises OSError.

    The pin is always named: the package's own choice is GPIO 15, the UART, once the mode is BCM.
    """
    mfrc522 = load().MFRC522
    gpio = mfrc522.__init__.__globals__["GPIO"]
    if gpio.getmode() not in (None, BCM):
        raise OSError(
            Message(
                "Another part of the program numbers pins by header position: only BCM numbers work",
                code="numbering",
            )
        )
    gpio.setwarnings(False)  # the pin stays an output when a program ends, and the package would warn the next one
    try:
        chip = mfrc522(bus=bus, device=device, pin_mode=BCM, pin_rst=reset)
    except OSError as refused:
        raise refusal(bus, device, refused) from None
    except Exception as refused:  # lgpio has its own error class, with texts for programmers
        raise OSError(_pin_fault(reset, refused)) from refused
    _remove_log_handlers(chip.logger)
    return chip


class Watched:
    """An SPI device that reports its transfers to a tap, with the driver's µs before and after each."""

    def __init__(self, spi: Any, tap: Tap, clock: Clock) -> None:
        self.close = spi.close
        self._transfer = spi.xfer2
        self._tap = tap
        self._clock = clock

    def xfer2(self, sent: list[int]) -> list[int]:
        began = self._clock.monotonic()
        sent = list(sent)  # spidev may write what it reads into the very list
        got: list[int] = self._transfer(list(sent))
        ended = self._clock.monotonic()
        self._tap(sent=bytes(sent), got=bytes(got), clock=(round(1e6 * began), round(1e6 * ended)))
        return got


def watched(chip: Any, tap: Tap, clock: Clock) -> Any:
    """Return the chip, with its transfers recorded unless the tap is silent."""
    if tap is not silent:
        chip.spi = Watched(chip.spi, tap, clock)
    return chip


def refusal(bus: int, device: int, fault: OSError) -> OSError:
    """Return the reason why a bus cannot be opened, with the remedy where one is known."""
    path = f"/dev/spidev{bus}.{device}"
    if isinstance(fault, FileNotFoundError):
        spi0, spi1 = Message("switch SPI on with raspi-config"), Message("add dtoverlay=spi1-3cs to config.txt")
        remedy = spi0 if bus == 0 else spi1
        return OSError(
            Message("There is no {path}: {remedy}, then restart the Pi", code="absent", path=path, remedy=remedy)
        )
    if isinstance(fault, PermissionError):
        return OSError(
            Message("No permission to open {path}: add your user to the group spi", code="denied", path=path)
        )
    return fault


def no_answer(place: str, version: int) -> Message:
    """Return the fault of a bus on which no chip answers: every register reads 00, or FF."""
    return Message(
        "The chip on {place} does not answer (its version reads {version:02X}): check its cable and power",
        code=f"reads_{version:02X}",
        place=place,
        version=version,
    )


def pulse(chip: Any, pin: int, clock: Clock) -> None:
    """Reset every chip on the pin, harder than any command can. Raises OSError if the pin can no longer be used."""
    gpio = chip.__init__.__globals__["GPIO"]
    try:
        gpio.output(pin, gpio.LOW)
        clock.sleep(LOW)
        gpio.output(pin, gpio.HIGH)
    except Exception as refused:  # as in `opened`
        raise OSError(_pin_fault(pin, refused)) from refused
    resets[pin] += 1


def _pin_fault(pin: int, refused: Exception) -> Message:
    return Message("The reset pin GPIO {pin} cannot be used ({why})", code="pin", pin=pin, why=str(refused))


def _remove_log_handlers(logger: Any) -> None:
    """Remove the output that the package adds to its logger for every chip: each line came once per chip."""
    for added in list(logger.handlers):
        logger.removeHandler(added)
