"""Who stands where. One game: by its own rules for a series (M-18, S-13: the scores added up; else games won). Several
games: a place is worth the share of one's opponents that one has left behind.

A bye, and a game that counts for nobody, bring half of what can be had, once the round counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.hall._evening import By, HallEvening
from companion.hall._results import Outcome
from companion.rules import Seat
from companion.rules.views import Result


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


def standings(evening: HallEvening, outcomes: Sequence[Outcome]) -> Standings:
    """The standings by what counts so far."""
    by = evening.by
    totals = dict.fromkeys(evening.people, Fraction(0))
    games, wins, byes = (dict.fromkeys(evening.people, 0) for _ in range(3))
    unfinished = {outcome.round for outcome in outcomes if outcome.open}
    for one in evening.rounds:
        its = [outcome for outcome in outcomes if outcome.round == one.number]
        for outcome in its:
            if outcome.state != "counts" or not outcome.result:
                continue
            for seat, worth in worths(by, outcome.result).items():
                player = outcome.seated.seats[seat]
                totals[player] += worth
                games[player] += 1
                wins[player] += seat in outcome.result["winners"]
        if one.number in unfinished or all(outcome.state == "void" for outcome in its):
            continue  # a bye counts when its round does, and a round that was withdrawn counts for nothing
        for player in one.byes:
            byes[player] += 1
            totals[player] += half(by, its)
        for of in (of for of in its if of.state == "void"):
            for player in of.seated.seats.values():
                totals[player] += half(by, alike(of, its))
    ranked = sorted(totals.values(), reverse=True)
    places = {total: place for place, total in reversed([*enumerate(ranked, 1)])}  # the first of those who are as good
    rows = [
        Row(player, places[total], total, games[player], wins[player], byes[player]) for player, total in totals.items()
    ]
    return Standings(
        by,
        sum(one.number not in unfinished for one in evening.rounds),
        sum(outcome.open for outcome in outcomes),
        tuple(sorted(rows, key=lambda row: (row.place, row.id))),
    )


def half(by: By, its: Sequence[Outcome]) -> Fraction:
    """What a bye or a void game brings: half of what can be had; where scores are added up, the mean of those in the
    round."""
    if by != "scores":
        return Fraction(1, 2)
    results = [outcome.result for outcome in its if outcome.state == "counts" and outcome.result]
    scores = [Fraction(score) for result in results for score in result["scores"].values()]
    return sum(scores, Fraction(0)) / len(scores) if scores else Fraction(0)


def alike(void: Outcome, its: Sequence[Outcome]) -> Sequence[Outcome]:
    """The round's games that count and are of the same kind; all of them where there is none."""
    return [of for of in its if of.state == "counts" and of.seated.game == void.seated.game] or its


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
