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
        description="The referee at the table. Without a command, opens the touchscreen.",
        epilog="Example: tabularium --config my-table.yaml",
    )
    top.add_argument("--version", action="version", version=f"tabularium {__version__}")
    top.add_argument("--config", type=Path, metavar="FILE", help="use this config.yaml instead of the default one")
    top.add_argument("--verbose", action="store_true", help="also print the table's log on the terminal")
    virtual = "play without hardware: on the virtual table (default), or on one with virtual hubs"
    top.add_argument("--virtual", nargs="?", choices=("table", "hub"), const="table", help=virtual)
    kept = "record all hardware events meanwhile, to FILE or to the folder traces beside the games"
    top.add_argument("--record", nargs="?", type=Path, const=Path(), metavar="FILE", help=kept)
    top.set_defaults(run=_late("table", "open_table"))
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    replays = "replay a transcript and print the rulings, or replay a trace and compare the drivers' output"
    replay = _command(commands, "replay", replays, "replay evening.jsonl --json")
    replay.set_defaults(run=_late("transcripts", "run_replay"))
    replay.add_argument("file", type=Path, metavar="FILE", help="a transcript (JSON Lines); - reads standard input")
    replay.add_argument("--json", action="store_true", help="print one JSON object per line instead of sentences")
    replay.add_argument("--seat", choices=PAWNS, metavar="COLOUR", help="also show what only this seat may see")
    replay.add_argument(
        "--referee", action="store_true", help="also show the whole state, including hidden information"
    )
    replay.add_argument("--layout", action="store_true", help="with --json: also print where each piece should lie")
    spoken = "print one JSON object per spoken announcement, with its listener"
    replay.add_argument("--spoken", action="store_true", help=spoken)
    replay.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")
    replay.add_argument("--strict", action="store_true", help="exit with status 1 if an event was refused")
    layers = ("polls", "reader", "spi", "hub", "pins")
    replay.add_argument(
        "--layer", choices=layers, metavar="LAYER", help=f"with a trace: replay only this layer ({', '.join(layers)})"
    )

    _questions(commands)
    _setup(commands)

    listing = _command(commands, "games", "list the stored games, newest first", "games")
    listing.set_defaults(run=_late("stored", "list_games"))

    export = _command(commands, "export", "print a stored game as a transcript", "export 12 > saturday.jsonl")
    export.set_defaults(run=_late("stored", "export_game"))
    export.add_argument("game", metavar="GAME", help="the game's number in the list of games, or 'last'")
    secrets = "also export a game in progress, with its face-down cards; not for players' eyes"
    export.add_argument("--referee", action="store_true", help=secrets)

    _backups(commands)
    _update(commands)
    _report(commands)

    decks = _command(commands, "deck", "enrol, check and list the tags of the cards", 'deck enrol "Blue box"')
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
    """Add the command that tests the voice."""
    says = "speak a text or play a sound as the table would, aloud or into a file"
    say = _command(commands, "say", says, 'say "Anna pleads." --sound turn --out anna.wav')
    say.set_defaults(run=_late("say", "run_say"))
    say.add_argument("text", nargs="?", default="", metavar="TEXT", help="the text to speak")
    say.add_argument("--lang", choices=("en", "de", "ja"), help="language of the text (default: as in config.yaml)")
    say.add_argument(
        "--sound",
        choices=SOUNDS,
        metavar="NAME",
        help=f"a sound to play, before the text if there is one: {', '.join(SOUNDS)}",
    )
    say.add_argument("--out", type=Path, metavar="FILE", help="write a WAV file instead of playing it")
    say.add_argument("--ear", choices=PAWNS, metavar="COLOUR", help="play it in this seat's earphone")


def _wired(commands: Any) -> None:
    """Add the commands that check and test the wiring."""
    _say(commands)
    wiring = _command(commands, "wiring", "draw the wiring in config.yaml as SVG", "wiring > wiring.svg")
    wiring.set_defaults(run=_late("hardware", "draw_wiring"))

    doctor = _command(commands, "doctor", "check the computer and everything wired to it", "doctor --polls 500")
    doctor.set_defaults(run=_late("hardware", "run_doctor"))
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON instead of a table")
    doctor.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the findings")
    doctor.add_argument(
        "--polls", type=int, default=100, metavar="N", help="number of polls of each reader (default: 100)"
    )
    hour = "commission a new reader step by step, and save a report with its trace to send in"
    doctor.add_argument("--first-hour", action="store_true", help=hour)


