"""`tabularium hall join | leave | round | result | amend | status …`: what the organiser says, the hall's answer."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.cli.common import fail, settings_of
from companion.system.terminal import line

NAMES, EXPORT = 32_000, 50_000_000
"""Bytes of a file with names, and of an export."""
WORDS = (
    *("names", "player", "points", "players", "stand_in", "table", "seat", "round", "reason", "text", "name", "of"),
    "to",
)  # fmt: skip
"""What an order takes over as it stands on the command line."""


def plain(args: argparse.Namespace) -> int:
    """An order that is no more than its words."""
    return _ask(args, **_words(args))


def _words(args: argparse.Namespace) -> dict[str, Any]:
    return {word: getattr(args, word) for word in WORDS if getattr(args, word, None) is not None}


def evening(args: argparse.Namespace) -> int:
    import sqlite3

    from companion.hall.local import put_aside
    from companion.hall.season import players
    from companion.rules.mistakes import ConfigError
    from companion.system.limits import content

    try:
        known = players(content(args.known, EXPORT)) if args.known else []
        if args.new and (aside := put_aside(settings_of(args).data)):
            print(f"The evening before is kept as {aside}")
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, sqlite3.Error) as error:
        return fail(str(error))
    if known and (status := _ask(args, do="know", players=known)):
        return status
    ties = None if args.ties is None else [tie for tie in args.ties.split(",") if tie and tie != "none"]
    scored = {"by": args.by, "ties": ties, "byes": args.byes, "voids": args.voids, "late": args.late}
    return _ask(args, name=args.name, lang=args.lang, names=args.names, leavers=args.leavers, **scored)


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


def seat_round(args: argparse.Namespace) -> int:
    if args.withdraw:
        return _ask(args, do="withdraw", round=args.round, reason=args.reason)
    return _ask(args, **_seating(args), again=args.again)


def plan(args: argparse.Namespace) -> int:
    return _ask(args, rounds=args.rounds, **_seating(args))


def _seating(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "games": args.game,
        "options": dict(map(_option, args.option)),
        "tables": [name.strip() for name in (args.tables or "").split(",") if name.strip()],
        "size": args.size,
        "swiss": args.swiss,
        "seed": args.seed,
    }


def settle(args: argparse.Namespace) -> int:
    scores = dict(text.rpartition("=")[::2] for text in args.scores)
    return _ask(args, scores=scores, won=args.won, void=args.void, **_words(args))


def clock(args: argparse.Namespace) -> int:
    changed = {"minutes": args.minutes, "more": args.more, "set": args.set}
    if sum(value is not None for value in changed.values()) > 1:
        return fail("one at a time: minutes, --more, --pause, --on or --off")
    return _ask(args, **changed, then=args.then)


def turn_back(args: argparse.Namespace) -> int:
    """Without a number it is only said what would be taken back, and how to say so."""
    args.tried = args.tried or args.of is None
    return _ask(args, **_words(args))


def export(args: argparse.Namespace) -> int:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    return _ask(args, file=str((args.file or Path(f"tabularium-hall-{today}.zip")).absolute()))


def season(args: argparse.Namespace) -> int:
    from companion.hall.season import standings, table
    from companion.system import files
    from companion.system.limits import content

    try:
        evenings = [(path.name, content(path, EXPORT)) for path in args.files]
        rows = standings(evenings, args.by)
        if args.save:
            files.save(args.save, table(rows, args.lang or settings_of(args).language))
    except (OSError, ValueError) as error:
        return fail(str(error))
    for row in rows:
        print(line(f"{row.place}. {row.name} #{row.id}: {row.score:g} ({row.evenings})"))
    return 0


def _option(text: str) -> tuple[str, Any]:
    """`halves=down` as a transcript would write it."""
    name, _, value = text.partition("=")
    return name, {"true": True, "false": False}.get(value, value)


def _ask(args: argparse.Namespace, **order: object) -> int:
    """Gives the order to the hall and prints what it answers."""
    import sqlite3

    from companion.hall.local import ask
    from companion.rules.mistakes import ConfigError
    from companion.system.home import username

    spoken = {"lang": args.lang if args.do != "evening" else None}
    ordered = {"who": username()[:40], "try": args.tried, **({} if args.as_of is None else {"as_of": args.as_of})}
    try:
        answer = ask(settings_of(args).data, {"do": args.do, **spoken, **ordered, **order})
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, sqlite3.Error) as error:
        return fail(f"the hall does not answer: {error}")
    if not answer.get("ok"):
        return fail(*answer.get("said", ()))
    for text in answer.get("said", ()):
        print(line(text))
    if args.tried and "as_of" in answer and args.do not in ("undo", "redo"):  # which name the order that they are about
        print(f"To give it if nothing else has come by then: --as-of {answer['as_of']}")
    return 0
