"""Prokonsul's page, clause by clause; the numbered checks at its end come first."""

from typing import Any

import pytest

from companion.answers.why import held
from companion.rules import as_json
from companion.rules.words import Tongue, say
from companion.session.receipt import Receipt
from tests.support.playing import BOARD, Play, codes, facts
from tests.support.prokonsul import FOUR, THREE, ask, cards, in_vain, table

FIVE = "red blue green yellow purple"


def win(play: Play, seat: str) -> Receipt:
    """A round that `seat` wins: everybody plays their lowest card, the winner the highest, and the others say yes."""
    for other in play.header.seats:
        hand = play.private(other)["hand"]
        play.ok("choose", other, card=hand[-1] if other == seat else hand[0])
    receipt = play.ok("reveal")
    while play.view["phase"] == "pleading":
        pleader = play.view["pleader"]
        receipt = ask(play, play.view["can_ask"][0], accept=pleader == seat)
    assert facts(receipt, codes(receipt)[0])
    return receipt


# -- the checks of the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "total", "target", "alone"), [("12 6 5", 23, 12, True), ("12 7 5", 24, 13, False), ("1 1 1", 3, 2, False)]
)
def test_check_1_a_card_that_reaches_the_target_alone_wins_at_once(
    ranks: str, total: int, target: int, alone: bool
) -> None:
    play = table()
    receipt = cards(play, ranks)
    assert (facts(receipt, "revealed")["total"], facts(receipt, "revealed")["target"]) == (total, target)
    assert ("alone" in codes(receipt)) is alone
    if alone:
        assert play.view["row"] == THREE.split()  # no plea, no pawn moves
        assert play.view["provinces"]["a"]["candidates"] == ["red"]
        assert (play.view["played"], play.view["target"]) == ({}, None)
    else:
        assert play.view["phase"] == "pleading"


def test_check_2_a_tie_moves_the_pawn_of_the_one_who_gets_the_plea() -> None:
    play = table()
    cards(play, "5 9 5")
    assert (play.view["pleader"], play.view["row"]) == ("blue", ["red", "blue", "green"])
    receipt = in_vain(play)
    assert facts(receipt, "tie")["tied"] == ["red", "green"]
    assert (play.view["pleader"], play.view["row"]) == ("red", ["blue", "green", "red"])
    in_vain(play)
    assert (play.view["pleader"], play.view["row"]) == ("green", ["blue", "green", "red"])
    assert play.view["pleaded"] == ["blue", "red"]


def test_check_3_a_rival_who_has_given_up_his_card_is_no_longer_one() -> None:
    play = table(FOUR)
    receipt = cards(play, "5 9 5 12")
    assert (facts(receipt, "revealed")["total"], play.view["target"]) == (31, 16)
    in_vain(play)
    assert play.view["pleader"] == "blue"
    ask(play, "red", accept=True)
    assert play.view["holds"]["blue"] == ["blue 9", "red 5"]
    ask(play, "green")
    receipt = ask(play, "yellow")
    assert "plea_failed" in codes(receipt) and "tie" not in codes(receipt)
    assert (play.view["pleader"], play.view["row"]) == ("green", FOUR.split())


def test_check_4_of_three_tied_two_pawns_move_and_the_first_pleader_wins() -> None:
    play = table()
    cards(play, "7 7 7")
    assert (play.view["pleader"], play.view["row"]) == ("red", ["blue", "green", "red"])
    in_vain(play)
    assert (play.view["pleader"], play.view["row"]) == ("blue", ["green", "red", "blue"])
    in_vain(play)
    assert (play.view["pleader"], play.view["row"]) == ("green", ["green", "red", "blue"])
    ask(play, "red")
    receipt = ask(play, "blue")
    assert facts(receipt, "first_pleader")["seat"] == "red"
    assert play.view["provinces"]["a"]["candidates"] == ["red"]


def test_check_5_the_first_pleader_wins_even_without_a_card() -> None:
    play = table(FIVE)
    cards(play, "9 8 7 6 5")
    in_vain(play)
    assert (play.view["pleader"], play.view["first_pleader"]) == ("blue", "red")
    ask(play, "red", accept=True)
    assert play.view["holds"]["red"] == []
    for seat in ("green", "yellow", "purple"):
        receipt = ask(play, seat)
    while play.view["phase"] == "pleading":
        assert "red" not in play.view["can_ask"]  # no cards, nobody to ask
        receipt = in_vain(play) if len(play.view["pleaded"]) < 4 else ask(play, play.view["can_ask"][0])
    assert facts(receipt, "first_pleader")["seat"] == "red"


