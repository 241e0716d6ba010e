"""One SQLite file: opened, checked, locked against a second program, written in whole batches."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from companion.record.store import mark
from companion.record.store.history import JOURNAL, SUMS, Damage, is_damage, reading, summed
from companion.record.store.mark import StoreMark
from companion.record.store.restore import finish, making, ready
from companion.rules.message import Message, reason, system_error
from companion.system import schema
from companion.system.files import folder, free, private
from companion.system.logs import writing

log = writing("store")

VERSION = 2
OURS = 0x54616200
"""The base of the file's application id, to which the version is added: one spoilt byte makes no newer version."""
TABLES = (
    "games (number INTEGER PRIMARY KEY, at TEXT, header TEXT NOT NULL, result TEXT, abandoned INTEGER DEFAULT 0,"
    " follows INTEGER)",
    "events (game INTEGER, number INTEGER, event TEXT NOT NULL, by TEXT, at TEXT, crc INTEGER NOT NULL,"
    " PRIMARY KEY (game, number)) WITHOUT ROWID",
    "players (name TEXT PRIMARY KEY, colour TEXT NOT NULL, seen TEXT NOT NULL)",
    "tags (tag TEXT PRIMARY KEY, card TEXT NOT NULL, deck TEXT NOT NULL)",
    "settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "written (one INTEGER PRIMARY KEY CHECK (one = 1), entries INTEGER NOT NULL)",
    SUMS,
)
FOLLOWS = "follows INTEGER"
FIRST = "games (number INTEGER PRIMARY KEY, at TEXT, header TEXT NOT NULL, result TEXT, abandoned INTEGER DEFAULT 0)"
"""The games as the first version made them, before one could follow another."""
LATER = {"games": ("follows",), "written": ("one", "entries"), "sums": ("of", "key", "crc")}
"""The columns missing in earlier versions, by table."""
COUNTED = (
    "CREATE TRIGGER IF NOT EXISTS counted AFTER INSERT ON events BEGIN"
    f" INSERT INTO sums VALUES ('{JOURNAL}', CAST(NEW.game AS TEXT), NEW.number)"
    " ON CONFLICT (of, key) DO UPDATE SET crc = max(crc, excluded.crc); END"
)
"""The trigger that counts each event, for any version that writes it."""
ROWS = (
    ("settings", "setting", "key"),
    ("players", "player", "name"),
    ("tags", "tag", "tag"),
    ("games", "game", "number"),
)
UNSUMMED = (
    *(f"AFTER INSERT ON {table} BEGIN DELETE FROM sums WHERE of = '{of}' AND key = CAST(NEW.{key} AS TEXT); END"
      for table, of, key in ROWS),
    *(f"AFTER UPDATE ON {table} BEGIN DELETE FROM sums WHERE of = '{of}' AND key = CAST(NEW.{key} AS TEXT); END"
      for table, of, key in ROWS[:3]),
    "AFTER UPDATE OF header, at, follows ON games"
    " BEGIN DELETE FROM sums WHERE of = 'game' AND key = CAST(NEW.number AS TEXT); END",
    "AFTER UPDATE OF result ON games"
    " BEGIN DELETE FROM sums WHERE of = 'result' AND key = CAST(NEW.number AS TEXT); END",
)  # fmt: skip
"""Triggers that drop a row's checksum as it is written: what an earlier version of the program writes has none, and is
taken as it is. Damage by a disk fires no trigger."""
SUM = "INSERT INTO sums VALUES (?, ?, ?) ON CONFLICT (of, key) DO UPDATE SET crc = excluded.crc"
ENTRIES = "SELECT coalesce(max(CAST(entries AS INTEGER)), 0) FROM written"
COUNT = "INSERT INTO written VALUES (1, ?) ON CONFLICT DO UPDATE SET entries = entries + excluded.entries"
NEWEST = """
SELECT max((SELECT coalesce(max(number), 0) FROM games WHERE number < 1e15),
           (SELECT coalesce(max(game), 0) FROM events WHERE game < 1e15))"""
