"""The cache of rendered sentences on disk, by language, voice, rate and text, up to a size limit.

Only sentences without names and numbers are kept, so that the cache reveals nothing of any game.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import get_native_id
from zlib import crc32

from drivers.voice.pcm import Piece

MOST = 32_000_000
"""Bytes on disk: some five minutes of espeak-ng's speech, three sentences a second."""
HEAD = struct.Struct("<4sIII")
"""Before the samples: a mark, samples a second, bytes, and their checksum."""
MARK = b"tvk1"


class SpeechCache:
    """A cache that never fails: after a fault of the disk, a sentence is only rendered again."""

    def __init__(self, folder: Path, most: int = MOST) -> None:
        self._folder, self._most = folder, most

    def _path(self, key: Sequence[object]) -> Path:
        return self._folder / f"{sha256(repr(tuple(key)).encode()).hexdigest()[:40]}.pcm"

    def has(self, key: Sequence[object]) -> bool:
        return self._path(key).is_file()

    def find(self, key: Sequence[object], *, used: bool = True) -> Piece | None:
        """Return what was kept, None if nothing was; `used` makes it the last to be removed."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        mark, hz, size, check = HEAD.unpack_from(data) if len(data) >= HEAD.size else (b"", 0, 0, 0)
        pcm = data[HEAD.size :]
        if (mark, size, check) != (MARK, len(pcm), crc32(pcm)):
            with suppress(OSError):
                path.unlink()
            return None
        if used:
            with suppress(OSError):
                os.utime(path)
        return Piece(hz, pcm)

    def keep(self, key: Sequence[object], pieces: Sequence[Piece]) -> None:
        """Keep a sentence, written to a temporary file and renamed; the least recently used ones make room."""
        pcm = b"".join(piece.pcm for piece in pieces)
        if not pcm or len(pcm) > self._most // 4:
            return
        path = self._path(key)
        # the thread's own name: each mouth has its thread, and both may keep one sentence
        beside = path.with_name(f"{path.name}.{get_native_id()}.new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(HEAD.pack(MARK, pieces[0].hz, len(pcm), crc32(pcm)) + pcm)
            beside.replace(path)
            self._make_room(path)
        except OSError:
            with suppress(OSError):
                beside.unlink()

    def _make_room(self, latest: Path) -> None:
        # the latest goes last, even if the clock has been set back and its time is the oldest
        files = sorted(self._files(), key=lambda file: (file[0] == latest, file[1].st_mtime_ns))
        over = sum(status.st_size for _, status in files) - self._most
        for path, status in files:
            if over <= 0:
                return
            path.unlink()
            over -= status.st_size

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self._folder.iterdir():
            with suppress(OSError):
                yield path, path.stat()
