"""Discovery of PN532s: asks every serial port that could be one, before the port is greeted as a hub."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

from companion.hardware.kind import Sighting
from drivers.pn532.reader import Pn532
from drivers.pn532.settings import Pn532Settings
from drivers.port import Plugged, SerialPort, lasting, plugged

NATIVE = ("2E8A", "303A", "239A")
"""Vendors of microcontrollers with their own USB port: no PN532 behind a bridge answers there."""


def search(ports: Callable[[], Iterable[Plugged]] = plugged) -> Iterator[Sighting[Pn532Settings]]:
    """Yield the ports at which a PN532 answers; the others belong to other devices."""
    there = list(ports())
    for port in there:
        if port.usb.upper().startswith(NATIVE):
            continue
        try:
            with closing(Pn532(SerialPort(port.path))) as reader:
                version = reader.version
        except OSError:
            continue
        key, word = lasting(port, there)
        if key:
            yield Sighting(port.path, Pn532Settings(**{key: word}), version)
