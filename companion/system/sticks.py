"""The sticks and other disks that are plugged in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

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
