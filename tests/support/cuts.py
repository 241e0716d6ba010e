"""Games before, during and after an update that is cut."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from pi import account, program, steps, update
from pi.machine import Machine
from tests.support.updating import Stand, quiet


def play(m: Machine, what: str, kind: int) -> None:
    with closing(sqlite3.connect(store(m))) as db:
        db.execute("CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT)")
        db.execute("INSERT OR REPLACE INTO settings VALUES ('language', ?)", (what,))
        db.execute(f"PRAGMA user_version={kind}")
        db.commit()
    account.own(m, store(m))


def store(m: Machine) -> Path:
    return m.at(f"{account.DATA}/tabularium.sqlite3")


def kind(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def said(path: Path) -> str:
    with closing(sqlite3.connect(path)) as db:
        return str(db.execute("SELECT value FROM settings").fetchone()[0])


def put(m: Machine) -> None:
    this, bring = program.version(m.source), partial(steps.install, [program.step(m)], quiet)
    update.replaced(m, this, bring, quiet, Stand().table)
