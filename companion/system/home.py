"""Paths as people write them, and the folders where their programs keep things."""

from __future__ import annotations

import os
from errno import EINVAL, ENOENT
from pathlib import Path


def home() -> Path | None:
    """Return the home directory; None where neither HOME nor the system knows one."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def username() -> str:
    """Return the user's name, or the number of a user that the system does not know, as in a container."""
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError):  # before and since Python 3.13
        return str(os.getuid())


def folder(variable: str, usual: str) -> Path | None:
    """Return the folder that an XDG variable names, else the usual one at home; None without a home."""
    if said := os.environ.get(variable):
        return Path(said)
    at = home()
    return at / usual if at else None


def written(text: str) -> Path:
    """Return a typed path, with ~ for a home directory. Raises OSError for a path that no file can have."""
    try:
        if not text.strip() or b"\0" in os.fsencode(text):
            raise ValueError
        return Path(text).expanduser()
    except ValueError:  # nothing, a NUL byte, or half a character
        raise OSError(EINVAL, "no file can have this name", text) from None
    except RuntimeError:  # ~nobody, or ~ without a home
        raise OSError(ENOENT, "there is no such home directory", text) from None
