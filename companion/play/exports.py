"""Files that players ask for: saved among the exports of this computer, or on a stick."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread

from companion.rules.message import Message, reason, system_error
from companion.system import files
from companion.system.files import sticks, unwritable
from companion.system.inbox import Inbox
from companion.system.logs import trace, writing

log = writing("exports")

Made = Mapping[str, Callable[[], bytes]]
"""Files of one name: by suffix, a function returning their bytes."""


class Exports:
    """A folder of exports: threads make and write the files, and `news` reports the outcome."""

    def __init__(self, folder: Path, wake: Callable[[], object]) -> None:
        self.folder = folder
        self.sticks = sticks
        """The search for plugged-in sticks."""
        self.unwritable = unwritable
        """The search for read-only sticks."""
        self._news: Inbox[Message] = Inbox(wake)

    def save(self, stem: str, made: Made, folder: Path | None = None) -> None:
        """Save files of this name in a thread, with a number added where other files have the name already."""
        Thread(target=self._write, args=(folder or self.folder, stem, made), name="export").start()

    def news(self) -> Message | None:
        """Return where files were saved, or why they were not; each outcome once, None without one."""
        return self._news.get_nowait() if self._news.qsize() else None

    def _write(self, folder: Path, stem: str, made: Made) -> None:
        try:
            written = _save(files.folder(folder), stem, {suffix: make() for suffix, make in made.items()})
        except Exception as error:  # any failure is reported: somebody waits for the files
            said = system_error(error) if isinstance(error, OSError) else reason(error)
            log.warning("not saved: %s (%s)\n%s", folder / stem, type(error).__name__, trace(error))
            self._news.put(
                Message("That did not work: {error}", error=Message("{path}: {why}", path=str(folder / stem), why=said))
            )
        else:
            log.info("saved: %s (%s)", written, ", ".join(made))
            self._news.put(Message("Saved as {file}", file=f"{written} ({', '.join(made)})"))


def _save(folder: Path, stem: str, found: Mapping[str, bytes]) -> Path:
    """Save all files under the first name that no other files have, and return it. Raises OSError."""
    for name in _free_names(stem):
        paths = {folder / f"{name}{suffix}": data for suffix, data in found.items()}
        if not all(_is_free_or_same(path, data) for path, data in paths.items()):
            continue
        with suppress(FileExistsError):  # another thread was quicker
            for path, data in paths.items():
                if not (path.exists() and _is_free_or_same(path, data)):  # the very same is not saved twice
                    files.save(path, data)
            return folder / name
    raise AssertionError


def _free_names(stem: str) -> Iterator[str]:
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))


def _is_free_or_same(path: Path, data: bytes) -> bool:
    """Return whether the path is free, or already holds exactly these bytes."""
    return not path.exists() or (path.is_file() and path.read_bytes() == data)