def _backups(commands: Any) -> None:
    """Add the commands that back up all data to a USB stick, and restore it."""
    backup = _command(
        commands, "backup", "save games, players, decks, boards and settings to a USB stick", "backup /media/stick"
    )
    backup.set_defaults(run=_late("backup", "run_backup"))
    stick = "the target folder (default: the USB stick that is plugged in)"
    backup.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help=stick)

    restore = _command(commands, "restore", "restore a backup; the current data is kept aside", "restore /media/stick")
    restore.set_defaults(run=_late("backup", "run_restore"))
    newest = "a backup, or a folder with backups (default: the USB stick that is plugged in)"
    restore.add_argument("file", nargs="?", type=Path, metavar="FILE", help=newest)


def _update(commands: Any) -> None:
    """Add the command that updates an installed Pi."""
    finds = "update an installed Pi from a release on a USB stick"
    update = _command(commands, "update", finds, "update --back")
    update.set_defaults(run=_late("update", "run_update"))
    which = update.add_mutually_exclusive_group()
    which.add_argument("--back", action="store_true", help="go back to the previous version")
    which.add_argument(
        "--address",
        action="store_true",
        help="look for a release at the address in config.yaml instead of on USB sticks",
    )
    update.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def _report(commands: Any) -> None:
    """Add the command that makes one file to send in, and the one that reads it."""
    makes = "save one file to send in: doctor's findings, log, versions, settings; no cards, names or tag ids"
    report = _command(commands, "report", makes, "report --to /media/stick")
    report.set_defaults(run=_late("report", "run_report"))
    report.add_argument("--to", type=Path, metavar="FOLDER", help="the target folder (default: the current one)")
    read = _command(report.add_subparsers(title="commands", metavar="COMMAND"), "read", "explain what a report shows",
                    "report read tabularium-report-20261201-200000.zip")  # fmt: skip
    read.set_defaults(run=_late("report", "read_report"))
    read.add_argument("file", type=Path, metavar="FILE", help="the report; - reads standard input")
    read.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")


def _setup(commands: Any) -> None:
    """Add the command that writes config.yaml."""
    finds = "find the wired devices, ask whose they are, and write config.yaml"
    setup = _command(commands, "setup", finds, "setup --dry-run")
    setup.set_defaults(run=_late("setup", "run_setup"))
    setup.add_argument("--dry-run", action="store_true", help="print config.yaml instead of writing it")
    setup.add_argument("--lang", choices=("en", "de", "ja"), help="language of the questions and of the table")


def _play(commands: Any) -> None:
    """Add the commands that play without a window."""
    simulate = _command(
        commands, "simulate", "play random legal games", "simulate prokonsul --seats 4 --games 100 --seed 7"
    )
    simulate.set_defaults(run=_late("transcripts", "run_simulate"))
    simulate.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    simulate.add_argument(
        "--seats", type=int, metavar="N", help="number of players (default: as few as the game allows)"
    )
    simulate.add_argument("--games", type=int, default=1, metavar="N", help="number of games (default: 1)")
    simulate.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="S",
        help="seed of the random choices: the same seed plays the same games (default: 0)",
    )
    simulate.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set an option of the game; may be repeated"
    )
    simulate.add_argument(
        "--transcript", type=Path, metavar="FILE", help="write the transcript of the games to this file"
    )

    plays = "play by ear, without a window; standard input gives buttons and cards as hardware lines"
    play = _command(commands, "play", plays, "play spartacus --ears --players Anna,Ben,Chiara")
    play.set_defaults(run=_late("play", "run_play"))
    which = f"{' or '.join(games.NAMES)} (default: the game is chosen by ear)"
    play.add_argument("game", nargs="?", choices=games.NAMES, metavar="GAME", help=which)
    ears = "the seats that play by ear with one button, such as red,blue (default: all)"
    play.add_argument("--ears", nargs="?", const="all", required=True, metavar="SEATS", help=ears)
    play.add_argument("--seats", type=int, metavar="N", help="number of players (default: as few as the game allows)")
    play.add_argument("--players", metavar="NAMES", help="the players' names, clockwise, separated by commas")
    play.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set an option of the game; may be repeated"
    )
    play.add_argument(
        "--words", choices=("off", "brief", "full"), default="full", help="how much is announced to everybody"
    )
    play.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the announcements")


