"""The sticks and other disks that are plugged in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

PLACES = ("/media/", "/run/media/", "/mnt/")
"""Below these, desktops and people mount what comes and goes."""


def sticks(mounts: Path = Path("/proc/mounts")) -> Sequence[Path]:
    """Where those that can be written are mounted, in the order they were; none where the system does not say."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ()
    found = [line.split(" ") for line in lines]
    return tuple(
        Path(_plain(at[1])) for at in found if len(at) > 3 and at[1].startswith(PLACES) and "rw" in at[3].split(",")
    )


def _plain(written: str) -> str:
    """A blank in a name stands there as \\040."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), written)
