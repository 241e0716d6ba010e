"""The sound cards of this computer, as `aplay -L` lists them (alsa-utils)."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

SECONDS = 5


def cards(program: str = "aplay") -> Sequence[str]:
    """The device of each card that converts whatever it is given ("plughw:CARD=Device,DEV=0"); none where nothing can
    be listed."""
    try:
        listed = subprocess.run((program, "-L"), capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = listed.stdout.decode("utf-8", "replace").splitlines()
    return list(dict.fromkeys(line.strip() for line in lines if line.startswith("plughw:CARD=")))
