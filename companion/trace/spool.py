"""A recording as long as somebody wants it: written as it comes, and given its name and other ids when it ends."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from itertools import islice
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
        self._begun = False
        self.path = path
        self._head, self._mask, self._left = head, mask, most
        self._part = path.with_name(path.name + PART)
        with suppress(FileNotFoundError):
            finish(self._part, mask)  # the power had gone
        self._file = os.fdopen(os.open(self._part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
        flock(self._file, LOCK_EX | LOCK_NB)
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
            self.trouble = self.trouble or Message("The disk is too slow: a part of the recording is missing")
        waiting = [self._notes.popleft() for _ in range(len(self._notes))]
        if self.trouble:
            return
        data = b"".join(written(map(line, waiting)))
        if not self._begun:  # by now what is wired has been opened, and can be described
            data, self._begun = b"".join(written([self._head()])) + data, True
        self._left -= len(data)
        try:
            if self._left < 0:
                raise OSError(Message("The recording is as large as one may be, and ends there"))
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            self.trouble = error.strerror or reason(error)

    def close(self) -> Path:
        """Ends the recording; where it is. Raises OSError; then the unfinished file stays."""
        self._end()
        self._closing.set()
        self._thread.join()
        with suppress(OSError):  # what could not be written has been said
            self._file.close()
        return finish(self._part, self._mask, self._head())


def finish(part: Path, mask: Mask, head: Line | None = None) -> Path:
    """Gives a recording its name, other ids and its last header. Raises OSError, also while it goes on."""
    with part.open("rb") as file:
        flock(file, LOCK_EX | LOCK_NB)
        head = head or next(_read(part), {})
    path = files.free(part.with_name(part.name.removesuffix(PART)))
    number, beside = mkstemp(dir=part.parent, prefix=f".{part.name}.")  # 0600
    try:
        with os.fdopen(number, "wb") as file:
            file.writelines(written([head]))
            file.writelines(written(mask(lambda: islice(_read(part), 1, None))))
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