def test_check_6_with_all_counters_out_nothing_is_put_but_a_governor_can_be_made() -> None:
    play = table()
    for province in "bcdef":
        win(play, "red")
        play.ok("province", "red", province=province)
    assert play.view["counters"]["red"] == 0
    receipt = win(play, "red")
    assert "no_counter" in codes(receipt)
    assert play.view["provinces"]["f"]["candidates"] == []
    assert (play.view["turn"], play.view["waiting"], play.view["phase"]) == ("red", ["red"], "province")
    play.ok("province", "red", province="a")
    receipt = win(play, "red")
    assert play.view["provinces"]["a"]["governor"] == "red"
    assert play.view["counters"]["red"] == 0
    assert play.private("red")["chips"] == 20 + 10


# -- set-up and rounds ------------------------------------------------------------------------------------------


def test_setup_is_a_full_hand_twenty_chips_and_five_counters() -> None:
    play = Play("prokonsul", THREE, board=BOARD)
    assert play.view["phase"] == "pawns" and play.view["round"] is None and play.view["row"] == []
    assert play.private("blue") == {
        "chips": 20, "choice": None, "hand": [f"blue {rank}" for rank in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12)],
    }  # fmt: skip
    assert play.view["counters"] == dict.fromkeys(THREE.split(), 5)


def test_the_row_has_each_pawn_once() -> None:
    play = Play("prokonsul", THREE, board=BOARD)
    for order in (["red", "blue"], ["red", "red", "blue"], ["red", "blue", "green", "red"], []):
        assert play.refused("pawns", order=order) == ("order", "P-3")
    assert play.refused("province", province="a") == ("not_now", "T-1")
    play.ok("pawns", order=["green", "red", "blue"])
    assert play.view["row"] == ["green", "red", "blue"]
    assert play.refused("pawns", order=["green", "red", "blue"]) == ("not_now", "T-1")


def test_the_first_province_is_the_tables_and_names_no_seat() -> None:
    play = Play("prokonsul", THREE, board=BOARD)
    play.ok("pawns", order=THREE.split())
    assert (play.view["turn"], play.view["waiting"], play.view["province"]) == (None, [], None)
    assert play.refused("province", "red", province="a") == ("agree", "P-4")
    play.ok("province", province="a")
    assert (play.view["phase"], play.view["round"], play.view["province"]) == ("choosing", 1, "a")


@pytest.mark.parametrize(
    ("seat", "card", "expected"),
    [
        ("red", "blue 7", ("colour", "T-2")),
        ("red", "red 10", ("card", "T-2")),
        ("red", "red flag", ("card", "T-2")),
        ("red", "red 12", ("played", "T-2")),
    ],
)
def test_a_card_counts_only_in_its_seats_hand(seat: str, card: str, expected: tuple[str, str]) -> None:
    play = table()
    cards(play, "12 1 1")
    play.ok("province", "red", province="b")
    assert play.refused("choose", seat, card=card) == expected


def test_a_choice_may_change_until_the_reveal_and_counts_in_the_hand_until_then() -> None:
    play = table()
    play.ok("choose", "red", card="red 7")
    play.ok("choose", "red", card="red 7")
    play.ok("choose", "red", card="red 9")
    assert play.private("red")["choice"] == "red 9"
    assert {"red 7", "red 9"} <= set(play.private("red")["hand"])
    assert (play.view["chosen"], play.view["waiting"]) == (["red"], ["blue", "green"])
    assert play.refused("reveal") == ("missing", "P-5")
    play.undo()
    assert play.private("red")["choice"] == "red 7"


def test_twelve_beats_nine_and_the_reveal_spends_the_cards() -> None:
    play = table()
    cards(play, "9 12 8")
    assert play.view["pleader"] == "blue"
    assert play.view["played"] == {"red": "red 9", "blue": "blue 12", "green": "green 8"}
    assert (play.view["total"], play.view["target"], play.view["chosen"]) == (29, 15, [])
    assert "red 9" not in play.private("red")["hand"]