"""The newest game's number; also of one whose header is lost, and not one that the disk has spoilt."""
FILES = ("", "-wal", "-shm", "-mark")
"""What is kept side by side, all but the mark by SQLite; they belong together."""
BUSY_S = 5.0
"""How long the writer waits for somebody else's lock, in seconds."""

Work = tuple[str, tuple[Any, ...]]
"""A statement that may be run again without changing anything more, and its values."""
Summed = Callable[[tuple[Any, ...]], tuple[str, str, int]]
"""What `sums` has of a row that was written with these values: its kind, its key, and the checksum."""


GAME = (
    "INSERT INTO games (number, header, at, follows) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (number) DO UPDATE SET header = NULL WHERE header IS NOT excluded.header AND at IS NOT excluded.at"
)
EVENT = (
    "INSERT INTO events (game, number, event, by, at, crc) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (game, number) DO UPDATE SET event = NULL WHERE event IS NOT excluded.event"
)
"""The same row may be written again; another one under its number is an error, for neither column may be NULL."""
RESULT = "UPDATE games SET result = ? WHERE number = ?"
ABANDONED = "UPDATE games SET abandoned = ? WHERE number = ?"
PLAYER = "INSERT OR REPLACE INTO players (name, colour, seen) VALUES (?, ?, ?)"
TAG = "INSERT OR REPLACE INTO tags (tag, card, deck) VALUES (?, ?, ?)"
NO_TAG = "DELETE FROM tags WHERE tag = ?"
SETTING = "INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)"

THERE: Mapping[str, tuple[str, slice, str]] = {
    GAME: ("game", slice(1), "SELECT 1 FROM games WHERE number = ?1 AND (header IS ?2 OR at IS ?3)"),
    EVENT: ("event", slice(2), "SELECT 1 FROM events WHERE game = ?1 AND number = ?2 AND event IS ?3"),
    RESULT: ("result", slice(1, 2), "SELECT NOT EXISTS (SELECT 1 FROM games WHERE number = ?2 AND result IS NOT ?1)"),
    ABANDONED: (
        *("abandoned", slice(1, 2)),
        "SELECT NOT EXISTS (SELECT 1 FROM games WHERE number = ?2 AND abandoned IS NOT ?1)",
    ),
    PLAYER: ("player", slice(1), "SELECT 1 FROM players WHERE name = ?1 AND colour IS ?2 AND seen IS ?3"),
    TAG: ("tag", slice(1), "SELECT 1 FROM tags WHERE tag = ?1 AND card IS ?2 AND deck IS ?3"),
    NO_TAG: ("tag", slice(1), "SELECT NOT EXISTS (SELECT 1 FROM tags WHERE tag = ?1)"),
    SETTING: ("setting", slice(1), "SELECT 1 FROM settings WHERE key = ?1 AND value IS ?2"),
}
"""What a statement writes, which of its values name it, and how to see that it is there. A game that was begun in
another file has no result to write here."""

GUARDED: Mapping[str, Summed] = {
    GAME: lambda v: ("game", str(v[0]), summed(v[1], v[2], v[3])),
    RESULT: lambda v: ("result", str(v[1]), summed(v[0])),
    PLAYER: lambda v: ("player", v[0], summed(v[1], v[2])),
    TAG: lambda v: ("tag", v[0], summed(v[1], v[2])),
    SETTING: lambda v: ("setting", v[0], summed(v[1])),
}
"""What is guarded by a checksum besides the events, which have theirs."""


class StoreInUse(OSError):  # noqa: N818 - said as it is
    """Another program has this store open."""


class StoreTooNew(OSError):  # noqa: N818
    """A newer program wrote this store; an older one would spoil it."""


