"""The explanation of a player's place in the hall.

It says what the place is made of, what separated it from the one above, and which one result would have turned it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from companion.hall._evening import Tie
from companion.hall._results import Outcome
from companion.hall._standings import Change, Ledger, Row, Standings
from companion.rules import Seat, result
from companion.rules.views import Result

Apart = Literal["score", "left"] | Tie
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A result that would have put one player above another: whose it is, and what it would have been and was.

    Places where places or wins count, scores where those are added up.
    """

    change: Change
    player: int
    was: int | Fraction
    now: int | Fraction


@dataclass(frozen=True, slots=True)
class StandingExplained:
    """The reasons for a player's place; `above` is the next who stands higher, None for the first.

    `apart` is what separated the two: the score, a tie-break, or that one of them has left.
    """

    row: Row
    above: Row | None = None
    apart: Apart = "score"
    turn: TurningPoint | None = None


def why(ledger: Ledger, table: Standings, player: int) -> StandingExplained:
    """Explain why this player stands there. Raises KeyError for one who has not come."""
    rows = {row.id: row for row in table.rows}
    row = rows[player]
    above = next((other for other in reversed(table.rows) if other.place < row.place), None)
    if above is None:
        return StandingExplained(row)
    criteria: tuple[Apart, ...] = ("left", "score", *table.ties)
    mine, theirs = ledger.key(player), ledger.key(above.id)
    apart = next(name for name, one, other in zip(criteria, mine, theirs, strict=True) if one != other)
    turned = (
        turn
        for turn in _turning_points(ledger, player, above.id)
        if _turns_the_order(ledger, turn.change, player, above.id)
    )
    return StandingExplained(row, above, apart, next(turned, None))


def _turns_the_order(ledger: Ledger, change: Change, player: int, above: int) -> bool:
    return ledger.key(player, change) < ledger.key(above, change)


def _turning_points(ledger: Ledger, player: int, above: int) -> Iterator[TurningPoint]:
    """Yield the results that one game could have had instead, the least change first.

    The player's own games come before those of the one above, the latest first.
    """
    if ledger.evening.by == "scores":
        yield from _scores(ledger, player, above)
        return
    for who, up in ((player, True), (above, False)):
        its = _games(ledger, who)
        for steps in range(1, 7):
            for of, seat in its:
                if moved := _moved(_result(of), seat, -steps if up else steps):
                    places = _result(of)["places"][seat], moved["places"][seat]
                    yield TurningPoint(Change(of, moved), who, *places)


def _games(ledger: Ledger, player: int) -> Sequence[tuple[Outcome, Seat]]:
    its = [item.outcome for item in ledger.items[player] if item.kind == "game" and item.outcome]
    return [(of, next(seat for seat, sits in of.seated.seats.items() if sits == player)) for of in reversed(its)]


def _result(of: Outcome) -> Result:
    assert of.result
    return of.result


def _moved(before: Result, seat: Seat, by: int) -> Result | None:
    """Return the result with a seat so many places up or down, alone there; None where there is no such place."""
    rank = {other: 0 if other in before["winners"] else place for other, place in before["places"].items()}
    groups = [[other for other in rank if rank[other] == place] for place in sorted({*rank.values()})]
    at = next(at for at, group in enumerate(groups) if seat in group)
    alone = len(groups[at]) == 1
    groups[at].remove(seat)
    # a seat that shares its place leaves it by one step, up or down
    to = at + by if alone else at + by + (by < 0)
    if alone:
        del groups[at]
    if not 0 <= to <= len(groups):
        return None
    groups.insert(to, [seat])
    places: dict[Seat, int] = {}
    for group in groups:
        places |= dict.fromkeys(group, len(places) + 1)
    kept = {other: places[other] for other in before["places"]}
    return {**before, "places": kept, "winners": list(groups[0])}


def _scores(ledger: Ledger, player: int, above: int) -> Iterator[TurningPoint]:
    """Yield more points for the one, or fewer for the other, within what was scored in that game tonight."""
    missing = ledger.total(above) - ledger.total(player)
    for who, sign in ((player, 1), (above, -1)):
        for more in range(int(2 * max(missing, Fraction(0))), int(2 * max(missing, Fraction(0))) + 9):
            if not more:
                continue
            for of, seat in _games(ledger, who):
                was = Fraction(_result(of)["scores"][seat])
                now = was + sign * more * HALF
                least, most = _range(ledger, of.seated.game)
                if not least <= now <= most or (more % 2 and not _halves(of)):
                    continue
                scores = {other: Fraction(score) for other, score in _result(of)["scores"].items()} | {seat: now}
                yield TurningPoint(Change(of, result(scores)), who, was, now)


def _range(ledger: Ledger, game: str) -> tuple[Fraction, Fraction]:
    """Return the lowest and the highest score in a game tonight."""
    its = [of.result for of in ledger.outcomes if of.state == "counts" and of.result and of.seated.game == game]
    scores = [Fraction(score) for result in its for score in result["scores"].values()]
    return min(scores), max(scores)


def _halves(of: Outcome) -> bool:
    """Return whether half points are possible: only where the result has some."""
    return any(Fraction(score).denominator > 1 for score in _result(of)["scores"].values())
