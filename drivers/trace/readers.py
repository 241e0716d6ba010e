"""Readers that return what was recorded: poll by poll, or through the driver on a chip that answers as recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from companion.hardware.kind import Reader
from drivers.rc522.reader import TX_CONTROL, VERSION, Rc522
from drivers.rc522.transceiver import Clock
from drivers.trace.chips import READ, BusChip, ExchangeChip, Registers, Ticking
from drivers.virtual.spi import VirtualPi

Line = dict[str, Any]
PAIR = b"\0\0", b"\0\0"
"""A transfer of one register."""


class Source(Protocol):
    """A reader that is given the recording of each turn before that turn is taken."""

    @property
    def otherwise(self) -> int:
        """Return how often the driver asked a question that the recording of that turn lacks."""

    def begin(self, turn: Sequence[Line], /) -> None: ...
    def open(self) -> Reader: ...


class ReplayedPolls:
    """A reader of any kind, replayed by the results of its polls."""

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
        self.faint, self.several = frozenset(self._last["faint"].split()), self._last["several"]
        return frozenset(self._last["polled"].split())

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class OnChip:
    """The RC522's driver, under its package, on a chip that answers as recorded."""

    def __init__(self, wired: Line, chip: ExchangeChip | BusChip, clock: Clock, standing: Registers) -> None:
        """Create the reader; `standing` is what the watched registers held when the reader was well."""
        self._chip, self._clock, self._standing = chip, clock, standing
        self._place = wired.get("bus", 0), wired.get("device", 0)
        self._reset, self._gain = wired.get("reset", 25), wired.get("gain")
        self._pi = VirtualPi({self._place: chip})
        self._refused = ""
        self._opens = True
        self._turn: Sequence[Line] = ()

    @property
    def otherwise(self) -> int:
        return self._chip.otherwise

    def begin(self, turn: Sequence[Line]) -> None:
        reached = any(key in line for line in turn for key in ("exchange", "registers", "sent"))
        self._refused = "" if reached else turn[-1].get("fault", "")
        self._opens = any("opened" in line or "fault" in line for line in turn)
        self._turn = turn
        self._chip.begin(turn)

    def open(self) -> Reader:
        if self._refused:
            raise OSError(self._refused)
        if not self._opens:
            self._chip.found(self._standing)
        reader = Rc522(*self._place, self._reset, self._pi.mfrc522, self._clock, gain=self._gain)
        if not self._opens:
            self._chip.begin(self._turn)
        return reader


def on_exchanges(wired: Line, lines: Sequence[Line]) -> Source:
    """Return a reader replayed by its exchanges with tags and its watched registers."""
    pairs = next((bytes.fromhex(line["registers"]) for line in lines if "registers" in line), b"")
    return OnChip(wired, ExchangeChip(lines), Ticking(), _antenna_off(dict(zip(pairs[::2], pairs[1::2], strict=True))))


def on_bus(wired: Line, lines: Sequence[Line]) -> Source:
    """Return a reader replayed by its transfers on the bus."""
    read = READ | VERSION << 1
    watched = ((bytes.fromhex(line["sent"]), bytes.fromhex(line["got"])) for line in lines if "sent" in line)
    sent, got = next(((sent, got) for sent, got in watched if sent[0] == read and len(sent) > len(PAIR)), PAIR)
    registers = [address >> 1 & 0x3F for address in sent[:-1]]
    chip = BusChip()
    return OnChip(wired, chip, chip, _antenna_off(dict(zip(registers, got[1:], strict=True))))


def _antenna_off(registers: dict[int, int]) -> Registers:
    """Return the registers with the antenna off, as a reader is left."""
    return registers | {TX_CONTROL: registers.get(TX_CONTROL, 0) & ~3}
