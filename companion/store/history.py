"""Reading what a store has on disk: the games played and their journals."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

Entry = tuple[str, str | None, str | None]
"""A journaled event's transcript line, what it came by, and when."""


_COUNT = "coalesce((SELECT max(number) FROM events WHERE game = games.number), 0)"
GAMES = f"SELECT number, at, header, {_COUNT} AS events, result FROM games"
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
        """The header's data; an unknown game with no players if the disk has spoilt it: no checksum guards it."""
        return {"game": "?", "seats": []} | _object(self.header)

    @property
    def outcome(self) -> dict[str, Any]:
        """The result's data; empty while there is none, or none that can be read."""
        return _object(self.result or "")


def _object(text: str) -> dict[str, Any]:
    with suppress(ValueError):
        data = json.loads(text)
        if isinstance(data, dict):
            return data
    return {}


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as its journal has it; `note` says where a damaged journal ends."""

    number: int
    at: str
    header: str
    events: tuple[Entry, ...]
    result: str | None
    note: str | None = None


def reading(path: Path) -> sqlite3.Connection:
    """A read-only connection, even to a read-only disk. Raises sqlite3.Error."""
    address = path.absolute().as_uri()
    db = sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=0.5)
    try:
        db.execute("SELECT 1 FROM games")
    except sqlite3.Error as error:
        db.close()
        log = Path(f"{path}-wal")
        unread = log.exists() and log.stat().st_size
        if not isinstance(error, sqlite3.OperationalError) or not path.exists() or unread:
            raise
        db = sqlite3.connect(f"{address}?immutable=1", uri=True)  # SQLite cannot make the files it wants beside it
    db.text_factory = lambda text: text.decode("utf-8", "replace")  # a spoilt byte is found by its crc
    return db


def rows(path: Path, query: str, *values: Any) -> list[Any]:
    """All that the query finds. Raises sqlite3.Error."""
    with closing(reading(path)) as db:
        return db.execute(query, values).fetchall()


def games(path: Path) -> list[GameRow]:
    """Every game on disk, newest first. Raises sqlite3.Error."""
    return [GameRow(*row) for row in rows(path, f"{GAMES} ORDER BY number DESC")]


def entries(path: Path, game: int) -> tuple[tuple[Entry, ...], str | None]:
    """A game's journal up to its end or its first damaged event, and a note if it is damaged."""
    found: list[Entry] = []
    query = "SELECT number, event, by, at, crc FROM events WHERE game = ? ORDER BY number"
    try:
        with closing(reading(path)) as db:
            for number, event, by, at, crc in db.execute(query, (game,)):
                if number != len(found) + 1 or crc != checksum(number, event):
                    return tuple(found), f"The journal of game {game} is damaged after event {len(found)}."
                found.append((event, by, at))
    except sqlite3.Error as error:
        return tuple(found), f"The journal of game {game} cannot be read after event {len(found)} ({error})."
    return tuple(found), None


def checksum(number: int, event: str) -> int:
    """Over an event and its place, so that neither can change unnoticed."""
    return crc32(f"{number} {event}".encode("utf-8", "replace"))
