"""The format of sound between engines and sinks: mono, signed 16 bit, little-endian."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Piece(NamedTuple):
    """A piece of sound: samples a second, and the samples."""

    hz: int
    pcm: bytes

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / self.hz


def softer(pcm: bytes, percent: int) -> bytes:
    if percent >= 100:
        return pcm
    gain = round(65536 * (percent / 100) ** 2)  # loudness as the ear perceives it
    return array("h", [sample * gain >> 16 for sample in array("h", pcm)]).tobytes()


def mixed(pcm: bytes, over: bytes) -> bytes:
    """Return both sounds at once, as long as the first."""
    under, above = array("h", pcm), array("h", over[: len(pcm)])
    for at, sample in enumerate(above):
        under[at] = max(-32768, min(32767, under[at] + sample))
    return under.tobytes()


def cut(pieces: Iterable[Piece], samples: int) -> Iterator[Piece]:
    """Yield the sound in pieces of at most `samples`; half a sample at the end waits for its other half."""
    rest, hz = b"", 0
    for piece in pieces:
        hz, pcm = piece.hz, rest + piece.pcm
        whole = len(pcm) - len(pcm) % 2
        for at in range(0, whole, 2 * samples):
            yield Piece(hz, pcm[at : min(at + 2 * samples, whole)])
        rest = pcm[whole:]


def wav(pieces: Iterable[Piece]) -> bytes:
    """Return a WAV file; all pieces have the rate of the first."""
    found = list(pieces)
    hz = found[0].hz if found else 22050
    pcm = b"".join(piece.pcm for piece in found)
    size = len(pcm)
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, hz, 2 * hz, 2, 16)
    return struct.pack("<4sI4s", b"RIFF", 36 + size, b"WAVE") + form + struct.pack("<4sI", b"data", size) + pcm


def unwrapped(head: bytes) -> tuple[int, int] | None:
    """Return the rate of a WAV file that begins like this, and where its samples begin; None if more is needed.

    Raises ValueError for anything else. The length it names is left alone: a program that writes as it speaks does not
    know it yet.
    """
    if head[:4] != b"RIFF"[: len(head)] or head[8:12] != b"WAVE"[: max(0, len(head) - 8)]:
        raise ValueError("no sound")
    at, hz = 12, 0
    while at + 8 <= len(head):
        name, size = struct.unpack_from("<4sI", head, at)
        if name == b"data" and hz:
            return hz, at + 8
        if name == b"fmt " and at + 24 <= len(head):
            kind, channels, hz, _, _, bits = struct.unpack_from("<HHIIHH", head, at + 8)
            if (kind, channels, bits) != (1, 1, 16) or not 4000 <= hz <= 192_000:
                raise ValueError("no sound of 16 bits")
        if size > len(head) > 4096:
            break
        at += 8 + size + size % 2
    if len(head) > 4096:
        raise ValueError("no sound")
    return None
