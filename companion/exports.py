"""The folder of exports: what somebody asks to have as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread

from companion.inbox import Inbox
from companion.logs import writing
from companion.message import Message

log = writing("exports")


class Exports:
    """Threads make and write the files; `news` says what became of them."""

    def __init__(self, folder: Path, wake: Callable[[], object]) -> None:
        self.folder = folder
        self._news: Inbox[Message] = Inbox(wake)

    def save(self, stem: str, files: Mapping[str, Callable[[], bytes]]) -> None:
        """Saves files of this name, each by its suffix and what makes it."""
        Thread(target=self._write, args=(self.folder / stem, files), name="export").start()

    def news(self) -> Message | None:
        """Where files were saved, or why they were not: each said once."""
        return self._news.get_nowait() if self._news.qsize() else None

    def _write(self, path: Path, files: Mapping[str, Callable[[], bytes]]) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            for suffix, made in files.items():
                path.with_name(path.name + suffix).write_bytes(made())
        except OSError as error:
            log.warning("not saved: %s (%s)", path, error.strerror)
            self._news.put(Message("That did not work: {error}", error=f"{path}: {error.strerror}"))
        else:
            log.info("saved: %s (%s)", path, ", ".join(files))
            self._news.put(Message("Saved as {file}", file=f"{path} ({', '.join(files)})"))
