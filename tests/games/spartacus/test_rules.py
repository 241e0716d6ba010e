"""Spartacus's page, clause by clause; the numbered checks at its end come first."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.games.spartacus.rules import GAME, Play, State
from companion.rules import Laid, Pass, Pressed, Refused, Setup, as_json, judge
from companion.rules.cards import DECK, Card
from companion.rules.words import clause, say
from companion.session.receipt import Receipt
from tests.support import playing
from tests.support.playing import codes, facts
from tests.support.spartacus import FOUR, THREE, deal, dealt, go, lead, table

FIVE = "red blue green yellow purple"


def lies(play: playing.Play) -> list[str]:
    return [entry["card"] for entry in play.view["trick"]]


def plain(receipt: Receipt, code: str) -> dict[str, Any]:
    """A ruling's facts without what was compared."""
    return {key: fact for key, fact in facts(receipt, code).items() if key != "contest"}


# -- the checks of the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "working", "points"),
    [
        (
            "red 9, blue 7, green 5, red 4, blue 3, green flag, red 1, blue pass, green pass",
            "(9+7+5+4+3+1) × 2 = 58",
            58,
        ),
        (
            "red 9, blue 7, green 5, red 4, blue 3, green flag, red 1, blue flag, green pass",
            "(9+7+5+4+3+1) × 2 × 2 = 116",
            116,
        ),
        ("red 9, blue 7, green 5, red 4, blue 3, green pass, red 1, blue pass", "9+7+5+4+3+1 = 29", 29),
    ],
)
def test_check_1_each_flag_doubles_the_trick(script: str, working: str, points: int) -> None:
    play = table()
    receipt = go(play, script)
    assert (facts(receipt, "worth")["working"], facts(receipt, "worth")["points"]) == (working, points)
    assert play.view["points"] == {"red": points, "blue": 0, "green": 0}
    assert play.view["tricks"] == {"red": 1, "blue": 0, "green": 0}


@pytest.mark.parametrize(
    ("hand", "working", "cost"),
    [("9", "9", 9), ("9 flag", "9 × 2 = 18", 18), ("flag", "0", 0), ("4 9 flag", "(4+9) × 2 = 26", 26)],
)
def test_check_2_what_is_left_in_a_hand_costs(hand: str, working: str, cost: int) -> None:
    play = table()
    deal(play, red="6", blue=hand, green="1")
    receipt = go(play, "red 6")
    costs = {ruling.facts["seat"]: ruling.facts for ruling in receipt.rulings if ruling.code == "hand"}
    assert list(costs) == ["blue", "green"]
    assert (costs["blue"]["working"], costs["blue"]["cost"]) == (working, cost)
    assert play.view["result"]["scores"] == {"red": 6, "blue": -cost, "green": -1}


def test_check_3_the_trick_ends_at_the_lowest_number() -> None:
    play = table()
    receipt = go(play, "red 5, blue flag, green pass")
    assert codes(receipt) == ["passed", "taken", "worth", "leads"]
    assert facts(receipt, "worth")["working"] == "5 × 2 = 10"
    assert play.view["points"]["red"] == 10


def test_check_4_nobody_passes_before_a_number_lies() -> None:
    play = table()
    go(play, "red flag")
    assert play.refused("pass", "blue") == ("only_flags", "S-3")
    go(play, "blue 1")
    for rank in range(1, 11):
        assert play.refused("play", "green", card=f"green {rank}") == ("lower", "S-4")
    play.ok("play", "green", card="green flag")
    play.undo()
    play.ok("pass", "green")


