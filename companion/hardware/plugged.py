"""Names of plugs in the words of config.yaml: by serial number, kind or port."""

from __future__ import annotations

import re

from companion.rules.message import Message, program
from companion.rules.mistakes import shown
from companion.system.typed import PLAIN, expected

UART = "dtparam=uart0=on"
"""Switches the serial port on the Pi's pins on: only on a Pi 5 it is off by default (kernel's overlays/README)."""
ENABLED = "enable_uart=1"
"""Does so where Bluetooth has the better of the two ports and the pins have the other: Pi 3, 4, Zero W, Zero 2 W."""
SWITCH_ON = Message(
    "Switch the serial port on the Pi's pins on: run make pi again, then restart the Pi. It is /dev/ttyAMA0 on a Pi 5,"
    " /dev/serial0 on others"
)
"""The remedy where the port on the pins is missing."""
WHERE = ("serial", "usb", "port")
"""The keys for a place; exactly one is given."""


def _quoted(written: object) -> str:
    if isinstance(written, int | float):
        raise ValueError(f"digits alone are read as a number: put them in quotes, not {shown(written)}")
    word: str = PLAIN[str](written)
    return word


def serial(written: object) -> str:
    word = _quoted(written).strip()
    if not word:
        raise expected("a serial number, such as E6614C775B8B2C36", written)
    return word


def usb_kind(written: object) -> str:
    word = _quoted(written)
    if not re.fullmatch("[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}", word):
        raise expected('two groups of four hex digits, such as "2E8A:0005"', written)
    return word.upper()


def lasting_port(written: object) -> str:
    path: str = PLAIN[str](written)
    if path[:1] != "/":
        raise expected("a port's full path, such as /dev/serial/by-id/...", written)
    if re.fullmatch("/dev/tty(ACM|USB)[0-9]+", path):
        raise ValueError(
            f"the number of {path} may change when it is plugged in: use serial ({program()} hub list shows it),"
            " or the port's name in /dev/serial/by-id"
        )
    return path


def on_pins(port: str | None) -> bool:
    """Return whether a port is one of the Pi's own, on GPIO 14 and 15, and not a plugged-in one."""
    return bool(re.fullmatch(r"/dev/(serial[01]|tty(AMA|S)[0-9]+)", port or ""))


def boot(port: str | None) -> tuple[str, ...]:
    """Return the lines of the Pi's boot configuration that a port needs: none, except for a port on the Pi's pins."""
    return (ENABLED, UART) if on_pins(port) else ()
