"""Chips that answer as recorded: by their exchanges, or transfer by transfer. Driver and package run on them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from drivers.rc522.air import LEVELS
from drivers.rc522.reader import VERSION
from drivers.rc522.transceiver import (
    BIT_FRAMING,
    COLL,
    COM_IRQ,
    CONTROL,
    ERROR,
    FIFO_DATA,
    FIFO_LEVEL,
    FLUSH,
    RECEIVED,
    SENT,
    START_SEND,
    TIMED_OUT,
)

Line = dict[str, Any]
READ = 0x80
GLANCE = 5e-5
"""Seconds added by each reading of the clock, so that every wait for a time ends."""
Registers = Mapping[int, int]
Question = tuple[str, str, int]
"""The selection before a frame, the frame, and its framing."""


class Ticking:
    """A clock that advances when it is read or slept on."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += GLANCE
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.now += seconds


class ExchangeChip:
    """A chip whose tags answer as recorded; before each turn of its reader it is given that turn's recording.

    A frame that was not sent in that turn gets its latest recorded answer, or its next one, if it names a tag that may
    lie there; any other meets silence. `otherwise` counts such frames: they mean that the driver has changed since the
    recording.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self.otherwise = 0
        self._lately = _first_answers(lines)
        self._exchanges: deque[Line] = deque()
        self._watched: deque[bytes] = deque()
        self._registers: dict[int, int] = {}
        self._fifo: list[int] = []
        self._irq = 0
        self._selected = ""
        self._here = False  # a tag has answered in this turn

    def begin(self, turn: Sequence[Line]) -> None:
        """Load what was recorded in the next turn of the reader."""
        self._exchanges = deque(line for line in turn if "exchange" in line)
        self._watched = deque(bytes.fromhex(line["registers"]) for line in turn if "registers" in line)
        self._selected, self._here = "", False

    def found(self, registers: Registers) -> None:
        """Set the registers up for a driver that opens the chip now, but did not in the recording."""
        self._watched.appendleft(bytes(chain(*registers.items())))

    holds = ""

    def restart(self) -> None:
        """Do nothing on a reset: the recording tells what the registers held afterwards."""

    def transfer(self, sent: Sequence[int], _: float = 1e6) -> list[int]:
        first, *rest = sent
        register = first >> 1 & 0x3F
        if first & READ:
            if register == VERSION:
                self._load_watched(whole=len(sent) > 2)
            return [0, *(self._read(address >> 1 & 0x3F) for address in sent[:-1])]
        for value in rest:
            self._write(register, value)
        return [0] * len(sent)

    def _load_watched(self, whole: bool) -> None:
        """Load the watched registers' next values; reading the version alone does not consume them."""
        if self._watched:
            pairs = self._watched.popleft() if whole else self._watched[0]
            self._registers |= dict(zip(pairs[::2], pairs[1::2], strict=True))

    def _read(self, register: int) -> int:
        if register == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        return self._irq if register == COM_IRQ else self._registers.get(register, 0)

    def _write(self, register: int, value: int) -> None:
        if register == FIFO_DATA:
            self._fifo.append(value)
        elif register == FIFO_LEVEL and value & FLUSH:
            self._fifo.clear()
        elif register == BIT_FRAMING and value & START_SEND:
            self._answer_frame(bytes(self._fifo), value & ~START_SEND)

    def _answer_frame(self, frame: bytes, framing: int) -> None:
        line = self._find_exchange(frame.hex().upper(), framing)
        if frame[1:2] == b"\x70":
            self._selected = frame.hex().upper()
        answer = bytes.fromhex(line["answer"]) if "answer" in line else None
        self._here = self._here or answer is not None
        self._fifo = list(answer or b"")
        self._irq = line.get("irq", SENT | (TIMED_OUT if answer is None else RECEIVED))
        self._registers |= {
            ERROR: line.get("error", 0),
            CONTROL: line.get("control", 0),
            COLL: line.get("collision", 0),
        }

    def _find_exchange(self, frame: str, framing: int) -> Line:
        for at, line in enumerate(self._exchanges):
            if line["exchange"] == frame and line["framing"] == framing:
                for _ in range(at + 1):
                    self._exchanges.popleft()
                if int(frame[:2], 16) in LEVELS:
                    self._lately[self._selected, frame, framing] = line
                return line
        self.otherwise += 1
        known = self._lately.get((self._selected, frame, framing)) if self._here else None
        return known or {}


def _first_answers(lines: Sequence[Line]) -> dict[Question, Line]:
    """Return the first answer to each frame that names its tag, or that follows such a frame."""
    selected, found = "", dict[Question, Line]()
    for line in (line for line in lines if "exchange" in line):
        frame = bytes.fromhex(line["exchange"])
        if frame[0] not in LEVELS:
            selected = ""
            continue
        if selected or frame[1:2] != b"\x20":
            found.setdefault((selected, line["exchange"], line["framing"]), line)
        if frame[1:2] == b"\x70":
            selected = line["exchange"]
    return found


class BusChip:
    """A chip that answers each transfer as recorded, and the clock as it stood then."""

    def __init__(self) -> None:
        self.otherwise = 0
        self._turn: Sequence[Line] = ()
        self._at = 0
        self._standing: Registers | None = None
        self._lost = 0.0  # seconds spent on requests that the recording lacks

    def begin(self, turn: Sequence[Line]) -> None:
        """Load what was recorded in the next turn of the reader."""
        self._turn = [line for line in turn if "sent" in line]
        self._at, self._standing = 0, None

    def found(self, registers: Registers) -> None:
        """Set the registers up for a driver that opens the chip now, but did not in the recording.

        They stay so until the next `begin`.
        """
        self._standing = registers

    holds = ""

    def restart(self) -> None:
        """Do nothing on a reset."""

    def monotonic(self) -> float:
        if not self._turn:
            return self._lost
        line = self._turn[min(self._at, len(self._turn) - 1)]
        now: float = line["clock"][0 if self._at < len(self._turn) else 1] / 1e6
        return now + self._lost

    def sleep(self, seconds: float, /) -> None:
        """Do nothing: the recorded clock includes the sleep."""

    def transfer(self, sent: Sequence[int], _: float = 1e6) -> list[int]:
        if self._standing is not None:
            self._lost += GLANCE
            return [0, *(self._standing.get(address >> 1 & 0x3F, 0) for address in sent[:-1])]
        wanted = bytes(sent).hex().upper()
        ahead = range(self._at, len(self._turn) if self._at else 1)  # until the first, the package sets up the chip
        for at in ahead:
            if self._turn[at : at + 1] and self._turn[at]["sent"] == wanted:
                self._at, self._lost = at + 1, 0.0
                return list(bytes.fromhex(self._turn[at]["got"]))
        self._lost += GLANCE
        if sent[0] & READ and self._at:
            self.otherwise += 1
        return [0] * len(sent)
