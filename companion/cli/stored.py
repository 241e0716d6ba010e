"""`tabularium games` and `export`: the games in the store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.common import STORE, fail, settings_of
from companion.rules.dates import day_and_time
from companion.system.terminal import console, line

if TYPE_CHECKING:
    from companion.record.store.history import Entry, GameRow


def _stored(args: argparse.Namespace) -> Path:
    """Return the store that was saved last, and print any note about it on stderr. Raises ConfigError."""
    from companion.record.store import mark

    path, note = mark.follow(settings_of(args).data / STORE)
    if note:
        print(note, file=sys.stderr)
    return path


def list_games(args: argparse.Namespace) -> int:
    import sqlite3

    from rich.table import Table

    from companion.record.store import history
    from companion.rules.mistakes import ConfigError

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
        table.add_row(*map(line, _cells(row)))
    console().print(table)
    return 0


def _unread(path: Path, error: Exception) -> str:
    return f"{path} cannot be read ({error}); if it is damaged, opening the table moves it aside and starts a new one"


def _cells(row: GameRow) -> Iterator[str]:
    head, result = row.table, row.outcome
    players = head.get("players") or {}
    people = {seat: players.get(seat, seat) for seat in head["seats"]}
    won = "unfinished"
    if "winners" in result:
        won = (
            " and ".join(people.get(seat, seat) for seat in result["winners"]) + " won"
            if result["winners"]
            else "a draw"
        )
    yield from (str(row.number), " ".join(day_and_time(row.at, "en")), head["game"], ", ".join(people.values()))
    yield from (str(row.events), won)


def export_game(args: argparse.Namespace) -> int:
    import sqlite3

    from companion.cli.redaction import Public, public
    from companion.record.store import history
    from companion.rules.mistakes import ConfigError

    try:
        path = _stored(args)
        rows = history.games(path) if path.exists() else []
        row = next((row for row in rows if args.game in ("last", str(row.number))), None)
        if row is None:
            known = ", ".join(str(row.number) for row in rows[:10])
            return fail(
                f"there is no game {args.game}; "
                + (f"there are {known}" if known else "no game has been played here yet")
            )
        events, note = history.entries(path, row.number)
        played = not (args.referee or "winners" in row.outcome)
        shown = public(row.header, events) if played else Public(len(events))
    except ConfigError as error:
        return fail(*error.lines)
    except sqlite3.Error as error:
        return fail(_unread(path, error))
    if not row.header:
        return fail(f"the first line of game {row.number} is damaged; {path} still contains it")
    if shown is None:
        return fail(
            f"game {row.number} is in progress, and its first line is unreadable or contains hidden information;"
            " --referee prints it"
        )
    print(row.header)
    for text in _journal(events[: shown.acts]) if shown.lines is None else shown.lines:
        print(text)
    if shown.lines is not None:
        print(
            f"game {row.number} is in progress: only public information is exported; --referee"
            " prints its whole journal",
            file=sys.stderr,
        )
    elif left := len(events) - shown.acts:
        print(
            f"game {row.number} is in progress: the last {left} moves are left out because"
            " they contain hidden information; --referee prints them",
            file=sys.stderr,
        )
    return fail(note) if note else 0


def _journal(events: Sequence[Entry]) -> Iterator[str]:
    from companion.record.transcript import dump, parse

    for event, by, at in events:
        yield dump(parse(event) | {key: value for key, value in (("at", at), ("by", by)) if value})
