"""A table that is set up by ear: who sits where, by which name, by which rules; then its first game begins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from string import ascii_uppercase

from companion.games import guide_of
from companion.rules import N_, AnyGame, Option, Ruling, Said, Seat
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Then
from companion.rules.vocabulary import KNOWN, value_word

BEGIN = N_("Begin: {players}.")
HELPED = N_("Begin, with help: {players}.")
SITS = N_("{seat} is {name}.")
NOBODYS = N_("{seat} has no name.")
FIRST = N_("{seat} goes first.")
SEATS = N_("Who sits at the table.")
STANDS_UP = N_("{seat} leaves the table.")
SITS_DOWN = N_("{seat} joins the table.")
FEW = N_("{count} players are needed.")
OPTIONS = N_("The rules that can be chosen.")
OPTION = N_("{text} Now: {value}.")
VALUE = N_("{value}.")
REVEAL = N_("Cards are revealed when all let go of their buttons together, or at once when the last card is down.")
REVEALS = {"fists": N_("fists"), "auto": N_("at once")}
NAME = N_("{name}.")
NEW_NAME = N_("Another name, letter by letter.")
SO_FAR = N_("So far: {letters}.")
NO_LETTER = N_("No letter yet.")
GROUP = N_("{first} to {last}.")
LETTER = N_("{letter}.")
DONE = N_("That is all: {name}.")
SHORTER = N_("Without the last letter.")
LETTERS = [ascii_uppercase[at : at + 5] for at in range(0, 25, 5)]
LETTERS[-1] += "Z"
"""In groups: six at most are stepped through to get to any of them, and six more to the letter."""


@dataclass(frozen=True)
class SettingUp:
    """The table so far, as lists: every change leads to the next state's list."""

    game: AnyGame
    seats: tuple[Seat, ...]
    names: Collection[str]
    """Who has played here before."""
    begin: Callable[[Data, bool], Then]
    """Begins a game from a header, with help or without."""
    players: Mapping[Seat, str] = field(default_factory=dict)
    options: Data = field(default_factory=dict)
    reveal: str = "fists"

    def choice(self) -> Choice:
        """It can begin; or something about it is changed."""
        return Choice(None, list(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        named = [Said(self.players[seat]) if seat in self.players else seat for seat in self.seats]
        if len(self.seats) in self.game.seats:
            if guide_of(self.game.name).lessons:
                yield Entry(HELPED, {"players": named}, Do(partial(self.begin, self.table, True)))
            yield Entry(BEGIN, {"players": named}, Do(partial(self.begin, self.table, False)))
        else:
            yield Entry(FEW, {"count": self.game.seats[0]})
        for seat in self.seats:
            facts = {"seat": colour(seat), "name": Said(self.players.get(seat, ""))}
            yield Entry(SITS if seat in self.players else NOBODYS, facts, partial(self._who, seat))
        if not self.game.fixed:
            yield Entry(SEATS, {}, self._seating)
            for at, seat in enumerate(self.seats):
                turned = (*self.seats[at:], *self.seats[:at])
                if at:
                    yield Entry(FIRST, {"seat": colour(seat)}, replace(self, seats=turned).choice)
        if self.game.options or self.game.sealed:
            yield Entry(OPTIONS, {}, self._rules)

    @property
    def table(self) -> Data:
        """The game's header."""
        sealed = {"reveal": self.reveal} if self.game.sealed else {}
        return {"tabularium": 1, "game": self.game.name, "seats": list(self.seats), "players": dict(self.players),
                "options": dict(self.options), **sealed}  # fmt: skip

    # -- who sits where ------------------------------------------------------------------------------------------

    def _seating(self) -> Choice:
        """Every colour: who sits down sits at the end of the row, clockwise."""
        full = len(self.seats) == self.game.seats[-1]
        return Choice(None, [
            Entry(STANDS_UP if seat in self.seats else SITS_DOWN, {"seat": colour(seat)}, self._changed(seat).choice)
            for seat in self.game.colours
            if seat in self.seats or not full
        ])  # fmt: skip

    def _changed(self, seat: Seat) -> SettingUp:
        if seat in self.seats:
            left = {other: name for other, name in self.players.items() if other != seat}
            return replace(self, seats=tuple(other for other in self.seats if other != seat), players=left)
        return replace(self, seats=(*self.seats, seat))

    def _who(self, seat: Seat) -> Choice:
        """Whoever has played here before and does not sit here yet, or somebody new."""
        free = [name for name in self.names if name not in self.players.values()]
        known = [Entry(NAME, {"name": Said(name)}, self._called(seat, name).choice) for name in free]
        return Choice(None, [*known, Entry(NEW_NAME, {}, partial(self._spelled, seat, ""))])

    def _called(self, seat: Seat, name: str) -> SettingUp:
        return replace(self, players={**self.players, seat: name})

    def _spelled(self, seat: Seat, letters: str) -> Choice:
        """A name, letter by letter."""
        so_far = Saying("", SO_FAR, {"letters": Said(", ".join(letters))}) if letters else Saying("", NO_LETTER)
        groups = [
            Entry(GROUP, {"first": Said(group[0]), "last": Said(group[-1])}, partial(self._group, seat, letters, group))
            for group in LETTERS
        ]
        name = letters.capitalize()
        ends = [
            Entry(DONE, {"name": Said(name)}, self._called(seat, name).choice),
            Entry(SHORTER, {}, partial(self._spelled, seat, letters[:-1])),
        ]  # fmt: skip
        return Choice(so_far, [*groups, *(ends if letters else [])])

    def _group(self, seat: Seat, letters: str, group: str) -> Choice:
        found = [Entry(LETTER, {"letter": Said(of)}, partial(self._spelled, seat, letters + of)) for of in group]
        return Choice(None, found)

    # -- by which rules ------------------------------------------------------------------------------------------

    def _rules(self) -> Choice:
        """Every option with what it means and how it stands."""
        found = [
            Entry(OPTION, {"text": Ruling("", "", of.text), "value": word(self._chosen(of))}, partial(self._values, of))
            for of in self.game.options
            if not of.needs or self._value(of.needs[0]) == of.needs[1]
        ]
        if self.game.sealed:
            now = {"text": Ruling("", "", REVEAL), "value": Ruling("", "", REVEALS[self.reveal])}
            other = [Entry(VALUE, {"value": Ruling("", "", REVEALS[mode])}, replace(self, reveal=mode).choice)
                     for mode in REVEALS if mode != self.reveal]  # fmt: skip
            found.append(Entry(OPTION, now, Choice(None, other)))
        return Choice(None, found)

    def _values(self, option: Option) -> Choice:
        others: Sequence[object] = [value for value in option.values if value != self._chosen(option)]
        return Choice(None, [
            Entry(VALUE, {"value": word(value)}, replace(self, options={**self.options, option.name: value}).choice)
            for value in others
        ])  # fmt: skip

    def _chosen(self, option: Option) -> object:
        return self.options.get(option.name, option.default)

    def _value(self, name: str) -> object:
        return next(self._chosen(option) for option in self.game.options if option.name == name)


def colour(seat: Seat) -> Ruling:
    """A colour by its own name, whoever plays it."""
    return Ruling("", "", KNOWN.names[seat])


def word(value: object) -> Ruling:
    return Ruling("", "", value_word(value))
