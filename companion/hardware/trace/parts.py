"""Unfinished recordings, and how one gets its name and masked ids."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from errno import ENOSPC
from itertools import islice
from pathlib import Path
from tempfile import mkstemp

from companion.hardware.trace import SUFFIX, Line, written
from companion.system import files
from companion.system.files import alone

Mask = Callable[[Callable[[], Iterable[Line]]], Iterator[Line]]
"""Takes a source of lines, which it may read several times, and yields the lines with the ids of tags masked."""
PART = ".part"
"""Added to the name of a recording that has not ended. Only its owner may read it: the ids in it are the real ones."""
ROOM = 32_000_000
"""Bytes left free for the games by a recording."""


def room(folder: Path) -> int:
    """Return the free bytes on the disk of this folder. Raises OSError."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def parts(folder: Path) -> list[Path]:
    """Return the unfinished recordings in this folder."""
    return sorted(folder.glob(f"*{SUFFIX}{PART}"))


def finish_all(found: Iterable[Path], mask: Mask) -> list[Path]:
    """Finish the recordings that a power cut or a kill has left, and return their new paths.

    Recordings still in progress stay as they are.
    """
    done = []
    for part in found:
        with suppress(OSError):  # locked by the program that records, or no room
            done.append(finish(part, mask))
    return done


def finish(part: Path, mask: Mask, head: Line | None = None) -> Path:
    """Give a recording its name, masked ids and its last header.

    Raises OSError, also while the recording is in progress.
    """
    with part.open("rb") as file:
        alone(file)
        head = head or {**next(_read(part), {}), "tags": "made up"}  # --ids counts only if its program ends by itself
        if room(part.parent) < ROOM + part.stat().st_size:
            raise OSError(ENOSPC, os.strerror(ENOSPC), str(part))
    path = files.free(part.with_name(part.name.removesuffix(PART)))
    number, beside = mkstemp(dir=part.parent, prefix=f".{part.name}.")  # 0600
    try:
        with os.fdopen(number, "wb") as file:
            file.writelines(written([head]))
            file.writelines(written(mask(lambda: islice(_read(part), 1, None))))
            file.flush()
            os.fsync(number)
        files.name(Path(beside), path)
    finally:
        with suppress(OSError):
            Path(beside).unlink()
    part.unlink()
    return path


def _read(part: Path) -> Iterator[Line]:
    """Yield the lines so far. The last one may be incomplete after a power cut."""
    with part.open("rb") as file:
        for each in file:
            with suppress(ValueError):
                yield json.loads(each)
