"""Mercator's page, clause by clause; the numbered checks at its end come first, the laws last."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.mercator import rules as mercator
from companion.games.mercator.rules import GAME, Auction, Bid, Flip, Load, Sold, State, Unsold
from companion.play.table import Table
from companion.rules import Laid, Pressed, Refused, Reveal, Ruling, Setup, Undo, as_json, judge
from companion.rules.cards import DECK, PAWNS, Card
from companion.rules.readings import Press, Reading
from companion.rules.words import clauses, say
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.mercator import FOUR, THREE, Market, sale
from tests.support.playing import codes, facts

FIVE = "red blue green yellow purple"
SIX = f"{FIVE} black"
SEVEN = f"{SIX} white"


def plain(receipt: Receipt, code: str) -> dict[str, Any]:
    """A ruling's facts without what was compared and what must hold."""
    return {key: fact for key, fact in facts(receipt, code).items() if key not in ("contest", "conditions")}


# -- the checks of the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cargos", "worth", "prizes"),
    [
        (("10 10 10 10", "9 9 9 9 4", "10"), [40, 40, 10], [22.5, 22.5, 0]),
        (("10 10 10 10", "10 7 3", "9 6 5"), [40, 20, 20], [30, 7.5, 7.5]),
        (("5 5", "9 1", "10"), [10, 10, 10], [15, 15, 15]),
    ],
)
def test_check_1_three_players_may_share_halves(
    cargos: Sequence[str], worth: Sequence[int], prizes: Sequence[float]
) -> None:
    play = sale(THREE, cargos)
    assert list(play.view["track"].values()) == worth
    assert list(play.prizes().values()) == prizes


@pytest.mark.parametrize(
    ("seats", "cargos", "prizes"),
    [
        (FIVE, ("10", "9", "9", "8", "7"), [40, 25, 25, 10, 0]),
        (FOUR, ("5", "5", "5", "5"), [15, 15, 15, 15]),
    ],
)
def test_check_2_tied_seats_add_up_their_prizes(seats: str, cargos: Sequence[str], prizes: Sequence[float]) -> None:
    assert list(sale(seats, cargos).prizes().values()) == prizes


@pytest.mark.parametrize(
    ("bids", "winner", "tied"),
    [("7 7 5 7", "yellow", ["yellow", "red", "blue"]), ("7 7 5 5", "red", ["red", "blue"])],
)
def test_check_3_ties_go_clockwise_from_the_flippers_left(bids: str, winner: str, tied: list[str]) -> None:
    play = Market(FOUR)
    play.waste(1)
    assert play.view["flipper"] == "blue"
    play.lot("red 9, blue 4")
    named = dict(zip(FOUR.split(), map(int, bids.split()), strict=True))
    receipt = play.bid(**named)
    tie = facts(receipt, "tie")
    assert (tie["seat"], tie["tied"], tie["chips"]) == (winner, tied, 7)
    assert tie["order"] == ["green", "yellow", "red", "blue"]
    assert tie["bids"] == named
    assert play.view["ships"][winner] == ["red 9", "blue 4"]


def test_check_4_three_cards_that_only_one_seat_has_room_for_and_does_not_want() -> None:
    play = Market(FOUR)
    for seat, count in (("red", 6), ("blue", 5), ("green", 4), ("yellow", 3)):
        play.stow(seat, " ".join(str(1 + i % 5 + 5 * (seat in ("green", "yellow"))) for i in range(count)))
    while play.view["pile"] > 9:
        play.waste(1)
    assert [6 - len(ship) for ship in play.view["ships"].values()] == [0, 1, 2, 3]
    flipper = play.view["flipper"]
    for card in play.deal(2):
        play.ok("flip", flipper, card=card)
    assert play.view["taking_part"] == ["green", "yellow"]
    receipt = play.lot(1)
    assert codes(receipt) == ["flipped", "limit", "no_room", "auction"]
    assert facts(receipt, "no_room")["out"] == ("red", "blue", "green")
    assert (play.view["phase"], play.view["taking_part"], play.session.fists()) == ("fists", ["yellow"], ("yellow",))
    lot = play.view["lot"]
    receipt = play.bid()
    assert "unsold" in codes(receipt)
    assert (play.view["pile"], play.view["lot"]) == (6, [])
    assert play.refused("flip", play.view["flipper"], card=lot[0]) == ("seen", "T-2")


