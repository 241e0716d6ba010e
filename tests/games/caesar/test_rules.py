"""Caesar's page, clause by clause; the numbered checks at its end come first, its laws last."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest

from companion.games.caesar.rules import (
    GAME,
    NEUTRAL,
    SQUARES,
    Ally,
    Attack,
    Board,
    Group,
    Place,
    State,
    joined,
    legal,
)
from companion.rules import Choose, Laid, Pass, Pressed, Refused, Reveal, Setup, Undo, as_json, judge
from companion.rules.cards import DECK
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.caesar import DUEL, EMPTY, FIVE, THREE, TWO, Position, board, start
from tests.support.playing import Play, codes, facts


def plain(receipt: Receipt, code: str) -> Mapping[str, Any]:
    """A ruling's facts but what it weighed, and who gained or lost by it."""
    return {key: value for key, value in facts(receipt, code).items() if key not in ("contest", "conditions", "gains")}


def placed(seats: str, squares: str) -> Play:
    play = Play("caesar", seats)
    for at, square in enumerate(squares.split()):
        play.ok("place", play.header.seats[at % len(play.header.seats)], square=square)
    return play


# -- the checks of the page -------------------------------------------------------------------------------------


def test_check_1_equal_totals_take_both_groups_off_the_board() -> None:
    play = Position("r3 . b1 . . r1 . b1 . ." + EMPTY * 3)
    receipt = play.duel("red", "a1", "c1", 4, 6)
    assert codes(receipt) == ["revealed", "totals", "equal"]
    assert (facts(receipt, "totals")["sum"], facts(receipt, "totals")["other"]) == ("4 + 3 = 7", "6 + 1 = 7")
    assert plain(receipt, "equal") == {"squares": ("a1", "c1"), "counters": 4}
    assert play.view["board"] == {"a2": {"owner": "red", "size": 1}, "c2": {"owner": "blue", "size": 1}}


def test_check_2_a_winning_defender_moves_onto_the_attackers_square() -> None:
    play = Position("r2 . b1 . . r1 . . . ." + EMPTY * 3)
    receipt = play.duel("red", "a1", "c1", 3, 9)
    assert (facts(receipt, "totals")["sum"], facts(receipt, "totals")["other"]) == ("3 + 2 = 5", "9 + 1 = 10")
    assert plain(receipt, "won") == {"winner": "blue", "from": "c1", "loser": "red", "to": "a1", "size": 3}
    assert play.view["board"] == {"a1": {"owner": "blue", "size": 3}, "a2": {"owner": "red", "size": 1}}


@pytest.mark.parametrize(("red", "over"), [("flag 5", False), ("flag", True)])
def test_check_3_a_flag_moves_nothing_spends_both_cards_and_a_tenth_ends_the_game(red: str, over: bool) -> None:
    play = Position("r2 . b1 . ." + EMPTY * 4, red=red)
    before = play.view["board"]
    receipt = play.duel("red", "a1", "c1", "flag", 9)
    assert play.view["board"] == before
    assert facts(receipt, "flag")["seats"] == ["red"]
    assert play.view["hand_sizes"] == {"red": len(red.split()) - 1, "blue": 9}
    assert play.view["over"] is over
    assert ("tenth_card" in codes(receipt)) is over
    if over:
        assert play.view["result"]["scores"] == {"red": 2, "blue": 1}


def test_check_4_a_neutral_between_hides_the_enemy_until_it_is_moved_onto() -> None:
    play = Position("r1 n1 b1 . ." + EMPTY * 4)
    assert play.cannot("attack", "red", "a1", "c1") == ("hidden", "C-5")
    play.ally("red", "a1", "b1")
    play.ok("attack", "blue", **{"from": "c1", "to": "b1"})


def test_check_5_none_now_is_not_never() -> None:
    ends, quiet, games = Counter[str](), 0, 60
    for seed in range(games):
        game = list(playout(seed, seats=2 + seed % 2))
        ends[end_of(game[-1][2])] += 1
        quiet += any(s.phase == "turn" and not any_attack(s) for s, _, _ in game)
    assert ends["no_attack"] + ends["tenth_card"] > games / 2
    assert max(ends, key=lambda end: ends[end]) == "no_attack"
    assert quiet > games / 3