def _questions(commands: Any) -> None:
    """Add the commands that ask the referee."""
    why = _command(commands, "why", "explain what a move caused, and by which rules", "why evening.jsonl --at 12")
    why.set_defaults(run=_late("explain", "run_why"))
    _asked(why, "explain the move on this line (default: the last)")

    now = _command(commands, "now", "list the legal moves: who may do what, and how", "now evening.jsonl")
    now.set_defaults(run=_late("explain", "run_now"))
    _asked(now, "stop after this line (default: the last)")

    position = _command(
        commands, "position", "print the position as a header to start a game from", "position evening.jsonl"
    )
    position.set_defaults(run=_late("explain", "run_position"))
    _file(position, "stop after this line (default: the last)")

    layout = _command(
        commands, "layout", "list where each piece should lie on the table", "layout evening.jsonl --at 40"
    )
    layout.set_defaults(run=_late("explain", "run_layout"))
    _asked(layout, "stop after this line (default: the last)")

    rules = _command(commands, "rules", "print the numbered rules of a game", "rules prokonsul --teach")
    rules.set_defaults(run=_late("explain", "run_rules"))
    rules.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    rules.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the texts")
    rules.add_argument("--teach", action="store_true", help="print a short introduction to read before a first game")


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

    one = command("enrol", "enrol", "learn the cards' tags, card by card", 'enrol "Blue box"')
    goes_on = "the deck's name (default: Our deck); an unfinished deck is continued"
    one.add_argument("name", nargs="?", default="Our deck", metavar="NAME", help=goes_on)
    spoken = "print one JSON object per spoken announcement, and nothing else"
    one.add_argument("--spoken", action="store_true", help=spoken)
    one.add_argument("--lang", choices=("en", "de", "ja"), default="en", help="language of the announcements")
    one = command("check", "check", "read all cards of a game and list the missing ones", "check prokonsul")
    one.add_argument("game", choices=games.NAMES, metavar="GAME", help=" or ".join(games.NAMES))
    one.add_argument("--deck", dest="name", metavar="NAME", help="the deck, if there are several")
    command("list", "listing", "list the decks", "list")
    one = command("forget", "forget", "forget a deck and its tags", 'forget "Blue box"')
    one.add_argument("name", metavar="NAME", help="the deck's name")
    one = command("export", "export", "print a deck as YAML", 'export "Blue box" > blue.yaml')
    one.add_argument("name", metavar="NAME", help="the deck's name")
    replaces = "import a deck from a YAML file, replacing the one of that name"
    one = command("import", "bring", replaces, "import blue.yaml")
    one.add_argument("file", type=Path, metavar="FILE", help="a file printed by export")


def _hub(top: argparse.ArgumentParser) -> None:
    """Add the commands below `hub`."""
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, act: str, what: str, example: str) -> argparse.ArgumentParser:
        made = _command(commands, name, what, f"hub {example}")
        made.set_defaults(hub=_late("hub", act))
        return made

    def one(made: argparse.ArgumentParser) -> None:
        which = "a hub's name in config.yaml, or a port (default: the only hub)"
        made.add_argument("which", nargs="?", metavar="NAME|PORT", help=which)

    def until(made: argparse.ArgumentParser) -> None:
        made.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds")

    command("list", "listing", "list the serial ports and the hubs on them", "list")
    made = command("monitor", "monitor", "show a hub's messages until Ctrl-C", "monitor /dev/ttyACM0 --raw")
    one(made)
    made.add_argument("--raw", action="store_true", help="show its lines unparsed")
    until(made)
    tests = "light each lamp, and show button presses and cards, until Ctrl-C"
    made = command("test", "test", tests, "test box")
    one(made)
    until(made)
    one(command("update", "update", "compare a hub's firmware with the version shipped with this program", "update"))


def _traces(commands: Any) -> None:
    """Add the commands that record hardware."""
    records = "record all hardware events without a game (during a game: tabularium --record)"
    record = _command(commands, "record", records, "record --seconds 60 first-try.jsonl")
    record.set_defaults(run=_late("traces", "run_record"))
    record.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="the trace to write (default: a new file in the folder traces)",
    )
    record.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds")
    record.add_argument("--spi", action="store_true", help="also record each SPI transfer; thirty times as large")
    record.add_argument("--ids", action="store_true", help="keep the real tag ids instead of replacing them")
    trace = _command(commands, "trace", "inspect a trace", "trace words first-try.jsonl > words.jsonl")
    below = trace.add_subparsers(title="commands", metavar="COMMAND", required=True)
    words = _command(
        below, "words", "print the cards and buttons of a trace as a transcript", "trace words first-try.jsonl"
    )
    words.set_defaults(run=_late("traces", "words"))
    words.add_argument("file", type=Path, metavar="FILE", help="a trace")
    words.add_argument("--header", type=Path, metavar="FILE", help="a transcript whose header to start with")