@pytest.mark.parametrize("blue", ["9", "1 2 3 flag", "1", "flag"])
def test_check_5_a_last_card_ends_the_game_in_mid_trick(blue: str) -> None:
    play = table()
    go(play, "red 10, blue pass, green 9")
    deal(play, red="6", blue=blue)
    receipt = go(play, "red 6")
    assert codes(receipt)[:4] == ["play", "empty", "last_trick", "worth"]
    assert plain(receipt, "last_trick") == {"seat": "red", "card": DECK["red 6"]}
    assert (play.view["over"], play.view["points"]["red"], play.view["turn"]) == (True, 25, None)
    assert play.refused("play", "blue", card=f"blue {blue.split(maxsplit=1)[0]}") == ("not_now", "T-1")


def test_check_6_jokers_beat_all_but_the_number_under_them_still_rules() -> None:
    play = table(flags="joker")
    go(play, "red 5, blue flag, green flag, red 4")
    play = table(flags="joker")
    go(play, "red 5, blue flag")
    assert play.refused("play", "green", card="green 5") == ("lower", "S-14")
    play = table(flags="joker")
    go(play, "red 1")
    for rank in range(1, 11):
        assert play.refused("play", "blue", card=f"blue {rank}") == ("lower", "S-4")
    go(play, "blue flag")
    for rank in range(1, 11):
        assert play.refused("play", "green", card=f"green {rank}") == ("lower", "S-14")
    play.ok("pass", "green")


# -- the opening and whose card it is ---------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [THREE, FOUR, FIVE, "green red purple"])
def test_each_seat_holds_its_colour_and_the_first_leads(seats: str) -> None:
    play = table(seats)
    first, *others = seats.split()
    assert play.private(others[0]) == {"hand": [f"{others[0]} {rank}" for rank in (*range(1, 11), "flag")]}
    assert {key: value for key, value in play.view.items() if key not in ("hand_sizes", "tricks", "points")} == {
        "game": "spartacus", "phase": "trick", "turn": first, "waiting": [first], "over": False, "result": None,
        "trick": [], "lowest": None, "passed": [],
    }  # fmt: skip
    assert play.view["hand_sizes"] == dict.fromkeys(seats.split(), 11)
    assert play.view["tricks"] == play.view["points"] == dict.fromkeys(seats.split(), 0)


THIRD_TRICK = {
    "turn": "green",
    "trick": ["green 10", "red 8", "blue 7"],
    "taken": {"red": [["red flag", "blue flag", "green flag", "red 10"]], "blue": [["blue 10", "red 9", "blue 8"]]},
    "hand": {
        "red": [f"red {rank}" for rank in range(1, 8)],
        "blue": [f"blue {rank}" for rank in (*range(1, 7), 9)],
        "green": [f"green {rank}" for rank in range(1, 10)],
    },
}
"""Green is to play under a 7."""


@pytest.mark.parametrize(
    ("seat", "card", "expected"),
    [
        ("green", "blue 6", ("colour", "T-2")),
        ("green", "purple 3", ("colour", "T-2")),
        ("green", "purple 12", ("colour", "T-2")),
        ("green", "green 12", ("card", "T-2")),
        ("green", "green 10", ("played", "T-2")),
        ("green", "green flag", ("played", "T-2")),  # the second one too
        ("green", "green 9", ("lower", "S-4")),
        ("red", "red 1", ("turn", "T-1")),
        ("red", "red 12", ("turn", "T-1")),
        ("blue", "green 1", ("turn", "T-1")),
    ],
)
def test_a_card_is_refused_with_its_reason(seat: str, card: str, expected: tuple[str, str]) -> None:
    play = playing.Play("spartacus", THREE, position=THIRD_TRICK)
    assert play.refused("play", seat, card=card) == expected


# -- a trick ----------------------------------------------------------------------------------------------------


def test_a_leader_plays_any_card_and_cannot_pass() -> None:
    for rank in (*range(1, 11), "flag"):
        play = table()
        assert play.refused("pass", "red") == ("leader", "S-2")
        assert play.refused("pass", "blue") == ("turn", "T-1")
        assert lies(play) == []
        play.ok("play", "red", card=f"red {rank}")


