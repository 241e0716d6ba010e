"""A first game: each lesson is told once, in its time, whatever is taken back and however often the table stops."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.games.spartacus import guide as spartacus
from companion.play._lessons import Lessons
from companion.play.evening import Evening
from companion.record.store import Store
from tests.support.playing import moment_of
from tests.support.toy_guide import small
from tools.scenes.rehearsal import Memory

TABLE = {"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]}


@pytest.fixture(autouse=True)
def guide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spartacus, "GUIDE", small())


def game(teach: bool = True) -> Evening:
    evening = Evening(Memory())
    evening.begin(TABLE, teach=teach)
    evening.drain()
    return evening


def lessons(evening: Evening) -> Lessons:
    assert evening.lessons
    return evening.lessons


def told(evening: Evening) -> str | None:
    at = moment_of(evening)
    lesson = lessons(evening).look(at.game, at.known)
    lessons(evening).seen()
    return lesson.key if lesson else None


def act(evening: Evening, **event: Any) -> None:
    assert evening.match
    assert all(receipt.ok for receipt in evening.match.act(event))
    evening.drain()


def play(evening: Evening, seat: str, card: str) -> None:
    act(evening, event="play", seat=seat, card=card)


def test_a_lesson_stays_until_it_is_put_away_and_comes_once() -> None:
    evening = game()
    assert [told(evening), told(evening)] == ["lead", "lead"]
    lessons(evening).put_away()
    assert told(evening) is None
    play(evening, "red", "red 9")
    assert told(evening) == "below"
    lessons(evening).put_away()
    assert told(evening) == "out"


def test_a_lesson_that_nobody_has_seen_is_due_again() -> None:
    evening = game()
    for _ in range(2):
        at = moment_of(evening)
        lesson = lessons(evening).look(at.game, at.known)
        assert lesson and lesson.key == "lead"
        lessons(evening).put_away()
    assert told(evening) == "lead"
    lessons(evening).put_away()
    assert told(evening) is None


def test_a_lesson_goes_with_the_moment_it_is_about() -> None:
    evening = game()
    assert told(evening) == "lead"
    play(evening, "red", "red 9")
    assert told(evening) == "below"
    play(evening, "blue", "blue 7")
    assert told(evening) is None


def test_an_undo_does_not_tell_it_again() -> None:
    evening = game()
    told(evening)
    play(evening, "red", "red 9")
    assert told(evening) == "below"
    act(evening, event="undo")
    assert told(evening) is None


def test_enough_ends_all_of_them() -> None:
    evening = game()
    told(evening)
    lessons(evening).end()
    play(evening, "red", "red 9")
    assert told(evening) is None
    assert evening.store.kept("lessons") is None


def test_they_go_on_where_they_ended_or_begin_in_the_middle_of_a_game() -> None:
    evening = game()
    told(evening)
    evening.teach(on=False)
    assert lessons(evening).over
    play(evening, "red", "red 9")
    evening.teach(on=True)
    assert told(evening) == "below"
    assert evening.store.kept("lessons")["told"] == ["lead", "below"]
    late = game(teach=False)
    late.teach(on=True)
    assert told(late) == "lead"


def test_nothing_is_told_where_nobody_asked() -> None:
    evening = game()
    evening.begin(TABLE)
    assert evening.lessons is None
    assert game(teach=False).lessons is None


def test_told_lessons_survive_a_restart(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "store.sqlite3")) as store:
        evening = Evening(store)
        evening.begin(TABLE, teach=True)
        assert told(evening) == "lead"
        play(evening, "red", "red 9")
    with closing(Store(tmp_path / "store.sqlite3")) as store:
        again = Evening(store)
        again.resume()
        assert told(again) == "below"
        lessons(again).end()
    with closing(Store(tmp_path / "store.sqlite3")) as store:
        last = Evening(store)
        last.resume()
        assert last.lessons is None
