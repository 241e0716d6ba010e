"""A backup: the store as one sound file and config.yaml, in a zip file that says what must be in it."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path

from companion.record.store.database import StoreInUse, StoreTooNew, locked, rebuild, sound
from companion.record.store.history import is_damage, reading, unsound
from companion.rules.message import reason
from companion.system.archives import BROKEN, Archive, TooLarge
from companion.system.files import folder, zipped

FORMAT = 1
STORE, CONFIG, CONTENTS = "tabularium.sqlite3", "config.yaml", "backup.json"
MOST = 200_000_000
"""Bytes of a store in a backup: a thousand times what many years of games take."""
LARGEST = {CONTENTS: 65_536, CONFIG: 1_000_000, STORE: MOST}
"""Bytes that each file in a backup may have; what is read as text fits in memory many times over."""
NAME = "tabularium-{day}.zip"
PATTERN = "tabularium-*.zip"

__all__ = ["Backup", "BackupError", "StoreInUse", "made", "opened"]


class BackupError(ValueError):
    """A sentence for the person who wants a backup, or wants it back."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds: when and by which program it was made, how many entries there are, and the files."""

    at: str
    program: str
    entries: int
    store: Path
    config: bytes | None
    unsound: tuple[int, ...] = ()
    """Games whose journals cannot be read to their end: they are in it as they are."""


def made(store: Path, config: bytes | None, at: str, program: str, place: Path) -> Backup:
    """Return a backup of a store that no program uses.

    The store stays as it is, and its copy is made in `place`. Raises StoreInUse, BackupError and OSError.
    """
    if not store.exists():
        raise BackupError(f"there is nothing to back up: {store} is not there")
    with closing(locked(store)):
        copy = place / STORE
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
        return Backup(at, program, entries, copy, config, games)


def packed(backup: Backup) -> bytes:
    """Return the backup as a zip file."""
    inside = {STORE: backup.store.read_bytes()} | ({} if backup.config is None else {CONFIG: backup.config})
    contents = {
        "tabularium backup": FORMAT,
        "at": backup.at,
        "program": backup.program,
        "entries": backup.entries,
        "sha256": {name: sha256(data).hexdigest() for name, data in inside.items()},
    }
    return zipped({CONTENTS: json.dumps(contents, indent=1), **inside})


def opened(path: Path, place: Path) -> Backup:
    """Return the backup in a file, checked to be whole and sound.

    Its store is rebuilt in `place`, an empty folder that must not stay. Raises BackupError with what is wrong with it,
    and OSError.
    """
    try:
        with Archive(path, lambda name: LARGEST.get(name, MOST)) as archive:  # a newer one may hold more
            return _checked(path, archive, place)
    except TooLarge:
        raise BackupError(f"{path} is too large to be a backup of Tabularium") from None
    except StoreTooNew:
        raise BackupError(f"{path} was made by a newer Tabularium: please update this one") from None
    except (*BROKEN, KeyError, TypeError, ValueError, RecursionError, sqlite3.Error) as error:
        if isinstance(error, BackupError) or (isinstance(error, sqlite3.Error) and not is_damage(error)):
            raise
        if zipfile.is_zipfile(path):
            raise BackupError(_refused(path, reason(error))) from None
        raise BackupError(f"{path} is no backup of Tabularium, or is damaged") from None


def _refused(path: Path, why: str) -> str:
    return (
        f"{path} is damaged ({why}): use another one. If it was unpacked and packed again, use the one that tabularium"
        f" backup wrote, or pack {CONTENTS}, {CONFIG} and {STORE} alone, without a folder"
    )


def _checked(path: Path, archive: Archive, place: Path) -> Backup:
    if CONTENTS not in archive.names:
        if any(name.endswith(f"/{CONTENTS}") for name in archive.names):
            raise BackupError(_refused(path, "its files are in a folder"))
        raise BackupError(f"{path} is no backup of Tabularium")
    contents = json.loads(archive.read(CONTENTS))
    if contents["tabularium backup"] > FORMAT:
        raise BackupError(f"{path} was made by a newer Tabularium ({contents['program']}): please update this one")
    if archive.names != {*contents["sha256"], CONTENTS} or not {STORE} <= archive.names <= set(LARGEST):
        raise BackupError(_refused(path, "it does not hold what was saved, and nothing else"))
    given = folder(place / "given") / STORE
    archive.unpack(STORE, given)
    config = archive.read(CONFIG) if CONFIG in archive.names else None
    for name, sums in {STORE: _sha256(given), CONFIG: sha256(config or b"").hexdigest()}.items():
        if contents["sha256"].get(name, sums) != sums:
            raise BackupError(_refused(path, f"{name} is not what was saved"))
    store = place / STORE
    rebuild(given, store)  # only rows are taken over
    return Backup(str(contents["at"]), str(contents["program"]), sound(store), store, config)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