def test_every_ten_rounds_the_cards_come_back_undecided_rounds_count() -> None:
    play = table(negotiation="free", no_decision=True)
    for round_ in range(1, 11):
        assert play.view["round"] == round_
        receipt = cards(play, " ".join([str((1, 2, 3, 4, 5, 6, 7, 8, 9, 12)[round_ - 1])] * 3))
        receipt = play.ok("no_decision")
    assert "cards_back" in codes(receipt)
    assert (play.view["round"], len(play.private("red")["hand"]), play.view["province"]) == (11, 10, "a")


# -- pleading ---------------------------------------------------------------------------------------------------


def test_an_offer_goes_to_one_other_seat_with_cards_not_yet_asked() -> None:
    play = table(FOUR)
    cards(play, "5 9 1 12")
    assert play.refused("offer", "blue", to="red", chips=0) == ("turn", "T-1")
    assert play.refused("offer", "yellow", to="yellow", chips=0) == ("self", "P-10")
    assert play.refused("answer", "red", accept=True) == ("not_now", "T-1")
    assert play.refused("choose", "red", card="red 1") == ("not_now", "T-1")
    ask(play, "blue")
    assert play.refused("offer", "yellow", to="blue", chips=0) == ("asked", "P-12")
    play.ok("offer", "yellow", to="red", chips=1)
    assert play.refused("answer", "green", accept=True) == ("turn", "T-1")
    assert play.refused("offer", "yellow", to="red", chips=2) == ("not_now", "T-1")
    assert (play.view["turn"], play.view["waiting"], play.view["can_ask"]) == ("red", ["red"], ["green"])
    play.ok("answer", "red", accept=False)
    ask(play, "green", accept=True)
    assert (play.view["pleader"], play.view["pleaded"]) == ("blue", ["yellow"])
    assert play.view["can_ask"] == ["red", "yellow"]
    assert play.refused("offer", "blue", to="green", chips=0) == ("no_cards", "P-13")


def test_yes_pays_at_once_and_hands_over_every_card() -> None:
    play = table(FOUR)
    cards(play, "5 9 5 12")
    receipt = ask(play, "blue", accept=True, chips=7)  # 21 of 16: won on the spot
    assert codes(receipt)[:2] == ["accepted", "reached"]
    assert (play.private("yellow")["chips"], play.private("blue")["chips"]) == (13, 27)
    assert play.view["provinces"]["a"]["candidates"] == ["yellow"]


def test_nobody_pays_more_than_he_owns_and_the_refusal_does_not_say_how_much_that_is() -> None:
    play = table()
    cards(play, "5 9 5")
    receipt = play("offer", "blue", to="red", chips=21)
    assert not receipt.ok
    assert receipt.rulings[0].facts == {"seat": "blue", "chips": 21}
    assert (receipt.rulings[0].code, receipt.rulings[0].rule) == ("balance", "P-10")
    play.ok("offer", "blue", to="red", chips=20)
    play.ok("answer", "red", accept=False)
    assert play.private("blue")["chips"] == 20  # no: nothing is paid


def test_cards_bought_stay_with_a_failed_pleader_and_go_on_together() -> None:
    play = table(FIVE)
    cards(play, "9 8 7 6 5")  # 35, target 18
    ask(play, "purple", accept=True)
    for seat in ("blue", "green", "yellow"):
        ask(play, seat)
    assert play.view["holds"]["red"] == ["red 9", "purple 5"]
    ask(play, "green", accept=True)
    receipt = ask(play, "red", accept=True)
    assert facts(receipt, "accepted")["cards"] == [9, 5]
    assert facts(receipt, "reached")["held"] == 29
    assert play.view["provinces"]["a"]["candidates"] == ["blue"]


def test_two_way_the_offer_may_be_replaced_but_only_to_the_same_seat() -> None:
    play = table(negotiation="two_way")
    cards(play, "5 9 5")
    play.ok("offer", "blue", to="red", chips=1, promise="sicilia")
    assert play.view["waiting"] == ["red", "blue"]
    assert play.refused("offer", "blue", to="green", chips=1) == ("same_seat", "P-23")
    assert play.refused("offer", "red", to="blue", chips=1) == ("turn", "T-1")
    assert play.refused("offer", "blue", to="red", chips=21) == ("balance", "P-10")
    receipt = play.ok("offer", "blue", to="red", chips=4)
    assert codes(receipt) == ["replaced"]
    assert say(receipt.rulings[0]) == "Blue changes the offer to Red from 1 chip to 4 chips and takes the promise back."
    assert play.view["offer"] == {"to": "red", "chips": 4, "promise": None}
    play.ok("answer", "red", accept=True)
    assert play.private("red")["chips"] == 24


