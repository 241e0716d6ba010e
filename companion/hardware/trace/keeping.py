"""The traces that are kept: the minute before a device failed, and whole recordings. A separate thread writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import TypeVar

from companion.hardware.doctor import Finding
from companion.hardware.trace import SUFFIX, VERSION, Line, Note, line, what, written
from companion.hardware.trace.parts import Mask, finish_all, parts
from companion.hardware.trace.recorder import Minute, Recorder
from companion.rules.message import Message, system_error
from companion.system import files
from companion.system.logs import trace, writing

log = writing("trace")

FOLDER = "traces"
"""The folder of traces in the data directory."""
KEPT = 8
"""The number of minutes kept; the oldest makes room for a new one."""
ILL = "ill-"
"""The beginning of such a file's name: no other file is ever removed."""
AFTER = 2.0
"""Seconds to wait after a fault, to record what follows it."""
PAUSE = 60.0
"""The least time between two files, in seconds: a loose wire reports a fault with every touch."""

FEW, REST = 8, 0.002
"""The number of lines after which the writing thread rests, and for how many seconds."""
Pause = Callable[[], object]
T = TypeVar("T")
Header = Callable[[], Line]
"""Returns the current header of a trace."""


def header(now: datetime, **more: object) -> Line:
    return {"trace": VERSION, "at": now.isoformat(timespec="seconds"), **more}


def stamp(now: datetime) -> str:
    """Return a moment as it stands in the name of a file."""
    return now.strftime("%Y%m%d-%H%M%S")


class LastMinute:
    """A listener on an open table that writes the table's last minute when a device fails.

    `trouble` says why a write has failed, "" while none has.
    """

    def __init__(
        self,
        recorder: Recorder,
        folder: Path,
        head: Header,
        mask: Mask,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        *,
        after: float = AFTER,
        pause: float = PAUSE,
    ) -> None:
        self.folder = folder
        self.trouble = ""
        self.written: Path | None = None
        """The latest file."""
        self._minute = Minute(recorder)
        self._unlisten = recorder.listen(self._note_fault)
        self._head, self._mask, self._now = head, mask, now
        self._unfinished = parts(folder)  # listed now, so that a recording of this run is not among them
        self._after, self._pause = after, pause
        self._ill, self._closing, self._woken = Event(), Event(), Event()
        self._thread = Thread(target=self._save_minutes, name="trace", daemon=True)
        self._thread.start()

    def _note_fault(self, note: Note) -> None:
        if note[1] == "words" and what(note).get("well") is False:
            self._ill.set()
            self._woken.set()

    def _save_minutes(self) -> None:
        finish_all(self._unfinished, self._mask)
        last = -self._pause
        while not self._closing.is_set() or self._ill.is_set():
            self._woken.wait()
            self._woken.clear()
            if self._ill.is_set():
                self._closing.wait(max(self._after, last + self._pause - monotonic()))
                self._ill.clear()
                self.save(f"{ILL}{stamp(self._now())}")
                self._prune()
                last = monotonic()

    def minute(self) -> tuple[list[Line], list[Line]]:
        """Return the last minute as a trace, and its faults alone: device and time, without ids."""
        lines = [line(note) for note in self._minute.notes()]
        return [self._head(), *self._mask(lambda: lines)], list(_faults(lines))

    def save(self, stem: str) -> Path | None:
        """Write the last minute under this name and return its path.

        Returns None where that fails; `trouble` then says why.
        """
        notes = self._minute.notes()
        try:
            found = save(self.folder, stem, self._head(), notes, self._mask, pause=self._wait_between)
        except Exception as error:  # no failure to write is a reason to stop listening
            self._log_failure(error)
            return None
        self.trouble, self.written = "", found
        log.info("the last minute of the hardware is in %s", found)
        return found

    def _wait_between(self) -> None:
        self._closing.wait(REST)  # returns at once when the table closes

    def _log_failure(self, error: Exception) -> None:
        why = system_error(error) if isinstance(error, OSError) else type(error).__name__
        self.trouble = Message("No trace can be written to {folder}: {why}", folder=str(self.folder), why=why)
        log.warning("no trace: %s\n%s", self.folder, trace(error))

    def _prune(self) -> None:
        """Remove the oldest minutes."""
        with suppress(OSError):
            for old in sorted(self.folder.glob(f"{ILL}*{SUFFIX}"))[:-KEPT]:
                old.unlink()

    def findings(self) -> Iterator[Finding]:
        """Yield the doctor's findings about the kept traces."""
        yield from findings(self.folder, self.trouble)

    def close(self) -> None:
        """Write a fault that has just been reported, then stop listening; harmless a second time."""
        self._closing.set()
        self._woken.set()
        self._thread.join()
        self._minute.end()
        self._unlisten()


FAULT = ("t", "layer", "device", "health", "well", "fault")
"""The keys allowed in a fault's line: not its details, as they may name a card."""


def _faults(lines: Iterable[Line]) -> Iterator[Line]:
    for each in lines:
        if "fault" in each or "health" in each:
            yield {name: each[name] for name in FAULT if name in each}


def save(
    folder: Path, stem: str, head: Line, notes: Iterable[Note], mask: Mask, *, pause: Pause = lambda: None
) -> Path:
    """Write a trace under this name, or under this name with a number, and return its path. Raises OSError."""
    lines = list(gently(map(line, notes), pause))
    data = b"".join(gently(written([head, *mask(lambda: gently(lines, pause))]), pause))
    path = files.free(files.folder(folder) / f"{stem}{SUFFIX}")
    files.save(path, data)
    return path


def gently(items: Iterable[T], pause: Pause) -> Iterator[T]:
    """Yield the same items, with a pause after every few: the readers' threads come first."""
    for count, item in enumerate(items, 1):
        yield item
        if not count % FEW:
            pause()


def findings(folder: Path, trouble: str = "") -> Iterator[Finding]:
    """Yield how many traces lie in the folder, or why one could not be written."""
    if trouble:
        free = Message("Make room there, or set data in config.yaml to a folder that can be written")
        yield Finding("recording", "warn", trouble, free)
        return
    kept = len(list(folder.glob(f"*{SUFFIX}")))
    what = Message("traces of the hardware in {folder}: {count}", count=kept, folder=str(folder))
    send = Message("They hold face-down cards: read them after the game, or send them in")
    none = Message("no trace of the hardware has been written")
    yield Finding("recording", "pass", what if kept else none, send if kept else "")
