"""The games, for whoever replaces the program: copied before, and put back where an older version cannot read them.

Root works in a folder here that the service's user may write. So it follows no link there, and takes no file for the
games that is not the user's own; the copies lie where only root writes.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from pi import program
from pi.account import USER, ids
from pi.machine import OURS, Failed, Machine

COPIES = f"{OURS}/games"
KEEP = 4
"""How many copies are kept."""
BESIDE = ("-wal", "-shm", "-mark")
"""What may lie beside the store's file and belongs to it."""


def where(m: Machine, version: str) -> Path:
    """The file with the games, as config.yaml says. Raises Failed."""
    return Path(program.needs(m, version)["store"])


def copied(m: Machine, store: Path, version: str) -> Path | None:
    """Copies the games that a version has left, while no table is at work; None where there are none. Raises Failed.

    A folder a copy, numbered: a Pi's clock may stand at 1970.
    """
    with _home(m, store) as home:
        if home is None or not _there(home, store.name):
            return None
        m.folder(COPIES)
        _ours(m, m.at(COPIES), 0o750)
        folder = m.at(f"{COPIES}/{_next(m):04}-{version}")
        folder.mkdir(mode=0o700)
        copy = folder / store.name
        try:
            for end in ("", "-wal", "-mark"):
                _take(m, home, f"{store.name}{end}", copy.with_name(f"{store.name}{end}"))
            with closing(sqlite3.connect(copy)) as db:
                db.execute("PRAGMA journal_mode=DELETE")  # one file, which is all of it
                found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
                if found != "ok":
                    raise sqlite3.DatabaseError(found)
        except (OSError, sqlite3.Error) as error:
            shutil.rmtree(folder)
            why = getattr(error, "strerror", None) or error
            raise Failed(f"{store} could not be copied: {why}", "Look at the disk: tabularium doctor") from None
    for path in (*folder.iterdir(), folder):
        _ours(m, path, 0o750 if path.is_dir() else 0o640)
    for older in copies(m, store)[:-KEEP]:
        shutil.rmtree(older.parent)
    return copy


def copies(m: Machine, store: Path) -> list[Path]:
    """All copies, the newest last."""
    return sorted(m.at(COPIES).glob(f"*/{store.name}"))


def fit(m: Machine, version: str, copy: Path) -> bool:
    """Whether a version can read these games."""
    return bool(program.needs(m, version, copy).get("fits"))


def older(m: Machine, version: str, by: str) -> Path | None:
    """The copy that has to take the place of the games of now, which another version has written, so that a version
    finds games that it can read; None where it can read those of now. Raises Failed where there is no such copy."""
    store = where(m, version)
    now = copied(m, store, by)
    if now is None or fit(m, version, now):
        return None
    found = next((copy for copy in reversed(copies(m, store)) if copy != now and fit(m, version, copy)), None)
    if not found:
        raise Failed(f"{version} cannot read the games of {by}, and there is no copy from before.")
    return found


def put_back(m: Machine, store: Path, copy: Path) -> Path:
    """A copy takes the store's place, and what was there lies beside; where, is returned. Harmless to do again, and
    goes on where a power cut has ended it."""
    with _home(m, store) as home:
        if home is None:
            raise Failed(f"{store.parent} is gone.", "Plug in the disk or stick with the games.")
        aside = store.with_name(f"{store.name}.newer-{copy.parent.name[:4]}")
        if _there(home, aside.name) and _there(home, store.name):  # the games come last: it has been done
            return aside
        for end in ("", *BESIDE):
            if not _there(home, f"{aside.name}{end}") and _there(home, f"{store.name}{end}"):
                os.rename(f"{store.name}{end}", f"{aside.name}{end}", src_dir_fd=home, dst_dir_fd=home)
        for end in ("-mark", ""):
            if (beside := copy.with_name(f"{store.name}{end}")).exists():
                _give(m, beside, home, f"{store.name}{end}")
        os.fsync(home)
    return aside


# -- in a folder of the user's -----------------------------------------------------------------------------------------


@contextmanager
def _home(m: Machine, store: Path) -> Iterator[int | None]:
    """The open folder with the games, None where there is none. Raises Failed for one that is somebody else's."""
    try:
        folder = os.open(store.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        yield None
        return
    except OSError as error:
        raise Failed(f"{store.parent}: {error.strerror}") from None
    try:
        if os.fstat(folder).st_uid != _user(m):
            raise Failed(f"{store.parent} does not belong to {USER}.", f"sudo chown -R {USER}: {store.parent}")
        yield folder
    finally:
        os.close(folder)


def _user(m: Machine) -> int:
    return ids(m, "passwd")[USER][0]


def _there(home: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=home, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _take(m: Machine, home: int, name: str, to: Path) -> None:
    """Copies a file of the user's, if it is there. Raises OSError."""
    try:
        number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=home)
    except FileNotFoundError:
        return
    with os.fdopen(number, "rb") as file, to.open("xb") as copy:
        seen = os.fstat(number)
        if not stat.S_ISREG(seen.st_mode) or seen.st_uid != _user(m):
            raise OSError(f"{name} is no file of {USER}'s")
        shutil.copyfileobj(file, copy)
        copy.flush()
        os.fsync(copy.fileno())


def _give(m: Machine, copy: Path, home: int, name: str) -> None:
    """Puts a file where it belongs, once it is there as a whole."""
    beside = f".{name}.back"
    with suppress(FileNotFoundError):
        os.unlink(beside, dir_fd=home)
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=home)
    with os.fdopen(number, "wb") as file, copy.open("rb") as there:
        shutil.copyfileobj(there, file)
        file.flush()
        os.fsync(number)
        with suppress(PermissionError):  # a stick's file system knows no owners
            os.fchown(number, *ids(m, "passwd")[USER])
    os.rename(beside, name, src_dir_fd=home, dst_dir_fd=home)


def _ours(m: Machine, path: Path, mode: int) -> None:
    """Root's, and the user may read it: a version is asked as the user whether it can."""
    os.chown(path, os.geteuid(), ids(m, "passwd")[USER][1])
    path.chmod(mode)


def _next(m: Machine) -> int:
    found = [int(path.name[:4]) for path in m.at(COPIES).iterdir() if path.name[:4].isdecimal()]
    return max(found, default=0) + 1
