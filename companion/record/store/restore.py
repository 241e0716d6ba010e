"""Restoring a backup in the store's place: all of it or nothing. What was there is kept.

The new files are prepared in a folder beside the store, and renaming that folder commits the restore: from then on it
is completed, however often the power fails while the files are put in their places. The next program that opens the
store finishes it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from companion.record.store import mark
from companion.system.files import folder, own, sync

STAMP = re.compile(r"[0-9A-Za-z-]{1,40}")
SIDE_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a store while it is open."""


@contextmanager
def making(store: Path) -> Iterator[Path]:
    """Make a folder beside the store, on the same disk, for its successor; it is removed at the end.

    Raises OSError. The caller holds the store's lock.
    """
    _clear_unfinished(store)
    try:
        yield folder(Path(f"{_waiting(store)}.new"))
    finally:
        _clear_unfinished(store)


def _clear_unfinished(store: Path) -> None:
    """Remove what is left of a restore that was cut off before its commit."""
    for end in (".new", ".part"):
        shutil.rmtree(f"{_waiting(store)}{end}", ignore_errors=True)


def ready(store: Path, new: Path, entries: int, stamp: str, config: tuple[Path, bytes] | None = None) -> None:
    """Prepare a new file, on the store's disk, to take the store's place, and a config.yaml with its place.

    `stamp` names what will be put aside. Raises OSError; then nothing has changed. The caller holds the store's lock,
    and calls `finish`.
    """
    part = folder(Path(f"{_waiting(store)}.part"))
    _sync(new)
    new.replace(part / "store")
    mark.write(part / "store", replace(mark.read(store), count=entries), sync=True)
    plan = {
        "stamp": _new_stamp(stamp, store, *([config[0]] if config else [])),
        "config": str(config[0].absolute()) if config else "",
    }
    if config:
        _write(part / "config", config[1])
    _write(part / "plan", json.dumps(plan).encode())
    sync(part)
    part.rename(_waiting(store))
    sync(store.parent)


def _new_stamp(stamp: str, *places: Path) -> str:
    """Return a stamp under which nothing has been put aside yet."""
    stamps = chain([stamp], (f"{stamp}-{number}" for number in count(2)))
    return next(one for one in stamps if not any(os.path.lexists(f"{place}.before-{one}") for place in places))


def finish(store: Path) -> list[Path]:
    """Put a prepared restore in its place, if there is one; return the paths that keep the replaced files.

    The caller holds the store's lock. Raises OSError; then it may be called again.
    """
    waiting = _waiting(store)
    _clear_unfinished(store)
    if not waiting.is_dir():
        return []
    aside: list[Path] = []
    if (waiting / "plan").exists():
        stamp, config = _read_plan(waiting, store)
        aside = [*_put_store(waiting, store, stamp), *_put_config(waiting, config, stamp)]
    sync(store.parent)
    shutil.rmtree(waiting)
    return aside


def _read_plan(waiting: Path, store: Path) -> tuple[str, str]:
    """Return the stamp, and where config.yaml goes.

    Where the disk has spoilt the plan, the store is restored all the same, for it is whole. config.yaml then goes
    beside it, for its place is not known any more.
    """
    try:
        plan = json.loads((waiting / "plan").read_bytes())
        if isinstance(plan["stamp"], str) and isinstance(plan["config"], str) and STAMP.fullmatch(plan["stamp"]):
            return plan["stamp"], plan["config"]
    except (ValueError, KeyError, TypeError):
        pass
    stamp = _new_stamp("restored", store, store.with_name("config.yaml"))
    return stamp, str(store.with_name(f"config.yaml.{stamp}"))


def _put_store(waiting: Path, store: Path, stamp: str) -> list[Path]:
    """Put the new store and its mark in place; return where the old store is kept.

    The old mark goes first, then the file changes, then the new mark comes: no mark ever promises too much.
    """
    new, beside, its_mark = waiting / "store", waiting / "store-mark", Path(f"{store}-mark")
    aside = store.with_name(f"{store.name}.before-{stamp}")
    if new.exists():
        for end in ("", *SIDE_FILES, "-mark"):
            _keep(Path(f"{store}{end}"), Path(f"{aside}{end}"))
        for end in (*SIDE_FILES, "-mark"):
            Path(f"{store}{end}").unlink(missing_ok=True)
        own(new, store.parent)
        new.replace(store)
    if beside.exists():
        own(beside, store.parent)
        beside.replace(its_mark)
    return [aside] if aside.exists() else []


def _put_config(waiting: Path, written: str, stamp: str) -> list[Path]:
    new, place = waiting / "config", Path(written)
    if not (written and new.exists()):
        return []
    aside = place.with_name(f"{place.name}.before-{stamp}")
    _keep(place, aside)
    beside = place.with_name(f".{place.name}.{stamp}")
    folder(place.parent)
    shutil.copyfile(new, beside)  # it may be on another disk
    if aside.exists():
        shutil.copymode(aside, beside)
    own(beside, aside if aside.exists() else place.parent)
    beside.replace(place)
    sync(place.parent)
    new.unlink()
    return [aside] if aside.exists() else []


def _keep(path: Path, aside: Path) -> None:
    """Keep a file under another name as well; nothing is done twice."""
    if not path.exists() or aside.exists():
        return
    try:
        os.link(path, aside)
    except OSError:  # a stick's file system knows no second name for a file
        beside = aside.with_name(f".{aside.name}")
        shutil.copy2(path, beside)
        beside.replace(aside)


def _write(path: Path, data: bytes) -> None:
    number = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with open(number, "wb") as file:  # noqa: PTH123 - as it has been opened
        file.write(data)
        file.flush()
        os.fsync(number)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _waiting(store: Path) -> Path:
    return Path(f"{store}-restoring")
