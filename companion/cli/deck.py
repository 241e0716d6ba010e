"""`tabularium deck …`: enrolling, checking and listing decks in a terminal.

Readings come from the readers, and from standard input as a transcript's hardware lines; any other typed line is a
request: a card's name, undo, skip, done. On the virtual table cards are laid by typing too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any, TextIO

from companion import deck, games
from companion.cli.aloud import line_data
from companion.cli.common import STORE, fail, settings_of
from companion.cli.hand import Open, TerminalHand, WrongLine
from companion.cli.rigs import real
from companion.cli.virtual import typed_table, virtual_cards
from companion.deck import Check, Enrolment, Tags
from companion.record.store import Store, StoreInUse, StoreTooNew
from companion.record.transcript import is_text
from companion.rules import Ruling
from companion.rules.cards import DECK, Card
from companion.rules.line import Line
from companion.rules.message import program
from companion.rules.mistakes import ConfigError, nearest, quoted
from companion.rules.readings import Reading
from companion.rules.words import say as say_ruling
from companion.system.limits import NAME
from companion.voice import deck as aloud

HINT = "(Type a card's name to pick that card, or undo, skip or done.)"
VIRTUAL = (
    "(On the virtual table, lay puts a new sticker on the reader, lay red 7 that card,"
    " lay 04A1B2C3D4E5F6 any tag; separate several with commas.)"
)
LAY = "lay"
SHORT = {"undo": Enrolment.undo, "skip": Enrolment.skip}


class Book:
    """The enrolled tags. Changes are on disk when `keep` returns; `news` is set when the store has some."""

    def __init__(self, store: Any, news: Event) -> None:
        self._store = store
        self._news = news

    @property
    def tags(self) -> Tags:
        return deck.known(self._store.enrolled())

    def keep(self, after: Tags) -> None:
        """Save the tags and wait until they are on disk. If that fails, print why; the store keeps trying."""
        ticket = deck.keep(self._store, self.tags, after) or 0
        while self._store.safe < ticket and not self._store.trouble:
            self._news.wait()
            self._news.clear()
        if self._store.safe < ticket:
            print(f"Not saved yet: {self._store.trouble}", file=sys.stderr, flush=True)


def run_deck(args: argparse.Namespace) -> int:
    """Run a command below `deck`, with the store and the opener of the readers."""

    news = Event()
    try:
        settings = settings_of(args)
        store = Store(settings.data / STORE, news.set)
    except ConfigError as error:
        return fail(*error.lines)
    except (StoreInUse, StoreTooNew) as error:
        return fail(str(error))
    readers: Any = partial(real, replace(settings, seats={}))  # neither buttons nor lamps
    if settings.hardware == "virtual":
        readers = partial(typed_table, virtual_cards(store))
    try:
        status: int = args.deck(args, Book(store, news), readers)
    except WrongLine as wrong:
        return fail(*wrong.lines)
    finally:
        store.close()
        if store.note:
            print(store.note, file=sys.stderr)
    return fail(store.trouble) if store.trouble else status


# -- laying cards -----------------------------------------------------------------------------------------------


def enrol(args: argparse.Namespace, book: Book, readers: Open) -> int:
    if not args.name.strip():
        raise WrongLine("a deck needs a name")
    if len(args.name) > NAME or not is_text(args.name):
        raise WrongLine(f"a deck's name is a text of at most {NAME} characters")
    state = deck.enrolment(book.tags, args.name)
    hand = TerminalHand(readers)
    say = DeckVoice(args.lang) if args.spoken else Written(hand.virtual)
    say.begin(state)
    for word, errors in hand:
        say.number += 1
        if hand.virtual and isinstance(word, str) and word.split()[0] == LAY:
            hand.lay(word.removeprefix(LAY), state.tags, args.name, say.wrong)
            continue
        before = state
        state = (
            state.hear(word, errors)
            if isinstance(word, Reading)
            else _apply_command(state, word, hand.virtual, say.wrong)
        )
        if state.tags is not before.tags:
            book.keep(state.tags)
        say.heard(before, state)
    say.end(state)
    return 0


class Written:
    """Printed output, for people who read."""

    wrong: TextIO | None = None  # standard output
    number = 0

    def __init__(self, virtual: bool) -> None:
        self._virtual = virtual

    def begin(self, state: Enrolment) -> None:
        print(f"{_next_card(state)} {HINT}", *([VIRTUAL] if self._virtual else []), sep="\n", flush=True)

    def heard(self, before: Enrolment, after: Enrolment) -> None:
        if after.ruling is not before.ruling or after.asked != before.asked:
            print(*_sentences(after.ruling), _next_card(after), flush=True)

    def end(self, state: Enrolment) -> None:
        print(_account(state.tags, state.name))


class DeckVoice:
    """Spoken output, one JSON object per line; `number` counts the readings and requests so far."""

    wrong: TextIO | None = sys.stderr
    number = 0

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def begin(self, state: Enrolment) -> None:
        self._print(aloud.begun(state, self._lang))

    def heard(self, before: Enrolment, after: Enrolment) -> None:
        self._print(aloud.heard(before, after, self._lang))

    def end(self, state: Enrolment) -> None:
        """Do nothing: the progress has been said already."""

    def _print(self, lines: Sequence[Line]) -> None:
        for line in lines:
            print(json.dumps(line_data(line, self.number), ensure_ascii=False), flush=True)


def _apply_command(state: Enrolment, typed: str, virtual: bool, wrong: TextIO | None) -> Enrolment:
    if typed in SHORT:
        return SHORT[typed](state)
    if typed in DECK:
        return state.pick(DECK[typed])
    known = (*DECK, *SHORT, "done", *([LAY] if virtual else []))
    print(
        f"{quoted(typed)} is neither a card nor a command{nearest(typed, known) or f'. {HINT}'}", file=wrong, flush=True
    )
    return state


def _next_card(state: Enrolment) -> str:
    if state.asked:
        return f"Lay {state.asked} ({len(DECK) - len(state.deck.missing)} of {len(DECK)} done)."
    return "Every card has a tag. Type done, or the name of a card to replace its tag."


def check(args: argparse.Namespace, book: Book, readers: Open) -> int:
    tags, game = book.tags, games.game(args.game)
    state = Check(tags, _named(tags, args.name) if args.name else _only_deck(tags), game)
    hand = TerminalHand(readers)
    asked = f"Lay the {len(state.missing)} cards of {game.title}, in any order; then type done."
    print(asked, *([VIRTUAL] if hand.virtual else []), sep="\n", flush=True)
    for word, errors in hand:
        if not isinstance(word, Reading):
            if hand.virtual:
                hand.lay(word.removeprefix(LAY), tags, state.name)
            else:
                print(f"{quoted(word)} is not a command here: lay cards, or type done", flush=True)
            continue
        before, state = state, state.hear(word, errors)
        if state.ruling is not before.ruling:
            left = f"{len(state.missing)} to go." if state.missing else "All cards are there: type done."
            print(*_sentences(state.ruling), left, flush=True)
    for line in _verdict(state):
        print(line)
    return 1 if state.missing or state.strange else 0


def _verdict(state: Check) -> Iterator[str]:
    yield f"Missing: {_listed(state.missing)}." if state.missing else f"All cards of {state.game.title} are there."
    for ruling in state.strange.values():
        yield say_ruling(ruling)
    weak = [state.tags[tag].card for tag in state.weak if tag in state.tags]
    if weak:
        yield f"Weak: {_listed(weak)}."


def _listed(cards: Sequence[Card]) -> str:
    """Return cards by colour: red 1, 2, flag; blue 7."""
    ranks: dict[str, list[str]] = {}
    for card in cards:
        ranks.setdefault(card.colour, []).append(str(card.rank or "flag"))
    return "; ".join(f"{colour} {', '.join(of)}" for colour, of in ranks.items())


def _sentences(ruling: Ruling | None) -> list[str]:
    return [say_ruling(ruling)] if ruling else []


# -- decks ------------------------------------------------------------------------------------------------------


def listing(_: argparse.Namespace, book: Book, __: Open) -> int:
    tags = book.tags
    if not tags:
        print(f'No deck is enrolled yet: {program()} deck enrol "my deck"')
    for name in deck.names(tags):
        print(_account(tags, name))
    return 0


def _account(tags: Tags, name: str) -> str:
    missing = deck.deck(tags, name).missing
    playable = [games.game(game).title for game in games.NAMES if not set(deck.needed(games.game(game))) & set(missing)]
    said = f"{name}: {len(DECK) - len(missing)} of {len(DECK)} cards"
    if missing and len(missing) <= 6:
        said += f", without {_listed(missing)}"
    return f"{said}; enough for {', '.join(playable) if playable else 'no game yet'}."


def forget(args: argparse.Namespace, book: Book, _: Open) -> int:
    tags = book.tags
    left = deck.without(tags, _named(tags, args.name))
    book.keep(left)
    print(f"Tags forgotten: {len(tags) - len(left)}.")
    return 0


def export(args: argparse.Namespace, book: Book, _: Open) -> int:
    from companion.deck.file import dump

    tags = book.tags
    print(dump(deck.deck(tags, _named(tags, args.name))), end="")
    return 0


def bring(args: argparse.Namespace, book: Book, _: Open) -> int:
    from companion.deck.file import load
    from companion.rules.mistakes import ConfigError

    tags = book.tags
    try:
        read = load(args.file, tags)
    except ConfigError as error:
        raise WrongLine(*error.lines) from None
    after = deck.brought(tags, read)
    book.keep(after)
    print(_account(after, read.name))
    return 0


def _named(tags: Tags, name: str) -> str:
    names = deck.names(tags)
    if name not in names:
        there = f"enrolled here: {', '.join(names)}" if names else "none is enrolled yet"
        raise WrongLine(f"there is no deck {quoted(name)}; {there}{nearest(name, names)}")
    return name


def _only_deck(tags: Tags) -> str:
    names = deck.names(tags)
    if len(names) != 1:
        raise WrongLine(
            f"choose a deck: --deck {' or --deck '.join(map(repr, names))}" if names else "no deck is enrolled"
        )
    return names[0]
