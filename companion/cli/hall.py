"""`tabularium hall join | leave | round | result | amend | status …`: what the organiser says, the hall's answer."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.cli.common import fail, settings_of
from companion.system.terminal import line

NAMES = 32_000
"""Bytes of a file with names."""


def evening(args: argparse.Namespace) -> int:
    import sqlite3

    from companion.hall.local import put_aside
    from companion.rules.mistakes import ConfigError

    try:
        if args.new and (aside := put_aside(settings_of(args).data)):
            print(f"The evening before is kept as {aside}")
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, sqlite3.Error) as error:
        return fail(str(error))
    return _ask(args, name=args.name, lang=args.lang, names=args.names, by=args.by)


def join(args: argparse.Namespace) -> int:
    from companion.system import limits

    names = list(args.names)
    if args.file:
        try:
            text = limits.content(args.file, NAMES).decode("utf-8-sig")
        except UnicodeDecodeError:
            return fail(f"{args.file} is not UTF-8 text")
        names += [found for found in text.splitlines() if found.strip()]
    return _ask(args, names=names) if names else fail("whose name?")


def leave(args: argparse.Namespace) -> int:
    return _ask(args, names=args.names)


def seat_round(args: argparse.Namespace) -> int:
    return _ask(
        args,
        games=args.game,
        options=dict(map(_option, args.option)),
        tables=[name.strip() for name in (args.tables or "").split(",") if name.strip()],
        size=args.size,
        seed=args.seed,
        again=args.again,
    )


def settle(args: argparse.Namespace) -> int:
    scores = dict(text.rpartition("=")[::2] for text in args.scores)
    return _ask(
        args, table=args.table, round=args.round, scores=scores, won=args.won, void=args.void, reason=args.reason
    )


def status(args: argparse.Namespace) -> int:
    return _ask(args)


def end(args: argparse.Namespace) -> int:
    return _ask(args)


def export(args: argparse.Namespace) -> int:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    return _ask(args, file=str((args.file or Path(f"tabularium-hall-{today}.zip")).absolute()))


def _option(text: str) -> tuple[str, Any]:
    """`halves=down` as a transcript would write it."""
    name, _, value = text.partition("=")
    return name, {"true": True, "false": False}.get(value, value)


def _ask(args: argparse.Namespace, **order: object) -> int:
    """Gives the order to the hall and prints what it answers."""
    import sqlite3

    from companion.hall.local import ask
    from companion.rules.mistakes import ConfigError

    spoken = args.lang if args.do != "evening" else None
    try:
        answer = ask(settings_of(args).data, {"do": args.do, "lang": spoken, **order})
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, sqlite3.Error) as error:
        return fail(f"the hall does not answer: {error}")
    if not answer.get("ok"):
        return fail(*answer.get("said", ()))
    for text in answer.get("said", ()):
        print(line(text))
    return 0
