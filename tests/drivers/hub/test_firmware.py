"""The hub's firmware by its protocol (firmware_notes/hub_protocol.md): the same tests under CPython and MicroPython."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.hub_firmware import BOOT, HUB, SECOND, Lab, Maker, line, lines, said, tell, words
from tests.support.paths import ROOT
from tools.needs import needs_micropython

VECTORS = json.loads((ROOT / "firmware_notes" / "hub_vectors.json").read_text(encoding="utf-8"))
CARD, SIBLING, LONG, SHORT = "04A3C6CAE26180", "04A3C6CAE26181", "04112233445566778899", "DEADBEEF"
MS = 1000
SNAPSHOT = ["place 0 up new", "place 1 up new", "place 2 up -", "place 3 - -"]


@pytest.fixture(scope="module", params=["CPython", "MicroPython"])
def make(request: pytest.FixtureRequest) -> Iterator[Maker]:
    if request.param == "CPython":
        yield Maker(None)
        return
    needs_micropython()
    lab = Lab()
    yield Maker(lab)
    lab.close()


def of(side: str, kind: str) -> list[Any]:
    return [vector for vector in VECTORS[kind] if vector["from"] == side]


def well(hub: Any, *places: int, t: int = 0) -> None:
    """The readers have been polled often enough, with nothing on them."""
    for place in places:
        for _ in range(3):
            hub.seen(place, [], t)
    said(hub)


def presses(hub: Any, count: int, t: int = 0) -> int:
    """This many events, a press and its release in turn; returns when the last was certain."""
    for number in range(count):
        t += 20 * MS
        hub.buttons(number % 2 ^ 1, t)
    hub.tick(t + 20 * MS)
    return t + 20 * MS


# -- lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", of("host", "right"), ids=lambda vector: str(vector["line"]))
def test_right_lines_of_the_hosts(make: Maker, vector: Any) -> None:
    assert make.call("parse", vector["line"].encode()) == list(vector["means"].values())
    assert make.call("parse", vector["line"].encode() + b"\r") == list(vector["means"].values())


@pytest.mark.parametrize("vector", of("host", "wrong"), ids=lambda vector: str(vector["why"]))
def test_wrong_lines_of_the_hosts(make: Maker, vector: Any) -> None:
    hub = make()
    hub.feed(vector["line"].encode() + b"\n", 5)
    assert (hub.bad, hub.unknown) == ((0, 1) if vector["why"] == "an unknown word" else (1, 0))
    assert said(hub) == []
    tell(hub, "ping 1", 6)
    assert said(hub) == ["pong 1 6"]


@pytest.mark.parametrize("vector", of("hub", "right"), ids=lambda vector: str(vector["line"]))
def test_check_sums_are_written_right(make: Maker, vector: Any) -> None:
    assert make.call("line", vector["line"].partition("*")[0]) == vector["line"].encode() + b"\n"


def test_firmware_matches_the_protocol_vectors(make: Maker) -> None:
    hub = make(["rbl", "rbl", "bl", "-"], linked=False)
    well(hub, 0, 1)
    tell(hub, "hello 1", 1523)
    tell(hub, "ack 2", 1523)
    assert said(hub)[0] + "*827978EA\n" == VECTORS["right"][9]["line"] + "\n"
    hub.seen(0, [CARD], 1600)
    hub.seen(0, [CARD, SHORT], 1700)
    tell(hub, "state", 2000)
    state = said(hub)[-5:]
    assert sorted(state[0].split()) == sorted(f"place 0 up well {CARD} {SHORT}".split())
    assert state[1:] == ["place 1 up well", "place 2 up -", "place 3 - -", "whole 4 2000"]


def test_lines_may_come_in_any_pieces(make: Maker) -> None:
    hub = make()
    for byte in line("ping 7") + b"\r\n" + line("ping 8"):
        hub.feed(bytes([byte]), 9)
    assert said(hub) == ["pong 7 9", "pong 8 9"]
    assert hub.bad == 1


def test_a_line_that_never_ends_is_one_line(make: Maker) -> None:
    hub = make()
    for _ in range(50):
        hub.feed(b"x" * 100, 1)
    hub.feed(line("ping 1"), 1)
    tell(hub, "ping 2", 2)
    assert said(hub) == ["pong 2 2"]
    assert hub.bad == 1


@pytest.mark.parametrize(("length", "answers"), [(512, True), (513, False)])
def test_a_line_of_512_bytes_and_one_more(make: Maker, length: int, answers: bool) -> None:
    hub = make()
    body = "later " + "x" * (length - 6 - 10)
    hub.feed(line(body), 1)
    assert (hub.unknown, hub.bad) == ((1, 0) if answers else (0, 1))


def test_a_number_that_would_not_fit_the_answer(make: Maker) -> None:
    hub = make()
    tell(hub, "ping " + "9" * 21, 1)
    tell(hub, "ping " + "9" * 20, 1)
    assert said(hub) == ["pong " + "9" * 20 + " 1"]


def test_every_single_flipped_bit_is_noticed(make: Maker) -> None:
    hub = make()
    whole = line("lamp 0 on")
    for at in range(8 * len(whole) - 8):
        torn = bytearray(whole)
        torn[at // 8] ^= 1 << at % 8
        hub.feed(bytes(torn), 1)
    assert hub.lit(1) == 0


# -- hello and who is there -------------------------------------------------------------------------------------------


def test_hello_is_answered_with_a_snapshot(make: Maker) -> None:
    hub = make(linked=False)
    tell(hub, "hello 1", 77)
    assert said(hub) == [f"hello 1 {HUB} {BOOT} 1.0.0 rbl,rbl,bl,-", *SNAPSHOT, "whole 0 77"]


@pytest.mark.parametrize("typed", [b"?\n", b"?\r\n"])
def test_a_question_mark_from_a_person(make: Maker, typed: bytes) -> None:
    hub = make(linked=False)
    hub.feed(typed, 5)
    assert len(said(hub)) == 6


def test_another_version_gets_hello_and_nothing_else(make: Maker) -> None:
    hub = make()
    tell(hub, "hello 2", 5)
    assert [body.split()[:2] for body in said(hub)] == [["hello", "1"]]
    hub.buttons(1, 10)
    hub.tick(2 * SECOND)
    assert said(hub) == []


def test_a_host_that_has_not_said_hello_gets_nothing(make: Maker) -> None:
    hub = make(linked=False)
    hub.buttons(1, 1)
    for body in ("state", "again 1", "ack 1", "lamp 0 on", "debounce 100", "ping 1"):
        tell(hub, body, 2)
    hub.tick(2 * SECOND)
    assert said(hub) == []
    assert hub.lit(2) == 0
    tell(hub, "hello 1", 3)
    tell(hub, "again 1", 4)
    assert said(hub)[-1] == "event 1 1 0 down"


def test_its_own_words_sent_back_are_not_answered(make: Maker) -> None:
    hub = make()
    tell(hub, "state", 5)
    presses(hub, 4)
    mine = lines(hub)
    hub.feed(b"".join([*mine, line(f"hello 1 {HUB} {BOOT} 1.0.0 rbl")]), 6)
    assert said(hub) == []
    hub.tick(SECOND)
    for second in range(2, 9):  # and they are no host's sign of life
        hub.feed(b"".join(lines(hub)), second * SECOND)
        hub.tick(second * SECOND)
    assert not hub.linked


def test_a_host_that_is_silent_for_three_seconds_is_gone(make: Maker) -> None:
    hub = make()
    for t in (1_000_000, 2_000_000, 2_999_999):
        hub.tick(t)
    assert len(words(hub, "beat")) == 2
    hub.feed(b"garbage\n", 2_999_999)
    hub.tick(3 * SECOND)
    hub.buttons(1, 3 * SECOND)
    hub.tick(4 * SECOND)
    tell(hub, "ping 5", 4 * SECOND)
    assert said(hub) == []


def test_any_valid_line_keeps_the_link(make: Maker) -> None:
    hub = make()
    for second in range(1, 10):
        tell(hub, "ping 0", second * SECOND)
        hub.tick(second * SECOND)
    assert len(words(hub, "beat")) == 9


def test_beats_carry_time_number_lamps_and_bad_lines(make: Maker) -> None:
    hub = make()
    tell(hub, "lamp 0 on", 5)
    tell(hub, "lamp 2 blink", 5)
    hub.feed(b"\nfoo\n" + line("dance 1"), 5)
    hub.buttons(4, 6)
    hub.tick(SECOND + 3)
    assert said(hub) == ["event 1 6 2 down", "beat 1000003 1 102. 2"]


# -- events -----------------------------------------------------------------------------------------------------------


def test_never_more_than_64_beyond_the_last_ack(make: Maker) -> None:
    hub = make()
    presses(hub, 100)
    assert [int(body.split()[1]) for body in words(hub, "event")] == list(range(1, 65))
    tell(hub, "ack 30", 1)
    assert [int(body.split()[1]) for body in said(hub)] == list(range(65, 95))
    tell(hub, "ack 94", 1)
    assert [int(body.split()[1]) for body in said(hub)] == list(range(95, 101))


def test_again_sends_the_same_bytes_once_more(make: Maker) -> None:
    hub = make()
    presses(hub, 20)
    first = [taken for taken in lines(hub) if taken.startswith(b"event")]
    tell(hub, "again 11", 1)
    assert lines(hub) == first[10:]
    tell(hub, "again 10", 2)
    assert said(hub)[0] == "gone 11", "those before it had arrived"
    tell(hub, "again 21", 3)
    assert said(hub) == [], "the next one, which has not happened yet"
    tell(hub, "again 22", 4)
    tell(hub, "again 0", 4)
    tell(hub, "ack 21", 4)
    assert hub.bad == 3


def test_beats_follow_each_other_quickly_while_an_event_is_not_acknowledged(make: Maker) -> None:
    """An event that is lost and followed by nothing is noticed by the beat; the beat may be lost as well."""
    hub = make()
    hub.tick(2 * SECOND)
    tell(hub, "ping 1", 2 * SECOND)
    said(hub)
    hub.buttons(1, 2 * SECOND + 100 * MS)
    for quarter in range(1, 5):
        assert hub.due(2 * SECOND + 100 * MS) <= 2 * SECOND + (100 + 250 * quarter) * MS
        hub.tick(2 * SECOND + (100 + 250 * quarter) * MS)
        assert len(words(hub, "beat")) == 1
    tell(hub, "ack 1", 3 * SECOND + 100 * MS)
    for quarter in range(5, 13):
        hub.tick(2 * SECOND + (100 + 250 * quarter) * MS)
    assert len(words(hub, "beat")) == 2, "once a second again, after one that was due"


def test_events_are_kept_while_nobody_listens(make: Maker) -> None:
    hub = make()
    presses(hub, 3)
    said(hub)
    tell(hub, "ack 3", 1)
    hub.tick(4 * SECOND)
    presses(hub, 100, t=5 * SECOND)
    tell(hub, "hello 1", 20 * SECOND)
    tell(hub, "again 4", 20 * SECOND)
    kept = {body.split()[1] for body in words(hub, "event")}
    assert kept == {str(seq) for seq in range(4, 68)}


def test_the_oldest_of_513_events_is_gone(make: Maker) -> None:
    hub = make()
    hub.tick(4 * SECOND)
    presses(hub, 513, t=5 * SECOND)
    tell(hub, "hello 1", 60 * SECOND)
    said(hub)
    tell(hub, "again 1", 60 * SECOND)
    answer = said(hub)
    assert answer[0] == "gone 2"
    assert [int(body.split()[1]) for body in answer[1:]] == list(range(2, 66))
    seen = 65
    while seen < 513:
        tell(hub, f"ack {seen}", 60 * SECOND)
        for body in said(hub):
            assert body.split()[1] == str(seen + 1)
            seen += 1


def test_an_overflow_in_the_face_of_a_host_that_never_acknowledges(make: Maker) -> None:
    hub = make()
    for round_number in range(12):
        tell(hub, "ping 1", round_number * 5 * SECOND // 2)
        presses(hub, 100, t=round_number * 5 * SECOND // 2)
    assert len(words(hub, "event")) == 64
    tell(hub, "again 65", 30 * SECOND)
    assert said(hub)[:2] == ["gone 689", f"event 689 {15 * SECOND + 89 * 20 * MS} 0 down"]


def test_a_host_that_does_not_read_fills_no_memory(make: Maker) -> None:
    hub = make()
    for number in range(120):
        tell(hub, "hello 1", number)
        tell(hub, "again 1", number)
        presses(hub, 2, t=number)
    assert len(lines(hub)) <= 96 + 64


def test_an_event_for_which_there_is_no_memory_takes_no_number() -> None:
    """A number without its event would never arrive, and everything behind it would wait."""

    class Unwritable(int):
        def __format__(self, _: str) -> str:
            raise MemoryError

    hub = Maker(None)()
    with pytest.raises(MemoryError):
        hub.buttons(1, Unwritable(10 * MS))
    presses(hub, 4, t=SECOND)
    assert [body.split()[1] for body in words(hub, "event")] == ["1", "2", "3"]


# -- buttons ----------------------------------------------------------------------------------------------------------


def test_a_bouncing_button_is_one_press_and_one_release(make: Maker) -> None:
    hub = make()
    for t, held in [(0, 1), (2, 0), (3, 1), (40, 0), (41, 1), (50, 0), (51, 1), (52, 0)]:
        hub.buttons(held, t * MS)
    hub.tick(63 * MS)
    assert said(hub) == ["event 1 0 0 down"]
    assert hub.due(63 * MS) == 64 * MS
    hub.tick(64 * MS)
    assert said(hub) == ["event 2 52000 0 up"]


def test_a_press_after_a_release_nobody_had_time_to_settle(make: Maker) -> None:
    hub = make()
    hub.buttons(1, 10 * MS)
    hub.buttons(0, 20 * MS)
    hub.buttons(1, 33 * MS)
    assert said(hub) == ["event 1 10000 0 down", "event 2 20000 0 up", "event 3 33000 0 down"]


@pytest.mark.parametrize(("ms", "events"), [(1, 3), (100, 1)])
def test_debounce_is_what_the_host_says(make: Maker, ms: int, events: int) -> None:
    hub = make()
    tell(hub, f"debounce {ms}", 0)
    for t, held in [(10, 1), (20, 0), (50, 1)]:
        hub.buttons(held, t * MS)
    assert len(said(hub)) == events


def test_buttons_are_independent(make: Maker) -> None:
    hub = make()
    hub.buttons(0b001, 10 * MS)
    hub.buttons(0b101, 20 * MS)
    hub.buttons(0b100, 30 * MS)
    hub.tick(50 * MS)
    assert said(hub) == ["event 1 10000 0 down", "event 2 20000 2 down", "event 3 30000 0 up"]
    tell(hub, "state", 60 * MS)
    assert said(hub)[:3] == ["place 0 up new", "place 1 up new", "place 2 down -"]


def test_a_button_held_when_the_power_comes_is_a_level_and_no_event(make: Maker) -> None:
    hub = make(held=2)
    hub.buttons(2, 5)
    tell(hub, "state", 6)
    assert said(hub) == [SNAPSHOT[0], "place 1 down new", *SNAPSHOT[2:], "whole 0 6"]
    hub.buttons(0, 7)
    hub.tick(SECOND // 5)
    assert said(hub) == ["event 1 7 1 up"]


def test_a_release_that_is_not_certain_is_still_down_in_the_snapshot(make: Maker) -> None:
    hub = make()
    hub.buttons(1, 10 * MS)
    hub.buttons(0, 20 * MS)
    tell(hub, "state", 25 * MS)
    assert "place 0 down new" in said(hub)


# -- readers ----------------------------------------------------------------------------------------------------------


def test_three_polls_in_a_row_must_miss_a_tag(make: Maker) -> None:
    hub = make()
    well(hub, 0)
    for t, tags in enumerate([[CARD], [], [], [CARD, SHORT], [SHORT], [SHORT], [SHORT]], 10):
        hub.seen(0, tags, t)
    assert said(hub) == [f"event 2 10 0 laid {CARD}", f"event 3 13 0 laid {SHORT}", f"event 4 16 0 lifted {CARD}"]


def test_a_reader_is_well_when_it_has_been_polled_three_times(make: Maker) -> None:
    hub = make()
    for t, tags in enumerate([[CARD], [], [SHORT]], 10):
        hub.seen(1, tags, t)
    (event,) = said(hub)
    assert sorted(event.split()) == sorted(f"event 1 12 1 well {CARD} {SHORT}".split())
    hub.seen(1, [CARD, SHORT], 13)
    assert said(hub) == []


def test_a_reader_that_fails_and_comes_back(make: Maker) -> None:
    hub = make()
    well(hub, 0)
    hub.seen(0, [CARD], 10)
    hub.failed(0, "version_00", 11)
    hub.failed(0, "version_FF", 12)
    hub.seen(0, [SHORT], 13)
    hub.failed(0, "settings", 14)
    tell(hub, "state", 15)
    assert said(hub) == [
        f"event 2 10 0 laid {CARD}", "event 3 11 0 dead version_00", "place 0 up dead", *SNAPSHOT[1:], "whole 3 15",
    ]  # fmt: skip
    for t in (20, 21, 22, 23):
        hub.seen(0, [LONG], t)
    assert said(hub) == [f"event 4 22 0 well {LONG}"]


def test_a_reader_that_has_never_answered(make: Maker) -> None:
    hub = make()
    hub.failed(0, "version_FF", 5)
    assert said(hub) == ["event 1 5 0 dead version_FF"]


@pytest.mark.parametrize("why", ["[Errno 5] EIO", "", "a*b\n" * 200, "ä" * 9])
def test_why_a_reader_is_dead_is_always_one_word(make: Maker, why: str) -> None:
    hub = make()
    hub.failed(0, why, 5)
    (event,) = said(hub)
    assert event.startswith("event 1 5 0 dead ")


def test_at_most_eight_tags_lie_on_a_reader(make: Maker) -> None:
    hub = make()
    tags = [f"{number:020X}" for number in range(12)]
    for t in range(3):
        hub.seen(0, tags, t)
    assert len(said(hub)[0].split()) == 5 + 8
    for t in range(3, 6):
        hub.seen(0, tags[8:], t)
    assert len(words(hub, "event")) == 8 + 4
    tell(hub, "state", 9)
    assert len(said(hub)[0].split()) == 4 + 4


# -- lamps ------------------------------------------------------------------------------------------------------------


def test_lamps_are_lit_blink_and_go_out(make: Maker) -> None:
    hub = make()
    for body in ("lamp 0 on", "lamp 1 blink", "lamp 2 on", "lamp 2 off"):
        tell(hub, body, 0)
    assert [hub.lit(t * 250 * MS) for t in range(5)] == [0b011, 0b011, 0b001, 0b001, 0b011]


@pytest.mark.parametrize("body", ["lamp 3 on", "lamp 4 on", "lamp 8 off"])
def test_a_lamp_that_is_not_there(make: Maker, body: str) -> None:
    hub = make()
    tell(hub, body, 1)
    assert hub.bad == 1


def test_lamps_go_dark_ten_seconds_after_the_host_has_gone(make: Maker) -> None:
    hub = make()
    tell(hub, "lamp 0 on", SECOND)
    hub.tick(4 * SECOND)
    hub.tick(14 * SECOND - 1)
    assert hub.lit(14 * SECOND) == 1
    hub.tick(14 * SECOND)
    assert hub.lit(14 * SECOND) == 0
    tell(hub, "hello 1", 20 * SECOND)
    hub.tick(21 * SECOND)
    assert words(hub, "beat") == ["beat 21000000 0 000. 0"]
