"""Another version in place of the one that is installed: with a copy of the games made first, and a way back."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from pi import program, service
from pi.account import DATA, own
from pi.machine import Failed, Machine
from pi.steps import Say

COPIES = f"{DATA}/before-update"
KEEP = 3
"""How many copies are kept."""
BESIDE = ("-wal", "-shm", "-mark")
"""What may lie beside the store's file and belongs to it."""


def switch(
    m: Machine,
    this: str,
    say: Say,
    start: Callable[[Machine], None] = service.first_frame,
    end: Callable[[Machine], None] = service.end,
) -> None:
    """Puts a version that is installed in place of the current one, and goes back if it does not show its first frame.

    Raises Failed once the version before is at work again.
    """
    before = program.current(m)
    store = Path(program.needs(m, before)["store"])
    end(m)
    copy = None
    try:
        copy = copied(m, store)
        say(f"  now: copied the games to {copy}" if copy else f"  there are no games in {store} to be copied")
        _use(m, this, start)
    except (Failed, OSError, KeyboardInterrupt) as wrong:
        say(f"  now: back to {before}")
        end(m)  # systemd would try again, while the games are put back
        if copy:
            _put_back(m, store, copy)
        why = wrong.what if isinstance(wrong, Failed) else str(wrong) or "interrupted"
        remedy = wrong.remedy if isinstance(wrong, Failed) else ""
        try:
            _use(m, before, start)
        except Failed:
            raise Failed(f"{why}\n  {before} is back, with its games, but does not start either.", remedy) from None
        raise Failed(f"{why}\n  {before} is at work again, with its games.", remedy) from None
    program.tidy(m, keep=(this, before))


def _use(m: Machine, version: str, start: Callable[[Machine], None]) -> None:
    service.put(m, version)
    program.use(m, version)
    start(m)


def copied(m: Machine, store: Path, at: datetime | None = None) -> Path | None:
    """Copies the store as SQLite wants it copied, and its mark; None where there is none yet. Raises Failed."""
    if not store.exists():
        return None
    folder = m.at(f"{COPIES}/{at or datetime.now().astimezone():%Y-%m-%d_%H-%M-%S}")
    m.folder(COPIES)
    folder.mkdir(mode=0o700)
    copy = folder / store.name
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        shutil.rmtree(folder)
        raise Failed(f"{store} could not be copied: {error}", "Look at the disk: tabularium doctor") from None
    if _named(store, "-mark").exists():
        shutil.copyfile(_named(store, "-mark"), _named(copy, "-mark"))
    for path in (m.at(COPIES), folder, *folder.iterdir()):
        path.chmod(0o700 if path.is_dir() else 0o600)
        own(m, path)
    for older in sorted(m.at(COPIES).iterdir())[:-KEEP]:
        shutil.rmtree(older)
    return copy


def _put_back(m: Machine, store: Path, copy: Path) -> None:
    """The copy takes the store's place; what the newer version has left lies beside the copy."""
    aside = copy.parent / "newer"
    aside.mkdir(mode=0o700)
    for name in ("", *BESIDE):
        if _named(store, name).exists():
            shutil.move(_named(store, name), aside / f"{store.name}{name}")
    for name in ("", "-mark"):
        if _named(copy, name).exists():
            shutil.copyfile(_named(copy, name), _named(store, name))
            _named(store, name).chmod(0o600)
            own(m, _named(store, name))
    own(m, aside)


def _named(store: Path, end: str) -> Path:
    return store.with_name(store.name + end)
