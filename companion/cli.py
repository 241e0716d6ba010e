"""`tabularium`: the one place that wires companion, drivers and screen together. Imports late: replay needs no Kivy."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from companion import __version__, deck_commands, games, hub_commands
from companion.cards import PAWNS

STORE = "tabularium.sqlite3"
"""The store's file in the data directory."""
VIRTUAL = "virtual"
"""The deck of the virtual table."""
MANY = 100
"""More mistakes in a file than anybody reads: it is not what it is taken for."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status: 0, 1 (`replay --strict`, `doctor`) or 2 for an error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w")  # noqa: PTH123, SIM115 - a service may have closed it
        setattr(sys, name, stream)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: `replay FILE | head`
        _write_no_more()
        return 0
    except OSError as error:  # the disk is full: `export last > game.jsonl`
        _write_no_more()
        return fail(f"{error.filename or 'output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    return status


def _write_no_more() -> None:
    """What is still to be printed is dropped: Python tries once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(*lines: str) -> int:
    """Prints what is wrong; exit status 2."""
    more = (f"… and {len(lines) - MANY} more",) if len(lines) > MANY else ()
    print(*lines[:MANY], *more, sep="\n", file=sys.stderr)
    return 2


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="tabularium",
        description="The referee at the table. Without a command it opens the touchscreen.",
        epilog="Example: tabularium --config my-table.yaml",
    )
    top.add_argument("--version", action="version", version=f"tabularium {__version__}")
    top.add_argument("--config", type=Path, metavar="FILE", help="config.yaml to use instead of the usual ones")
    virtual = "play without hardware, whatever config.yaml says: on the virtual table, or on one of hubs"
    top.add_argument("--virtual", nargs="?", choices=("table", "hub"), const="table", help=virtual)
    top.set_defaults(run=open_table)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    replay = _command(commands, "replay", "play a transcript and print the rulings", "replay evening.jsonl --json")
    replay.set_defaults(run=run_replay)
    replay.add_argument("file", type=Path, metavar="FILE", help="a transcript (JSON Lines)")
    replay.add_argument("--json", action="store_true", help="one JSON object a line instead of sentences")
    replay.add_argument("--seat", choices=PAWNS, metavar="COLOUR", help="add what this seat may see besides")
    replay.add_argument("--referee", action="store_true", help="add the whole state, hidden things too")
    replay.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")
    replay.add_argument("--strict", action="store_true", help="exit status 1 if an event was refused")

    listing = _command(commands, "games", "list the games in the store, the newest first", "games")
    listing.set_defaults(run=list_games)

    export = _command(commands, "export", "print a stored game as a transcript", "export 12 > saturday.jsonl")
    export.set_defaults(run=export_game)
    export.add_argument("game", metavar="GAME", help="its number in the list of games, or 'last'")

    deck = _command(commands, "deck", "enrol, check and list the cards' tags", 'deck enrol "Blue box"')
    deck.set_defaults(run=run_deck)
    deck_commands.add(deck)

    hub = _command(commands, "hub", "list, watch and test hubs on USB", "hub list")
    hub.set_defaults(run=run_hub)
    hub_commands.add(hub)

    simulate = _command(
        commands, "simulate", "play random legal games", "simulate prokonsul --seats 4 --games 100 --seed 7"
    )
    simulate.set_defaults(run=run_simulate)
    simulate.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    simulate.add_argument("--seats", type=int, metavar="N", help="how many play; as few as the game allows if left out")
    simulate.add_argument("--games", type=int, default=1, metavar="N", help="how many games (default 1)")
    simulate.add_argument(
        "--seed", type=int, default=0, metavar="S", help="the same seed plays the same games (default 0)"
    )
    simulate.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    simulate.add_argument("--transcript", type=Path, metavar="FILE", help="write down what was played")

    wiring = _command(commands, "wiring", "draw config.yaml's wiring as SVG", "wiring > wiring.svg")
    wiring.set_defaults(run=draw_wiring)

    doctor = _command(commands, "doctor", "check the computer and everything that is wired", "doctor --polls 500")
    doctor.set_defaults(run=run_doctor)
    doctor.add_argument("--json", action="store_true", help="the findings as JSON instead of a table")
    doctor.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the findings")
    doctor.add_argument("--polls", type=int, default=100, metavar="N", help="polls of each reader (default 100)")
    return top


def _command(commands: Any, name: str, what: str, example: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=f"{what[0].upper()}{what[1:]}.", epilog=f"Example: tabularium {example}"
    )
    return command


# -- replay and simulate ----------------------------------------------------------------------------------------


