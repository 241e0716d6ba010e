"""Readers that see what was seen: poll by poll, or through the driver on a chip that answers as recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from companion.kind import Reader
from drivers.rc522.reader import Rc522
from drivers.rc522.transceiver import Clock
from drivers.trace.chips import BusChip, ExchangeChip, Ticking
from drivers.virtual.spi import VirtualPi

Line = dict[str, Any]


class Source(Protocol):
    """A reader that is given what was recorded of each turn before that turn is taken."""

    @property
    def otherwise(self) -> int:
        """How often the driver asked what nobody had asked in that turn."""

    def begin(self, turn: Sequence[Line], /) -> None: ...
    def open(self) -> Reader: ...


class Polls:
    """A reader of any kind, by the results of its polls."""

    otherwise = 0

    def __init__(self) -> None:
        self.faint: frozenset[str] = frozenset()
        self.several = False
        self._last: Line = {}

    def begin(self, turn: Sequence[Line]) -> None:
        self._last = turn[-1]

    def open(self) -> Reader:
        return self

    def poll(self) -> frozenset[str]:
        if "fault" in self._last:
            raise OSError(self._last["fault"])
        self.faint, self.several = frozenset(self._last["faint"]), self._last["several"]
        return frozenset(self._last["polled"])

    def close(self) -> None:
        """There is nothing to let go of."""


class OnChip:
    """The RC522's driver, under its package, on a chip that answers as recorded."""

    def __init__(self, wired: Line, chip: ExchangeChip | BusChip, clock: Clock) -> None:
        self._chip, self._clock = chip, clock
        self._place = wired.get("bus", 0), wired.get("device", 0)
        self._reset = wired.get("reset", 25)
        self._pi = VirtualPi({self._place: chip})
        self._refused = ""

    @property
    def otherwise(self) -> int:
        return self._chip.otherwise

    def begin(self, turn: Sequence[Line]) -> None:
        reached = any(key in line for line in turn for key in ("exchange", "registers", "sent"))
        self._refused = "" if reached else turn[-1].get("fault", "")
        self._chip.begin(turn)

    def open(self) -> Reader:
        if self._refused:
            raise OSError(self._refused)
        return Rc522(*self._place, self._reset, self._pi.mfrc522, self._clock)


def on_exchanges(wired: Line, lines: Sequence[Line]) -> Source:
    """A reader by its exchanges with tags and its watched registers."""
    return OnChip(wired, ExchangeChip(lines), Ticking())


def on_bus(wired: Line, _: Sequence[Line]) -> Source:
    """A reader by its transfers on the bus."""
    chip = BusChip()
    return OnChip(wired, chip, chip)