# -- winning ----------------------------------------------------------------------------------------------------


def test_a_second_win_makes_a_governor_and_sends_the_other_counters_home() -> None:
    play = table()
    win(play, "red")
    play.ok("province", "red", province="b")
    win(play, "blue")
    play.ok("province", "blue", province="a")
    win(play, "blue")
    assert play.view["provinces"]["a"]["candidates"] == ["red", "blue"]
    play.ok("province", "blue", province="b")
    receipt = win(play, "blue")
    assert play.private("blue")["chips"] == 20 + 20
    play.ok("province", "blue", province="a")
    receipt = win(play, "red")
    assert facts(receipt, "governor")["home"] == ["blue"]
    assert play.view["counters"] == {"red": 4, "blue": 4, "green": 5}
    assert play.view["provinces"]["a"] == {"value": 10, "candidates": [], "governor": "red"}
    assert play.private("red")["chips"] == 30
    assert play.refused("province", "red", province="b") == ("closed", "P-17")
    assert play.refused("province", "red", province="a") == ("closed", "P-17")
    assert play.refused("province", "blue", province="c") == ("turn", "P-19")
    assert play.refused("province", province="c") == ("turn", "P-19")


def test_the_black_pawn_must_leave_an_open_province() -> None:
    play = table()
    win(play, "red")
    assert play.refused("province", "red", province="a") == ("same", "P-19")


def govern(play: Play, seat: str, province: str) -> Receipt:
    """Short game: the round is won where the black pawn stands, then it moves on."""
    receipt = win(play, seat)
    if play.view["phase"] == "province":
        play.ok("province", seat, province=province)
    return receipt


def test_a_linked_pair_pays_five_once_whichever_way_it_is_written() -> None:
    play = table(game="short")
    govern(play, "red", "b")
    receipt = govern(play, "red", "c")
    assert codes(receipt).count("link") == 1  # a-b stands twice on the board
    receipt = govern(play, "red", "d")
    assert facts(receipt, "link")["linked"] == "b"
    assert play.private("red")["chips"] == 20 + 10 + 20 + 30 + 5 + 5


def test_short_game_seven_rounds_a_governor_each_and_the_last_province_by_itself() -> None:
    play = table(game="short")
    assert len(play.private("red")["hand"]) == 7
    assert play.refused("choose", "red", card="red 8") == ("card", "T-2")
    for province in "bcdef":
        govern(play, "red", province)
    assert play.view["counters"]["red"] == 0
    receipt = win(play, "red")  # the sixth: only g is left
    assert "last_province" in codes(receipt)
    assert (play.view["phase"], play.view["province"], play.view["round"]) == ("choosing", "g", 7)
    assert play.view["counters"]["red"] == 0  # six governorships, and never below 0
    receipt = win(play, "green")
    assert play.view["over"] and play.view["phase"] == "over"
    assert play.view["result"] == {
        "winners": ["red"],
        "scores": {"red": 20 + 210 + 10, "blue": 20, "green": 90},
        "places": {"red": 1, "blue": 3, "green": 2},
        "unconfirmed_board": False,
    }
    assert play.refused("choose", "red", card="red 1") == ("not_now", "T-1")
    play.undo()
    assert play.view["result"] is None and not play.view["over"]


def test_an_unconfirmed_board_marks_the_result_and_ties_share_the_victory() -> None:
    board = {"provinces": dict.fromkeys("abcdefg", 0), "links": []}
    play = table(game="short", board=board)
    for province in "bcdefg":
        govern(play, "red", province)
    win(play, "red")
    assert play.view["result"] == {
        "winners": ["red", "blue", "green"],
        "scores": {"red": 20, "blue": 20, "green": 20},
        "places": {"red": 1, "blue": 1, "green": 1},
        "unconfirmed_board": True,
    }


def test_two_of_three_share_the_victory_and_one_wins_alone() -> None:
    for best, said in (("c", "share the victory"), ("a", "Red wins.")):
        play = table(game="short", board={"provinces": dict.fromkeys("abcdefg", 0) | {"b": 10, best: 10}, "links": []})
        for province in "bcdefg":
            govern(play, "blue" if play.view["province"] == "c" else "red", province)
        last = win(play, "red").rulings[-1]
        assert play.view["result"]["winners"] == (["red", "blue"] if best == "c" else ["red"])
        assert last.code == "over" and said in say(last)


