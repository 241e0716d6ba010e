"""`tabularium deck …`: enrolling, checking and listing decks in a terminal.

Readings come from the readers, and from standard input as a transcript's hardware lines; what else is typed there
is a wish: a card's name, undo, skip, done.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from companion import deck, games
from companion.cards import DECK, PAWNS, Card
from companion.deck import Check, Enrolment, Tags
from companion.mistakes import Mistakes, nearest
from companion.rules import Ruling
from companion.table import Health, Reading
from companion.transcript import Header, parse, read_header, read_line
from companion.words import say

Open = Callable[[Callable[[Any], object]], Any]
"""Opens the readers, given where their words go; what it returns has `close`, and may have `errors`."""

HINT = "(A card's name picks that card; undo, skip and done are what they say.)"
SHORT = {"undo": Enrolment.undo, "skip": Enrolment.skip}


def add(top: argparse.ArgumentParser) -> None:
    """The commands below `deck`."""
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, act: Any, what: str, example: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=what, description=f"{what.capitalize()}.", epilog=f"Example: tabularium deck {example}"
        )
        made.set_defaults(deck=act)
        return made

    one = command("enrol", enrol, "lay card after card, and learn their tags", 'enrol "Blue box"')
    goes_on = "the deck's name (default: Our deck); a deck begun earlier goes on"
    one.add_argument("name", nargs="?", default="Our deck", metavar="NAME", help=goes_on)
    one = command("check", check, "lay all cards of a game, and see which are missing", "check prokonsul")
    one.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    one.add_argument("--deck", dest="name", metavar="NAME", help="which deck, where there are several")
    command("list", listing, "list the decks", "list")
    one = command("forget", forget, "forget a deck and its tags", 'forget "Blue box"')
    one.add_argument("name", metavar="NAME", help="the deck's name")
    one = command("export", export, "print a deck as YAML", 'export "Blue box" > blue.yaml')
    one.add_argument("name", metavar="NAME", help="the deck's name")
    one = command("import", bring, "read a deck from a YAML file, in place of the one of that name", "import blue.yaml")
    one.add_argument("file", type=Path, metavar="FILE", help="what export has printed")


class Wrong(ValueError):  # noqa: N818 - what was asked for, not an error of the program
    """Something that cannot be done; `lines` say why."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


# -- laying cards -----------------------------------------------------------------------------------------------


def enrol(args: argparse.Namespace, store: Any, readers: Open) -> int:
    if not args.name.strip():
        raise Wrong("a deck needs a name")
    state = deck.enrolment(deck.known(store.enrolled()), args.name)
    print(_asks(state), HINT, flush=True)
    for word, errors in heard(readers):
        before = state
        state = state.hear(word, errors) if isinstance(word, Reading) else _wish(state, word)
        deck.keep(store, before.tags, state.tags)
        if state.told is not before.told or state.asked != before.asked:
            print(*_said(state.told), _asks(state), flush=True)
    print(_account(state.tags, args.name))
    return 0


def _wish(state: Enrolment, typed: str) -> Enrolment:
    if typed in SHORT:
        return SHORT[typed](state)
    if typed in DECK:
        return state.pick(DECK[typed])
    print(f"{typed!r} is neither a card nor a wish{nearest(typed, (*DECK, *SHORT, 'done'))}", flush=True)
    return state


def _asks(state: Enrolment) -> str:
    if state.asked:
        return f"Lay {state.asked}."
    return "Every card has its tag: name one to give it another, or say done."


def check(args: argparse.Namespace, store: Any, readers: Open) -> int:
    tags = deck.known(store.enrolled())
    game = games.game(args.game)
    state = Check(tags, _named(tags, args.name) if args.name else _only(tags), game)
    print(f"Lay the {len(state.missing)} cards of {game.title}, in any order; then say done.", flush=True)
    for word, errors in heard(readers):
        if not isinstance(word, Reading):
            print(f"{word!r} means nothing here: lay cards, or say done", flush=True)
            continue
        before, state = state, state.hear(word, errors)
        if state.told is not before.told:
            left = f"{len(state.missing)} to come." if state.missing else "All are there: say done."
            print(*_said(state.told), left, flush=True)
    for line in _verdict(state):
        print(line)
    return 1 if state.missing or state.strange else 0


