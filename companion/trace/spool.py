"""A recording as long as somebody wants it: written as it comes, and given its name and other ids when it ends."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from threading import Event, Thread

from companion import files
from companion.message import Message, reason
from companion.trace import Line, Note, line, written
from companion.trace.keeping import Header, Mask
from companion.trace.recorder import Recorder

PART = ".part"
"""Added to the name of a recording that has not ended. Only its owner may read it: the ids in it are the real ones."""
WAITING = 200_000
"""Notes that wait for the disk at most."""
BYTES = 100_000_000
"""How large a recording grows: an hour of five readers."""
EVERY = 0.5
"""Seconds between two writes."""


class Spool:
    """Records to `path` until it is closed. Raises OSError if nothing can be written there."""

    def __init__(self, recorder: Recorder, path: Path, head: Header, mask: Mask, most: int = BYTES) -> None:
        self.trouble = ""
        """Why the recording is not whole, "" if it is."""
        self.path = path
        self._head, self._mask, self._left = head, mask, most
        self._part = path.with_name(path.name + PART)
        self._file = os.fdopen(os.open(self._part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
        self._notes: deque[Note] = deque(maxlen=WAITING)
        self._closing = Event()
        self._thread = Thread(target=self._write, name="recording", daemon=True)
        self._end = recorder.listen(self._notes.append)
        self._thread.start()

    def _write(self) -> None:
        while not self._closing.wait(EVERY):
            self._empty()
        self._empty()

    def _empty(self) -> None:
        if len(self._notes) == WAITING:
            self._stop(Message("The disk is too slow: a part of it is missing"))
        for _ in range(len(self._notes)):
            data = b"".join(written([line(self._notes.popleft())]))
            if self.trouble:
                continue
            self._left -= len(data)
            if self._left < 0:
                self._stop(Message("It is as large as a recording may be, and ends there"))
                continue
            try:
                self._file.write(data)
            except OSError as error:
                self._stop(error.strerror or reason(error))

    def _stop(self, why: str) -> None:
        self.trouble = self.trouble or why

    def close(self) -> Path:
        """Ends the recording; where it is. Raises OSError; then the unfinished file stays."""
        self._end()
        self._closing.set()
        self._thread.join()
        self._file.close()
        return finish(self._part, self._head(), self._mask)


def finish(part: Path, head: Line, mask: Mask) -> Path:
    """Gives a recording its header, its name and other ids. Raises OSError."""
    path = files.free(part.with_name(part.name.removesuffix(PART)))
    number, beside = mkstemp(dir=part.parent, prefix=f".{part.name}.")  # 0600
    try:
        with os.fdopen(number, "wb") as file:
            file.writelines(written([head]))
            file.writelines(written(mask(lambda: _read(part))))
            file.flush()
            os.fsync(number)
        files.name(Path(beside), path)
    finally:
        with suppress(OSError):
            Path(beside).unlink()
    part.unlink()
    return path


def _read(part: Path) -> Iterator[Line]:
    """The lines so far; the power may have gone in the middle of the last one."""
    with part.open("rb") as file:
        for each in file:
            with suppress(ValueError):
                yield json.loads(each)