def agree(play: Play, seat: str) -> Receipt:
    """Free negotiation: everybody agrees that `seat` wins the round."""
    for other in play.header.seats:
        play.ok("choose", other, card=play.private(other)["hand"][0])
    play.ok("reveal")
    return play.ok("coalition", seat, members=list(play.header.seats))


def test_full_game_with_one_open_province_the_pawn_goes_there_and_choosing_begins() -> None:
    play = table(negotiation="free")
    governors = {"red": 0, "blue": 0}
    while sum(governors.values()) < 6:
        seat = "red" if governors["red"] < 3 else "blue"  # five counters do not last for six provinces
        governors[seat] += "governor" in codes(receipt := agree(play, seat))
        if play.view["phase"] == "province":
            others = (name for name in "abcdefg" if name != play.view["province"])
            play.ok("province", seat, province=next(n for n in others if not play.view["provinces"][n]["governor"]))
    (left,) = (name for name, province in play.view["provinces"].items() if not province["governor"])
    assert facts(receipt, "last_province")["province"] == left
    while not play.view["over"]:
        assert (play.view["phase"], play.view["province"]) == ("choosing", left)
        receipt = agree(play, "green")
    assert play.private("red")["chips"] == 20 + 10 + 20 + 30 + 5 + 5
    assert codes(receipt)[-1] == "over"


# -- free negotiation -------------------------------------------------------------------------------------------


def test_free_has_no_row_and_no_pleas() -> None:
    play = Play("prokonsul", THREE, board=BOARD, options={"negotiation": "free"})
    assert play.view["phase"] == "province"
    assert play.refused("pawns", order=THREE.split()) == ("free", "P-23")
    play.ok("province", province="a")
    cards(play, "5 9 5")
    assert (play.view["phase"], play.view["waiting"], play.view["turn"]) == ("negotiating", THREE.split(), None)
    assert (play.view["row"], play.view["pleader"], play.view["can_ask"]) == ([], None, [])
    assert play.refused("offer", "blue", to="red", chips=0) == ("free", "P-23")
    assert play.refused("answer", "blue", accept=True) == ("free", "P-23")
    assert play.refused("no_decision") == ("no_decision_off", "P-24")


def test_strict_has_no_coalitions() -> None:
    play = table()
    cards(play, "5 9 5")
    assert play.refused("coalition", "blue", members=["blue", "red"]) == ("not_free", "P-23")
    assert play.refused("transfer", "blue", to="red", chips=1) == ("not_free", "P-23")
    assert play.refused("no_decision") == ("not_free", "P-23")


def test_a_coalition_holds_the_target_and_its_winner_is_a_member() -> None:
    play = table(negotiation="free")
    cards(play, "5 9 5")  # target 10
    assert play.refused("coalition", "blue", members=["red", "green"]) == ("member", "P-23")
    assert play.refused("coalition", "blue", members=[]) == ("member", "P-23")
    assert play.refused("coalition", "blue", members=["blue"]) == ("short", "P-23")
    assert play.refused("coalition", "blue", members=["blue", "red", "blue"]) == ("repeated", "P-23")
    play.ok("transfer", "blue", to="red", chips=20)
    assert play.refused("transfer", "blue", to="red", chips=1) == ("balance", "P-23")
    assert play.refused("transfer", "red", to="red", chips=1) == ("self", "P-23")
    assert play.refused("transfer", "red", to="blue", chips=0) == ("nothing", "P-23")
    assert play.private("red")["chips"] == 40
    play.ok("coalition", "red", members=["green", "blue", "red"])  # more than the target, in any order
    assert play.view["provinces"]["a"]["candidates"] == ["red"]


def test_a_card_that_reaches_the_target_wins_in_free_too() -> None:
    play = table(negotiation="free")
    assert "alone" in codes(cards(play, "12 6 5"))


@pytest.mark.parametrize(
    ("ranks", "able"),
    [("9 9 5", "red blue green"), ("9 8 8", "red blue green"), ("7 6 5", "red blue"), ("8 9 5", "red blue")],
)
def test_top_two_lets_only_the_two_highest_different_cards_win(ranks: str, able: str) -> None:
    for seat in THREE.split():
        play = table(negotiation="free", top_two=True)
        cards(play, ranks)
        if seat in able.split():
            play.ok("coalition", seat, members=THREE.split())
        else:
            assert play.refused("coalition", seat, members=THREE.split()) == ("top_two", "P-25")


