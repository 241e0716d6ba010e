"""A PN532 at a serial port: the tags in its field, one poll after another."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from companion.hardware.tap import Tap, silent
from companion.rules.message import Message
from drivers.pn532.frames import ACK, ERROR, NACK, Damaged, Listener, frame

# commands (UM0701-02, 7)
FIRMWARE = bytes([0x02])
SAM = bytes([0x14, 0x01, 0x14, 0x01])
"""SAMConfiguration: normal mode. Until then the chip does nothing else after it has woken up."""
RETRIES = bytes([0x32, 0x05, 0xFF, 0x01, 0x01])
"""RFConfiguration 5: look for a tag once and once again; left alone, the chip would wait for one for ever."""
FIELD_OFF, FIELD_ON = bytes([0x32, 0x01, 0x00]), bytes([0x32, 0x01, 0x01])
LOOK = bytes([0x4A, 0x02, 0x00])
"""InListPassiveTarget: at most two tags (it can tell no more apart), of type A at 106 kbit/s."""
WAKE = bytes.fromhex("5555000000000000000000000000")

ACK_S, ANSWER_S, FIRST_S = 0.1, 0.2, 1.5
"""Seconds the chip is given to confirm a command, to answer it, and to answer the first.

On a Pi the first data of a port may come a second late.
"""
TRIES = 3
FRAMES = 16
"""Whole frames read for one answer at most: a chip that repeats itself must not hold the driver for ever."""
SILENT = Message("It does not answer", code="silent")
MOST = 2
UIDS = (4, 7, 10)
"""The possible lengths of a tag's number in bytes (ISO/IEC 14443-3)."""


class SerialLine(Protocol):
    """A serial port."""

    def read(self, seconds: float) -> bytes: ...
    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...


class Pn532:
    """One reader, on a port that is open. Raises OSError where no PN532 answers."""

    def __init__(self, line: SerialLine, clock: Callable[[], float] = time.monotonic, tap: Tap = silent) -> None:
        self._line, self._clock, self._tap = line, clock, tap
        self._heard = Listener()
        self._known: frozenset[str] = frozenset()
        self.several = False
        """Two tags lie there, or more."""
        self.faint: frozenset[str] = frozenset()
        """The tags seen only by the second look of a poll."""
        try:
            self.version = self._wake_and_set_up()
        except OSError:
            self.close()
            raise

    def _wake_and_set_up(self) -> int:
        """Wake the chip and set it up; return the version and revision of its firmware."""
        # after power-up the chip is in a low-power mode, and the first bytes only wake it
        self._line.write(WAKE)
        self._command(SAM, FIRST_S)
        chip, *version = self._command(FIRMWARE)[:3]
        if chip != 0x32:
            raise OSError(Message("The chip is not a PN532", code="other"))
        self._command(RETRIES)
        return version[0] << 8 | version[1]

    def poll(self) -> frozenset[str]:
        """Return the tags in the field now. A change counts once a second look has seen it too."""
        seen = self._read_tags()
        self.faint = frozenset()
        if seen != self._known:
            again = self._read_tags()
            self.faint = (again - seen) & self._known
            # what one look alone has seen stays as it was: neither a coming nor a going counts yet
            seen = (seen & again) | ((seen | again) & self._known)
        self._known = seen
        return seen

    def _read_tags(self) -> frozenset[str]:
        """Return the tags that one look sees, after switching the field off and on.

        Otherwise every second look misses a tag that stays, and so does a look that must be repeated.
        """
        for last in (False,) * (TRIES - 1) + (True,):
            self._command(FIELD_OFF)
            self._command(FIELD_ON)
            listed = self._single_attempt(LOOK, ACK_S)
            if listed is not None:
                break
            self._line.write(ACK)
            if last:
                raise OSError(SILENT)
        found = tags(listed or b"")
        self.several = len(found) == MOST
        return found

    def _command(self, command: bytes, seconds: float = ACK_S) -> bytes:
        """Return the chip's answer to a command, without the code; `seconds` are for confirming the first attempt.

        Raises OSError if the chip does not answer after all attempts.
        """
        for wait in (seconds, *(ACK_S,) * (TRIES - 1)):
            found = self._single_attempt(command, wait)
            if found is not None:
                return found
            self._line.write(ACK)  # the chip stops its current command
        raise OSError(SILENT)

    def _single_attempt(self, command: bytes, seconds: float) -> bytes | None:
        """Return the chip's answer to a single attempt, None for none, and record it with the tap."""
        said = self._read_answer(command, seconds)
        if said is None:
            self._tap(asked=command)
        else:
            self._tap(asked=command, said=said)
        return said

    def _read_answer(self, command: bytes, seconds: float) -> bytes | None:
        """Return the chip's answer to a single attempt, None for none; a damaged answer is requested again."""
        # what is left of an earlier answer must not be taken for this one's
        self._heard.clear()
        self._line.write(frame(command))
        until, confirmed = self._clock() + seconds, False
        for _ in range(TRIES):
            for _ in range(FRAMES):
                said = self._next_frame(until)
                if said is None:
                    if not confirmed:  # the chip has not received the command
                        return None
                    break
                if said == ACK:
                    # a second ACK must not extend the time
                    until, confirmed = until if confirmed else self._clock() + ANSWER_S, True
                elif said[:1] == bytes([command[0] + 1]):
                    return said[1:]
                elif said == ERROR:
                    return None
                elif not said:
                    break
            else:  # the chip does not stop sending
                return None
            self._heard.clear()
            self._line.write(NACK)
            until = self._clock() + ANSWER_S
        return None

    def _next_frame(self, until: float) -> bytes | None:
        """Return the next frame; b"" for a damaged one, None if time is up."""
        while True:
            try:
                said = self._heard.next()
            except Damaged:
                return b""
            if said is not None:
                return said
            left = until - self._clock()
            if left <= 0:
                return None
            self._heard.feed(self._line.read(left))

    def close(self) -> None:
        self._line.close()


def tags(listed: bytes) -> frozenset[str]:
    """Return the tags in an answer to a look; none if the answer is inconsistent (7.3.5)."""
    if not listed or listed[0] > MOST:
        return frozenset()
    found, at = set(), 1
    for number in range(1, listed[0] + 1):
        head = listed[at : at + 5]
        if len(head) < 5 or head[0] != number or head[4] not in UIDS:
            return frozenset()
        uid = listed[at + 5 : at + 5 + head[4]]
        if len(uid) < head[4]:
            return frozenset()
        found.add(uid.hex().upper())
        at += 5 + head[4]
        if head[3] & 0x20 and at < len(listed):  # it offers a further protocol, as a telephone does: SEL_RES, bit 6
            at += listed[at]
    return frozenset(found) if at == len(listed) else frozenset()