class Database:
    """A store's file, open for writing. `note` says what had to be done to open it, `entries` how many have ever been
    written to it, and `newest` which game was the newest in it.

    With `copy_of` it is a new file that begins with all that can be read of the old one; `spoilt` is what a file that
    looked sound has failed with. Raises StoreInUse, StoreTooNew, or errors of the disk and SQLite. Made in one
    thread and used in another, never in two at once.
    """

    def __init__(self, path: Path, copy_of: Path | None = None, spoilt: Exception | None = None) -> None:
        self.path = path
        self.note: str | None = None
        folder(path.parent)
        self._lock = locked(path)
        try:
            _finish_restore(path)
            _make_private(path)
            if copy_of:
                self._copy(copy_of)
            self._db, self.entries, self.newest = self._sound_file(spoilt)
            self._files = self._identity()
        except BaseException:  # raised again: only the lock must not stay
            self._lock.close()
            raise
        self._mark = StoreMark() if copy_of else mark.read(path)

    @property
    def marked(self) -> int:
        """Return how many entries there must be, as the mark beside the file has it."""
        return self._mark.count

    def _copy(self, old: Path) -> None:
        try:
            with reading(old) as source, closing(_connect(self.path)) as target:
                source.backup(target)
        except sqlite3.Error as error:
            self.note = not_copied(old, error)

    def _sound_file(self, spoilt: Exception | None) -> tuple[sqlite3.Connection, int, int]:
        """Return the open file, rebuilt if its schema is not ours, or a new one if it is damaged."""
        try:
            try:
                found = _open_file(self.path)
            except schema.ForeignSchema as foreign:
                self._rebuild(foreign)
                return _open_file(self.path)
            if spoilt:
                found[0].close()
                raise Damage(str(spoilt)) from spoilt
            return found
        except Exception as error:  # sorted by `is_damage`
            if not is_damage(error):
                raise
            aside = self._put_aside()
            self.note = Message(
                "{file} was damaged ({error}). It has been kept as {aside}, and a new file started.",
                file=self.path,
                error=" ".join(reason(error).split())[:200],
                aside=aside.name,
            )
            return _open_file(self.path)

    def _rebuild(self, why: Exception) -> None:
        """Replace a file with another schema by one of ours with the same rows, and keep the old one."""
        with making(self.path) as place:
            new = place / self.path.name
            rebuild(self.path, new)
            ready(self.path, new, sound(new), f"{datetime.now().astimezone():%Y%m%d-%H%M%S}")
            (aside,) = finish(self.path)
        self.note = Message(
            "{file} contained something it should not ({error}). Its games have been copied into a new file, and the"
            " old one has been kept as {aside}.",
            file=self.path,
            error=" ".join(reason(why).split())[:200],
            aside=aside.name,
        )

    def _put_aside(self) -> Path:
        gone = mark.read(self.path).gone
        name = f"{self.path.name}.damaged-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
        aside = free(self.path.with_name(name), lambda name: any(_files_of(name)))
        for end in FILES:
            with suppress(FileNotFoundError):
                Path(f"{self.path}{end}").rename(f"{aside}{end}")
        private(self.path)
        if gone:
            mark.send(self.path, gone)
        return aside

    def _identity(self) -> list[tuple[int, int]]:
        # The third file is remade at will and holds nothing.
        found = [Path(f"{self.path}{end}") for end in FILES[:2]]
        return [(file.stat().st_dev, file.stat().st_ino) for file in found if file.exists()]

    def write(self, works: Sequence[Work]) -> None:
        """Write all of it or none, with its checksums, and return when it is durable.

        After an error only `close` is left. Raises Damage where the file does not hold what was written to it.
        """
        self._db.execute("BEGIN IMMEDIATE")
        for statement, values in works:
            self._db.execute(statement, values)
            if statement in GUARDED:
                self._db.execute(SUM, GUARDED[statement](values))
        self._db.execute(COUNT, (len(works),))
        self._require_there(works)
        self._db.execute("COMMIT")
        if self._identity() != self._files:  # SQLite would go on writing into a file that nobody will find
            raise FileNotFoundError(errno.ENOENT, "the file was taken away", str(self.path))
        self.entries += len(works)
        self._mark = replace(self._mark, count=self.entries)
        with suppress(OSError):  # it is there to notice what a disk did, not to stop it
            mark.write(self.path, self._mark)

    def _require_there(self, works: Sequence[Work]) -> None:
        """Read back what was written last under each name.

        Raises Damage where it is not there: a file that loses rows must not be taken for safe.
        """
        seen = set()
        for statement, values in reversed(works):
            what, named, query = THERE[statement]
            key = what, values[named]
            if key not in seen and self._db.execute(query, values[: query.count("?")]).fetchone() != (1,):
                raise Damage(f"what was written is not there: {what} {' '.join(map(str, values[named]))}")
            seen.add(key)

    def close(self) -> None:
        with suppress(sqlite3.Error):  # a dead disk: the files stay as they are, which is what recovery is for
            self._db.close()
        self._lock.close()