@pytest.mark.parametrize(
    ("ranks", "able"),
    [("9 9 5", "red blue"), ("9 8 8", "red blue green"), ("7 6 5", "red blue"), ("5 5 9", "red blue green")],
)
def test_top_two_by_ranks_lets_nobody_win_below_two_higher_cards(ranks: str, able: str) -> None:
    for seat in THREE.split():
        play = table(negotiation="free", top_two="ranks")
        cards(play, ranks)
        assert play.derived["able"] == able.split()
        if seat in able.split():
            play.ok("coalition", seat, members=THREE.split())
        else:
            assert play.refused("coalition", seat, members=THREE.split()) == ("top_two", "P-25")


@pytest.mark.parametrize("top_two", [True, "ranks"])
def test_nine_eight_eight_five_all_but_the_five(top_two: bool | str) -> None:
    play = table(FOUR, negotiation="free", top_two=top_two)
    cards(play, "9 8 8 5")
    assert play.refused("coalition", "yellow", members=FOUR.split()) == ("top_two", "P-25")
    play.ok("coalition", "green", members=FOUR.split())


def test_short_and_undecided_ends_after_seven_rounds() -> None:
    play = table(game="short", negotiation="free", no_decision=True)
    for rank in range(1, 8):
        cards(play, f"{rank} {rank} {rank}")
        receipt = play.ok("no_decision")
    assert "over" in codes(receipt)
    assert play.view["over"] and all(p["governor"] is None for p in play.view["provinces"].values())


# -- contests and conditions ------------------------------------------------------------------------------------


def plea_contest(receipt: Receipt) -> Any:
    return as_json(facts(receipt, "plea")["contest"])


def test_the_plea_is_a_contest_of_cards_and_then_of_the_row() -> None:
    receipt = cards(table(FOUR, row="yellow blue red green"), "9 9 5 1")
    assert plea_contest(receipt) == {
        "for": "plea",
        "steps": [
            {
                "by": "card",
                "rule": "P-8",
                "best": "highest",
                "values": {"red": 9, "blue": 9, "green": 5, "yellow": 1},
                "left": ["red", "blue"],
            },
            {"by": "row", "rule": "P-9", "best": "lowest", "values": {"red": 3, "blue": 2}, "left": ["blue"]},
        ],
        "winners": ["blue"],
        "nearest": {"seat": "red", "value": 12},
    }


@pytest.mark.parametrize(
    ("ranks", "options", "nearest"),
    [
        ("9 5 6", {}, {"seat": "green", "value": 12}),  # there is no 10, and with a 9 green stands behind red
        ("5 9 6", {}, {"seat": "red", "value": 9}),  # further left in the row: a tie will do
        ("5 8 6", {}, {"seat": "red", "value": 8}),  # for green it is a 9, as much more: the first in the header
        ("7 7 6", {"game": "short"}, None),  # no card of the short game is higher
    ],
)
def test_the_nearest_miss_is_a_card_of_the_game(ranks: str, options: Any, nearest: Any) -> None:
    assert plea_contest(cards(table(**options), ranks))["nearest"] == nearest


def test_only_who_could_still_have_the_plea_takes_part_in_it() -> None:
    play = table(FOUR)
    cards(play, "5 9 5 12")
    in_vain(play)
    ask(play, "red", accept=True)
    ask(play, "green")
    receipt = ask(play, "yellow")
    assert plea_contest(receipt)["steps"][0]["values"] == {"green": 5}
    assert plea_contest(receipt)["nearest"] is None


def test_the_game_is_a_contest_of_chips() -> None:
    play = table(game="short", board={"provinces": dict.fromkeys("abcdefg", 0) | {"b": 10, "c": 10}, "links": []})
    for province in "bcdefg":
        govern(play, "blue" if play.view["province"] == "c" else "red", province)
    contest = as_json(facts(win(play, "red"), "over")["contest"])
    chips = {"red": 30, "blue": 30, "green": 20}
    step = {"by": "chips", "rule": "P-21", "best": "highest", "values": chips, "left": ["red", "blue"]}
    assert contest == {"for": "game", "steps": [step], "winners": ["red", "blue"], "nearest": None}


def weighed(receipt: Receipt) -> dict[str, tuple[str, bool, int]]:
    """By the code of a ruling: the clause of the target, whether it was reached, and by what."""
    found = {ruling.code: ruling.facts.get("conditions", ()) for ruling in receipt.rulings}
    return {code: (one.rule, one.holds, one.by) for code, conditions in found.items() for one in conditions}


