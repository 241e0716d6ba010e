"""Mistakes in written documents: a config, a board, a transcript. All of them at once."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Where = tuple[str | int, ...]
"""A part of a document: keys and indexes from the top."""
QUOTED = 40
"""Characters of what was written that a mistake repeats."""
LineOf = Callable[[Where], int]
"""The line that a part is written on; its parent's, if it is not written."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a file: where, and what was expected."""

    path: Where
    what: str


class Mistakes(ValueError):  # noqa: N818 - many at once
    """Everything that is wrong with a document, all at once.

    `state` is what a position describes although the rules do not allow it, None where it describes nothing.
    """

    def __init__(self, found: Sequence[Mistake], state: object = None) -> None:
        super().__init__("; ".join(mistake.what for mistake in found))
        self.found, self.state = tuple(found), state


class ConfigError(ValueError):
    """A file that cannot be used; `lines` are ready to print, `path:line: what is wrong` each."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def near(word: object, known: Iterable[str]) -> str:
    """Return the known word that was probably meant; "" for none."""
    from difflib import get_close_matches  # only mistakes need it, and it takes its time to load

    found = get_close_matches(str(word), list(known), n=1, cutoff=0.6) if len(str(word)) <= QUOTED else []
    return found[0] if found else ""


def nearest(word: object, known: Iterable[str]) -> str:
    """Return "; did you mean …?" where a known word is near, else an empty string."""
    meant = near(word, known)
    return f"; did you mean {meant!r}?" if meant else ""


def shown(value: object) -> str:
    """Return what was written there as JSON, cut short."""
    return _short(json.dumps(value))


def quoted(value: object) -> str:
    """Return a word as it was written, in quotes, cut short."""
    return _short(repr(value))


def dotted(place: Where) -> str:
    """Return a path such as `seats.red.button`; a key that is not a plain word stands in quotes."""
    return ".".join(_short(str(key) if str(key).isidentifier() else json.dumps(key)) for key in place)


def _short(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 3]}..."
