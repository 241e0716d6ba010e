"""A serial port: found by what is plugged in, opened exclusively, with errors that say what to do."""

import errno
import select
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serial import Serial, SerialException, SerialTimeoutException
from serial.tools import list_ports

from companion.hardware.plugged import on_pins
from companion.rules.message import Message, system_error
from drivers import ROOT
from drivers.hub import faults

try:
    import termios
except ImportError:  # Windows has ports of another kind
    TerminalError: type[Exception] = SerialException
else:
    TerminalError = termios.error
    """What a port that has gone raises: no OSError."""

LINKS = ("dev/serial/by-id", "dev/serial/by-path")
"""The folders in which the system gives ports lasting names."""
WRITE_S = 1.0
"""A port that accepts no data for this long is taken for gone."""


class Absent(OSError):  # noqa: N818 - what is the matter, in a word
    """Nothing is plugged in there."""


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a device, by exactly one of: its serial number, its kind ("2E8A:0005"), the port's path."""

    serial: str = ""
    usb: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Plugged:
    """A USB serial port that is there; `usb` like "2E8A:0005"."""

    path: str
    usb: str
    serial: str
    product: str = ""

    def __str__(self) -> str:
        known = [self.usb, f"serial {self.serial}" if self.serial else ""]
        return f"{self.path} ({', '.join(filter(None, known))})" if any(known) else self.path


def plugged() -> list[Plugged]:
    """Return all USB serial ports."""
    return [
        Plugged(port.device, f"{port.vid:04X}:{port.pid:04X}", port.serial_number or "", port.product or "")
        for port in sorted(list_ports.comports(), key=lambda port: str(port.device))
        if port.vid is not None
    ]


def find(where: Where, there: Callable[[], Iterable[Plugged]] = plugged) -> str:
    """Return the path of the port. Raises Absent, and OSError where a kind fits several."""
    if where.path:
        if Path(where.path).exists():
            return where.path
        if on_pins(where.path):
            raise Absent(Message("There is no {port}", code="uart", port=where.path))
        raise Absent(_not_plugged_in(Message("There is no {port}", code="absent", port=where.path), there()))
    ports = list(there())
    wanted = (where.serial or where.usb).upper()
    fitting = [port for port in ports if (port.serial if where.serial else port.usb).upper() == wanted]
    if len(fitting) == 1:
        return fitting[0].path
    if fitting:
        raise OSError(_several_fit(wanted, fitting, where))
    what = Message("No serial port has the number {wanted}", code="absent", wanted=wanted)
    raise Absent(_not_plugged_in(what, ports))


def _several_fit(wanted: str, fitting: Sequence[Plugged], where: Where) -> Message:
    facts = {"code": "several", "usb": wanted, "ports": _listed(fitting)}
    if where.usb and all(names_one(port.serial) for port in fitting):
        return Message("{usb} matches {ports}: use serial instead of usb", **facts)
    return Message("{usb} matches {ports}: use port, with its name in /dev/serial/by-path", **facts)


def _not_plugged_in(what: Message, ports: Iterable[Plugged]) -> Message:
    there = _listed(ports)
    if there:
        return Message("{what}. Plugged in: {ports}", code="absent", what=what, ports=there)
    return Message("{what}: no such device is plugged in", code="absent", what=what)


def _listed(ports: Iterable[Plugged]) -> str:
    return ", ".join(map(str, ports))


def lasting(port: Plugged, ports: Sequence[Plugged], root: Path = ROOT) -> tuple[str, str]:
    """Return the key of config.yaml that finds a port again, and its value; two empty strings where there is none.

    The value is its serial number, its kind if no other port has it, or a link that the system keeps.
    """
    own = names_one(port.serial)
    if own and _is_unique(port.serial, [each.serial for each in ports]):
        return "serial", port.serial
    if port.usb and _is_unique(port.usb, [each.usb for each in ports]):
        return "usb", port.usb
    # without a number of its own, two boards of a kind would fight for one link in by-id
    folders = LINKS if own else LINKS[::-1]  # by-id has the serial number in it
    links = [link for folder in folders for link in sorted((root / folder).glob("*"))]
    same = (link for link in links if link.resolve() == (root / port.path.lstrip("/")).resolve())
    link = next(same, None)
    return ("port", f"/{link.relative_to(root)}") if link else ("", "")


