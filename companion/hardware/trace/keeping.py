"""Where traces are kept: the minute before a device fell ill, and whole recordings. A thread writes; nobody waits."""

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
from companion.rules.message import Message
from companion.system import files
from companion.system.logs import trace, writing

log = writing("trace")

FOLDER = "traces"
"""The folder of traces in the data directory."""
KEPT = 8
"""How many minutes are kept; the oldest makes room for a new one."""
ILL = "ill-"
"""What the name of such a file begins with: no other file is ever removed."""
AFTER = 2.0
"""Seconds that are waited for what follows a fault."""
PAUSE = 60.0
"""At most one file in so many seconds: a loose wire reports a fault with every touch."""

FEW, REST = 8, 0.002
"""After so many lines the thread that writes rests for so many seconds."""
Pause = Callable[[], object]
T = TypeVar("T")
Header = Callable[[], Line]
"""What stands at the beginning of a trace, as it is now."""


def header(now: datetime, **more: object) -> Line:
    """The header of a trace."""
    return {"trace": VERSION, "at": now.isoformat(timespec="seconds"), **more}


def stamp(now: datetime) -> str:
    """A moment as it stands in the name of a file."""
    return now.strftime("%Y%m%d-%H%M%S")


class LastMinute:
    """Listens to a table for as long as it is open, and writes its last minute when a device falls ill.

    `trouble` says why that has failed, "" while it has not.
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
        self._unlisten = recorder.listen(self._hear)
        self._head, self._mask, self._now = head, mask, now
        self._unfinished = parts(folder)  # of earlier runs: the one that may begin now is not among them
        self._after, self._pause = after, pause
        self._ill, self._closing, self._woken = Event(), Event(), Event()
        self._thread = Thread(target=self._keep, name="trace", daemon=True)
        self._thread.start()

    def _hear(self, note: Note) -> None:
        if note[1] == "words" and what(note).get("well") is False:
            self._ill.set()
            self._woken.set()

    def _keep(self) -> None:
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
        """The last minute as a trace, and what of it were faults: who and when, and no ids."""
        lines = [line(note) for note in self._minute.notes()]
        return [self._head(), *self._mask(lambda: lines)], list(_faults(lines))

    def save(self, stem: str) -> Path | None:
        """Writes the last minute under this name; None where that fails, and `trouble` says why."""
        notes = self._minute.notes()
        try:
            found = save(self.folder, stem, self._head(), notes, self._mask, pause=self._pauses)
        except Exception as error:  # whatever it is, it is no reason to stop listening
            self._fail(error)
            return None
        self.trouble, self.written = "", found
        log.info("the last minute of the hardware is in %s", found)
        return found

    def _pauses(self) -> None:
        self._closing.wait(REST)  # none any more once the table closes

    def _fail(self, error: Exception) -> None:
        why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        self.trouble = Message("No trace can be written to {folder}: {why}", folder=str(self.folder), why=why)
        log.warning("no trace: %s\n%s", self.folder, trace(error))

    def _prune(self) -> None:
        """Removes the oldest minutes."""
        with suppress(OSError):
            for old in sorted(self.folder.glob(f"{ILL}*{SUFFIX}"))[:-KEPT]:
                old.unlink()

    def findings(self) -> Iterator[Finding]:
        """What the doctor says of it."""
        yield from findings(self.folder, self.trouble)

    def close(self) -> None:
        """A fault that has just been reported is written first; harmless a second time."""
        self._closing.set()
        self._woken.set()
        self._thread.join()
        self._minute.end()
        self._unlisten()


FAULT = ("t", "layer", "device", "health", "well", "fault")
"""What a line of a fault may say: not its details, which may name a card."""


def _faults(lines: Iterable[Line]) -> Iterator[Line]:
    for each in lines:
        if "fault" in each or "health" in each:
            yield {name: each[name] for name in FAULT if name in each}


def save(
    folder: Path, stem: str, head: Line, notes: Iterable[Note], mask: Mask, *, pause: Pause = lambda: None
) -> Path:
    """Writes a trace of this name, or of this name with a number. Raises OSError."""
    lines = list(gently(map(line, notes), pause))
    data = b"".join(gently(written([head, *mask(lambda: gently(lines, pause))]), pause))
    path = files.free(files.folder(folder) / f"{stem}{SUFFIX}")
    files.save(path, data)
    return path


def gently(items: Iterable[T], pause: Pause) -> Iterator[T]:
    """The same, with a pause after every few: the readers' threads are at work meanwhile, and come first."""
    for count, item in enumerate(items, 1):
        yield item
        if not count % FEW:
            pause()


def findings(folder: Path, trouble: str = "") -> Iterator[Finding]:
    """The traces that lie in the folder, and whether one could not be written."""
    if trouble:
        free = Message("Make room there, or set data in config.yaml to a folder that can be written")
        yield Finding("recording", "warn", trouble, free)
        return
    kept = len(list(folder.glob(f"*{SUFFIX}")))
    what = Message("traces of the hardware in {folder}: {count}", count=kept, folder=str(folder))
    send = Message("They hold face-down cards: read them after the game, or send them in")
    none = Message("no trace of the hardware has been written")
    yield Finding("recording", "pass", what if kept else none, send if kept else "")
