"""Upper limits of input, generous for people. Larger input is refused before it is processed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from errno import EFBIG
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from companion.rules.mistakes import Mistake, Mistakes, Where

MANY = 100
"""Mistakes that are listed. With more than that the file is probably of another kind."""

FILE = 32_000
"""Bytes of a config or a board: ten times what a large table needs."""
DECK = 100_000
"""Bytes of a deck: over a thousand tags with the longest ids."""
TRANSCRIPT = 8_000_000
"""Bytes of a transcript: a hundred evenings."""
TRACE = 200_000_000
"""Bytes of a trace: twice the largest recording."""
REPORT = 50_000_000
"""Bytes of a report, packed or not: ten of the longest minutes."""
LINES = 100_000
"""Lines of a transcript."""
LINE = 1_000_000
"""Bytes of a line, a header with the tags of many decks."""
WORD = 1_000
"""Characters of a word on the command line; paths are words too."""
TEXT = 2_000
"""Characters of a text in a file."""
NAME = 200
"""Characters of the name of a player or a deck, and of a tag's id."""
DIGITS = 15
"""Digits of a number: as many as every reader of JSON keeps."""
ITEMS = 1_000
"""The most items of a list."""
KEYS = 10_000
"""The most keys of an object: tags need the most."""
DEPTH = 20
"""Levels of nesting."""

T = TypeVar("T")


def few(found: Iterable[T]) -> list[T]:
    """Return at most MANY + 1 mistakes; the rest are never looked for."""
    return list(islice(found, MANY + 1))


def content(path: Path, most: int) -> bytes:
    """Return a file's bytes; `-` is standard input. Raises OSError, also where it is larger than `most` bytes."""
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size  # of a pipe 0; as much is set aside as is asked for
        read: bytes = file.read(min(size, most) + 1 if size else most + 1)
    if len(read) > most:
        raise OSError(EFBIG, f"larger than {most // 1000:,} kB: is this the right file?", str(path))
    return read


def _opened(path: Path) -> Any:
    """Open a file. Standard input may be closed already, and is not closed here."""
    return open(0, "rb", closefd=False) if str(path) == "-" else path.open("rb")


def check(data: object) -> None:
    """Raise Mistakes for values in a line's plain data that are too large, each at its path."""
    found = few(_large(data, ()))
    if found:
        raise Mistakes(found)


def _large(data: object, path: Where) -> Iterator[Mistake]:
    if len(path) > DEPTH:
        yield Mistake(path[:DEPTH], f"nested more than {DEPTH} levels deep")
    elif isinstance(data, str):
        yield from _more("a text", len(data), TEXT, "characters", path)
    elif isinstance(data, int):
        yield from _more("a number", len(str(abs(data))), DIGITS, "digits", path)
    elif isinstance(data, dict):
        yield from _more("an object", len(data), KEYS, "keys", path)
        for key, value in data.items():
            yield from _more("a key", len(key), TEXT, "characters", path)
            yield from _large(value, (*path, key))
    elif isinstance(data, list):
        yield from _more("a list", len(data), ITEMS, "items", path)
        for at, value in enumerate(data):
            yield from _large(value, (*path, at))


def _more(what: str, size: int, most: int, unit: str, path: Where) -> Iterator[Mistake]:
    if size > most:
        yield Mistake(path, f"{what} has at most {most:,} {unit}, not {size:,}")
