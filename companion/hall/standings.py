"""Who stands where. One game: by its own rules for a series (M-18, S-13: the scores added up; else games won). Several
games: a place is worth the share of one's opponents that one has left behind.

A bye, and a game that counts for nobody, bring what one's games have brought on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from companion.games import game
from companion.hall.evening import Evening
from companion.hall.results import Outcome
from companion.rules import Seat
from companion.views import Result

By = Literal["scores", "wins", "places"]
"""What counts: the games' scores, games won, or places as points."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's standing; who is as good shares the place: 1, 2, 2, 4."""

    id: int
    place: int
    score: Fraction
    games: int
    wins: int
    byes: int


@dataclass(frozen=True, slots=True)
class Standings:
    """All players, the best first; `after` is how many rounds count whole, `open` how many games do not count yet."""

    by: By
    after: int
    open: int
    rows: tuple[Row, ...]


def counted_by(evening: Evening) -> By:
    """What counts in this evening: it depends on what has been seated."""
    match evening.games:
        case (one,):
            return "scores" if game(one).series == "scores" else "wins"
        case ():
            return "wins"
    return "places"


def standings(evening: Evening, outcomes: Sequence[Outcome]) -> Standings:
    """The standings by what counts so far."""
    by = counted_by(evening)
    points: dict[int, list[Fraction]] = {player: [] for player in evening.people}
    wins, rested, byes = (dict.fromkeys(evening.people, 0) for _ in range(3))
    for outcome in outcomes:
        if outcome.state == "void":
            for player in outcome.seated.seats.values():
                rested[player] += 1
        if outcome.state != "counts" or not outcome.result:
            continue
        for seat, worth in worths(by, outcome.result).items():
            player = outcome.seated.seats[seat]
            points[player].append(worth)
            wins[player] += seat in outcome.result["winners"]
    for one in evening.rounds:
        for player in one.byes:
            byes[player] += 1
    totals = {player: _total(points[player], byes[player] + rested[player]) for player in evening.people}
    ranked = sorted(totals.values(), reverse=True)
    places = {total: place for place, total in reversed([*enumerate(ranked, 1)])}  # the first of those who are as good
    rows = [
        Row(player, places[total], total, len(points[player]), wins[player], byes[player])
        for player, total in totals.items()
    ]
    unfinished = {outcome.round for outcome in outcomes if outcome.open}
    return Standings(
        by,
        sum(one.number not in unfinished for one in evening.rounds),
        sum(outcome.open for outcome in outcomes),
        tuple(sorted(rows, key=lambda row: (row.place, row.id))),
    )


def _total(points: Sequence[Fraction], paused: int) -> Fraction:
    total = sum(points, Fraction(0))
    return total + paused * total / len(points) if points else total


def worths(by: By, result: Result) -> Mapping[Seat, Fraction]:
    """What a result brings each seat."""
    seats = tuple(result["places"])
    match by:
        case "scores":
            return {seat: Fraction(result["scores"][seat]) for seat in seats}
        case "wins":
            return {seat: Fraction(seat in result["winners"]) for seat in seats}
    rank = {seat: 0 if seat in result["winners"] else result["places"][seat] for seat in seats}
    return {
        seat: Fraction(
            sum(2 * (rank[seat] < rank[other]) + (rank[seat] == rank[other]) for other in seats if other != seat),
            2 * (len(seats) - 1),
        )
        for seat in seats
    }
