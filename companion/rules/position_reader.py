"""Reading a position key by key: every mistake is named at its path, and none stops the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from companion.rules import Seat
from companion.rules.cards import DECK, Card
from companion.rules.data import SEALED, Data
from companion.rules.message import Message
from companion.rules.mistakes import Mistake, Mistakes, Where, near, shown
from companion.rules.words import Words

T = TypeVar("T")


def written(value: object) -> Words:
    """Return what was written there, as it stands, in every language."""
    return Words(shown(value))


def meant(what: Message, word: object, known: Collection[str]) -> Message:
    """Return the mistake, with the known word that was probably meant, if any."""
    if not (word and (found := near(word, known))):
        return what
    return Message("{what}; did you mean {word!r}?", what=what, word=Words(found))


class PositionReader:
    """A position as it is read, and what is wrong with it so far.

    Every reader returns what it was given if it fits, else a value of the right kind, so that the rest can be read.
    """

    def __init__(self, written: Data, keys: Sequence[str], seats: Sequence[Seat]) -> None:
        self.written = written
        self.seats = seats
        self.found: list[Mistake] = []
        self._known((), written, keys)

    def wrong(self, what: Message, *path: str | int) -> None:
        """Record a mistake."""
        self.found.append(Mistake(path, what))

    def check(self, holds: object, what: Message, *path: str | int) -> bool:
        """Record a mistake unless the condition holds; return whether it does."""
        if not holds:
            self.wrong(what, *path)
        return bool(holds)

    def end(self, state: object = None) -> None:
        """Raise Mistakes if anything was wrong, with the state where one can be made of it all the same."""
        if self.found:
            raise Mistakes(self.found, state)

    # -- values: `at` is the path, `value` what stands there ------------------------------------------------------

    def get(self, *path: str | int) -> Any:
        """Return the value at the path; None where there is none."""
        value: Any = self.written
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def word(self, at: Where, value: object, known: Sequence[str]) -> str:
        """Read one of the known words; any other value becomes the first of them."""
        if isinstance(value, str) and value in known:
            return value
        words = Words(", ".join(known))
        if value is None:
            self.wrong(Message("is missing; there are {known}", known=words), *at)
        else:
            what = Message("{written} is not one of them; there are {known}", written=written(value), known=words)
            self.wrong(meant(what, value, known), *at)
        return known[0]

    def seat(self, at: Where, value: object) -> Seat:
        """Read a seat of this game."""
        return self.word(at, value, self.seats)

    def whole(self, at: Where, value: object, least: int = 0, most: int | None = None) -> int:
        """Read a whole number; a missing one counts as 0."""
        value = 0 if value is None else value
        if not isinstance(value, int) or isinstance(value, bool):
            self.wrong(Message("a whole number is expected, not {written}", written=written(value)), *at)
        elif most is not None and not least <= value <= most:
            what = Message(
                "a number from {least} to {most} is expected, not {value}", least=least, most=most, value=value
            )
            self.wrong(what, *at)
        elif value < least:
            self.wrong(Message("a number from {least} is expected, not {value}", least=least, value=value), *at)
        else:
            return value
        return least

    def flag(self, at: Where, value: object) -> bool:
        """Read true or false; a missing value is false."""
        if not (value is None or isinstance(value, bool)):
            self.wrong(Message("true or false is expected, not {written}", written=written(value)), *at)
        return value is True

    def card(self, at: Where, value: object, allowed: Collection[Card]) -> Card | None:
        """Read one of the allowed cards; None for anything else."""
        card = DECK.get(value) if isinstance(value, str) else None
        if card is None:
            what = Message("{written} is not a card like 'red 7'", written=written(value))
            self.wrong(meant(what, value, DECK), *at)
        elif card not in allowed:
            self.wrong(Message("{card} cannot be here", card=card), *at)
            return None
        return card

    def cards(self, at: Where, value: object, allowed: Collection[Card]) -> tuple[Card, ...]:
        """Read a list of allowed cards, none of them twice."""
        found: dict[Card, None] = {}
        for index, one in enumerate(self.items(at, value)):
            card = self.card((*at, index), one, allowed)
            if card and self.check(card not in found, Message("{card} is there twice", card=card), *at, index):
                found[card] = None
        return tuple(found)

    def items(self, at: Where, value: object) -> Sequence[Any]:
        """Read a list; a missing one is empty."""
        if not (value is None or isinstance(value, list)):
            self.wrong(Message("a list is expected, not {written}", written=written(value)), *at)
        return value if isinstance(value, list) else ()

    def object(self, at: Where, value: object, keys: Sequence[str] | None = None) -> Data:
        """Read an object with no other keys than these; a missing one is empty."""
        if not (value is None or isinstance(value, dict)):
            self.wrong(Message("an object is expected, not {written}", written=written(value)), *at)
        found: Data = value if isinstance(value, dict) else {}
        if keys is not None:
            self._known(at, found, keys)
        return found

    def _known(self, at: Where, found: Data, keys: Sequence[str]) -> None:
        for key in found:
            if key not in keys:
                self.wrong(meant(Message("there is no such key"), key, keys), *at, key)

    def by_seat(self, key: str, read: Callable[[Where, Any], T]) -> dict[Seat, T]:
        """Read an object that says something of every seat, in header order."""
        found = self.object((key,), self.written.get(key), self.seats)
        return {seat: read((key, seat), found.get(seat)) for seat in self.seats}

    def hands(self, full: Mapping[Seat, Collection[Card]]) -> dict[Seat, tuple[Card, ...]]:
        """Read the hands, each of cards from that seat's full hand and in the order of that."""
        held = self.by_seat("hand", lambda at, value: self.cards(at, value, full[str(at[1])]))
        return {seat: tuple([card for card in full[seat] if card in hand]) for seat, hand in held.items()}

    def sealed(self, hands: Mapping[Seat, Collection[Card]]) -> dict[Seat, Card]:
        """Read the cards that lie face down, each from the hand of the seat that has chosen it."""
        lying = self.some(SEALED, lambda at, value: self.card(at, value, hands[str(at[1])]))
        return {seat: card for seat, card in lying.items() if card}

    def some(self, key: str, read: Callable[[Where, Any], T]) -> dict[Seat, T]:
        """Read an object that says something of some seats, in header order."""
        found = self.object((key,), self.written.get(key), self.seats)
        return {seat: read((key, seat), found[seat]) for seat in self.seats if found.get(seat) is not None}
