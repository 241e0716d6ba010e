"""Zip files that the program has written itself, and that come back from a stick.

The program trusts nothing that such a file says of itself: its list must be short and in the right place before it is
read, its members are known by name, and each is unpacked piece by piece, up to the size that it may have.
"""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from struct import Struct
from types import TracebackType
from typing import BinaryIO

from companion.system import files

END, LOCAL = Struct("<4s4H2LH"), 30
"""The end of a list, and the bytes that stand before a member besides its name."""
END_64 = 20
"""Bytes before the end of a list, where one for files of over 4 GB is announced."""
MEMBERS, LIST = 10_000, 1_000_000
"""The largest number of members, and the largest size of their list in bytes."""
PIECE = 1 << 18
HARMLESS = 0x800 | 0x8 | 0x6
"""Flags that change nothing: names in UTF-8, sizes that stand behind a member too, as other programs write them, and
how hard it was compressed."""
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of packing that can be undone piece by piece."""
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""The exceptions that unpacking a damaged file raises."""


class TooLarge(zipfile.BadZipFile):
    """An archive that is larger than what it should hold."""


class Bounded(zipfile.ZipFile):
    """A zip file with a short list of members; no member is unpacked beyond the size that it states.

    Raises zipfile.BadZipFile for any other. Callers check a member's size before they read it.
    """

    def __init__(self, file: BinaryIO) -> None:
        _listed(file)
        super().__init__(file)

    def read(self, name: str | zipfile.ZipInfo, pwd: bytes | None = None) -> bytes:
        info = self.getinfo(name) if isinstance(name, str) else name
        if info.compress_type not in PACKED:
            raise zipfile.BadZipFile(f"{info.filename} is packed in another way")
        with self.open(info, pwd=pwd) as member:
            return member.read(info.file_size + 1)


class Archive:
    """A zip file as the program writes them.

    `most` gives how many bytes a member may have, None for one that does not belong in it. Raises zipfile.BadZipFile
    for anything else, and OSError. To be closed, as by `with`.
    """

    def __init__(self, file: Path | BinaryIO, most: Callable[[str], int | None]) -> None:
        self._file = file.open("rb") if isinstance(file, Path) else file
        try:
            listed = _listed(self._file)
            self._zip = zipfile.ZipFile(self._file)
            self._members = {info.filename: info for info in self._zip.infolist()}
            if len(self._members) != listed:
                raise zipfile.BadZipFile("a name is missing in its list, or stands there twice")
            self._require_ours(most)
        except BaseException:  # raised again: only the file must not stay open
            self._file.close()
            raise

    def _require_ours(self, most: Callable[[str], int | None]) -> None:
        for info in self._zip.infolist():
            known, mode = most(info.filename), info.external_attr >> 16
            if known is None or info.filename != info.orig_filename or stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise zipfile.BadZipFile(f"{info.filename[:40]!r} does not belong in it")
            if info.file_size > known or info.compress_size > known + PIECE:
                raise TooLarge(f"{info.filename} is too large")
            if info.flag_bits & ~HARMLESS or info.compress_type not in PACKED:
                raise zipfile.BadZipFile(f"{info.filename} is encrypted, or packed in another way")
        places = sorted((info.header_offset, LOCAL + len(info.filename.encode()) + info.compress_size)
                        for info in self._zip.infolist())  # fmt: skip
        ends = [*places, (self._zip.start_dir, 0)]
        if ends[0][0] or any(at + size > after for (at, size), (after, _) in pairwise(ends)):
            raise zipfile.BadZipFile("its members overlap, or something stands before them")

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()
        self._file.close()

    @property
    def names(self) -> set[str]:
        return set(self._members)

    def pieces(self, name: str) -> Iterator[bytes]:
        """Unpack a member piece by piece. Raises any of BROKEN."""
        info, count = self._members[name], 0
        with self._zip.open(info) as member:
            while piece := member.read(PIECE):
                count += len(piece)
                yield piece
        if count != info.file_size:
            raise zipfile.BadZipFile(f"{name} is shorter than it says")

    def read(self, name: str) -> bytes:
        """Return a small member. Raises any of BROKEN."""
        return b"".join(self.pieces(name))

    def unpack(self, name: str, to: Path) -> None:
        """Unpack a member into a new file. Raises any of BROKEN, and OSError, also for a full disk."""
        files.private(to)
        with to.open("wb") as file:
            for piece in self.pieces(name):
                file.write(piece)


def _listed(file: BinaryIO) -> int:
    """Return the number of members.

    Raises BadZipFile where their list is long, lies elsewhere, or stands there twice.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - END.size - END_64))
    tail = file.read()
    if len(tail) < END.size:
        raise zipfile.BadZipFile("it is too short")
    mark, disk, first, here, total, length, at, comment = END.unpack(tail[-END.size :])
    if mark != b"PK\x05\x06" or disk or first or here != total or comment or tail.startswith(b"PK\x06\x07"):
        raise zipfile.BadZipFile("it does not end as a zip file of this program does")
    if total > MEMBERS or length > LIST:
        raise TooLarge("it has too many members")
    if at + length + END.size != size:
        raise zipfile.BadZipFile("something stands before, in or behind it that does not belong there")
    return int(total)
