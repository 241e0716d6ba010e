"""A deck that is enrolled or checked by ear: card after card is laid on a reader, and the outcome is heard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from companion.deck import Check, Enrolment, enrolment
from companion.deck.tags import names
from companion.play.evening import Evening
from companion.rules import N_, AnyGame, Ruling, Seat
from companion.rules.cards import DECK, FLAG, Card
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Then
from companion.rules.readings import Reading
from companion.voice import deck as aloud

ENROL = N_("Enrol a deck.")
CHECK = N_("Check whether all cards are there.")
GAME = N_("For {game}.")
SKIP = N_("Another card first.")
TAKE_BACK = N_("Take back the last card.")
ENOUGH = N_("That is enough for now.")
STOPPED = N_("{count} cards are enrolled.")
MISSING = N_("Still missing: {cards}.")
SECOND = N_("The second {card}.")
SECONDS = N_("Each colour has a second flag: take it from the list.")
NAME = "deck"
"""The name of a deck where there is none yet."""


class DeckByEar:
    """One deck, for one seat's ear: the one that is there already, or a first one."""

    def __init__(self, table: Evening) -> None:
        self._table = table
        self._state: Enrolment | Check | None = None
        self._seat: Seat = ""

    @property
    def goes_on(self) -> bool:
        return self._state is not None

    def entries(self, seat: Seat) -> Sequence[Entry]:
        """Return the entries that begin with a deck; once begun, what can be done besides laying cards."""
        if self._state is None:
            check = [Entry(CHECK, {}, partial(self._games, seat))] if self._table.deck.tags else []
            return [Entry(ENROL, {}, Do(partial(self._enrol, seat))), *check]
        if seat != self._seat:
            return []
        if isinstance(self._state, Check):
            return [Entry(ENOUGH, {}, Do(self._stop))]
        if self._state.asked is None:
            seconds = [Entry(SECOND, {"card": flag}, Do(partial(self._apply, partial(_second_flag, flag))))
                       for flag in _single_flags(self._state)]  # fmt: skip
        else:
            seconds = [Entry(SKIP, {}, Do(partial(self._apply, Enrolment.skip)))]
        return [*seconds, Entry(TAKE_BACK, {}, Do(partial(self._apply, Enrolment.undo))),
                Entry(ENOUGH, {}, Do(self._stop))]  # fmt: skip

    def end(self) -> None:
        """Stop, and give readings back to the game."""
        if self._state is not None:
            self._state, self._table.devices.listen = None, None

    def _games(self, seat: Seat) -> Choice:
        """Ask for which game all cards are to be there."""
        return Choice(None, [
            Entry(GAME, {"game": Ruling("", "", game.title)}, Do(partial(self._check, seat, game)))
            for game in self._table.games
        ])  # fmt: skip

    def _enrol(self, seat: Seat) -> Then:
        tags = self._table.deck.tags
        return self._begin(seat, enrolment(tags, self._name))

    def _check(self, seat: Seat, game: AnyGame) -> Then:
        return self._begin(seat, Check(self._table.deck.tags, self._name, game))

    @property
    def _name(self) -> str:
        """Return the name of the first deck there is, or of the one to come."""
        return next(iter(names(self._table.deck.tags)), NAME)

    def _begin(self, seat: Seat, state: Enrolment | Check) -> Then:
        self._seat, self._state = seat, state
        self._table.devices.listen = self._hear_reading
        return self.going_on(seat)

    def going_on(self, seat: Seat) -> Sequence[Saying]:
        """Return what is asked of this seat now; nothing where it lays no cards."""
        if self._state is None or seat != self._seat:
            return ()
        return [Saying("", text, facts) for _, text, facts in aloud.first(self._state)] + _second_flags_hint(
            self._state
        )

    def _hear_reading(self, reading: Reading) -> None:
        assert self._state
        errors = None if reading.present else self._table.devices.errors(reading.reader, reading.tag)
        told = self._take_over(self._state.hear(reading, errors))
        self._table.sound.aside([Ruling("", "", of.text, of.facts, self._seat) for of in told])

    def _apply(self, wish: Callable[[Enrolment], Enrolment]) -> Then:
        assert isinstance(self._state, Enrolment)
        return self._take_over(wish(self._state))

    def _take_over(self, after: Enrolment | Check) -> list[Saying]:
        """Take over the new state, keep new tags, and return what is said of it."""
        before, self._state = self._state, after
        assert before
        if isinstance(after, Enrolment) and after.tags is not before.tags:
            self._table.deck.enrol(after.tags)
        said = [Saying("", text, {key: fact for key, fact in facts.items() if f"{{{key}}}" in text})
                for _, text, facts in aloud.news(before, after)]  # fmt: skip
        return said + (_second_flags_hint(after) if said else [])

    def _stop(self) -> Then:
        state = self._state
        self.end()
        if isinstance(state, Check):
            missing = tuple(state.missing)
            return [
                Saying("", MISSING, {"cards": missing})
                if missing
                else Saying("", aloud.ALL, {"count": len(state.laid)})
            ]
        assert state
        return [Saying("", STOPPED, {"count": len(DECK) - len(state.deck.missing)})]


def _single_flags(state: Enrolment) -> list[Card]:
    """Return the flags of which this deck has one: there are two of each colour."""
    there = Counter(of.card for of in state.tags.values() if of.deck == state.name)
    return [card for card in DECK.values() if card.rank == FLAG and there[card] == 1]


def _second_flag(flag: Card, state: Enrolment) -> Enrolment:
    return state.pick(flag)


def _second_flags_hint(state: Enrolment | Check) -> list[Saying]:
    """Return where the second flags are found, once every other card has its tag."""
    wanted = isinstance(state, Enrolment) and state.asked is None and _single_flags(state)
    return [Saying("", SECONDS)] if wanted else []