def test_while_only_flags_lie_everybody_plays_and_the_turn_may_come_back_to_the_leader() -> None:
    play = table()
    for act, rule in (("red flag", "S-2"), ("blue flag", "S-3"), ("green flag", "S-3")):
        receipt = go(play, act)
        assert (receipt.rulings[0].code, receipt.rulings[0].rule) == ("play", rule)
        assert (play.view["lowest"], facts(receipt, "play")["lowest"]) == (None, None)
    assert play.view["turn"] == "red"
    assert play.refused("pass", "red") == ("only_flags", "S-3")
    receipt = go(play, "red 10")
    assert receipt.rulings[0].rule == "S-3"
    receipt = go(play, "blue pass, green pass")
    assert facts(receipt, "worth")["working"] == "10 × 2 × 2 × 2 = 80"


def test_a_number_is_lower_than_every_number_lying() -> None:
    play = table()
    go(play, "red 7")
    for rank in (7, 8, 9, 10):
        assert play.refused("play", "blue", card=f"blue {rank}") == ("lower", "S-4")
    go(play, "blue flag")  # the flag hides nothing
    assert play.refused("play", "green", card="green 7") == ("lower", "S-4")
    assert play.view["lowest"] == {"seat": "red", "card": "red 7"}
    go(play, "green 6")
    assert play.view["lowest"] == {"seat": "green", "card": "green 6"}
    assert play.view["trick"] == [
        {"seat": "red", "card": "red 7"},
        {"seat": "blue", "card": "blue flag"},
        {"seat": "green", "card": "green 6"},
    ]


def test_passing_lasts_for_one_trick() -> None:
    play = table(FOUR)
    go(play, "red 10, blue 9, green pass")
    assert play.view["passed"] == ["green"]
    go(play, "yellow pass, red 8")
    assert (play.view["passed"], play.view["turn"]) == (["green", "yellow"], "blue")
    go(play, "blue 7")
    assert play.view["turn"] == "red"  # past green and yellow
    assert play.refused("pass", "green") == play.refused("play", "green", card="green 1") == ("out", "S-5")
    go(play, "red pass")
    assert (play.view["passed"], play.view["points"]["blue"]) == ([], 34)


def test_the_passed_are_listed_in_the_order_of_the_seats() -> None:
    play = table(FOUR)
    go(play, "red 10, blue 9, green 8, yellow pass, red pass")
    assert play.view["passed"] == ["red", "yellow"]


def test_a_flag_answered_in_time_does_not_keep_the_trick_alive() -> None:
    """The strongest card ends it, not that all the others have passed."""
    play = table(FOUR)
    receipt = go(play, "red 5, blue flag, green flag, yellow flag")
    assert codes(receipt) == ["play", "taken", "worth", "leads"]
    assert facts(receipt, "worth")["points"] == 40
    assert (play.view["trick"], play.view["passed"]) == ([], [])


def test_a_flag_under_the_last_number_stays_in_the_trick() -> None:
    play = table(FOUR)
    receipt = go(play, "red flag, blue 9, green 4, yellow pass, red pass, blue flag")
    assert plain(receipt, "taken") == {"seat": "green", "card": DECK["green 4"]}
    assert facts(receipt, "worth")["cards"] == tuple(
        DECK[card] for card in ("red flag", "blue 9", "green 4", "blue flag")
    )


def test_left_of_the_last_seat_is_the_first() -> None:
    play = table()
    receipt = go(play, "red 9, blue 8, green 7, red pass, blue pass")
    assert facts(receipt, "leads")["leader"] == "red"


def test_each_trick_is_counted_by_itself() -> None:
    play = table()
    go(play, "red 9, blue flag, green pass")
    lead(play, "blue")
    go(play, "blue 5, green pass, red 4, blue pass")
    assert (play.view["points"]["red"], play.view["tricks"]["red"]) == (18 + 9, 2)


# -- the end ----------------------------------------------------------------------------------------------------


