"""Several games at one sitting: who has won what so far, and how the table sits for the next game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from companion.rules import left_of, number
from companion.transcript import Header

Finished = tuple[Header, Mapping[str, Any]]
"""A finished game: its header and its result."""


def series(game: str, finished: Sequence[Finished]) -> dict[str, Any]:
    """The series line of a transcript. Scores go by player where every header names everybody, else by seat.

    M-18, S-13: the games' scores are added up. H-17: the first to win twice running. Otherwise the number of games
    won counts, and a shared victory counts for each.
    """
    named = all(_named(header) for header, _ in finished)
    scores: dict[str, Fraction] = {}
    for header, result in finished:
        for seat in header.seats:
            who = header.players[seat] if named else seat
            points = result["scores"][seat] if header.game.series == "scores" else seat in result["winners"]
            scores[who] = scores.get(who, Fraction(0)) + Fraction(points)
    best = [who for who, score in scores.items() if score == max(scores.values())]
    leader = best[0] if len(best) == 1 else None
    if finished and finished[0][0].game.series == "twice":
        leader = twice_running(finished) if named else None
    return {
        "game": game,
        "games": len(finished),
        "scores": {who: number(score) for who, score in scores.items()},
        "winner": leader,
    }


def _named(header: Header) -> bool:
    return set(header.players) == set(header.seats) and len(set(header.players.values())) == len(header.seats)


def twice_running(finished: Sequence[Finished]) -> str | None:
    """H-17: who has won two games in a row; a draw breaks the run."""
    before: str | None = None
    for header, result in finished:
        winner = header.players[result["winners"][0]] if result["winners"] else None
        if winner and winner == before:
            return winner
        before = winner
    return None


def next_table(header: Header) -> dict[str, Any]:
    """The next game of a series as a transcript's header begins: players stay who they are.

    M-18, S-13: the next seat clockwise is first. H-17: the sides are swapped. Otherwise everybody stays.
    """
    seats, players = list(header.seats), dict(header.players)
    if header.game.series == "scores":
        seats = [*seats[1:], seats[0]]
    elif header.game.series == "twice":
        players = {left_of(seats, seat): player for seat, player in players.items()}
    return {
        "tabularium": 1,
        "game": header.game.name,
        "seats": seats,
        "options": dict(header.options),
        "players": players,
        "reveal": header.reveal,
    }
