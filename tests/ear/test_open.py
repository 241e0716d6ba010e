"""A table on which nobody has an ear yet: any button wakes the loudspeaker, and an earphone is found by hearing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.cli.open_devices import OpenDevices
from companion.dialogues import lobby, new_game
from companion.ear import _onboarding
from companion.hardware.settings import Settings
from companion.play import audio_seats
from companion.rules import Ruling
from companion.rules.words import catalogue
from companion.voice.spoken_language import Spoken
from drivers.voice.cards import cards
from tests.support.audio_seat_driver import HELD, LONG, SHORT, OneEar
from tests.support.evenings import settle

CARDS = "plughw:CARD=Left,DEV=0", "plughw:CARD=Right,DEV=0"


class Phones:
    """Two sound cards, and what was said on each."""

    def __init__(self, ear: OneEar) -> None:
        self.ear = ear
        self.tried: list[tuple[str, str]] = []

    def cards(self) -> Sequence[str]:
        return CARDS

    def try_out(self, card: str, said: Ruling) -> None:
        self.tried.append((card, Spoken(self.ear.evening.lang).tr(said.text, **said.facts)))

    def give(self, seat: str, card: str) -> None:
        self.ear.evening.ears = (seat,)
        self.tried.append((card, seat))


class Nobody(OneEar):
    """Nobody has an ear, and nothing has ever been chosen; what is heard is what the loudspeaker says."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.evening.ears = ()
        self.mouths.ears = ()
        self.phones = self.evening.earphones = Phones(self)

    def settle(self) -> list[str]:
        settle(self.evening)
        said = [line.say for line in self.mouths.take() if line.say and line.to is None]
        self.heard += said
        return said


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Nobody]:
    table = Nobody(tmp_path)
    yield table
    table.close()


def test_nothing_is_said_before_a_button_has_been_held_long(table: Nobody) -> None:
    assert [table.press(ms) for ms in (SHORT, HELD, SHORT)] == [[], [], []]
    assert table.press(LONG) == [_onboarding.OFFER]


def test_each_language_offers_itself_until_one_is_taken(table: Nobody) -> None:
    said = [*table.press(LONG), *table.press(), *table.press(), *table.press()]
    assert said == [catalogue(lang)(_onboarding.OFFER) for lang in ("en", "de", "ja", "en")]
    assert [did[0] for did in table.mouths.did if did[0] in ("en", "de", "ja")][-4:] == ["en", "de", "ja", "en"]
    table.press()
    assert table.press(HELD) == [catalogue("de")(audio_seats.WELCOME.full)] and table.evening.lang == "de"
    other = table.press()
    assert other == [catalogue("de")(_onboarding.FIND)], "from then on it is the lobby"


def test_a_game_is_begun_by_the_loudspeaker_alone(table: Nobody) -> None:
    table.evening.lang = "en"
    assert table.press(LONG) == [audio_seats.WELCOME.full]
    table.take(lobby.NEW)
    table.take(lobby.GAME, game="Spartacus")
    table.take(lobby.PLAYERS)
    table.take(new_game.BEGIN)
    assert table.evening.match and not table.evening.match.header.ears
    assert table.press(LONG) == [], "while a game is on, it says what was chosen: nothing"


def test_an_earphone_is_found_by_hearing_it(table: Nobody) -> None:
    """Each sound card speaks in turn, and the loudspeaker does not; whoever hears one holds the own button."""
    table.evening.lang = "en"
    table.press(LONG)
    assert table.take(_onboarding.FIND) == [_onboarding.HOW]
    assert table.press() == [] == table.press() == table.press()
    assert [card for card, _ in table.phones.tried] == [CARDS[0], CARDS[1], CARDS[0]]
    assert table.phones.tried[1][1] == "Number two. If you hear this in your ear, hold the button."
    assert table.press() == [] == table.press(HELD)
    assert table.phones.tried[-2:] == [(CARDS[1], "red"), (CARDS[1], _onboarding.NOW)]


LISTED = """\
null
    Discard all samples (playback) or generate zero samples (capture)
sysdefault:CARD=Headphones
    bcm2835 Headphones, bcm2835 Headphones
plughw:CARD=Headphones,DEV=0
    bcm2835 Headphones, bcm2835 Headphones
hw:CARD=Device,DEV=0
    USB Audio Device, USB Audio
plughw:CARD=Device,DEV=0
    USB Audio Device, USB Audio
"""


def test_sound_cards_are_those_that_convert_what_they_are_given(tmp_path: Path) -> None:
    program = tmp_path / "aplay"
    program.write_text(f"#!/bin/sh\ncat <<END\n{LISTED}END\n")
    program.chmod(0o755)
    assert cards(str(program)) == ["plughw:CARD=Headphones,DEV=0", "plughw:CARD=Device,DEV=0"]
    program.write_text("#!/bin/sh\nexit 1\n")
    assert cards(str(program)) == [] == cards(str(tmp_path / "nothing"))


def test_an_ear_that_was_found_is_there_again_and_the_file_says_more(tmp_path: Path) -> None:
    """Kept in the store; what config.yaml names is stronger, and a card is one seat's."""
    ear = OneEar(tmp_path)
    hardware = OpenDevices(ear.evening, ear.store, ear, ear.live, hubs=False)  # type: ignore[arg-type] # nothing is recorded
    hardware._settings = Settings()
    hardware.give("blue", CARDS[0])
    assert ear.evening.ears == ("blue",)
    hardware.give("green", CARDS[0])
    assert ear.evening.ears == ("green",) and ear.store.kept("ears") == {"green": CARDS[0]}
    ear.store.keep("ears", {"nobody": 3})
    hardware._listen()
    assert not ear.evening.ears, "a spoilt one is nothing"
    hardware.close()
    ear.close()
