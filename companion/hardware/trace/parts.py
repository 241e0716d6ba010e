"""Recordings that have not ended yet, and how one gets its name and other ids."""

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
"""Takes the lines, as often as it wants, and gives them with other ids of tags."""
PART = ".part"
"""Added to the name of a recording that has not ended. Only its owner may read it: the ids in it are the real ones."""
ROOM = 32_000_000
"""Bytes that stay free for the games, whatever is recorded."""


def room(folder: Path) -> int:
    """Bytes that are free on the disk of this folder. Raises OSError."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def parts(folder: Path) -> list[Path]:
    """The recordings that have not ended."""
    return sorted(folder.glob(f"*{SUFFIX}{PART}"))


def finish_all(found: Iterable[Path], mask: Mask) -> list[Path]:
    """Ends recordings that a power cut or a kill has left; those that go on stay as they are. Returns what came of
    them."""
    done = []
    for part in found:
        with suppress(OSError):  # locked by whoever records, or no room
            done.append(finish(part, mask))
    return done


def finish(part: Path, mask: Mask, head: Line | None = None) -> Path:
    """Gives a recording its name, other ids and its last header. Raises OSError, also while it goes on."""
    with part.open("rb") as file:
        alone(file)
        head = head or {**next(_read(part), {}), "tags": "made up"}  # whoever wanted the real ones is not here
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
    """The lines so far; the power may have gone in the middle of the last one."""
    with part.open("rb") as file:
        for each in file:
            with suppress(ValueError):
                yield json.loads(each)
