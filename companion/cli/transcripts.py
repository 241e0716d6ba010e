"""`tabularium replay` and `simulate`: replay of transcripts, and random games."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import Any

from companion import games
from companion.cli.common import fail
from companion.system.terminal import console


def run_replay(args: argparse.Namespace) -> int:
    """Replay a transcript, or a trace, which the drivers play."""
    from companion.hardware.trace.reading import is_trace

    if is_trace(args.file):
        from companion.cli.traces import replayed

        return replayed(args)
    return _transcript(args)


def _transcript(args: argparse.Namespace) -> int:
    from companion.cli.aloud import ToldAloud
    from companion.cli.replay import Tally, TranscriptError, replay, sentences, step_data

    tally, refused = Tally(), False
    said = ToldAloud(args.lang)
    try:
        for step in replay(args.file, args.seat):
            tally.take(step)
            refused = refused or not step.ok
            if args.spoken:
                for data in said.of(step):
                    print(json.dumps(data, ensure_ascii=False))
                continue
            if args.json:
                print(json.dumps(step_data(step, args.lang, args.seat, args.referee, args.layout), ensure_ascii=False))
                continue
            for sentence in sentences(step, args.lang, args.seat, args.referee):
                print(sentence)
    except TranscriptError as error:
        sys.stdout.flush()
        return fail(*error.lines)
    line = tally.line()
    if line and not args.spoken:
        print(json.dumps({"series": line}, ensure_ascii=False) if args.json else tally.sentence(args.lang))
    return 1 if args.strict and refused else 0


def run_simulate(args: argparse.Namespace) -> int:
    from companion.cli.simulate import simulate, table
    from companion.rules.mistakes import Mistakes

    game = games.game(args.game)
    try:
        header = table(game, game.seats[0] if args.seats is None else args.seats, dict(map(option, args.option)))
    except Mistakes as mistakes:
        return fail(*(mistake.what for mistake in mistakes.found))
    if args.games < 1:
        return fail("--games must be a whole number, at least 1")
    try:
        with open(args.transcript, "w", encoding="utf-8") if args.transcript else nullcontext() as file:  # noqa: PTH123
            lines = simulate(header, args.games, args.seed, file, _progress)
    except OSError as error:
        return fail(f"{args.transcript}: {error.strerror}")
    for line in lines:
        print(line)
    return 0


def option(text: str) -> tuple[str, Any]:
    """Return `top_two=true` as a transcript would write it."""
    name, _, value = text.partition("=")
    return name, {"true": True, "false": False}.get(value, value)


def _progress(rounds: Iterable[int], total: int) -> Iterator[int]:
    """Show a progress bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield from rounds
        return
    from rich.progress import track

    yield from track(rounds, "playing", total=total, console=console(stderr=True), transient=True)
