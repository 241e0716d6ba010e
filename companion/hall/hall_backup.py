"""The backup of a hall on a stick, and its restoration on another computer.

A backup is one zip file: the hall's store, and what `hall setup` wrote down for the broker and the tables. It contains
the passwords.
"""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.hall import mosquitto, setup
from companion.hall.control_socket import STORE, put_aside
from companion.hall.page import lay_out_both
from companion.hall.plan import Plan
from companion.hall.published import stand
from companion.hall.store import HallStore, rebuild
from companion.rules.message import Message
from companion.system import files
from companion.system.archives import BROKEN, Archive

SUFFIX = ".hall"
UNREADABLE = (*BROKEN, json.JSONDecodeError, UnicodeDecodeError, TypeError, KeyError, sqlite3.Error)
MOST = 500_000_000
"""Bytes of a store; a stick with more was not written here."""
SMALL = 1_000_000
KEPT = ("secrets", "passwords", "acl", "mosquitto.conf", "hall.json")
OTHERS = ("acl-board", "acl-desk", "passwords-desk", "hall.crt", "hall.key")
"""What not every hall has."""


def saved(plan: Plan, data: Path, place: Path) -> Path:
    """Write a backup of the hall into this folder, in place of its earlier one, and return its path.

    `data` is where its store is; the hall may run meanwhile. Raises OSError and sqlite3.Error.
    """
    path = place / f"{plan.hall}{SUFFIX}"
    inside: dict[str, bytes | str] = {STORE: _copied(data / STORE)}
    for name in (*KEPT, *(name for name in OTHERS if (plan.folder / name).exists())):
        inside[name] = (plan.folder / name).read_bytes()
    for table in sorted((plan.folder / "tables").glob("*.yaml")):
        inside[f"tables/{table.name}"] = table.read_bytes()
    files.written(path, files.zipped(inside))
    files.sync(place)  # the stick may be pulled out
    return path


def _copied(path: Path) -> bytes:
    """Return a store as one file, as it stands on disk, even while it is in use; an empty one if there is none yet."""
    with closing(sqlite3.connect(":memory:")) as copy:
        if path.exists():
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
                db.backup(copy)
        return copy.serialize()


def taken_up(path: Path, folder: Path, data: Path) -> tuple[Plan, list[Message]]:
    """Restore a saved hall on this computer: the broker's files into `folder`, the store into `data`.

    Return the plan that was set up, and what there is to say. A store that was here is put aside first. Raises
    ValueError for a file that is no hall, HallInUse while a hall runs here, and OSError.
    """
    with _passing(data) as made:
        inside, store = _opened(path, made)
        told = []
        if aside := put_aside(data):
            told.append(Message("The previous evening is kept as {file}", file=str(aside)))
        plan = _plan(inside, folder)
        files.folder(folder / "kept")
        sticks = files.folder(folder / "tables")
        for name, content in inside.items():
            if name != "mosquitto.conf":
                files.written((sticks if name.startswith("tables/") else folder) / Path(name).name, content)
        files.written(folder / "mosquitto.conf", mosquitto.moved(inside["mosquitto.conf"].decode(), folder))
        for name, text in mosquitto.units(plan, folder.absolute()).items():
            files.written(folder / name, text)
        lay_out_both(folder, mosquitto.apart(folder))
        files.written(folder / "hall.json", setup.noted(plan))
        store.replace(data / STORE)
    return plan, told


@contextmanager
def _passing(data: Path) -> Iterator[Path]:
    """Yield a temporary folder on the store's disk; afterwards `data` is removed too if it is empty."""
    try:
        with TemporaryDirectory(dir=files.folder(data), prefix=".") as made:
            yield Path(made)
    finally:
        with suppress(OSError):
            data.rmdir()


def _plan(inside: Mapping[str, bytes], folder: Path) -> Plan:
    noted = json.loads(inside["hall.json"])
    noted.pop("board", None)
    return replace(Plan(**{**noted, "tables": tuple(noted["tables"])}), folder=folder)


def _opened(path: Path, place: Path) -> tuple[Mapping[str, bytes], Path]:
    """Return the files in a backup, and the path of its store, rebuilt in a folder.

    Raises ValueError for a file that is no hall or whose store cannot be read, and OSError.
    """
    try:
        with Archive(path, _most) as saved:
            if not {*KEPT, STORE} <= saved.names:
                raise zipfile.BadZipFile
            inside = {name: saved.read(name) for name in sorted(saved.names - {STORE})}
            given, store = files.folder(place / "given") / STORE, place / STORE
            saved.unpack(STORE, given)
        plan = _plan(inside, path.parent)
        if setup.wrong(plan):
            raise zipfile.BadZipFile
        rebuild(given, store)  # only rows are taken over
        _require_readable(store)
    except UNREADABLE as error:
        raise ValueError(Message("{file} is not a backup made by tabularium hall backup.", file=path.name)) from error
    return inside, store


def _most(name: str) -> int | None:
    """Return how many bytes a file of the backup may have, None for one that does not belong there."""
    if name == STORE:
        return MOST
    return SMALL if name in (*KEPT, *OTHERS) or _is_stick(name) else None


def _is_stick(name: str) -> bool:
    folder, _, table = name.partition("/")
    return folder == "tables" and table.endswith(".yaml") and "/" not in table and not table.startswith(".")


def _require_readable(path: Path) -> None:
    """Raise the error that the hall would raise for this store, before anything is put in its place."""
    copy = HallStore(path)
    try:
        stand(copy)
    finally:
        copy.close()