# -- set-up and placing (C-1 to C-3) ----------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "neutrals"), [(2, 15), (3, 10), (4, 5), (5, 0)])
def test_five_rounds_of_placing_then_neutrals_fill_the_board(seats: int, neutrals: int) -> None:
    play = Play("caesar", " ".join(FIVE.split()[:seats]))
    first = play.header.seats[0]
    assert (play.view["phase"], play.view["turn"], play.view["waiting"]) == ("placing", first, [first])
    assert play.view["to_place"] == dict.fromkeys(play.header.seats, 5)
    for at, square in enumerate(SQUARES[: 5 * seats]):
        assert play.view["to_place"][play.header.seats[at % seats]] == 5 - at // seats
        receipt = play.ok("place", play.header.seats[at % seats], square=square)
    assert codes(receipt) == ["placed", *(["neutrals"] if neutrals else []), "opens"]
    assert len(play.view["board"]) == 25
    owners = Counter(group["owner"] for group in play.view["board"].values())
    assert owners == Counter({**dict.fromkeys(play.header.seats, 5), **({NEUTRAL: neutrals} if neutrals else {})})
    assert (play.view["phase"], play.view["turn"], play.view["to_place"]) == ("turn", first, {})
    assert play.refused("place", first, square="a1") == ("not_now", "T-1")


def test_the_hand_is_1_to_9_and_a_flag() -> None:
    play = Play("caesar", TWO)
    assert play.private("blue") == {"hand": [*(f"blue {rank}" for rank in range(1, 10)), "blue flag"], "choice": None}
    assert play.view["hand_sizes"] == {"red": 10, "blue": 10}


def test_placing_goes_in_turn_onto_empty_squares() -> None:
    play = Play("caesar", THREE)
    assert play.refused("place", "blue", square="a1") == ("turn", "T-1")
    play.ok("place", "red", square="c3")
    assert play.refused("place", "blue", square="c3") == ("taken", "C-2")
    assert play.refused("place", "red", square="a1") == ("turn", "T-1")
    for verb, more in (("ally", {"from": "c3", "to": "c4"}), ("attack", {"from": "c3", "to": "c4"}), ("pass", {})):
        assert play.refused(verb, "blue", **more) == ("not_now", "T-1")
    assert play.refused("choose", "blue", card="blue 1") == ("not_now", "T-1")
    assert play.refused("reveal") == ("not_now", "T-1")
    assert play.view["out"] == []  # nobody is eliminated before he has placed


def test_the_turn_goes_clockwise_past_the_eliminated_even_from_one() -> None:
    picture = "r1 b1 . g2 ." + EMPTY * 3 + " p1 . . y1 ."
    play = Position(picture, FIVE)
    receipt = play.duel("red", "a1", "b1", 1, 2)  # red falls in its own attack
    assert facts(receipt, "eliminated")["seat"] == "red"
    assert (play.view["turn"], play.view["out"]) == ("blue", ["red"])
    play = Position(picture, FIVE)
    play.duel("red", "a1", "b1", 2, 1)
    assert (play.view["turn"], play.view["out"]) == ("green", ["blue"])
    assert play.refused("pass", "blue") == ("turn", "T-1")
    play = Position(picture, FIVE)
    play.duel("red", "a1", "b1", 2, 2)
    assert (play.view["turn"], play.view["out"]) == ("green", ["red", "blue"])


# -- a turn: alliances, attacks, passes (C-4 to C-8) ------------------------------------------------------------

CROSS = "r1 n1 b1 . r2 . . . . . g3 . r1 n1 g1" + EMPTY + " r1 . . . b1"


@pytest.mark.parametrize(
    ("from_", "to", "expected"),
    [
        ("a2", "a1", ("empty", "C-6")),
        ("b1", "a1", ("neutral", "C-6")),
        ("c1", "b1", ("owner", "C-7")),
        ("a1", "a2", ("empty", "C-6")),
        ("a1", "a1", ("same", "C-6")),
        ("a1", "a3", ("enemy", "C-6")),
        ("a1", "e1", ("hidden", "C-5")),
        ("a1", "a5", ("hidden", "C-5")),
        ("a1", "c3", ("line", "C-5")),
        ("a1", "d3", ("line", "C-5")),
    ],
)
def test_alliances_that_are_refused(from_: str, to: str, expected: tuple[str, str]) -> None:
    assert Position(CROSS, THREE).cannot("ally", "red", from_, to) == expected


