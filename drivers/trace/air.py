"""The exchanges between one reader and its tags, with masked ids."""

from __future__ import annotations

from drivers.rc522.air import HALT, LEVELS, REQA, WHOLE, WUPA, bcc, crc_a
from drivers.rc522.transceiver import COLLISION, NO_POSITION
from drivers.trace.ids import PART, Ids

BROKEN = 0x13
"""Errors after which an answer is meaningless, unless it was a collision."""


class Air:
    """A follower of one reader's exchanges, in their order.

    The parts of an id that have been selected determine what the bits of the next frame mean.
    """

    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._before: bytes | None = None  # the parts selected; None while they are unknown
        self._asked: tuple[int, int] | None = None  # of an anticollision: how many bits were known, and which
        self._followed = False  # whether the latest frame was understood

    def frame(self, frame: bytes) -> bytes | None:
        """Return the frame with masked ids; None for one whose meaning is unknown here."""
        self._asked, self._followed = None, True
        if frame in (bytes([REQA]), bytes([WUPA])):
            self._before = b""
            return frame
        if frame == bytes(HALT) + crc_a(HALT):
            return frame
        if len(frame) < 2 or frame[0] not in LEVELS or self._forget_from(LEVELS.index(frame[0])):
            self._followed = False
            return None
        made = self._select(frame) if frame[1] == WHOLE else self._anticollision(frame)
        self._followed = made is not None
        return made

    def _forget_from(self, level: int) -> bool:
        """Forget what was selected from this level on; return whether the parts before it are unknown."""
        if self._before is None or len(self._before) < 4 * level:
            return True
        self._before = self._before[: 4 * level]
        return False

    def _select(self, frame: bytes) -> bytes | None:
        part, before = frame[2:6], self._before
        if len(frame) != 9 or before is None:
            return None
        made = self._ids.part(before, part)
        self._before = before + part
        head = frame[:2] + made + bytes([bcc(made) ^ bcc(part) ^ frame[6]])
        return head + (crc_a(head) if crc_a(frame[:7]) == frame[7:] else frame[7:])

    def _anticollision(self, frame: bytes) -> bytes | None:
        bits = 8 * (frame[1] >> 4) + (frame[1] & 7) - 16
        if not 0 <= bits <= PART or self._before is None:
            return None
        known = int.from_bytes(frame[2:], "little")
        self._asked = bits, known & (1 << bits) - 1
        made = self._ids.bits(self._before, known, bits)
        return frame[:2] + made.to_bytes(len(frame) - 2, "little")

    def learn(self, frame: bytes) -> None:
        """Learn a frame of the trace, before any is masked: where the driver has chosen a one, it stays."""
        self.frame(frame)
        if self._asked and self._asked[0] and self._before is not None:
            bits, known = self._asked
            self._ids.kept.add((self._before, bits - 1, known & (1 << bits - 1) - 1))

    def answer(self, answer: bytes, error: int, control: int, coll: int) -> bytes:
        """Return the answer to the latest frame with masked ids; zeros where it cannot be understood."""
        collided = bool(error & COLLISION)
        if not self._followed or (not collided and (error & BROKEN or control & 7)):
            return bytes(len(answer))
        if self._asked is None or self._before is None or not answer:
            return answer
        bits, known = self._asked
        rest = bits % 8
        heard = int.from_bytes(answer, "little") >> rest
        if collided:
            made = self._mask_collision(heard, bits, known, coll)
        elif len(answer) == 5 - bits // 8:
            made = self._with_check_byte(known | heard << bits) >> bits
        else:
            return bytes(len(answer))
        return (made << rest & (1 << 8 * len(answer)) - 1).to_bytes(len(answer), "little")

    def _with_check_byte(self, value: int) -> int:
        """Return a part with its check byte, masked; a wrong check byte stays wrong."""
        assert self._before is not None
        part = (value & (1 << PART) - 1).to_bytes(4, "little")
        made = self._ids.part(self._before, part)
        return int.from_bytes(made, "little") | (bcc(made) ^ bcc(part) ^ value >> PART & 0xFF) << PART

    def _mask_collision(self, heard: int, bits: int, known: int, coll: int) -> int:
        """Return the understood bits, masked: those before the collision and, in a first answer, the one at it."""
        assert self._before is not None
        place = coll & 0x1F or 32
        if bits or coll & NO_POSITION or place == 1:
            return self._ids.bits(self._before, known | (heard & 1) << bits, bits + 1) >> bits
        made = self._ids.bits(self._before, heard, place - 1)
        return made | heard & 1 << place - 1
