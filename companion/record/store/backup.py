"""A backup: the store as one sound file and config.yaml, in a zip file that says what must be in it."""

from __future__ import annotations

import json
import sqlite3
import zipfile
import zlib
from contextlib import closing
from dataclasses import dataclass
from errno import EINVAL
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.record.store.database import StoreInUse, StoreTooNew, locked, sound
from companion.record.store.history import is_damage, reading, unsound
from companion.rules.message import reason
from companion.system.files import zipped

FORMAT = 1
STORE, CONFIG, CONTENTS = "tabularium.sqlite3", "config.yaml", "backup.json"
MOST = 200_000_000
"""Bytes of a backup, unpacked: a thousand times what many years of games take."""
LARGEST = {CONTENTS: 65_536, CONFIG: 1_000_000}
"""Bytes of what is read as text: a list of a hundred million things would take all the memory there is."""
NAME = "tabularium-{day}.zip"
PATTERN = "tabularium-*.zip"

BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, TypeError, ValueError, NotImplementedError)
"""What a spoilt zip file raises; and an OSError with EINVAL, where it names a place before its beginning."""

__all__ = ["Backup", "BackupError", "StoreInUse", "made", "opened"]


class BackupError(ValueError):
    """A sentence for whoever wants a backup, or wants it back."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds: when and by which program it was made, how many entries there are, and the files."""

    at: str
    program: str
    entries: int
    store: bytes
    config: bytes | None
    unsound: tuple[int, ...] = ()
    """Games whose journals cannot be read to their end: they are in it as they are."""


def made(store: Path, config: bytes | None, at: str, program: str) -> Backup:
    """A backup of a store that no program uses; it stays as it is. Raises StoreInUse, BackupError and OSError."""
    if not store.exists():
        raise BackupError(f"there is nothing to back up: {store} is not there")
    with closing(locked(store)), TemporaryDirectory() as folder:
        copy = Path(folder) / STORE
        try:
            with reading(store) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")  # all of it in the one file
            entries = sound(copy)
            with reading(copy) as db:
                games = tuple(unsound(db))
        except (sqlite3.Error, UnicodeDecodeError) as error:
            what = "is damaged" if is_damage(error) else "cannot be read"
            raise BackupError(
                f"{store} {what} ({reason(error)}): open the table once, which puts a damaged file aside"
            ) from None
        return Backup(at, program, entries, copy.read_bytes(), config, games)


def packed(backup: Backup) -> bytes:
    """The zip file."""
    inside = {STORE: backup.store} | ({} if backup.config is None else {CONFIG: backup.config})
    contents = {
        "tabularium backup": FORMAT,
        "at": backup.at,
        "program": backup.program,
        "entries": backup.entries,
        "sha256": {name: sha256(data).hexdigest() for name, data in inside.items()},
    }
    return zipped({CONTENTS: json.dumps(contents, indent=1), **inside})


def opened(path: Path) -> Backup:
    """The backup in a file, whole and sound. Raises BackupError with what is wrong with it, and OSError."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            large = any(sizes.get(name, 0) > most for name, most in LARGEST.items())
            if large or sum(info.file_size for info in archive.infolist()) > MOST:
                raise BackupError(f"{path} is too large to be a backup of Tabularium")
            contents = _contents(path, archive)
            inside = {name: archive.read(name) for name in contents["sha256"]}
        backup = _checked(path, contents, inside)
    except (*BROKEN, OSError) as error:
        if isinstance(error, BackupError) or (isinstance(error, OSError) and error.errno != EINVAL):
            raise
        if zipfile.is_zipfile(path):
            raise BackupError(f"{path} is damaged ({reason(error)}): use another one") from None
        raise BackupError(f"{path} is no backup of Tabularium, or is damaged") from None
    return backup


def _contents(path: Path, archive: zipfile.ZipFile) -> Any:
    """What must be in it, as JSON has it."""
    if CONTENTS not in archive.namelist():
        raise BackupError(f"{path} is no backup of Tabularium")
    contents = json.loads(archive.read(CONTENTS))
    if contents["tabularium backup"] > FORMAT:
        raise BackupError(f"{path} was made by a newer Tabularium ({contents['program']}): please update this one")
    return contents


def _checked(path: Path, contents: Any, inside: dict[str, bytes]) -> Backup:
    for name, data in inside.items():
        if sha256(data).hexdigest() != contents["sha256"][name]:
            raise BackupError(f"{path} is damaged ({name} is not what was saved): use another one")
    with TemporaryDirectory() as folder:
        copy = Path(folder) / STORE
        copy.write_bytes(inside[STORE])
        try:
            entries = sound(copy)
        except StoreTooNew:
            raise BackupError(f"{path} was made by a newer Tabularium: please update this one") from None
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise BackupError(f"{path} is damaged ({reason(error)}): use another one") from None
    return Backup(str(contents["at"]), str(contents["program"]), entries, inside[STORE], inside.get(CONFIG))