@pytest.mark.parametrize(
    ("from_", "to", "expected"),
    [
        ("a2", "a3", ("empty", "C-8")),
        ("b1", "c1", ("neutral", "C-8")),
        ("c1", "e1", ("owner", "C-7")),
        ("a1", "c5", ("empty", "C-8")),
        ("a1", "b1", ("neutral", "C-8")),
        ("a1", "e1", ("own", "C-8")),
        ("a1", "a1", ("same", "C-8")),
        ("a1", "c1", ("hidden", "C-5")),
        ("c3", "e3", ("hidden", "C-5")),
        ("a1", "e5", ("line", "C-5")),
    ],
)
def test_attacks_that_are_refused(from_: str, to: str, expected: tuple[str, str]) -> None:
    assert Position(CROSS, THREE).cannot("attack", "red", from_, to) == expected


def test_a_refusal_says_what_stands_between_and_what_is_open() -> None:
    play = Position(CROSS, THREE)
    receipt = play("attack", "red", **{"from": "c3", "to": "e3"})
    assert receipt.rulings[0].facts == {
        "seat": "red", "from": "c3", "to": "e3", "between": ["d3"], "reach": ("a3", "c1"),
    }  # fmt: skip
    receipt = play("ally", "red", **{"from": "a2", "to": "a1"})
    assert receipt.rulings[0].facts["own"] == ("a1", "a5", "c3", "e1")


@pytest.mark.parametrize(
    ("from_", "to", "size"),
    [("a1", "b1", 2), ("c3", "d3", 2), ("e1", "a1", None), ("a5", "c3", None)],
)
def test_an_alliance_leaves_the_old_square_empty_and_makes_one_group(from_: str, to: str, size: int | None) -> None:
    play = Position(CROSS, THREE)
    if size is None:
        assert not play("ally", "red", **{"from": from_, "to": to}).ok
        return
    receipt = play.ally("red", from_, to)
    assert facts(receipt, "alliance")["size"] == size
    assert (play.at(from_), play.at(to)) == (None, {"owner": "red", "size": size})
    assert play.view["turn"] == "blue"


def test_own_groups_join_whole_and_either_may_move() -> None:
    picture = "r2 . . r3 ." + EMPTY * 3 + " b1 . . n1 ."
    for from_, to in (("a1", "d1"), ("d1", "a1")):
        play = Position(picture)
        play.ally("red", from_, to)
        assert (play.at(from_), play.at(to)) == (None, {"owner": "red", "size": 5})


def test_everybody_sees_the_nearest_in_four_directions_only() -> None:
    picture = "n1 . g1 . n1 . . . . . n1 . r1 . b1 . . . . . n1 . r2 . n1"
    moves = [
        event
        for move in legal(Position(picture, THREE).session.state)
        for event in move
        if isinstance(event, Ally | Attack)
    ]
    assert {(type(move), move.to) for move in moves if move.from_ == "c3"} == {
        (Ally, "a3"), (Ally, "c5"), (Attack, "e3"), (Attack, "c1"),
    }  # fmt: skip


def test_a_seat_passes_only_without_an_attack_whether_or_not_alliances_are_open() -> None:
    play = Position("r1 n1 b1 . ." + EMPTY * 4)
    receipt = play.ok("pass", "red")
    assert plain(receipt, "passed") == {"seat": "red", "passes": 1, "survivors": 2}
    play.ally("blue", "c1", "b1")
    assert play.refused("pass", "red") == ("attack_open", "C-4")
    assert play("pass", "red").rulings[0].facts == {"seat": "red", "open": ("a1",)}


def test_the_attack_names_both_groups_and_opens_a_duel() -> None:
    play = Position("r2 . b1 . ." + EMPTY * 4)
    receipt = play.ok("attack", "red", **{"from": "a1", "to": "c1"})
    assert facts(receipt, "attack") == {
        "attacker": "red", "from": "a1", "defender": "blue", "to": "c1", "size": 2, "other": 1,
    }  # fmt: skip
    assert play.view["duel"] == {"attacker": "red", "defender": "blue", "from": "a1", "to": "c1"}
    assert (play.view["phase"], play.view["turn"], play.view["waiting"]) == ("choosing", "red", ["red", "blue"])
    for verb, more in (("ally", {"from": "a1", "to": "c1"}), ("attack", {"from": "a1", "to": "c1"}), ("pass", {})):
        assert play.refused(verb, "red", **more) == ("not_now", "T-1")