def test_the_target_is_weighed_at_every_step_reached_or_not() -> None:
    play = table(FIVE)
    receipt = cards(play, "9 8 7 6 5")  # 35, target 18
    assert weighed(receipt) == {"revealed": ("P-7", False, 9), "plea": ("P-14", False, 9)}
    assert weighed(ask(play, "purple", accept=True)) == {"accepted": ("P-14", False, 14)}
    assert weighed(ask(play, "blue")) == {"declined": ("P-14", False, 14)}
    ask(play, "green")
    failed = ask(play, "yellow")
    assert weighed(failed) == {
        "declined": ("P-14", False, 14), "plea_failed": ("P-14", False, 14), "plea": ("P-14", False, 8),
    }  # fmt: skip
    won = ask(play, "red", accept=True)
    assert weighed(won) == {"accepted": ("P-14", True, 22), "reached": ("P-14", True, 22)}
    assert say(won.rulings[1]) == "Blue holds 8 + 9 + 5 = 22 and reaches the target of 18."
    assert weighed(cards(table(), "12 6 5")) == {"alone": ("P-7", True, 12)}


def test_a_coalition_that_falls_short_says_by_how_much() -> None:
    play = table(negotiation="free")
    cards(play, "5 9 5")
    receipt = play("coalition", "blue", members=["blue"])
    assert weighed(receipt) == {"short": ("P-23", False, 9)}
    assert say(receipt.rulings[0]) == "The cards of Blue come to 9, 1 short of the target of 10: name more members."
    assert weighed(play.ok("coalition", "blue", members=["blue", "red"])) == {"coalition": ("P-23", True, 14)}


def test_a_condition_says_how_much_is_missing() -> None:
    (short,) = facts(cards(table(), "5 9 5"), "plea")["conditions"]
    assert held(Tongue(), short).text == "The cards held come to 9 of 10: 1 more needed."


# -- ties, silence ----------------------------------------------------------------------------------------------


def test_a_tie_tells_both_rows_who_moves_and_who_is_next() -> None:
    play = table()
    receipt = cards(play, "7 7 7")
    tie = facts(receipt, "tie")
    assert (tie["row_before"], tie["row_after"]) == (("red", "blue", "green"), ("blue", "green", "red"))
    assert (tie["pleader"], tie["next"]) == ("red", "blue")
    assert "no_rival" not in codes(receipt)
    assert facts(in_vain(play), "tie")["next"] == "green"
    last = in_vain(play)
    assert "tie" not in codes(last)
    assert (facts(last, "no_rival")["pleader"], facts(last, "no_rival")["others"]) == ("green", ["red", "blue"])


def test_a_rival_who_sold_is_named_too_and_who_had_none_is_not() -> None:
    play = table(FOUR)
    assert "no_rival" not in codes(cards(play, "5 9 5 12"))
    in_vain(play)
    ask(play, "red", accept=True)
    ask(play, "green")
    assert facts(ask(play, "yellow"), "no_rival")["others"] == ["red"]


@pytest.mark.parametrize("negotiation", ["strict", "two_way", "free"])
def test_silence_is_asked_for_with_the_first_plea_of_every_round(negotiation: str) -> None:
    play = table(negotiation=negotiation)
    assert ("silence" in codes(cards(play, "5 9 5"))) is (negotiation != "free")
    if negotiation != "free":
        assert "silence" not in codes(in_vain(play))  # the second plea
        ask(play, play.view["can_ask"][0], accept=True)
        play.ok("province", play.view["turn"], province="b")
        assert facts(cards(play, "4 6 4"), "silence") == {}
    assert "silence" not in codes(cards(table(), "12 6 5"))  # no plea


# -- undo -------------------------------------------------------------------------------------------------------


def test_undo_takes_back_one_act_with_what_followed_and_never_names_a_sealed_card() -> None:
    play = table()
    assert codes(play.ok("choose", "red", card="red 7")) == ["chosen"]
    receipt = play.ok("undo")
    assert "7" not in str(receipt.rulings)
    assert play.view["chosen"] == []
    cards(play, "12 6 5")
    play.undo()
    assert (play.view["phase"], play.view["chosen"]) == ("choosing", THREE.split())
    play.undo(5)
    assert play.view["phase"] == "pawns"
    assert play.refused("undo") == ("nothing", "T-5")