def test_check_5_the_last_ship_loads_what_the_pile_still_has() -> None:
    play = Market(THREE)
    play.stow("green", "10 9 8")
    play.stow("red", "1 1 1 1 1 2")
    play.stow("blue", "2 2 2 2")
    while play.view["pile"] > 4:
        play.waste(1)
    receipt = play.sell(2, "blue")
    assert plain(receipt, "loading") == {"seat": "green", "count": 2}
    view = play.view
    assert (view["phase"], view["turn"], view["waiting"], view["flipper"]) == ("loading", "green", ["green"], None)
    assert (view["pile"], view["taking_part"], view["lot"]) == (2, [], [])
    (first, last) = play.deal("7 6")
    assert play.refused("load", "red", card=first) == ("turn", "M-12")
    assert play.refused("flip", "green", card=first) == ("not_now", "T-1")
    assert play.refused("load", "green", card="red 10") == ("seen", "T-2")
    before = play.private("green")["chips"]
    assert codes(play.ok("load", "green", card=first)) == ["loaded"]
    receipt = play.ok("load", "green", card=last)
    assert codes(receipt) == ["loaded", "auctions_over", "sale", "sale", "sale", "over"]
    assert (len(play.view["ships"]["green"]), play.view["track"]["green"]) == (5, 40)
    assert play.view["over"]
    assert play.private("green")["chips"] == before + 30


# -- set-up and flipping ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "pile"), [(THREE, 24), (FOUR, 32), (FIVE, 40), (SIX, 45), (SEVEN, 50)])
def test_setup_is_fifty_chips_an_empty_ship_and_a_pile_by_the_number_of_players(seats: str, pile: int) -> None:
    play = Market(seats)
    names = seats.split()
    assert play.view == {
        "game": "mercator", "phase": "flipping", "turn": "red", "waiting": ["red"], "over": False, "result": None,
        "pile": pile, "lot": [], "flipper": "red", "taking_part": [], "bids": {},
        "ships": {seat: [] for seat in names}, "track": dict.fromkeys(names, 0),
    }  # fmt: skip
    assert all(play.private(seat) == {"chips": 50} for seat in names)


def test_the_flipper_stops_at_one_two_or_three_cards() -> None:
    play = Market()
    assert play.refused("auction", "red") == ("no_lot", "M-3")
    assert play.refused("auction", "blue") == ("turn", "T-1")
    assert play.refused("flip", "blue", card="red 1") == ("turn", "T-1")
    receipt = play.ok("flip", "red", card="red 7")
    assert facts(receipt, "flipped")["sum"] == "7"
    assert (play.view["taking_part"], play.view["pile"]) == (THREE.split(), 23)
    receipt = play.ok("flip", "red", card="blue 9")
    assert facts(receipt, "flipped") == {
        "seat": "red", "card": DECK["blue 9"], "lot": (DECK["red 7"], DECK["blue 9"]), "sum": "7 + 9 = 16",
        "taking_part": ("red", "blue", "green"), "pile": 22,
    }  # fmt: skip
    assert codes(play.ok("auction", "red")) == ["stopped", "auction"]
    assert (play.view["phase"], play.view["turn"], play.view["waiting"]) == ("fists", None, THREE.split())
    play.undo()
    receipt = play.ok("flip", "red", card="blue 1")
    assert codes(receipt) == ["flipped", "limit", "auction"]
    assert say(receipt.rulings[1]) == "A lot has at most 3 cards: it is complete."
    for verb, more in (
        ("flip", {"card": "blue 2"}),
        ("auction", {}),
        ("bid", {"chips": 1}),
        ("load", {"card": "red 1"}),
    ):
        assert play.refused(verb, "red", **more) == ("not_now", "T-1")


@pytest.mark.parametrize("cards", [1, 2])
def test_no_more_cards_than_the_pile_held_when_the_turn_began(cards: int) -> None:
    play = Market()
    while play.view["pile"] > cards:
        play.waste(1)
    for card in play.deal(cards):
        receipt = play.ok("flip", play.view["flipper"], card=card)
    assert say(receipt.rulings[1]) == "The pile is empty: the lot is complete."
    assert play.view["phase"] == "fists"


def test_no_more_cards_than_the_emptiest_ship_has_room_for_and_the_flippers_counts() -> None:
    play = Market()
    play.stow("blue", "1 1 1 1 1")
    play.stow("green", "2 2 2 2")
    play.stow("red", "3 3 3 3")
    play.waste(2)
    assert play.view["flipper"] == "green"
    (first, second) = play.deal(2)
    play.ok("flip", "green", card=first)
    assert play.view["taking_part"] == THREE.split()
    receipt = play.ok("flip", "green", card=second)
    assert say(receipt.rulings[1]) == "No ship has room for more than 2: the lot is complete."
    assert play.view["taking_part"] == ["red", "green"]


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("red 12", ("card", "T-2")),
        ("blue flag", ("card", "T-2")),
        ("red 1", ("seen", "T-2")),
        ("red 2", ("seen", "T-2")),
        ("red 3", ("seen", "T-2")),
    ],
)
def test_a_card_is_one_of_fifty_and_comes_only_once(card: str, expected: tuple[str, str]) -> None:
    play = Market()
    play.sell("red 1", "blue")
    play.waste("red 2")
    play.ok("flip", "green", card="red 3")
    assert play.refused("flip", "green", card=card) == expected


