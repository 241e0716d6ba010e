"""Messages from devices, the disk, the doctor or a position: English at once, another language where they are shown."""

from __future__ import annotations

import errno
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

from companion.rules import N_, Plural


@cache
def program() -> str:
    """Return what people type here to run the program.

    That is `tabularium` where it is on the PATH, else what they have typed, such as `.venv/bin/tabularium` in a clone.
    Every template may name it as the fact `tabularium`.
    """
    typed = sys.argv[0]
    return typed if Path(typed).name == "tabularium" and not shutil.which("tabularium") else "tabularium"


class Message(str):
    """A sentence in English that can be said in another language too: its template and facts go with it.

    Facts stand as they are, several with commas. The literal template is collected for the catalogues.
    A fault's `code` identifies it for code that decides by it: sentences are never taken apart.
    """

    template: str
    code: str
    facts: dict[str, Any]

    def __new__(cls, template: str, /, *, code: str = "", **facts: object) -> Self:
        english = template.english(facts) if isinstance(template, Plural) else template
        filled = {name: plain(fact) for name, fact in facts.items()}
        message = super().__new__(cls, english.format_map({"tabularium": program(), **filled}))
        message.template, message.code, message.facts = template, code, facts
        return message

    def into(self, translate: Callable[[str], str]) -> str:
        facts = {name: into(plain(fact), translate) for name, fact in self.facts.items()}
        return translate(self.template).format_map({"tabularium": program(), **facts})


class Messages(str):
    """Several messages as one fact: for programs a text in English, for people each in their own language."""

    each: Sequence[str]

    def __new__(cls, text: str, each: Sequence[str]) -> Self:
        messages = super().__new__(cls, text)
        messages.each = tuple(each)
        return messages


class Owner(str):
    """A word that the spec `of` makes the owner of something."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return f"{self}'s" if spec == "of" else super().__format__(spec)


def plain(fact: object) -> Any:
    """Return a fact as it stands in a message."""
    if isinstance(fact, tuple):
        return ", ".join(map(str, fact))
    return Owner(fact) if type(fact) is str else fact


def device(part: str) -> Message:
    """Return a device or another part of the table, such as "button red", with each of its words translatable."""
    words = {f"word{at}": Message(word) for at, word in enumerate(part.split())}
    template = " ".join(f"{{{key}}}" for key in words)
    return Message(template, **words)


def into(text: object, translate: Callable[[str], str]) -> Any:
    """Translate a message; return anything else as it is."""
    return text.into(translate) if isinstance(text, Message) else text


def code(text: str) -> str:
    """Return a message's code; "" for one without, and for any other words."""
    return text.code if isinstance(text, Message) else ""


def reason(fault: BaseException) -> str:
    """Return what an error says: the message it was raised with, or its words."""
    first = fault.args[0] if fault.args else None
    if isinstance(first, Message):
        return first
    if isinstance(fault, OSError) and fault.errno in ERRORS:
        why = system_error(fault)
        return Message("{path}: {why}", path=str(fault.filename), why=why) if fault.filename else why
    said = str(fault).rstrip(".")
    return Message(said) if said in DAMAGE else said or type(fault).__name__


ERRORS = {
    errno.EACCES: N_("Permission denied"),
    errno.EBUSY: N_("Device or resource busy"),
    errno.ECONNREFUSED: N_("Connection refused"),
    errno.EEXIST: N_("File exists"),
    errno.EHOSTUNREACH: N_("No route to host"),
    errno.EIO: N_("Input/output error"),
    errno.ENETUNREACH: N_("Network is unreachable"),
    errno.ENODEV: N_("No such device"),
    errno.ENOENT: N_("No such file or directory"),
    errno.ENOSPC: N_("No space left on device"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.ENXIO: N_("No such device or address"),
    errno.EPERM: N_("Operation not permitted"),
    errno.EROFS: N_("Read-only file system"),
    errno.ETIMEDOUT: N_("Connection timed out"),
}
"""The system's usual words for faults of devices, disks and networks; the system itself has them in English only."""


DAMAGE = N_("file is not a database"), N_("database disk image is malformed")
"""SQLite's words for a file that is damaged."""


def system_error(error: OSError) -> str:
    """Return the system's words for an error, without its path; the name of a rare one, which has no translation."""
    number = error.errno
    if number in ERRORS:
        return Message(ERRORS[number])
    return errno.errorcode.get(number or 0) or reason(error)