def run_replay(args: argparse.Namespace) -> int:
    from companion.replay import Tally, TranscriptError, replay, sentences, series_sentence, step_data

    tally, refused = Tally(), False
    try:
        for step in replay(args.file, args.seat):
            tally.take(step)
            refused = refused or not step.ok
            if args.json:
                print(json.dumps(step_data(step, args.lang, args.seat, args.referee), ensure_ascii=False))
                continue
            for sentence in sentences(step, args.lang, args.seat, args.referee):
                print(sentence)
    except TranscriptError as error:
        sys.stdout.flush()
        return fail(*error.lines)
    line = tally.line()
    if line:
        print(json.dumps({"series": line}, ensure_ascii=False) if args.json else series_sentence(line, args.lang))
    return 1 if args.strict and refused else 0


def run_simulate(args: argparse.Namespace) -> int:
    from companion.mistakes import Mistakes
    from companion.simulate import simulate, table

    game = games.game(args.game)
    try:
        header = table(game, game.seats[0] if args.seats is None else args.seats, dict(map(_option, args.option)))
    except Mistakes as mistakes:
        return fail(*(mistake.what for mistake in mistakes.found))
    if args.games < 1:
        return fail("--games is a whole number from 1")
    try:
        with open(args.transcript, "w", encoding="utf-8") if args.transcript else nullcontext() as file:  # noqa: PTH123
            told = simulate(header, args.games, args.seed, file, _progress)
    except OSError as error:
        return fail(f"{args.transcript}: {error.strerror}")
    for line in told:
        print(line)
    return 0


def _option(text: str) -> tuple[str, Any]:
    """`top_two=true` as a transcript would write it."""
    name, _, value = text.partition("=")
    return name, {"true": True, "false": False}.get(value, value)


def _progress(rounds: Iterable[int], total: int) -> Iterator[int]:
    """A progress bar where somebody is watching."""
    if not sys.stderr.isatty():
        yield from rounds
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(rounds, "playing", total=total, console=Console(stderr=True), transient=True)


# -- the store --------------------------------------------------------------------------------------------------


def _settings(args: argparse.Namespace) -> Any:
    """The settings of config.yaml, or of a laptop without one or where asked for. Raises ConfigError."""
    from companion import config

    path = config.find(args.config)
    settings = config.load(path) if path else config.Settings()
    return settings.model_copy(update={"hardware": "virtual"}) if args.virtual else settings


def _stored(args: argparse.Namespace) -> Path:
    path: Path = _settings(args).data / STORE
    return path


def list_games(args: argparse.Namespace) -> int:
    import sqlite3

    from rich.console import Console
    from rich.table import Table

    from companion import history
    from companion.config import ConfigError

    try:
        path = _stored(args)
        rows = history.games(path) if path.exists() else []
    except ConfigError as error:
        return fail(*error.lines)
    except sqlite3.Error as error:
        return fail(_unread(path, error))
    if not rows:
        print("No game has been played here yet.")
        return 0
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("game", "begun", "", "players", "events", "result"):
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*_told(row))
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    return 0


def _unread(path: Path, error: Exception) -> str:
    return f"{path} cannot be read ({error}); opening the table puts it aside, if it is damaged, and begins a new one"


def _told(row: Any) -> Iterator[str]:
    head, result = row.table, row.outcome
    players = head.get("players") or {}
    people = {seat: players.get(seat, seat) for seat in head["seats"]}
    won = "unfinished"
    if result:
        won = (
            " and ".join(people.get(seat, seat) for seat in result["winners"]) + " won"
            if result["winners"]
            else "a draw"
        )
    yield from (str(row.number), row.at[:16].replace("T", " "), head["game"], ", ".join(people.values()))
    yield from (str(row.events), won)


def export_game(args: argparse.Namespace) -> int:
    import sqlite3

    from companion import history
    from companion.config import ConfigError
    from companion.transcript import dump

    try:
        path = _stored(args)
        rows = history.games(path) if path.exists() else []
        row = next((row for row in rows if args.game in ("last", str(row.number))), None)
        if row is None:
            known = ", ".join(str(row.number) for row in rows[:10])
            return fail(
                f"there is no game {args.game}; " + (f"there are {known}" if known else "none was played here yet")
            )
        events, note = history.entries(path, row.number)
    except ConfigError as error:
        return fail(*error.lines)
    except sqlite3.Error as error:
        return fail(_unread(path, error))
    print(row.header)
    for event, by, at in events:
        extra = {key: value for key, value in (("at", at), ("by", by)) if value}
        print(dump(json.loads(event) | extra))
    return fail(note) if note else 0


