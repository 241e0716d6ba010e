"""The voice at the port of a real evening: what is shown is said once, to whom it is for, and as it was chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import play
from companion.play.port import Port, Shown
from companion.play.round_clock import FIVE
from companion.record.transcript import event_data, header_data, read_header
from companion.rules import Ruling
from companion.rules.line import Line
from companion.rules.message import Message
from companion.rules.readings import Health, Press, Reading
from companion.rules.words import LANGUAGES
from companion.voice.choices import Choices, Quiet
from companion.voice.live import Live, whole
from tests.support.evenings import TABLE, Desk, choose_by_card
from tests.support.mouths import Mouths
from tests.support.playing import BOARD

FULL = Choices(words="full", sounds=True)


class Table:
    """A desk with a voice at its port."""

    def __init__(self, path: Path, choices: Choices = FULL) -> None:
        self.desk = Desk(path)
        self.now = time(20)
        self.shown: list[Shown] = []
        self.live = self.voice(choices)
        self.mouths = Mouths()
        self.live.open(self.mouths)
        self.desk.evening.be_heard(self.live)
        self.desk.evening.port.subscribe(self.shown.append)

    def voice(self, choices: Choices) -> Live:
        return Live(self.desk.store, lambda: self.desk.evening.lang, choices, no_ms=600, now=lambda: self.now)

    def begin(self, **table: Any) -> None:
        self.desk.evening.begin({**TABLE, **table})
        self.show()

    def show(self) -> None:
        """Drains until the game is shown: its first line is on disk."""
        self.desk.settle()
        while not self.shown:
            self.desk.woken.wait()
            self.desk.woken.clear()
            self.desk.evening.drain()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "store.sqlite3")
    yield table
    table.desk.store.close()


def words(lines: Sequence[Line]) -> list[str]:
    return [line.say for line in lines if line.say]


# -- what is shown -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games.NAMES)
def test_each_moment_is_said_once_and_never_what_a_resume_replays(game: str, tmp_path: Path) -> None:
    seats = ["blue", "red"] if game == "hannibal" else ["red", "blue", "green"]
    header = read_header({"tabularium": 1, "game": game, "seats": seats})
    events = [event_data(receipt.event) for _, receipt in play(header, Random(5)) if receipt.event]
    events = events[: min(20, len(events) // 2)]
    table = Table(tmp_path / "store.sqlite3")
    table.desk.evening.begin(header_data(header))
    said: list[list[str]] = []
    for event in events:
        table.desk.match.act(event)
        table.desk.settle()
        said.append(words(table.mouths.take()))
    assert sum(map(len, said)) > 3
    table.desk.store.close()
    again = Table(tmp_path / "store.sqlite3")
    again.desk.evening.resume()
    again.show()
    resumed = again.mouths.take()
    assert all(line.sound == "turn" for line in resumed) and len(resumed) <= 1 + len(header.seats)
    again.desk.store.close()


def test_a_listener_that_joins_recites_nothing(table: Table) -> None:
    table.begin()
    table.desk.act("pawns", order=["red", "blue", "green"])
    table.desk.settle()
    other = table.voice(FULL)
    other.open(mouths := Mouths())
    table.desk.evening.port.subscribe(other.hear)
    assert all(line.sound == "turn" for line in mouths.said)


def test_nothing_is_heard_before_it_is_wished_for(tmp_path: Path) -> None:
    table = Table(tmp_path / "store.sqlite3", Choices())
    table.begin()
    table.desk.act("pawns", order=["red", "blue", "green"])
    table.desk.hear(Reading("centre", "00", True, 1), Press("red", True, 5), Health("reader centre", False, "x"))
    assert table.mouths.said == [] and table.mouths.texts == ()
    assert not [did for did in table.mouths.did if did[0] == "later"]
    table.desk.store.close()


def test_the_language_of_the_table_is_the_voices(table: Table) -> None:
    table.begin()
    assert table.mouths.did[-1] == ("en", 100, 100) and "Open!" in table.mouths.texts
    table.desk.evening.lang = "de"
    table.desk.act("pawns", order=["red", "blue", "green"])
    table.desk.settle()
    assert table.mouths.did[-1] == ("de", 100, 100) and "Aufdecken!" in table.mouths.texts


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", games.NAMES)
def test_prerendered_sentences_name_nobody(game: str, lang: str) -> None:
    texts = list(whole(game, lang))
    assert texts and all(text and "{" not in text for text in texts) and len({*texts}) == len(texts)


# -- what is private -----------------------------------------------------------------------------------------------------


def test_private_sentences_are_never_spoken_aloud(table: Table) -> None:
    table.begin(ears=["red"])
    table.mouths.take()
    secret = Ruling("secret", "T-1", "The card is hidden.", seat="red")
    other = replace(secret, seat="blue")
    table.desk.match.remark(secret)
    table.desk.match.remark(other)
    table.desk.settle()
    assert [(line.to, line.say) for line in table.mouths.take()] == [("red", "The card is hidden.")]


def test_an_ear_hears_while_the_loudspeaker_keeps_quiet(table: Table) -> None:
    table.begin(ears=["red"])
    table.live.choose(replace(FULL, muted=True))
    table.mouths.take()
    table.desk.match.remark(Ruling("secret", "T-1", "The card is hidden.", seat="red"))
    table.desk.match.remark(Ruling("public", "T-1", "Everybody sees it."))
    table.desk.settle()
    heard = table.mouths.take()
    assert [(line.to, line.say) for line in heard] == [("red", "The card is hidden."), ("red", "Everybody sees it.")]


@pytest.mark.parametrize(
    "silent",
    [
        Choices(),
        replace(FULL, words="brief"),
        replace(FULL, muted=True),
        replace(FULL, quiet=Quiet.read("00:00-23:59")),
    ],
)
def test_a_blind_seat_hears_what_others_do_however_silent_the_table_is(table: Table, silent: Choices) -> None:
    """What the loudspeaker does not say in full, the ear does: as much as a loudspeaker that says everything."""
    said = {}
    table.desk.evening.boards.save("prokonsul", BOARD)
    for name, choices in (("loud", FULL), ("silent", silent)):
        table.begin(ears=["red"])
        table.live.choose(choices)
        table.mouths.take()
        table.desk.act("pawns", order=["red", "blue", "green"])
        table.desk.settle()
        table.desk.act("province", province="a")
        table.desk.settle()
        table.desk.act("choose", "blue", card="blue 3")
        table.desk.settle()
        said[name] = {line.say for line in table.mouths.take() if line.say and line.to in (None, "red")}
    assert said["loud"] - {"Draw the pawns."} <= said["silent"] and len(said["loud"]) > 3


# -- what hands and devices do -------------------------------------------------------------------------------------------


def test_a_fist_is_heard_as_it_closes(table: Table) -> None:
    table.desk.evening.boards.save("prokonsul", BOARD)
    table.begin()
    table.desk.act("pawns", order=["red", "blue", "green"])
    table.desk.act("province", province="a")
    choose_by_card(table.desk, "red 5", "blue 3", "green 7")
    assert table.desk.match.fists
    table.mouths.take()
    table.mouths.did.clear()
    table.desk.hear(Press("red", True, 10))
    assert [line.sound for line in table.mouths.take()] == ["fist"]
    table.desk.hear(Press("red", False, 20))
    assert not table.mouths.take() and not [did for did in table.mouths.did if did[0] == "later"]


def test_a_press_is_heard_once_it_is_long(table: Table) -> None:
    table.begin()
    table.mouths.take()
    table.mouths.did.clear()
    table.desk.hear(Press("red", True, 10))
    table.desk.hear(Press("red", False, 20))
    assert table.mouths.did == [
        ("later", "held red", 0.6, Line(sound="held")), ("never", "held red"), ("never", "long red")
    ]  # fmt: skip
    assert table.mouths.take() == [] or all(line.sound != "fist" for line in table.mouths.said)


def test_an_ears_own_button_is_heard_in_that_ear_alone(table: Table) -> None:
    table.begin(ears=["red"])
    table.mouths.take()
    table.mouths.did.clear()
    table.live.choose(Choices())
    table.desk.hear(Press("red", True, 10))
    assert table.mouths.did[-2:] == [
        ("later", "held red", 0.6, Line(to="red", sound="held")), ("later", "long red", 1.8, Line(to="red", sound="home"))
    ]  # fmt: skip
    table.desk.hear(Press("red", False, 20))
    assert table.mouths.did[-2:] == [("never", "held red"), ("never", "long red")]
    said = table.mouths.take()
    assert said and all(line.to == "red" for line in said) and said[0].sound == "click"


def test_audio_seat_texts_between_games_are_private(table: Table) -> None:
    table.live.aside([Ruling("ear_next", "", "Begin.", seat="red"), Ruling("public", "", "No.")])
    assert table.mouths.take() == [Line("Begin.", "red", "click", at_once=True)]


def test_a_card_and_a_lost_device_are_heard(table: Table) -> None:
    table.begin()
    table.mouths.take()
    table.desk.evening.devices.listen = lambda _: None  # a page listens: it is heard all the same
    table.desk.hear(Reading("centre", "00", True, 1), Reading("centre", "00", False, 2))
    table.desk.hear(Health("reader centre", False, "x"), Health("reader centre", True), Health("voice", False, "x"))
    assert [line.sound for line in table.mouths.take()] == ["card", "lost"]


# -- choices -------------------------------------------------------------------------------------------------------------


def test_choices_are_kept_where_they_differ_from_the_config(table: Table) -> None:
    table.live.choose(replace(FULL, volume=40, muted=True))
    assert table.desk.store.kept("voice") == {"volume": 40, "muted": True}
    other = table.voice(replace(FULL, words="brief"))
    assert other.choices == replace(FULL, words="brief", volume=40, muted=True)


def test_to_mute_is_silence_at_once(table: Table) -> None:
    table.begin()
    table.mouths.take()
    table.live.choose(replace(FULL, muted=True))
    assert ("hush", None) in table.mouths.did
    table.desk.act("pawns", order=["red", "blue", "green"])
    table.desk.settle()
    assert table.mouths.take() == []


def test_what_the_hall_calls_out_is_heard_by_everybody_but_in_quiet_hours_by_ears_alone(table: Table) -> None:
    table.begin(ears=["red"])
    table.live.choose(replace(FULL, quiet=Quiet.read("22:00-07:00")))
    table.mouths.take()
    for at, to in (("21:59", [None]), ("22:00", ["red"])):
        table.now = time.fromisoformat(at)
        table.live.call(Message(FIVE["act"]))
        assert [line.to for line in table.mouths.take() if line.say == FIVE["act"]] == to


def test_in_quiet_hours_the_loudspeaker_keeps_quiet(table: Table) -> None:
    table.live.choose(replace(FULL, quiet=Quiet.read("22:00-07:00")))
    table.now = time(23)
    table.begin()
    assert table.mouths.take() == []
    table.now = time(7)
    table.desk.act("pawns", order=["red", "blue", "green"])
    table.desk.settle()
    assert table.mouths.take()


def test_words_and_sounds_are_chosen_apart(table: Table) -> None:
    table.begin()
    table.mouths.take()
    for choices, sound in ((Choices(words="full"), None), (Choices(sounds=True), "back")):
        table.live.choose(choices)
        table.desk.act("pawns", order=["red", "blue", "green"])
        table.desk.settle()
        table.mouths.take()
        table.desk.act("undo")
        table.desk.settle()
        first, *_ = table.mouths.take()
        assert first.sound == sound and bool(first.say) == (sound is None)


def test_something_besides_a_game_is_said_as_it_was_chosen(table: Table) -> None:
    lines = [Line("Red five.", sound="card"), Line("Your turn.", "red", "turn")]
    for choices, loud in ((FULL, lines[:1]), (Choices(sounds=True), [Line(sound="card")]), (Choices(), [])):
        table.live.choose(choices)
        table.live.say(lines)
        assert table.mouths.take() == [*loud, lines[1]]


def test_what_a_page_asks_for(table: Table) -> None:
    assert table.live.available.engines == {"en": "talker"} and table.live.available.ears == ("red",)
    table.live.choose(replace(FULL, muted=True))
    table.live.test()
    table.live.test("red")
    assert [(line.to, line.say, line.sound) for line in table.mouths.take()] == [
        (None, "This is how I sound.", "won"),
        ("red", "This is how I sound.", "won"),
    ]
    table.live.again("red")
    table.live.again()  # not while it is muted
    assert table.mouths.did[-1] == ("again", "red")
    table.live.close()
    table.live.close()
    assert table.mouths.did.count(("close",)) == 1 and not table.live.available.engines
    table.live.test()
    table.live.hush()
    table.live.again()


def test_a_voice_is_not_needed(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "store.sqlite3")
    live = Live(desk.store, lambda: "en", FULL)
    port: Port = desk.evening.port
    port.subscribe(live.hear)
    desk.evening.begin(TABLE)
    desk.settle()
    live.overhear(Health("reader centre", False, "x"))
    desk.store.close()
