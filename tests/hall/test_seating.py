"""Seating: everybody has one place, byes go in turn, meetings and chairs are spread; and beside an exact solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hall import _seating as seating
from companion.hall._seating import (
    FRESH,
    Chair,
    History,
    Seating,
    Wishes,
    again,
    cost,
    first_byes,
    history,
    searched,
    seat,
    sizes,
)

FOURS = range(3, 8)
Rounds = list[tuple[Seating, Sequence[Sequence[Chair]]]]


@pytest.mark.parametrize(
    ("players", "tables", "usual", "plan"),
    [
        (12, [FOURS] * 3, 4, (4, 4, 4)),
        (12, [FOURS] * 9, 4, (4, 4, 4)),
        (13, [FOURS] * 3, 4, (5, 4, 4)),
        (14, [FOURS] * 9, 4, (4, 4, 3, 3)),
        (14, [FOURS] * 9, 7, (7, 7)),
        (22, [FOURS] * 3, 4, (7, 7, 7)),  # somebody has to wait
        (11, [range(2, 3)] * 9, 4, (2, 2, 2, 2, 2)),
        (9, [range(2, 3), FOURS] * 2, 4, (2, 5, 2)),
        (2, [FOURS], 4, ()),
        (4, [FOURS, FOURS], 4, (4,)),
        (200, [FOURS] * 50, 4, (4,) * 50),
    ],
)
def test_tables_are_filled_with_as_few_byes_as_can_be(
    players: int, tables: Sequence[range], usual: int, plan: tuple[int, ...]
) -> None:
    assert sizes(players, tables, usual) == plan


@given(
    st.integers(2, 60),
    st.lists(st.sampled_from([range(2, 3), range(2, 6), range(3, 6), FOURS]), min_size=1, max_size=8),
)
def test_no_table_is_too_small_or_too_large(players: int, tables: list[range]) -> None:
    plan = sizes(players, tables)
    assert sum(plan) <= players
    assert all(size in allowed for size, allowed in zip(plan, tables, strict=False))
    assert plan or players < tables[0][0]


# -- laws ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Laws hold however long the search is."""
    monkeypatch.setattr(seating, "LEAST", 200)
    monkeypatch.setattr(seating, "STEPS", 10)
    monkeypatch.setattr(seating, "TRIES", 2)


@st.composite
def evenings(draw: Any) -> tuple[int, list[tuple[list[int], list[range]]]]:
    """A seed, and for each round who is here, with late comers and people who leave and return, and the tables."""
    everybody = list(range(1, draw(st.integers(4, 14)) + 1))
    tables = draw(st.lists(st.sampled_from([range(2, 3), range(2, 6), range(3, 6), FOURS]), min_size=1, max_size=3))
    rounds = []
    for _ in range(draw(st.integers(1, 7))):
        gone = draw(st.sets(st.sampled_from(everybody), max_size=3))
        rounds.append(([player for player in everybody if player not in gone], tables))
    return draw(st.integers(0, 999)), rounds


@pytest.mark.usefixtures("quick")
@given(evenings())
@settings(max_examples=50, deadline=None)
def test_nobody_has_a_second_bye_before_everybody_has_had_one(
    evening: tuple[int, list[tuple[list[int], list[range]]]],
) -> None:
    seed, rounds = evening
    so_far: Rounds = []
    for here, tables in rounds:
        chairs = [tuple(range(size)) for size in sizes(len(here), tables)]
        past = history(so_far)
        found = seat(here, chairs, past, seed)
        # everybody has one place, and the tables are as they were asked for
        assert sorted([*(p for table in found.tables for p in table), *found.byes]) == sorted(here)
        assert [len(table) for table in found.tables] == [len(its) for its in chairs]
        # nobody who is here has had fewer byes than those who now have one, before they had it
        for player in set(here) - set(found.byes):
            assert all(past.byes.get(player, 0) >= past.byes.get(other, 0) for other in found.byes)
        so_far.append((found, chairs))


