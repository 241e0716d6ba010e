"""Players who leave: said in words, journaled as such, gone with an undo; nobody waits for them."""

from typing import Any

import pytest

from companion.play.equipment import Equipment, InputMethods
from companion.play.evening import Evening
from companion.rules.cards import PAWNS
from companion.rules.readings import Press
from companion.rules.words import LANGUAGES, Tongue
from companion.session.absent_players import BACK, LEFT
from tests.support.playing import match_of, moment_of
from tools.scenes.rehearsal import Memory
from ui.games.parts.sentences import expected
from ui.games.parts.status import by_buttons
from ui.table import frame

PLAYERS = {"red": "Anna", "green": "Chiara"}


def sitting(game: str = "mercator", *events: dict[str, Any]) -> Evening:
    evening = Evening(Memory())
    evening.devices.equipment = Equipment(("centre",), PAWNS)
    evening.begin({"tabularium": 1, "game": game, "seats": ["red", "blue", "green"], "players": PLAYERS})
    act(evening, *events)
    return evening


def act(evening: Evening, *events: dict[str, Any]) -> None:
    for event in events:
        assert all(receipt.ok for receipt in match_of(evening).act(event)), event
    evening.drain()


def says(text: str, seat: str, lang: str = "en") -> dict[str, Any]:
    return {"event": "decide", "words": Tongue(lang, PLAYERS).tr(text, seat=seat)}


def press(evening: Evening, down: bool, t: int, *seats: str) -> None:
    for at, seat in enumerate(seats):
        evening.devices.inbox.put(Press(seat, down, t + at))
    evening.drain()


LOT = ({"event": "flip", "seat": "red", "card": "red 1"}, {"event": "auction", "seat": "red"})


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_departed_player_is_absent_until_back(lang: str, seat: str) -> None:
    evening = sitting()
    for text, away in ((LEFT, {seat}), (BACK, set()), (LEFT, {seat})):
        act(evening, says(text, seat, lang))
        assert match_of(evening).absent == away == moment_of(evening).absent
    act(evening, {"event": "undo"})
    assert not match_of(evening).absent
    act(evening, {"event": "redo"})
    assert match_of(evening).absent == {seat}


def test_other_words_send_nobody_away() -> None:
    evening = sitting()
    act(evening, {"event": "decide", "words": "Anna has left the cards at home"})
    act(evening, {**says(LEFT, "red"), "change": {}})
    assert not match_of(evening).absent


def test_it_is_known_after_a_power_cut() -> None:
    evening = sitting("mercator", says(LEFT, "red"))
    memory: Any = evening.store
    memory.unfinished = lambda: memory.games()[0]
    again = Evening(memory)
    again.resume()
    assert match_of(again).absent == {"red"}


def test_the_others_fists_make_the_reveal() -> None:
    evening = sitting("mercator", says(LEFT, "red"), *LOT)
    assert match_of(evening).fists == ("blue", "green") and by_buttons(moment_of(evening))
    press(evening, True, 1000, "blue", "green")
    assert match_of(evening).called
    press(evening, False, 2000, "blue", "green")
    assert match_of(evening).view["phase"] == "bidding"
    assert match_of(evening).view["waiting"] == ["red", "blue", "green"], "somebody names what is in that fist too"


def test_a_player_who_leaves_with_the_fists_closed_lets_them_open() -> None:
    evening = sitting("mercator", *LOT)
    press(evening, True, 1000, "blue", "green")
    assert not match_of(evening).called
    act(evening, says(LEFT, "red"))
    assert match_of(evening).called
    press(evening, False, 2000, "blue", "green")
    assert match_of(evening).view["phase"] == "bidding"


def test_with_nobody_there_the_screen_reveals() -> None:
    evening = sitting("mercator", *(says(LEFT, seat) for seat in ("red", "blue", "green")), *LOT)
    assert not match_of(evening).fists
    press(evening, True, 1000, "red", "blue", "green")
    press(evening, False, 2000, "red", "blue", "green")
    assert match_of(evening).view["phase"] == "fists"
    act(evening, {"event": "reveal"})
    assert match_of(evening).view["phase"] == "bidding"


def test_the_screen_asks_whoever_plays_there_for_fingers() -> None:
    evening = sitting("spartacus", says(LEFT, "red"))
    m = moment_of(evening)
    assert m.means["red"] == InputMethods() and m.means["blue"] == InputMethods("shared", True)
    red, blue, _ = frame.rail(m)
    assert (red.name, red.status, red.hand, red.figure) == ("(Anna)", "away", 11, "0") and blue.name == "Blue"
    assert expected(m).sentence == "Anna leads: play any card"
    act(evening, {"event": "play", "seat": "red", "card": "red 9"})