# -- the duel (C-9 to C-13) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "card", "expected"),
    [
        ("green", "green 1", ("duellist", "C-9")),
        ("red", "blue 1", ("colour", "T-2")),
        ("red", "green 1", ("colour", "T-2")),
        ("red", "purple flag", ("colour", "T-2")),
        ("red", "red 10", ("card", "T-2")),
        ("blue", "blue 12", ("card", "T-2")),
        ("red", "red 4", ("spent", "T-2")),
        ("red", "red flag", ("spent", "T-2")),
    ],
)
def test_a_card_counts_only_in_a_duellists_hand(seat: str, card: str, expected: tuple[str, str]) -> None:
    play = Position(DUEL, THREE, red="1 2 3")
    play.ok("attack", "red", **{"from": "a1", "to": "c1"})
    assert play.refused("choose", seat, card=card) == expected


def test_a_choice_may_change_until_the_reveal_and_counts_in_the_hand_until_then() -> None:
    play = Position(DUEL, THREE, turn="blue")
    play.ok("attack", "blue", **{"from": "c1", "to": "a1"})
    play.ok("choose", "red", card="red 7")
    play.ok("choose", "red", card="red 7")
    assert codes(play.ok("choose", "red", card="red 9")) == ["chosen"]
    assert (play.private("red")["choice"], play.private("blue")["choice"]) == ("red 9", None)
    assert {"red 7", "red 9"} <= set(play.private("red")["hand"])
    assert (play.view["chosen"], play.view["waiting"], play.view["turn"]) == (["red"], ["blue"], "blue")
    assert play.view["hand_sizes"]["red"] == 10
    assert play.refused("reveal") == ("missing", "C-9")
    play.ok("choose", "blue", card="blue 1")
    assert (play.view["chosen"], play.view["waiting"]) == (["red", "blue"], [])
    play.ok("choose", "red", card="red 3")  # even now
    receipt = play.ok("reveal")
    assert facts(receipt, "revealed")["left"] == {"red": 9, "blue": 9}
    assert (facts(receipt, "revealed")["card"], facts(receipt, "revealed")["other"]) == (DECK["blue 1"], DECK["red 3"])
    assert "red 3" not in play.private("red")["hand"] and "red 9" in play.private("red")["hand"]
    assert (play.view["duel"], play.view["chosen"], play.private("red")["choice"]) == (None, [], None)


@pytest.mark.parametrize(("card", "other"), [("flag", 9), (9, "flag"), ("flag", "flag")])
def test_any_flag_ends_the_duel_with_nothing(card: object, other: object) -> None:
    play = Position(DUEL, THREE)
    before = play.view["board"]
    receipt = play.duel("red", "a1", "c1", card, other)
    assert codes(receipt) == ["revealed", "flag"]
    assert (play.view["board"], play.view["turn"]) == (before, "blue")


@pytest.mark.parametrize(
    ("card", "other", "owner", "square"),
    [(1, 1, "red", "c1"), (9, 1, "red", "c1"), (1, 3, "blue", "a1"), (7, 9, "blue", "a1")],
)
def test_the_higher_total_moves_onto_the_other(card: int, other: int, owner: str, square: str) -> None:
    play = Position(DUEL, THREE)
    play.duel("red", "a1", "c1", card, other)
    assert play.at(square) == {"owner": owner, "size": 3}
    assert play.at({"c1": "a1", "a1": "c1"}[square]) is None


def test_equal_totals_can_eliminate_both_and_end_with_nobody() -> None:
    play = Position("r2 . b1 . ." + EMPTY * 4)
    receipt = play.duel("red", "a1", "c1", 2, 3)
    assert codes(receipt) == ["revealed", "totals", "equal", "eliminated", "eliminated", "no_attack", "over"]
    assert play.view["result"] == {
        "winners": [], "scores": {"red": 0, "blue": 0}, "places": {"red": 1, "blue": 1}, "unconfirmed_board": False,
    }  # fmt: skip
    assert (play.view["out"], play.view["turn"], play.view["waiting"]) == (["red", "blue"], None, [])


# -- the end (C-14 to C-16) -------------------------------------------------------------------------------------


