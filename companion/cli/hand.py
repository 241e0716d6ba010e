"""Input in a terminal: readings, and typed lines; on the virtual table, typed lines also lay cards."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import Any, NamedTuple, TextIO

from companion import games
from companion.deck import Tags, blank, can_be_laid
from companion.record.transcript import Header, parse, read_header, read_line
from companion.rules.cards import DECK, PAWNS
from companion.rules.mistakes import Mistakes, nearest, quoted
from companion.rules.readings import TAG, Health, Reading
from companion.system import limits

Open = Callable[[Callable[[Any], object]], Any]
"""Opens the readers, given where their words go; what it returns has `close`, and may have `errors`. The virtual
table's has `lay`, `lift`, its `readers`, and its own cards with their tags as `deck`."""


class WrongLine(ValueError):  # noqa: N818 - what was asked for, not an error of the program
    """A request that cannot be carried out; `lines` say why."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class Typed(NamedTuple):
    """A line of standard input: a Reading, a request, what is wrong with it, or None for its end."""

    word: Any


class ToLay(NamedTuple):
    """A tag waiting to be laid."""

    tag: str


RELAY_S = 0.4
"""A hand takes this long to lift a card and lay it again; a tag that came back sooner would be a weak one."""


class TerminalHand:
    """The input of readers and keyboard, in order, until standard input ends or says done.

    Lines typed while a card lies on the virtual reader wait until the card is lifted, which is read like any other.
    """

    def __init__(self, readers: Open) -> None:
        self._words: SimpleQueue[Any] = SimpleQueue()
        self._rig = readers(self._words.put)
        self._errors = getattr(self._rig, "errors", lambda _reader, _tag: None)
        self._typed: deque[Any] = deque()
        self._laid: ToLay | None = None
        self._last: ToLay | None = None

    @property
    def virtual(self) -> bool:
        """Return whether cards are laid by typing."""
        return hasattr(self._rig, "lay")

    def lay(self, said: str, tags: Tags, name: str, out: TextIO | None = None) -> None:
        """Lay the named cards: "" is a new sticker, otherwise cards of the deck or ids of tags, separated by commas.

        A word that is neither is reported on `out`, or standard output; then nothing is laid.
        """
        here = {str(of.card): tag for tag, of in tags.items() if of.deck == name and can_be_laid(tag)}
        own: Mapping[str, str] = self._rig.deck | here
        words = [" ".join(word.split()) for word in said.split(",")]
        wrong = [word for word in words if word and word not in DECK and not can_be_laid(word)]
        for word in wrong:
            print(f"{quoted(word)} is neither a card nor the id of a tag{nearest(word, DECK)}", file=out, flush=True)
        if not wrong:
            laid = [ToLay(own.get(word, word.upper()) if word else blank(tags)) for word in words]
            self._typed.extendleft(reversed(laid))

    def __iter__(self) -> Iterator[tuple[Reading | str, float | None]]:
        """Yield what was laid or typed; for a tag that has left, with its error rate where it is known."""
        Thread(target=_listen, args=(self._words.put,), name="standard input", daemon=True).start()
        try:
            while (word := self._next()) not in (None, "done"):
                if isinstance(word, WrongLine):
                    raise word
                if isinstance(word, Health):
                    print(f"{word.device}: {word.detail or 'well again'}", file=sys.stderr, flush=True)
                elif isinstance(word, Reading):
                    yield word, None if word.present else self._errors(word.reader, word.tag)
                elif isinstance(word, str) and word and not word.startswith("#"):
                    yield word, None
        finally:
            self._rig.close()

    def _next(self) -> Any:
        while True:
            word = self._typed.popleft() if self._typed and not self._laid else self._words.get()
            if isinstance(word, Typed):
                self._typed.append(word.word)
            elif isinstance(word, ToLay):
                if word == self._last:
                    sleep(RELAY_S)
                self._laid = self._last = word
                self._rig.lay(self._rig.readers[0], word.tag)
            else:
                self._lift(word)
                return word

    def _lift(self, word: object) -> None:
        """Lift a card that has been read; once it has left, the next one may be laid."""
        if self._laid and isinstance(word, Reading) and word.tag == self._laid.tag:
            if word.present:
                self._rig.lift(word.reader, word.tag)
            else:
                self._laid = None


def _listen(put: Callable[[Any], object]) -> None:
    """Read standard input, unbuffered: a thread waiting in a buffer would hold its lock when the program ends."""
    header = read_header({"tabularium": 1, "game": games.NAMES[0], "seats": list(PAWNS)})  # which knows every reader
    try:
        for number, line in enumerate(lines(), start=1):
            put(Typed(_read(line.decode("utf-8", "replace").strip(), header, number)))
    except OSError:
        return  # no standard input: only the readers are heard
    put(Typed(None))


def lines() -> Iterator[bytes]:
    """Yield the lines of standard input; a line that is too long is cut just above the limit, so that it is noticed."""
    rest = b""
    while piece := os.read(0, 1 << 16):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        rest = rest[: limits.LINE + 1]
    if rest:
        yield rest


def _read(text: str, header: Header, number: int) -> Any:
    """Return a Reading, a request, or what is wrong with the line."""
    if not text.startswith("{"):
        return text.lower()
    try:
        said = read_line(parse(text), header)
        if isinstance(said, Reading) and not TAG.fullmatch(said.tag.upper()):  # a deck's file could not hold it
            return WrongLine(f"-:{number}: {quoted(said.tag)} is not the id of a tag")
        return said
    except Mistakes as mistakes:
        return WrongLine(*(f"-:{number}: {mistake.what}" for mistake in mistakes.found))
