"""The games while the program is replaced: copied before, and restored where an older version cannot read them.

Root works in a folder here that the service's user may write. So it follows no link there, and accepts no file as the
games that is not the user's own; the copies lie where only root writes.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import ENOSPC, ENXIO
from itertools import count
from pathlib import Path

from companion.system.files import sync
from pi import program
from pi.account import USER, ids
from pi.machine import OURS, Failed, Machine

COPIES = f"{OURS}/games"
PART = f"{COPIES}/.part"
"""A copy that is still being made."""
NUMBERED = re.compile(r"\d{4}-")
KEEP = 4
"""How many copies are kept."""
LENGTH = 50_000_000
"""The longest value in the store that root's SQLite accepts, in bytes."""
WAITING = "-restoring"
"""The folder with a backup that replaces the store at the next start: companion/record/store/restore.py."""
BESIDE = ("-wal", "-shm", "-mark", WAITING)
"""The endings of files that belong to the store and may lie beside it."""


def where(m: Machine, version: str) -> Path:
    """Return the file with the games, as config.yaml says. Raises Failed."""
    return Path(program.needs(m, version)["store"])


def copied(m: Machine, store: Path, version: str) -> Path | None:
    """Copy the games that a version has left, while no table is at work; None where there are none. Raises Failed.

    Each copy has a numbered folder, as a Pi's clock may stand at 1970. The folder gets its name once it is complete.
    """
    with _home(m, store) as home:
        if home is None or not _there(home, store.name):
            return None
        m.folder(COPIES)
        _ours(m, m.at(COPIES), 0o750)
        part = m.at(PART)
        m.remove(PART)  # an earlier attempt was interrupted
        part.mkdir(mode=0o700)
        copy = part / store.name
        try:
            for end in ("", "-wal", "-mark"):
                _take(m, home, f"{store.name}{end}", copy.with_name(f"{store.name}{end}"))
            with closing(sqlite3.connect(copy)) as db:
                db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LENGTH)
                db.execute("PRAGMA trusted_schema=OFF")  # the file is the user's, and this is root
                db.execute("PRAGMA ignore_check_constraints=ON")
                db.execute("PRAGMA journal_mode=DELETE")  # one file, which is all of it
                found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
                if found != "ok":
                    raise sqlite3.DatabaseError(found)
            for path in (*part.iterdir(), part):
                _ours(m, path, 0o750 if path.is_dir() else 0o640)
            folder = part.rename(m.at(f"{COPIES}/{_next(m):04}-{version}"))
            sync(folder.parent)
        except (OSError, sqlite3.Error) as error:
            shutil.rmtree(part, ignore_errors=True)
            why = getattr(error, "strerror", None) or error
            raise Failed(f"{store} could not be copied: {why}", "Check the disk: tabularium doctor") from None
    with suppress(OSError):
        _prune(m)
    return folder / store.name


def _prune(m: Machine) -> None:
    """Remove all copies but the newest four, and never a version's newest: it may be all that this version can read."""
    there = sorted(path for path in m.at(COPIES).iterdir() if NUMBERED.match(path.name))
    newest = {path.name[5:]: path for path in there}
    spare = [path for path in there if path != newest[path.name[5:]]]
    for path in spare[: max(0, len(there) - KEEP)]:
        shutil.rmtree(path)
    for path in sorted(newest.values())[: -2 * KEEP]:
        shutil.rmtree(path)


def copies(m: Machine, store: Path) -> list[Path]:
    """Return all copies, the newest last."""
    there = sorted(m.at(COPIES).iterdir()) if m.at(COPIES).is_dir() else []
    return [path / store.name for path in there if NUMBERED.match(path.name) and (path / store.name).exists()]


def fit(m: Machine, version: str, copy: Path) -> bool:
    """Return whether a version can read these games."""
    return program.fits(m, version, copy)


def older(m: Machine, version: str, by: str, store: Path | None = None) -> Path | None:
    """Return the copy that must replace the present games, so that a version finds games that it can read.

    Another version has written the present games. None where the version can read them; raises Failed where no copy can
    be read.
    """
    store = store or where(m, version)
    try:
        now = copied(m, store, by)
    except (Failed, OSError):  # no room, or damaged: the games are examined where they lie, and stay there
        now = store
    waiting = store.with_name(f"{store.name}{WAITING}") / "store"
    if all(fit(m, version, path) for path in (now, waiting) if path and path.exists()):
        return None
    found = next((copy for copy in reversed(copies(m, store)) if copy != now and fit(m, version, copy)), None)
    if not found:
        raise Failed(f"{version} cannot read the games of {by}, and there is no copy from before.")
    return found


def beside(m: Machine, store: Path, word: str = "newer") -> Path:
    """Return a free name beside the store: no file has it, also none of an earlier installation."""
    with _home(m, store) as home:
        for number in count(1):
            name = f"{store.name}.{word}-{number:04}"
            if home is None or not any(_there(home, f"{name}{end}") for end in ("", *BESIDE)):
                break
    return store.with_name(name)


