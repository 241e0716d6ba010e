"""`tabularium backup` and `restore`: games, players, decks, boards and settings, on a stick and back."""

from __future__ import annotations

import argparse
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from companion.cli.common import STORE, fail, settings_of
from companion.rules.dates import day_and_time
from companion.rules.message import program

if TYPE_CHECKING:
    from companion.record.store.backup import Backup


def run_backup(args: argparse.Namespace) -> int:
    """Save everything on a stick. Exit status 0 once it is there."""
    from companion import __version__
    from companion.hardware import settings as config
    from companion.record.store import StoreInUse, StoreTooNew, mark
    from companion.record.store.backup import NAME, BackupError, made, packed
    from companion.rules.mistakes import ConfigError
    from companion.system import files

    now = datetime.now().astimezone()
    try:
        store, note = mark.follow(settings_of(args).data / STORE)
        written = config.find(args.config)
        settings = written.read_bytes() if written else None
        with TemporaryDirectory() as copy:
            backup = made(store, settings, now.isoformat(timespec="seconds"), __version__, Path(copy))
            place = args.folder or _only_stick()
            path = files.free(files.folder(place) / NAME.format(day=f"{now:%Y-%m-%d}"))
            files.save(path, packed(backup))
        files.sync(place)  # the stick may be pulled out
    except ConfigError as error:
        return fail(*error.lines)
    except (BackupError, StoreInUse, StoreTooNew) as error:
        return fail(str(error))
    except OSError as error:
        return fail(f"{error.filename or args.folder}: {error.strerror or error}")
    if note:
        print(note)
    print(f"Saved as {path}: {backup.entries} entries{'' if backup.config is None else ' and config.yaml'}.")
    if backup.unsound:
        games = ", ".join(map(str, backup.unsound))
        return fail(f"the journals of these games are damaged, and were saved as they are: {games}")
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """Restore a backup. Exit status 0 once everything is in its place."""
    from companion.record.store import StoreInUse
    from companion.record.store.backup import BackupError
    from companion.rules.mistakes import ConfigError

    try:
        for line in _restored(args, _backup(args.file)):
            print(line)
    except ConfigError as error:
        return fail(*error.lines)
    except (BackupError, StoreInUse) as error:
        return fail(str(error))
    except OSError as error:
        return fail(f"{error.filename or args.file}: {error.strerror or error}")
    return 0


def _restored(args: argparse.Namespace, path: Path) -> list[str]:
    from companion.record.store.backup import BackupError, opened
    from companion.record.store.database import locked, why
    from companion.record.store.restore import finish, making, ready
    from companion.system import files

    store = _where(settings_of(args).data / STORE)
    stamp = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    files.folder(store.parent)
    try:
        with closing(locked(store)):
            aside = finish(store)
            with making(store) as place:
                backup = opened(path, place)
                config, said = _config(args, backup, stamp)
                ready(store, backup.store, backup.entries, stamp, config)
            aside += finish(store)
    except sqlite3.Error as error:
        raise BackupError(why(error, store)) from None
    told = [f"Restored from {path}: {backup.entries} entries of {day_and_time(backup.at, 'en')[0]}, in {store}."]
    return told + said + [f"The previous data is kept as {kept}." for kept in aside]


def _where(home: Path) -> Path:
    """Return where the games are now: an evening saved elsewhere continues there.

    Raises BackupError if that place cannot be found.
    """
    from companion.record.store import mark
    from companion.record.store.backup import BackupError

    at, _ = mark.follow(home)
    gone = mark.read(home).gone
    if gone and at == home:
        raise BackupError(
            f"the games were last saved in {gone}, which is missing: plug in that disk or stick and start this"
            f" again; to give up those games, remove {home}-mark first"
        )
    return at


def _config(args: argparse.Namespace, backup: Backup, stamp: str) -> tuple[tuple[Path, bytes] | None, list[str]]:
    """Return where the backup's config.yaml goes, with its text, and the messages about it.

    A file that keeps its games in another place, or has mistakes, goes beside the one in use: with it, the restored
    games would not be found.
    """
    from companion.hardware.wizard import place as wizard

    if backup.config is None:
        return None, []
    place = wizard.place(args.config).absolute()
    if place.exists() and place.read_bytes() == backup.config:
        return None, []
    if _data(backup.config, place) == settings_of(args).data:
        return (place, backup.config), [f"config.yaml is restored in {place}."]
    beside = place.with_name(f"{place.name}.backup-{stamp}")
    why = "keeps its games in another place, or does not fit this version"
    return (beside, backup.config), [f"The backup's config.yaml {why}: it is saved as {beside} and not in use."]


def _data(written: bytes, place: Path) -> Path | None:
    """Return where a config.yaml would keep its games if it stood at `place`; None for one with mistakes."""
    from companion.hardware import settings as config
    from companion.rules.mistakes import ConfigError
    from drivers.kinds import KINDS

    with TemporaryDirectory() as folder:
        draft = Path(folder) / "config.yaml"
        draft.write_bytes(written)
        try:
            data = config.load(draft, KINDS).data
        except ConfigError:
            return None
        inside = data.is_relative_to(folder)
        return place.parent / data.relative_to(folder) if inside else data


def _backup(given: Path | None) -> Path:
    """Return the named file, or the newest backup in a folder or on the only stick. Raises BackupError."""
    from companion.record.store.backup import PATTERN, BackupError

    place = given or _only_stick()
    if not place.is_dir():
        return place
    found = sorted(place.glob(PATTERN), key=lambda path: path.stat().st_mtime)
    if not found:
        raise BackupError(f"there is no backup in {place}")
    return found[-1]


def _only_stick() -> Path:
    """Return the only stick. Raises BackupError where there is none, or more than one."""
    from companion.record.store.backup import BackupError
    from companion.system.files import sticks, unwritable

    found = sticks()
    if len(found) == 1:
        return found[0]
    if found:
        wrong = f"several USB sticks are plugged in ({', '.join(map(str, found))})"
    elif locked := unwritable():
        wrong = f"{locked[0]} is read-only (eject it safely from Windows, or unlock it)"
    else:
        wrong = "no USB stick is plugged in"
    raise BackupError(f"{wrong}: name a folder, as in {program()} backup /media/stick")