def test_a_last_trick_of_flags_only_goes_to_nobody() -> None:
    play = table()
    deal(play, blue="flag", green="2 3", red="1 flag")
    receipt = go(play, "red flag, blue flag")
    assert codes(receipt) == ["play", "empty", "nobody", "hand", "hand", "over"]
    assert facts(receipt, "nobody")["cards"] == (DECK["red flag"], DECK["blue flag"])
    assert play.view["tricks"] == dict.fromkeys(THREE.split(), 0)
    assert (play.view["trick"], play.view["lowest"], play.view["passed"]) == ([], None, [])
    assert play.view["result"] == {
        "winners": ["blue"], "scores": {"red": -1, "blue": 0, "green": -5},
        "places": {"red": 2, "blue": 1, "green": 3}, "unconfirmed_board": False,
    }  # fmt: skip


def test_a_last_flag_doubles_the_trick_of_another() -> None:
    play = table()
    deal(play, blue="flag", green="10", red="1 8")
    receipt = go(play, "red 8, blue flag")
    assert plain(receipt, "last_trick") == {"seat": "red", "card": DECK["red 8"]}
    assert facts(receipt, "over")["totals"] == {"red": "16 − 1 = 15", "blue": "0", "green": "0 − 10 = −10"}
    assert say(receipt.rulings[-1]) == "The game is over: Red 16 − 1 = 15, Blue 0, Green 0 − 10 = −10. Red wins."


def test_the_best_share_the_victory() -> None:
    play = table(FOUR)
    deal(play, red="6", blue="flag", green="flag", yellow="flag")
    receipt = go(play, "red 6")
    assert facts(receipt, "over")["places"] == {"red": 1, "blue": 2, "green": 2, "yellow": 2}
    play.undo()
    deal(play, red="flag", blue="flag", green="3", yellow="flag")
    receipt = go(play, "red flag")
    assert play.view["result"]["winners"] == ["red", "blue", "yellow"]
    assert play.view["result"]["places"] == {"red": 1, "blue": 1, "green": 4, "yellow": 1}
    assert "share the victory" in say(receipt.rulings[-1])


def test_the_table_that_is_over() -> None:
    play = table()
    deal(play, red="6")
    go(play, "red 6")
    assert (play.view["phase"], play.view["turn"], play.view["waiting"]) == ("over", None, [])
    for seat in THREE.split():
        assert play.refused("pass", seat) == ("not_now", "T-1")
        assert play.refused("play", seat, card=f"{seat} 2") == ("not_now", "T-1")
        assert play.session.read(Pressed(seat, False)) is None
        assert play.session.read(Laid("centre", DECK[f"{seat} 2"])) is None
    assert not play.session.legal()
    assert play.private("blue")["hand"][-1] == "blue flag"


def test_undo_across_the_end_gives_back_the_game() -> None:
    play = table()
    go(play, "red 9, blue 8")
    deal(play, green="7")
    before = play.session.state
    go(play, "green 7")
    assert play.view["result"]
    play.undo()
    assert play.session.state is before
    assert (play.view["result"], play.view["turn"], lies(play)) == (None, "green", ["red 9", "blue 8"])
    play.ok("pass", "green")
    play.undo()
    assert play.refused("undo") == ("nothing", "T-5")
    assert play.session.state is before


# -- flags as jokers, and no flags ------------------------------------------------------------------------------


def test_the_last_card_takes_the_trick_joker_or_not() -> None:
    play = table(flags="joker")
    receipt = go(play, "red 5, blue flag, green pass, red pass")
    assert codes(receipt) == ["passed", "taken", "worth", "leads"]
    assert plain(receipt, "taken") == {"seat": "blue", "card": DECK["blue flag"]}
    assert {ruling.code: ruling.rule for ruling in receipt.rulings} == {
        "passed": "S-5", "taken": "S-14", "worth": "S-14", "leads": "S-8",
    }  # fmt: skip
    assert play.view["points"]["blue"] == 5


