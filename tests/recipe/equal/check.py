"""Augur with everything that the five have: each part is found by its folders alone."""

from pathlib import Path

import pytest

from companion.answers.guide import known, now
from companion.games import guide_of, position_of, speech_of
from companion.hall.page import lay_out
from companion.rules import Decide
from companion.rules.words import Tongue
from companion.voice.heard import as_heard
from tests.support.playing import Play
from ui.games.face import face_of


@pytest.fixture
def play() -> Play:
    game = Play("augur", "red blue")
    game.ok("count", "red", birds=3)
    return game


def test_it_is_written_down_laid_out_and_decided_about(play: Play) -> None:
    session = play.session
    assert position_of(session.game.name).written(session.state) == {"turn": "blue", "birds": 18}
    assert position_of(session.game.name).lies(session.view(), {}) == {"roof": {"bird": 18}, "sky": {"bird": 3}}
    said = session.receive(Decide("One came back.", {"birds": 19}))
    assert said.ok and [(move.piece, move.from_, move.to) for move in said.rulings[0].facts["moves"]] == [
        ("bird", "sky", "roof")
    ]
    assert "1 bird" in Tongue().say(said.rulings[0])
    assert [part.path for part in position_of("augur").parts(session.setup, {})] == [("turn",), ("birds",)]
    assert Tongue().place("roof") == "the roof"


def test_it_is_asked_and_said(play: Play) -> None:
    at = known(play.header, play.session)
    (can,) = now(play.session.game, at).can
    assert can.verb == "count" and guide_of("augur").lessons
    (counted,) = play.session.acts[-1].rulings
    heard = as_heard(speech_of("augur"), counted)
    assert heard and Tongue().tr(heard.text, **heard.facts) == "3 fly off."


def test_it_has_a_face_and_a_table_on_the_board_of_a_hall(tmp_path: Path) -> None:
    assert face_of("augur").board == "ui.games.augur.board.AugurBoard"
    lay_out(tmp_path)
    assert 'src="game-augur.js"' in (tmp_path / "index.html").read_text()
    assert 'brings("augur"' in (tmp_path / "game-augur.js").read_text()
