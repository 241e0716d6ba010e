"""Saving config.yaml: whole or not at all, and never over another one."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from companion.hardware import settings as config
from companion.rules.mistakes import ConfigError
from companion.system import files

BEFORE = "config-before.yaml"
"""The new name of the previous file; with a number if that is taken."""
READABLE = 0o644
"""The file has no secrets, and any user who starts the program must be able to read it."""


def place(explicit: Path | None) -> Path:
    """Return the file that settings are written to: the one in use, and never the one that comes with the program.

    Raises ConfigError without a home directory.
    """
    found = config.find(explicit)
    if found and (explicit or not config.shipped(found)):
        return found
    home = config.users()
    if not home:
        raise ConfigError(["there is no home directory for config.yaml: set HOME, or name the file with --config"])
    return home


def first(explicit: Path | None) -> bool:
    """Return whether nothing has been set up yet."""
    found = config.find(explicit)
    return found is None or not found.exists()


def save(path: Path, text: str) -> Path | None:
    """Write the text there; return the path of the file that was put aside, None if there was none.

    Raises OSError; then nothing has changed.
    """
    path = path.resolve()  # a link stays one
    files.folder(path.parent)
    aside = _copy_aside(path) if path.exists() else None
    try:
        _replace(path, text.encode())
    except OSError:
        if aside:
            aside.unlink()
        raise
    return aside


def _copy_aside(path: Path) -> Path:
    aside = files.free(path.with_name(BEFORE))
    files.save(aside, path.read_bytes())
    with suppress(OSError):
        aside.chmod(path.stat().st_mode & 0o777)
    return aside


def _replace(path: Path, data: bytes) -> None:
    """Replace the file atomically: at no moment is there neither the old one nor the new."""
    number, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(number, "wb") as file:  # noqa: PTH123 - as it has been opened
            file.write(data)
            file.flush()
            os.fsync(number)
        with suppress(OSError):  # a stick's file system knows no such thing
            Path(beside).chmod(READABLE)
        Path(beside).replace(path)
    finally:
        with suppress(OSError):
            Path(beside).unlink()
