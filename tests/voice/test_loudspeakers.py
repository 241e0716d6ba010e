"""A voice at virtual loudspeakers: what is said, in which order, what cuts it off, and to whom it goes."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from threading import enumerate as threads
from time import perf_counter

import pytest

from companion.rules.line import SOUNDS, Line
from drivers.voice import sounds
from drivers.voice.cache import SpeechCache
from tests.support.talking import BIT, HZ, Room, samples

A, B, C = Line("Anna pleads"), Line("Blue says yes"), Line("Green wins", stays=True)


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room("red", "blue")
    yield room
    room.voice.close()


def test_lines_of_one_moment_are_said_in_their_order(room: Room) -> None:
    room.voice.say([A, B])
    room.until("Anna pleads Blue says yes")
    assert len(room.table.played) == 1, "without a gap"


def test_new_words_cut_off_old_ones_in_the_middle(room: Room) -> None:
    room.table.pace = 1
    room.voice.say([A, B])
    room.begun("Anna")
    room.table.pace = 20
    room.voice.say([Line("Open")])
    room.until("Open")
    assert room.heard() == ["Anna...", "Open"]


def test_what_stays_is_said_to_its_end_and_first(room: Room) -> None:
    room.table.pace = 2
    room.voice.say([C, A, C])
    room.begun("Green")
    room.voice.say([B])
    room.table.pace = 20
    room.until("Blue says yes")
    assert room.heard() == ["Green wins", "Green wins", "Blue says yes"]


def test_a_sound_comes_before_its_words(room: Room) -> None:
    room.voice.say([Line("Open", sound="open")])
    room.until("* Open")
    assert bytes(room.table.played[0].pcm).startswith(samples("open"))


def test_a_sound_alone_joins_the_words_and_cuts_nothing_off(room: Room) -> None:
    room.table.pace = 1
    room.voice.say([A])
    room.begun("Anna")
    room.voice.say([Line(sound="fist"), Line(sound="fist")])
    room.table.pace = 20
    room.table.until(lambda: room.table.played[-1].end)
    (played,) = room.table.played
    assert played.end == "heard" and len(played.pcm) == 2 * BIT * 2, "it is no longer for that"
    assert "*" in room.read(played)


def test_a_sound_is_heard_alone_where_nothing_is_said(room: Room) -> None:
    room.voice.say([Line(sound="card")])
    room.until("*")
    assert bytes(room.table.played[0].pcm) == samples("card")


def test_the_last_words_once_more(room: Room) -> None:
    room.voice.say([A, Line(sound="card")])
    room.until("Anna pleads *")
    room.voice.say([Line(sound="fist")])
    room.until("*")
    room.voice.again()
    room.until("Anna pleads")
    room.voice.again("red")  # nothing has been said there
    room.voice.again("green")  # there is no such ear
    room.voice.say([B])
    room.until("Blue says yes")
    assert room.heard("red") == []


def test_silence_is_at_once_and_nothing_follows(room: Room) -> None:
    room.table.pace = 1
    room.voice.say([C, A])
    room.begun("Green")
    room.voice.hush()
    room.until("Green...")
    room.table.pace = 20
    room.voice.say([B])
    room.until("Blue says yes")
    assert len(room.table.played) == 2


def test_what_is_due_later_comes_unless_it_is_called_off(room: Room) -> None:
    room.voice.later("a", 0.01, Line(sound="held"))
    room.voice.later("b", 0.01, Line("Never", "red"))
    room.voice.later("c", 0.01, Line("Never", "green"))
    room.voice.never("b")
    room.until("*")
    room.voice.say([Line("Now", "red")])
    room.until("Now", "red")
    assert room.heard("red") == ["Now"]


def test_an_ear_has_a_pace_of_its_own(room: Room) -> None:
    """Its rate is the engine's for its own lines alone, its volume that of its own sounds."""
    room.voice.tune("en", 100, 100, {"red": (150, 50, 0)})
    high = {}
    for place in (None, "red", "blue"):
        room.voice.say([Line("Now", place)])
        room.sinks[place].until(lambda place=place: room.sinks[place].played and room.sinks[place].played[-1].end)  # type: ignore[misc]
        high[place] = max(memoryview(bytes(room.sinks[place].played[-1].pcm)).cast("h"))
    assert [talker.rates for talker in room.talkers] == [[100], [150], [100]]
    assert high["blue"] == high[None] and 0.2 < high["red"] / high[None] < 0.3


def test_louder_and_softer(room: Room) -> None:
    room.voice.tune("en", 100, 50)
    room.voice.say([Line(sound="held")])
    room.table.until(lambda: room.table.played and room.table.played[-1].end)
    room.voice.tune("en", 100, 0)
    room.voice.say([Line(sound="held")])
    room.table.until(lambda: len(room.table.played) == 2 and room.table.played[-1].end)
    loud, half, none = (
        max(memoryview(bytes(pcm)).cast("h")) for pcm in (samples("held"), *(p.pcm for p in room.table.played))
    )
    assert 0.2 < half / loud < 0.3 and none == 0


# -- where it goes -----------------------------------------------------------------------------------------------------


def test_what_is_for_an_ear_is_heard_there_alone(room: Room) -> None:
    room.voice.say([Line("Seven face down", "red"), A, Line("Hidden", "green"), Line(sound="click", to="blue")])
    room.until("Anna pleads")
    room.until("Seven face down", "red")
    room.until("*", "blue")
    assert (room.heard(), room.heard("red"), room.heard("blue")) == (["Anna pleads"], ["Seven face down"], ["*"])
    assert all("Hidden" not in talker.asked for talker in room.talkers)


