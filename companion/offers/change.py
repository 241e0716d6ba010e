"""A position changed because the table says so (T-9): part by part, as the screen does it with a finger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from companion.answers.editing import Draft, held, toggled
from companion.offers.acts import MANY, VALUE, grouped
from companion.rules import N_, Amount, Ruling, Seat
from companion.rules.cards import DECK
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Number, Then
from companion.rules.message import Message
from companion.rules.position_parts import Cards, Count, Field, One, Part, Some
from companion.rules.vocabulary import KNOWN
from companion.session.deciding import explained

OTHERWISE = N_("Something lies differently on the table.")
PART = N_("{part}: {now}.")
FIELD = N_("{field}: {now}.")
HIDDEN = N_("{part}.")
ONLY = N_("Only {seat} can change that, with {seat:of} button.")
NOTHING = N_("nothing")
SO_IT_LIES = N_("That is how it lies: ask the others.")
HOW_MANY = N_("How many?")
LIES = N_("On the table it is different: {changes}.")
CHANGE = N_("{part}: {now}")
MORE = N_("{so_far}; {more}")
MOST = 199


@dataclass(frozen=True)
class Change:
    """A position so far, for one seat.

    `put` says a decision's words to the table, and `agreed` makes the list of the table's answers, with the words and
    the change.
    """

    draft: Draft
    seat: Seat
    put: Callable[[str, dict[str, Any]], object]
    agreed: Callable[[str, dict[str, Any], dict[str, Any]], Then]
    read: bool = False
    """Whether the lists are read on a display: what is hidden is named in private lists alone."""

    def choice(self) -> Choice:
        return Choice(None, list(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        """Yield everything that everybody may see, and what this seat alone may."""
        if self.draft.altered or self.draft.change:
            yield Entry(SO_IT_LIES, {}, Do(self._done, self._agreed))
        for part in self.draft.parts:
            if not part.covered and (not part.secret or part.of == self.seat):
                facts = {"part": called(part)}
                if part.secret and self.read:
                    yield Entry(HIDDEN, facts, partial(self._fields, part))
                else:
                    yield Entry(PART, {**facts, "now": self._now(part)}, partial(self._fields, part))
        for part in self.draft.parts:
            if not part.covered and part.secret and part.of and part.of != self.seat:
                yield Entry(HIDDEN, {"part": called(part)}, (Saying("", ONLY, {"seat": part.of}),))

    def _value(self, part: Part) -> Any:
        return self.draft.own(part, self.seat) if part.secret else self.draft.get(part)

    def _now(self, part: Part) -> object:
        """Return what stands in a part."""
        value = self._value(part)
        found = [said(field, held(field, value)) for field in part.fields if held(field, value)]
        return tuple(found) if len(found) > 1 else found[0] if found else Message(NOTHING)

    def _fields(self, part: Part) -> Then:
        if len(part.fields) == 1:
            return self._values(part, part.fields[0])
        value, entries = self._value(part), []
        for field in part.fields:
            asked = Message(field.text) if field.text else called(part)
            facts = {"field": asked, "now": said(field, held(field, value)) or Message(NOTHING)}
            entries.append(Entry(FIELD, facts, partial(self._values, part, field)))
        return Choice(None, entries, part.secret and self.read)

    def _values(self, part: Part, field: Field) -> Then:
        """Return what a field can be; of several values each can be added or removed."""
        now = held(field, self._value(part))
        match field.kind:
            case Count(_, least, most, flag):

                def counted(count: int) -> Then:
                    return self._with(part, field, bool(count) if flag else count)

                return Number(Saying("", HOW_MANY), least, min(most, MOST), counted, part.secret, int(now))
            case One(values):
                ways = {of: of for of in values if of != now}
                return self._one(part, field, ways)
            case Some(values):
                return self._one(part, field, {of: toggled(now, of) for of in values})
            case Cards(values):

                def entry(card: Any) -> Entry:
                    return Entry(VALUE, {"value": card}, partial(self._card, part, field, str(card)))

                cards = [DECK[card] for card in values]
                if len(cards) > MANY:
                    return grouped(None, cards, entry, part.secret)
                return Choice(None, list(map(entry, cards)), part.secret)
        raise AssertionError(field)

    def _one(self, part: Part, field: Field, ways: Mapping[Any, Any]) -> Choice:
        """Return what a field can become; `ways` has the new value by what is said."""
        found = [Entry(VALUE, {"value": name(of)}, partial(self._with, part, field, way)) for of, way in ways.items()]
        return Choice(None, found, part.secret)

    def _with(self, part: Part, field: Field, value: Any) -> Choice:
        return Change(self.draft.fill(part, field, value), self.seat, self.put, self.agreed, self.read).choice()

    def _card(self, part: Part, field: Field, card: str) -> Choice:
        if part.secret:
            return self._with(part, field, toggled(held(field, self._value(part)), card))
        return Change(self.draft.take(part, field, card), self.seat, self.put, self.agreed, self.read).choice()

    def _done(self) -> Then:
        """Put the change to the table, unless it cannot be; nothing is said of what is hidden."""
        public, own = self.draft.wrong
        if public or own.get(self.seat):
            mistakes: Sequence[Any] = public or own[self.seat]
            return [Saying("", VALUE, {"value": explained(self.draft.parts, mistakes[0])})]
        self.put(LIES, self._facts())
        return self._agreed()

    def _facts(self) -> dict[str, Any]:
        """Return what has changed, for everybody to hear."""
        changed = [part for part in self.draft.parts if not part.secret and self.draft.differs(part)]
        told = [Message(CHANGE, part=called(part), now=self._now(part)) for part in changed]
        lies = reduce(lambda so_far, more: Message(MORE, so_far=so_far, more=more), told) if told else Message(NOTHING)
        return {"changes": lies}

    def _agreed(self) -> Then:
        """Return the list of the table's answers."""
        return self.agreed(LIES, self._facts(), self.draft.change)


def called(part: Part) -> Message:
    """Return what the part is called."""
    return Message(part.text, of=part.of) if "{of" in part.text else Message(part.text)


def said(field: Field, value: Any) -> object:
    match field.kind:
        case Count(piece):
            return Amount(value) if piece == "chip" else int(value)
        case Cards():
            return tuple(DECK[card] for card in value)
        case Some():
            return tuple(map(name, value))
    return name(value)


def name(value: str | None) -> object:
    """Return the word for a seat, a place or a moment of the game."""
    if value is None:
        return Message(NOTHING)
    return Ruling("", "", KNOWN.states[value]) if value in KNOWN.states else value
