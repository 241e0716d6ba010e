"""The seating: as few meetings again and as even a mix of seats as a search finds, and byes in turn.

The search is simulated annealing over swaps of two players, from a seed that is kept: the same seed seats the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace
from itertools import combinations
from math import exp
from random import Random

Chair = int | str
"""A seat as its player sees it: the place in the order of the table, from 0 on; in a game with sides the side."""
Table = tuple[int, ...]
"""The players at a table by their ids, in the order of its chairs."""

AGAIN = 100
"""The cost of meeting again, times the square of the meetings before: a third meeting costs more than two second ones.
A chair that the player has had before costs 1 for each time."""
SPREAD = 20
"""The cost of each place between two who sit together, where tables are to be of one strength."""
FRESH = 50
"""The cost of a bye for a newcomer: rather somebody else's turn."""
USUAL = 4
"""Players at a table, where the game allows it and nothing else is said."""
AHEAD, TRIES, SEEDS = 32, 12, 1_000_000_007
"""Up to how many players the next round is considered too, how many seatings are compared then, and the step between
their seeds."""
PLANS = 6
"""How many plans of several rounds are compared in a small hall."""
STEPS, LEAST = 400, 8_000
"""Swaps to try for each chair, and the least in all."""
WARM, COLD = 60.0, 0.2
"""The first and the last annealing temperature: about the cost allowed to a swap for the worse."""


@dataclass(frozen=True, slots=True)
class History:
    """The rounds so far: how often players met, sat on each chair, had a bye and played."""

    met: Mapping[tuple[int, int], int] = field(default_factory=Counter)  # a pair of ids, the smaller first
    sat: Mapping[tuple[int, Chair], int] = field(default_factory=Counter)
    byes: Mapping[int, int] = field(default_factory=Counter)
    games: Mapping[int, int] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Wishes:
    """Further wishes for a seating.

    `homes` are the players with a fixed table, and there perhaps a chair, both by their place in the list of tables.
    `strength` is the players' places in the standings, where tables are to be of one strength.
    """

    homes: Mapping[int, tuple[int, int | None]] = field(default_factory=dict)
    strength: Mapping[int, int] = field(default_factory=dict)

    def spread(self, one: int, other: int) -> int:
        """Return the cost of these two sitting together."""
        if not self.strength:
            return 0
        last = len(self.strength) + 1  # a player who has just come stands last
        return SPREAD * abs(self.strength.get(one, last) - self.strength.get(other, last))


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True)
class Seating:
    """A round: its tables in the order that was asked for, and who has a bye."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """All that a search for seatings rests on, and nothing else: equal problems have the same solution.

    `rounds` is how many rounds are planned one after the other, None for the next round alone.
    """

    players: tuple[int, ...]
    chairs: tuple[tuple[Chair, ...], ...]
    past: History
    seed: int
    wishes: Wishes = NO_WISHES
    rounds: int | None = None


Search = Callable[[Problem, int], Sequence[Seating]]
"""A way to solve a problem; the number is that of the first round."""


def history(rounds: Iterable[tuple[Seating, Sequence[Sequence[Chair]]]]) -> History:
    """Return the history after these rounds, each with the chairs of its tables."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, Chair]] = Counter()
    byes: Counter[int] = Counter()
    games: Counter[int] = Counter()
    for seating, chairs in rounds:
        byes.update(seating.byes)
        for table, its in zip(seating.tables, chairs, strict=True):
            games.update(table)
            met.update(combinations(sorted(table), 2))
            sat.update(zip(table, its, strict=True))
    return History(met, sat, byes, games)


def sizes(players: int, ranges: Sequence[range], usual: int = USUAL) -> tuple[int, ...]:
    """Return how many sit at each of these tables: as few byes as can be, and tables near the usual size.

    `ranges` are the sizes that each table allows. The first tables are taken, not always all of them; () where no table
    can be filled.
    """
    plans = [plan for count in range(1, len(ranges) + 1) if (plan := _spread(players, ranges[:count], usual))]
    return min(plans, key=lambda plan: (players - sum(plan), _off(plan, ranges, usual), -len(plan)), default=())


def _spread(players: int, ranges: Sequence[range], usual: int) -> tuple[int, ...]:
    """Return the sizes of these tables with as many players as possible, added where most are missing."""
    plan = [allowed[0] for allowed in ranges]
    if sum(plan) > players:
        return ()
    room = [(plan[at] - _near(usual, allowed), at) for at, allowed in enumerate(ranges) if plan[at] < allowed[-1]]
    heapify(room)
    for _ in range(players - sum(plan)):
        if not room:
            break
        over, at = room[0]
        plan[at] += 1
        heapreplace(room, (over + 1, at)) if plan[at] < ranges[at][-1] else heappop(room)
    return tuple(plan)