def test_the_refusal_of_a_card_seen_before_says_where_it_is() -> None:
    play = Market()
    play.sell("red 1", "blue")
    play.waste("red 2")
    play.ok("flip", "green", card="red 3")
    reported = [say(play("flip", "green", card=f"red {rank}").rulings[0]) for rank in (1, 2, 3)]
    assert [text.split(";")[0] for text in reported] == [
        "The red 1 is in Blue's ship", "The red 2 left the game with its lot", "The red 3 is already in the lot"
    ]  # fmt: skip


# -- fists ------------------------------------------------------------------------------------------------------


def test_a_bid_may_be_named_anew_until_the_last_one_is_in() -> None:
    play = Market()
    play.lot(1)
    assert play.refused("bid", "red", chips=1) == ("not_now", "T-1")
    assert codes(play.ok("reveal", opened={"red": 0, "green": 812})) == ["revealed", "late"]
    assert play.refused("reveal") == ("not_now", "T-1")
    assert (play.view["phase"], play.view["turn"], play.view["waiting"]) == ("bidding", None, THREE.split())
    play.ok("bid", "green", chips=9)
    play.ok("bid", "red", chips=3)
    assert (play.view["bids"], play.view["waiting"]) == ({"red": 3, "green": 9}, ["blue"])
    receipt = play.ok("bid", "green", chips=2)
    assert facts(receipt, "bid") == {"seat": "green", "chips": 2, "before": 9}
    play.ok("bid", "green", chips=2)
    receipt = play.ok("bid", "blue", chips=0)
    assert codes(receipt) == ["bid", "won", "sold", "next"]
    assert plain(receipt, "won") == {"seat": "red", "chips": 3, "bids": {"red": 3, "blue": 0, "green": 2}}
    assert (play.view["bids"], play.view["lot"]) == ({}, [])
    assert play.refused("bid", "red", chips=5) == ("not_now", "T-1")
    play.undo(2)
    assert play.view["bids"] == {"red": 3, "green": 2}
    play.undo()
    assert play.view["bids"] == {"red": 3, "green": 9}


def test_nobody_bids_more_than_he_owns_and_the_refusal_does_not_say_how_much_that_is() -> None:
    play = Market()
    play.sell(1, "red", 37)
    play.lot(1)
    play.ok("reveal")
    receipt = play("bid", "red", chips=14)
    (ruling,) = receipt.rulings
    assert (receipt.ok, ruling.code, ruling.rule) == (False, "balance", "M-7")
    assert ruling.facts == {"seat": "red", "chips": 14}
    assert "13" not in say(ruling)
    play.ok("bid", "red", chips=13)
    assert play.private("red")["chips"] == 13  # paid only when it wins


def test_the_winner_pays_and_advances_and_the_others_keep_their_chips() -> None:
    play = Market()
    play.lot("red 9, blue 4")
    receipt = play.bid(red=5, blue=8, green=7)
    assert plain(receipt, "sold") == {
        "seat": "blue", "chips": 8, "lot": (DECK["red 9"], DECK["blue 4"]), "sum": "9 + 4 = 13",
        "before": 0, "after": 13,
    }  # fmt: skip
    assert [play.private(seat)["chips"] for seat in THREE.split()] == [50, 42, 50]
    assert play.view["track"] == {"red": 0, "blue": 13, "green": 0}


@pytest.mark.parametrize(
    ("flipper", "bids", "winner"),
    [
        (0, "3 3 3", "blue"),
        (0, "3 2 3", "green"),
        (1, "3 3 3", "green"),
        (1, "3 3 2", "red"),
        (2, "3 3 3", "red"),
        (2, "0 1 1", "blue"),
    ],
)
def test_the_flipper_loses_every_tie(flipper: int, bids: str, winner: str) -> None:
    play = Market()
    for _ in range(flipper):
        play.waste(1)
    play.lot(1)
    receipt = play.bid(**dict(zip(THREE.split(), map(int, bids.split()), strict=True)))
    assert facts(receipt, "tie")["seat"] == winner


def test_a_seat_without_chips_takes_part_and_bids_0() -> None:
    play = Market()
    play.sell(1, "blue", 50)
    play.lot(1)
    play.ok("reveal")
    assert play.view["taking_part"] == THREE.split()
    assert play.refused("bid", "blue", chips=1) == ("balance", "M-7")
    play.ok("bid", "blue", chips=0)