@pytest.mark.usefixtures("quick")
@given(st.integers(3, 13), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_the_same_seed_seats_the_same_and_what_it_costs_is_what_it_says(players: int, seed: int) -> None:
    so_far: Rounds = []
    for number in range(3):
        chairs = [tuple(range(size)) for size in sizes(players, [FOURS] * 3)]
        past, here = history(so_far), list(range(1, players + 1))
        found = seat(here, chairs, past, seed + number)
        assert found == seat(here, chairs, past, seed + number)
        before, after = worth(history(so_far)), worth(history([*so_far, (found, chairs)]))
        assert cost(found, chairs, past) - FRESH * len(found.byes) * (not number) == after - before
        so_far.append((found, chairs))


def worth(past: History) -> int:
    """What it has all cost: each meeting again for the square of the times before, each chair again for the times."""
    meetings = sum(again(before) for times in past.met.values() for before in range(times))
    return meetings + sum(times * (times - 1) // 2 for times in past.sat.values())


def test_too_few_players_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="2 players for 3 chairs"):
        seat([1, 2], [(0, 1, 2)], History(), 1)


# -- evenings ------------------------------------------------------------------------------------------------------


def played(players: int, tables: Sequence[range], rounds: int, usual: int = 4, sides: Sequence[Chair] = ()) -> History:
    so_far: Rounds = []
    for number in range(rounds):
        chairs = [tuple(sides) or tuple(range(size)) for size in sizes(players, tables, usual)]
        so_far.append((seat(range(1, players + 1), chairs, history(so_far), number), chairs))
    return history(so_far)


@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (40, 5), (200, 4)])
def test_nobody_meets_anybody_again_where_that_can_be(players: int, rounds: int) -> None:
    past = played(players, [FOURS] * 50, rounds)
    assert max(past.met.values()) == 1
    times = Counter(player for player, _ in past.sat)
    assert max(past.sat.values()) == 1 or min(times.values()) >= 3


def test_nobody_meets_anybody_a_third_time_while_others_could_meet_a_second() -> None:
    """Twelve players, four rounds: sixteen meetings too many for everybody to meet once, and no third one."""
    assert max(played(12, [FOURS] * 3, 4).met.values()) == 2
    assert again(2) > 2 * again(1)


@pytest.mark.usefixtures("quick")
@given(st.integers(6, 14), st.integers(0, 99), st.data())
@settings(max_examples=30, deadline=None)
def test_who_has_a_seat_or_a_table_of_their_own_sits_there(players: int, seed: int, data: st.DataObject) -> None:
    chairs = [tuple(range(size)) for size in sizes(players, [FOURS] * 3)]
    here = list(range(1, players + 1))
    past = history([(seat(here, chairs, History(), seed), chairs)])
    places = [(table, chair) for table, its in enumerate(chairs) for chair in its]
    own = data.draw(st.permutations(places))
    wishes = Wishes(
        {player: (table, chair) for player, (table, chair) in zip((1, 2), own, strict=False)} | {3: (0, None)}
    )
    if [table for table, _ in (*wishes.homes.values(),)].count(0) > len(chairs[0]):
        return
    found = seat(here, chairs, past, seed, wishes)
    assert sorted([*(p for table in found.tables for p in table), *found.byes]) == here
    for player, (table, chair) in wishes.homes.items():
        if player not in found.byes:
            assert player in found.tables[table]
            assert chair is None or found.tables[table][chair] == player


def test_tables_of_one_strength_are_those_of_neighbours_in_the_standings() -> None:
    chairs = [tuple(range(4))] * 3
    here = list(range(1, 13))
    wishes = Wishes(strength={player: 12 - player for player in here})
    assert sorted(map(sorted, seat(here, chairs, History(), 1, wishes).tables)) == [here[:4], here[4:8], here[8:]]
    past = history([(Seating(((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)), ()), chairs)])
    apart = seat(here, chairs, past, 1, wishes)
    assert max(max(table) - min(table) for table in apart.tables) < 8, "nobody meets the whole hall for it"


