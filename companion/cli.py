"""`tabularium`: the one place that wires companion, drivers and screen together. Imports late: replay needs no Kivy."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from companion import __version__

LANGS = ("en", "de", "ja")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status: 0, 1 (`replay --strict`) or 2 for an error."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: `replay FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def fail(*lines: str) -> int:
    """Prints what is wrong; exit status 2."""
    print(*lines, sep="\n", file=sys.stderr)
    return 2


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="tabularium",
        description="The referee at the table. Without a command it opens the touchscreen.",
        epilog="Example: tabularium --config my-table.yaml",
    )
    top.add_argument("--version", action="version", version=f"tabularium {__version__}")
    top.add_argument("--config", type=Path, metavar="FILE", help="config.yaml to use")
    top.set_defaults(run=open_table)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    replay = _command(
        commands,
        "replay",
        "play a transcript and print the rulings",
        "replay evening.jsonl --json",
        run_replay,
    )
    replay.add_argument("file", type=Path, metavar="FILE", help="a transcript (JSON Lines)")
    replay.add_argument("--json", action="store_true", help="one JSON object a line instead of sentences")
    replay.add_argument("--seat", metavar="COLOUR", help="add what this seat may see besides")
    replay.add_argument("--referee", action="store_true", help="add the whole state, hidden things too")
    replay.add_argument("--lang", choices=LANGS, default="en", help="language of the texts")
    replay.add_argument("--strict", action="store_true", help="exit status 1 if an event was refused")
    return top


def _command(commands, name: str, what: str, example: str, run) -> argparse.ArgumentParser:  # type: ignore[no-untyped-def]
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=what.capitalize() + ".", epilog=f"Example: tabularium {example}"
    )
    command.set_defaults(run=run)
    return command


def open_table(args: argparse.Namespace) -> int:
    raise NotImplementedError


def run_replay(args: argparse.Namespace) -> int:
    from companion.replay import Tally, TranscriptError, replay, sentences, series_sentence, step_data

    tally, refused = Tally(), False
    try:
        for step in replay(args.file, args.seat):
            tally.take(step)
            refused = refused or not step.ok
            if args.json:
                print(json.dumps(step_data(step, args.lang, args.seat, args.referee), ensure_ascii=False))
            else:
                print(*sentences(step, args.lang, args.seat, args.referee), sep="\n")
    except TranscriptError as error:
        sys.stdout.flush()
        return fail(*error.lines)
    except OSError as error:
        return fail(f"{args.file}: {error.strerror}")
    line = tally.line()
    if line:
        print(json.dumps({"series": line}, ensure_ascii=False) if args.json else series_sentence(line, args.lang))
    return 1 if args.strict and refused else 0