def test_the_tenth_card_ends_the_game_also_if_its_duel_eliminates() -> None:
    play = Position(DUEL, THREE, green="2", turn="green")
    receipt = play.duel("green", "d2", "c2", 2, 9)
    assert codes(receipt)[-5:] == ["eliminated", "tenth_card", "scored", "scored", "over"]
    assert facts(receipt, "tenth_card")["seats"] == ["green"]
    assert play.view["result"] == {
        "winners": ["red", "blue"],
        "scores": {"red": 3, "blue": 3, "green": 0},
        "places": {"red": 1, "blue": 1, "green": 3},
        "unconfirmed_board": False,
    }
    for verb, seat, more in (
        ("pass", "red", {}),
        ("ally", "red", {"from": "a1", "to": "a2"}),
        ("choose", "red", {"card": "red 1"}),
    ):
        assert play.refused(verb, seat, **more) == ("not_now", "T-1")
    play.undo()
    assert (play.view["over"], play.view["result"], play.view["phase"]) == (False, None, "choosing")


def test_two_tenth_cards_in_one_duel() -> None:
    play = Position(DUEL, THREE, red="5", blue="flag")
    receipt = play.duel("red", "a1", "c1", 5, "flag")
    assert facts(receipt, "tenth_card")["seats"] == ["red", "blue"]


def test_the_defenders_tenth_card_ends_the_game_too() -> None:
    play = Position(DUEL, THREE, blue="5")
    assert facts(play.duel("red", "a1", "c1", 5, 5), "tenth_card")["seats"] == ["blue"]


def test_with_one_survivor_the_game_is_over() -> None:
    play = Position("r2 . b1 . . n1 . r1 . r4" + EMPTY * 3)
    receipt = play.duel("red", "a1", "c1", 9, 1)
    assert facts(receipt, "no_attack")["survivors"] == ("red",)
    assert facts(receipt, "scored")["counters"] == "3 + 1 + 4 = 8"
    assert play.view["result"]["scores"] == {"red": 8, "blue": 0}


def test_an_alliance_too_can_take_the_last_attack_away() -> None:
    play = Position("r1 r1 . . . . b1 . . ." + EMPTY * 3)
    assert joined(play.session.state.board)
    receipt = play.ally("red", "b1", "a1")
    assert codes(receipt) == ["alliance", "no_attack", "scored", "scored", "over"]
    assert facts(receipt, "no_attack")["groups"] == {"red": ("a1",), "blue": ("b2",)}
    assert play.view["result"]["winners"] == ["red"]


@pytest.mark.parametrize(
    ("picture", "ever"),
    [
        ("r1 n1 b1 . ." + EMPTY * 4, True),
        ("r1 n1 . . . . n1 . n1 . . . . b1 ." + EMPTY * 2, True),  # round two corners
        ("r1 n1 . . . . . n1 . ." + " . . b1 . ." + EMPTY * 2, False),
        ("r1 . . . r1 . b1 . . ." + EMPTY * 2 + " r1 . . n1 .", False),
        ("r1 . . . n1" + EMPTY * 3 + " . . . . b1", True),
        ("n1 n1 . . . n1 . . . . . . r1 . ." + EMPTY + " . . . . b1", False),
        ("r1" + EMPTY * 4 + " . . . .", False),
        (". . . . ." + EMPTY * 4, False),
    ],
)
def test_whether_an_attack_can_ever_arise(picture: str, ever: bool) -> None:
    assert bool(joined(board(picture))) is ever
    assert searched(board(picture)) is ever


def test_as_many_passes_in_a_row_as_survivors_end_the_game_wherever_the_row_begins() -> None:
    play = Position("r1 n1 b1 n1 g1" + EMPTY * 4, THREE, turn="green")
    assert plain(play.ok("pass", "green"), "passed") == {"seat": "green", "passes": 1, "survivors": 3}
    play.ok("pass", "red")
    receipt = play.ok("pass", "blue")
    assert codes(receipt) == ["passed", "all_passed", "scored", "scored", "scored", "over"]
    assert play.view["result"]["winners"] == THREE.split()
    play.undo()
    assert (play.view["turn"], play.view["over"]) == ("blue", False)


def test_an_alliance_breaks_the_row_of_passes() -> None:
    play = Position("r1 n1 n1 b1 ." + EMPTY * 4)
    play.ok("pass", "red")
    play.ally("blue", "d1", "c1")
    receipt = play.ok("pass", "red")
    assert facts(receipt, "passed")["passes"] == 1
    assert codes(play.ok("pass", "blue"))[:2] == ["passed", "all_passed"]


