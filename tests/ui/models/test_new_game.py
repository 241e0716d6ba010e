"""What is said while a table is set up, on the page and by ear."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import games
from companion.dialogues import lobby, table_draft
from companion.dialogues import new_game as by_ear
from companion.rules.words import catalogue
from tests.support.audio_seat_driver import HELD, OneEar
from ui.pages import new_game


@pytest.mark.parametrize(
    ("seats", "told"),
    [("red green yellow", False), ("red blue green", True), ("red blue green yellow", True),
     ("red blue green yellow purple", False)],
)  # fmt: skip
def test_with_fewer_than_five_caesar_says_to_leave_blue_free(seats: str, told: bool) -> None:
    """C-1: its ten counters serve as neutrals."""
    draft = table_draft.draft([games.game("caesar")], {"game": "caesar", "seats": seats.split()})
    for lang, blue in (("en", "Blue"), ("de", "Blau"), ("ja", "青")):
        assert (blue in new_game.count(draft, lang)) == told


@pytest.mark.parametrize(("players", "blue"), [(3, False), (4, False), (5, True)])
def test_by_ear_blue_is_taken_last(tmp_path: Path, players: int, blue: bool) -> None:
    ear = OneEar(tmp_path)
    ear.take(lobby.NEW)
    ear.take(lobby.GAME, game=catalogue("en")(games.game("caesar").title))
    ear.step_to(lobby.PLAYERS, count=["three", "four", "five"][players - 3])
    ear.press(700)
    ear.take(by_ear.BEGIN)
    match = ear.evening.match
    assert match and len(match.header.seats) == players and ("blue" in match.header.seats) == blue
    ear.close()


def test_newcomers_hear_of_help_first_and_others_of_the_printed_game(tmp_path: Path) -> None:
    """And each unfinished game can be continued by ear."""
    ear = OneEar(tmp_path)
    heard = []
    for _ in range(3):
        ear.home()
        ear.take(lobby.NEW)
        ear.take(lobby.GAME, game="Spartacus")
        ear.take(lobby.PLAYERS)
        heard.append(ear.heard[-1].partition(":")[0])
        ear.take(by_ear.BEGIN)
        match = ear.evening.match
        assert match
        match.act({"event": "play", "seat": "red", "card": "red 9"})
        ear.settle()
        ear.evening.put_away()
    assert heard == ["Begin, with help", "Begin as printed", "Begin as printed"]
    ear.home()
    ear.take(lobby.OTHERS)
    ear.press()
    ear.press(HELD)
    assert ear.evening.match and ear.evening.match.number == 1
    ear.close()


@pytest.mark.parametrize(("option", "value"), [("flags", "joker"), ("points", "covered")])
def test_what_is_not_printed_is_named(option: str, value: str) -> None:
    draft = table_draft.of(games.game("spartacus"), 3)
    assert table_draft.ways(draft, False)[0] == (table_draft.PRINTED, False)
    varied = table_draft.choose(draft, option, value)
    assert [table_draft.ways(varied, new)[new][0] for new in (False, True)] == 2 * [table_draft.VARIED]
    default = next(of.default for of in draft.game.options if of.name == option)
    assert table_draft.ways(table_draft.choose(varied, option, default), False)[0][0] == table_draft.PRINTED


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_what_a_greyed_rule_needs_is_said(lang: str) -> None:
    draft = table_draft.of(games.game("prokonsul"), 4)
    shown = [choice for choice in new_game.choices(draft, lang) if choice.off]
    free = {"en": "Negotiation: free", "de": "Verhandlung: frei", "ja": "交渉：自由"}[lang]
    assert len(shown) == 2 and all(free in choice.text for choice in shown)
    assert not any(choice.off for choice in new_game.choices(table_draft.choose(draft, "negotiation", "free"), lang))


def test_people_whose_colour_another_game_lacks_take_one_that_is_free() -> None:
    mercator, caesar, hannibal = (games.game(name) for name in ("mercator", "caesar", "hannibal"))
    lacking = next(seat for seat in mercator.colours if seat not in caesar.colours)
    of_seven = table_draft.TableDraft(mercator, ("red", lacking, "green"), {"red": "Anna", lacking: "Ben"})
    draft = table_draft.play(of_seven, caesar)
    assert len(draft.seats) == 3 and draft.seats[0] == "red" and draft.seats[2] == "green"
    assert draft.players == {"red": "Anna", draft.seats[1]: "Ben"}
    assert table_draft.play(draft, mercator).players == draft.players
    two = table_draft.play(of_seven, hannibal)
    assert two.seats == hannibal.fixed and sorted(two.players.values()) == ["Anna", "Ben"]
