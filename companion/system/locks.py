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
