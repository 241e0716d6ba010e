"""Hannibal gegen Rom as it is heard: the examples of its page, and a map that can be held in mind."""

from typing import Any

import pytest

from companion.games.hannibal.voice import SPEECH
from tests.support.hannibal import SEATS, exchange, go, table
from tests.support.listening import (
    asks,
    every_act_can_be_offered,
    everything_can_be_said,
    heard,
    holds,
    known,
    lies,
    spoken,
    what_is_hidden_is_not_heard,
)
from tests.support.playing import Play
from tests.support.tables import OF

TABLES = [pytest.param(options, id="-".join(map(str, options.values()))) for _, _, options in OF["hannibal"]]


def test_equal_cards_against_two() -> None:
    """Check 1: the attacker and one defender are gone, and the battle is over."""
    play = table("rome gallia", "hispania_n 2 carthago")
    assert heard(play, go(play, "gallia hispania_n")) == [
        "Blue's legion goes from Gallia to northern Hispania.",
        "Battle: one against two.",
    ]
    receipt = exchange(play, 3, 3)
    assert heard(play, receipt) == [
        "Blue three, Red three. Equal: each loses a legion.",
        "Red wins the battle, with one piece left.",
    ]
    assert heard(play, receipt, "brief") == ["Equal: each loses a legion.", "Red wins the battle."]


def test_hannibal_counts_one_more() -> None:
    """Check 2: Rome's 4 against Hannibal's 3."""
    play = table("rome gallia", "h:hispania_n carthago")
    assert heard(play, go(play, "gallia hispania_n"))[1:] == [
        "Battle: one against one.",
        "Hannibal fights: one more for Red's card.",
    ]
    receipt = exchange(play, 4, 3)
    assert heard(play, receipt) == [
        "Blue four, Red three plus one. Equal: Hannibal falls, and the legion too.",
        "Nobody is left there.",
    ]
    assert heard(play, receipt, lang="de")[0] == (
        "Blau vier, Rot drei plus eins. Gleich: Hannibal fällt, und die Legion auch."
    )
    assert heard(play, receipt, lang="ja")[0] == "青は四、赤は三足す一です。同点です。ハンニバルも軍団も倒れます。"


def test_the_mediterranean() -> None:
    """Check 3."""
    play = table("sardinia cannae hispania_s rome cannae-sicilia", "carthago")
    receipt = go(play, "cannae sicilia")
    assert heard(play, receipt) == [
        "Blue's legion sails from Cannae to Sicilia.",
        "Blue controls the Mediterranean with Sardinia, southern Hispania and Sicilia and wins.",
    ]
    assert heard(play, receipt, "brief") == ["Legion to Sicilia.", "Blue controls the Mediterranean and wins."]


def test_nobody_can_move_or_nobody_is_left() -> None:
    """Checks 4 and 5."""
    play = table("corsica sardinia", "zama carthago", "red")
    assert heard(play, go(play, "zama carthago"))[1:] == ["Blue cannot move: Red wins."]
    play = table("gallia", "hispania_n")
    go(play, "gallia hispania_n")
    assert heard(play, exchange(play, 2, 2))[1:] == ["Neither side has a legion left: nobody wins."]


def test_chips_are_said_with_what_the_other_side_gives_back() -> None:
    """Check 6, without Zama, which would win."""
    play = table("sardinia rome hispania_s", "gallia carthago", chips=(2, 3), core_control=True)
    assert heard(play, go(play, "hispania_s mauretania"))[1:] == [
        "Blue controls four core regions and takes chip number three. Red gives back three chips."
    ]
    assert "Red has no chip and controls northern Hispania and southern Hispania." in lies(play)


def test_the_last_chip_is_said_once() -> None:
    play = table("sardinia rome hispania_s", "gallia carthago", chips=(7, 0), core_control=True)
    assert heard(play, go(play, "hispania_s mauretania"))[1:] == ["Blue takes the eighth chip and wins."]


def test_the_capital_is_entered() -> None:
    play = table("rome cannae-sicilia", "gallia carthago", "red")
    assert heard(play, go(play, "gallia rome"))[1:] == ["Red is in the enemy capital and wins."]


