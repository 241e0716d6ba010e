"""Stores that a disk has spoilt, or another program has changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.stores import opened

EATS = "CREATE TRIGGER eats AFTER INSERT ON events BEGIN DELETE FROM events; END"

REBUILT = {
    "a trigger that deletes": EATS,
    "a trigger that ignores": "CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END",
    "a trigger on what is counted": "CREATE TRIGGER eats AFTER UPDATE ON written BEGIN DELETE FROM events; END",
    "another trigger of the same name": f"DROP TRIGGER counted; {EATS.replace('eats', 'counted')}",
    "a view": "CREATE VIEW odd AS SELECT hex(zeroblob(400000000))",
    "a table": "CREATE TABLE odd (of TEXT)",
    "an index that two games break": "CREATE UNIQUE INDEX one ON games (at)",
    "an index on an expression": "CREATE INDEX odd ON players (hex(name || zeroblob(1000)))",
    "a column more": "ALTER TABLE players ADD COLUMN odd TEXT DEFAULT 'odd'",
    "a CHECK that no new row passes": "CHECK (number < 10) events",
    "a collation": "COLLATE NOCASE tags",
    "a table with row numbers": "DROP events",
    "statistics": "ANALYZE",
    "words to be searched": "CREATE VIRTUAL TABLE odd USING fts5 (of)",
    "boxes": "CREATE VIRTUAL TABLE odd USING rtree (id, low, high)",
    "a sequence": "CREATE TABLE odd (of INTEGER PRIMARY KEY AUTOINCREMENT)",
}
"""Foreign changes of a schema from which the rows can be taken all the same."""

REFUSED = {
    "a CHECK that takes all memory": "CHECK (length(hex(zeroblob(400000000))) > 0) events",
    "a column that is computed": "GENERATED ALWAYS AS (hex(zeroblob(400000000))) tags",
    "a view in the place of a table": "ALTER TABLE tags RENAME TO odd; CREATE VIEW tags AS SELECT * FROM odd",
    "a virtual table in the place of one": "DROP TABLE tags; CREATE VIRTUAL TABLE tags USING fts5 (tag, card, deck)",
}
"""Foreign changes of a schema from which no rows can be taken."""


def other_schema(path: Path, harm: str) -> None:
    """Change the schema by statements, or by words put into a table's definition."""
    word, _, table = harm.rpartition(" ")
    places = {"events": "crc INTEGER NOT NULL", "tags": "card TEXT NOT NULL"}
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        if word == "DROP":
            db.executescript("CREATE TABLE odd AS SELECT * FROM events; DROP TABLE events;"
                             "ALTER TABLE odd RENAME TO events")  # fmt: skip
        elif table in places:
            db.execute("PRAGMA writable_schema=ON")
            change = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?"
            db.execute(change, (places[table], f"{places[table]} {word}", table))
        else:
            db.executescript(harm)


def foreign_objects(path: Path) -> set[str]:
    """Return the names of the schema's objects that a new store does not have, or has in another form."""
    fresh = path.with_name("fresh.sqlite3")
    with opened(fresh):
        pass
    found = []
    for file in (path, fresh):
        with closing(sqlite3.connect(file)) as db:
            found.append(set(db.execute("SELECT name, sql FROM sqlite_schema").fetchall()))
    return {name for name, _ in found[0] - found[1]}
