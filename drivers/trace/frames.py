"""Replay of readers other than the RC522, through their drivers: a PN532 and a service that answer as recorded."""

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
"""The answers to a driver's first questions where they were not recorded; any other question is only acknowledged."""
MODEL = "recorded"


class OnBoard:
    """A PN532 that gives a turn's recorded answers, in order, to the questions recorded in that turn."""

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
        """Answer a question; ignore all other data."""
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
        """Do nothing: there is nothing to close."""


def _answer(asked: bytes, said: bytes) -> bytes:
    """Return the frame of a PN532's answer: D5, and the command's code plus one."""
    body = bytes([0xD5, asked[0] + 1]) + said
    return bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


class OnService:
    """A reader that pcscd has, by its recorded states and its cards' recorded answers."""

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
        """Return the recorded state; its count of events rises with each card that was asked."""
        if self._refused:
            raise OSError(self._refused)
        return self._status & 0xFFFF | self._asked << 16

    def wait(self, reader: str, state: int, seconds: float) -> None:
        """Do nothing: a replay does not wait."""

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
        """Do nothing: there is nothing to close."""
