"""Readers that are no RC522, through their drivers: a PN532 that answers as recorded, a service that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.hardware.kind import Reader
from drivers.pcsc.lite import LIFTED, CardHandle, PcscError
from drivers.pcsc.reader import DONE, UID, PcscReader
from drivers.pn532.frames import ACK, frame
from drivers.pn532.reader import FIRMWARE, Pn532

Line = dict[str, Any]
USUAL = {FIRMWARE: bytes([0x32, 0x01, 0x06, 0x07])}
"""What is answered to the questions of the beginning where nobody recorded them; else nothing but that it was heard."""
MODEL = "recorded"


class OnBoard:
    """A PN532: the answers of a turn, in order, to those questions that were asked in it."""

    def __init__(self) -> None:
        self.otherwise = 0
        self._refused = ""
        self._left: list[Line] = []
        self._usual = self._opens = False
        self._said = b""
        self._now = 0.0

    def begin(self, turn: Sequence[Line]) -> None:
        self._left = [line for line in turn if "asked" in line]
        self._refused = "" if self._left else turn[-1].get("fault", "")
        self._opens = any("opened" in line or "fault" in line for line in turn)

    def open(self) -> Reader:
        if self._refused:
            raise OSError(self._refused)
        self._usual = not self._opens
        reader = Pn532(self, lambda: self._now)
        self._usual = False
        return reader

    # -- the port ------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """A question is answered; whatever else is written is not heard."""
        if self._usual and len(data) > len(ACK) and data[:2] == b"\0\0":
            asked = data[6:-2]
            self._said = ACK + _answer(asked, USUAL.get(asked, b""))
            return
        if not self._left or frame(bytes.fromhex(self._left[0]["asked"])) != data:
            self.otherwise += len(data) > len(ACK) and data[:2] == b"\0\0"
            return
        line = self._left.pop(0)
        if "said" in line:
            self._said = ACK + _answer(bytes.fromhex(line["asked"]), bytes.fromhex(line["said"]))

    def read(self, seconds: float) -> bytes:
        said, self._said = self._said, b""
        self._now += 0 if said else seconds
        return said

    def close(self) -> None:
        """There is nothing to let go of."""


def _answer(asked: bytes, said: bytes) -> bytes:
    """The frame in which a PN532 says it: D5, and the command's code plus one."""
    body = bytes([0xD5, asked[0] + 1]) + said
    return bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


class OnService:
    """A reader that pcscd has: its states, and what its cards said of themselves."""

    def __init__(self) -> None:
        self.otherwise = 0
        self._refused = ""
        self._status = self._asked = self._ms = 0
        self._cards: list[str] = []
        self._tag = ""

    def begin(self, turn: Sequence[Line]) -> None:
        self._cards = [line["card"] for line in turn if "card" in line]
        self._asked += len(self._cards)
        states = [line["status"] for line in turn if "status" in line]
        self._status = states[-1] if states else self._status
        self._refused = turn[-1].get("fault", "")
        self._ms = turn[-1].get("ms", self._ms)

    def open(self) -> Reader:
        if self._refused:
            raise OSError(self._refused)
        return PcscReader(MODEL, 1, lambda: self, lambda: self._ms / 1000)

    # -- the service ---------------------------------------------------------------------------------------------

    def readers(self) -> Sequence[str]:
        return [MODEL]

    def status(self, reader: str) -> int:  # noqa: ARG002 - there is one
        """A card was asked whenever it was that day: what counts the events counts that."""
        if self._refused:
            raise OSError(self._refused)
        return self._status & 0xFFFF | self._asked << 16

    def wait(self, reader: str, state: int, seconds: float) -> None:
        """Nobody waits in a replay."""

    def connect(self, reader: str) -> CardHandle:  # noqa: ARG002 - there is one
        return self

    def transmit(self, command: bytes) -> bytes:
        if command != UID:
            return DONE
        if self._cards:
            self._tag = self._cards.pop(0)
        if not self._tag:
            raise PcscError(min(LIFTED))
        return bytes.fromhex(self._tag) + DONE

    def close(self) -> None:
        """There is nothing to let go of."""
