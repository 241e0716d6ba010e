"""`tabularium hall join | leave | round | result | amend | status …`: the organiser's orders and the hall's answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.cli.common import fail, settings_of
from companion.system.terminal import line

NAMES, EXPORT = 32_000, 50_000_000
"""Bytes of a file with names, and of an export."""
PLANNED = ("round", "plan")
"""The orders that may take a while."""


def run_request(args: argparse.Namespace) -> int:
    """Send the typed request to the hall."""
    return _send(args, **_fields(args))


def _fields(args: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the request as they were typed."""
    from companion.hall.request import fields_of
    from companion.hall.schema import REQUESTS

    found = {}
    for of in fields_of(REQUESTS[args.do]):
        if not of.argument.typed:
            continue
        value: Any = getattr(args, of.name, None)
        if of.argument.commas and value is not None:
            value = [word.strip() for word in value.split(",") if word.strip() not in ("", "none")]
        elif of.is_map:
            value = dict(value)
        elif value is None and of.needed:
            value = ""
        found[of.name] = value
    return found


def evening(args: argparse.Namespace) -> int:
    from companion.hall.season import players
    from companion.system.limits import content

    try:
        known = players(content(args.known, EXPORT)) if args.known else []
    except (OSError, ValueError) as error:
        return fail(str(error))
    if args.new and (status := _send(args, do="new")):
        return status
    if known and (status := _send(args, do="know", players=known)):
        return status
    return _send(args, **_fields(args), lang=args.lang)


def join(args: argparse.Namespace) -> int:
    from companion.system import limits

    names = list(args.names)
    if args.file:
        try:
            text = limits.content(args.file, NAMES).decode("utf-8-sig")
        except UnicodeDecodeError:
            return fail(f"{args.file} is not UTF-8 text")
        names += [found for found in text.splitlines() if found.strip()]
    return _send(args, names=names) if names else fail("name the players, or a file with --file")


def seat_round(args: argparse.Namespace) -> int:
    if args.withdraw:
        return _send(args, do="withdraw", round=args.round, reason=args.reason)
    return _send(args, **_fields(args))


def clock(args: argparse.Namespace) -> int:
    if sum(value is not None for value in (args.minutes, args.more, args.set)) > 1:
        return fail("give only one of MINUTES, --more, --pause, --on and --off")
    return _send(args, **_fields(args))


def turn_back(args: argparse.Namespace) -> int:
    """Undo or redo an order; without a number, only say what that would be and how to type it."""
    args.tried = args.tried or args.of is None
    return _send(args, **_fields(args))


def export(args: argparse.Namespace) -> int:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    return _send(args, file=str(Path(args.file or f"tabularium-hall-{today}.zip").absolute()))


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


def _send(args: argparse.Namespace, **order: object) -> int:
    """Send the order to the hall and print its answer."""
    import sqlite3

    from companion.hall.control_socket import ask
    from companion.rules.mistakes import ConfigError
    from companion.system.home import username

    spoken = {"lang": args.lang if args.do != "evening" else None}
    ordered = {"who": username()[:40], "try": args.tried, **({} if args.as_of is None else {"as_of": args.as_of})}
    try:
        with _progress(args.do) as waiting:
            answer = ask(settings_of(args).data, {"do": args.do, **spoken, **ordered, **order}, waiting=waiting)
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, sqlite3.Error) as error:
        return fail(f"the hall does not answer: {error}")
    if not answer.get("ok"):
        return fail(*answer.get("said", ()))
    for text in answer.get("said", ()):
        print(line(text))
    if "invite" in answer:
        _show_code(answer["invite"]["address"])
    if args.tried and "as_of" in answer and args.do not in ("undo", "redo"):  # which name the order that they are about
        print(f"To give exactly this order, add: --as-of {answer['as_of']}")
    return 0


def _show_code(address: str) -> None:
    """Print an address with its QR code."""
    import segno

    segno.make_qr(address, error="m").terminal(compact=True)
    print(address)


@contextmanager
def _progress(do: str) -> Iterator[Callable[[float], None]]:
    """Yield what shows the seconds of a planning in the terminal; the line goes when it has ended."""
    shown = False

    def show(seconds: float) -> None:
        nonlocal shown
        if do in PLANNED and sys.stderr.isatty():
            shown = True
            print(f"\rPlanning … {seconds:.0f} s · Ctrl-C cancels", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
