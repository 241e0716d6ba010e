"""An explanation of a gesture or an option is heard three times at a seat, then the short form; asked for, always."""

from __future__ import annotations

from pathlib import Path

from companion.ear._ear import MORE
from companion.ear.seats import FIST
from companion.games import NAMES, game, speech_of
from companion.play import audio_seats
from companion.record.store import Store
from companion.rules import N_, Ruling
from companion.rules.speech import explained
from companion.voice.explanations import KEY, TIMES, Explanations
from companion.voice.spoken_language import Spoken
from tests.support.audio_seat_driver import OneEar

OPTION = explained(N_("{value}."), N_("{value}. {meaning}"))
DOUBLE = {"value": "double", "meaning": Ruling("", "", "Each flag doubles its trick.")}
JOKER = {"value": "joker", "meaning": Ruling("", "", "A flag beats anything.")}


class Kept:
    """A store in memory."""

    def __init__(self, value: object = None) -> None:
        self.value = value

    def keep(self, key: str, value: object) -> int:
        assert key == KEY
        self.value = value
        return 1

    def kept(self, _: str) -> object:
        return self.value


def test_every_option_has_a_name_and_what_is_chosen_a_meaning() -> None:
    """Off and none need none: what is not played is what the other value says."""
    for name in NAMES:
        for option in game(name).options:
            speech = speech_of(name).options[option.name]
            unsaid = {value for value in option.values if value not in speech.meanings}
            assert unsaid <= {False, "none"} and speech.meanings.keys() <= {*option.values}, (name, option.name)


def test_three_times_to_each_seat_and_over_evenings() -> None:
    store = Kept()
    said = [Explanations(store).text("red", FIST, {}) for _ in range(TIMES + 2)]
    assert said == [FIST.full] * TIMES + [FIST] * 2
    assert Explanations(store).text("blue", FIST, {}) == FIST.full, "another player has not heard it"
    assert Explanations(store).text("red", MORE, {}) == MORE.full, "another gesture"


def test_options_are_explained_each_on_its_own() -> None:
    of = Explanations(Kept())
    for _ in range(TIMES):
        assert of.text("red", OPTION, DOUBLE) == OPTION.full
    assert of.text("red", OPTION, DOUBLE) == OPTION
    assert of.text("red", OPTION, JOKER) == OPTION.full


def test_other_texts_are_said_as_they_are() -> None:
    store = Kept()
    assert Explanations(store).text("red", "Battle!", {}) == "Battle!" and store.value is None


def test_what_is_damaged_counts_as_nothing() -> None:
    wrong: tuple[object, ...] = ([], {"red": 3}, {"red": {FIST.full: "often"}}, {"nobody": {FIST.full: 3}})
    for damaged in wrong:
        assert Explanations(Kept(damaged)).text("red", FIST, {}) == FIST.full


def test_an_evening_greets_a_seat_in_full_three_times(tmp_path: Path) -> None:
    heard = []
    for _ in range(TIMES + 1):
        ear = OneEar(tmp_path)
        ear.evening.greet()
        heard += ear.settle()
        ear.close()
    assert heard == [audio_seats.WELCOME.full] * TIMES + [audio_seats.WELCOME]
    store = Store(tmp_path / "tabularium.sqlite3")
    assert list(store.kept(KEY)["red"].values()) == [TIMES]
    store.close()


def test_who_asks_hears_it_in_full(tmp_path: Path) -> None:
    """Prompts count, and a press held long says the same prompt with its explanation, as often as it is asked for."""
    ear = OneEar(tmp_path)
    unasked, asked = (Ruling(code, "", FIST, {}, "red") for code in ("ear_next", "ear"))
    for _ in range(TIMES):
        ear.live.aside([unasked, asked])
    ear.live.aside([unasked, asked])
    said = ear.settle()
    assert said[:-2] == [Spoken("en").tr(FIST.full)] * 2 * TIMES and said[-2:] == ["Fist.", said[0]]
    ear.close()