def test_a_lot_nobody_bids_for_leaves_the_game() -> None:
    play = Market()
    receipt = play.waste("red 9, blue 4")
    assert facts(receipt, "unsold")["lot"] == (DECK["red 9"], DECK["blue 4"])
    assert not any(play.view["ships"].values())
    assert play.view["pile"] == 22


def nearly_full() -> Market:
    """Red has room for three, blue and green for two; blue flips."""
    play = Market(THREE)
    play.stow("blue", "1 1 1 1")
    play.stow("green", "2 2 2 2")
    play.stow("red", "3 3 3")
    return play


@pytest.mark.parametrize("chips", [0, 1])
def test_a_lone_bidder_still_opens_the_fist_and_must_bid_1(chips: int) -> None:
    play = nearly_full()
    receipt = play.lot("8 8 8")
    assert facts(receipt, "auction")["taking_part"] == ("red",)
    assert receipt.rulings[-1].rule == "M-10"
    assert play.view["flipper"] == "green"
    assert play.refused("bid", "red", chips=1) == ("not_now", "T-1")
    play.ok("reveal")
    for seat in ("blue", "green"):
        assert play.refused("bid", seat, chips=0) == ("room", "M-6")
    play.ok("bid", "red", chips=chips)
    assert len(play.view["ships"]["red"]) == 3 + 3 * chips


# -- full ships and the end -------------------------------------------------------------------------------------


def test_a_full_ship_neither_flips_nor_bids_and_the_next_flipper_does_not_depend_on_who_won() -> None:
    play = Market(FOUR)
    play.stow("blue", "1 1 1 1 1")
    assert play.view["flipper"] == "blue"
    play.waste(1)
    play.waste(1)
    play.waste(1)
    receipt = play.sell(1, "blue")  # red flips, blue fills his ship
    assert codes(receipt)[-2:] == ["full", "next"]
    assert plain(receipt, "next") == {"seat": "green", "limit": 3, "pile": 23, "skipped": ("blue",)}
    play.lot(1)
    assert play.view["taking_part"] == ["red", "green", "yellow"]
    play.ok("reveal")
    assert play.refused("bid", "blue", chips=0) == ("room", "M-6")
    play.undo(3)
    assert play.refused("flip", "blue", card="red 9") == ("turn", "T-1")


def test_the_last_ship_loads_from_the_pile_until_it_is_full() -> None:
    play = Market(THREE)
    play.sell("1 1 1", "red")
    play.sell("2 2 2", "red")
    play.sell("3 3 3", "blue")
    receipt = play.sell("4 4 4", "blue")
    assert plain(receipt, "loading") == {"seat": "green", "count": 6}
    cards = play.deal("10 10 10 10 10 9")
    for card in cards[:-1]:
        assert codes(play.ok("load", "green", card=card)) == ["loaded"]
    receipt = play.ok("load", "green", card=cards[-1])
    assert codes(receipt) == ["loaded", "auctions_over", "sale", "sale", "sale", "over"]
    assert (play.view["track"]["green"], play.view["pile"]) == (59, 6)
    assert play.view["ships"]["green"] == cards
    assert play.view["result"]["scores"] == {"red": 48, "blue": 63, "green": 80}
    assert (play.view["phase"], play.view["turn"], play.view["waiting"]) == ("over", None, [])


def test_an_empty_pile_ends_the_auctions_before_anything_is_loaded() -> None:
    play = Market(THREE)
    play.stow("red", "1 1 1 1 1 2")
    play.stow("blue", "2 2 2 2 3")
    while play.view["pile"] > 1:
        play.waste(1)
    receipt = play.sell(1, "blue")  # only green's ship is not full now, and there is nothing to load
    assert "loading" not in codes(receipt)
    assert [ruling.rule for ruling in receipt.rulings if ruling.code == "auctions_over"] == ["M-13"]
    assert play.view["over"] and play.view["ships"]["green"] == []


@pytest.mark.parametrize(
    ("seats", "prizes"),
    [
        (THREE, [30, 15, 0]),
        (FOUR, [30, 20, 10, 0]),
        (FIVE, [40, 30, 20, 10, 0]),
        (SIX, [50, 40, 30, 20, 10, 0]),
        (SEVEN, [60, 50, 40, 30, 20, 10, 0]),
    ],
)
def test_the_sale_pays_by_rank_and_the_last_gets_nothing(seats: str, prizes: list[int]) -> None:
    count = len(prizes)
    play = sale(seats, [str(10 - at) for at in range(count)])
    assert list(play.prizes().values()) == prizes
    assert list(play.view["result"]["places"].values()) == list(range(1, count + 1))


def test_a_ship_worth_nothing_is_ranked_like_any_other() -> None:
    play = sale(THREE, ("", "", ""))
    assert play.view["result"] == {
        "winners": THREE.split(), "scores": dict.fromkeys(THREE.split(), 65), "places": dict.fromkeys(THREE.split(), 1),
        "unconfirmed_board": False,
    }  # fmt: skip


