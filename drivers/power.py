"""The computer's power: its service manager switches it off or restarts it, and ends this program properly."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from companion.rules.message import Message, system_error

ASKED_S = 20.0
"""Seconds the manager may take to answer; it goes on by itself then."""


def asking(verb: str, command: str = "systemctl") -> Callable[[], str]:
    """Return a function that asks the service manager to "poweroff" or "reboot"; it may take seconds.

    The function returns why the manager refuses, "" if it does not.
    """

    def ask() -> str:
        try:
            asked = subprocess.run(
                [command, "--no-ask-password", verb], check=False, capture_output=True, text=True, timeout=ASKED_S
            )
        # no refusal: systemd may be stopping this very program while it waits for the answer
        except subprocess.TimeoutExpired:
            return ""
        except OSError as error:
            return Message("{program}: {why}", program=command, why=system_error(error))
        return "" if asked.returncode == 0 else asked.stderr.strip() or f"{command} {verb}: {asked.returncode}"

    return ask
