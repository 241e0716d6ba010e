"""Caesar as it is heard: the examples of its page, and a board that can be held in mind."""

from typing import Any

import pytest

from companion.games.caesar.voice import SPEECH
from companion.rules.guide import Saying
from tests.support.caesar import EMPTY, THREE, Position
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

TABLES = [pytest.param(seats, options, id=str(seats)) for _, seats, options in OF["caesar"]]


def test_equal_totals_of_groups_of_three_and_one() -> None:
    """Check 1: a group of 3 with card 4 against a group of 1 with card 6; four counters leave the board."""
    play = Position("r3 b1 . . . n1 . . . b1" + EMPTY + EMPTY + " r1 . . . .")
    receipt = play.duel("red", "a1", "b1", 4, 6)
    assert heard(play, receipt) == [
        "Red four plus three, Blue six plus one.",
        "Equal: the groups on Alpha one and Bravo one leave the board.",
    ]
    assert heard(play, receipt, "brief") == ["Equal: both groups are gone."]


def test_the_defender_wins_and_moves() -> None:
    """Check 2."""
    play = Position("r2 b1 . . . . b1 . . ." + EMPTY + EMPTY + " r1 . . . .")
    receipt = play.duel("red", "a1", "b1", 3, 9)
    assert heard(play, receipt) == [
        "Red three plus two, Blue nine plus one.",
        "Blue wins and moves onto Alpha one: a group of three.",
    ]
    assert heard(play, receipt, "brief") == ["Blue wins."]
    assert heard(play, receipt, lang="de")[1] == "Blau gewinnt und zieht auf Aachen eins: eine Gruppe von drei."
    assert heard(play, receipt, lang="ja")[1] == "青が勝ち、アメリカの一に移って三個になります。"


def test_a_flag_as_the_tenth_card() -> None:
    """Check 3: the game ends, and who wins is said with whom it was ahead of."""
    play = Position("r2 b1 . . ." + EMPTY * 3 + " n1 . . . .", red="flag", blue="9 8")
    receipt = play.duel("red", "a1", "b1", "flag", 9)
    assert heard(play, receipt) == [
        "Red plays a flag, Blue plays nine.",
        "Nothing happens.",
        "The tenth card of Red: the game ends.",
        "Red wins the game with two, ahead of Blue with one.",
    ]
    assert heard(play, receipt, "brief") == [
        "A flag: nothing happens.",
        "That was the tenth card.",
        "Red wins the game with two.",
    ]


def test_an_attack_says_sizes_only_where_there_is_more_than_one() -> None:
    """Check 4: own, neutral, enemy in one row is no attack, until the own group stands on the neutral."""
    play = Position("r1 n1 b1 . . . r2 b2 . ." + EMPTY * 3)
    refused = play("attack", "red", **{"from": "a1", "to": "c1"})
    assert heard(play, refused) == [
        "Alpha one does not see Charlie one, with Bravo one in between. Choose another group."
    ]
    assert heard(play, play.ok("attack", "red", **{"from": "b2", "to": "c2"})) == [
        "Red attacks Blue: two on Bravo two against two on Charlie two."
    ]
    play.undo()
    assert heard(play, play.ally("red", "a1", "b1")) == [
        "Red moves Alpha one onto the neutral on Bravo one: a group of two."
    ]
    assert heard(play, play.ok("attack", "blue", **{"from": "c1", "to": "b1"})) == [
        "Blue attacks Red: Charlie one against two on Bravo one."
    ]


def test_a_last_survivor_is_not_announced_twice() -> None:
    play = Position("r1 b1 . . ." + EMPTY * 4)
    assert heard(play, play.duel("red", "a1", "b1", 9, 3)) == [
        "Red nine plus one, Blue three plus one.",
        "Red wins and moves onto Bravo one: a group of two.",
        "Blue is out.",
        "Red wins the game with two.",
    ]


def test_awaited_seat_is_spoken_briefly_and_in_full_to_itself() -> None:
    play = Play("caesar", THREE)
    assert asks(play) == "Red to play."
    assert asks(play, "red") == "Your turn. You have five counters to place."
    play = Position("r1 n1 . . . . r2 b2 . ." + EMPTY * 3)
    assert (asks(play), asks(play, "red")) == ("Red to play.", "Your turn: attack, or make an alliance.")
    play.ok("attack", "red", **{"from": "b2", "to": "c2"})
    assert asks(play) == "Your cards, please."
    assert asks(play, "blue") == "Your card, please: two on Charlie two against Red's two on Bravo two."
    play.ok("choose", "red", card="red 7")
    assert (asks(play), asks(play, "red")) == ("Blue, your card.", "")
    assert holds(play, "red")[0] == "You have laid red seven."
    play.ok("choose", "blue", card="blue 7")
    assert (asks(play), asks(play, "red")) == ("Hold your buttons.", "Hold your button until open.")


def test_without_an_attack_all_hear_that_a_pass_is_possible() -> None:
    play = Position("r1 . . . . n1 b1 . . ." + EMPTY * 3)
    assert (asks(play), asks(play, "red")) == ("Red cannot attack.", "Your turn: make an alliance, or pass.")
    assert heard(play, play.ok("pass", "red")) == ["Red passes. One more pass ends the game."]


def test_the_board_can_be_held_in_mind() -> None:
    """Every group with what it sees each way, the players in the order of their seats."""
    play = Position("r1 n1 . b3 . . . . . ." + EMPTY + " r2 . . . . g1 . . n1 .", THREE, red="7 flag")
    assert lies(play) == [
        "Red: three counters, two groups, two cards left.",
        "Red on Alpha one: right neutral Bravo one, ahead Red's two on Alpha four.",
        "Red's two on Alpha four: ahead Green on Alpha five, behind Red on Alpha one.",
        "Blue: three counters, one group, ten cards left.",
        "Blue's three on Delta one: left neutral Bravo one, ahead neutral Delta five.",
        "Green: one counter, one group, ten cards left.",
        "Green on Alpha five: right neutral Delta five, behind Red's two on Alpha four.",
        "Neutral: Bravo one and Delta five.",
        "Empty: Alpha two, Alpha three, Bravo two, Bravo three, Bravo four, Bravo five, Charlie one, Charlie two, Charlie three, Charlie four, Charlie five, Delta two, Delta three,"
        " Delta four, Echo one, Echo two, Echo three, Echo four and Echo five.",
    ]
    assert lies(play, "de")[1] == "Rot auf Aachen eins: rechts neutral Berlin eins, vorn Rot mit zwei auf Aachen vier."
    assert lies(play, "ja")[
        1
    ] == "アメリカの一に赤が一個：右はブラジルの一に中立、前はアメリカの四に赤が二個です。".replace("：", "。")
    assert holds(play, "red") == ["You hold seven and the flag."]


def test_a_square_to_choose_is_said_with_who_stands_there() -> None:
    at = known((play := Position("r1 b3 . . ." + EMPTY * 4)).header, play.session)
    of: list[Saying] = [SPEECH.values["attack.to"](at, "b1", {}), SPEECH.values["attack.from"](at, "a1", {})]
    assert spoken(of) == ["Blue's three on Bravo one.", "Red on Alpha one."]


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_every_act_can_be_offered(seats: int, options: dict[str, Any]) -> None:
    every_act_can_be_offered("caesar", seats, options)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_everything_can_be_said(seats: int, options: dict[str, Any]) -> None:
    everything_can_be_said("caesar", seats, options)


def test_hidden_state_is_never_heard() -> None:
    what_is_hidden_is_not_heard("caesar", 3, {})
