"""Safe writing of files: whole or not at all, never over another one, and readable by their owner alone."""

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
    """Return the folder, which is created if it is missing; a new one is its owner's alone. Raises OSError."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def private(path: Path) -> None:
    """Restrict a file to its owner, where the disk supports that. A missing file is created empty. Raises OSError."""
    with suppress(FileExistsError):  # it is not opened: that would drop the locks which SQLite holds on it
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        own(path, path.parent)
    if path.is_file():
        with suppress(OSError):
            path.chmod(0o600)


def own(path: Path, like: Path) -> None:
    """Give a file that root has made to the owner of `like`: the program itself runs as another user."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = like.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def free(path: Path, taken: Callable[[Path], bool] = os.path.lexists) -> Path:
    """Return this path, or the first of name-2, name-3 … that is not taken."""
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in chain([path], others) if not taken(name))


def save(path: Path, data: bytes) -> None:
    """Write a new file beside its place, and give it its name once it is on disk as a whole.

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
    """Sync the names in a folder to disk, where the disk supports that."""
    with suppress(OSError):
        number = os.open(place, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def name(beside: Path, path: Path) -> None:
    """Give a complete file its name. Raises FileExistsError where the name is taken, or another OSError."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a stick's file system knows no second name for a file
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        beside.rename(path)


def written(path: Path, content: str | bytes) -> None:
    """Replace a file's content; the new file is readable by its owner alone."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    private(beside)
    beside.write_bytes(content if isinstance(content, bytes) else content.encode())
    beside.replace(path)


def zipped(inside: Mapping[str, bytes | str]) -> bytes:
    """Return a zip file with this content.

    All of it is dated to the first day that a zip file knows: a wrong clock may show a day before it.
    """
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in inside.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            archive.writestr(entry, data)
    return out.getvalue()


# -- A file that one program at a time may have --------------------------------------------------------------------


def alone(file: Any) -> None:
    """Lock an open file for this program until it is closed. Raises BlockingIOError where another program has it.

    On a system without such locks (Windows) every program gets the file.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        return
    flock(file, LOCK_EX | LOCK_NB)


def held(file: Any) -> bool:
    """Return whether another program has locked this open file. Without such locks, none has."""
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
"""Below these, desktops and people mount removable disks."""


DISCS = ("iso9660", "udf", "squashfs")
"""Read-only file systems."""
MOUNTS = Path("/proc/mounts")


def sticks(mounts: Path = MOUNTS) -> Sequence[Path]:
    """Return where writable sticks are mounted, in that order; none where the system does not say.

    In a service's own tree of mounts a stick can stand twice at one place: as the system's, and with its parent.
    """
    return tuple(dict.fromkeys(Path(_plain(at[1])) for at in _mounted(mounts, "rw")))


def unwritable(mounts: Path = MOUNTS) -> Sequence[Path]:
    """Return where read-only sticks are mounted.

    They are locked, or have a file system that was left in disorder, as NTFS is by a Windows that did not eject it
    (kernel's Documentation/filesystems/ntfs3.rst).
    """
    found = _mounted(mounts, "ro")
    return tuple(Path(_plain(at[1])) for at in found if at[0].startswith("/dev/") and at[2] not in DISCS)


def _mounted(mounts: Path, option: str) -> Sequence[Sequence[str]]:
    """Return the fields of the mounts for people that have this option (fstab(5))."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ()
    found = [line.split(" ") for line in lines]
    return [at for at in found if len(at) > 3 and at[1].startswith(PLACES) and option in at[3].split(",")]


def _plain(written: str) -> str:
    """Return a mount point with its octal escapes decoded: a blank stands there as \\040."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), written)