def test_an_attack_breaks_the_row_of_passes_also_one_that_a_flag_ends() -> None:
    play = Position("r1 b1 n1 g1 ." + EMPTY * 4, THREE, turn="green")
    play.ok("pass", "green")
    play.duel("red", "a1", "b1", 1, "flag")
    play.duel("blue", "b1", "a1", 2, "flag")
    assert facts(play.ok("pass", "green"), "passed")["passes"] == 1


def test_only_survivors_count_for_the_row() -> None:
    play = Position("r1 n1 b1 . ." + EMPTY * 4, THREE, turn="blue")
    play.ok("pass", "blue")
    assert (play.view["turn"], play.view["out"]) == ("red", ["green"])
    assert codes(play.ok("pass", "red"))[1] == "all_passed"
    assert play.view["result"]["places"] == {"red": 1, "blue": 1, "green": 3}


# -- contests and conditions (T-12) -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "other", "totals", "winners", "nearest"),
    [
        (3, 9, {"red": 5, "blue": 10}, ["blue"], {"seat": "red", "value": 11}),
        (9, 1, {"red": 11, "blue": 2}, ["red"], None),  # with a 9 blue would have had 10
        (9, 3, {"red": 11, "blue": 4}, ["red"], None),
        (7, 6, {"red": 9, "blue": 7}, ["red"], {"seat": "blue", "value": 10}),
        (1, 2, {"red": 3, "blue": 3}, ["red", "blue"], {"seat": "red", "value": 4}),
        (8, 9, {"red": 10, "blue": 10}, ["red", "blue"], {"seat": "red", "value": 11}),
    ],
)
def test_a_duel_is_a_contest_of_both_totals(
    card: int, other: int, totals: dict[str, int], winners: list[str], nearest: dict[str, Any] | None
) -> None:
    receipt = Position("r2 . b1 . . r1 . b1 . ." + EMPTY * 3, turn="blue").duel("blue", "c1", "a1", other, card)
    step = {"by": "total", "rule": "C-11", "best": "highest", "values": totals, "left": winners}
    contest = as_json(facts(receipt, "totals")["contest"])
    assert contest == {"for": "duel", "steps": [step], "winners": winners, "nearest": nearest}
    assert list(contest["steps"][0]["values"]) == ["red", "blue"], "in header order, whoever attacked"


def test_the_end_is_a_contest_of_counters_with_the_eliminated_at_0() -> None:
    play = Position(DUEL, THREE, green="2", turn="green")
    receipt = play.duel("green", "d2", "c2", 2, 9)
    values = {"red": 3, "blue": 3, "green": 0}
    step = {"by": "counters", "rule": "C-16", "best": "highest", "values": values, "left": ["red", "blue"]}
    contest = as_json(facts(receipt, "over")["contest"])
    assert contest == {"for": "game", "steps": [step], "winners": ["red", "blue"], "nearest": None}


def test_flags_and_an_end_without_survivors_are_no_contests() -> None:
    play = Position("r2 . b1 . ." + EMPTY * 4)
    assert not any("contest" in ruling.facts for ruling in play.duel("red", "a1", "c1", "flag", 9).rulings)
    receipt = play.duel("blue", "c1", "a1", 3, 2)
    assert [ruling.code for ruling in receipt.rulings if "contest" in ruling.facts] == ["totals"]
    assert play.view["result"]["winners"] == []


def weighed(receipt: Receipt) -> list[tuple[str, str, bool, Any]]:
    """Every condition of an act: what it is, its clause, whether it holds, and what it was weighed by."""
    found = [one for ruling in receipt.rulings for one in ruling.facts.get("conditions", ())]
    return [(one.what, one.rule, one.holds, one.by) for one in found]


def test_the_tenth_card_and_whether_an_attack_can_arise_are_weighed_also_where_they_do_not_end_the_game() -> None:
    play = Position("r1 n1 b1 . . r1 . b1 . ." + EMPTY * 3, red="flag 1 5", blue="2 9")
    joined_still = ("no_attack", "C-14", False, ["red", "blue"])
    assert weighed(play.ally("red", "a1", "b1")) == [joined_still]
    assert weighed(play.duel("blue", "c1", "b1", 2, "flag")) == [
        ("tenth_card", "C-14", False, 2), ("tenth_card", "C-14", False, 1), joined_still,
    ]  # fmt: skip
    assert weighed(play.duel("red", "b1", "c1", 1, 9)) == [
        ("tenth_card", "C-14", False, 1), ("tenth_card", "C-14", True, 0),
    ]  # fmt: skip
    assert play.view["over"]
    play = Position("r1 r1 . . . . b1 . . ." + EMPTY * 3)
    assert weighed(play.ally("red", "b1", "a1")) == [("no_attack", "C-14", True, [])]


