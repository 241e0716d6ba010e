"""Reading what a store has on disk: the games played and their journals."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from companion.rules.message import Message
from companion.system import schema

Entry = tuple[str, str | None, str | None]
"""A journaled event's transcript line, what it came by, and when."""


THE_DISKS = frozenset({
    sqlite3.SQLITE_AUTH, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_READONLY,
})  # fmt: skip
"""SQLite's errors about the place where a file is, not about what is in it."""


class Damage(sqlite3.DatabaseError):
    """The file is not what a store has to be."""


def is_damage(error: BaseException) -> bool:
    """Return whether an error raised while a store is read comes from what is in its file, not from the disk.

    A spoilt text may be invalid UTF-8, in a report of SQLite too, and a spoilt number may be out of range.
    """
    if isinstance(error, OSError | MemoryError):
        return False
    return getattr(error, "sqlite_errorcode", 0) & 0xFF not in THE_DISKS


def texts(*columns: str) -> str:
    """Return the SQL for these columns as texts, even where a spoilt byte has changed their type."""
    return ", ".join(f"coalesce(CAST({column} AS TEXT), '')" for column in columns)


SUMS = "sums (of TEXT, key TEXT, crc INTEGER, PRIMARY KEY (of, key)) WITHOUT ROWID"
"""Checksums of headers, results, players, tags and settings, and how many events each journal has had, kept apart from
the rows. Rows of an earlier version have none, and are taken as they are."""
JOURNAL = "journal"
"""The kind under which `sums` has how many events a journal has."""


def summed(*values: bytes | str | int | None) -> int:
    """Return the checksum of a row's values, of any type."""
    return crc32(b"\x1f".join(_bytes(value) for value in values))


def _bytes(value: bytes | str | int | None) -> bytes:
    if value is None or isinstance(value, bytes):
        return value or b""
    return str(value).encode("utf-8", "replace")


def sum_of(row: str, *columns: str) -> str:
    """Return the SQL for the checksum of these columns."""
    return f"summed({', '.join(f'CAST({row}.{column} AS BLOB)' for column in columns)})"


def is_whole(row: str, key: str, of: str, *columns: str) -> str:
    """Return the SQL for whether a row is what was written.

    `of` is its kind in `sums`, `key` the column that names it.
    """
    crc = f"(SELECT crc FROM sums WHERE of = '{of}' AND sums.key = CAST({row}.{key} AS TEXT))"
    return f"coalesce({crc}, {sum_of(row, *columns)}) = {sum_of(row, *columns)}"


IS_HEADER = is_whole("games", "number", "game", "header", "at", "follows")
IS_RESULT = is_whole("games", "number", "result", "result")
IS_SETTING = is_whole("settings", "key", "setting", "value")
IS_PLAYER = is_whole("players", "name", "player", "colour", "seen")
IS_TAG = is_whole("tags", "tag", "tag", "card", "deck")
RESULT = f"CASE WHEN {IS_RESULT} THEN CAST(result AS TEXT) END"
"""A game's result; None where it is spoilt, as the journal has it."""
HEADER = f"CASE WHEN {IS_HEADER} THEN {texts('header')} ELSE '' END"
_EVENTS = (
    "max(coalesce((SELECT max(number) FROM events WHERE game = games.number), 0), coalesce((SELECT CAST(crc AS INTEGER)"
    f" FROM sums WHERE of = '{JOURNAL}' AND sums.key = CAST(games.number AS TEXT)), 0))"
)
GAMES = f"SELECT number, {texts('at')}, {HEADER}, {_EVENTS} AS events, {RESULT} FROM games"
"""What a GameRow is made of."""
EARLIER = f"""
WITH RECURSIVE earlier (number) AS (
    SELECT follows FROM games WHERE number = ?
    UNION SELECT follows FROM games JOIN earlier USING (number)
)
{GAMES} WHERE number IN (SELECT number FROM earlier) ORDER BY number"""
"""The games that a game follows in its series."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who has played here, the colour last played and when, in UTC."""

    name: str
    colour: str
    seen: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """A line of the history: `header` is the transcript's line, `events` how many there are."""

    number: int
    at: str
    header: str
    events: int
    result: str | None

    @property
    def table(self) -> dict[str, Any]:
        """Return the header's data; an unknown game with no players if the disk has spoilt it."""
        return {"game": "?", "seats": [], "players": {}} | _object(self.header, game=str, seats=list, players=dict)

    @property
    def outcome(self) -> dict[str, Any]:
        """Return the result's data; empty while there is none, or none that can be read."""
        return _object(self.result or "", winners=list)


def _object(text: str, **kinds: type) -> dict[str, Any]:
    """Return the JSON object in a text, empty for anything else.

    The keys in `kinds` are kept only where the value is of that kind, and made of words.
    """
    with suppress(ValueError, RecursionError):
        data = json.loads(text)
        if isinstance(data, dict):
            return {key: value for key, value in data.items() if key not in kinds or _is_kind(value, kinds[key])}
    return {}


def readable(header: str) -> bool:
    """Return whether this looks like a header, so that nobody would notice another one in its place."""
    return {"game", "seats"} <= _object(header, game=str, seats=list).keys()