def test_with_jokers_the_turn_goes_on_past_the_lowest_number() -> None:
    play = table(flags="joker")
    go(play, "red 5, blue flag, green flag")
    assert (play.view["turn"], play.view["lowest"]["card"]) == ("red", "red 5")  # flags double: red would take it here
    receipt = go(play, "red flag, blue 4, green pass, red pass")
    assert facts(receipt, "taken")["seat"] == "blue"
    assert facts(receipt, "worth")["working"] == "5+4 = 9"


def test_while_only_jokers_lie_nobody_passes() -> None:
    play = table(flags="joker")
    go(play, "red flag")
    assert play.refused("pass", "blue") == ("only_flags", "S-14")
    go(play, "blue flag, green flag")
    assert play.refused("pass", "red") == ("only_flags", "S-14")
    assert play.view["lowest"] is None
    go(play, "red 10, blue pass, green 9")


def test_a_last_joker_takes_even_a_trick_of_jokers() -> None:
    play = table(flags="joker")
    deal(play, red="3 flag", blue="flag", green="2 flag")
    receipt = go(play, "red flag, blue flag")
    assert plain(receipt, "last_trick") == {"seat": "blue", "card": DECK["blue flag"]}
    assert play.view["tricks"]["blue"] == 1
    assert play.view["result"]["scores"] == {"red": -3, "blue": 0, "green": -2}


def test_a_last_joker_takes_the_lying_numbers() -> None:
    play = table(flags="joker")
    deal(play, red="3 9", blue="flag", green="2")
    go(play, "red 9, blue flag")
    assert play.view["result"]["scores"] == {"red": -3, "blue": 9, "green": -2}


@pytest.mark.parametrize(
    ("flags", "penalty", "trick", "hand"),
    [
        ("joker", "none", ("9+8 = 17", 17, "S-14"), ("10", 10, "S-14")),
        ("joker", "minus10", ("9+8 − 10 = 7", 7, "S-14"), ("10 + 10 = 20", 20, "S-14")),
        ("joker", "void", ("0", 0, "S-14"), ("10", 10, "S-14")),
        ("double", "none", ("(9+8) × 2 = 34", 34, "S-10"), ("10 × 2 = 20", 20, "S-11")),
        ("double", "minus10", ("(9+8) × 2 = 34", 34, "S-10"), ("10 × 2 = 20", 20, "S-11")),
        ("double", "void", ("(9+8) × 2 = 34", 34, "S-10"), ("10 × 2 = 20", 20, "S-11")),
    ],
)
def test_flags_in_a_trick_and_in_a_hand(flags: str, penalty: str, trick: Any, hand: Any) -> None:
    play = table(flags=flags, joker_penalty=penalty)
    deal(play, red="4 flag", blue="9 10 flag", green="8")
    receipt = go(play, "red flag, blue 9, green 8")
    worth = next(ruling for ruling in receipt.rulings if ruling.code == "worth")
    assert (worth.facts["working"], worth.facts["points"], worth.rule) == trick
    red, blue = (ruling for ruling in receipt.rulings if ruling.code == "hand")
    assert (blue.facts["working"], blue.facts["cost"], blue.rule) == hand
    assert (red.facts["cost"], red.rule) == (4, "S-11")
    assert play.view["result"]["scores"] == {"red": -4, "blue": -hand[1], "green": trick[1]}


def test_a_trick_of_jokers_only_can_cost() -> None:
    play = table(flags="joker", joker_penalty="minus10")
    deal(play, red="flag", blue="1", green="flag")
    receipt = go(play, "red flag")
    assert facts(receipt, "worth")["working"] == "0 − 10 = −10"
    assert facts(receipt, "over")["totals"] == {"red": "−10", "blue": "0 − 1 = −1", "green": "0 − 10 = −10"}


