"""The commands of `tabularium` and their arguments. Each command's module is imported only when it runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion import __version__, games
from companion.cli import hall_arguments
from companion.cli.parsing import LateParser
from companion.cli.parsing import command as _command
from companion.cli.parsing import late as _late
from companion.rules.cards import PAWNS
from companion.rules.line import SOUNDS


def parser() -> argparse.ArgumentParser:
    top = LateParser(
        prog="tabularium",
        description="The referee at the table. Without a command it opens the touchscreen.",
        epilog="Example: tabularium --config my-table.yaml",
    )
    top.add_argument("--version", action="version", version=f"tabularium {__version__}")
    top.add_argument("--config", type=Path, metavar="FILE", help="config.yaml to use instead of the usual ones")
    top.add_argument("--verbose", action="store_true", help="print the table's log on the terminal too")
    virtual = "play without hardware, whatever config.yaml says: on the virtual table, or on one with hubs"
    top.add_argument("--virtual", nargs="?", choices=("table", "hub"), const="table", help=virtual)
    kept = "record what the hardware does meanwhile: to FILE, or to the folder traces beside the games"
    top.add_argument("--record", nargs="?", type=Path, const=Path(), metavar="FILE", help=kept)
    top.set_defaults(run=_late("table", "open_table"))
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    replays = "play a transcript and print the rulings; or a trace, and compare what the drivers make of it"
    replay = _command(commands, "replay", replays, "replay evening.jsonl --json")
    replay.set_defaults(run=_late("transcripts", "run_replay"))
    replay.add_argument("file", type=Path, metavar="FILE", help="a transcript (JSON Lines); - reads standard input")
    replay.add_argument("--json", action="store_true", help="one JSON object per line instead of sentences")
    replay.add_argument("--seat", choices=PAWNS, metavar="COLOUR", help="also show what this seat may see")
    replay.add_argument("--referee", action="store_true", help="also show the whole state, hidden things included")
    replay.add_argument("--layout", action="store_true", help="with --json: also what should lie where")
    spoken = "one JSON object for each thing that would be said aloud, and to whom"
    replay.add_argument("--spoken", action="store_true", help=spoken)
    replay.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")
    replay.add_argument("--strict", action="store_true", help="exit status 1 if an event was refused")
    layers = ("polls", "reader", "spi", "hub", "pins")
    replay.add_argument("--layer", choices=layers, metavar="LAYER", help=f"of a trace: only {', '.join(layers)}")

    _questions(commands)
    _setup(commands)

    listing = _command(commands, "games", "list the games in the store, the newest first", "games")
    listing.set_defaults(run=_late("stored", "list_games"))

    export = _command(commands, "export", "print a stored game as a transcript", "export 12 > saturday.jsonl")
    export.set_defaults(run=_late("stored", "export_game"))
    export.add_argument("game", metavar="GAME", help="its number in the list of games, or 'last'")
    secrets = "a game that is being played too, with the cards that lie face down: for nobody who plays"
    export.add_argument("--referee", action="store_true", help=secrets)

    _backups(commands)
    _update(commands)
    _report(commands)

    decks = _command(commands, "deck", "enrol, check and list the cards' tags", 'deck enrol "Blue box"')
    decks.set_defaults(run=_late("deck", "run_deck"))
    _deck(decks)

    hubs = _command(commands, "hub", "list, watch and test hubs on USB", "hub list")
    hubs.set_defaults(run=_late("hub", "run_hub"))
    _hub(hubs)

    _traces(commands)
    hall_arguments.added(commands)

    _play(commands)
    _wired(commands)
    return top


def _say(commands: Any) -> None:
    """Add the command that tries the voice."""
    says = "say something as the table would, aloud or into a file; or make one of its sounds"
    say = _command(commands, "say", says, 'say "Anna pleads." --sound turn --out anna.wav')
    say.set_defaults(run=_late("say", "run_say"))
    say.add_argument("text", nargs="?", default="", metavar="TEXT", help="what to say")
    say.add_argument("--lang", choices=("en", "de", "ja"), help="its language (default: config.yaml's)")
    say.add_argument("--sound", choices=SOUNDS, metavar="NAME", help=f"before it, or alone: {', '.join(SOUNDS)}")
    say.add_argument("--out", type=Path, metavar="FILE", help="write a WAV file instead of saying it")
    say.add_argument("--ear", choices=PAWNS, metavar="COLOUR", help="into this seat's ear")


def _wired(commands: Any) -> None:
    """Add the commands that check what is wired, and try it."""
    _say(commands)
    wiring = _command(commands, "wiring", "draw config.yaml's wiring as SVG", "wiring > wiring.svg")
    wiring.set_defaults(run=_late("hardware", "draw_wiring"))

    doctor = _command(commands, "doctor", "check the computer and everything wired to it", "doctor --polls 500")
    doctor.set_defaults(run=_late("hardware", "run_doctor"))
    doctor.add_argument("--json", action="store_true", help="the findings as JSON instead of a table")
    doctor.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the findings")
    doctor.add_argument("--polls", type=int, default=100, metavar="N", help="polls of each reader (default 100)")
    hour = "step by step with a reader that is new, and a report with its trace to send in"
    doctor.add_argument("--first-hour", action="store_true", help=hour)


def _backups(commands: Any) -> None:
    """Add the commands that save everything on a stick, and restore it."""
    backup = _command(
        commands, "backup", "save games, players, decks, boards and settings on a stick", "backup /media/stick"
    )
    backup.set_defaults(run=_late("backup", "run_backup"))
    stick = "where to (default: the stick that is plugged in)"
    backup.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help=stick)

    restore = _command(commands, "restore", "put a backup in place; what was there is kept", "restore /media/stick")
    restore.set_defaults(run=_late("backup", "run_restore"))
    newest = "a backup, or the folder with the newest one (default: the stick that is plugged in)"
    restore.add_argument("file", nargs="?", type=Path, metavar="FILE", help=newest)


def _update(commands: Any) -> None:
    """Add the command that installs another version on a Pi."""
    finds = "on an installed Pi: find a release on a stick, and put it in place"
    update = _command(commands, "update", finds, "update --back")
    update.set_defaults(run=_late("update", "run_update"))
    which = update.add_mutually_exclusive_group()
    which.add_argument("--back", action="store_true", help="go back to the version before")
    which.add_argument("--address", action="store_true", help="look at the address in config.yaml, not on sticks")
    update.add_argument("--yes", action="store_true", help="do not ask")


def _report(commands: Any) -> None:
    """Add the command that makes one file to send in, and the one that reads it."""
    makes = "one file to send in: what the doctor finds, log, versions, settings; no cards, no names, no ids"
    report = _command(commands, "report", makes, "report --to /media/stick")
    report.set_defaults(run=_late("report", "run_report"))
    report.add_argument("--to", type=Path, metavar="FOLDER", help="where to (default: here)")
    read = _command(report.add_subparsers(title="commands", metavar="COMMAND"), "read", "say what a report shows",
                    "report read tabularium-report-20261201-200000.zip")  # fmt: skip
    read.set_defaults(run=_late("report", "read_report"))
    read.add_argument("file", type=Path, metavar="FILE", help="the report; - reads standard input")
    read.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")


def _setup(commands: Any) -> None:
    """Add the command that writes config.yaml."""
    finds = "find what is wired, ask who has what, and write config.yaml"
    setup = _command(commands, "setup", finds, "setup --dry-run")
    setup.set_defaults(run=_late("setup", "run_setup"))
    setup.add_argument("--dry-run", action="store_true", help="print the file instead of writing it")
    setup.add_argument("--lang", choices=("en", "de", "ja"), help="language of the questions, and of the table")


def _play(commands: Any) -> None:
    """Add the commands that play without a window."""
    simulate = _command(
        commands, "simulate", "play random legal games", "simulate prokonsul --seats 4 --games 100 --seed 7"
    )
    simulate.set_defaults(run=_late("transcripts", "run_simulate"))
    simulate.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    simulate.add_argument("--seats", type=int, metavar="N", help="players (default: as few as the game allows)")
    simulate.add_argument("--games", type=int, default=1, metavar="N", help="how many games (default 1)")
    simulate.add_argument(
        "--seed", type=int, default=0, metavar="S", help="the same seed plays the same games (default 0)"
    )
    simulate.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    simulate.add_argument("--transcript", type=Path, metavar="FILE", help="write what was played to this file")

    plays = "play by ear, without a window: buttons and cards as a transcript's hardware lines on standard input"
    play = _command(commands, "play", plays, "play spartacus --ears --players Anna,Ben,Chiara")
    play.set_defaults(run=_late("play", "run_play"))
    which = f"{' or '.join(games.NAMES)}; left out: nothing is begun but by ear"
    play.add_argument("game", nargs="?", choices=games.NAMES, metavar="GAME", help=which)
    ears = "the seats whose one button does everything, such as red,blue (default: all)"
    play.add_argument("--ears", nargs="?", const="all", required=True, metavar="SEATS", help=ears)
    play.add_argument("--seats", type=int, metavar="N", help="players (default: as few as the game allows)")
    play.add_argument("--players", metavar="NAMES", help="their names, clockwise, separated by commas")
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    play.add_argument("--words", choices=("off", "brief", "full"), default="full", help="how much is said to everybody")
    play.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of what is said")


def _questions(commands: Any) -> None:
    """Add the commands that ask the referee."""
    why = _command(commands, "why", "tell what an act set off, and why", "why evening.jsonl --at 12")
    why.set_defaults(run=_late("explain", "run_why"))
    _asked(why, "the act on this line (default: the last)")

    now = _command(commands, "now", "tell what may be done now, by whom and how", "now evening.jsonl")
    now.set_defaults(run=_late("explain", "run_now"))
    _asked(now, "after this line (default: the last)")

    position = _command(commands, "position", "write the position as a header to begin from", "position evening.jsonl")
    position.set_defaults(run=_late("explain", "run_position"))
    _file(position, "after this line (default: the last)")

    layout = _command(commands, "layout", "tell what should lie where on the table", "layout evening.jsonl --at 40")
    layout.set_defaults(run=_late("explain", "run_layout"))
    _asked(layout, "after this line (default: the last)")

    rules = _command(commands, "rules", "print the rules of a game, numbered", "rules prokonsul --teach")
    rules.set_defaults(run=_late("explain", "run_rules"))
    rules.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    rules.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")
    rules.add_argument("--teach", action="store_true", help="the short way in, to read before a first game")


def _file(command: argparse.ArgumentParser, at: str) -> None:
    """Add the arguments for a transcript, and a line of it."""
    command.add_argument("file", type=Path, metavar="FILE", help="a transcript (JSON Lines); - reads standard input")
    command.add_argument("--at", type=int, metavar="LINE", help=at)


def _asked(command: argparse.ArgumentParser, at: str) -> None:
    """Add the arguments of a question about a transcript."""
    _file(command, at)
    command.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")


def _deck(top: argparse.ArgumentParser) -> None:
    """Add the commands below `deck`."""
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, act: str, what: str, example: str) -> argparse.ArgumentParser:
        made = _command(commands, name, what, f"deck {example}")
        made.set_defaults(deck=_late("deck", act))
        return made

    one = command("enrol", "enrol", "lay card after card, and learn their tags", 'enrol "Blue box"')
    goes_on = "the deck's name (default: Our deck); a deck begun earlier goes on"
    one.add_argument("name", nargs="?", default="Our deck", metavar="NAME", help=goes_on)
    spoken = "one JSON object for each thing that would be said aloud, and nothing else"
    one.add_argument("--spoken", action="store_true", help=spoken)
    one.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of what is said")
    one = command("check", "check", "lay all cards of a game, and see which are missing", "check prokonsul")
    one.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    one.add_argument("--deck", dest="name", metavar="NAME", help="which deck, if there are several")
    command("list", "listing", "list the decks", "list")
    one = command("forget", "forget", "forget a deck and its tags", 'forget "Blue box"')
    one.add_argument("name", metavar="NAME", help="the deck's name")
    one = command("export", "export", "print a deck as YAML", 'export "Blue box" > blue.yaml')
    one.add_argument("name", metavar="NAME", help="the deck's name")
    replaces = "read a deck from a YAML file, in place of the one of that name"
    one = command("import", "bring", replaces, "import blue.yaml")
    one.add_argument("file", type=Path, metavar="FILE", help="what export has printed")


def _hub(top: argparse.ArgumentParser) -> None:
    """Add the commands below `hub`."""
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, act: str, what: str, example: str) -> argparse.ArgumentParser:
        made = _command(commands, name, what, f"hub {example}")
        made.set_defaults(hub=_late("hub", act))
        return made

    def one(made: argparse.ArgumentParser) -> None:
        which = "a hub's name in config.yaml, or a port; may be left out if there is only one"
        made.add_argument("which", nargs="?", metavar="NAME|PORT", help=which)

    def until(made: argparse.ArgumentParser) -> None:
        made.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds")

    command("list", "listing", "list the serial ports, and which are hubs", "list")
    made = command("monitor", "monitor", "show what a hub says, until Ctrl-C", "monitor /dev/ttyACM0 --raw")
    one(made)
    made.add_argument("--raw", action="store_true", help="show its lines as they come")
    until(made)
    tests = "light each lamp, and tell what buttons and readers do, until Ctrl-C"
    made = command("test", "test", tests, "test box")
    one(made)
    until(made)
    one(command("update", "update", "compare a hub's firmware with the one that is here", "update"))


def _traces(commands: Any) -> None:
    """Add the commands that record hardware."""
    records = "write down what the hardware does, without a game: tabularium --record does so during one"
    record = _command(commands, "record", records, "record --seconds 60 first-try.jsonl")
    record.set_defaults(run=_late("traces", "run_record"))
    record.add_argument("file", nargs="?", type=Path, metavar="FILE", help="default: in the folder traces")
    record.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds")
    record.add_argument("--spi", action="store_true", help="each transfer on the bus too: thirty times as large")
    record.add_argument("--ids", action="store_true", help="keep the ids of the tags, instead of made-up ones")
    trace = _command(commands, "trace", "look into a trace", "trace words first-try.jsonl > words.jsonl")
    below = trace.add_subparsers(title="commands", metavar="COMMAND", required=True)
    words = _command(below, "words", "print what cards and buttons did as a transcript", "trace words first-try.jsonl")
    words.set_defaults(run=_late("traces", "words"))
    words.add_argument("file", type=Path, metavar="FILE", help="a trace")
    words.add_argument("--header", type=Path, metavar="FILE", help="a transcript whose header to begin with")
