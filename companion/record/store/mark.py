"""A mark beside a store's file: how many entries it must have, and where it has moved. Losing the mark loses no game.

SQLite cannot tell that its log was taken away or cut off: what is left is an older store, and sound. The mark is
written after every transaction, in place and without waiting for the disk, so it is never ahead of what is safe; and it
has its full size from the beginning, so that a full disk can still take word of a new place.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

from companion.rules.message import Message
from companion.system.files import private

SIZE = 4096
"""One page: a write that is cut off by a kill has written all of it or nothing."""


@dataclass(frozen=True, slots=True)
class StoreMark:
    """The content of a mark: `count` entries are on disk.

    If the store has `gone` elsewhere, there were `left` of them then.
    """

    count: int = 0
    gone: Path | None = None
    left: int = 0


def read(store: Path) -> StoreMark:
    """Return the mark of this store; an empty one where there is none that can be read."""
    try:
        with _file(store).open("rb") as file:
            crc, _, body = file.read(SIZE).rstrip().partition(b" ")
        if int(crc, 16) != crc32(body):
            return StoreMark()
        said = json.loads(body)
        return StoreMark(said["count"], Path(said["gone"]) if said["gone"] else None, said["left"])
    except (OSError, ValueError):
        return StoreMark()


def write(store: Path, mark: StoreMark, sync: bool = False) -> None:
    """Write the mark, with `sync` so that it outlives a power cut. Raises OSError."""
    body = json.dumps({"count": mark.count, "gone": str(mark.gone or ""), "left": mark.left}).encode()
    line = f"{crc32(body):08x} ".encode() + body
    if len(line) > SIZE:
        raise OSError(f"{mark.gone} is too long a path")
    private(_file(store))
    number = os.open(_file(store), os.O_WRONLY)
    try:
        os.pwrite(number, line.ljust(SIZE), 0)
        if sync:
            os.fsync(number)
    finally:
        os.close(number)


def _file(store: Path) -> Path:
    return store.with_name(f"{store.name}-mark")


def send(store: Path, goal: Path) -> None:
    """Record that the store has gone to `goal`. Raises OSError."""
    before = read(store)
    write(store, StoreMark(before.count, None if goal == store else goal, before.count), sync=True)


def follow(store: Path) -> tuple[Path, Message | None]:
    """Return where the store of this path is now, and a message about that, None without one."""
    mark = read(store)
    if mark.gone is None:
        return store, None
    if not os.path.exists(mark.gone):  # noqa: PTH110 - False for a stick that fails as well
        return store, Message(
            "The games were last saved in {file}, which cannot be found. To continue there, close "
            "the program, plug in that disk or stick and start again. The games here are older.",
            file=mark.gone,
        )
    if mark.count > mark.left:
        return mark.gone, Message(
            "The games are in {file}. Games played while it was missing are in {old}.",
            file=mark.gone,
            old=store,
        )
    return mark.gone, None


def said(store: Path) -> None:
    """Record that the message of `follow` has been shown. Raises OSError."""
    mark = read(store)
    if mark.gone and mark.count > mark.left:
        write(store, replace(mark, left=mark.count))
