"""A file that one program at a time may have."""

from __future__ import annotations

from typing import Any


def alone(file: Any) -> None:
    """Takes an open file for this program, until it is closed. Raises BlockingIOError where another one has it.

    A system without such locks (Windows) is taken at its word: there everybody has it.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        return
    flock(file, LOCK_EX | LOCK_NB)