def test_an_ear_waits_for_the_loudspeaker_and_never_the_other_way_round(room: Room) -> None:
    room.table.pace = 1
    room.voice.say([A])
    room.begun("Anna")
    room.voice.say([Line("Seven", "red")])
    room.begun("Seven", "red")
    assert room.heard() == ["Anna pleads"]
    room.sinks["red"].pace = 0.01
    room.voice.say([Line("Eight", "red")])
    room.begun("Eight", "red")
    room.voice.say([A])
    room.until("Anna pleads")
    assert room.heard("red")[-1] == "Eight (on)"


def test_what_an_ear_asks_for_by_its_button_waits_for_nothing(room: Room) -> None:
    room.table.pace = 0.01  # it would take minutes
    room.voice.say([A])
    room.begun("Anna")
    room.voice.say([Line("Four", "red")])
    room.voice.say([Line("Seven", "red", at_once=True)])
    room.until("Seven", "red")
    assert room.heard() == ["Anna (on)"]


def test_an_ear_that_is_lost_falls_silent_and_comes_back(room: Room) -> None:
    ear = room.sinks["red"]
    ear.pace = 1
    room.voice.say([Line("Seven face down", "red")])
    room.begun("Seven", "red")
    ear.fault = OSError("No such device")
    room.until("Seven...", "red")
    ear.pace = 20
    room.voice.say([Line("Four", "red"), A])
    room.until("Anna pleads")
    room.voice.say([Line("Five", "red")])
    ear.fault = None
    room.voice.say([Line("Six", "red")])
    room.until("Six", "red")
    assert room.heard() == ["Anna pleads"] and room.heard("blue") == [], "never rerouted"
    assert [(word.device, word.well) for word in room.health] == [("ear red", False), ("ear red", True)]
    assert room.health[0].detail == "No such device. Plug in the earphone again: until then this ear is silent."


# -- faults of an engine -------------------------------------------------------------------------------------------------


def test_an_engine_that_fails_is_reported_once_and_sounds_go_on(room: Room) -> None:
    for talker in room.talkers:
        talker.fault = OSError("it hangs")
    room.voice.say([Line("Open", sound="open")])
    room.until("*")
    room.voice.say([Line("Seven", "red", "click")])
    room.until("*", "red")
    assert [(word.device, word.well) for word in room.health] == [("voice", False)]
    for talker in room.talkers:
        talker.fault = None
    room.voice.say([A])
    room.until("Anna pleads")
    assert room.health[-1].device == "voice" and room.health[-1].well


@pytest.mark.parametrize("text", ["", " ", "😀", "[[h@l'oU]]", "<b></b>", "\x00\x07", "たなか", "---", "…"])
def test_what_cannot_be_said_is_not_said(room: Room, text: str) -> None:
    room.voice.say([Line(text), A])
    room.until("Anna pleads" if "h@" not in text else "h l'oU Anna pleads")


def test_a_language_without_an_engine_is_silent(room: Room) -> None:
    room.voice.tune("ja")
    room.voice.say([Line("始め", sound="open")])
    room.until("*")
    assert not room.health and not room.talkers[0].asked


# -- what is kept --------------------------------------------------------------------------------------------------------


def test_whole_sentences_are_found_again_after_a_restart(tmp_path: Path) -> None:
    words: dict[str, int] = {}
    for asked in (["Open", "Anna pleads"], ["Anna pleads"]):
        room = Room("red", kept=SpeechCache(tmp_path), words=words)
        room.voice.say([Line("Open", named=False), A])
        room.until("Open Anna pleads")
        assert room.talkers[0].asked == asked
        room.voice.close()
    assert len(list(tmp_path.iterdir())) == 1


def test_an_ear_uses_what_is_kept_and_leaves_no_trace(tmp_path: Path) -> None:
    room = Room("red", kept=SpeechCache(tmp_path))
    room.voice.say([Line("Your joker", "red", named=False)])
    room.until("Your joker", "red")
    assert not list(tmp_path.iterdir())
    room.voice.close()


def test_sentences_are_rendered_while_there_is_nothing_to_say(tmp_path: Path) -> None:
    room = Room("red", kept=SpeechCache(tmp_path))
    talker = room.talkers[0]
    room.voice.ahead(iter(["Open", "<b>"]))
    assert talker.spoken.acquire(timeout=20)
    room.voice.say([Line("Open", named=False)])
    room.until("Open")
    room.voice.say([Line("Open", "red", named=False)])
    room.until("Open", "red")
    assert [talker.asked for talker in room.talkers] == [["Open"], []]
    room.voice.close()


def test_what_is_said_comes_before_what_is_rendered(tmp_path: Path) -> None:
    room = Room(kept=SpeechCache(tmp_path))
    room.voice.ahead(f"Sentence {number}" for number in range(1000))
    room.voice.say([A])
    room.until("Anna pleads")
    assert len(room.talkers[0].asked) < 10
    room.voice.close()


# -- the end -------------------------------------------------------------------------------------------------------------


def voices() -> list[Thread]:
    return [thread for thread in threads() if thread.name == "voice"]


def test_the_end_is_silence_at_once() -> None:
    before = voices()
    room = Room("red")
    room.table.pace = 0.01
    room.voice.say([C])
    room.begun("Green")
    began = perf_counter()
    room.voice.close()
    room.voice.close()
    room.voice.say([A])
    room.voice.hush()
    assert perf_counter() - began < 2 and room.heard() == ["Green..."]
    assert voices() == before
    assert all(talker.closed.is_set() for talker in room.talkers)


def test_every_sound_is_there() -> None:
    assert {*sounds.NOTES} == {*SOUNDS} and HZ == sounds.HZ