def names_one(serial: str) -> bool:
    """Return whether a serial number can tell a device from others of its kind.

    Factories give all devices 0001, zeros or a count of digits.
    """
    digits = "0123456789"
    counted = serial in digits or serial in digits[1:] + "0"
    return len(serial) >= LEAST and serial == serial.strip() and len(set(serial)) > 1 and not counted


LEAST = 5
"""Characters of a serial number that names one device; udev's rule has the same (pi/files/70-tabularium.rules)."""


def _is_unique(word: str, words: Iterable[str]) -> bool:
    return sum(other.upper() == word.upper() for other in words) == 1


class SerialPort:
    """An open serial port, for one thread. Its methods raise OSError when the device is gone."""

    def __init__(self, path: str, dtr: bool = True) -> None:
        """Open it exclusively; without `dtr` both control lines stay low, for boards that restart by them."""
        self.path = path
        self._serial: Any = Serial(baudrate=115_200, timeout=0, write_timeout=WRITE_S, exclusive=True)
        self._serial.dtr = self._serial.rts = dtr
        self._serial.dsrdtr = not dtr  # without flow control of that kind, open() leaves DTR for us
        self._serial.port = path
        try:
            self._serial.open()
            if not dtr:
                # RTS went first: DTR low while RTS is high holds an ESP32 in reset (esptool, "Boot Mode Selection").
                self._serial.dsrdtr = False
                with suppress(OSError):  # a pseudo terminal has no such line, and open() passes over it too
                    self._serial.dtr = False
            with suppress(OSError, ValueError, AttributeError):  # FTDI's chips hold bytes back for 16 ms by themselves
                self._serial.set_low_latency_mode(True)
        except (OSError, ValueError, TerminalError) as fault:
            raise _open_error(path, fault) from None

    def read(self, seconds: float, *bells: object) -> bytes:
        """Return the data that has come, as soon as there is some; nothing when a bell can be read or time is up."""
        try:
            ready, _, _ = select.select([self._serial, *bells], [], [], seconds)
            data: bytes = self._serial.read(4096) if self._serial in ready else b""
        except (OSError, TypeError) as fault:
            raise OSError(faults.UNPLUGGED) from fault
        return data

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except SerialTimeoutException as fault:
            raise OSError(faults.STOPPED) from fault
        except OSError as fault:
            raise OSError(faults.UNPLUGGED) from fault

    def close(self) -> None:
        """Close the port; harmless a second time."""
        with suppress(OSError, TerminalError):  # the kernel would wait half a minute for a port that accepts no data
            self._serial.reset_output_buffer()
        self._serial.close()


def _open_error(path: str, fault: Exception) -> OSError:
    match fault.errno if isinstance(fault, OSError) else None:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return Absent(Message("There is no {port}", code="absent", port=path))
        case errno.EACCES | errno.EPERM:
            return OSError(
                Message(
                    "No permission to open {port}: sudo usermod -aG dialout $USER, then log out and in again",
                    code="denied",
                    port=path,
                )
            )
        case errno.EAGAIN | errno.EBUSY:
            return OSError(
                Message(
                    "{port} is in use: close the other program (another Tabularium, a terminal)", code="busy", port=path
                )
            )
        case None if isinstance(fault, SerialException):
            return OSError(Message("{port} is not a serial port", code="no_port", port=path))
    why = system_error(fault) if isinstance(fault, OSError) else str(fault)
    return OSError(Message("{port} cannot be opened: {why}", code="refused", port=path, why=why))
