"""Saving files to this device or a USB stick, and moving the evening itself to another place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from companion.play.evening import Evening
from companion.play.exports import Exports
from companion.rules import N_, Said
from companion.rules.menu import Choice, Dialogue, Do, Entry, Note, Then, Typing, noted
from companion.rules.message import Message
from companion.system.files import free
from companion.system.home import home, written

FILE = "tabularium.db"
HINT = N_("From now on the evening is saved to another disk or USB stick, with everything so far.")
LOCKED = N_("USB stick {name} can only be read. Eject it safely from Windows, or unlock it.")


def sticks(exports: Exports) -> Sequence[Note]:
    """Return which USB sticks can only be read, or that there is none."""
    locked = [Note(LOCKED, {"name": Said(stick.name)}) for stick in exports.unwritable()]
    return locked or ([] if exports.sticks() else [Note(N_("No USB stick is plugged in."))])


def places(exports: Exports, save: Callable[[Path], Then]) -> Iterator[Entry]:
    """Yield where files can be saved: this device and each USB stick."""
    yield Entry(N_("On this device"), {}, Do(partial(save, exports.folder)))
    yield from on_sticks(exports, lambda stick: Do(partial(save, stick)))


def on_sticks(exports: Exports, then: Callable[[Path], Then]) -> Iterator[Entry]:
    for stick in exports.sticks():
        yield Entry(N_("USB stick {name}"), {"name": Said(stick.name)}, partial(then, stick))


class SaveDialogue(Dialogue):
    """The dialogue that moves the evening to a USB stick, or to a file whose name is typed."""

    title = N_("Save elsewhere")

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._told: Message | None = None

    def begin(self) -> None:
        self._told = self._evening.note = None

    def end(self) -> None:
        self._evening.note = None

    def menu(self) -> Choice:
        told = self._evening.note or self._told
        body = [noted(told, "strong") if told else Note(HINT), *sticks(self._evening.exports)]
        entries = [
            *on_sticks(self._evening.exports, lambda stick: self._sure(free(stick / FILE))),
            Entry(N_("Another place"), {}, Typing(N_("File"), str((home() or Path("/")) / FILE), self._type, True)),
        ]
        return Choice(None, entries, title=self.title, body=body)

    def _type(self, path: str) -> Then:
        try:
            return self._sure(written(path))
        except OSError as error:
            wrong = Message("That did not work: {error}", error=str(error))
            return Choice(None, [], title=self.title, body=[noted(wrong, "warning")])

    def _sure(self, path: Path) -> Choice:
        """Ask for a second touch."""
        here = Entry(N_("Save here"), {}, Do(partial(self._save, path)), main=True)
        return Choice(None, [here], title=self.title, body=[noted(str(path), "lead")])

    def _save(self, path: Path) -> Then:
        self._told, self._evening.note = Message(N_("Saving …")), None
        self._evening.save_elsewhere(path)
        return self.menu


class ExportDialogue(Dialogue):
    """The dialogue that asks where exported files go; `save` is told the folder."""

    title = N_("Save where?")

    def __init__(self, exports: Exports, save: Callable[[Path], object]) -> None:
        self._exports, self._save = exports, save

    def menu(self) -> Choice:
        return Choice(None, list(places(self._exports, self._do)), title=self.title, body=sticks(self._exports))

    def _do(self, folder: Path) -> Then:
        self._save(folder)
        return self.menu
