"""The sound cards of this computer, as `aplay -L` lists them (alsa-utils)."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

SECONDS = 5


def cards(program: str = "aplay") -> Sequence[str]:
    """Return the device of each card that converts any format ("plughw:CARD=Device,DEV=0").

    It returns none where the cards cannot be listed.
    """
    try:
        listed = subprocess.run((program, "-L"), capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = listed.stdout.decode("utf-8", "replace").splitlines()
    return list(dict.fromkeys(line.strip() for line in lines if line.startswith("plughw:CARD=")))