def run_deck(args: argparse.Namespace) -> int:
    from functools import partial
    from threading import Event

    from companion.config import ConfigError
    from companion.database import StoreInUse, StoreTooNew
    from companion.deck_hand import Wrong
    from companion.store import Store

    news = Event()
    try:
        settings = _settings(args)
        store = Store(settings.data / STORE, news.set)
    except ConfigError as error:
        return fail(*error.lines)
    except (StoreInUse, StoreTooNew) as error:
        return fail(str(error))
    readers: Any = partial(_real, settings.model_copy(update={"seats": {}}))  # neither buttons nor lamps
    if settings.hardware == "virtual":
        readers = partial(_laid, virtual_cards(store))
    try:
        status: int = args.deck(args, deck_commands.Book(store, news), readers)
    except Wrong as wrong:
        return fail(*wrong.lines)
    finally:
        store.close()
        if store.note:
            print(store.note, file=sys.stderr)
    return fail(store.trouble) if store.trouble else status


def run_hub(args: argparse.Namespace) -> int:
    from companion.config import ConfigError
    from companion.message import reason
    from companion.words import message
    from drivers.hub.desk import Desk

    try:
        status: int = args.hub(args, Desk(_hubs(_settings(args))))
    except ConfigError as error:
        return fail(*error.lines)
    except BrokenPipeError:
        raise  # main's own: `hub list | head`
    except (LookupError, OSError) as error:
        return fail(message(getattr(error, "strerror", None) or reason(error)))
    return status


# -- the table --------------------------------------------------------------------------------------------------


def open_table(args: argparse.Namespace) -> int:
    from companion.boards import BoardFileError
    from companion.config import ConfigError

    try:
        settings = _settings(args)
        return _play(settings, args.virtual == "hub")
    except (ConfigError, BoardFileError) as error:
        return fail(*error.lines)


def _play(settings: Any, hubs: bool) -> int:
    """Store, evening, hardware and screen; they end in the opposite order. Raises BoardFileError."""
    from time import monotonic_ns

    from companion.boards import check
    from companion.cards import DECK
    from companion.database import StoreInUse, StoreTooNew
    from companion.evening import Evening
    from companion.store import Store

    try:
        store = Store(settings.data / STORE)
    except (StoreInUse, StoreTooNew) as error:
        return fail(str(error))
    deck = virtual_cards(store) if settings.hardware == "virtual" else {}
    tags = {tag: DECK[card] for tag, card in store.tags().items() if card in DECK}
    evening = Evening(
        store,
        tags,
        lang=store.kept("language") or settings.language,
        reveal=settings.reveal_mode,
        fair_ms=settings.reveal.fair_ms,
        no_ms=settings.press.no_ms,
        exports=settings.data / "exports",
        clock=lambda: monotonic_ns() // 1_000_000,  # the drivers' own, which are loaded behind the first frame
    )
    rig: Any = None

    def connect() -> tuple[Any, Any]:
        """Reads the boards and opens the hardware, behind the first frame: it takes as long as the window itself."""
        nonlocal rig
        for name in games.NAMES:
            check(games.game(name))
        rig, dock = _virtual(evening, deck, hubs) if deck else (_real(settings, evening.words.put), None)
        evening.errors = getattr(rig, "errors", evening.errors)
        return dock, rig.show

    try:
        from ui.app import run

        run(
            evening,
            connect,
            settings.screen.model_dump(),
            lambda: examined(settings, running=rig.polls, working=getattr(rig, "hubs", {})),
        )
    finally:
        if rig:
            rig.close()
        store.close()
    return 0


def virtual_deck() -> dict[str, str]:
    """A tag for each card of the virtual table: card to tag, seven bytes like those of an NTAG sticker."""
    from companion.cards import DECK

    return {card: f"04{number:012X}" for number, card in enumerate(DECK, start=1)}


def virtual_cards(store: Any) -> dict[str, str]:
    """The cards of the virtual table with their tags: a deck like any other, enrolled where it is not yet."""
    enrolled = store.enrolled()
    cards = {card: tag for tag, (card, deck) in enrolled.items() if deck == VIRTUAL}
    for card, tag in virtual_deck().items():
        if card not in cards and tag not in enrolled:
            store.enrol(tag, card, VIRTUAL)
    return virtual_deck() | cards


class Dock:
    """The virtual table as the screen's dock drives it: a rig's readers and buttons, and a deck to lay."""

    def __init__(self, rig: Any, deck: dict[str, str]) -> None:
        self.deck = deck
        self.readers = list(rig.readers)
        self.lay, self.lift, self.tags_on = rig.lay, rig.lift, rig.tags_on
        self.hold, self.let_go = rig.hold, rig.let_go
        self.errors, self.close = rig.errors, rig.close
        self.cables = getattr(rig, "cables", {})


def _virtual(evening: Any, deck: dict[str, str], hubs: bool) -> tuple[Any, Dock]:
    rig: Any
    if hubs:
        from drivers.virtual.hub.rig import HubRig

        rig = HubRig(PAWNS, evening.words.put)
        print(f"Two hubs without hardware; their firmware runs under {rig.under}.", flush=True)
    else:
        from drivers.virtual.rig import VirtualRig

        rig = VirtualRig(PAWNS, evening.words.put)
    return rig, Dock(rig, deck)


