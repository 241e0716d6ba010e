"""Where files are written: whole or not at all, never over another one, and for no other user to read."""

from __future__ import annotations

import errno
import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import chain, count
from pathlib import Path
from typing import Any


def folder(path: Path) -> Path:
    """The folder, made if it is not there; a new one is its owner's alone. Raises OSError."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def private(path: Path) -> None:
    """The file, made empty if it is not there, is its owner's alone where the disk can say so. Raises OSError."""
    with suppress(FileExistsError):  # it is not opened: that would drop the locks which SQLite holds on it
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        own(path, path.parent)
    if path.is_file():
        with suppress(OSError):
            path.chmod(0o600)


def own(path: Path, like: Path) -> None:
    """What root makes belongs to whoever has the place: the program itself runs as somebody else."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = like.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def free(path: Path, taken: Callable[[Path], bool] = os.path.lexists) -> Path:
    """This path, or the first of name-2, name-3 … that is not taken."""
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in chain([path], others) if not taken(name))


def save(path: Path, data: bytes) -> None:
    """Writes a new file beside its place, and gives it its name once it is on disk as a whole.

    Raises FileExistsError where the name is taken, or another OSError; then nothing has changed.
    """
    number, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # 0600
    try:
        with open(number, "wb") as file:  # noqa: PTH123 - as it has been opened
            file.write(data)
            file.flush()
            os.fsync(number)
        name(Path(beside), path)
    finally:
        with suppress(OSError):
            Path(beside).unlink()


def sync(place: Path) -> None:
    """The names in a folder are on disk, where the disk can say so."""
    with suppress(OSError):
        number = os.open(place, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def name(beside: Path, path: Path) -> None:
    """Gives a file that is whole its name. Raises FileExistsError where that is taken, or another OSError."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a stick's file system knows no second name for a file
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        beside.rename(path)


def written(path: Path, content: str | bytes) -> None:
    """In place of what was there, readable by its owner alone."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    private(beside)
    beside.write_bytes(content if isinstance(content, bytes) else content.encode())
    beside.replace(path)


def zipped(inside: Mapping[str, bytes | str]) -> bytes:
    """A zip file of these. All of it has the first day that a zip file knows: a clock may show one that it does not."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in inside.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            archive.writestr(entry, data)
    return out.getvalue()


# -- A file that one program at a time may have --------------------------------------------------------------------


def alone(file: Any) -> None:
    """Takes an open file for this program, until it is closed. Raises BlockingIOError where another one has it.

    A system without such locks (Windows) is taken at its word: there everybody has it.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        return
    flock(file, LOCK_EX | LOCK_NB)


def held(file: Any) -> bool:
    """Whether another program has this open file for itself. Where there are no such locks, nobody has."""
    try:
        from fcntl import LOCK_NB, LOCK_SH, LOCK_UN, flock
    except ImportError:
        return False
    try:
        flock(file, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        return True
    flock(file, LOCK_UN)
    return False


# -- The sticks and other disks that are plugged in ----------------------------------------------------------------


PLACES = ("/media/", "/run/media/", "/mnt/")
"""Below these, desktops and people mount what comes and goes."""


DISCS = ("iso9660", "udf", "squashfs")
"""File systems that nobody writes to."""
MOUNTS = Path("/proc/mounts")


def sticks(mounts: Path = MOUNTS) -> Sequence[Path]:
    """Return where sticks that can be written are mounted, in that order; none where the system does not say."""
    return tuple(Path(_plain(at[1])) for at in _mounted(mounts, "rw"))


def unwritable(mounts: Path = MOUNTS) -> Sequence[Path]:
    """Return where sticks are mounted that can only be read: locked, or with a file system that was left in disorder,
    as NTFS is by a Windows that did not eject it (kernel's Documentation/filesystems/ntfs3.rst)."""
    found = _mounted(mounts, "ro")
    return tuple(Path(_plain(at[1])) for at in found if at[0].startswith("/dev/") and at[2] not in DISCS)


def _mounted(mounts: Path, option: str) -> Sequence[Sequence[str]]:
    """Return the lines of mounts for people that have the option, as their fields (fstab(5))."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ()
    found = [line.split(" ") for line in lines]
    return [at for at in found if len(at) > 3 and at[1].startswith(PLACES) and option in at[3].split(",")]


def _plain(written: str) -> str:
    """A blank in a name stands there as \\040."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), written)