def moved(goal: Path, old: Path | None, write: Callable[[Database], object]) -> Database:
    """Return a new database at `goal`, with all that can be read of the old one and with what `write` adds.

    Raises errors of the disk and SQLite, and then leaves nothing behind.
    """
    for taken in _files_of(goal):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(taken))
    db = None
    try:
        db = Database(goal, copy_of=old)
        write(db)
    except Exception:  # raised again: only half a copy must not stay
        if db:
            db.close()
        for end in (*FILES, "-lock"):
            with suppress(OSError):
                Path(f"{goal}{end}").unlink()
        raise
    return db


def not_copied(old: Path, error: Exception) -> str:
    return Message("The earlier records in {file} could not be copied ({error}).", file=old, error=error)


def _files_of(path: Path) -> Sequence[Path]:
    """Return the files that there are of a store of this name."""
    return [file for end in FILES if os.path.lexists(file := Path(f"{path}{end}"))]


def _make_private(path: Path) -> None:
    """Make a store private, and what was put aside of it: choices that lie face down stand in it."""
    private(path)
    for file in path.parent.iterdir():
        if file.name.startswith(path.name):
            private(file)


def why(error: Exception, path: Path) -> str:
    """Return a sentence for the players: what is wrong with the disk and what to do."""
    if isinstance(error, StoreInUse | StoreTooNew):
        return str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    number = getattr(error, "errno", None)
    if code == sqlite3.SQLITE_FULL or number == errno.ENOSPC or (code == sqlite3.SQLITE_IOERR and _disk_is_full(path)):
        return Message("The disk is full: make room for {file}, or save elsewhere.", file=path)
    if code == sqlite3.SQLITE_CONSTRAINT:
        return Message("{file} already holds other games under the same numbers: save elsewhere.", file=path)
    if number == errno.EEXIST:
        return Message("{file} already exists and will not be overwritten: choose another name.", file=path)
    closed = path.parent.exists() and not os.access(path.parent, os.W_OK)
    if closed or code == sqlite3.SQLITE_READONLY or number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return Message("{file} is read-only: make it writable, or save elsewhere.", file=path)
    said = system_error(error) if isinstance(error, OSError) else reason(error)
    return Message("{file} cannot be written ({error}): check the disk, or save elsewhere.", file=path, error=said)


def _disk_is_full(path: Path) -> bool:
    """Return whether the disk is full.

    Where the log's index cannot grow, SQLite reports no more than an input or output error.
    """
    try:
        return os.statvfs(path.parent).f_bavail == 0
    except OSError:
        return False


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    return db


def _finish_restore(path: Path) -> None:
    """Finish a restore that was interrupted.

    One that cannot be finished, such as a config.yaml of root's, stops no game.
    """
    try:
        finish(path)
    except OSError as error:
        log.warning("a restore could not be finished: %s", error)