def _off(plan: Sequence[int], ranges: Sequence[range], usual: int) -> float:
    return sum(abs(size - _near(usual, allowed)) for size, allowed in zip(plan, ranges, strict=False)) / len(plan)


def _near(usual: int, allowed: range) -> int:
    return min(max(usual, allowed[0]), allowed[-1])


def seat(
    players: Sequence[int], chairs: Sequence[Sequence[Chair]], past: History, seed: int, wishes: Wishes = NO_WISHES
) -> Seating:
    """Seat these players on these chairs; a player without a chair has a bye.

    In a small hall, of several seatings with as few meetings again, it takes the one after which the next round can be
    seated best. Otherwise sixteen players at four tables cannot avoid each other in the fourth round, though five
    rounds would do. Raises ValueError for too few players.
    """
    if len(players) < sum(map(len, chairs)):
        raise ValueError(f"{len(players)} players for {sum(map(len, chairs))} chairs")
    first = searched(players, chairs, past, seed, wishes)
    if len(players) > AHEAD or not past.met or wishes.strength:
        return first
    best, least = first, _two(first, players, chairs, past, wishes)
    for at in range(1, TRIES):
        if least < (0, AGAIN):
            break
        found = searched(players, chairs, past, seed + at * SEEDS, wishes)
        best, least = min((best, least), (found, _two(found, players, chairs, past, wishes)), key=lambda one: one[1])
    return best


def solve(problem: Problem, number: int = 0) -> Sequence[Seating]:  # noqa: ARG001 - as any `Search`
    """Return the seatings that solve a problem, one for each round."""
    of = problem
    if of.rounds is None:
        return [seat(of.players, of.chairs, of.past, of.seed, of.wishes)]
    return _plan(of, of.rounds)


def _plan(of: Problem, rounds: int) -> Sequence[Seating]:
    """Return so many rounds, seated one after the other; of several such plans, the one with the least cost."""
    best: tuple[int, list[Seating]] | None = None
    for at in range(PLANS if len(of.players) <= AHEAD else 1):
        past, total, plan = of.past, 0, list[Seating]()
        for number in range(rounds):
            found = seat(of.players, of.chairs, past, of.seed + number + at * SEEDS, of.wishes)
            total += cost(found, of.chairs, past, of.wishes)
            past, plan = after(past, found, of.chairs), [*plan, found]
        if best is None or total < best[0]:
            best = total, plan
    assert best
    return best[1]


def searched(
    players: Sequence[int], chairs: Sequence[Sequence[Chair]], past: History, seed: int, wishes: Wishes = NO_WISHES
) -> Seating:
    """Return what the search finds for this round alone."""
    return _Search(players, chairs, past, seed, wishes).best()


def _two(
    now: Seating, players: Sequence[int], chairs: Sequence[Sequence[Chair]], past: History, wishes: Wishes
) -> tuple[int, int]:
    """Return the worth of a seating: the cost of meetings again now, then its whole cost with another such round."""
    this, then = cost(now, chairs, past), after(past, now, chairs)
    return this // AGAIN, this + cost(searched(players, chairs, then, 0, wishes), chairs, then)


def after(past: History, now: Seating, chairs: Sequence[Sequence[Chair]]) -> History:
    """Return the history with one more round."""
    new = history([(now, chairs)])
    met, sat = Counter(past.met) + Counter(new.met), Counter(past.sat) + Counter(new.sat)
    return History(met, sat, Counter(past.byes) + Counter(new.byes), Counter(past.games) + Counter(new.games))


def again(times: int) -> int:
    """Return the cost of a meeting after so many before."""
    return AGAIN * times * times


def cost(seating: Seating, chairs: Sequence[Sequence[Chair]], past: History, wishes: Wishes = NO_WISHES) -> int:
    """Return the cost of a seating, which the search minimises."""
    pairs = [pair for table in seating.tables for pair in combinations(sorted(table), 2)]
    taken = (key for table, its in zip(seating.tables, chairs, strict=True) for key in zip(table, its, strict=True))
    fresh = sum(not past.games.get(player) for player in seating.byes)
    return (
        sum(again(past.met.get(pair, 0)) + wishes.spread(*pair) for pair in pairs)
        + sum(past.sat.get(key, 0) for key in taken)
        + FRESH * fresh
    )


