"""The schema of an SQLite file: compared with the one that the program makes, and left behind where it differs.

A schema is code. A trigger may delete what has just been inserted, a view may stand where a table is looked for, and a
CHECK or a generated column may take all the memory there is. So a schema is compared before anything evaluates it, and
from a file with another one only rows are copied, into a new file. Statistics are the exception: SQLite evaluates their
columns as it loads the schema, so loading it is bounded too.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

Objects = frozenset[tuple[str, str, str, str]]
"""Tables, indexes, triggers and views: type, name, table and definition of each."""
Make = Callable[[sqlite3.Connection], object]
"""Makes the program's own tables in an empty file."""

LONGEST = 4_000_000
"""Bytes of a value; four times the longest line of a transcript."""
CPU_S = 60.0
"""Seconds of computing in which 200 MB of rows are read and written, on a slow Pi too."""
STEPS = 1000
"""Steps of SQLite's machine between two looks at the clock."""


class ForeignSchema(sqlite3.DatabaseError):
    """A schema that no version of the program has made."""


def distrust(db: sqlite3.Connection) -> None:
    """Let a schema do nothing beyond its file, and check every page before it is used."""
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")


@contextmanager
def bounded(db: sqlite3.Connection) -> Iterator[None]:
    """Bound the cost of a file from elsewhere: the size of a value, and the computing time.

    Raises ForeignSchema where the time is over.
    """
    end = time.thread_time() + CPU_S
    longest = db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    db.set_progress_handler(lambda: time.thread_time() > end, STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise ForeignSchema("it takes too long to read") from None
        raise
    finally:
        db.set_progress_handler(None, 0)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)


def objects(db: sqlite3.Connection, file: str = "main") -> Objects:
    """Return every object of a schema, with the spaces of its definition made one."""
    columns = ", ".join(f"CAST({column} AS TEXT)" for column in ("type", "name", "tbl_name", "sql"))
    rows = db.execute(f"SELECT {columns} FROM {file}.sqlite_schema")
    return frozenset((kind, name, table, " ".join((sql or "").split())) for kind, name, table, sql in rows)


def made(make: Make) -> Objects:
    """Return the objects that `make` makes."""
    with closing(sqlite3.connect(":memory:")) as db:
        make(db)
        return objects(db)


def require_ours(db: sqlite3.Connection, ours: Objects) -> None:
    """Raise ForeignSchema for a file with an object that is not among `ours`; one may be missing.

    Evaluates no more than loading the schema does. The connection must have read only the file's header so far.
    """
    distrust(db)
    with bounded(db):
        strange = sorted(objects(db) - ours)
    if strange:
        kind, name, *_ = strange[0]
        raise ForeignSchema(f"{kind} {name}")
    if db.execute("PRAGMA encoding").fetchone() != ("UTF-8",):  # every checksum of a text would differ
        raise ForeignSchema("encoding")


def rebuild(old: Path, new: Path, make: Make, later: Mapping[str, Collection[str]] = {}) -> None:
    """Copy the rows of the program's tables from one file into a new one whose tables `make` makes.

    `later` names the columns of a table that earlier versions did not have. Raises ForeignSchema where a table or
    column is missing, is computed, or takes too long to read, and any error of the disk or of SQLite.
    """
    with closing(sqlite3.connect(new, isolation_level=None)) as db, bounded(db):
        distrust(db)
        make(db)
        db.execute("ATTACH ? AS old", (str(old),))
        real = {name for kind, name, *_ in objects(db, "old") if kind == "table"}
        real &= {name for (name,) in db.execute("SELECT name FROM old.sqlite_schema WHERE rootpage > 0")}
        db.execute("BEGIN")
        for kind, table, *_ in sorted(objects(db)):
            if kind == "table":
                _copy(db, table, table in real, later.get(table, ()))
        db.execute("COMMIT")


def _copy(db: sqlite3.Connection, table: str, real: bool, later: Collection[str]) -> None:
    """Copy a table's rows.

    A computed column is not among those that SQLite lists. A damaged key that meets another one costs its row, and no
    other.
    """
    wanted = [row[1] for row in db.execute(f"PRAGMA main.table_info({table})")]
    here = {row[1] for row in db.execute(f"PRAGMA old.table_info({table})")} if real else set()
    columns = [f'"{column}"' for column in wanted if column in here]
    if not {*wanted} - {*later} <= here:
        raise ForeignSchema(f"table {table}")
    if columns:
        found = [row[0] for row in db.execute(f"PRAGMA old.quick_check({table})")]
        if found != ["ok"]:
            raise ForeignSchema(found[0])
        listed = ", ".join(columns)
        db.execute(f"INSERT OR IGNORE INTO main.{table} ({listed}) SELECT {listed} FROM old.{table}")