def test_sides_are_played_in_turn() -> None:
    past = played(20, [range(2, 3)] * 10, 6, sides=("rome", "carthage"))
    assert max(past.met.values()) == 1
    even = sum(past.sat.get((player, "rome"), 0) == 3 for player in range(1, 21))
    assert even >= 16
    assert all(2 <= past.sat.get((player, "rome"), 0) <= 4 for player in range(1, 21))


@pytest.mark.usefixtures("quick")
def test_byes_come_round() -> None:
    past = played(11, [range(5, 6)] * 2, 11, usual=5)
    assert set(past.byes.values()) == {1}
    assert len(past.byes) == 11


@pytest.mark.usefixtures("quick")
def test_newcomers_get_a_bye_only_as_a_last_resort() -> None:
    chairs = [tuple(range(4))]
    so_far: Rounds = [(seat(range(1, 6), chairs, History(), 1), chairs)]
    (waited,) = so_far[0][0].byes
    for seed in range(5):
        found = seat(range(1, 7), chairs, history(so_far), seed)  # six has just come
        assert 6 not in found.byes and waited not in found.byes


# -- beside an exact solver ----------------------------------------------------------------------------------------


def best(players: Sequence[int], chairs: Sequence[Sequence[Chair]], past: History) -> int:
    """The least that a seating can cost, by CP-SAT."""
    cp_model = pytest.importorskip(
        "ortools.sat.python.cp_model", reason="needs OR-Tools: pip install -e '.[hall-check]'"
    )
    model = cp_model.CpModel()
    places = [(table, chair) for table, its in enumerate(chairs) for chair in its]
    at = {(p, place): model.new_bool_var("") for p in players for place in places}
    waits = {p: model.new_bool_var("") for p in players}
    for place in places:
        model.add_exactly_one(at[p, place] for p in players)
    for p in players:
        model.add_exactly_one([waits[p], *(at[p, place] for place in places)])
    certain, among = first_byes(players, past, len(players) - len(places))
    for p in players:
        if p in certain or p not in among:
            model.add(waits[p] == (p in certain))
    costs = [past.sat.get((p, place[1]), 0) * at[p, place] for p in players for place in places]
    costs += [FRESH * waits[p] for p in players if not past.games.get(p)]
    for pair in combinations(sorted(players), 2):
        if not (times := past.met.get(pair, 0)):
            continue
        for table, its in enumerate(chairs):
            both = model.new_bool_var("")
            one, other = (sum(at[p, (table, chair)] for chair in its) for p in pair)
            model.add(both >= one + other - 1)
            costs.append(again(times) * both)
    model.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 2, 60
    assert solver.solve(model) == cp_model.OPTIMAL
    least: float = solver.objective_value
    return round(least)


@pytest.mark.parametrize(("players", "tables", "rounds"), [(8, 2, 2), (9, 3, 4), (10, 2, 2), (13, 4, 2)])
def test_the_search_finds_what_an_exact_solver_finds(players: int, tables: int, rounds: int) -> None:
    so_far: Rounds = []
    here = list(range(1, players + 1))
    rng = Random(players)
    for number in range(rounds):
        chairs = [tuple(range(size)) for size in sizes(len(here), [range(3, 5)] * tables)]
        past = history(so_far)
        least = best(here, chairs, past)
        assert cost(searched(here, chairs, past, number), chairs, past) == least
        found = seat(here, chairs, past, number)  # looks ahead, and may seat a chair or two less evenly for it
        assert 0 <= cost(found, chairs, past) - least <= 3
        so_far.append((found, chairs))
        here = [player for player in range(1, players + 1) if player != rng.randint(1, 2 * players)]
