"""Prokonsul's positions: every mistake at its path, what is hidden said to its seat alone, decisions, layout, chips."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import play, table
from companion.games import position_of
from companion.games.prokonsul.position import paid
from companion.record.transcript import read_event
from companion.rules import as_json
from companion.rules.cards import Card
from companion.rules.layout import Layout
from companion.rules.mistakes import Mistakes
from companion.rules.vocabulary import BANK
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.playing import BOARD, header
from tests.support.tables import variants

THREE = "red blue green"
GAME = games.game("prokonsul")


def begun(written: dict[str, Any], seats: str = THREE, **options: Any) -> tuple[Session, Any]:
    head = header("prokonsul", seats, board=BOARD, options=options)
    return Session(head.game, head.setup, position=written), head


def hands(seats: str = THREE, without: tuple[int, ...] = (), ranks: Any = None) -> dict[str, list[str]]:
    left = [rank for rank in ranks or (1, 2, 3, 4, 5, 6, 7, 8, 9, 12) if rank not in without]
    return {seat: [str(Card(seat, rank)) for rank in left] for seat in seats.split()}


def pleading(**changed: Any) -> dict[str, Any]:
    """Round 2: blue has pleaded with the 9 in vain, red pleads with the 8 and has asked green."""
    left = hands(without=(1,))
    left = {seat: [card for card in cards if card != f"{seat} {rank}"]
            for (seat, cards), rank in zip(left.items(), (8, 9, 4), strict=True)}  # fmt: skip
    return {
        "phase": "pleading", "round": 2, "row": ["green", "red", "blue"], "province": "b",
        "provinces": {"a": {"candidates": ["red"]}},
        "holds": {"red": ["red 8"], "blue": ["blue 9"], "green": ["green 4"]},
        "pleader": "red", "pleaded": ["blue"], "asked": ["green"],
        "chips": {"red": 20, "blue": 20, "green": 20}, "hand": left,
    } | changed  # fmt: skip


def moving(**changed: Any) -> dict[str, Any]:
    """Round 1 is won by red, who moves the black pawn."""
    return {
        "phase": "province", "round": 1, "row": ["green", "red", "blue"], "province": "a", "winner": "red",
        "provinces": {"a": {"candidates": ["red"]}},
        "chips": {"red": 20, "blue": 20, "green": 20}, "hand": hands(without=(1,)),
    } | changed  # fmt: skip


def choosing(**changed: Any) -> dict[str, Any]:
    return moving(phase="choosing", winner=None, round=2) | changed


def mistakes(written: dict[str, Any], seats: str = THREE, **options: Any) -> dict[tuple[str | int, ...], str]:
    with pytest.raises(Mistakes) as raised:
        begun(written, seats, **options)
    return {mistake.path: mistake.what for mistake in raised.value.found}


@pytest.mark.parametrize("written", [pleading(), moving(), choosing()])
def test_a_position_as_people_write_it_is_one(written: dict[str, Any]) -> None:
    session, _ = begun(written)
    again = position_of(session.game.name).written(session.state)
    assert {key: again[key] for key in written if key != "provinces"} == {
        key: value for key, value in written.items() if key != "provinces"
    }
    assert session.legal()


def governed(*names: str, by: str = "red") -> dict[str, Any]:
    return {name: {"governor": by} for name in names}


FREE = {"negotiation": "free"}
SHORT = {"game": "short"}
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[str | int, ...], str]] = {
    "an unknown key": (moving(provines={}), {}, ("provines",), "did you mean 'provinces'?"),
    "no phase": (moving(phase=None), {}, ("phase",), "is missing"),
    "a phase of other negotiations": (moving(phase="negotiating"), {}, ("phase",), "there are pawns, province"),
    "a round that is a flag": (moving(round=True), {}, ("round",), "a whole number"),
    "no round": (choosing(round=None), {}, ("round",), "the first round has begun"),
    "an eighth round of seven": (moving(round=8), SHORT, ("round",), "from 0 to 7"),
    "a round before the pawns": (moving(phase="pawns", winner=None), {}, ("round",), "before the first round"),
    "a row before the pawns": (moving(phase="pawns"), {}, ("row",), "not been drawn"),
    "a pawn nowhere": (moving(row=["green", "red"]), {}, ("row",), "blue is missing"),
    "a pawn twice": (moving(row=["green", "red", "red", "blue"]), {}, ("row",), "red is there twice"),
    "a row in free negotiation": (moving(), FREE, ("row",), "no pawn row"),
    "a pawn of nobody": (moving(row=["green", "red", "purple"]), {}, ("row", 2), "not one of them"),
    "a province that is none": (moving(province="h"), {}, ("province",), "not one of them"),
    "the black pawn nowhere": (choosing(province=None), {}, ("province",), "is missing"),
    "the black pawn too early": (moving(round=None, winner=None, provinces={}), {}, ("province",), "first round"),
    "a province that is closed": (choosing(provinces=governed("a")), {}, ("province",), "a already has a governor"),
    "nobody moves the black pawn": (moving(winner=None), {}, ("winner",), "is missing"),
    "a winner while choosing": (choosing(winner="red"), {}, ("winner",), "no winner"),
    "a province of nowhere": (moving(provinces={"h": {}}), {}, ("provinces", "h"), "no such key"),
    "a province with its value": (moving(provinces={"a": {"value": 10}}), {}, ("provinces", "a", "value"), "no such"),
    "a candidate twice": (
        moving(provinces={"a": {"candidates": ["red", "red"]}}), {}, ("provinces", "a", "candidates"), "twice"),
    "a candidate beside a governor": (
        moving(provinces={"a": {"candidates": ["blue"], "governor": "red"}}), {}, ("provinces", "a", "candidates"),
        "have gone back"),
    "candidates in the short game": (moving(), SHORT, ("provinces", "a", "candidates"), "short game"),
    "six counters": (
        moving(provinces={name: {"candidates": ["red"]} for name in "abcdef"}), {}, ("provinces",),
        "red has 5 counters, not 6"),
    "counters before the first round": (
        moving(round=None, winner=None, province=None), {}, ("provinces",), "before the first round"),
    "an end with open provinces": (moving(phase="over", winner=None), {}, ("phase",), "7 provinces are open"),
    "an end that has not been said": (
        moving(round=7, provinces=governed(*"abcde")), SHORT, ("phase",), "would be over"),
    "a last province": (
        moving(provinces=governed(*"abcde") | governed("f", by="blue")), {}, ("phase",), "only one province is open"),
    "every province closed": (
        choosing(provinces=governed(*"abcde") | governed("f", "g", by="blue")), {}, ("phase",), "would be over"),
    "cards open while choosing": (choosing(holds={"red": ["red 8"]}), {}, ("holds",), "no card lies open"),
    "a card open that nobody laid": (pleading(holds={"red": ["red 10"]}), {}, ("holds", "red", 0), "cannot be here"),
    "no card of green": (
        pleading(holds={"red": ["red 8"], "blue": ["blue 9"]}, asked=[]), {}, ("holds",), "of green 0"),
    "two cards of red": (
        pleading(holds={"red": ["red 8", "red 7"], "blue": ["blue 9"], "green": ["green 4"]}), {}, ("holds",),
        "of red 2"),
    "a card held without one's own": (
        pleading(holds={"red": ["red 8"], "blue": ["green 4"], "green": ["blue 9"]}), {}, ("holds", "blue"), "own"),
    "a round that is won": (
        pleading(holds={"red": ["red 8", "green 4"], "blue": ["blue 9"]}, asked=[]), {}, ("holds", "red"),
        "12 reaches the target of 11"),
    "cards sold in free negotiation": (
        pleading(phase="negotiating", row=[], pleader=None, pleaded=[], asked=[],
                 holds={"red": ["red 2"], "blue": ["blue 9", "green 9"]}), FREE, ("holds", "green"), "nothing is sold"),
    "nobody pleads": (pleading(pleader=None), {}, ("pleader",), "is missing"),
    "a pleader without cards": (
        pleading(holds={"red": ["red 8"], "blue": ["blue 9", "green 4"]}, pleader="green", asked=[],
                 pleaded=["blue"]), {}, ("pleader",), "green holds no cards"),
    "a pleader who has pleaded": (pleading(pleaded=["blue", "red"]), {}, ("pleaded",), "red has already pleaded"),
    "a pleader while choosing": (choosing(pleader="red"), {}, ("pleader",), "nobody pleads"),
    "a pleader asked": (pleading(asked=["red"]), {}, ("asked",), "red asks others"),
    "a plea that has failed": (pleading(asked=["green", "blue"]), {}, ("asked",), "the plea has failed"),
    "an offer out of time": (pleading(offer={"to": "blue", "chips": 1}), {}, ("offer",), "only in answering"),
    "no offer to answer": (pleading(phase="answering"), {}, ("offer",), "is missing"),
    "an offer to one who said no": (
        pleading(phase="answering", offer={"to": "green", "chips": 1}), {}, ("offer", "to"), "can be asked: blue"),
    "an offer of half a chip": (
        pleading(phase="answering", offer={"to": "blue", "chips": 1.5}), {}, ("offer", "chips"), "a whole number"),
    "a promise of three": (
        pleading(phase="answering", offer={"to": "blue", "chips": 1, "promise": 3}), {}, ("offer", "promise"), "text"),
    "no purse": (moving(chips={"red": 20, "blue": 20}), {}, ("chips", "green"), "is missing"),
    "a debt": (moving(chips={"red": 20, "blue": -1, "green": 20}), {}, ("chips", "blue"), "a number from 0"),
    "a card that is none": (
        moving(hand=hands(without=(1,)) | {"red": ["red 13"]}), {}, ("hand", "red", 0), '"red 13" is not a card'),
    "a card of another game": (
        moving(hand=hands(without=(1,)) | {"red": ["red flag"]}), {}, ("hand", "red", 0), "cannot be here"),
    "a card of another seat": (
        moving(hand=hands(without=(1,)) | {"red": ["blue 2"]}), {}, ("hand", "red", 0), "cannot be here"),
    "a card of the long game": (
        moving(row=["green", "red", "blue"], provinces={}, hand=hands(ranks=(8,))), SHORT, ("hand", "red", 0),
        "cannot be here"),
    "a card twice": (
        moving(hand=hands(without=(1,)) | {"red": ["red 2", "red 2"]}), {}, ("hand", "red", 1), "there twice"),
    "a hand too small": (moving(hand=hands(without=(1, 2))), {}, ("hand", "red"), "holds 9 cards, not 8"),
    "hands that were to be taken back": (choosing(round=11, hand={}), {}, ("hand", "red"), "holds 10 cards, not 0"),
    "a card in the hand and open": (
        pleading(hand=hands(without=(1, 2))), {}, ("hand", "red"), "red 8 lies open"),
    "a card face down in another hand": (choosing(choice={"red": "blue 3"}), {}, ("choice", "red"), "cannot be here"),
    "a card face down too late": (moving(choice={"red": "red 3"}), {}, ("choice",), "no card lies face down"),
    "an offer above the purse": (
        pleading(phase="answering", offer={"to": "blue", "chips": 21}), {}, ("chips", "red"), "cannot pay the 21"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_position_mistakes_are_named_at_their_path(name: str) -> None:
    written, options, path, what = WRONG[name]
    found = mistakes(written, **options)
    assert what in found[path], found


@pytest.mark.parametrize("written", [[], 1, {"candidates": "red"}, {"candidates": [["red"]]}, {"governor": {}}])
def test_any_invalid_position_is_refused_with_its_path(written: Any) -> None:
    assert any(path[:2] == ("provinces", "a") for path in mistakes(moving(provinces={"a": written})))


def test_everything_that_is_wrong_is_named_at_once() -> None:
    found = mistakes(moving(row=["red"], winner=None, hand={}, chips={}))
    assert {("row",), ("winner",), ("hand", "red"), ("hand", "green"), ("chips", "blue")} <= {*found}


# -- decisions --------------------------------------------------------------------------------------------------


def decide(session: Session, head: Any, **change: Any) -> Receipt:
    return session.receive(read_event(head, {"event": "decide", "words": "Let it be so.", "change": change}).event)


def view(session: Session) -> Mapping[str, Any]:
    """What everybody may see, with the keys that only this game has."""
    return session.view()


def told(receipt: Receipt) -> list[tuple[str, int, str, str]]:
    return [(move.piece, move.count, move.from_, move.to) for move in receipt.public[0].facts["moves"]]


def test_the_black_pawn_stands_elsewhere() -> None:
    session, head = begun(choosing(choice={"blue": "blue 3"}))
    receipt = decide(session, head, province="c")
    assert receipt.ok and view(session)["province"] == "c" and not session.state.choices
    assert told(receipt) == [
        ("black pawn", 1, "province a", "province c"), ("card", 1, "sealed blue", "hand blue"),
    ]  # fmt: skip


def test_a_counter_more() -> None:
    session, head = begun(moving())
    receipt = decide(session, head, provinces={"b": {"candidates": ["blue"]}})
    assert told(receipt) == [("blue counter", 1, "stock blue", "province b")]
    assert view(session)["counters"] == {"red": 4, "blue": 4, "green": 5}


def test_a_governor_whom_the_table_makes_is_not_paid() -> None:
    session, head = begun(moving())
    receipt = decide(session, head, provinces={"a": {"candidates": None, "governor": "red"}})
    assert told(receipt) == [("red counter", 1, "province a", "governor a")]
    assert session.state.chips["red"] == 20


def test_two_pawns_stood_the_other_way_round() -> None:
    session, head = begun(moving())
    receipt = decide(session, head, row=["red", "green", "blue"])
    assert Counter(told(receipt)) == Counter(
        [("green pawn", 1, "row 1", "row 2"), ("red pawn", 1, "row 2", "row 1")]
    )  # fmt: skip


def test_a_purse_that_was_miscounted_is_told_to_its_seat_alone() -> None:
    session, head = begun(moving())
    receipt = decide(session, head, chips={"blue": 17})
    assert session.state.chips["blue"] == 17
    (purse,) = [ruling for ruling in receipt.rulings if ruling.seat]
    assert purse.seat == "blue" and purse.facts == {"chips": 17}
    assert "17" not in str(as_json([ruling.facts for ruling in receipt.public]))


def test_it_is_blues_plea() -> None:
    session, head = begun(pleading())
    receipt = decide(session, head, pleader="green", pleaded=["blue", "red"], asked=None)
    assert receipt.ok and view(session)["turn"] == "green" and view(session)["can_ask"] == ["red", "blue"]


def test_a_decision_that_would_win_the_round_is_refused() -> None:
    session, head = begun(pleading())
    receipt = decide(session, head, asked=None, holds={"red": ["red 8", "green 4"], "green": None})
    assert not receipt.ok
    assert "12 reaches the target of 11" in str(receipt.rulings[0].facts["mistakes"])


@pytest.mark.parametrize(
    "change",
    [
        {"hand": {"red": ["red 13"]}}, {"hand": {"red": []}}, {"chips": {"red": -1}}, {"chips": {"red": 0}},
        {"chips": {"red": None}},
    ],
)  # fmt: skip
def test_mistakes_in_hidden_parts_are_private(change: dict[str, Any]) -> None:
    session, head = begun(pleading(phase="answering", offer={"to": "blue", "chips": 3}))
    receipt = decide(session, head, **change)
    assert not receipt.ok
    assert [ruling.seat for ruling in receipt.rulings] == [None, "red"]
    assert receipt.rulings[0].facts == {"mistakes": None}


@pytest.mark.parametrize("hidden", [{"chips": {"red": 0}}, {"hand": {"red": []}}, {"hand": 3}])
def test_public_rulings_do_not_depend_on_hidden_state(hidden: dict[str, Any]) -> None:
    change = {"row": ["red"], "asked": ["green", "blue"]}
    heard = []
    for more in ({}, hidden):
        session, head = begun(pleading())
        heard.append(decide(session, head, **change, **more).rulings[0])
    assert heard[0] == heard[1] and "blue is missing" in str(heard[0].facts["mistakes"])


# -- what lies where --------------------------------------------------------------------------------------------


def lies(written: dict[str, Any], **options: Any) -> Layout:
    session, head = begun(written, **options)
    return position_of(session.game.name).layout(session.view(), head.options)


def test_the_table_in_a_plea() -> None:
    sold = {"red": ["red 8"], "blue": ["blue 9", "green 4"]}
    written = pleading(holds=sold | {"yellow": ["yellow 8"]}, asked=["yellow"], row=["yellow", "green", "blue", "red"])
    written["chips"] = {**written["chips"], "yellow": 20}
    written["hand"] = {**written["hand"], "yellow": [f"yellow {rank}" for rank in (2, 3, 4, 5, 6, 7, 9, 12)]}
    head = header("prokonsul", f"{THREE} yellow", board=BOARD)
    session = Session(head.game, head.setup, position=written)
    assert position_of(head.game.name).layout(session.view(), head.options) == {
        **{f"hand {seat}": {"card": 8} for seat in head.seats},
        **{f"aside {seat}": {"card": 1} for seat in head.seats},
        **{f"stock {seat}": {f"{seat} counter": 5} for seat in head.seats},
        "stock red": {"red counter": 4}, "province a": {"red counter": 1}, "province b": {"black pawn": 1},
        "before red": {"red 8": 1}, "before blue": {"blue 9": 1, "green 4": 1}, "before yellow": {"yellow 8": 1},
        "row 1": {"yellow pawn": 1}, "row 2": {"green pawn": 1}, "row 3": {"blue pawn": 1}, "row 4": {"red pawn": 1},
    }  # fmt: skip


def test_cards_face_down_and_none_aside_after_they_were_taken_back() -> None:
    there = lies(choosing(round=11, hand=hands(), choice={"green": "green 7"}))
    assert there["hand red"] == {"card": 10} and there["hand green"] == {"card": 9}
    assert there["sealed green"] == {"card": 1} and not any(place.startswith("aside") for place in there)


def test_a_seventh_governorship_in_the_short_game_takes_the_second_marker() -> None:
    over = {"phase": "over", "round": 7, "row": ["red", "blue", "green"], "province": "g",
            "chips": {"red": 20, "blue": 20, "green": 20}}  # fmt: skip
    there = lies({**over, "provinces": governed(*"abcdefg")}, **SHORT)
    assert there["governor e"] == {"red counter": 1} and there["governor g"] == {"marker": 1}
    assert "stock red" not in there and "box" not in there
    assert lies({**over, "provinces": governed(*"abcdef")}, **SHORT)["box"] == {"marker": 1}


def test_before_the_first_round_pawns_are_in_the_box_and_in_free_negotiation_they_stay_there() -> None:
    full = {"chips": {"red": 20, "blue": 20, "green": 20}, "hand": hands()}
    pawns = {"red pawn": 1, "blue pawn": 1, "green pawn": 1}
    assert lies({"phase": "pawns", **full})["box"] == {**pawns, "black pawn": 1}
    assert lies(choosing(row=[], round=1, provinces={}, hand=hands()), **FREE)["box"] == pawns


# -- chips ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", list(variants(GAME)), ids=str)
def test_announced_moves_match_the_layout(options: dict[str, Any]) -> None:
    head = table(GAME, 4, options)
    purses: dict[str, int | Fraction] = dict(GAME.setup(head.setup).chips)
    moved = 0
    for session, receipt in play(head, Random(f"{options}")):
        for payment in (payment for ruling in receipt.public for payment in paid(ruling)):
            assert payment.count > 0 and payment.from_ != payment.to
            moved += 1
            for end, sign in ((payment.from_, -1), (payment.to, 1)):
                if end != BANK:
                    purses[end] += sign * payment.count
        assert purses == session.state.chips
    assert moved


def test_a_round_of_seven_with_its_cards_is_read_by_its_own_game_alone() -> None:
    assert position_of("prokonsul").secret == ("chips", "hand", "choice")
    head = header("prokonsul", THREE, board=BOARD, options=SHORT)
    short = moving(provinces={"a": {"governor": "red"}}, hand=hands(ranks=(2, 3, 4, 5, 6, 7)))
    assert position_of(head.game.name).read(head.setup, short).governors == {"a": "red"}