def put_back(m: Machine, store: Path, copy: Path | None, aside: Path | None = None) -> Path:
    """Put a copy in the store's place, or nothing; return `aside`, where the former games lie then.

    Can be repeated with the same name, and continues after a power cut. Raises Failed, and then nothing has changed.
    """
    aside = aside or beside(m, store)
    with _home(m, store) as home:
        if home is None:
            raise Failed(f"{store.parent} is gone.", "Plug in the disk or stick with the games.")
        if _there(home, aside.name) and _there(home, store.name):  # the games are moved last: it has been done
            return aside
        moved: list[str] = []
        try:
            there = [end for end in ("-mark", "") if copy and copy.with_name(f"{store.name}{end}").exists()]
            for end in there:  # the files that need room come first
                assert copy
                _give(m, copy.with_name(f"{store.name}{end}"), home, f".{store.name}{end}.back")
            moved += _renamed(home, store.name, aside.name)
            for end in there:
                os.rename(f".{store.name}{end}.back", f"{store.name}{end}", src_dir_fd=home, dst_dir_fd=home)
            os.fsync(home)
        except OSError as error:
            with suppress(OSError):
                for end in moved:
                    os.rename(f"{aside.name}{end}", f"{store.name}{end}", src_dir_fd=home, dst_dir_fd=home)
            raise Failed(f"{store}: {error.strerror or error}", "Check the disk: tabularium doctor") from None
    return aside


def undone(m: Machine, store: Path, aside: Path) -> None:
    """Bring the games back that were put aside; the games in their place are kept under another name. Raises Failed."""
    other = beside(m, store, "older")
    with _home(m, store) as home:
        if home is not None and _there(home, aside.name):
            try:
                _renamed(home, store.name, other.name)
                _renamed(home, aside.name, store.name)
                os.fsync(home)
            except OSError as error:
                raise Failed(f"{store}: {error.strerror or error}", "Check the disk: tabularium doctor") from None


# -- in a folder of the user's -----------------------------------------------------------------------------------------


@contextmanager
def _home(m: Machine, store: Path) -> Iterator[int | None]:
    """Open the folder with the games, None where there is none. Raises Failed for one that is not the user's."""
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


def _renamed(home: int, old: str, new: str) -> list[str]:
    """Rename a store and the files that belong to it; existing files of the new name stay.

    Returns which files were moved. Raises OSError, and then none has been moved.
    """
    moved: list[str] = []
    try:
        for end in ("", *BESIDE):
            if not _there(home, f"{new}{end}") and _there(home, f"{old}{end}"):
                os.rename(f"{old}{end}", f"{new}{end}", src_dir_fd=home, dst_dir_fd=home)
                moved.append(end)
    except OSError:
        with suppress(OSError):
            for end in moved:
                os.rename(f"{new}{end}", f"{old}{end}", src_dir_fd=home, dst_dir_fd=home)
        raise
    return moved


def _take(m: Machine, home: int, name: str, to: Path) -> None:
    """Copy a file of the user's, if it exists. Raises OSError."""
    try:
        number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=home)
    except FileNotFoundError:
        return
    try:
        seen, room = os.fstat(number), os.statvfs(to.parent)
        if not stat.S_ISREG(seen.st_mode) or seen.st_uid != _user(m):
            raise OSError(f"{name} is not a file of the user {USER}")
        if seen.st_blocks * 512 > room.f_bavail * room.f_frsize:
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        with to.open("xb") as copy:
            _poured(number, copy.fileno(), seen.st_size)
    finally:
        os.close(number)


def _poured(source: int, to: int, size: int) -> None:
    """Copy so many bytes from one open file to a new one, holes as holes, and sync them to disk. Raises OSError."""
    at = 0
    while at < size:
        try:
            at = os.lseek(source, at, os.SEEK_DATA)
            end = min(os.lseek(source, at, os.SEEK_HOLE), size)
        except OSError as error:
            if error.errno != ENXIO:  # there is no more data
                raise
            break
        while at < end and (part := os.pread(source, min(end - at, 1 << 20), at)):
            at += os.pwrite(to, part, at)
        if at < end:
            break  # the file has been shortened meanwhile
    os.ftruncate(to, size)
    os.fsync(to)


def _give(m: Machine, copy: Path, home: int, name: str) -> None:
    """Write a new file in the user's folder, owned by the user. Raises OSError, and then the file is gone."""
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=home)
    number = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=home)
    try:
        with copy.open("rb") as there:
            _poured(there.fileno(), number, os.fstat(there.fileno()).st_size)
        with suppress(PermissionError):  # a stick's file system knows no owners
            os.fchown(number, *ids(m, "passwd")[USER])
    except OSError:
        os.unlink(name, dir_fd=home)
        raise
    finally:
        os.close(number)


def _ours(m: Machine, path: Path, mode: int) -> None:
    """Make a copy root's and readable for the user: a version is tested as the user whether it can read it."""
    os.chown(path, os.geteuid(), ids(m, "passwd")[USER][1])
    path.chmod(mode)


def _next(m: Machine) -> int:
    return max((int(path.name[:4]) for path in m.at(COPIES).iterdir() if NUMBERED.match(path.name)), default=0) + 1