def _verdict(state: Check) -> Iterator[str]:
    yield f"Missing: {_listed(state.missing)}." if state.missing else f"All cards of {state.game.title} are there."
    for ruling in state.strange.values():
        yield say(ruling)
    if state.weak:
        yield f"Weak: {_listed([state.tags[tag].card for tag in state.weak if tag in state.tags])}."


def _listed(cards: Sequence[Card]) -> str:
    """Cards by colour: red 1, 2, flag; blue 7."""
    ranks: dict[str, list[str]] = {}
    for card in cards:
        ranks.setdefault(card.colour, []).append(str(card.rank or "flag"))
    return "; ".join(f"{colour} {', '.join(of)}" for colour, of in ranks.items())


def _said(ruling: Ruling | None) -> list[str]:
    return [say(ruling)] if ruling else []


def heard(readers: Open) -> Iterator[tuple[Reading | str, float | None]]:
    """What is laid and what is typed, until the input ends or says done; with a reading its tag's error rate."""
    words: SimpleQueue[Any] = SimpleQueue()
    rig = readers(words.put)
    errors = getattr(rig, "errors", None)
    Thread(target=_listen, args=(words.put,), name="standard input", daemon=True).start()
    try:
        while (word := words.get()) not in (None, "done"):
            if isinstance(word, Wrong):
                raise word
            if isinstance(word, Health):
                print(f"{word.device}: {word.detail or 'well again'}", file=sys.stderr, flush=True)
            elif isinstance(word, Reading):
                yield word, errors(word.reader, word.tag) if errors and not word.present else None
            elif isinstance(word, str) and word and not word.startswith("#"):
                yield word, None
    finally:
        rig.close()


def _listen(put: Callable[[Any], object]) -> None:
    """Standard input, unbuffered: a thread that waits in a buffer would hold its lock when the program ends."""
    header = read_header({"tabularium": 1, "game": "mercator", "seats": list(PAWNS)})  # which knows every reader
    try:
        with open(0, "rb", buffering=0, closefd=False) as lines:
            for number, line in enumerate(lines, start=1):
                put(_read(line.decode("utf-8", "replace").strip(), header, number))
    except OSError:
        return  # no standard input at all: the readers alone
    put(None)


def _read(text: str, header: Header, number: int) -> Any:
    """A Reading, a wish, or what is wrong with the line."""
    if not text.startswith("{"):
        return text.lower()
    try:
        return read_line(parse(text), header)
    except Mistakes as mistakes:
        return Wrong(*(f"-:{number}: {mistake.what}" for mistake in mistakes.found))


# -- decks ------------------------------------------------------------------------------------------------------


def listing(_: argparse.Namespace, store: Any, __: Open) -> int:
    tags = deck.known(store.enrolled())
    if not tags:
        print('No deck is enrolled yet: tabularium deck enrol "my deck"')
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


def forget(args: argparse.Namespace, store: Any, _: Open) -> int:
    tags = deck.known(store.enrolled())
    left = deck.without(tags, _named(tags, args.name))
    deck.keep(store, tags, left)
    print(f"{len(tags) - len(left)} tags are forgotten.")
    return 0


def export(args: argparse.Namespace, store: Any, _: Open) -> int:
    from companion import deck_file

    tags = deck.known(store.enrolled())
    print(deck_file.dump(deck.deck(tags, _named(tags, args.name))), end="")
    return 0


def bring(args: argparse.Namespace, store: Any, _: Open) -> int:
    from companion import deck_file
    from companion.yaml_lines import ConfigError

    tags = deck.known(store.enrolled())
    try:
        read = deck_file.load(args.file, tags)
    except ConfigError as error:
        raise Wrong(*error.lines) from None
    after = deck.without(tags, read.name) | {tag: deck.Known(card, read.name) for tag, card in read.tags.items()}
    deck.keep(store, tags, after)
    print(_account(after, read.name))
    return 0


def _named(tags: Tags, name: str) -> str:
    names = deck.names(tags)
    if name not in names:
        there = f"there are {', '.join(names)}" if names else "none is enrolled yet"
        raise Wrong(f"there is no deck {name!r}; {there}{nearest(name, names)}")
    return name


def _only(tags: Tags) -> str:
    names = deck.names(tags)
    if len(names) != 1:
        raise Wrong(
            f"which deck? add --deck {' or --deck '.join(map(repr, names))}" if names else "no deck is enrolled"
        )
    return names[0]