def test_halves_are_kept_or_rounded_down() -> None:
    for halves, prize, text in (("exact", 7.5, "= 7½ each"), ("down", 7, "= 7½, rounded down to 7 each")):
        play = sale(THREE, ("10", "9", "9"), halves=halves)
        assert play.prizes() == {"red": 30, "blue": prize, "green": prize}
        assert play.private("blue") == {"chips": 49 + prize}
        assert isinstance(play.view["result"]["scores"]["red"], int)
        play.undo()
        assert (play.view["result"], play.view["over"], play.private("blue")) == (None, False, {"chips": 49})
        receipt = play.ok("bid", play.view["waiting"][-1], chips=0)
        assert facts(receipt, "shared")["places"] == (2, 3)
        assert facts(receipt, "shared")["sharing"] == "(15 + 0) ÷ 2 = 7½"
        assert [text in say(ruling) for ruling in receipt.rulings if ruling.code == "shared"] == [True]


def test_rounding_down_changes_nothing_but_halves() -> None:
    assert list(sale(FIVE, ("10", "9", "9", "8", "7"), halves="down").prizes().values()) == [40, 25, 25, 10, 0]


def test_a_game_that_is_over_takes_nothing_but_an_undo() -> None:
    play = sale(THREE, ("1", "2", "3"))
    card = {"card": "red 9"}
    for verb, seat, more in (("flip", "red", card), ("load", "red", card), ("reveal", None, {}), ("auction", "red", {}),
                             ("bid", "red", {"chips": 0})):  # fmt: skip
        assert play.refused(verb, seat, **more) == ("not_now", "T-1")
    assert play.view["flipper"] is None
    play.undo()
    assert play.view["phase"] == "bidding"


# -- options ----------------------------------------------------------------------------------------------------


def test_the_colour_bonus_is_ten_for_a_full_ship_of_five_colours() -> None:
    play = Market(THREE, colour_bonus=True)
    play.sell("red 10, blue 10, green 10", "red")
    play.sell("yellow 10, purple 10", "red")
    assert play.view["track"]["red"] == 50  # five colours, but five cards
    receipt = play.sell("red 9", "red")
    assert facts(receipt, "sold")["after"] == 59
    assert facts(receipt, "bonus") == {"seat": "red", "bonus": 10, "before": 59, "after": 69}
    assert play.view["track"]["red"] == 69  # the track does not wrap
    receipt = play.sell("red 1, red 2, red 3", "blue")
    receipt = play.sell("blue 1, blue 2, green 3", "blue")
    assert "full" in codes(receipt) and "bonus" not in codes(receipt)  # three colours
    for card in ("red 4", "blue 4", "green 4", "yellow 4", "purple 4"):
        play.ok("load", "green", card=card)
    receipt = play.ok("load", "green", card="red 5")
    assert facts(receipt, "bonus") == {"seat": "green", "bonus": 10, "before": 25, "after": 35}


def test_without_the_option_there_is_no_bonus() -> None:
    play = Market(THREE)
    play.sell("red 10, blue 10, green 10", "red")
    receipt = play.sell("yellow 10, purple 10, red 9", "red")
    assert "bonus" not in codes(receipt)
    assert play.view["track"]["red"] == 59


def test_the_bonus_decides_the_sale() -> None:
    play = Market(THREE, colour_bonus=True)
    play.sell("red 1, blue 1, green 1", "red")
    play.sell("yellow 1, purple 1, red 2", "red")  # 7 and the bonus
    play.sell("10 6", "blue")
    play.waste_the_pile()
    assert play.view["track"] == {"red": 17, "blue": 16, "green": 0}
    assert play.view["result"]["places"] == {"red": 1, "blue": 2, "green": 3}


def test_open_outcry_goes_straight_to_the_buyer() -> None:
    play = Market(THREE, auction="open")
    receipt = play.lot("red 9, blue 4")
    assert receipt.rulings[-1].rule == "M-20"
    assert (play.view["phase"], play.view["waiting"], play.session.fists()) == ("bidding", THREE.split(), ())
    for verb, seat, more in (("reveal", None, {}), ("bid", "red", {"chips": 3})):
        assert play.refused(verb, seat, **more) == ("outcry", "M-20")
    assert play.refused("sold", "red", chips=0) == ("nothing", "M-20")
    assert play.refused("sold", "red", chips=51) == ("balance", "M-20")
    assert play.refused("flip", "red", card="red 1") == ("not_now", "T-1")
    assert codes(play.ok("sold", "red", chips=50)) == ["bought", "sold", "next"]
    assert play.private("red") == {"chips": 0}
    assert play.refused("sold", "red", chips=1) == ("not_now", "T-1")
    play.lot(1)
    assert play.view["waiting"] == THREE.split()  # takes part, though it has nothing to pay with
    receipt = play("sold", "red", chips=1)
    assert receipt.rulings[0].facts == {"seat": "red", "chips": 1}
    receipt = play.ok("unsold")
    assert [ruling.rule for ruling in receipt.rulings] == ["M-20", "M-11"]
    assert play.view["flipper"] == "green"


