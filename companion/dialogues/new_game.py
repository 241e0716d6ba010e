"""A table that is set up by ear: who sits where, by which name, by which rules; then its first game begins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from string import ascii_uppercase
from typing import Any

from companion.dialogues import table_draft
from companion.dialogues.table_draft import REVEALS, TableDraft
from companion.games import speech_of
from companion.rules import N_, Ruling, Said, Seat
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Then, Typing
from companion.rules.speech import Letters, OptionSpeech, explained
from companion.rules.vocabulary import KNOWN, value_word

BEGIN = N_("Begin as printed: {players}.")
VARIED = N_("Begin with variants: {players}.")
HELPED = N_("Begin, with help: {players}.")
BEGINS = {table_draft.PRINTED: BEGIN, table_draft.VARIED: VARIED, table_draft.HELPED: HELPED}
SITS = N_("{seat} is {name}.")
NOBODYS = N_("{seat} has no name.")
FIRST = N_("{seat} goes first.")
SEATS = N_("Who sits at the table.")
STANDS_UP = N_("{seat} leaves the table.")
SITS_DOWN = N_("{seat} joins the table.")
FEW = N_("{count} players are needed.")
OPTIONS = N_("The rules that can be chosen.")
OPTION = N_("{option}: {value}.")
SENTENCE = N_("{option} Now: {value}.")
"""Of a game that says no more of its options than what is read."""
VALUE = N_("{value}.")
MEANING = explained(N_("{value}."), N_("{value}. {meaning}"))
OPENING = OptionSpeech(
    N_("Turning the cards up"),
    {
        "fists": N_("All let go of their buttons together."),
        "auto": N_("The cards open as soon as the last one is down."),
    },
    REVEALS,
)
NAME = N_("{name}.")
NEW_NAME = N_("Another name, letter by letter.")
TYPED = N_("Type a name.")
NAME_OF = N_("Name")
SO_FAR = N_("So far: {letters}.")
NO_LETTER = N_("No letter yet.")
GROUP = N_("{first} to {last}.")
LETTER = N_("{letter}.")
DONE = N_("That is all: {name}.")
SHORTER = N_("Delete the last letter.")
LETTERS = [ascii_uppercase[at : at + 5] for at in range(0, 25, 5)]
LETTERS[-1] += "Z"
"""In groups: six at most are stepped through to get to any of them, and six more to the letter."""


@dataclass(frozen=True)
class SettingUp:
    """The table so far, as lists: every change leads to the next state's list."""

    draft: TableDraft
    names: Collection[str]
    """The players known here from earlier games."""
    begin: Callable[[Data, bool], Then]
    """Begins a game from a header, with help or without."""
    new: bool = False
    """Whether nobody has played here yet."""

    def choice(self) -> Choice:
        """Return the list that begins the game or changes something about it."""
        return Choice(None, list(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        draft = self.draft
        named = [Said(draft.players[seat]) if seat in draft.players else seat for seat in draft.seats]
        if table_draft.ready(draft):
            header = table_draft.header(draft)
            for text, helped in table_draft.ways(draft, self.new):
                yield Entry(BEGINS[text], {"players": named}, Do(partial(self.begin, header, helped)))
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
        typed = Entry(TYPED, {}, Typing(NAME_OF, "", partial(self._called, seat)))
        return Choice(None, [*known, typed, Entry(NEW_NAME, {}, partial(self._spelled, seat, ""))])

    def _called(self, seat: Seat, name: str) -> Callable[[], Choice]:
        return self._with(table_draft.call(self.draft, seat, name))

    def _spelled(self, seat: Seat, letters: str) -> Choice:
        """Ask for a name, letter by letter."""
        so_far = Saying("", SO_FAR, {"letters": Letters(letters)}) if letters else Saying("", NO_LETTER)
        groups = [
            Entry(GROUP, {"first": Letters(of[0]), "last": Letters(of[-1])}, partial(self._group, seat, letters, of))
            for of in LETTERS
        ]
        name = letters.capitalize()
        ends = [
            Entry(DONE, {"name": Said(name)}, self._called(seat, name)),
            Entry(SHORTER, {}, partial(self._spelled, seat, letters[:-1])),
        ]  # fmt: skip
        return Choice(so_far, [*groups, *(ends if letters else [])])

    def _group(self, seat: Seat, letters: str, group: str) -> Choice:
        found = [Entry(LETTER, {"letter": Letters(of)}, partial(self._spelled, seat, letters + of)) for of in group]
        return Choice(None, found)

    # -- by which rules ------------------------------------------------------------------------------------------

    def _rules(self) -> Choice:
        """Return every option with how it stands; what its values mean is said with each of them."""
        draft, speech = self.draft, speech_of(self.draft.game.name)
        found = []
        for of in draft.game.options:
            if table_draft.applies(draft, of):
                drafts = {value: table_draft.choose(draft, of.name, value) for value in of.values}
                how = speech.options.get(of.name)
                found.append(
                    self._option(how or OptionSpeech(of.text), table_draft.chosen(draft, of), drafts, how is None)
                )
        if draft.game.sealed:
            drafts = {mode: replace(draft, reveal=mode) for mode in REVEALS}
            found.append(self._option(OPENING, draft.reveal, drafts))
        return Choice(None, found)

    def _option(
        self, how: OptionSpeech, now: object, drafts: Mapping[Any, TableDraft], sentence: bool = False
    ) -> Entry:
        """Return an option; `drafts` are the tables with each of its values, and it may be called by a `sentence`."""

        def entry(value: object) -> Entry:
            facts, meaning = {"value": word(how, value)}, how.meanings.get(value)
            if meaning is None:
                return Entry(VALUE, facts, self._with(drafts[value]))
            return Entry(MEANING, {**facts, "meaning": Ruling("", "", meaning)}, self._with(drafts[value]))

        facts = {"option": Ruling("", "", how.name), "value": word(how, now)}
        return Entry(SENTENCE if sentence else OPTION, facts, Choice(None, list(map(entry, drafts))))


def colour(seat: Seat) -> Ruling:
    """Return a colour by its own name, not by its player's."""
    return Ruling("", "", KNOWN.names[seat])


def word(how: OptionSpeech, value: object) -> Ruling:
    """Return what a value of an option is called."""
    return Ruling("", "", how.words.get(value, value_word(value)))
