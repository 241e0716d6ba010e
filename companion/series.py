"""Several games at one sitting: who has won what so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from companion.rules import number
from companion.transcript import Header


def series(header: Header, finished: Sequence[tuple[Header, Mapping[str, Any]]], games: int) -> dict[str, Any]:
    """The series line of a transcript: `finished` pairs each finished game's header with its result.

    Scores go by player where every header names everybody, else by seat: here the number of games won, a shared
    victory counting for each (rules/README: final ties share the victory).
    """
    named = all(set(played.players) == set(played.seats) for played, _ in finished)
    scores: dict[str, Fraction] = {}
    for played, result in finished:
        for seat in played.seats:
            who = played.players[seat] if named else seat
            scores[who] = scores.get(who, Fraction(0)) + (seat in result["winners"])
    best = [who for who, score in scores.items() if score == max(scores.values())]
    return {
        "game": header.game.name,
        "games": games,
        "scores": {who: number(score) for who, score in scores.items()},
        "winner": best[0] if len(best) == 1 else None,
    }