def first_byes(players: Sequence[int], past: History, count: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the players who have one of so many byes at any rate, and those among whom the others are found.

    Both are the players with the fewest byes so far.
    """
    had = {player: past.byes.get(player, 0) for player in players}
    if not count:
        return frozenset(), frozenset()
    most = sorted(had.values())[count - 1]
    certain = frozenset(player for player in players if had[player] < most)
    return certain, frozenset(player for player in players if had[player] == most)


class _Search:
    """The search: chairs in a row, table after table and the byes last; players by their place in the given list."""

    def __init__(
        self,
        players: Sequence[int],
        chairs: Sequence[Sequence[Chair]],
        past: History,
        seed: int,
        wishes: Wishes,
    ) -> None:
        self._players, self._chairs, self._past, self._wishes = players, chairs, past, wishes
        rng = self._rng = Random(seed)
        byes = len(players) - sum(map(len, chairs))
        certain, among = first_byes(players, past, byes)
        self._free = [player in among for player in players]  # may change places with a bye
        order = list(range(len(players)))
        rng.shuffle(order)
        order.sort(key=lambda at: (players[at] in certain, players[at] in among))  # stable: the byes last
        self._row = order
        self._at = [table for table, its in enumerate(chairs) for _ in its] + [len(chairs)] * byes
        starts = [self._at.index(table) for table in range(len(chairs))]
        self._span = [range(start, start + len(its)) for start, its in zip(starts, chairs, strict=True)] + [range(0)]
        self._home = [self._chairs_for(player) for player in players]
        self._go_home()
        self._met = [
            [again(past.met.get((min(p, q), max(p, q)), 0)) + wishes.spread(p, q) for q in players] for p in players
        ]
        keys = [chair for its in chairs for chair in its]
        known = {key: [past.sat.get((player, key), 0) for player in players] for key in {*keys}}
        fresh = [0 if past.games.get(player) else FRESH for player in players]
        self._sat = [known[key] for key in keys] + [fresh] * byes  # by chair, then by player

    def _chairs_for(self, player: int) -> range | None:
        """Return the chairs that a player may have, besides a bye; None for all of them."""
        table, chair = self._wishes.homes.get(player, (None, None))
        if table is None:
            return None
        its = self._span[table]
        return its if chair is None else its[chair : chair + 1]

    def _go_home(self) -> None:
        """Place players with a fixed seat or table there before the search, unless they have a bye."""
        row, taken = self._row, set[int]()
        wanted = [(home, player) for player, home in enumerate(self._home) if home is not None]
        for home, player in sorted(wanted, key=lambda one: len(one[0])):  # those with one seat first
            here = row.index(player)
            if self._at[here] == len(self._chairs):
                continue
            there = here if here in home else next((chair for chair in home if chair not in taken), here)
            row[here], row[there] = row[there], row[here]
            taken.add(there)

    def best(self) -> Seating:
        row, now = self._row, cost(self._seating(), self._chairs, self._past, self._wishes)
        best, least = row[:], now
        steps = max(LEAST, STEPS * len(row))
        cooling = (COLD / WARM) ** (1 / steps)
        warmth, draw, size = WARM, self._rng.random, len(row)
        for _ in range(steps):
            if not least:
                break
            warmth *= cooling
            one, other = int(draw() * size), int(draw() * size)
            change = self._change(one, other)
            if change is None or (change > 0 and draw() >= exp(-change / warmth)):
                continue
            row[one], row[other] = row[other], row[one]
            now += change
            if now < least:
                best, least = row[:], now
        self._row = best
        return self._seating()

    def _change(self, one: int, other: int) -> int | None:
        """Return the cost of two chairs changing players; None where that changes nothing or is not allowed."""
        row, at, sat = self._row, self._at, self._sat
        p, q, here, there = row[one], row[other], at[one], at[other]
        last = len(self._chairs)
        for player, chair, table in ((p, other, there), (q, one, here)):
            home = self._home[player]
            if home is not None and table != last and chair not in home:
                return None
        change = sat[one][q] + sat[other][p] - sat[one][p] - sat[other][q]
        if here == there:
            return change if one != other else None
        if last in (here, there) and not (self._free[p] and self._free[q]):
            return None
        met_p, met_q = self._met[p], self._met[q]
        for chair in self._span[here]:
            if chair != one:
                change += met_q[row[chair]] - met_p[row[chair]]
        for chair in self._span[there]:
            if chair != other:
                change += met_p[row[chair]] - met_q[row[chair]]
        return change

    def _seating(self) -> Seating:
        ids = [self._players[at] for at in self._row]
        seated = tuple(tuple(ids[chair] for chair in span) for span in self._span[:-1])
        return Seating(seated, tuple(sorted(ids[sum(map(len, self._chairs)) :])))