def test_open_outcry_sells_only_to_a_seat_with_room_and_ends_like_any_game() -> None:
    play = Market(THREE, auction="open")
    play.sell("1 1 1", "red")
    play.sell("2 2", "red")
    play.lot("10 10")
    assert play.refused("sold", "red", chips=5) == ("room", "M-6")
    play.ok("unsold")
    while play.view["pile"]:
        play.waste(1)
    assert play.view["result"]["scores"] == {"red": 78, "blue": 57.5, "green": 57.5}


def test_fists_know_no_open_outcry() -> None:
    play = Market()
    play.lot(1)
    play.ok("reveal")
    assert play.refused("sold", "red", chips=1) == ("fists", "M-20")
    assert play.refused("unsold") == ("fists", "M-20")


def test_every_option_has_its_clause() -> None:
    page = clauses(GAME.clauses)
    assert list(page) == [f"M-{number}" for number in range(1, 21)]
    assert {option.rule for option in GAME.options} <= set(page)


# -- cards and buttons ------------------------------------------------------------------------------------------


def hardware(play: Market) -> Table:
    return Table(play.session, {f"TAG {name}": card for name, card in DECK.items()})


def test_cards_and_buttons_play_the_same_game() -> None:
    play = Market()
    table = hardware(play)

    def lay(reader: str, card: str) -> list[tuple[bool, str]]:
        table.feed(Reading(reader, f"TAG {card}", False, 0))
        return [(receipt.ok, receipt.verb) for receipt in table.feed(Reading(reader, f"TAG {card}", True, 0))]

    def press(seat: str, down: bool, t: int = 0) -> list[tuple[bool, str]]:
        return [(receipt.ok, receipt.verb) for receipt in table.feed(Press(seat, down, t))]

    assert press("red", True) == [] and press("red", False) == [(False, "auction")]  # no card yet
    assert lay("blue", "green 7") == [(True, "flip")]  # cards belong to nobody here
    assert lay("centre", "green 7") == [(False, "flip")]
    assert lay("centre", "green 12") == [(False, "flip")]
    assert press("blue", True) == [] and press("blue", False) == []  # not the flipper
    assert press("red", True) == [] and press("red", False) == [(True, "auction")]
    assert play.session.fists() == ("red", "blue", "green")
    assert lay("centre", "green 8") == []  # nothing is flipped now
    assert press("red", True) == press("blue", True) == []
    assert press("green", True) == [(True, "")]  # "open!"
    assert press("green", False, 100) == press("blue", False, 300) == []
    assert press("red", False, 900) == [(True, "reveal")]
    last = play.session.last
    assert last and last.event == Reveal({"red": 800, "blue": 200, "green": 0})
    assert [ruling.code for ruling in last.rulings] == ["revealed", "late"]
    assert press("red", True) == [] and press("red", False) == []


def test_a_card_loads_the_last_ship() -> None:
    play = Market(THREE)
    for seat, cards in (("red", "1 1 1"), ("red", "2 2 2"), ("blue", "3 3 3"), ("blue", "4 4 4")):
        play.sell(cards, seat)
    assert play.session.read(Laid("red", DECK["red 9"])) == Load("green", DECK["red 9"])
    assert play.session.read(Pressed("green", False)) is None
    assert [receipt.verb for receipt in hardware(play).feed(Reading("centre", "TAG red 9", True, 0))] == ["load"]
    assert play.view["ships"]["green"] == ["red 9"]


# -- what is compared and what must hold ------------------------------------------------------------------------


def told(receipt: Receipt, code: str, key: str = "contest") -> Any:
    """What was compared or had to hold, as a transcript's replay prints it."""
    return as_json(facts(receipt, code)[key])


def test_a_tie_is_told_by_bid_and_by_place() -> None:
    play = Market(FOUR)
    play.waste(1)
    play.lot(1)
    assert told(play.bid(red=15, green=20, yellow=20), "tie") == {
        "for": "lot",
        "steps": [
            {
                "by": "bid",
                "rule": "M-8",
                "best": "highest",
                "values": {"red": 15, "blue": 0, "green": 20, "yellow": 20},
                "left": ["green", "yellow"],
            },
            {
                "by": "order",
                "rule": "M-9",
                "best": "lowest",
                "values": {"green": 1, "yellow": 2},
                "left": ["green"],
            },
        ],
        "winners": ["green"],
        "nearest": {"seat": "yellow", "value": 21},
    }