def _is_kind(value: Any, kind: type) -> bool:
    inside = value.values() if isinstance(value, dict) else value
    return isinstance(value, kind) and all(isinstance(word, str) for word in inside)


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as its journal has it; `note` says where a damaged journal ends."""

    number: int
    at: str
    header: str
    events: tuple[Entry, ...]
    result: str | None
    note: str | None = None


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection, even to a read-only disk.

    Raises sqlite3.Error, and Damage for damage of any kind.
    """
    try:
        with closing(_connected(path)) as db:
            db.execute("BEGIN")  # a snapshot: writes meanwhile change nothing of what is read
            yield db
    except Exception as error:  # sorted by `is_damage`
        if is_damage(error) and not isinstance(error, sqlite3.Error):
            raise Damage(str(error)) from error
        raise


def _connected(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    db = _limited(f"{address}?mode=ro")
    try:
        db.execute("SELECT 1 FROM games")
    except Exception as error:  # sorted below: damage has many errors
        db.close()
        log = Path(f"{path}-wal")
        unread = log.exists() and log.stat().st_size
        if not isinstance(error, sqlite3.OperationalError) or not path.exists() or unread:
            raise
        db = _limited(f"{address}?immutable=1")  # SQLite cannot make the files it wants beside it
    db.text_factory = lambda text: text.decode("utf-8", "replace")  # a spoilt byte is found by its crc
    db.create_function("summed", -1, summed, deterministic=True)
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sums'").fetchone():
        db.execute(f"CREATE TEMP TABLE {SUMS}")  # an earlier version has written it
    return db


def _limited(address: str) -> sqlite3.Connection:
    """Return a connection that has read nothing yet, and that no schema makes take much memory."""
    db = sqlite3.connect(address, uri=True, timeout=0.5)
    schema.distrust(db)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, schema.LONGEST)
    return db


def rows(path: Path, query: str, *values: Any) -> list[Any]:
    """Return all that the query finds. Raises sqlite3.Error."""
    with reading(path) as db:
        return db.execute(query, values).fetchall()


def games(path: Path) -> list[GameRow]:
    """Return every game on disk, newest first. Raises sqlite3.Error."""
    return [GameRow(*row) for row in rows(path, f"{GAMES} ORDER BY number DESC")]


def entries(path: Path, game: int) -> tuple[tuple[Entry, ...], str | None]:
    """Return a game's journal up to its end or its first damaged event, and a note if it is damaged."""
    found: list[Entry] = []
    query = (
        f"SELECT number, {texts('event')}, CAST(by AS TEXT), CAST(at AS TEXT), crc FROM events WHERE game = ?"
        " ORDER BY number"
    )
    try:
        with reading(path) as db:
            for number, event, by, at, crc in db.execute(query, (game,)):
                if number != len(found) + 1 or crc != checksum(number, event):
                    damaged = Message(
                        "The journal of game {game} is damaged after event {event}.", game=game, event=len(found)
                    )
                    return tuple(found), damaged
                found.append((event, by, at))
            if missing(db, game, len(found)):
                damaged = Message(
                    "The journal of game {game} is damaged after event {event}.", game=game, event=len(found)
                )
                return tuple(found), damaged
    except sqlite3.Error as error:
        unread = Message(
            "The journal of game {game} cannot be read after event {event} ({error}).",
            game=game,
            event=len(found),
            error=error,
        )
        return tuple(found), unread
    return tuple(found), None


def missing(db: sqlite3.Connection, game: int, found: int) -> bool:
    """Return whether there must be more of a journal than was found.

    One spoilt key hides the rows behind it in the tree, and SQLite does not notice. So the whole table is scanned, and
    compared with the count made as it was written.
    """
    (most,) = db.execute("SELECT coalesce(max(+number), 0) FROM events WHERE +game = ?", (game,)).fetchone()
    return max(counted(db, game), int(most)) > found


def counted(db: sqlite3.Connection, game: int) -> int:
    """Return how many events a journal has, by the count made at writing; 0 for one of an earlier version."""
    query = f"SELECT coalesce(max(CAST(crc AS INTEGER)), 0) FROM sums WHERE of = '{JOURNAL}' AND key = ?"
    (count,) = db.execute(query, (str(game),)).fetchone()
    return int(count)


def unsound(db: sqlite3.Connection) -> list[int]:
    """Return the games whose journals cannot be read to their end (see `missing`), in one scan of the table."""
    seen = dict(db.execute("SELECT +game, max(+number) FROM events GROUP BY +game").fetchall())
    found = []
    for (game,) in db.execute("SELECT number FROM games ORDER BY number").fetchall():
        (count,) = db.execute("SELECT count(*) FROM events WHERE game = ?", (game,)).fetchone()
        if max(counted(db, game), int(seen.get(game) or 0)) > count:
            found.append(int(game))
    return found


def checksum(number: int, event: str) -> int:
    """Return the checksum over an event and its place, so that neither can change unnoticed."""
    return crc32(f"{number} {event}".encode("utf-8", "replace"))
