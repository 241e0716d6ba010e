"""Safe output to a terminal: text from outside cannot move its cursor, change its colours or act as markup."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 120
"""Columns of a table that goes into a file."""
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters but for tab and line feed, separators of lines, and what turns the direction of writing."""


def plain(text: str) -> str:
    """Return the text with its control characters escaped, as \\u001b: within JSON that means the same."""
    return UNSAFE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def line(text: str) -> str:
    """Return the text on one line, with its control characters escaped."""
    return plain(" ".join(text.split("\n")))


class Stream:
    """A standard stream that lets only plain text through. Coloured output goes to `own`."""

    def __init__(self, own: IO[str], mute: bool = False) -> None:
        self.own = own
        self._mute = mute

    def write(self, text: str) -> int:
        self._guarded(lambda: self.own.write(plain(text)))
        return len(text)

    def flush(self) -> None:
        self._guarded(self.own.flush)

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError:
            if not self._mute:
                raise
            drop(self.own.fileno())

    def __getattr__(self, name: str) -> Any:  # all else is the stream's own: isatty, fileno, encoding
        return getattr(self.own, name)


def drop(file: int) -> None:
    """Redirect a file to nowhere: Python would try again to write its buffer as it exits."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), file)


@contextmanager
def guarded() -> Iterator[None]:
    """Restrict standard output and error to plain text. Errors while writing to standard error are ignored.

    A service may have closed them.
    """
    before = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        out, err = (stream or nowhere for stream in before)
        for own in (out, err):
            cast(TextIOWrapper, own).reconfigure(encoding="utf-8", errors="backslashreplace")
        sys.stdout, sys.stderr = cast(TextIO, Stream(out)), cast(TextIO, Stream(err, mute=True))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


def console(stderr: bool = False) -> Console:
    """Return a console for tables and progress, in colour on a terminal.

    It reads no markup; cells are `line`s.
    """
    from rich.console import Console

    stream: Any = sys.stderr if stderr else sys.stdout
    own: IO[str] = stream.own if isinstance(stream, Stream) else stream
    width = None if own.isatty() else WIDTH
    return Console(file=own, width=width, markup=False, emoji=False, highlight=False)
