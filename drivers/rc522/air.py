"""The messages between reader and tag: commands and check bytes of ISO/IEC 14443-3, type A."""

from collections.abc import Iterable
from functools import reduce
from operator import xor

REQA = 0x26
"""Wakes all tags not halted; seven bits."""
WUPA = 0x52
"""Wakes the halted ones too; seven bits."""
LEVELS = (0x93, 0x95, 0x97)
"""Selects part after part of an id: four bytes have one part, seven two, ten three (6.5.3.1)."""
WHOLE = 0x70
"""The number of valid bits in a selection; with fewer, the frame is an anticollision."""
HALT = (0x50, 0x00)
CASCADE_TAG = 0x88
"""The first of a part's four bytes if three of the id's bytes follow and others after them (6.5.4)."""
MORE = 0x04
"""The bit of the SAK that says the id goes on: the one sure sign of it, as a short id may begin with 88."""


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0x8408 if byte & 1 else 0)
    return byte


_TABLE = [_entry(byte) for byte in range(256)]


def crc_a(data: Iterable[int]) -> bytes:
    """Return the two check bytes of a standard frame (annex B)."""
    crc = 0x6363
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc.to_bytes(2, "little")


def bcc(part: Iterable[int]) -> int:
    """Return the check byte of four bytes of an id."""
    return reduce(xor, part)


def first_part(uid: bytes) -> bytes:
    """Return the four bytes that an id's first anticollision brings up (6.5.4)."""
    return uid if len(uid) == 4 else bytes([CASCADE_TAG]) + uid[:3]
