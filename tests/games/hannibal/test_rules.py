"""Hannibal gegen Rom's page, clause by clause; the numbered checks at its end come first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.answers.why import held
from companion.cli.simulate import play as playout
from companion.cli.simulate import table as random_table
from companion.games.hannibal.rules import GAME, PIECES, REGIONS, Defend, Move, read_board
from companion.record.boards import shipped
from companion.rules import Choose, Laid, Pressed, Refused, Reveal, Undo, as_json, judge
from companion.rules.cards import DECK
from companion.rules.mistakes import Mistakes
from companion.rules.words import Tongue, clause, say
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.hannibal import OPTIONS, SEATS, exchange, go, kind, table
from tests.support.playing import Play, codes, facts

ROME_FLEETS, CARTHAGE_FLEETS = "rome-corsica", "sardinia-carthago"


def cannot(play: Play, where: str, piece: str | None = None, seat: str | None = None) -> tuple[str, str]:
    start, to = where.split()
    return play.refused("move", seat or play.view["turn"], piece=piece or kind(start), **{"from": start, "to": to})


def region(play: Play, name: str) -> tuple[int, int, bool]:
    found = play.view["regions"][name]
    return found["blue"], found["red"], found["hannibal"]


def winners(play: Play) -> list[str]:
    assert play.view["over"] and play.view["phase"] == "over"
    return list(play.view["result"]["winners"])


# -- the checks of the page -------------------------------------------------------------------------------------


def test_check_1_equal_cards_take_the_attacker_and_one_of_two_defenders() -> None:
    play = table("rome cannae cannae-sicilia", "sicilia 2 carthago")
    receipt = go(play, "cannae sicilia")
    assert facts(receipt, "battle")["count"] == 2
    receipt = exchange(play, 3, 3)
    assert codes(receipt) == ["exchange", "battle_won"]
    assert facts(receipt, "exchange")["removed"] == {"blue": "legion", "red": "legion"}
    assert region(play, "sicilia") == (0, 1, False)
    assert (play.view["phase"], play.view["turn"], play.view["battle"]) == ("moving", "red", None)


def test_check_2_romes_four_against_hannibals_three_removes_both() -> None:
    play = table("mauretania hispania_s", "h:carthago zama", "red")
    go(play, "carthago mauretania", "hannibal")
    receipt = exchange(play, 4, 3)
    assert (
        say(receipt.rulings[0]) == "Rome 4 against Carthage 3 + 1 = 4: Hannibal and the Roman legion are both removed."
    )
    assert facts(receipt, "exchange")["removed"] == {"blue": "legion", "red": "hannibal"}
    assert codes(receipt) == ["exchange", "battle_over"]
    assert region(play, "mauretania") == (0, 0, False)
    assert receipt.rulings[0].rule == "H-12"


@pytest.mark.parametrize(("hispania", "wins"), [("hispania_s", True), ("mauretania", True), ("hispania_n", False)])
def test_check_3_rome_controls_the_mediterranean_with_the_south(hispania: str, wins: bool) -> None:
    play = table(f"sardinia {hispania} cannae cannae-sicilia", "zama carthago")
    receipt = go(play, "cannae sicilia")
    assert play.view["over"] is wins
    if wins:
        assert winners(play) == ["blue"]
        assert facts(receipt, "mediterranean")["regions"] == ("sardinia", hispania, "sicilia")


def test_check_4_a_side_that_cannot_move_on_its_turn_loses() -> None:
    play = table("corsica 2 sardinia", "carthago 2", "red")
    receipt = go(play, "carthago zama")
    assert codes(receipt) == ["moved", "no_move"]
    assert winners(play) == ["red"]


def test_check_5_the_last_legions_fall_together_and_nobody_wins() -> None:
    play = table("gallia rome-corsica 3", "hispania_n sardinia-carthago 3")
    go(play, "gallia hispania_n")
    receipt = exchange(play, 5, 5)
    assert codes(receipt) == ["exchange", "no_winner"]
    assert play.view["battle"] is None
    assert play.view["result"] == {
        "winners": [],
        "scores": {"blue": 0, "red": 0},
        "places": {"blue": 1, "red": 1},
        "unconfirmed_board": True,
    }


def test_check_6_three_legions_control_the_whole_core() -> None:
    play = table("hispania_s sardinia zama", "carthago gallia", core_control=True, rome_hispania="north")
    receipt = go(play, "hispania_s mauretania")
    assert set(facts(receipt, "chip")["own"]) == {"corsica", "sardinia", "sicilia", "hispania_n", "hispania_s"}


# -- set-up -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blue", "red", "chips", "near"),
    [
        ("rome rome", "carthago", (0, 0), []),
        ("rome mauretania", "carthago", (0, 0), ["blue"]),  # H-13, however many stand there
        ("rome zama", "cannae gallia carthago", (0, 0), ["blue", "red"]),
        ("sicilia sicilia-zama", "carthago", (0, 0), []),  # H-5: Zama is not yet the capital
        ("sardinia carthago-sardinia", "carthago", (0, 0), []),  # the route is there, and no fleet of Rome's on it
        ("sardinia hispania_n sicilia rome", "carthago", (0, 0), ["blue"]),  # H-14: Hispania S comes third
        ("sardinia hispania_n rome", "carthago", (0, 0), []),
        ("sardinia sicilia hispania_s rome", "carthago", (7, 0), ["blue"]),  # H-18: the eighth chip
    ],
)
def test_side_one_move_from_winning_is_named(blue: str, red: str, chips: tuple[int, int], near: list[str]) -> None:
    play = table(blue, red, chips=chips, core_control=any(chips))
    assert play.derived["a_move_away"] == near


def test_setup() -> None:
    play = Play("hannibal", SEATS)
    view = play.view
    assert (view["phase"], view["turn"], view["waiting"]) == ("moving", "blue", ["blue"])
    assert list(view["regions"]) == list(REGIONS)
    assert {name: region(play, name) for name in REGIONS if any(region(play, name))} == {
        "rome": (7, 0, False),
        "carthago": (0, 5, True),
    }
    routes = ["rome-corsica", "corsica-sardinia", "sardinia-carthago", "cannae-sicilia", "sicilia-zama"]
    assert list(view["routes"]) == routes
    assert view["routes"]["rome-corsica"] == {"blue": 3, "red": 0}
    assert view["routes"]["sardinia-carthago"] == {"blue": 0, "red": 3}
    assert view["hand_sizes"] == {"blue": 5, "red": 5}
    assert (view["battle"], view["chosen"], view["chips"], view["result"]) == (None, [], None, None)
    assert play.private("red") == {"hand": [f"red {rank}" for rank in range(1, 6)], "choice": None}
    assert "private" not in view


@pytest.mark.parametrize("seats", ["red blue", "blue", "blue green", "blue red green"])
def test_blue_is_rome_and_red_is_carthage(seats: str) -> None:
    with pytest.raises(Mistakes):
        Play("hannibal", seats)


NEIGHBOURS = {
    "rome": "gallia cannae",
    "cannae": "rome",
    "gallia": "rome hispania_n",
    "hispania_n": "gallia hispania_s",
    "hispania_s": "hispania_n mauretania",
    "mauretania": "hispania_s carthago",
    "carthago": "mauretania zama",
    "zama": "carthago",
    "corsica": "",
    "sardinia": "",
    "sicilia": "",
}


def test_the_map() -> None:
    board = read_board(shipped("hannibal"))
    assert {name: set(near) for name, near in board.land.items()} == {
        name: set(near.split()) for name, near in NEIGHBOURS.items()
    }
    assert not board.confirmed


# -- a turn -----------------------------------------------------------------------------------------------------

SPREAD = "rome gallia corsica rome-corsica 2 sicilia-zama", "h:carthago carthago zama sardinia-carthago sicilia-zama 2"


@pytest.mark.parametrize(
    ("where", "piece", "expected"),
    [
        ("rome gallia", "hannibal", ("whose", "H-2")),
        ("cannae rome", "legion", ("absent", "H-4")),
        ("carthago zama", "legion", ("absent", "H-4")),  # red's
        ("corsica-sardinia rome-corsica", "fleet", ("absent", "H-4")),
        ("rome rome", "legion", ("reach", "H-5")),
        ("rome hispania_n", "legion", ("reach", "H-5")),
        ("gallia corsica", "legion", ("reach", "H-5")),
        ("corsica sardinia", "legion", ("no_fleet", "H-5")),
        ("rome rome-corsica", "legion", ("kind", "H-5")),
        ("rome-corsica corsica", "legion", ("kind", "H-5")),
        ("rome-corsica corsica", "fleet", ("kind", "H-7")),
        ("rome gallia", "fleet", ("kind", "H-7")),
        ("rome-corsica rome-corsica", "fleet", ("reach", "H-7")),
    ],
)
def test_romes_impossible_moves(where: str, piece: str, expected: tuple[str, str]) -> None:
    assert cannot(table(*SPREAD), where, piece) == expected


@pytest.mark.parametrize(
    ("where", "piece", "expected"),
    [
        ("carthago sardinia", "hannibal", ("reach", "H-6")),  # by land only, whatever floats there
        ("carthago carthago", "hannibal", ("reach", "H-6")),
        ("zama carthago", "hannibal", ("absent", "H-4")),
        ("carthago sardinia-carthago", "hannibal", ("kind", "H-6")),
        ("rome gallia", "legion", ("absent", "H-4")),
        ("zama mauretania", "legion", ("reach", "H-5")),
    ],
)
def test_carthages_impossible_moves(where: str, piece: str, expected: tuple[str, str]) -> None:
    assert cannot(table(*SPREAD, turn="red"), where, piece) == expected


def test_a_fallen_hannibal_does_not_move() -> None:
    play = table("rome", "carthago", "red")
    receipt = play("move", "red", piece="hannibal", **{"from": "carthago", "to": "zama"})
    assert (receipt.rulings[0].code, say(receipt.rulings[0])) == (
        "absent",
        "Hannibal has fallen and will not return.",
    )


@pytest.mark.parametrize(
    ("blue", "where", "said"),
    [
        ("rome", "rome-corsica corsica-sardinia", "Blue has no fleet left."),
        ("sicilia", "sicilia zama", "From Sicilia no legion can move: no fleet of Blue's is on a route from there."),
        ("corsica", "corsica rome", "From Corsica no legion can move: no fleet of Blue's is on a route from there."),
    ],
)
def test_a_refusal_names_no_place_where_there_is_none(blue: str, where: str, said: str) -> None:
    start, to = where.split()
    receipt = table(blue, "carthago")("move", "blue", piece=kind(start), **{"from": start, "to": to})
    assert not receipt.ok and say(receipt.rulings[0]) == said


def test_the_refusal_says_what_would_be_allowed() -> None:
    play = table(*SPREAD)
    receipt = play("move", "blue", piece="legion", **{"from": "corsica", "to": "sardinia"})
    assert receipt.rulings[0].facts["reach"] == ("rome",)
    assert receipt.rulings[0].facts["route"] == "corsica-sardinia"
    receipt = play("move", "blue", piece="fleet", **{"from": "rome-corsica", "to": "rome-corsica"})
    assert len(receipt.rulings[0].facts["reach"]) == 4


def test_the_sides_alternate() -> None:
    play = table(*SPREAD)
    assert cannot(play, "carthago mauretania", "hannibal", "red") == ("turn", "T-1")
    go(play, "gallia rome")
    assert (play.view["turn"], play.view["waiting"]) == ("red", ["red"])
    assert cannot(play, "rome gallia", seat="blue") == ("turn", "T-1")


def test_a_legion_crosses_where_an_own_fleet_stands_and_the_fleet_stays() -> None:
    play = table(*SPREAD)
    receipt = go(play, "corsica rome")
    assert facts(receipt, "moved")["route"] == "rome-corsica"
    assert play.view["routes"]["rome-corsica"] == {"blue": 2, "red": 0}
    go(play, "carthago sardinia")
    assert region(play, "sardinia") == (0, 1, False)
    receipt = go(play, "rome gallia")
    assert "route" not in facts(receipt, "moved") and region(play, "gallia") == (2, 0, False)
    assert cannot(play, "sardinia corsica") == ("no_fleet", "H-5")
    go(play, "carthago mauretania", "hannibal")
    assert region(play, "mauretania") == (0, 0, True)


def test_an_enemy_fleet_carries_nobody() -> None:
    play = table("zama rome", "carthago gallia sicilia-zama")
    assert cannot(play, "zama sicilia") == ("no_fleet", "H-5")


@pytest.mark.parametrize("to", ["corsica-sardinia", "sardinia-carthago", "cannae-sicilia", "sicilia-zama"])
def test_a_fleet_goes_to_any_other_route(to: str) -> None:
    play = Play("hannibal", SEATS)
    go(play, f"rome-corsica {to}")
    assert play.view["routes"]["rome-corsica"]["blue"] == 2
    assert play.view["routes"][to]["blue"] == 1
    assert (play.view["phase"] == "choosing") is (to == "sardinia-carthago")


# -- battle -----------------------------------------------------------------------------------------------------


def test_a_battle_counts_its_pieces_where_it_is() -> None:
    play = table("rome 3 gallia 2", "h:hispania_n carthago", "red")
    receipt = go(play, "hispania_n gallia", "hannibal")
    assert codes(receipt) == ["moved", "battle", "fights"]
    assert play.view["battle"] == {"place": "gallia", "mover": "red", "hannibal": True}
    assert (play.view["turn"], play.view["waiting"], play.view["phase"]) == ("red", ["blue", "red"], "choosing")
    assert region(play, "gallia") == (2, 0, True)


def test_the_mover_fights_until_one_side_is_left() -> None:
    play = table("gallia rome", "hispania_n 3 carthago")
    go(play, "gallia hispania_n")
    receipt = exchange(play, 3, 2)
    assert codes(receipt) == ["exchange"]
    assert region(play, "hispania_n") == (1, 2, False)
    assert play.view["hand_sizes"] == {"blue": 4, "red": 4}
    exchange(play, 5, 4)
    receipt = exchange(play, 4, 1)
    assert codes(receipt) == ["exchange", "battle_won"]
    won = facts(receipt, "battle_won")
    assert (won["winner"], won["place"], won["count"]) == ("blue", "hispania_n", 1)
    assert region(play, "hispania_n") == (1, 0, False) and play.view["turn"] == "red"


def test_fleets_fight_at_sea_by_the_same_rules() -> None:
    play = table("rome rome-corsica", "h:carthago sardinia-carthago 2")
    go(play, "rome-corsica sardinia-carthago")
    assert play.view["battle"] == {"place": "sardinia-carthago", "mover": "blue", "hannibal": False}
    receipt = exchange(play, 4, 3)  # no bonus at sea
    assert facts(receipt, "exchange")["removed"] == {"red": "fleet"}
    receipt = exchange(play, 1, 2)
    assert facts(receipt, "exchange")["removed"] == {"blue": "fleet"}
    assert play.view["routes"]["sardinia-carthago"] == {"blue": 0, "red": 1}
    assert play.view["turn"] == "red"


def test_equal_fleets_leave_an_empty_route() -> None:
    play = table("rome rome-corsica", "h:carthago sardinia-carthago", "red")
    go(play, "sardinia-carthago rome-corsica")
    assert codes(exchange(play, 2, 2)) == ["exchange", "battle_over"]
    assert play.view["routes"]["rome-corsica"] == {"blue": 0, "red": 0}


@pytest.mark.parametrize(
    ("seat", "card", "expected"),
    [
        ("blue", "red 3", ("colour", "T-2")),
        ("red", "green 3", ("colour", "T-2")),
        ("red", "red 6", ("card", "T-2")),
        ("blue", "blue flag", ("card", "T-2")),
        ("blue", "blue 3", ("played", "T-2")),
    ],
)
def test_a_card_counts_only_in_its_sides_hand(seat: str, card: str, expected: tuple[str, str]) -> None:
    play = table("gallia rome", "hispania_n 3 carthago")
    go(play, "gallia hispania_n")
    exchange(play, 3, 2)
    assert play.refused("choose", seat, card=card) == expected


def test_a_choice_may_change_until_the_reveal() -> None:
    play = table("gallia rome", "hispania_n 3 carthago")
    assert play.refused("choose", "blue", card="blue 1") == ("not_now", "T-1")
    assert play.refused("reveal") == ("not_now", "T-1")
    go(play, "gallia hispania_n")
    assert cannot(play, "rome gallia") == ("not_now", "T-1")
    play.ok("choose", "red", card="red 1")
    assert (play.view["chosen"], play.view["waiting"]) == (["red"], ["blue"])
    assert play.refused("reveal") == ("missing", "H-9")
    play.ok("choose", "red", card="red 1")
    play.ok("choose", "red", card="red 5")
    assert play.private("red") == {"hand": [f"red {rank}" for rank in range(1, 6)], "choice": "red 5"}
    assert play.view["hand_sizes"]["red"] == 5
    play.ok("choose", "blue", card="blue 1")
    assert (play.view["waiting"], play.session.fists()) == ([], ("blue", "red"))
    assert cannot(play, "rome gallia") == ("not_now", "T-1")
    receipt = play.ok("reveal", opened={"red": 0, "blue": 612})
    assert codes(receipt) == ["exchange", "battle_won", "late"]
    assert play.session.fists() == ()


def test_the_cards_come_back_with_the_fifth_exchange_in_the_middle_of_a_battle() -> None:
    play = table("gallia 2 rome", "hispania_n 8 h:carthago")
    go(play, "gallia hispania_n")
    exchange(play, 1, 2)
    go(play, "carthago zama", "hannibal")
    go(play, "gallia hispania_n")
    for blue, red in ((2, 1), (4, 3), (5, 4)):
        assert codes(exchange(play, blue, red)) == ["exchange"]
    assert play.view["hand_sizes"] == {"blue": 1, "red": 1}
    assert play.refused("choose", "red", card="red 1") == ("played", "T-2")
    receipt = exchange(play, 3, 5)
    assert codes(receipt) == ["exchange", "cards_back", "battle_won"]
    assert play.view["hand_sizes"] == {"blue": 5, "red": 5}
    play.undo()
    assert play.view["hand_sizes"] == {"blue": 1, "red": 1}


def test_the_battle_goes_on_with_a_full_hand() -> None:
    play = table("gallia rome", "hispania_n 2 carthago h:zama")
    play.put(
        replace(play.session.state, hands={side: (DECK[f"{side} {rank}"],) for side, rank in (("blue", 4), ("red", 3))})
    )
    go(play, "gallia hispania_n")
    assert codes(exchange(play, 4, 3)) == ["exchange", "cards_back"]
    assert (play.view["phase"], play.view["hand_sizes"]) == ("choosing", {"blue": 5, "red": 5})
    assert codes(exchange(play, 4, 3)) == ["exchange", "battle_won"]


# -- Hannibal ---------------------------------------------------------------------------------------------------


def attacked(**options: Any) -> Play:
    """Rome attacks Hannibal and two legions in Gallia; one more is at home."""
    play = table("rome 3 cannae", "gallia 2 h:gallia carthago", **options)
    receipt = go(play, "rome gallia")
    assert codes(receipt) == ["moved", "battle", "who_fights"]
    assert facts(receipt, "who_fights")["count"] == 2
    return play


def test_carthage_says_who_fights_before_the_cards() -> None:
    play = attacked()
    assert play.view["battle"] == {"place": "gallia", "mover": "blue", "hannibal": None}
    assert (play.view["phase"], play.view["turn"], play.view["waiting"]) == ("declaring", "blue", ["red"])
    assert play.refused("choose", "blue", card="blue 1") == ("not_now", "T-1")
    assert play.refused("reveal") == ("not_now", "T-1")
    assert cannot(play, "rome gallia") == ("not_now", "T-1")
    assert play.refused("defend", "blue", piece="legion") == ("turn", "H-11")
    assert play.refused("defend", "red", piece="fleet") == ("land", "H-11")
    assert codes(play.ok("defend", "red", piece="legion")) == ["fights"]
    assert (play.view["phase"], play.view["waiting"]) == ("choosing", ["blue", "red"])
    assert play.view["battle"]["hannibal"] is False
    assert play.refused("defend", "red", piece="hannibal") == ("settled", "H-11")
    play.undo()
    play.ok("defend", "red", piece="hannibal")
    assert play.view["battle"]["hannibal"] is True


def test_said_anew_before_each_exchange_while_both_are_there() -> None:
    play = attacked()
    receipt = exchange(play, 2, 1, "hannibal")  # 1 + 1 is equal: both go
    assert codes(receipt) == ["exchange", "battle_won"]
    play = attacked()
    receipt = exchange(play, 4, 1, "legion")
    assert codes(receipt) == ["exchange", "who_fights"]
    assert facts(receipt, "exchange")["removed"] == {"red": "legion"}
    assert (play.view["phase"], play.view["battle"]["hannibal"]) == ("declaring", None)
    receipt = exchange(play, 5, 3, "hannibal")
    assert codes(receipt) == ["exchange", "fights"]  # the other one fights unasked
    assert region(play, "gallia") == (1, 1, False)
    assert (play.view["phase"], play.view["battle"]["hannibal"]) == ("choosing", False)
    assert play.refused("defend", "red", piece="hannibal") == ("settled", "H-11")
    assert facts(exchange(play, 3, 2), "exchange")["removed"] == {"red": "legion"}


def test_once_a_battle_then_the_other_unasked() -> None:
    play = attacked(hannibal_choice="battle")
    receipt = exchange(play, 5, 1, "legion")
    assert codes(receipt) == ["exchange", "fights"]
    assert facts(receipt, "fights")["piece"] == "legion"
    assert (play.view["phase"], play.view["battle"]["hannibal"]) == ("choosing", False)
    receipt = exchange(play, 4, 2)
    assert facts(receipt, "fights")["piece"] == "hannibal"  # no legion is left there
    assert (region(play, "gallia"), play.view["battle"]["hannibal"]) == ((1, 0, True), True)
    receipt = exchange(play, 3, 3)
    assert facts(receipt, "exchange")["removed"] == {"blue": "legion"}


def test_once_a_battle_hannibal_first() -> None:
    play = attacked(hannibal_choice="battle")
    receipt = exchange(play, 5, 1, "hannibal")
    assert facts(receipt, "exchange")["removed"] == {"red": "hannibal"}
    assert facts(receipt, "fights")["piece"] == "legion"
    receipt = exchange(play, 4, 2)
    assert codes(receipt) == ["exchange"]
    assert codes(exchange(play, 3, 3)) == ["exchange", "battle_over"]


def test_said_for_one_battle_not_for_the_next() -> None:
    play = attacked(hannibal_choice="battle")
    exchange(play, 1, 2, "legion")
    go(play, "carthago mauretania")
    assert codes(go(play, "rome gallia"))[-1] == "who_fights"


@pytest.mark.parametrize(
    ("blue", "red", "removed"),
    [
        (1, 1, {"blue"}),
        (2, 1, {"blue", "red"}),
        (3, 1, {"red"}),
        (5, 5, {"blue"}),
        (5, 4, {"blue", "red"}),
        (5, 3, {"red"}),
    ],
)
def test_hannibals_card_counts_one_more(blue: int, red: int, removed: set[str]) -> None:
    play = table("rome 2 hispania_n", "h:gallia carthago zama")
    assert codes(go(play, "hispania_n gallia")) == ["moved", "battle", "fights"]  # alone: nothing to say
    assert set(facts(exchange(play, blue, red), "exchange")["removed"]) == removed


def test_a_legion_that_stands_with_hannibal_has_no_bonus() -> None:
    play = attacked()
    assert facts(exchange(play, 3, 3, "legion"), "exchange")["removed"] == {"blue": "legion", "red": "legion"}


def test_defend_when_nobody_is_asked() -> None:
    play = table("rome 2 hispania_n", "h:gallia carthago zama")
    assert play.refused("defend", "red", piece="hannibal") == ("not_now", "T-1")
    go(play, "hispania_n gallia")
    assert play.refused("defend", "red", piece="hannibal") == ("settled", "H-11")


# -- contests and conditions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "hannibal", "values", "left", "nearest"),
    [
        ((3, 2), False, (3, 2), "blue", ("red", 4)),
        ((3, 3), False, (3, 3), "blue red", ("blue", 4)),  # equal changes: the first in header order
        ((5, 5), False, (5, 5), "blue red", None),
        ((1, 5), False, (1, 5), "red", None),
        ((4, 5), False, (4, 5), "red", None),
        ((3, 3), True, (3, 4), "red", ("blue", 5)),
        ((4, 3), True, (4, 4), "blue red", ("blue", 5)),
        ((5, 4), True, (5, 5), "blue red", ("red", 6)),
        ((5, 1), True, (5, 2), "blue", ("red", 6)),
        ((2, 4), True, (2, 5), "red", None),
    ],
)
def test_an_exchange_is_a_contest(
    cards: tuple[int, int], hannibal: bool, values: tuple[int, int], left: str, nearest: tuple[str, int] | None
) -> None:
    piece = "h:gallia" if hannibal else "gallia"
    play = table("rome 2", f"{piece} carthago", "blue")
    go(play, "rome gallia")
    told = exchange(play, *cards).rulings[0]
    rule = "H-12" if hannibal else "H-9"
    assert told.rule == rule
    assert as_json(told.facts["contest"]) == {
        "for": "exchange",
        "steps": [{
            "by": "card", "rule": rule, "best": "highest",
            "values": dict(zip(("blue", "red"), values, strict=True)), "left": left.split(),
        }],
        "winners": left.split(),
        "nearest": nearest and dict(zip(("seat", "value"), nearest, strict=True)),
    }  # fmt: skip


def conditions(receipt: Receipt, code: str) -> list[tuple[str, bool, Any]]:
    return [(one.rule, one.holds, one.by) for one in facts(receipt, code)["conditions"]]


def sentences(receipt: Receipt, code: str) -> list[str]:
    return [held(Tongue(), one).text for one in facts(receipt, code)["conditions"]]


def test_a_turn_tells_what_control_still_lacks() -> None:
    play = table("mauretania rome", "carthago")
    receipt = go(play, "rome gallia")
    assert conditions(receipt, "moved") == [
        ("H-14", False, {"sardinia": 0}),
        ("H-14", True, {"hispania_s": 0, "mauretania": 1}),
        ("H-14", False, {"zama": 0, "sicilia": 0}),
    ]
    assert sentences(receipt, "moved") == [
        "Not yet a win: Rome has no legion in Sardinia.",
        "Rome holds Mauretania.",
        "Not yet a win: Rome has no legion in Zama or Sicilia.",
    ]
    assert sentences(go(play, "carthago zama"), "moved")[0] == "Not yet a win: Carthage has no legion in Corsica."


def test_control_is_weighed_where_the_turn_ends_and_not_within_a_battle() -> None:
    play = table("rome gallia", "hispania_n 2 carthago")
    assert "conditions" not in facts(go(play, "gallia hispania_n"), "moved")
    assert "conditions" not in facts(exchange(play, 3, 2), "exchange")
    assert len(conditions(exchange(play, 5, 4), "battle_won")) == 3


def test_a_win_by_control_tells_all_three_regions() -> None:
    play = table("sardinia hispania_s cannae cannae-sicilia", "carthago")
    assert sentences(go(play, "cannae sicilia"), "mediterranean") == [
        "Rome holds Sardinia.", "Rome holds Hispania S.", "Rome holds Sicilia.",
    ]  # fmt: skip


def test_a_capital_is_not_defended() -> None:
    play = table("zama rome", "carthago 5")
    receipt = go(play, "zama carthago")
    assert say(receipt.rulings[-1]) == (
        "Blue enters Carthago, the enemy capital, and wins at once; no battle is fought for a capital."
    )
    assert conditions(receipt, "capital") == [("H-13", True, "carthago")]


def test_the_end_tells_what_each_side_has_left() -> None:
    play = table("gallia", "hispania_n h:carthago carthago")
    go(play, "gallia hispania_n")
    receipt = exchange(play, 1, 2)
    assert sentences(receipt, "no_legions") == ["Blue has no legion left.", "Red still has 3 legions."]
    play = table("corsica sardinia", "carthago", "red")
    receipt = go(play, "carthago zama")
    assert conditions(receipt, "no_move") == [("H-16", False, 0), ("H-16", False, ())]
    assert sentences(receipt, "no_move")[0] == "Blue has no fleet left."


def test_the_core_tells_which_regions_and_how_many_chips() -> None:
    play = table("rome 2", "carthago gallia sicilia", core_control=True, chips=(7, 0))
    assert sentences(go(play, "rome cannae"), "no_chip") == ["Blue controls no core region."]
    receipt = go(play, "carthago zama")
    assert sentences(receipt, "chip") == [
        "Red controls three or more core regions: Sicilia, Hispania N and Hispania S.",
        "Not yet a win: Red has 1 of 8 chips.",
    ]
    assert conditions(receipt, "moved")[0][0] == "H-14"
    play = table("sardinia hispania_s zama rome", "carthago gallia", core_control=True, chips=(7, 0))
    assert conditions(go(play, "rome cannae"), "eight_chips") == [("H-18", True, 8)]


# -- the end ----------------------------------------------------------------------------------------------------


def test_a_legion_that_enters_the_capital_wins_without_a_battle() -> None:
    play = table("mauretania", "carthago 5 h:carthago")
    receipt = go(play, "mauretania carthago")
    assert codes(receipt) == ["moved", "capital"]
    assert play.view["result"] == {
        "winners": ["blue"], "scores": {"blue": 1, "red": 0}, "places": {"blue": 1, "red": 2},
        "unconfirmed_board": True,
    }  # fmt: skip
    assert (play.view["turn"], play.view["waiting"], play.view["battle"]) == (None, [], None)
    assert cannot(play, "carthago mauretania", seat="red") == ("not_now", "T-1")
    assert play.refused("reveal") == ("not_now", "T-1")
    play.undo()
    assert (play.view["result"], play.view["turn"]) == (None, "blue")


def test_hannibal_before_the_gates_and_over_them() -> None:
    play = table("rome 7 rome-corsica", "h:gallia", "red")
    assert codes(go(play, "gallia rome", "hannibal")) == ["moved", "capital"]
    assert winners(play) == ["red"]


def test_a_legion_enters_the_capital_by_sea_too() -> None:
    play = table("rome", "h:carthago corsica rome-corsica", "red")
    go(play, "corsica rome")
    assert winners(play) == ["red"]


@pytest.mark.parametrize(
    ("red", "regions"),
    [
        ("corsica hispania_n sicilia", ("corsica", "hispania_n", "sicilia")),
        ("corsica gallia cannae", ("corsica", "gallia", "cannae")),
        ("corsica h:gallia cannae sicilia", ("corsica", "gallia", "sicilia")),
        ("sardinia gallia cannae", None),
        ("corsica hispania_s cannae", None),
        ("corsica gallia zama", None),
    ],
)
def test_carthage_controls_the_mediterranean(red: str, regions: tuple[str, ...] | None) -> None:
    play = table("rome", f"{red} carthago", "red")
    receipt = go(play, "carthago mauretania")
    assert play.view["over"] is bool(regions)
    if regions:
        assert facts(receipt, "mediterranean")["regions"] == regions


@pytest.mark.parametrize(("hispania", "wins"), [("hispania_s", False), ("mauretania", True), ("hispania_n", True)])
def test_the_north_as_the_text_prints_it(hispania: str, wins: bool) -> None:
    play = table(f"sardinia {hispania} sicilia rome", "carthago", rome_hispania="north")
    go(play, "rome gallia")
    assert play.view["over"] is wins


def test_control_counts_only_at_the_end_of_ones_own_turn() -> None:
    play = table("sardinia mauretania zama rome 2", "h:carthago carthago", "red")
    go(play, "carthago zama", "hannibal")
    exchange(play, 5, 1)  # Hannibal falls: Rome controls, but it is Carthage's turn that ends
    assert not play.view["over"]
    assert codes(go(play, "rome gallia"))[-1] == "mediterranean"


def test_control_after_a_battle_that_the_mover_loses() -> None:
    play = table("sardinia mauretania zama rome 2", "gallia carthago")
    go(play, "rome gallia")
    assert codes(exchange(play, 1, 2)) == ["exchange", "battle_won", "mediterranean"]
    assert winners(play) == ["blue"]


def test_without_legions_a_side_loses_and_fleets_do_not_save_it() -> None:
    play = table("gallia rome-corsica 3", "hispania_n 3 h:carthago")
    go(play, "gallia hispania_n")
    receipt = exchange(play, 1, 2)
    assert codes(receipt) == ["exchange", "no_legions"]
    assert (winners(play), facts(receipt, "no_legions")["loser"]) == (["red"], "blue")


def test_hannibal_is_a_legion_and_the_last_one() -> None:
    play = table("gallia 2", "hispania_n h:carthago", "red")
    go(play, "hispania_n gallia")
    exchange(play, 2, 1)
    assert not play.view["over"]
    play = table("gallia 2", "h:hispania_n", "red")
    go(play, "hispania_n gallia", "hannibal")
    assert codes(exchange(play, 5, 1)) == ["exchange", "no_legions"]
    assert winners(play) == ["blue"]


def test_a_side_that_cannot_move_loses_even_if_the_other_could_not_either() -> None:
    play = table("sicilia cannae-sicilia", "corsica 2 rome-corsica")
    go(play, "cannae-sicilia rome-corsica")
    receipt = exchange(play, 3, 3)  # no fleet is left, and all legions sit on islands
    assert codes(receipt) == ["exchange", "battle_over", "no_move"]
    assert (winners(play), facts(receipt, "no_move")["loser"]) == (["blue"], "red")


def test_a_fleet_or_a_neighbour_is_a_move() -> None:
    for stuck in ("corsica sicilia-zama", "corsica gallia"):
        play = table("rome 2", f"{stuck} h:carthago")
        go(play, "rome cannae")
        assert play.view["turn"] == "red"


# -- core control -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blue", "red", "own", "theirs"),
    [
        ("corsica", "corsica", "corsica", "corsica sardinia"),
        ("sardinia", "sardinia", "corsica sardinia", "sardinia"),
        ("sicilia", "sicilia", "sicilia", "sicilia"),
        ("zama", "cannae", "sicilia", "sicilia"),
        ("hispania_n", "hispania_n", "hispania_n", "hispania_n hispania_s"),
        ("hispania_s", "hispania_s", "hispania_n hispania_s", "hispania_s"),
        ("mauretania", "gallia", "hispania_n hispania_s", "hispania_n hispania_s"),
        ("gallia cannae", "mauretania zama", "", ""),
        ("rome", "h:gallia", "", "hispania_n hispania_s"),
    ],
)
def test_the_core(blue: str, red: str, own: str, theirs: str) -> None:
    play = table(f"{blue} rome-corsica", f"{red} carthago", core_control=True)  # a fleet moves: no legion does
    receipt = go(play, "rome-corsica corsica-sardinia")
    assert set(facts(receipt, "no_chip")["own"]) == set(own.split())
    assert set(facts(receipt, "no_chip")["theirs"]) == set(theirs.split())


def test_three_core_regions_earn_a_chip_and_send_the_others_back() -> None:
    play = table("rome sardinia hispania_s", "corsica carthago gallia 2", core_control=True, chips=(2, 5))
    receipt = go(play, "rome cannae")
    assert facts(receipt, "chip")["back"] == 5
    assert say(receipt.rulings[-1]).endswith("now 3 of 8; Red gives back all 5 chips.")
    assert play.view["chips"] == {"blue": 3, "red": 0}
    receipt = go(play, "carthago zama")
    assert {key: of for key, of in facts(receipt, "chip").items() if key != "conditions"} == {
        "seat": "red", "enemy": "blue", "count": 1, "back": 3, "chips": {"blue": 0, "red": 1},
        "own": ["corsica", "sardinia", "hispania_n", "hispania_s"],
        "theirs": ["corsica", "sardinia", "hispania_n", "hispania_s"],
    }  # fmt: skip


def test_three_are_enough_and_two_are_not() -> None:
    play = table("rome 2 sardinia", "carthago", core_control=True)
    assert facts(go(play, "rome cannae"), "no_chip")["own"] == ["corsica", "sardinia"]
    play = table("rome 2 sardinia hispania_n", "carthago", core_control=True)
    assert facts(go(play, "rome cannae"), "chip")["own"] == ["corsica", "sardinia", "hispania_n"]
    assert play.view["chips"] == {"blue": 1, "red": 0}


def test_a_turn_without_three_loses_nothing() -> None:
    play = table("rome 2 sardinia", "carthago", core_control=True, chips=(7, 0))
    assert "no_chip" in codes(go(play, "rome cannae"))
    go(play, "carthago zama")
    assert play.view["chips"] == {"blue": 7, "red": 0}


def test_eight_chips_win_before_the_mediterranean_does() -> None:
    play = table("sardinia hispania_s zama rome", "carthago gallia", core_control=True, chips=(7, 0))
    assert codes(go(play, "rome cannae")) == ["moved", "chip", "eight_chips"]
    assert (winners(play), play.view["chips"]) == (["blue"], {"blue": 8, "red": 0})
    play.undo()
    assert play.view["chips"] == {"blue": 7, "red": 0}


def test_a_chip_and_then_the_mediterranean() -> None:
    play = table("sardinia hispania_s zama rome", "carthago gallia", core_control=True)
    assert codes(go(play, "rome cannae")) == ["moved", "chip", "mediterranean"]


def test_the_mover_who_wins_by_the_last_legion_takes_no_chip() -> None:
    play = table("sardinia hispania_s gallia", "hispania_n", core_control=True)
    go(play, "gallia hispania_n")
    assert codes(exchange(play, 2, 1)) == ["exchange", "no_legions"]
    assert play.view["chips"] == {"blue": 0, "red": 0}


# -- the board --------------------------------------------------------------------------------------------------


def changed(**more: Any) -> Any:
    return {key: value for key, value in (shipped("hannibal") | more).items() if value is not None}


SEA = [["rome", "corsica"], ["corsica", "sardinia"], ["sardinia", "carthago"], ["cannae", "sicilia"]]


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("map", ()),
        ([], ()),
        (changed(land=None), ("land",)),
        (changed(sea=None), ("sea",)),
        (changed(land="rome-gallia"), ("land",)),
        (changed(lnad=[]), ("lnad",)),
        (changed(confirmed="yes"), ("confirmed",)),
        (changed(confirmed=1), ("confirmed",)),
        (changed(land=[["rome", "galia"]]), ("land", 0)),
        (changed(land=[["rome", "gallia"], ["rome"]]), ("land", 1)),
        (changed(land=[["rome", "rome"]]), ("land", 0)),
        (changed(land=[["rome", ["gallia"]]]), ("land", 0)),
        (changed(land=["rome"]), ("land", 0)),
        (changed(sea=SEA), ("sea",)),
        (changed(sea=[*SEA, ["sicilia", "zama"], ["sicilia", "rome"]]), ("sea",)),
        (changed(sea=[*SEA, ["sicilia", "cannae"]]), ("sea", 4)),
        (changed(sea=[*SEA, 3]), ("sea", 4)),
        (changed(sea=[*SEA[1:], ["sicilia", "zama"], ["cannae", "corsica"]]), ("sea",)),
        (changed(sea=[*SEA[:2], *SEA[3:], ["sicilia", "zama"], ["cannae", "corsica"]]), ("sea",)),
    ],
)
def test_a_wrong_board_says_where(data: Any, path: tuple[Any, ...]) -> None:
    with pytest.raises(Mistakes) as caught:
        read_board(data)
    assert [mistake.path for mistake in caught.value.found] == [path]


def test_all_mistakes_of_a_board_at_once() -> None:
    with pytest.raises(Mistakes) as caught:
        read_board({"land": [["rome", "galia"], ["zama"]], "sea": [["rome", "corsica"]], "size": 3, "confirmed": None})
    assert [mistake.path for mistake in caught.value.found] == [
        ("size",), ("confirmed",), ("land", 0), ("land", 1), ("sea",), ("sea",),
    ]  # fmt: skip
    assert "did you mean 'gallia'?" in str(caught.value)


def test_links_either_way_round_and_routes_by_the_order_of_the_board() -> None:
    board = {
        "land": [["gallia", "rome"], ["rome", "gallia"]],
        "sea": [
            ["corsica", "rome"],
            ["carthago", "sardinia"],
            ["zama", "sicilia"],
            ["rome", "zama"],
            ["gallia", "rome"],
        ],
        "confirmed": True,
    }
    play = Play("hannibal", SEATS, board=board)
    assert play.view["routes"]["corsica-rome"] == {"blue": 3, "red": 0}
    with pytest.raises(Mistakes):
        play("move", "blue", piece="fleet", **{"from": "rome-corsica", "to": "zama-sicilia"})
    go(play, "corsica-rome gallia-rome")
    assert cannot(play, "carthago zama") == ("reach", "H-5")
    go(play, "carthago-sardinia rome-zama")
    receipt = go(play, "rome gallia")  # by land, though a fleet stands by
    assert "route" not in facts(receipt, "moved")
    assert sum(len(moves) for moves in play.session.legal()) == len(
        {event for moves in play.session.legal() for event in moves}
    )
    go(play, "carthago sardinia")
    go(play, "gallia rome")
    go(play, "sardinia carthago")
    assert not play.view["over"]
    assert say(play("move", "red", piece="fleet", **{"from": "rome-zama", "to": "rome"}).rulings[0])


# -- hardware ---------------------------------------------------------------------------------------------------


def test_a_card_on_a_reader_is_chosen_while_choosing() -> None:
    play = table("gallia rome", "hispania_n 3 carthago")
    card = DECK["blue 4"]
    assert play.session.read(Laid("centre", card)) is None
    go(play, "gallia hispania_n")
    assert play.session.read(Laid("centre", card)) == Choose("blue", card)
    assert play.session.read(Laid("blue", card)) == Choose("blue", card)
    assert play.session.read(Laid("centre", DECK["red 12"])) == Choose("red", DECK["red 12"])
    assert play.session.read(Pressed("blue", False)) is None
    for reader, stranger in (("red", "blue 4"), ("centre", "green 4")):
        with pytest.raises(Refused):
            play.session.read(Laid(reader, DECK[stranger]))


# -- laws over random play --------------------------------------------------------------------------------------


def every_event(board: Any) -> Iterator[Any]:
    """All that the codec can read."""
    places = (*REGIONS, *board.routes)
    yield from (Move(*each) for each in product(("blue", "red"), PIECES, places, places))
    yield from (Defend(*each) for each in product(("blue", "red"), PIECES))
    yield from (Choose(*each) for each in product(("blue", "red"), DECK.values()))
    yield from (Reveal(), Reveal({"blue": 40}))


@pytest.mark.parametrize("options", OPTIONS)
def test_legal_and_apply_agree_on_every_event_there_is(options: dict[str, Any]) -> None:
    header = random_table(GAME, 2, options)
    universe, rng = list(every_event(header.setup.board)), Random(7)
    for number, (session, _) in enumerate(playout(header, rng)):
        if number % 37:
            continue
        accepted = {repr(event) for event in universe if judge(GAME, session.state, event)[0]}
        listed = [repr(event) for moves in session.legal() for event in moves]
        assert len(listed) == len(set(listed))
        assert accepted - {repr(Reveal({"blue": 40}))} == set(listed)
        assert bool(listed) is not session.view()["over"]


@pytest.mark.parametrize("options", OPTIONS)
def test_pieces_leave_only_by_exchanges_and_hands_fill_up_at_five(options: dict[str, Any]) -> None:
    for seed in range(6):
        left, spent, before = {"blue": 10, "red": 9}, 0, None
        for session, receipt in playout(random_table(GAME, 2, options), Random(seed)):
            if receipt.verb == "reveal":
                spent = (spent + 1) % 5
                for side in facts(receipt, "exchange")["removed"]:
                    left[side] -= 1
                assert ("cards_back" in codes(receipt)) is (spent == 0)
            view: Any = session.view()
            assert counted(view) == left
            assert view["hand_sizes"] == dict.fromkeys(left, 5 - spent)
            if view["battle"]:
                here = (view["regions"] | view["routes"])[view["battle"]["place"]]
                mover = view["battle"]["mover"]
                assert here[mover] + (mover == "red" and here.get("hannibal", False)) == 1
            assert session.state != before
            before = session.state if receipt.verb != "choose" else None
            assert all(clause(GAME, ruling.rule) and say(ruling) for ruling in receipt.rulings)
        assert session.view()["over"]


def counted(view: Mapping[str, Any]) -> dict[str, int]:
    places = [*view["regions"].values(), *view["routes"].values()]
    return {
        "blue": sum(place["blue"] for place in places),
        "red": sum(place["red"] + place.get("hannibal", False) for place in places),
    }


@pytest.mark.parametrize("options", OPTIONS)
def test_nobody_wins_with_a_move_that_the_table_was_not_told_of(options: dict[str, Any]) -> None:
    ends = 0
    for seed in range(8):
        near: Sequence[str] = ()
        for session, receipt in playout(random_table(GAME, 2, options), Random(seed)):
            won = {"capital", "mediterranean", "eight_chips"} & {*codes(receipt)}
            ends += bool(won)
            assert not won or session.state.winners[0] in near
            if session.state.phase == "moving":  # a battle belongs to the move that began it
                derived: Any = GAME.derived(session.state)
                near = derived["a_move_away"]
    assert ends


def test_undo_gives_back_the_very_states() -> None:
    header = random_table(GAME, 2, OPTIONS[-1])
    session, states = Session(header.game, header.setup), []
    for _, receipt in playout(header, Random(3)):
        states.append(session.state)
        assert receipt.event
        session.receive(receipt.event)
    for state in reversed(states):
        session.receive(Undo())
        assert session.state is state
    assert not session.receive(Undo()).ok


def test_a_sealed_card_shows_nowhere() -> None:
    for seed in range(4):
        for session, _ in playout(random_table(GAME, 2, OPTIONS[seed * 2]), Random(seed)):
            state = session.state
            if not state.choices:
                continue
            other = replace(state, choices={side: state.hands[side][-1] for side in state.choices})
            assert GAME.view(other) == GAME.view(state)
            for event in (move.pick(Random(1).choice) for move in GAME.legal(state) if move.event is not Reveal):
                heard = [judge(GAME, each, event) for each in (state, other)]
                assert heard[0][2] == heard[1][2]
                assert GAME.view(heard[0][1]) == GAME.view(heard[1][1])


def test_nobody_begins_with_chips() -> None:
    for chosen, chips in ((True, {"blue": 0, "red": 0}), (False, None)):
        assert Play("hannibal", "blue red", options={"core_control": chosen}).view["chips"] == chips