@pytest.mark.parametrize(
    ("bids", "nearest"),
    [
        ({"red": 3, "green": 2}, {"seat": "green", "value": 3}),  # green comes before red, who flips
        ({"red": 1, "green": 3, "blue": 1}, {"seat": "blue", "value": 3}),
        ({"blue": 5, "red": 4}, {"seat": "red", "value": 6}),
        ({"blue": 2, "green": 2}, {"seat": "green", "value": 3}),
    ],
)
def test_the_nearest_bid_is_found_with_the_order_of_ties(bids: dict[str, int], nearest: Any) -> None:
    play = Market(THREE)
    play.lot(1)
    receipt = play.bid(**bids)
    (code,) = {"won", "tie"} & set(codes(receipt))
    assert told(receipt, code)["nearest"] == nearest


def test_places_count_among_all_seats_whoever_takes_part() -> None:
    play = Market(FOUR)
    play.stow("blue", "1 1 1 1 1 2")
    assert (play.view["flipper"], play.view["ships"]["blue"][5:]) == ("green", ["red 2"])
    play.lot(1)
    receipt = play.bid(red=2, green=2)
    assert told(receipt, "tie")["steps"][1]["values"] == {"red": 2, "green": 4}


def test_the_sale_pays_the_best_of_those_not_yet_paid() -> None:
    play = Market(FIVE)
    for seat, rank in zip(play.header.seats, ("10", "9", "9", "8", "7"), strict=True):
        play.stow(seat, rank)
    last = play.waste_the_pile()
    contests = [as_json(ruling.facts["contest"]) for ruling in last.rulings if ruling.code in ("sale", "shared")]
    assert [found["winners"] for found in contests] == [["red"], ["blue", "green"], ["yellow"], ["purple"]]
    assert [list(found["steps"][0]["values"]) for found in contests][1:3] == [
        ["blue", "green", "yellow", "purple"],
        ["yellow", "purple"],
    ]
    assert {(found["for"], found["steps"][0]["by"], found["nearest"]) for found in contests} == {
        ("sale", "cargo", None)
    }
    game = told(last, "over")
    assert (game["for"], game["steps"][0]["rule"], game["winners"]) == ("game", "M-16", play.view["result"]["winners"])


def test_a_ship_is_looked_at_for_being_full_and_for_the_bonus() -> None:
    play = Market(THREE, colour_bonus=True)
    receipt = play.sell("red 1, blue 2, green 3", "blue")
    assert told(receipt, "sold", "conditions") == [
        {"what": "full", "rule": "M-11", "holds": False, "by": 3},
        {"what": "colour_bonus", "rule": "M-19", "holds": False, "by": 3},
    ]
    receipt = play.sell("yellow 1, purple 2, red 3", "blue")
    assert [(found["holds"], found["by"]) for found in told(receipt, "sold", "conditions")] == [(True, 6), (True, 5)]
    assert codes(receipt)[-3:] == ["bonus", "full", "next"]
    assert told(receipt, "next", "conditions")[0] == {
        "what": "last_ship",
        "rule": "M-12",
        "holds": False,
        "by": ["green", "red"],
    }
    assert [held.text.format(by=held.by) for held in facts(receipt, "sold")["conditions"][1:]] == [
        "A full ship with all five colours: the bonus."
    ]


# -- laws -------------------------------------------------------------------------------------------------------

OPTIONS: list[dict[str, bool | str]] = [
    {"halves": halves, "colour_bonus": colour_bonus, "auction": auction}
    for halves, colour_bonus, auction in (("exact", False, "fists"), ("down", True, "fists"), ("exact", True, "open"))
]
SETUPS = [Setup(PAWNS[:seats], options) for seats in (3, 4, 7) for options in OPTIONS]


def playout(given: Setup, rng: Random) -> Iterator[tuple[State, Any, State, Sequence[Ruling]]]:
    """A random game, step by step: the state, a legal event, the state after it and the rulings."""
    s: State = GAME.setup(given)
    for _ in range(2000):
        if not (moves := GAME.legal(s)):
            assert s.phase == "over"
            return
        event = rng.choice(moves).pick(rng.choice)
        if isinstance(event, Bid | Sold) and rng.random() < 0.8:  # else everybody is poor at once
            event = replace(event, chips=min(event.chips, rng.randrange(1, 6)))
        after, rulings = GAME.apply(s, event)
        yield s, event, after, rulings
        s = after
    raise AssertionError("no end")


