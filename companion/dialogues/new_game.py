"""A table that is set up by ear: who sits where, by which name, by which rules; then its first game begins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from string import ascii_uppercase

from companion.dialogues import table_draft
from companion.dialogues.table_draft import REVEAL, REVEALS, TableDraft
from companion.rules import N_, Option, Ruling, Said, Seat
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

    draft: TableDraft
    names: Collection[str]
    """Who has played here before."""
    begin: Callable[[Data, bool], Then]
    """Begins a game from a header, with help or without."""

    def choice(self) -> Choice:
        """Return the list that begins the game or changes something about it."""
        return Choice(None, list(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        draft = self.draft
        named = [Said(draft.players[seat]) if seat in draft.players else seat for seat in draft.seats]
        if table_draft.ready(draft):
            header = table_draft.header(draft)
            if table_draft.taught(draft):
                yield Entry(HELPED, {"players": named}, Do(partial(self.begin, header, True)))
            yield Entry(BEGIN, {"players": named}, Do(partial(self.begin, header, False)))
        else:
            yield Entry(FEW, {"count": draft.game.seats[0]})
        for seat in draft.seats:
            facts = {"seat": colour(seat), "name": Said(draft.players.get(seat, ""))}
            yield Entry(SITS if seat in draft.players else NOBODYS, facts, partial(self._who, seat))
        if not draft.game.fixed:
            yield Entry(SEATS, {}, self._seating)
            for seat in draft.seats[1:]:
                yield Entry(FIRST, {"seat": colour(seat)}, self._with(table_draft.first(draft, seat)))
        if draft.game.options or draft.game.sealed:
            yield Entry(OPTIONS, {}, self._rules)

    def _with(self, draft: TableDraft) -> Callable[[], Choice]:
        """Return a function that makes the list after a change."""
        return replace(self, draft=draft).choice

    # -- who sits where ------------------------------------------------------------------------------------------

    def _seating(self) -> Choice:
        """Return every colour; a player who sits down sits at the end of the row, clockwise."""
        draft = self.draft
        leaving = [Entry(STANDS_UP, {"seat": colour(seat)}, self._with(table_draft.stand(draft, seat)))
                   for seat in draft.seats]  # fmt: skip
        full = len(draft.seats) == draft.game.seats[-1]
        free = [] if full else [seat for seat in draft.game.colours if seat not in draft.seats]
        return Choice(None, [
            *leaving,
            *(Entry(SITS_DOWN, {"seat": colour(seat)}, self._with(table_draft.sit(draft, seat))) for seat in free),
        ])  # fmt: skip

    def _who(self, seat: Seat) -> Choice:
        """Ask for a known player who does not sit here yet, or somebody new."""
        free = [name for name in self.names if name not in self.draft.players.values()]
        known = [Entry(NAME, {"name": Said(name)}, self._called(seat, name)) for name in free]
        return Choice(None, [*known, Entry(NEW_NAME, {}, partial(self._spelled, seat, ""))])

    def _called(self, seat: Seat, name: str) -> Callable[[], Choice]:
        return self._with(table_draft.call(self.draft, seat, name))

    def _spelled(self, seat: Seat, letters: str) -> Choice:
        """Ask for a name, letter by letter."""
        so_far = Saying("", SO_FAR, {"letters": Said(", ".join(letters))}) if letters else Saying("", NO_LETTER)
        groups = [
            Entry(GROUP, {"first": Said(group[0]), "last": Said(group[-1])}, partial(self._group, seat, letters, group))
            for group in LETTERS
        ]
        name = letters.capitalize()
        ends = [
            Entry(DONE, {"name": Said(name)}, self._called(seat, name)),
            Entry(SHORTER, {}, partial(self._spelled, seat, letters[:-1])),
        ]  # fmt: skip
        return Choice(so_far, [*groups, *(ends if letters else [])])

    def _group(self, seat: Seat, letters: str, group: str) -> Choice:
        found = [Entry(LETTER, {"letter": Said(of)}, partial(self._spelled, seat, letters + of)) for of in group]
        return Choice(None, found)

    # -- by which rules ------------------------------------------------------------------------------------------

    def _rules(self) -> Choice:
        """Return every option with what it means and how it stands."""
        draft = self.draft
        found = [
            Entry(OPTION, {"text": Ruling("", "", of.text), "value": word(table_draft.chosen(draft, of))},
                  partial(self._values, of))
            for of in draft.game.options
            if table_draft.applies(draft, of)
        ]  # fmt: skip
        if draft.game.sealed:
            now = {"text": Ruling("", "", REVEAL), "value": Ruling("", "", REVEALS[draft.reveal])}
            other = [Entry(VALUE, {"value": Ruling("", "", text)}, self._with(replace(draft, reveal=mode)))
                     for mode, text in REVEALS.items() if mode != draft.reveal]  # fmt: skip
            found.append(Entry(OPTION, now, Choice(None, other)))
        return Choice(None, found)

    def _values(self, option: Option) -> Choice:
        others = [value for value in option.values if value != table_draft.chosen(self.draft, option)]
        return Choice(None, [
            Entry(VALUE, {"value": word(value)}, self._with(table_draft.choose(self.draft, option.name, value)))
            for value in others
        ])  # fmt: skip


def colour(seat: Seat) -> Ruling:
    """Return a colour by its own name, not by its player's."""
    return Ruling("", "", KNOWN.names[seat])


def word(value: object) -> Ruling:
    return Ruling("", "", value_word(value))
