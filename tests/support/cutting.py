"""Power cuts and full disks at one chosen moment.

Changes are counted as they happen, by Python's own audit events and by fsync; `disturbed` runs a program in a child
process up to its change of a given number.
"""

from __future__ import annotations

import errno
import os
import resource
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHANGES = frozenset((
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.chmod", "os.chown", "os.truncate",
    "sqlite3.connect", "subprocess.Popen", "fsync",
))  # fmt: skip
NEEDS_ROOM = frozenset(("open", "os.mkdir", "os.symlink", "os.link", "fsync"))
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def disturbed(act: Callable[[], object], at: int, noted: Path, full: bool = False) -> list[str]:
    """Run `act` up to its `at`-th change, then end its process without another word or, with `full`, fill the disk.

    Returns what it has changed, by then or in all; with 0 for `at` nothing is disturbed. An error that `act` does not
    declare as its own (`pi.machine.Failed`, OSError) is raised here too, as AssertionError.
    """
    wrong = noted.with_suffix(".wrong")
    child = os.fork()
    if child == 0:
        number = os.open(noted, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        notes = os.fdopen(number, "w")
        count = 0

        def changes(event: str, what: object) -> None:
            nonlocal count
            count += 1
            if count <= at or not at:
                notes.write(f"{event} {what}\n")
            if count == at:
                notes.flush()
                if not full:
                    os._exit(9)
                resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            if full and 0 < at <= count and event in NEEDS_ROOM:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(what))

        def seen(event: str, args: tuple[Any, ...]) -> None:
            if event in CHANGES or (
                event == "open" and isinstance(args[2], int) and args[2] & WRITES and args[0] != os.devnull
            ):
                changes(event, args[0])

        sync = os.fsync

        def fsync(number: int) -> None:
            changes("fsync", number)
            sync(number)

        status = 0
        try:
            os.fsync = fsync  # type: ignore[assignment]
            sys.addaudithook(seen)
            act()
        except BaseException as error:
            status = 1 if type(error).__name__ in ("Failed", "Refused", "Busy") or isinstance(error, OSError) else 2
            if status == 2:
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                at = 0
                wrong.write_text(traceback.format_exc(), encoding="utf-8")
        notes.flush()
        os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1, 9), wrong.read_text(encoding="utf-8")
    return noted.read_text(encoding="utf-8").splitlines()
