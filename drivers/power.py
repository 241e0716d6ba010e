"""The power of the computer: switched off and on again by its service manager, which ends this program properly."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

ASKED_S = 20.0
"""How long the manager may take to answer, in seconds; it goes on by itself then."""


def asking(verb: str, command: str = "systemctl") -> Callable[[], str]:
    """What asks for it, "poweroff" or "reboot": says why it will not be, "" if it will. It may take seconds."""

    def ask() -> str:
        try:
            asked = subprocess.run(
                [command, "--no-ask-password", verb], check=False, capture_output=True, text=True, timeout=ASKED_S
            )
        except subprocess.TimeoutExpired:
            return ""
        except OSError as error:
            return f"{command}: {error.strerror or error}"
        return "" if asked.returncode == 0 else asked.stderr.strip() or f"{command} {verb}: {asked.returncode}"

    return ask
