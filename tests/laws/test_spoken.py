"""What is said aloud: every ruling of every game has words for the ear, and games sound as they did.

`python -m tests.laws.test_spoken` writes what is expected anew; listen to the difference before you commit it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.cli.aloud import ToldAloud
from companion.cli.replay import replay
from companion.games import speech_of
from companion.rules.speech import Speech
from companion.rules.words import LANGUAGES
from companion.session import Session
from companion.voice.table_speech import TABLE
from tests.support import guide_checks
from tests.support.paths import GOLDENS
from tests.support.sayable import UNSAID
from tests.support.states import travel
from tests.support.tables import TABLES


def heard(game: str, lang: str) -> Iterator[str]:
    """A golden transcript as it is heard: line, to whom, sound and words."""
    told = ToldAloud(lang)
    for step in replay(GOLDENS / f"{game}.jsonl"):
        for data in told.of(step):
            yield f"{data['line']:4} {data['to']:6} {data['sound'] or '':8}{data['say']}".rstrip()


def golden(game: str, lang: str) -> Path:
    return GOLDENS / f"{game}.spoken.{lang}.txt"


SPEAKING = [name for name in games.NAMES if speech_of(name) != Speech()]
"""A new game says what is read until somebody writes what it says; these have."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", SPEAKING)
def test_a_golden_sounds_as_it_did(game: str, lang: str) -> None:
    said = list(heard(game, lang))
    assert said == golden(game, lang).read_text(encoding="utf-8").splitlines()
    for line in said:
        assert not UNSAID.search(line[5:]), line


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_every_ruling_of_an_act_has_words_for_the_ear(name: str, seats: int, options: dict[str, Any]) -> None:
    """What is refused is said as it is read, unless there is something shorter."""
    header, events, _ = travel(name, seats, options)
    session = Session(header.game, header.setup)
    rulings = [ruling for event in events for ruling in session.receive(event).rulings]
    assert {ruling.code for ruling in rulings} <= speech_of(name).rulings.keys()


@pytest.mark.parametrize("game", SPEAKING)
def test_a_refusal_never_sounds_like_another_one_of_the_table(game: str) -> None:
    assert guide_checks.codes(game) & TABLE.keys() <= speech_of(game).rulings.keys()


if __name__ == "__main__":
    for name in SPEAKING:
        for lang in LANGUAGES:
            golden(name, lang).write_text("".join(f"{line}\n" for line in heard(name, lang)), encoding="utf-8")
