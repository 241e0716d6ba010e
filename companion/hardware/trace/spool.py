"""A recording of any length: written as it comes, and given its name and masked ids when it ends."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from companion.hardware.trace import Note, line, written
from companion.hardware.trace.keeping import Header
from companion.hardware.trace.parts import PART, ROOM, Mask, finish, room
from companion.hardware.trace.recorder import Recorder
from companion.rules.message import Message, system_error
from companion.system.files import alone

WAITING = 200_000
"""The most notes waiting for the disk."""
BYTES = 100_000_000
"""The largest size of a recording: an hour of five readers."""
EVERY = 0.5
"""Seconds between two writes."""


class Spool:
    """A recording to `path` until it is closed; `died` hears why it ended earlier.

    Raises OSError if nothing can be written there.
    """

    def __init__(
        self,
        recorder: Recorder,
        path: Path,
        head: Header,
        mask: Mask,
        most: int = BYTES,
        *,
        died: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.trouble = ""
        """The reason why the recording is not whole, "" if it is."""
        self._begun = False
        self.path = path
        self._head, self._mask, self._left, self._died = head, mask, most, died
        self._part = path.with_name(path.name + PART)
        with suppress(FileNotFoundError):
            finish(self._part, mask)  # the power had gone
        self._file = os.fdopen(os.open(self._part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
        alone(self._file)
        self._notes: deque[Note] = deque(maxlen=WAITING)
        self._closing = Event()
        self._thread = Thread(target=self._write_until_stopped, name="recording", daemon=True)
        self._end = recorder.listen(self._notes.append)
        self._thread.start()

    def _write_until_stopped(self) -> None:
        while not self._closing.wait(EVERY):
            self._empty_queue()
        self._empty_queue()

    def _empty_queue(self) -> None:
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
                raise OSError(Message("The recording has reached its size limit and ends there"))
            if room(self.path.parent) < ROOM + len(data):
                raise OSError(Message("The disk is nearly full; the rest is kept for the games"))
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            self.trouble = system_error(error)
            self._died(self.trouble)

    def close(self) -> Path:
        """End the recording and return its path. Raises OSError; then the unfinished file stays."""
        self._end()
        self._closing.set()
        self._thread.join()
        with suppress(OSError):  # what could not be written has been said
            self._file.close()
        return finish(self._part, self._mask, self._head())