def anything(s: State, rng: Random) -> Iterator[Any]:
    """Events of every verb, most of them nonsense."""
    for seat in s.ships:
        cards: list[Card] = rng.sample(list(DECK.values()), 4)
        yield Auction(seat)
        for card in cards:
            yield from (Flip(seat, card), Load(seat, card))
        for chips in (0, 1, int(s.chips[seat]), int(s.chips[seat]) + 1, 1000):
            yield from (Bid(seat, chips), Sold(seat, chips))
    yield from (Reveal(), Reveal({"red": 3}), Unsold())


@pytest.mark.parametrize(
    "given", SETUPS, ids=lambda given: f"{len(given.seats)}-{'-'.join(map(str, given.options.values()))}"
)
def test_legal_and_apply_agree_and_a_refusal_returns_the_same_state(given: Setup) -> None:
    rng = Random(1)
    for at, (s, event, after, _) in enumerate(playout(given, rng)):
        assert any(event in moves for moves in GAME.legal(s))
        assert bool(GAME.legal(after)) == (after.phase != "over")
        if at % 4 and after.phase != "over":
            continue
        for other in anything(after, rng):
            ok, then, rulings = judge(GAME, after, other)
            assert ok == any(other in moves for moves in GAME.legal(after)), (other, rulings)
            assert ok or (then is after and rulings[0].rule and say(rulings[0]))


@pytest.mark.parametrize("given", SETUPS[:3], ids=str)
def test_cards_and_chips_are_conserved(given: Setup) -> None:
    for seed in range(3):
        gone = 0
        for s, _, after, rulings in playout(given, Random(seed)):
            reported = [ruling.code for ruling in rulings]
            gone += len(s.lot) if "unsold" in reported else 0
            loaded = [card for ship in after.ships.values() for card in ship]
            known = [*loaded, *after.lot]
            assert len(known) == len(set(known)) and set(known) <= after.seen
            assert mercator.pile(after) + len(known) + gone == mercator.PILE[len(given.seats)]
            assert all(len(ship) <= 6 for ship in after.ships.values())
            paid = sum(ruling.facts["chips"] for ruling in rulings if ruling.code == "sold")
            if after.phase != "over":
                assert sum(after.chips.values()) == sum(s.chips.values()) - paid
                assert all(chips >= 0 for chips in after.chips.values())
                assert min(len(ship) for ship in after.ships.values()) < 6 and mercator.pile(after) + len(after.lot)
            elif given.options["halves"] == "exact":
                assert sum(after.chips.values()) == sum(s.chips.values()) - paid + sum(
                    mercator.PRIZES[len(given.seats)]
                )
            advance = {seat: mercator.cargo(after, seat) - mercator.cargo(s, seat) for seat in given.seats}
            assert sum(step != 0 for step in advance.values()) == ("sold" in reported or "loaded" in reported)


@pytest.mark.parametrize("given", SETUPS, ids=str)
def test_public_view_does_not_depend_on_purses(given: Setup) -> None:
    rng = Random(2)
    for s, event, after, rulings in playout(given, rng):
        if after.phase == "over":
            break
        richer = replace(s, chips={seat: chips + rng.randrange(9) for seat, chips in s.chips.items()})
        assert GAME.view(richer) == GAME.view(s)
        then, said = GAME.apply(richer, event)
        assert (said, GAME.view(then)) == (rulings, GAME.view(after))
        assert GAME.fists(richer) == GAME.fists(s)
        assert all(ruling.seat is None for ruling in said)
        too_much = 100
        for other in (Bid("red", too_much), Sold("red", too_much)):
            assert judge(GAME, richer, other)[2] == judge(GAME, s, other)[2]


@pytest.mark.parametrize("given", SETUPS[:4], ids=str)
def test_undo_gives_back_the_very_states_across_the_end(given: Setup) -> None:
    session = Session(GAME, given)
    states = [session.state]
    for _, event, _, _ in playout(given, Random(3)):
        assert session.receive(event).ok
        states.append(session.state)
    assert session.view()["over"]
    for state in reversed(states[:-1]):
        assert session.receive(Undo()).ok
        assert session.state is state
    assert not session.receive(Undo()).ok


def test_every_sentence_of_random_games_can_be_said_and_cites_a_clause() -> None:
    page = {*clauses(GAME.clauses), "T-1", "T-2"}
    for seed in range(4):
        for given in SETUPS:
            for _, _, _, rulings in playout(given, Random(seed)):
                for ruling in rulings:
                    assert ruling.rule in page
                    assert "{" not in say(ruling)


def test_a_card_laid_at_any_moment_is_an_event_that_fits_or_is_refused() -> None:
    for given in SETUPS:
        for _, _, after, _ in playout(given, Random(5)):
            for card in (DECK["red 3"], DECK["red flag"]):
                event = GAME.read(after, Laid("centre", card))
                assert (event is not None) == (after.phase in ("flipping", "loading"))
                if event and (card in after.seen or card.rank == 0):
                    with pytest.raises(Refused):
                        GAME.apply(after, event)
