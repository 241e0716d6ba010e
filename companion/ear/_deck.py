"""A deck that is enrolled by ear: card after card is laid on a reader, and what came of it is heard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from companion.deck import Enrolment, enrolment
from companion.deck.tags import names
from companion.play.devices import Devices
from companion.play.enrolled import Enrolled
from companion.play.lists import Do, Entry, Then
from companion.rules import N_, Ruling, Seat
from companion.rules.cards import DECK
from companion.rules.guide import Saying
from companion.rules.readings import Reading
from companion.voice import deck as aloud

ENROL = N_("Enrol a deck.")
SKIP = N_("Another card first.")
TAKE_BACK = N_("Take back the last card.")
ENOUGH = N_("That is enough for now.")
STOPPED = N_("{count} cards are enrolled.")
NAME = "deck"
"""What it is called where there is none yet."""


class Table(Protocol):
    """What is needed of an evening."""

    deck: Enrolled
    devices: Devices
    aside: Callable[[Sequence[Ruling]], object]


class DeckByEar:
    """One deck, for one seat's ear: the one that is there already, or a first one."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._state: Enrolment | None = None
        self._seat: Seat = ""

    @property
    def goes_on(self) -> bool:
        return self._state is not None

    def entries(self, seat: Seat) -> Sequence[Entry]:
        """It can be begun; once it has been, what can be done besides laying cards."""
        if self._state is None:
            return [Entry(ENROL, {}, Do(partial(self._begin, seat)))]
        if seat != self._seat:
            return []
        return [Entry(SKIP, {}, Do(partial(self._wish, Enrolment.skip))),
                Entry(TAKE_BACK, {}, Do(partial(self._wish, Enrolment.undo))),
                Entry(ENOUGH, {}, Do(self._stop))]  # fmt: skip

    def end(self) -> None:
        """A game begins: readings are its own again."""
        if self._state is not None:
            self._state, self._table.devices.listen = None, None

    def _begin(self, seat: Seat) -> Then:
        tags = self._table.deck.tags
        name = next(iter(names(tags)), NAME)
        self._seat, self._state = seat, enrolment(tags, name)
        self._table.devices.listen = self._hear
        return [Saying("", text, facts) for _, text, facts in aloud.first(self._state)]

    def _hear(self, reading: Reading) -> None:
        assert self._state
        errors = None if reading.present else self._table.devices.errors(reading.reader, reading.tag)
        told = self._turn(self._state.hear(reading, errors))
        self._table.aside([Ruling("", "", of.text, of.facts, self._seat) for of in told])

    def _wish(self, wish: Callable[[Enrolment], Enrolment]) -> Then:
        assert self._state
        return self._turn(wish(self._state))

    def _turn(self, after: Enrolment) -> list[Saying]:
        """What is said of it; tags that are new are kept."""
        before, self._state = self._state, after
        assert before
        if after.tags is not before.tags:
            self._table.deck.enrol(after.tags)
        return [Saying("", text, {key: fact for key, fact in facts.items() if f"{{{key}}}" in text})
                for _, text, facts in aloud.news(before, after)]  # fmt: skip

    def _stop(self) -> Then:
        assert self._state
        count = len(DECK) - len(self._state.deck.missing)
        self.end()
        return [Saying("", STOPPED, {"count": count})]