@pytest.mark.parametrize("penalty", ["none", "minus10", "void"])
def test_a_joker_in_hand(penalty: str) -> None:
    play = table(flags="joker", joker_penalty=penalty)
    deal(play, red="6", blue="flag", green="4 flag")
    receipt = go(play, "red 6")
    blue, green = (ruling for ruling in receipt.rulings if ruling.code == "hand")
    each = 10 if penalty == "minus10" else 0
    assert (blue.facts["cost"], green.facts["cost"]) == (each, 4 + each)
    assert (blue.rule, green.rule) == ("S-14", "S-14")


def test_without_flags_a_hand_is_ten_and_the_lowest_takes() -> None:
    play = table(flags="none")
    assert play.private("red")["hand"] == [f"red {rank}" for rank in range(1, 11)]
    assert play.refused("play", "red", card="red flag") == ("card", "T-2")
    receipt = go(play, "red 9, blue 8, green pass, red pass")
    assert facts(receipt, "worth")["points"] == 17
    lead(play, "green")
    go(play, "green 1")
    assert play.refused("play", "red", card="red 1") == ("lower", "S-4")
    assert "passes" in say(play("play", "red", card="red 1").rulings[0])


@pytest.mark.parametrize("penalty", ["minus10", "void"])
def test_without_flags_the_penalty_has_no_effect(penalty: str) -> None:
    play, plain = table(flags="none", joker_penalty=penalty), table(flags="none")
    for each in (play, plain):
        deal(each, red="9", blue="10")
        go(each, "red 9")
    assert play.view == plain.view


# -- cards and buttons ------------------------------------------------------------------------------------------


def test_a_card_is_played_for_its_colour_and_a_button_passes() -> None:
    play = table()
    red, blue = DECK["red 9"], DECK["blue 8"]
    read = play.session.read
    assert read(Laid("centre", red)) == read(Laid("red", red)) == Play("red", red)
    assert read(Laid("centre", blue)) == Play("blue", blue)  # not yet its turn: refused when it is played
    assert (read(Pressed("red", False)), read(Pressed("red", True))) == (Pass("red"), Pass("red"))
    assert read(Pressed("blue", False)) is None
    assert play.session.fists() == ()
    go(play, "red 9")
    assert (read(Pressed("red", False)), read(Pressed("blue", False))) == (None, Pass("blue"))