def locked(path: Path) -> sqlite3.Connection:
    """Lock the store for this program, until the lock is closed or the program dies. Raises StoreInUse."""
    private(Path(f"{path}-lock"))
    lock = sqlite3.connect(f"{path}-lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA journal_mode=MEMORY")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            what = f"{path} is in use by another Tabularium: close that one first"
            raise StoreInUse(f"{what} (an installed Pi's: sudo systemctl stop tabularium).") from None
        raise
    return lock


def _open_file(path: Path) -> tuple[sqlite3.Connection, int, int]:
    """Open the file; return it, how many entries it has had, and the number of its newest game.

    Raises Damage and other errors.
    """
    db = _connect(path)
    try:
        require_not_newer(db, path)
        schema.require_ours(db, _known_schema())
        found = [row[0] for row in db.execute("PRAGMA quick_check")]
        if found != ["ok"]:
            raise Damage(found[0])
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("BEGIN IMMEDIATE")
        _make_tables(db)
        _make_triggers(db)
        db.execute(f"PRAGMA user_version={VERSION}")
        db.execute(f"PRAGMA application_id={OURS + VERSION}")
        db.execute("COMMIT")
        (entries,), (newest,) = db.execute(ENTRIES).fetchone(), db.execute(NEWEST).fetchone()
    except BaseException:  # raised again: only the file must not stay open
        db.close()
        raise
    return db, entries, newest


def sound(path: Path) -> int:
    """Return how many entries there are in a store's file, which stays as it is.

    Raises Damage, StoreTooNew, sqlite3.Error.
    """
    with closing(_connect(path)) as db:
        require_not_newer(db, path)
        schema.require_ours(db, _known_schema())
        found = [row[0] for row in db.execute("PRAGMA quick_check")]
        if found != ["ok"]:
            raise Damage(found[0])
        if missing := [name for name in _table_names() - set(LATER) if not _columns(db, name)]:
            raise Damage(f"table {missing[0]}")
        (entries,) = db.execute(ENTRIES).fetchone()
        return int(entries)


def rebuild(old: Path, new: Path) -> None:
    """Copy the rows of a store's file into a new one.

    Raises StoreTooNew, schema.ForeignSchema and sqlite3.Error.
    """
    with closing(_connect(old)) as db:
        require_not_newer(db, old)
    schema.rebuild(old, new, _make_tables, LATER)


def require_not_newer(db: sqlite3.Connection, path: Path) -> None:
    """Raise StoreTooNew where a newer program has written the file.

    The version is stored twice. Where the two differ, or are no version, they are spoilt, and the tables decide.
    """
    version, application = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
    if version > VERSION and application == OURS + version:
        raise StoreTooNew(f"{path} was written by a newer Tabularium: please update this one.")


def _make_tables(db: sqlite3.Connection) -> None:
    """Make the tables that are missing, and the columns that an older store lacks."""
    for table in TABLES:
        db.execute(f"CREATE TABLE IF NOT EXISTS {table}")
    if "follows" not in _columns(db, "games"):
        db.execute(f"ALTER TABLE games ADD COLUMN {FOLLOWS}")


def _make_triggers(db: sqlite3.Connection) -> None:
    """Make the triggers once the rows are there: rows that are copied bring their checksums."""
    db.execute(COUNTED)
    for number, trigger in enumerate(UNSUMMED):
        db.execute(f"CREATE TRIGGER IF NOT EXISTS unsummed_{number} {trigger}")


def _columns(db: sqlite3.Connection, table: str) -> Sequence[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def _table_names() -> set[str]:
    return {table.split()[0] for table in TABLES}


@cache
def _known_schema() -> schema.Objects:
    """Return what may stand in a store's schema: this version's, and the games of the first."""

    def first(db: sqlite3.Connection) -> None:
        db.execute(f"CREATE TABLE {FIRST}")

    def newest(db: sqlite3.Connection) -> None:
        _make_tables(db)
        _make_triggers(db)

    return schema.made(first) | schema.made(newest)
