"""The computer's power: its service manager switches it off or restarts it, and ends this program properly."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from companion.rules.message import Message, system_error

ASKED_S = 60.0
"""Seconds the manager may take to answer: more than systemctl's own 25 s for a call, so that its words are shown."""


def asking(verb: str, command: str = "systemctl", seconds: float = ASKED_S) -> Callable[[], str]:
    """Return a function that asks the service manager to "poweroff" or "reboot"; it may take seconds.

    The function returns why the manager refuses, or that it has not answered in so many seconds; "" if it agrees.
    A manager that agrees late still does it, and ends this program.
    """

    def ask() -> str:
        try:
            asked = subprocess.run(
                [command, "--no-ask-password", verb], check=False, capture_output=True, text=True, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            return Message("{program} has not answered for {seconds} seconds", program=command, seconds=round(seconds))
        except OSError as error:
            return Message("{program}: {why}", program=command, why=system_error(error))
        return "" if asked.returncode == 0 else asked.stderr.strip() or f"{command} {verb}: {asked.returncode}"

    return ask
