"""A board's data compared with the print by ear: values of places, and which places are joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from companion.rules import N_, Said
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Number, Then
from companion.rules.mistakes import Mistakes
from companion.rules.vocabulary import KNOWN

VALUE = N_("{place}: {value}.")
WORTH = N_("What is {place} worth?")
JOINED = N_("{a} and {b}.")
PARTED = N_("They are not joined on our board.")
JOIN = N_("Two more that are joined.")
FIRST, SECOND = N_("Which one?"), N_("And which other?")
PLACE = N_("{place}.")
PRINTED = N_("So it is printed on our board.")
KEPT = N_("Keep it, to be compared later.")
SAVED = N_("Saved. The next game is played on it.")
WRONG = N_("That cannot be a board: {why}")
MOST = 60
"""The highest value offered."""


@dataclass(frozen=True)
class BoardByEar:
    """The board so far, as a list; every change leads to the next one's. `save` raises Mistakes."""

    board: Data
    save: Callable[[Data], object]

    def choice(self) -> Choice:
        return Choice(None, list(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        for key, of in self.board.items():
            match of:
                case Mapping():
                    for place, value in of.items():
                        yield Entry(VALUE, {"place": place, "value": value}, partial(self._value, key, place))
                case list() | tuple():
                    yield from self._pairs(key, of)
        yield Entry(PRINTED, {}, Do(partial(self._save, True)))
        yield Entry(KEPT, {}, Do(partial(self._save, False)))

    def _value(self, key: str, place: str) -> Then:
        def changed(value: int) -> Then:
            return self._changed(key, {**self.board[key], place: value}).choice()

        return Number(Saying("", WORTH, {"place": place}), 1, MOST, changed, begins=self.board[key][place])

    def _pairs(self, key: str, pairs: Sequence[Sequence[str]]) -> Iterator[Entry]:
        """Yield each joined pair, to be parted, and an entry to join two more places."""
        text = KNOWN.joins.get(key, JOINED)
        for a, b in pairs:
            left = [pair for pair in pairs if set(pair) != {a, b}]
            parted = Choice(None, [Entry(PARTED, {}, self._changed(key, left).choice)])
            yield Entry(text, {"a": a, "b": b}, parted)
        yield Entry(KNOWN.joins.get(f"more {key}", JOIN), {}, partial(self._first_place, key))

    def _first_place(self, key: str) -> Choice:
        places = self._places()
        found = [Entry(PLACE, {"place": place}, partial(self._second_place, key, place)) for place in places]
        return Choice(Saying("", FIRST), found)

    def _second_place(self, key: str, one: str) -> Choice:
        pairs = self.board[key]
        free = [place for place in self._places() if place != one and {one, place} not in map(set, pairs)]
        found = [Entry(PLACE, {"place": place}, self._changed(key, [*pairs, [one, place]]).choice) for place in free]
        return Choice(Saying("", SECOND), found)

    def _places(self) -> Sequence[str]:
        """Return all places that have a value or are joined."""
        named = [place for of in self.board.values() if isinstance(of, Mapping) for place in of]
        joined = [place for of in self.board.values() if isinstance(of, list | tuple) for pair in of for place in pair]
        return list(dict.fromkeys([*named, *joined]))

    def _changed(self, key: str, of: object) -> BoardByEar:
        return BoardByEar({**self.board, key: of}, self.save)

    def _save(self, confirmed: bool) -> Then:
        try:
            self.save({**self.board, "confirmed": confirmed})
        except Mistakes as mistakes:
            return [Saying("", WRONG, {"why": Said(str(mistakes))})]
        return [Saying("", SAVED)]