def test_a_refusal_says_where_one_can_go() -> None:
    play = table("corsica rome rome-corsica", "h:mauretania carthago")
    refused = play("move", "blue", piece="legion", **{"from": "corsica", "to": "sardinia"})
    assert heard(play, refused) == ["Blue has no fleet on Corsica-Sardinia. From Corsica only Rome."]
    refused = play("move", "blue", piece="legion", **{"from": "zama", "to": "sicilia"})
    assert heard(play, refused) == ["No legion in Zama. Blue has legions in Corsica and Rome."]
    go(play, "rome gallia")
    refused = play("move", "red", piece="hannibal", **{"from": "mauretania", "to": "sardinia"})
    assert heard(play, refused) == ["Hannibal goes by land only. From Mauretania only southern Hispania and Carthago."]


def test_awaited_seat_is_spoken_briefly_and_in_full_to_itself() -> None:
    play = table("rome gallia", "hispania_n h:hispania_n carthago")
    assert (asks(play), asks(play, "blue")) == ("Blue to play.", "Your turn: move one legion or fleet.")
    go(play, "gallia hispania_n")
    assert (asks(play), asks(play, "red")) == (
        "Red: Hannibal or a legion?",
        "Your turn: say who fights, Hannibal or a legion.",
    )
    assert heard(play, play.ok("defend", "red", piece="legion")) == ["A legion fights."]
    assert (asks(play), asks(play, "red")) == ("Your cards, please.", "Your card, please: two against one.")
    play.ok("choose", "red", card="red 2")
    assert asks(play) == "Blue, your card."
    assert holds(play, "red") == ["You have laid red two.", "You hold one to five."]


def test_the_map_can_be_held_in_mind() -> None:
    said = lies(Play("hannibal", SEATS))
    assert said[:7] == [
        "Rome: Blue with seven legions.",
        "Carthago: Red with Hannibal and five legions.",
        "On the route Rome-Corsica: Blue with three fleets.",
        "On the route Sardinia-Carthago: Red with three fleets.",
        "For the Mediterranean Blue needs legions: one in Sardinia, one in southern Hispania or Mauretania and one in"
        " Zama or Sicilia.",
        "For the Mediterranean Red needs legions: one in Corsica, one in northern Hispania or Gallia and one in"
        " Sicilia or Cannae.",
        "Each side has five cards left.",
    ]
    assert "Corsica: empty." in said
    assert said[-1] == "Routes without a fleet: Corsica-Sardinia, Cannae-Sicilia and Sicilia-Zama."
    german = lies(Play("hannibal", SEATS), "de")
    assert german[0] == "Rom: Blau mit sieben Legionen."
    assert lies(Play("hannibal", SEATS), "ja")[0] == "ローマは青の軍団七個です。"


def test_the_map_is_the_one_that_is_played_on() -> None:
    land = [["rome", "zama"], ["zama", "carthago"]]
    sea = [["rome", "corsica"], ["corsica", "sardinia"], ["sardinia", "carthago"], ["cannae", "sicilia"],
           ["gallia", "zama"]]  # fmt: skip
    play = Play("hannibal", SEATS, board={"land": land, "sea": sea, "confirmed": True})
    at = known(play.header, play.session)
    asked = {saying.facts["place"]: spoken(SPEECH.details(at, saying)) for saying in SPEECH.lies(at)
             if SPEECH.details(at, saying)}  # fmt: skip
    assert asked["rome"] == ["By land Zama, by sea Corsica."] and asked["gallia"] == ["By sea Zama."]
    assert asked["mauretania"] == ["No way leads there."] and len(asked) == len(at.view["regions"])


def test_a_place_to_choose_is_said_with_who_stands_there() -> None:
    at = known((play := table("rome gallia", "hispania_n 2 carthago")).header, play.session)
    assert spoken([SPEECH.values["move.to"](at, place, {}) for place in ("hispania_n", "zama")]) == [
        "Northern Hispania: Red with two legions.",
        "Zama.",
    ]


@pytest.mark.parametrize("options", TABLES)
def test_every_act_can_be_offered(options: dict[str, Any]) -> None:
    every_act_can_be_offered("hannibal", 2, options)


@pytest.mark.parametrize("options", TABLES)
def test_everything_can_be_said(options: dict[str, Any]) -> None:
    everything_can_be_said("hannibal", 2, options)


def test_hidden_state_is_never_heard() -> None:
    what_is_hidden_is_not_heard("hannibal", 2, {"hannibal_choice": "exchange", "rome_hispania": "south",
                                                "core_control": False})  # fmt: skip