# -- hardware ---------------------------------------------------------------------------------------------------


def test_cards_are_chosen_in_a_duel_only() -> None:
    play = Position(DUEL, THREE)
    card = Laid("centre", DECK["red 4"])
    assert play.session.read(card) is None
    play.ok("attack", "red", **{"from": "a1", "to": "c1"})
    assert play.session.read(card) == Choose("red", DECK["red 4"])
    assert play.session.read(Laid("blue", DECK["blue flag"])) == Choose("blue", DECK["blue flag"])
    assert play.session.read(Laid("centre", DECK["green 4"])) == Choose("green", DECK["green 4"])  # apply refuses it
    for touch in (Laid("blue", DECK["red 4"]), Laid("centre", DECK["purple 4"])):
        with pytest.raises(Refused):
            play.session.read(touch)


def test_the_button_of_the_seat_to_move_passes() -> None:
    play = Position(DUEL, THREE)
    for long in (True, False):
        assert play.session.read(Pressed("red", long)) == Pass("red")
        assert play.session.read(Pressed("blue", long)) is None
    play.ok("attack", "red", **{"from": "a1", "to": "c1"})
    assert play.session.read(Pressed("red", False)) is None
    assert Play("caesar", TWO).session.read(Pressed("red", False)) is None


def test_fists_are_the_duellists_once_both_cards_are_down() -> None:
    play = Position(DUEL, THREE, turn="blue")
    assert play.session.fists() == ()
    play.ok("attack", "blue", **{"from": "c1", "to": "a1"})
    play.ok("choose", "blue", card="blue 4")
    assert play.session.fists() == ()
    play.ok("choose", "red", card="red 4")
    assert play.session.fists() == ("red", "blue")
    assert "late" in codes(play.ok("reveal", opened={"red": 0, "blue": 900}))
    assert play.session.fists() == ()


# -- laws, in random play ---------------------------------------------------------------------------------------


def playout(seed: int, seats: int) -> Iterator[tuple[State, Any, Any]]:
    """Each state of a random game after its first, with the event that led to it and its rulings."""
    rng, s = Random(seed), start(seats)
    for _ in range(1000):
        moves = legal(s)
        if not moves:
            return
        event = rng.choice(moves).pick(rng.choice)
        s, rulings = GAME.apply(s, event)
        yield s, event, rulings
    raise AssertionError("the game does not end")


def end_of(rulings: Any) -> str:
    """Why the game is over."""
    return next(str(r.code) for r in rulings if r.code in ("no_attack", "tenth_card", "all_passed"))


def any_attack(s: State) -> bool:
    return any(move.event is Attack for seat in s.seats for move in legal(replace(s, turn=seat)))


def searched(position: Board) -> bool:
    """C-14 by trial: whether alliances of any seats, in any order, lead to an open attack."""
    known, todo = set(), [position]
    while todo:
        now = todo.pop()
        key = frozenset((square, group.owner) for square, group in now.items())
        if key in known:
            continue
        known.add(key)
        for seat in {group.owner for group in now.values()} - {NEUTRAL}:
            s = replace(start(5), phase="turn", turn=seat, board=now)
            moves = legal(s)
            if any(move.event is Attack for move in moves):
                return True
            todo += (GAME.apply(s, event)[0].board for move in moves if move.event is Ally for event in move)
    return False


@pytest.mark.parametrize(("side", "seed"), [(5, 1), (5, 2), (4, 3), (3, 4)])
def test_c_14_is_what_an_exhaustive_search_finds(side: int, seed: int) -> None:
    rng, found = Random(seed), Counter[bool]()
    squares = [column + row for column in "abcde"[:side] for row in "12345"[:side]]
    owners = (*FIVE.split()[: 2 + seed % 2], NEUTRAL, NEUTRAL)
    for _ in range(200):
        groups = {square: Group(rng.choice(owners), 1) for square in rng.sample(squares, rng.randint(2, side + 2))}
        ever = bool(joined(groups))
        assert ever is searched(groups), groups
        found[ever] += 1
    assert min(found.values()) > 16


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_in_play_the_game_is_over_exactly_when_a_search_finds_no_attack(seats: int) -> None:
    for seed in range(3):
        for s, _, rulings in playout(seed, seats):
            if s.phase == "turn":
                assert searched(s.board), s.board
            elif s.phase == "over" and end_of(rulings) == "no_attack":
                assert not searched(s.board)


