"""The hall's store, one SQLite file: what tables sent, what the organiser ordered, and what was wrong.

A message that comes twice is kept once, and the first stays. A row is parsed once, and again only where it has changed.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.hall.records import Fault, HallGame, Have, Payload, TableRow, Taken, canonical, checksum
from companion.rules import Seat
from companion.rules.message import Message
from companion.system import schema
from companion.system.files import alone, folder, private

VERSION = 1
TABLES = """
CREATE TABLE IF NOT EXISTS places (
    place TEXT PRIMARY KEY, status TEXT, health TEXT, off INTEGER, view TEXT, spoken INTEGER);
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, place TEXT NOT NULL, game INTEGER NOT NULL, begun TEXT NOT NULL, header TEXT,
    round INTEGER, upto INTEGER NOT NULL DEFAULT 0, stands INTEGER NOT NULL DEFAULT -1, result TEXT, crc INTEGER,
    UNIQUE (place, game, begun));
CREATE TABLE IF NOT EXISTS events (
    of INTEGER, number INTEGER, payload TEXT NOT NULL, PRIMARY KEY (of, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS approvals (
    id INTEGER PRIMARY KEY, of INTEGER NOT NULL, seat TEXT NOT NULL, crc INTEGER NOT NULL, approves INTEGER NOT NULL,
    "by" TEXT, at TEXT);
CREATE INDEX IF NOT EXISTS approved ON approvals (of, seat);
CREATE TABLE IF NOT EXISTS said (number INTEGER PRIMARY KEY, act TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS faults (
    place TEXT NOT NULL, template TEXT NOT NULL, facts TEXT NOT NULL, times INTEGER NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (place, template, facts));
"""
PATIENCE_S = 3.0
"""Seconds to wait for a command to release the store."""
FAULTS = 500
"""The most different faults kept; the oldest go first, so that no stranger fills the disk."""
GAME = "SELECT id, place, game, begun, header, round, upto, result, crc FROM games"
APPROVALS = (
    "SELECT of, seat, approves FROM approvals JOIN games ON of = games.id AND approvals.crc = games.crc"
    "{where} ORDER BY approvals.id"
)
T = TypeVar("T")


class _Parsed(Generic[T]):
    """What was made of rows, by their key; a row is compared, so that the file stays the only truth."""

    def __init__(self, make: Callable[..., T]) -> None:
        self._make, self._known = make, dict[object, tuple[tuple[object, ...], T]]()

    def of(self, key: object, *row: object) -> T:
        """Return what this row makes; nobody may change it."""
        known = self._known.get(key)
        if known is None or known[0] != row:
            known = self._known[key] = row, self._make(*row)
        return known[1]


class HallInUse(OSError):  # noqa: N818 - said as it is
    """Another hall has this store open."""


class HallStore:
    """The hall's file, open for writing by one thread at a time. `commit` makes durable what has been taken.

    Raises HallInUse, OSError or sqlite3.Error; ValueError where the file is something else.
    """

    def __init__(
        self,
        path: Path,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.path, self._now, self._patience_s = path, now, patience_s
        self.emptied = False
        """Whether the file was there but empty: its contents are lost."""
        self.evenings = 0
        """How many evenings have been put aside since it was opened."""
        self._spoilt: set[str] = set()
        self._tables, self._games, self._acts = _Parsed(self._table), _Parsed(self._row), _Parsed(self._act)
        self._moments = _Parsed(self._moment)
        folder(path.parent)
        private(Path(f"{path}-lock"))
        self._lock = Path(f"{path}-lock").open("w")  # noqa: SIM115 - held until the store is closed
        try:
            self._db = self._opened()
        except BaseException:  # raised again: only the lock must not stay
            self._lock.close()
            raise

    def _opened(self) -> sqlite3.Connection:
        self._take_lock()
        empty = self.path.exists() and not self.path.stat().st_size
        private(self.path)
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            _require_ours(db, self.path)
            schema.require_ours(db, _ours())
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.executescript(TABLES)
            db.execute(f"PRAGMA user_version={VERSION}")
        except schema.ForeignSchema:
            db.close()
            raise _not_ours(self.path) from None
        except BaseException:  # raised again: only the file must not stay open
            db.close()
            raise
        self.emptied = empty
        return db

    def _take_lock(self) -> None:
        """Take the lock; wait `patience_s` for a command that is at work. Raises HallInUse."""
        end = time.monotonic() + self._patience_s
        while True:
            try:
                alone(self._lock)
                return
            except BlockingIOError:
                if time.monotonic() > end:
                    raise HallInUse(f"{self.path} is in use by another hall: close that one first.") from None
                time.sleep(0.05)

    def close(self) -> None:
        """Commit what has been taken, and close the file; harmless a second time."""
        with suppress(sqlite3.ProgrammingError):  # closed already
            self.commit()
        self._db.close()
        self._lock.close()

    def put_aside(self, path: Path) -> None:
        """Give the file this name, and begin an empty one; the lock stays. Raises OSError and sqlite3.Error."""
        self.commit()
        (busy, *_) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:  # somebody reads it: the file alone is not all of it
            raise sqlite3.OperationalError("in use")
        self._db.close()
        try:
            self.path.rename(path)
            self._db = self._opened()
        except BaseException:  # raised again: the evening goes on in its file
            for rest in ("-wal", "-shm"):  # of the one that could not be begun
                Path(f"{self.path}{rest}").unlink(missing_ok=True)
            if path.exists():
                path.replace(self.path)
            self._db = self._opened()
            raise
        self._spoilt.clear()
        self.evenings += 1

    def commit(self) -> None:
        """Commit what has been taken so far; it is on disk when this returns."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")

    def _run(self, statement: str, *values: object) -> sqlite3.Cursor:
        """Execute a change, which `commit` makes durable."""
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")
        return self._db.execute(statement, values)

    # -- what tables send ----------------------------------------------------------------------------------------

    def take(self, kind: str, table: str, payload: Payload, retained: bool = False) -> Taken:
        """Take what has been validated: a header, event, result, approval, health, status or view.

        A retained one is old news from the broker: it says nothing of the table's clock, nor of which game it plays.
        """
        self._run("INSERT INTO places (place) VALUES (?) ON CONFLICT DO NOTHING", table)
        match kind:
            case "status" | "view":
                return self._note(kind, table, payload)
            case "health":
                return self._health(table, payload, retained)
            case "header":
                taken = self._header(table, payload)
            case "event":
                taken = self._event(table, payload)
            case "result":
                taken = self._result(table, payload)
            case "approval":
                taken = self._approval(table, payload)
            case _:
                raise KeyError(kind)
        self._speaks(table, payload, retained)
        if taken.fault:
            self.fault(table, taken.fault)
        return taken

    def _speaks(self, table: str, payload: Payload, retained: bool) -> None:
        """Note the game that the table speaks of: `have` is about it."""
        self._run(
            "UPDATE places SET spoken = (SELECT id FROM games WHERE place = ? AND game = ? AND begun = ?)"
            " WHERE place = ? AND (spoken IS NULL OR NOT ?)",
            *(table, payload["game"], payload["begun"] or "", table, retained),
        )

    def _note(self, what: str, table: str, payload: Payload) -> Taken:
        """Keep what a table says of itself: the last message stands."""
        said = f"UPDATE places SET {what} = ? WHERE place = ? AND {what} IS NOT ?"
        return Taken(bool(self._run(said, canonical(payload), table, canonical(payload)).rowcount))

    def _health(self, table: str, payload: Payload, retained: bool) -> Taken:
        taken = self._note("health", table, payload)
        with suppress(ValueError, TypeError):  # no time, or one without an offset
            if taken.new and not retained:
                off = datetime.fromisoformat(payload["clock"]) - self._now()
                self._run("UPDATE places SET off = ? WHERE place = ?", round(off.total_seconds()), table)
        return taken

    def _game(self, table: str, payload: Payload) -> tuple[int, str | None, int, int, int | None]:
        """Return the game that a table speaks of, which is added if it is new.

        It has the id, header, number of acts without a gap, and the result's number and checksum.
        """
        key = (table, payload["game"], payload["begun"] or "")
        made = self._run(
            "INSERT INTO games (place, game, begun) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", *key
        ).rowcount
        of: tuple[int, str | None, int, int, int | None] = self._run(
            "SELECT id, header, upto, stands, crc FROM games WHERE place = ? AND game = ? AND begun = ?", *key
        ).fetchone()
        others = "SELECT 1 FROM games WHERE place = ? AND game = ? AND begun <> ?"
        if made and self._run(others, *key).fetchone():
            self.fault(table, Message(
                "Game {game} is not the same as before: the table's store was set back to an older state, or two tables"
                " share a name.",
                game=payload["game"],
            ))  # fmt: skip
        return of

    def _header(self, table: str, payload: Payload) -> Taken:
        of, known, *_ = self._game(table, payload)
        if known is None:
            header, began = canonical(payload), payload.get("round")
            self._run("UPDATE games SET header = ?, round = ? WHERE id = ?", header, began, of)
            return Taken(new=True)
        before = json.loads(known)
        if _header_identity(before) == _header_identity(payload):
            late = before.get("round") is None and payload.get("round") is not None
            if late:  # it was begun while the table did not know how it is seated
                self._run(
                    "UPDATE games SET header = ?, round = ? WHERE id = ?", canonical(payload), payload["round"], of
                )
            return Taken(new=late)
        return Taken(
            fault=Message("Game {game} has two different headers; the first one counts.", game=payload["game"])
        )

    def _event(self, table: str, payload: Payload) -> Taken:
        of, _, upto, *_ = self._game(table, payload)
        number = payload["number"]
        row = self._run("SELECT payload FROM events WHERE of = ? AND number = ?", of, number).fetchone()
        if row is None:
            self._run("INSERT INTO events VALUES (?, ?, ?)", of, number, canonical(payload))
            if number == upto + 1:
                self._run("UPDATE games SET upto = ? WHERE id = ?", self._without_gap(of, number), of)
            return Taken(new=True)
        if _event_identity(json.loads(row[0])) == _event_identity(payload):
            return Taken()
        return Taken(fault=Message(
            "Move {number} of game {game} came twice, with different contents; the first one counts.",
            number=number,
            game=payload["game"],
        ))  # fmt: skip

    def _without_gap(self, of: int, number: int) -> int:
        for (later,) in self._db.execute(
            "SELECT number FROM events WHERE of = ? AND number > ? ORDER BY number", (of, number)
        ):
            if later != number + 1:
                break
            number = later
        return number

    def _result(self, table: str, payload: Payload) -> Taken:
        of, _, _, stands, crc = self._game(table, payload)
        result, number = payload["result"], payload["number"]
        if payload["crc"] != (None if result is None else checksum(result)):
            return Taken(fault=Message("The result of game {game} does not match its checksum.", game=payload["game"]))
        if number < stands or (number == stands and payload["crc"] == crc):
            return Taken()
        if number == stands:
            return Taken(fault=Message(
                "Game {game} has two different results at move {number}; the first one counts.",
                game=payload["game"],
                number=number,
            ))  # fmt: skip
        text = None if result is None else canonical(result)
        self._run("UPDATE games SET stands = ?, result = ?, crc = ? WHERE id = ?", number, text, payload["crc"], of)
        return Taken(new=True)

    def _approval(self, table: str, payload: Payload) -> Taken:
        of, *_ = self._game(table, payload)
        seat, says = payload["seat"], (payload["crc"], int(payload["approves"]))
        known = self._run(
            "SELECT crc, approves, at FROM approvals WHERE of = ? AND seat = ? ORDER BY id", of, seat
        ).fetchall()
        at = payload.get("at")
        if known and (known[-1][:2] == says or (at not in (None, known[-1][2]) and (*says, at) in known)):
            return Taken()  # repeated, or old news sent again; within one moment the last to come stands
        add = 'INSERT INTO approvals (of, seat, crc, approves, "by", at) VALUES (?, ?, ?, ?, ?, ?)'
        self._run(add, of, seat, *says, payload.get("by"), at)
        return Taken(new=True)

    # -- what is kept --------------------------------------------------------------------------------------------

    def have(self, table: str) -> Have | None:
        """Return what is durable of the game that this table spoke of last; None if it has spoken of none."""
        self.commit()
        games = self._games_where(" WHERE games.id = (SELECT spoken FROM places WHERE place = ?)", table)
        if not games:
            return None
        game = games[0]
        number = game.number if game.header else 0  # from the header on again
        return Have(game.game, game.begun, number, game.crc, game.approvals)

    def tables(self) -> Sequence[TableRow]:
        """Return every table that has been heard of, by name."""
        rows = self._db.execute("SELECT place, status, health, off, view FROM places ORDER BY place").fetchall()
        return [self._tables.of(row[0], *row) for row in rows]

    def _table(self, place: str, status: str | None, health: str | None, off: int | None, view: str | None) -> TableRow:
        told = [self._stored_payload(place, text) for text in (status, health, view)]
        return TableRow(place, told[0], told[1], off, told[2])

    def _stored_payload(self, place: str, text: str | None) -> Any:  # a payload as it was taken, or None
        return self._read(text, f"table {place}")

    def games(self, table: str | None = None) -> Sequence[HallGame]:
        """Return the games of all tables or of one, in the order in which they were first heard of."""
        where, values = ("", ()) if table is None else (" WHERE place = ?", (table,))
        return self._games_where(where, *values)

    def _games_where(self, where: str, *values: object) -> Sequence[HallGame]:
        approvals: dict[int, dict[Seat, int]] = {}
        for of, seat, approves in self._db.execute(APPROVALS.format(where=where), values):
            approvals.setdefault(of, {})[seat] = approves  # the last to come stands
        rows = self._db.execute(f"{GAME}{where} ORDER BY games.id", values).fetchall()
        return [self._games.of(row[0], row, tuple(sorted(approvals.get(row[0], {}).items()))) for row in rows]

    def _row(self, row: tuple[Any, ...], approvals: Sequence[tuple[Seat, int]]) -> HallGame:
        _, place, game, begun, header, began, upto, result, crc = row
        what = f"game {game} of table {place}"
        said = {seat: bool(approves) for seat, approves in approvals}
        told = self._read(header, what), began, upto, self._read(result, what), crc, said
        return HallGame(place, game, begun or None, *told)

    def events(self, table: str, game: int, begun: str | None) -> Sequence[Payload]:
        """Return the acts of a game as they were sent, in order, up to the first gap."""
        query = (
            "SELECT payload FROM events JOIN games ON of = id"
            " WHERE place = ? AND game = ? AND begun = ? AND number <= upto ORDER BY number"
        )
        found: list[Payload] = []
        for (payload,) in self._db.execute(query, (table, game, begun or "")):
            event = self._read(payload, f"game {game} of table {table}")
            if event is None:
                break
            found.append(event)
        return found

    def last_moves(self) -> Mapping[tuple[str, int, str | None], str]:
        """Return the time of each game's last move, by its table's clock; games without one are left out."""
        query = "SELECT games.id, place, game, begun, payload FROM games JOIN events ON of = games.id AND number = upto"
        found = {}
        for of, place, game, begun, payload in self._db.execute(query):
            if at := self._moments.of(of, place, game, payload):
                found[place, game, begun or None] = at
        return found

    def _moment(self, place: str, game: int, payload: str) -> str | None:
        event = self._read(payload, f"game {game} of table {place}")
        return event.get("at") if event else None

    # -- the organiser -------------------------------------------------------------------------------------------

    def say(self, act: Payload) -> int:
        """Keep an act of the organiser's and return its number; it is durable when this returns."""
        number = self._run("INSERT INTO said (act) VALUES (?)", canonical(act)).lastrowid
        self.commit()
        assert number is not None
        return number

    def said(self) -> Sequence[Payload]:
        """Return the organiser's acts in order, each with its number."""
        rows = self._db.execute("SELECT number, act FROM said ORDER BY number").fetchall()
        acts = (self._acts.of(row[0], *row) for row in rows)
        return [act for act in acts if act]

    def _act(self, number: int, text: str) -> Payload | None:
        act = self._read(text, f"order {number}")
        return {**act, "number": number} if isinstance(act, dict) and "act" in act else None

    @property
    def spoilt(self) -> Sequence[str]:
        """Return the rows that turned out to be unreadable, as far as they were read."""
        return sorted(self._spoilt)

    def _read(self, text: str | bytes | None, what: str) -> Any:  # a payload as it was taken, or None
        """Parse a row; one that cannot be read is noted, and costs that row and not the evening."""
        try:
            return None if text is None else json.loads(text)
        except ValueError:
            self._spoilt.add(what)
            return None

    def fault(self, table: str, what: Message) -> None:
        """Keep for the organiser what is wrong at a table, "" for none; the same once, with its count."""
        at = self._now().isoformat(timespec="seconds")
        facts = canonical({name: fact if isinstance(fact, int) else str(fact) for name, fact in what.facts.items()})
        self._run(
            "INSERT INTO faults VALUES (?, ?, ?, 1, ?)"
            " ON CONFLICT DO UPDATE SET times = times + 1, at = excluded.at",
            *(table, what.template, facts, at),
        )  # fmt: skip
        self._run("DELETE FROM faults WHERE rowid NOT IN (SELECT rowid FROM faults ORDER BY at DESC LIMIT ?)", FAULTS)

    def faults(self) -> Sequence[Fault]:
        """Return what was wrong, the newest last."""
        rows = self._db.execute("SELECT place, template, facts, times, at FROM faults ORDER BY at, rowid")
        return [
            Fault(place, Message(text, **(self._read(facts, "a fault") or {})), times, at)
            for place, text, facts, times, at in rows
        ]


def rebuild(old: Path, new: Path) -> None:
    """Copy the rows of a hall's file into a new one. Raises ValueError, schema.ForeignSchema and sqlite3.Error."""
    with closing(sqlite3.connect(old)) as db:
        _require_ours(db, old)
    schema.rebuild(old, new, lambda db: db.executescript(TABLES))


def _require_ours(db: sqlite3.Connection, path: Path) -> None:
    if db.execute("PRAGMA user_version").fetchone()[0] not in (0, VERSION):
        raise _not_ours(path)


def _not_ours(path: Path) -> ValueError:
    return ValueError(Message(
        "{file} was not written by this version of the hall: move it away, and the tables send their games again.",
        file=path,
    ))  # fmt: skip


@cache
def _ours() -> schema.Objects:
    return schema.made(lambda db: db.executescript(TABLES))


def _event_identity(event: Payload) -> Payload:
    """Return what identifies an act: the program's codes for its rulings may change with its version."""
    return {key: of for key, of in event.items() if key != "codes"}


def _header_identity(header: Payload) -> Payload:
    """Return what identifies a header.

    Players' names may change with what the hall wants to be read. A game begun before the hall was heard has its
    evening and its round late.
    """
    told = {key: of for key, of in header["header"].items() if key not in ("players", "evening")}
    return {**header, "round": None, "header": told}
