"""`tabularium`: the one place that wires companion, drivers and screen together. Imports late: replay needs no Kivy."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion import __version__, games
from companion.cards import PAWNS
from companion.cli import deck, hub
from companion.cli.common import fail
from companion.cli.hardware import draw_wiring, run_deck, run_doctor, run_hub
from companion.cli.stored import export_game, list_games
from companion.cli.table import open_table
from companion.cli.transcripts import run_replay, run_simulate


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


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="tabularium",
        description="The referee at the table. Without a command it opens the touchscreen.",
        epilog="Example: tabularium --config my-table.yaml",
    )
    top.add_argument("--version", action="version", version=f"tabularium {__version__}")
    top.add_argument("--config", type=Path, metavar="FILE", help="config.yaml to use instead of the usual ones")
    top.add_argument("--verbose", action="store_true", help="print the table's log on the terminal too")
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

    decks = _command(commands, "deck", "enrol, check and list the cards' tags", 'deck enrol "Blue box"')
    decks.set_defaults(run=run_deck)
    deck.add(decks)

    hubs = _command(commands, "hub", "list, watch and test hubs on USB", "hub list")
    hubs.set_defaults(run=run_hub)
    hub.add(hubs)

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