def anything(rng: Random, seats: tuple[str, ...]) -> Any:
    """Any event that a transcript could hold, fit or unfit."""
    seat, square, other = rng.choice(seats), rng.choice(SQUARES), rng.choice(SQUARES)
    card = rng.choice(list(DECK.values()))
    return rng.choice(
        (Place(seat, square), Ally(seat, square, other), Attack(seat, square, other), Pass(seat), Reveal(),
         Choose(seat, card), Choose(card.colour if card.colour in seats else seat, card))
    )  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_an_event_is_refused_exactly_when_it_is_not_legal(seats: int) -> None:
    rng = Random(seats)
    for seed in range(4):
        for s, _, _ in playout(seed, seats):
            moves = legal(s)
            assert bool(moves) is (s.phase != "over")
            assert all(len(move) for move in moves)
            for event in (anything(rng, s.seats) for _ in range(12)):
                ok, after, rulings = judge(GAME, s, event)
                assert ok is any(event in move for move in moves), event
                assert rulings and (ok or after is s)
            for move in moves:
                assert judge(GAME, s, move.pick(rng.choice))[0]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_counters_and_cards_are_conserved(seats: int) -> None:
    for seed in range(6):
        gone, spent = 0, Counter[str]()
        for s, _, rulings in playout(seed, seats):
            gone += sum(ruling.facts["counters"] for ruling in rulings if ruling.code == "equal")
            for ruling in rulings:
                if ruling.code == "revealed":
                    spent.update((ruling.facts["card"].colour, ruling.facts["other"].colour))
            if s.phase != "placing":
                assert sum(group.size for group in s.board.values()) + gone == 25
            assert all(len(s.hands[seat]) + spent[seat] == 10 for seat in s.seats)
            assert all(group.size == 1 for group in s.board.values() if group.owner == NEUTRAL)


def test_every_ruling_cites_a_clause_and_fills_its_text() -> None:
    from companion.rules.words import clause, say

    for seed in range(8):
        for _, _, rulings in playout(seed, seats=2 + seed % 4):
            for ruling in rulings:
                assert clause(GAME, ruling.rule) and "{" not in say(ruling)


def test_undo_gives_back_the_very_states() -> None:
    session = Session(GAME, Setup(tuple(THREE.split()), {}))
    rng, states = Random(7), [session.state]
    while moves := session.legal():
        assert session.receive(rng.choice(moves).pick(rng.choice)).ok
        states.append(session.state)
    for state in states[-2::-1]:
        assert session.receive(Undo()).ok
        assert session.state is state
    assert not session.receive(Undo()).ok


FULL = start(5).hands


def elsewise(s: State, rng: Random) -> State:
    """The same table with other cards in hands and face down."""
    hands = {seat: tuple(rng.sample(FULL[seat], len(held))) for seat, held in s.hands.items()}
    return replace(s, hands=hands, choices={seat: rng.choice(hands[seat]) for seat in s.choices})


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_public_view_does_not_depend_on_hidden_state(seats: int) -> None:
    rng = Random(seats)
    for seed in range(2):
        for s, _, _ in playout(seed, seats):
            other = elsewise(s, rng)
            assert GAME.view(s) == GAME.view(other)
            for move in legal(s):
                event = move.pick(rng.choice)
                if not isinstance(event, Choose | Reveal):
                    assert GAME.apply(s, event)[1] == GAME.apply(other, event)[1]
            for seat in s.choices:  # face down, whichever it is, the same is said
                said = [GAME.apply(s, Choose(seat, card))[1] for card in s.hands[seat]]
                assert all(rulings == said[0] for rulings in said)


def test_the_order_in_which_duellists_choose_does_not_matter() -> None:
    s = Position(DUEL, THREE).session.state
    s, _ = GAME.apply(s, Attack("red", "a1", "c1"))
    ends = []
    for order in permutations((Choose("red", DECK["red 5"]), Choose("blue", DECK["blue 6"]))):
        now = s
        for event in (*order, Reveal()):
            now, rulings = GAME.apply(now, event)
        ends.append((now, rulings))
    assert ends[0] == ends[1]
