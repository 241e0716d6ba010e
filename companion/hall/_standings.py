"""The standings. One game is scored by its own rules for a series (M-18, S-13: the scores added up; else games won).

Several games are scored by places: a place is worth the share of one's opponents that one has left behind.

A bye, and a game that counts for nobody, bring half of what can be had once the round counts, or what the organiser has
chosen at the beginning. The tie-breaks are said beside the standings (`Scoring`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from companion.hall._evening import By, HallEvening, Round, Share, Tie
from companion.hall._results import Outcome
from companion.rules import Seat, number
from companion.rules.views import Result

Kind = Literal["game", "bye", "void", "late", "penalty"]
NOTHING = Fraction(0)
Key = tuple[int | Fraction, ...]
"""What players are ranked by, the best lowest; whole numbers are compared many times as fast as fractions."""


class Item(NamedTuple):
    """What one round, or a penalty, has brought a player; `outcome` is the game, None where there was none."""

    kind: Kind
    worth: Fraction
    round: int = 0
    outcome: Outcome | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's standing; tied players share the place: 1, 2, 2, 4. `ties` are its tie-break values, in order."""

    id: int
    place: int
    score: Fraction
    games: int
    wins: int
    byes: int
    ties: tuple[Fraction, ...] = ()
    items: tuple[Item, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Standings:
    """All players, the best first; `after` is how many rounds count whole, `open` how many games do not count yet."""

    by: By
    after: int
    open: int
    rows: tuple[Row, ...]
    ties: tuple[Tie, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A result that one game could have had instead of the real one."""

    outcome: Outcome
    result: Result


def standings(evening: HallEvening, outcomes: Sequence[Outcome]) -> Standings:
    """Return the standings by what counts so far."""
    return Ledger(evening, outcomes).standings()


class Ledger:
    """What each player has from each round, and the standings; also with one game's result changed."""

    def __init__(self, evening: HallEvening, outcomes: Sequence[Outcome]) -> None:
        self.evening, self.outcomes = evening, outcomes
        self._by, self._ties = evening.by, evening.ties
        self._its: dict[int, list[Outcome]] = {one.number: [] for one in evening.rounds}
        for of in outcomes:
            self._its[of.round].append(of)
        players = [player.id for player in evening.people.values() if player.came]
        self.items: dict[int, list[Item]] = {player: [] for player in players}
        self._met: dict[int, list[int]] = {player: [] for player in players}
        self._games: dict[int, list[tuple[Outcome, Seat]]] = {player: [] for player in players}
        self._unfinished = {outcome.round for outcome in outcomes if outcome.open}
        self._appeared: set[int] = set()
        for one in evening.rounds:
            if one.withdrawn is None:
                self._count(one)
        for lost in evening.penalties:
            if lost.player in self.items:
                self._add(lost.player, Item("penalty", -lost.points, reason=lost.reason))
        self.totals = {player: total_of(item.worth for item in its) for player, its in self.items.items()}
        self._plain = {player: _plain(total) for player, total in self.totals.items()}

    def _count(self, one: Round) -> None:
        """Add what a round has brought: its games at once, everything else when all of them count."""
        its = self._its[one.number]
        for of in its:
            if of.state != "counts" or not of.result:
                continue
            for seat, worth in worths(self._by, of.result).items():
                player = of.seated.seats[seat]
                self._add(player, Item("game", worth, one.number, of))
                self._games[player].append((of, seat))
            players = of.seated.players
            for player in players:
                self._met[player] += [other for other in players if other != player]
        if one.number not in self._unfinished and any(of.state != "void" for of in its):
            self._without_a_game(one, its)
        self._appeared |= {*one.everybody, *one.absent}

    def _without_a_game(self, one: Round, its: Sequence[Outcome]) -> None:
        """Add what players have from a round without a game: for byes, void games and rounds before they came.

        A bye counts when its round does. A round of which every game is void counts for nothing.
        """
        scoring = self.evening.scoring
        for player in one.byes:
            self._add(player, Item("bye", share(scoring.byes, self._by, its), one.number))
        for of in (of for of in its if of.state == "void"):
            for player in of.seated.players:
                self._add(player, Item("void", share(scoring.voids, self._by, alike(of, its)), one.number, of))
        if scoring.late != "nothing":
            came = {player for later in self.evening.rounds for player in later.everybody if later.number > one.number}
            for player in sorted(came - self._appeared - {*one.everybody, *one.absent}):
                self._add(player, Item("late", share(scoring.late, self._by, its), one.number))

    def _add(self, player: int, item: Item) -> None:
        self.items[player].append(item)

    # -- who stands where ----------------------------------------------------------------------------------------

    def standings(self) -> Standings:
        rows, before = list[Row](), None
        for at, (key, player) in enumerate(sorted((self.key(player), player) for player in self.items), 1):
            place = at if key != before else rows[-1].place  # tied players share the first place
            rows.append(self._row(player, place, key))
            before = key
        counts = [one for one in self.evening.rounds if one.withdrawn is None and one.number not in self._unfinished]
        still = sum(outcome.open for outcome in self.outcomes)
        return Standings(self._by, len(counts), still, tuple(rows), self._ties)

    def _row(self, player: int, place: int, key: Key) -> Row:
        its, games = self.items[player], self._games[player]
        wins = sum(seat in _result(of)["winners"] for of, seat in games)
        byes = sum(item.kind == "bye" for item in its)
        ties = tuple(Fraction(-value) for value in key[2:])
        return Row(player, place, self.totals[player], len(games), wins, byes, ties, tuple(its))

    def key(self, player: int, change: Change | None = None) -> Key:
        """Return the key of a player's rank, the best lowest; with `change` as if one game had ended differently."""
        evening = self.evening
        last = int(evening.scoring.leavers == "last" and not evening.people[player].here)
        total = self._plain[player] if change is None else self.total(player, change)
        return (last, -total, *(-self.tie(tie, player, change) for tie in self._ties))

    def total(self, player: int, change: Change | None = None) -> Fraction:
        """Return a player's score; with `change` as if one game had ended differently."""
        if change is None:
            return self.totals[player]
        changed = self.totals[player]
        if seat := _seat(change.outcome, player):
            changed += worths(self._by, change.result)[seat] - worths(self._by, _result(change.outcome))[seat]
        if self._by == "scores":  # where a bye brings what others have scored
            changed += sum(
                (self._changed_worth(item, change) - item.worth for item in self.items[player]
                 if item.round == change.outcome.round and item.kind in ("bye", "void", "late")), NOTHING
            )  # fmt: skip
        return changed

    def _changed_worth(self, item: Item, change: Change) -> Fraction:
        """Return what a round without a game would have brought if one of its games had ended differently."""
        its = [_changed(of, change) for of in self._its[item.round]]
        scoring = self.evening.scoring
        if item.kind == "void" and item.outcome:
            return share(scoring.voids, self._by, alike(item.outcome, its))
        return share(scoring.byes if item.kind == "bye" else scoring.late, self._by, its)

    def tie(self, tie: Tie, player: int, change: Change | None = None) -> int | Fraction:
        """Return a player's value for a tie-break: more is better."""
        if tie == "opponents":
            met = self._met[player]
            if change is None:
                return Fraction(sum(map(self._plain.__getitem__, met)), len(met)) if met else NOTHING
            return sum((self.total(other, change) for other in met), NOTHING) / len(met) if met else NOTHING
        games = [(_result(_changed(of, change)), seat) for of, seat in self._games[player]]
        if tie == "wins":
            return sum(seat in result["winners"] for result, seat in games)
        if tie == "best":
            return max((_exact(result["scores"][seat]) for result, seat in games), default=0)
        others = sum(item.kind in ("bye", "void") for item in self.items[player])
        shares = sum(worths("places", result)[seat] for result, seat in games)
        return shares + (Fraction(others, 2) if others else 0)


def total_of(values: Iterable[Fraction]) -> Fraction:
    """Return the sum; whole numbers are added up many times as fast as fractions."""
    return Fraction(sum(map(_plain, values)))


def _exact(score: int | float) -> int | Fraction:
    """Return a score without rounding."""
    return score if isinstance(score, int) else Fraction(score)


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _seat(of: Outcome, player: int) -> Seat | None:
    return next((seat for seat, sits in of.seated.seats.items() if sits == player), None)


def _result(of: Outcome) -> Result:
    assert of.result
    return of.result


def _changed(of: Outcome, change: Change | None) -> Outcome:
    if change is None or of is not change.outcome:
        return of
    return Outcome(of.round, of.seated, of.state, change.result)


def share(share: Share, by: By, its: Sequence[Outcome]) -> Fraction:
    """Return what a round without a game brings: half of what can be had, all of it, or nothing.

    Where scores are added up, half is the mean of the round's scores and all is the highest.
    """
    if share == "nothing":
        return NOTHING
    if by != "scores":
        return Fraction(1, 2) if share == "half" else Fraction(1)
    results = [outcome.result for outcome in its if outcome.state == "counts" and outcome.result]
    scores = [Fraction(score) for result in results for score in result["scores"].values()]
    if not scores:
        return NOTHING
    return sum(scores, NOTHING) / len(scores) if share == "half" else max(scores)


def alike(void: Outcome, its: Sequence[Outcome]) -> Sequence[Outcome]:
    """Return the round's games that count and are of the same kind; all of them where there is none."""
    return [of for of in its if of.state == "counts" and of.seated.game == void.seated.game] or its


def worths(by: By, result: Result) -> Mapping[Seat, Fraction]:
    """Return what a result brings each seat."""
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


def rounded(score: Fraction) -> int | float:
    """Return a score as people read it, to hundredths."""
    if score.denominator == 1:
        return score.numerator
    return number(Fraction(round(score * 100), 100))
