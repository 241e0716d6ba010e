"""A season: one table of standings from the exports of several evenings, players by their numbers."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from companion.record import spreadsheet
from companion.rules import number
from companion.rules.message import Message
from companion.system.archives import Bounded

MOST = 5_000_000
"""Bytes of the standings within an export."""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's season: the place, what counts, evenings and games played, and games won."""

    id: int
    name: str
    place: int
    score: int | float
    evenings: int
    games: int
    wins: int


def players(export: bytes) -> list[Mapping[str, Any]]:
    """Return everybody of an export by number and name. Raises ValueError."""
    return [{"id": int(row["id"]), "name": row["player"]} for row in _rows("", export)]


def standings(
    evenings: Sequence[tuple[str, bytes]], by: Literal["scores", "places"] | None = None
) -> Sequence[SeasonRow]:
    """Return the season's standings from these exports, each with its file's name.

    Evenings that were all scored alike are added up, others by the share of players that one has left behind. Games won
    break ties; players who are still tied share the place. Raises ValueError for a file that is no export, for one that
    is there twice, and where a number means two people.
    """
    tables = [(file, _rows(file, export)) for file, export in evenings]
    _alike(tables)
    scored = {row["by"] for _, rows in tables for row in rows}
    by = by or ("scores" if len(scored) < 2 else "places")
    names: dict[int, str] = {}
    worth: dict[int, Fraction] = {}
    played: dict[int, list[int]] = {}
    for _, rows in tables:
        for row in rows:
            player = int(row["id"])
            names[player] = row["player"]
            worth[player] = worth.get(player, Fraction(0)) + (
                Fraction(row["score"]) if by == "scores" else _share(row, rows)
            )
            counts = played.setdefault(player, [0, 0, 0])
            for at, value in enumerate((1, int(row["games"]), int(row["wins"]))):
                counts[at] += value
    keys = {player: (-worth[player], -played[player][2]) for player in names}
    ranked = sorted(keys.values())
    order = sorted(names, key=lambda player: (keys[player], player))
    return [
        SeasonRow(player, names[player], 1 + ranked.index(keys[player]), _rounded(worth[player]), *played[player])
        for player in order
    ]


def table(rows: Sequence[SeasonRow], lang: str) -> bytes:
    """Return the season's standings as CSV, for readers of this language."""
    head = ("place", "id", "player", "score", "evenings", "games", "wins")
    told = [(row.place, row.id, row.name, row.score, row.evenings, row.games, row.wins) for row in rows]
    return spreadsheet.table([head, *told], lang)


def _rounded(score: Fraction) -> int | float:
    return number(Fraction(round(score * 100), 100))


def _share(row: Mapping[str, str], rows: Sequence[Mapping[str, str]]) -> Fraction:
    """Return the share of the others that somebody has left behind in an evening; a shared place counts half."""
    place = int(row["place"])
    others = [int(other["place"]) for other in rows if other is not row]
    behind = sum(2 * (place < other) + (place == other) for other in others)
    return Fraction(behind, 2 * len(others)) if others else Fraction(1, 2)


def _rows(file: str, export: bytes) -> Sequence[Mapping[str, str]]:
    try:
        with Bounded(io.BytesIO(export)) as saved:
            if saved.getinfo("standings.csv").file_size > MOST:
                raise ValueError
            rows = [
                {**row, "score": row["score"].replace(",", ".")}
                for row in spreadsheet.read(saved.read("standings.csv"))
            ]
        for row in rows:
            json.dumps(
                [int(row[key]) for key in ("id", "place", "games", "wins")] + [float(row["score"]), row["player"]]
            )
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError):
        what = (
            Message("{file} is not the export of a hall.", file=file)
            if file
            else Message("This is not the export of a hall.")
        )
        raise ValueError(what) from None
    return rows


def _alike(tables: Sequence[tuple[str, Sequence[Mapping[str, str]]]]) -> None:
    """Raise ValueError where an evening is there twice, or a number means two people."""
    known: dict[int, tuple[str, str]] = {}
    for at, (file, rows) in enumerate(tables):
        if twice := next((other for other, its in tables[:at] if its == rows and rows), None):
            raise ValueError(Message("{file} and {other} are the same evening.", file=file, other=twice))
        for row in rows:
            name, before = row["player"], known.setdefault(int(row["id"]), (row["player"], file))
            if name.casefold() != before[0].casefold():
                raise ValueError(Message(
                    "#{id} is {one} in {first} and {other} in {file}: rename one of them, and begin evenings with"
                    " --known, so that numbers stay.",
                    id=int(row["id"]), one=before[0], first=before[1], other=name, file=file,
                ))  # fmt: skip