@pytest.mark.parametrize(("reader", "card", "code"), [("blue", "red 9", "reader"), ("centre", "purple 3", "seat")])
def test_a_card_that_cannot_be_meant_is_refused(reader: str, card: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        table().session.read(Laid(reader, DECK[card]))
    assert (refused.value.ruling.code, refused.value.ruling.rule) == (code, "T-2")


# -- laws over random play --------------------------------------------------------------------------------------

OPTIONS = [
    {"flags": f, "joker_penalty": p, "points": "shown"}
    for f, p in product(("double", "joker", "none"), ("none", "minus10", "void"))
]
TABLES = [
    pytest.param(seats, options, id=f"{len(seats.split())}-{'-'.join(options.values())}")
    for options in OPTIONS
    for seats in (THREE, FOUR, FIVE)
]


def states(seats: str, options: dict[str, str], seed: int) -> Iterator[tuple[State, Any]]:
    """A random game: each state with the event that led to it."""
    rng = Random(seed)
    s = GAME.setup(Setup(tuple(seats.split()), options))
    yield s, None
    while moves := GAME.legal(s):
        event = rng.choice(moves).pick(rng.choice)
        s, _ = GAME.apply(s, event)
        yield s, event


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_of_all_events_there_are_the_legal_ones_are_accepted(seats: str, options: dict[str, str]) -> None:
    every: list[Any] = [Pass(seat) for seat in seats.split()]
    every += [Play(seat, card) for seat in seats.split() for card in DECK.values()]
    for s, _ in list(states(seats, options, 5))[::3]:
        moves = GAME.legal(s)
        listed = {event for of in moves for event in of}
        assert len(listed) == sum(map(len, moves))
        assert bool(moves) is not s.over
        for event in every:
            ok, after, rulings = judge(GAME, s, event)
            assert ok is (event in listed) and ok is any(event in of for of in moves)
            assert (after is s) is not ok
            assert all(clause(GAME, ruling.rule) and say(ruling) for ruling in rulings)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_no_card_is_lost_and_the_points_are_those_of_the_tricks(seats: str, options: dict[str, str]) -> None:
    for seed in range(4):
        start: Counter[Any] = Counter()
        for s, _ in states(seats, options, seed):
            piles = [*s.hands.values(), s.trick, *(trick for tricks in s.taken.values() for trick in tricks)]
            cards = Counter(card for pile in piles for card in pile)
            start = start or cards
            put_aside = start - cards
            assert not cards - start
            assert not put_aside or (
                s.over and not any(card.rank for card in put_aside) and options["flags"] == "double"
            )
            assert GAME.view(s)["points"] == {
                seat: sum(counted(trick, options) for trick in s.taken[seat]) for seat in s.seats
            }
            numbers = [card.rank for card in s.trick if card.rank]
            assert numbers == sorted(set(numbers), reverse=True)
        assert s.over


def counted(trick: tuple[Card, ...], options: dict[str, str]) -> int:
    """S-10 and S-14 again, in other words."""
    total, flags = sum(card.rank for card in trick), sum(card.rank == 0 for card in trick)
    if options["flags"] == "double":
        return total * [1, 2, 4, 8, 16, 32][flags]
    if options["joker_penalty"] == "void" and flags:
        return 0
    return total - 10 * flags if options["joker_penalty"] == "minus10" else total


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_hands_are_private(options: dict[str, str]) -> None:
    """Other cards of the same number in the hands of those who wait: the same to everybody at the table."""
    for s, _ in states(FOUR, options, 3):
        if s.over:
            break
        others = {
            seat: tuple(DECK[f"{seat} {rank}"] for rank in range(1, len(hand) + 1)) if len(hand) < 11 else hand
            for seat, hand in s.hands.items()
            if seat != s.turn
        }
        disguise = replace(s, hands={**s.hands, **others})
        assert GAME.view(disguise) == GAME.view(s)
        for of in GAME.legal(s):
            for event in of:
                after, rulings = GAME.apply(s, event)
                if not after.over:
                    hidden, heard = GAME.apply(disguise, event)
                    assert (GAME.view(hidden), heard) == (GAME.view(after), rulings)
        for seat in s.seats:
            assert GAME.view(s, seat) == GAME.view(s) | {"private": {"hand": [str(card) for card in s.hands[seat]]}}


# -- what is compared -------------------------------------------------------------------------------------------


def contest(receipt: Receipt, code: str) -> Any:
    """The contest of a ruling as a transcript's replay prints it."""
    return as_json(facts(receipt, code)["contest"])


def test_the_lowest_number_of_each_seat_decides_and_the_nearest_is_one_lower() -> None:
    receipt = go(table(), "red 9, blue 7, green 5, red 4, blue flag, green pass")
    assert contest(receipt, "taken") == {
        "for": "trick",
        "steps": [
            {
                "by": "number",
                "rule": "S-7",
                "best": "lowest",
                "values": {"red": 4, "blue": 7, "green": 5},
                "left": ["red"],
            }
        ],
        "winners": ["red"],
        "nearest": {"seat": "green", "value": 3},
    }


def test_nobody_was_near_a_one_and_who_played_only_flags_is_not_compared() -> None:
    receipt = go(table(), "red 5, blue 1, green flag, red pass")
    found = contest(receipt, "taken")
    assert found["steps"][0]["values"] == {"red": 5, "blue": 1}
    assert (found["winners"], found["nearest"]) == (["blue"], None)


def test_with_jokers_the_place_of_the_last_card_decides() -> None:
    play = table(flags="joker")
    receipt = go(play, "red 5, blue flag, green 4, red flag, blue pass, green pass")
    assert contest(receipt, "taken") == {
        "for": "trick",
        "steps": [
            {
                "by": "last",
                "rule": "S-14",
                "best": "highest",
                "values": {"red": 4, "blue": 2, "green": 3},
                "left": ["red"],
            }
        ],
        "winners": ["red"],
        "nearest": None,
    }


def test_the_last_trick_and_the_game_are_compared_too() -> None:
    play = table()
    deal(play, red="6", blue="9", green="1")
    receipt = go(play, "red 6")
    assert contest(receipt, "last_trick")["winners"] == ["red"]
    (step,) = contest(receipt, "over")["steps"]
    assert (step["by"], step["rule"], step["best"]) == ("points", "S-12", "highest")
    assert (step["values"], step["left"]) == ({"red": 6, "blue": -9, "green": -1}, ["red"])
    assert contest(receipt, "over")["nearest"] is None


# -- S-16: covered ----------------------------------------------------------------------------------------------


def test_covered_points_are_told_when_the_game_is_over() -> None:
    play = table(points="covered")
    receipt = go(play, "red 5, blue flag, green pass")
    assert codes(receipt) == ["passed", "taken", "leads"]
    assert (play.view["points"], play.view["tricks"]) == ({}, {"red": 1, "blue": 0, "green": 0})
    assert (play.derived["worth"], play.derived["working"]) == (None, "")
    deal(play, blue="6", green="9", red="2")
    lead(play, "blue")
    receipt = go(play, "blue 6")
    assert codes(receipt) == ["play", "empty", "last_trick", "tricks", "tricks", "hand", "hand", "over"]
    assert [say(ruling) for ruling in receipt.rulings if ruling.code == "tricks"] == [
        "Red took 1 trick: 5 × 2 = 10. That is 10.",
        "Blue took 1 trick: 6. That is 6.",
    ]
    assert play.view["points"] == {"red": 10, "blue": 6, "green": 0}
    play.undo()
    assert play.view["points"] == {}


@pytest.mark.parametrize("penalty", ["none", "minus10", "void"])
def test_covered_tricks_leak_no_worth(penalty: str) -> None:
    """Other tricks of as many cards, in which the same flags were seen: all that is public stays the same."""
    rng = Random(16)
    options = {"flags": "joker", "joker_penalty": penalty, "points": "covered"}
    for s, _ in list(states(FOUR, options, 3)):
        cards = [card for tricks in s.taken.values() for trick in tricks for card in trick]
        rng.shuffle(cards)
        disguise = replace(s, taken={seat: tuple(dealt(tricks, cards)) for seat, tricks in s.taken.items()})
        if s.over:
            break
        assert GAME.view(disguise) == GAME.view(s) and GAME.derived(disguise) == GAME.derived(s)
        for of in GAME.legal(s):
            for event in of:
                (one, first), (other, second) = GAME.apply(s, event), GAME.apply(disguise, event)
                assert one.over or (first == second and GAME.view(one) == GAME.view(other))


# -- a flag that has been seen ----------------------------------------------------------------------------------


def test_a_flag_that_was_seen_is_not_offered_again() -> None:
    play = table()
    go(play, "red flag, blue 5, green 4")
    assert play.derived["flags"] == ["blue", "green"]
    receipt = play("play", "red", card="red 9")
    assert say(receipt.rulings[0]) == "The red 9 is not lower than the green 4: Red plays a lower number or passes."
    go(play, "red pass, blue pass")
    assert play.derived["flags"] == ["blue", "green"]  # in a trick that was taken
    lead(play, "red")
    receipt = go(play, "red 1") and play("play", "blue", card="blue 9")
    assert say(receipt.rulings[0]) == "No number is lower than red 1: Blue plays the flag or passes."