def _laid(deck: dict[str, str], put: Any) -> Dock:
    """The virtual table for a hand that types: it lays its cards a second apart, however fast it is."""
    from itertools import count

    from drivers.virtual.rig import VirtualRig

    return Dock(VirtualRig(PAWNS, put, clock=count(0, 1000).__next__), deck)


def _real(settings: Any, put: Any) -> Any:
    from drivers.rig import Rig

    return Rig(_wiring(settings), put)


def _wiring(settings: Any) -> Any:
    from functools import partial

    from drivers.reader import KINDS
    from drivers.rig import Wiring

    readers, owners = {}, {}
    for name, reader in settings.readers.items():
        if reader.kind == "virtual" and settings.hubs:
            continue  # what is there without a config.yaml is not meant beside hubs
        readers[name] = KINDS[reader.kind]
        if reader.kind == "rc522":
            readers[name] = partial(KINDS["rc522"], reader.bus, reader.device, reader.reset)
            # One thread for all, also on two buses: their antennas are as near each other, and must take turns.
            owners[name] = "rc522 readers"
    pins = partial(_pins_of, settings.seats)
    times = dict(interval=0.02, release_ms=settings.press.debounce_ms)
    return Wiring(readers, pins("button"), pins("lamp"), owners=owners, hubs=_hubs(settings), **times)


def _hubs(settings: Any) -> dict[str, Any]:
    from drivers.hub.port import Where
    from drivers.hub.worker import Hub

    return {
        name: Hub(Where(hub.serial or "", hub.usb or "", hub.port or ""), hub.seats, hub.dtr)
        for name, hub in settings.hubs.items()
    }


def _pins_of(seats: Any, use: str) -> dict[str, int]:
    return {seat: getattr(wires, use) for seat, wires in seats.items() if getattr(wires, use) is not None}


def draw_wiring(args: argparse.Namespace) -> int:
    from companion.config import ConfigError
    from companion.wiring import drawing

    try:
        settings = _settings(args)
    except ConfigError as error:
        return fail(*error.lines)
    if settings.hardware == "virtual":
        return fail("config.yaml says hardware: virtual, so nothing is wired; examples are in firmware_notes/examples")
    if not settings.seats and all(reader.kind == "virtual" for reader in settings.readers.values()):
        return fail("config.yaml wires nothing to a Pi: see firmware_notes/examples, or firmware_notes/hub for a hub")
    print(drawing(settings), end="")
    return 0


def run_doctor(args: argparse.Namespace) -> int:
    """Exit status 0 if nothing fails, 1 if something does."""
    from dataclasses import replace

    from companion import doctor
    from companion.config import ConfigError
    from companion.database import StoreInUse
    from companion.words import message

    if args.polls < 1:
        return fail("--polls is a whole number from 1")
    try:
        settings = _settings(args)
        with _alone(settings):
            found = examined(settings, polls=args.polls, watch=_watch)
    except ConfigError as error:
        return fail(*error.lines)
    except StoreInUse as error:
        return fail(str(error))
    findings = [replace(f, what=message(f.what, args.lang), next=message(f.next, args.lang)) for f in found]
    if args.json:
        print(doctor.as_json(findings))
    else:
        doctor.table(findings, None if sys.stdout.isatty() else 120)
    return doctor.status(findings)


def _alone(settings: Any) -> Any:
    """Keeps another Tabularium from a Pi's readers meanwhile. Raises StoreInUse if it has them already."""
    from contextlib import closing

    from companion.store import Store

    return nullcontext() if settings.hardware == "virtual" else closing(Store(settings.data / STORE))


def examined(settings: Any, **given: Any) -> list[Any]:
    """What the doctor finds; `given` is how to examine it."""
    from drivers.probe import Bench, examine
    from drivers.virtual.bench import bench

    given |= dict(data=settings.data, debounce_ms=settings.press.debounce_ms)
    if settings.hardware == "virtual":
        return list(examine(bench(() if given.get("working") else PAWNS, **given)))
    chips = {name: reader for name, reader in settings.readers.items() if reader.kind == "rc522"}
    places = {name: (chip.bus, chip.device) for name, chip in chips.items()}
    resets = {name: chip.reset for name, chip in chips.items()}
    wiring = _wiring(settings)
    pi = bool(places or wiring.buttons or wiring.lamps or not wiring.hubs)  # hubs alone need none
    return list(examine(Bench(wiring, pi=pi, places=places, resets=resets, **given)))


def _watch() -> None:
    """The time for pressing buttons, where somebody is there to do so."""
    import time

    if sys.stderr.isatty():
        print("Press every button once and let go; then watch the lamps blink, one after the other.", file=sys.stderr)
        time.sleep(10)
