"""Notices what is plugged in while the program runs: reads the system's own lists and opens nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from drivers import ROOT
from drivers.controllers import listed
from drivers.pcsc import plugged

Arrival = Literal["reader", "board", "buttons"]
"""A card reader; a board at a serial port, which may be a hub or a reader; an encoder or a pad. A keyboard or a mouse
is none: it is plugged in for other reasons."""
BOARDS = "dev/serial/by-id"


class Arrivals:
    """The devices that have been plugged in since the program began."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root
        self._before = frozenset(self._plugged_in())

    def _plugged_in(self) -> Iterator[tuple[Arrival, str]]:
        yield from (("reader", name) for name in plugged.readers(self._root))
        yield from (("board", link.name) for link in (self._root / BOARDS).glob("*"))
        devices = (device for device in listed.devices(self._root) if device.playable and not device.types)
        yield from (("buttons", f"{device.usb} {device.place}") for device in devices)

    def new(self) -> frozenset[Arrival]:
        """Return the sorts of device that have been plugged in."""
        return frozenset(sort for sort, _ in frozenset(self._plugged_in()) - self._before)
