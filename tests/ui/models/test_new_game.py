"""What is said while a table is set up, on the page and by ear."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import games
from companion.dialogues import lobby, table_draft
from companion.dialogues import new_game as by_ear
from companion.rules.words import catalogue
from tests.support.audio_seat_driver import OneEar
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
