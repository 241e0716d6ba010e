"""One SQLite file: opened, checked, locked against a second program, written in whole batches."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.message import Message
from companion.store.history import reading

VERSION = 2
TABLES = (
    "games (number INTEGER PRIMARY KEY, at TEXT, header TEXT NOT NULL, result TEXT, abandoned INTEGER DEFAULT 0,"
    " follows INTEGER)",
    "events (game INTEGER, number INTEGER, event TEXT NOT NULL, by TEXT, at TEXT, crc INTEGER NOT NULL,"
    " PRIMARY KEY (game, number)) WITHOUT ROWID",
    "players (name TEXT PRIMARY KEY, colour TEXT NOT NULL, seen TEXT NOT NULL)",
    "tags (tag TEXT PRIMARY KEY, card TEXT NOT NULL, deck TEXT NOT NULL)",
    "settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
UPGRADES = {1: "ALTER TABLE games ADD COLUMN follows INTEGER"}
"""What turns a store of this version into one of the next."""
FILES = ("", "-wal", "-shm")
"""What SQLite keeps side by side; they belong together."""
BUSY_S = 5.0
"""How long the writer waits for somebody else's lock, in seconds."""

FAULTS = (sqlite3.Error, OSError)
"""What a disk can do to us."""

Work = tuple[str, tuple[Any, ...]]
"""A statement that may be run again without changing anything more, and its values."""


class StoreInUse(OSError):  # noqa: N818 - said as it is
    """Another program has this store open."""


class StoreTooNew(OSError):  # noqa: N818
    """A newer program wrote this store; an older one would spoil it."""


class Database:
    """A store's file, open for writing. `note` says what had to be done to open it.

    With `copy_of` it is a new file that begins with all that can be read of the old one. Raises StoreInUse,
    StoreTooNew, or another of FAULTS. Made in one thread and used in another, never in two at once.
    """

    def __init__(self, path: Path, copy_of: Path | None = None) -> None:
        self.path = path
        self.note: str | None = None
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(path)
        try:
            if copy_of:
                self._copy(copy_of)
            self._db = self._sound()
            self._files = self._identity()
        except BaseException:
            self._lock.close()
            raise

    def _copy(self, old: Path) -> None:
        try:
            with closing(reading(old)) as source, closing(_connect(self.path)) as target:
                source.backup(target)
        except sqlite3.Error as error:
            self.note = Message("The earlier records in {file} could not be copied ({error}).", file=old, error=error)

    def _sound(self) -> sqlite3.Connection:
        try:
            return _opened(self.path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            aside = self.path.with_name(f"{self.path.name}.damaged-{datetime.now().astimezone():%Y%m%d-%H%M%S}")
            for end in FILES:
                with suppress(FileNotFoundError):
                    Path(f"{self.path}{end}").rename(f"{aside}{end}")
            self.note = Message(
                "{file} was damaged ({error}). It has been kept as {aside}, and a new file started.",
                file=self.path,
                error=error,
                aside=aside.name,
            )
            return _opened(self.path)

    def _identity(self) -> list[tuple[int, int]]:
        # The third file is remade at will and holds nothing.
        found = [Path(f"{self.path}{end}") for end in FILES[:2]]
        return [(file.stat().st_dev, file.stat().st_ino) for file in found if file.exists()]

    def write(self, works: Iterable[Work]) -> None:
        """Does all of it or none, and returns when it is durable. After one of FAULTS only `close` is left."""
        self._db.execute("BEGIN IMMEDIATE")
        for statement, values in works:
            self._db.execute(statement, values)
        self._db.execute("COMMIT")
        if self._identity() != self._files:  # SQLite would go on writing into a file that nobody will find
            raise FileNotFoundError(errno.ENOENT, "the file was taken away", str(self.path))

    def close(self) -> None:
        with suppress(sqlite3.Error):  # a dead disk: the files stay as they are, which is what recovery is for
            self._db.close()
        self._lock.close()


def moved(goal: Path, old: Path, works: list[Work]) -> Database:
    """A new database at `goal` with all that can be read of the old one, and this work done.

    Raises one of FAULTS and leaves nothing behind.
    """
    if goal.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(goal))
    db = None
    try:
        db = Database(goal, copy_of=old)
        db.write(works)
    except FAULTS:
        if db:
            db.close()
        for end in (*FILES, "-lock"):
            with suppress(OSError):
                Path(f"{goal}{end}").unlink()
        raise
    return db


def why(error: Exception, path: Path) -> str:
    """A sentence for the players: what is wrong with the disk and what to do."""
    if isinstance(error, StoreInUse | StoreTooNew):
        return str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    number = getattr(error, "errno", None)
    if code == sqlite3.SQLITE_FULL or number == errno.ENOSPC or (code == sqlite3.SQLITE_IOERR and _full(path)):
        return Message("The disk is full: make room for {file}, or save elsewhere.", file=path)
    closed = path.parent.exists() and not os.access(path.parent, os.W_OK)
    if closed or code == sqlite3.SQLITE_READONLY or number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return Message("{file} is read-only: make it writable, or save elsewhere.", file=path)
    reason = os.strerror(number) if number else error
    return Message("{file} cannot be written ({error}): check the disk, or save elsewhere.", file=path, error=reason)


def _full(path: Path) -> bool:
    """Where the log's index cannot grow, SQLite reports no more than an input or output error."""
    try:
        return os.statvfs(path.parent).f_bavail == 0
    except OSError:
        return False


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)


def _locked(path: Path) -> sqlite3.Connection:
    """Holds the store for this program until it is closed or dies."""
    lock = sqlite3.connect(f"{path}-lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA journal_mode=MEMORY")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise StoreInUse(f"{path} is in use by another Tabularium: close that one first.") from None
        raise
    return lock


def _opened(path: Path) -> sqlite3.Connection:
    db = _connect(path)
    try:
        found = [row[0] for row in db.execute("PRAGMA quick_check")]
        if found != ["ok"]:
            raise _Damage(found[0])
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise StoreTooNew(f"{path} was written by a newer Tabularium: please update this one.")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            db.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        for older in range(version or VERSION, VERSION):
            db.execute(UPGRADES[older])
        db.execute(f"PRAGMA user_version={VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db


class _Damage(sqlite3.DatabaseError):
    """What quick_check found."""


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return isinstance(error, _Damage) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
