"""The host's talk with the reference firmware's core: every row of the protocol's table, on one clock without a wait."""

import os
import random
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import pytest

from companion.rules.readings import Health, Press, Reading
from drivers.hub.faults import Lost, OtherVersion, missed, started
from drivers.hub.lines import line
from drivers.hub.protocol import HubLink
from tests.support.hub_wire import CARDS, MS, PLACES, SEATS, Hub, S, Wire

CYCLES = int(os.environ.get("TABULARIUM_UNPLUGS", "300"))
"""How often the cable or the power goes in the random test."""


@pytest.fixture
def wire() -> Wire:
    """A hub that is plugged in and has been greeted, with nothing on it."""
    wire = Wire()
    wire.hub.settle(wire.now)
    wire.plug()
    assert wire.link.settled
    assert wire.reported() == []
    return wire


# -- the beginning -------------------------------------------------------------------------------------------------


def test_initial_state_is_reported_once_as_levels() -> None:
    wire = Wire()
    wire.hub.button(1, True, wire.now)
    wire.hub.cards[0] = {CARDS[0]}
    wire.hub.settle(wire.now)
    wire.run(S)
    wire.plug()
    wire.run(5 * S)
    t = wire.now // 1000 - 5000
    assert wire.reported() == [Reading("red", CARDS[0], True, t), Press("blue", True, t, edge=False)]


def test_events_before_the_first_snapshot_are_not_reported() -> None:
    wire = Wire()
    for _ in range(20):
        wire.tap(0)
    wire.plug()
    wire.run(3 * S)
    assert wire.reported() == []
    wire.tap(0)
    assert wire.presses() == [("red", True), ("red", False)]


def test_nothing_is_passed_on_before_the_first_pong() -> None:
    wire = Wire()
    wire.spoil = lambda said: b"" if said.startswith(b"pong") else said
    wire.plug()
    wire.tap(0)
    assert not wire.link.settled and wire.reported() == []
    wire.spoil = bytes
    wire.run(2 * S)
    assert wire.link.settled and wire.reported() == []  # it was over before we knew what time it is there
    wire.tap(0)
    assert wire.presses() == [("red", True), ("red", False)]


def test_a_reader_that_is_polled_for_the_first_time_reports_what_lies_on_it() -> None:
    wire = Wire()
    wire.hub.cards[2] = {CARDS[1]}
    wire.plug()
    assert wire.reported() == []
    wire.hub.settle(wire.now)
    wire.run(10 * MS)
    assert wire.readings() == [("centre", CARDS[1], True)]


# -- events --------------------------------------------------------------------------------------------------------


def test_buttons_and_cards_are_reported_as_they_happen(wire: Wire) -> None:
    t = wire.now // MS
    wire.tap(0, 100)
    wire.lay(2, CARDS[0])
    wire.lay(2)
    wire.lay(0, CARDS[1])
    assert wire.reported() == [
        Press("red", True, t),
        Press("red", False, t + 100),
        Reading("centre", CARDS[0], True, t + 150),
        Reading("centre", CARDS[0], False, t + 150),
        Reading("red", CARDS[1], True, t + 150),
    ]


def test_events_at_unseated_places_are_ignored(wire: Wire) -> None:
    nobody = Wire(seats=("red", None, None))
    nobody.plug()
    nobody.tap(1)
    nobody.lay(2, CARDS[0])
    assert nobody.reported() == [] and nobody.link.seq == 4  # with the first poll of both readers


def test_a_button_at_the_shared_reader_is_no_seats() -> None:
    wire = Wire(seats=("centre",), places=("rb",))
    wire.plug()
    wire.tap(0)
    assert wire.reported() == []


def test_each_batch_is_acknowledged_and_the_hub_keeps_nothing(wire: Wire) -> None:
    for _ in range(200):
        wire.tap(0, 20)
    assert wire.link.seq == wire.hub.core.last == wire.hub.core.acked
    assert len(wire.presses()) == 400


@pytest.mark.parametrize("every", [2, 3, 7])
def test_lines_that_are_lost_heal_by_the_next_beat(wire: Wire, every: int) -> None:
    count = iter(range(10**9))
    wire.spoil = lambda said: b"" if next(count) % every == 0 else said
    for _ in range(50):
        wire.tap(0, 20)
    wire.spoil = bytes
    wire.run(2 * S)
    assert wire.presses() == 50 * [("red", True), ("red", False)]


def test_a_hub_that_repeats_itself_says_nothing_new(wire: Wire) -> None:
    wire.spoil = lambda said: 2 * said
    wire.lay(2, CARDS[0])
    for _ in range(20):
        wire.tap(1, 20)
    wire.unplug()
    wire.plug()
    wire.run(5 * S)
    assert wire.presses() == 20 * [("blue", True), ("blue", False)]
    assert wire.readings() == [("centre", CARDS[0], True)]


def test_the_same_thing_is_asked_for_four_times_a_second() -> None:
    wire = Wire()
    wire.plug()
    wire.said.clear()
    wire.spoil = lambda said: b"" if said.startswith((b"again", b"event 1 ")) else said
    for _ in range(10):
        wire.tap(0, 20)
    wire.run(5 * S)
    assert 20 <= wire.spoken("again") <= 24
    wire.spoil = bytes
    wire.run(2 * S)
    assert wire.presses() == 10 * [("red", True), ("red", False)]


def test_times_are_the_hubs_whenever_the_host_reads(wire: Wire) -> None:
    """The host stands still for 300 ms; what has happened meanwhile keeps its times."""
    began = wire.now
    times = [began + ms * MS for ms in (10, 80, 120, 290)]
    for down, t in zip((True, False, True, False), times, strict=True):
        wire.hub.button(0, down, t)
        wire.hub.core.tick(wire.hub.time(t) + 13 * MS)
    wire.now = began + 600 * MS
    wire.pump()
    reported = [word.t for word in wire.words if isinstance(word, Press)]
    assert reported == pytest.approx([t // MS for t in times], abs=1)


def test_words_of_a_place_never_go_back_in_time(wire: Wire) -> None:
    wire.tap(0)
    (first, second) = [word.t for word in wire.words if isinstance(word, Press)]
    seq = wire.hub.core.last
    wire.link.feed(line("event", seq + 1, 5, 0, "down"), wire.now)
    wire.link.feed(line("event", seq + 2, 10**15, 0, "up"), wire.now)
    wire.link.feed(line("event", seq + 3, 6, 1, "down"), wire.now)
    *_, third, fourth, fifth = [word.t for word in wire.words if isinstance(word, Press)]
    assert first < second == third <= fourth == wire.now // MS
    assert fifth == first  # another place, when the power came


def test_an_event_at_a_place_that_is_not_there_is_counted_and_passed_over(wire: Wire) -> None:
    seq = wire.hub.core.last
    wire.link.feed(line("event", seq + 1, 5, 7, "down") + line("event", seq + 2, 5, 0, "down"), wire.now)
    assert wire.presses() == [("red", True)]
    assert wire.link.lines.dropped == 1


@pytest.mark.parametrize(("place", "dropped"), [(3, 0), (4, 1)])
def test_the_last_place_is_one_and_the_next_is_none(wire: Wire, place: int, dropped: int) -> None:
    wire.link.feed(line("event", wire.hub.core.last + 1, 5, place, "down"), wire.now)
    assert wire.link.lines.dropped == dropped


def test_how_the_places_stand_follows_each_event(wire: Wire) -> None:
    before = [(row.button, row.reader) for row in wire.link.rows]
    assert before[:2] == [("up", "well"), ("up", "-")]
    seq = wire.hub.core.last
    for at, (words, stands) in enumerate(
        [
            ((0, "down"), ("down", "well")),
            ((0, "laid", CARDS[0]), ("down", "well")),
            ((0, "dead", "silent"), ("down", "dead")),
            ((0, "up"), ("up", "dead")),
            ((0, "well"), ("up", "well")),
        ],
        start=1,
    ):
        wire.link.feed(line("event", seq + at, 5, *words), wire.now)
        assert [(row.button, row.reader) for row in wire.link.rows] == [stands, *before[1:]]


def test_a_pings_trip_is_timed_from_its_start_to_its_answer() -> None:
    link = greeted(S)
    link.feed(line("hello", 1, "E6614C775B8B2C36", "0011AABB", "1.0.0", ",".join(PLACES)), S)
    (ping,) = [said for said in link.out().splitlines() if said.startswith(b"ping")]
    nonce = int(ping.split(b"*")[0].split()[1])
    assert nonce == S and not link.trips
    link.feed(line("pong", nonce, 5), S + 7 * MS)
    assert list(link.trips) == [7 * MS]


# -- readers -------------------------------------------------------------------------------------------------------


def test_a_dead_reader_is_named_and_its_cards_stay(wire: Wire) -> None:
    wire.lay(0, CARDS[0])
    wire.reported()
    wire.hub.core.failed(0, "version 00", wire.hub.time(wire.now))
    wire.run(10 * MS)
    (ill,) = wire.reported()
    assert isinstance(ill, Health) and (ill.device, ill.well) == ("reader red", False)
    assert "version_00" in ill.detail
    wire.hub.cards[0] = {CARDS[0], CARDS[1]}
    wire.hub.settle(wire.now)
    wire.run(10 * MS)
    well, laid = wire.reported()
    assert well == Health("reader red", True)
    assert isinstance(laid, Reading) and (laid.tag, laid.present) == (CARDS[1], True)


def test_a_reader_that_is_dead_at_the_start_is_named_once() -> None:
    wire = Wire()
    wire.hub.core.failed(2, "x", 0)
    for _ in range(3):
        wire.plug()
        wire.run(S)
        wire.unplug()
    assert wire.healths().count(("reader centre", False)) == 1


# -- the cable, and the power --------------------------------------------------------------------------------------


def test_a_lost_hub_reddens_its_seats_once_and_they_come_back(wire: Wire) -> None:
    wire.unplug()
    wire.link.closed("Unplugged.")
    assert wire.healths() == [("box red", False), ("box blue", False), ("box centre", False), ("hub box", False)]
    wire.reported()
    wire.link.closed("No such port.")
    assert wire.reported() == [Health("hub box", False, "No such port.")]
    wire.plug()
    assert wire.healths() == [("hub box", True), ("box red", True), ("box blue", True), ("box centre", True)]
    assert all(not word.detail for word in wire.reported() if isinstance(word, Health))


def test_with_the_cable_out_nothing_is_lost_or_doubled(wire: Wire) -> None:
    wire.press(1, True)
    wire.unplug()
    t = wire.now // MS
    wire.tap(0, 700)
    wire.press(1, False)
    wire.lay(2, CARDS[0])
    wire.run(20 * S)
    wire.reported()
    wire.plug()
    wire.run(S)
    heard = [word for word in wire.reported() if not isinstance(word, Health)]
    assert heard == [
        Press("red", True, t),
        Press("red", False, t + 700),
        Reading("centre", CARDS[0], True, t + 750),
        Press("blue", False, t + 750),
    ]


@pytest.mark.parametrize("taps", [200, 256, 300])
def test_a_hub_keeps_512_events_and_a_greater_gap_is_named_once(wire: Wire, taps: int) -> None:
    wire.unplug()
    for _ in range(taps):
        wire.tap(0, 20)
    wire.press(1, True)
    wire.lay(2, CARDS[0])
    wire.reported()
    wire.plug()
    wire.run(10 * S)
    gaps = [word for word in wire.words if isinstance(word, Health) and word.detail]
    assert gaps == ([Health("hub box", True, missed("box"))] if taps > 255 else [])
    assert wire.presses().count(("red", False)) == (taps if taps < 256 else 255)
    assert wire.presses().count(("blue", True)) == 1
    assert wire.readings() == [("centre", CARDS[0], True)]
    assert wire.link.seq == wire.hub.core.last


def test_after_a_gap_the_host_asks_how_things_stand(wire: Wire) -> None:
    """A card was laid and lifted in the part that is lost, another one lies there still."""
    wire.lay(2, CARDS[0])
    wire.unplug()
    wire.lay(2, CARDS[1])
    wire.press(1, True)
    for _ in range(300):
        wire.tap(0, 20)
    wire.reported()
    wire.plug()
    wire.run(3 * S)
    assert wire.readings() == [("centre", CARDS[0], False), ("centre", CARDS[1], True)]
    (held,) = [word for word in wire.words if isinstance(word, Press) and word.seat == "blue"]
    assert held.down and not held.edge


def test_without_power_the_gap_is_named_once_and_the_snapshot_counts(wire: Wire) -> None:
    wire.press(0, True)
    wire.lay(2, CARDS[0], CARDS[1])
    wire.unplug()
    wire.hub.held = 0b10
    wire.hub.cards[2] = {CARDS[1], CARDS[2]}
    wire.run(S)
    wire.restart()
    wire.run(S)
    wire.reported()
    wire.plug()
    wire.run(5 * S)
    reported = wire.reported()
    assert reported[0] == Health("hub box", True, started("box"))
    assert [word for word in reported if isinstance(word, Health) and word.detail] == [reported[0]]
    levels = [(word.seat, word.down, word.edge) for word in reported if isinstance(word, Press)]
    assert sorted(levels) == [("blue", True, False), ("red", False, False)]
    moved = [(word.tag, word.present) for word in reported if isinstance(word, Reading)]
    assert moved == [(CARDS[0], False), (CARDS[2], True)]


def test_a_hub_that_restarts_with_a_card_on_it_neither_loses_nor_doubles_it(wire: Wire) -> None:
    wire.lay(2, CARDS[0])
    wire.reported()
    wire.unplug()
    wire.hub.start(wire.now)  # its readers are new: nothing has been polled yet
    wire.plug()
    wire.run(S)
    assert wire.readings() == []
    wire.hub.settle(wire.now)
    wire.run(S)
    assert wire.readings() == []


def test_a_hub_that_restarts_on_an_open_port_is_greeted_again(wire: Wire) -> None:
    wire.tap(0)
    wire.reported()
    wire.restart()
    wire.run(4 * S)
    assert wire.reported() == [Health("hub box", True, started("box"))]
    wire.tap(0)
    assert wire.presses() == [("red", True), ("red", False)]


def test_a_host_that_stood_still_for_long_is_linked_again_without_a_loss(wire: Wire) -> None:
    """The hub takes it for gone, keeps its events, and still answers pings."""
    wire.plugged = False
    for _ in range(5):
        wire.tap(0, 1000)
    wire.hub.core.out.clear()
    wire.plugged = True
    wire.run(4 * S)
    assert wire.presses() == 5 * [("red", True), ("red", False)]
    assert wire.healths() == []


# -- lamps ---------------------------------------------------------------------------------------------------------


def test_lamps_are_told_when_they_change_and_after_each_hello(wire: Wire) -> None:
    wire.show({"red": "blink", "green": "on"})
    assert wire.hub.core.lamps[0] == "blink"
    wire.said.clear()
    wire.show({"red": "blink"})
    assert wire.spoken("lamp") == 0
    wire.unplug()
    wire.show({"red": "on", "centre": "on"})
    wire.run(15 * S)
    assert wire.hub.core.lamps[0] == "off"
    wire.plug()
    assert wire.hub.core.lamps == ["on", "off", None, None]
    assert wire.spoken("lamp") == 1


def test_lamps_converge_by_the_beat(wire: Wire) -> None:
    wire.spoil = lambda said: b"" if said.startswith(b"lamp") else said
    wire.show({"red": "blink", "blue": "on"})
    wire.spoil = bytes
    wire.run(2 * S)
    assert wire.hub.core.lamps[:2] == ["blink", "on"]


def test_the_debounce_that_is_set_is_the_hubs() -> None:
    wire = Wire()
    wire.link = HubLink("box", SEATS, wire.words.append, debounce_ms=30)
    wire.plug()
    assert wire.hub.core.quiet == 30 * MS


# -- what goes wrong -----------------------------------------------------------------------------------------------


def test_garbage_between_the_lines_changes_nothing(wire: Wire) -> None:
    wire.spoil = lambda said: wire.chance.randbytes(30).replace(b"\n", b"") + b"\n" + said
    for _ in range(50):
        wire.tap(0, 20)
    wire.spoil = bytes
    wire.run(2 * S)
    assert wire.presses() == 50 * [("red", True), ("red", False)]
    assert wire.link.lines.dropped > 100 and wire.link.bad > 50
    assert wire.link.lines.unknown == 0


def test_a_word_of_a_later_version_is_passed_over(wire: Wire) -> None:
    wire.link.feed(line("sing", 1), wire.now)
    assert (wire.link.lines.unknown, wire.link.lines.dropped) == (1, 0)


def greeted(now: int) -> HubLink:
    link = HubLink("box", SEATS, lambda _: None)
    link.opened(now)
    return link


@pytest.mark.parametrize(("version", "older"), [(0, "update its firmware"), (2, "update this program")])
def test_another_version_says_which_side_is_older(version: int, older: str) -> None:
    with pytest.raises(OtherVersion, match=older):
        greeted(0).feed(line("hello", version, "E661", "9F3A", "2.0.0", "rbl"), 0)


def run(link: HubLink, now: int, end: int) -> Iterator[bytes]:
    for t in range(now, end, 10 * MS):
        link.tick(t)
        yield link.out()


def test_words_of_a_later_version_do_not_end_a_silence(wire: Wire) -> None:
    """On either side: the protocol's page says so."""
    wire.plugged = False
    for _ in range(29):
        wire.run(100 * MS)
        wire.link.feed(line("later", 1), wire.now)
        wire.link.tick(wire.now)
        wire.hub.core.feed(line("later", 1), wire.hub.time(wire.now))
    wire.run(200 * MS)
    assert not wire.hub.core.linked and wire.hub.core.unknown == 29
    with pytest.raises(Lost):
        wire.link.tick(wire.now)


def test_a_boot_is_known_once_the_host_has_gone_on_from_it() -> None:
    """A talk that breaks off before the first pong has changed nothing: what the hub kept is kept for nobody."""
    wire = Wire()
    wire.spoil = lambda said: b"" if said.startswith(b"pong") else said
    wire.plug()
    wire.tap(0)
    wire.unplug()
    wire.spoil = bytes
    wire.plug()
    assert wire.link.settled and wire.presses() == []


def test_a_device_that_is_no_hub_is_greeted_every_half_second_and_given_up_after_three() -> None:
    link = greeted(0)
    said: list[bytes] = []
    with pytest.raises(Lost, match="No hub answers"):
        for out in run(link, 0, 4 * S):
            said.append(out)
            link.feed(b"$GPGGA,123519,4807.038,N*47\r\n", 0)
    assert len(said) == 300
    assert b"".join(said) == 6 * line("hello", 1)


def test_a_port_that_sends_back_what_it_is_sent_is_named() -> None:
    link = greeted(0)
    with pytest.raises(Lost, match="echoes"):
        for out in run(link, 0, 4 * S):
            link.feed(out, 0)


def test_a_hub_behind_a_port_that_echoes_is_a_hub_all_the_same() -> None:
    wire = Wire()
    wire.plug()
    wire.link.feed(line("hello", 1), wire.now)
    wire.tap(0)
    assert wire.presses() == [("red", True), ("red", False)]


def test_a_hub_that_says_nothing_for_three_seconds_is_lost(wire: Wire) -> None:
    wire.spoil = lambda _: b""
    began = wire.now
    with pytest.raises(Lost, match="stopped answering"):
        wire.run(10 * S)
    assert 2.9 * S <= wire.now - began <= 4.1 * S


def test_a_hub_that_answers_in_part_only_is_given_up() -> None:
    wire = Wire()
    wire.spoil = lambda said: b"" if said.startswith(b"place 1") else said
    with pytest.raises(Lost, match="in part"):
        wire.plug()
        wire.run(10 * S)
    assert wire.reported() == []


def test_a_snapshot_whose_line_is_lost_is_asked_for_again() -> None:
    wire = Wire()
    wire.hub.button(1, True, wire.now)
    wire.spoil = lambda said: b"" if said.startswith(b"place 1") else said
    wire.plug()
    wire.spoil = bytes
    wire.run(1100 * MS)
    assert wire.presses() == [("blue", True)]


def test_two_snapshots_are_never_mixed(wire: Wire) -> None:
    """The end of one and the beginning of the next are lost, and a button has changed between them."""
    rows = [
        line("place", at, "up" if "b" in has else "-", "well" if "r" in has else "-") for at, has in enumerate(PLACES)
    ]
    later = [rows[0], line("place", 1, "down", "-"), *rows[2:]]
    for said in (*rows, *later[1:], line("whole", wire.link.seq, 10)):
        wire.link.feed(said, wire.now)
    assert wire.presses() == []


def test_a_seat_where_the_hub_has_nothing_is_named() -> None:
    wire = Wire(seats=("red", "blue", "centre", "green", "white"))
    wire.plug()
    assert wire.healths() == [("box green", False), ("box white", False)]
    wire.unplug()
    wire.reported()
    wire.plug()
    assert ("box green", True) not in wire.healths()


def test_bytes_of_before_the_hello_say_nothing() -> None:
    wire = Wire()
    wire.link.opened(wire.now)
    wire.link.feed(line("event", 1, 5, 0, "down") + line("beat", 5, 1, "00..", 0) + line("gone", 5), wire.now)
    assert wire.reported() == [] and wire.link.seq == 0


def test_garbage_with_a_right_check_sum_never_raises(wire: Wire) -> None:
    chance = random.Random(1)
    words = [
        "hello",
        "pong",
        "event",
        "beat",
        "place",
        "whole",
        "gone",
        "down",
        "up",
        "laid",
        "well",
        "dead",
        "-",
        "rbl",
        "0",
        "1",
        "2",
        "3",
        "7",
        "99",
        "18446744073709551615",
    ]
    words += [CARDS[0], "9" * 300, "E6614C775B8B2C36", "1.0.0"]
    for _ in range(5000):
        body = " ".join(chance.choices(words, k=chance.randrange(1, 7)))
        if not body.startswith("hello 0"):
            try:
                wire.link.feed(f"{body}*{crc32(body.encode()):08X}\n".encode(), wire.now)
            except OtherVersion:
                wire.link.opened(wire.now)


# -- anything at any moment ----------------------------------------------------------------------------------------


def believed(wire: Wire) -> tuple[set[str], dict[str, set[str]]]:
    """Fists and cards as the table believes them, from all that was reported; nothing is ever reported twice."""
    down: set[str] = set()
    lying: dict[str, set[str]] = {"red": set(), "centre": set()}
    for word in wire.words:
        if isinstance(word, Press):
            assert word.down != (word.seat in down), word
            down ^= {word.seat}
        elif isinstance(word, Reading):
            assert word.present != (word.tag in lying[word.reader]), word
            lying[word.reader] ^= {word.tag}
    return down, lying


@pytest.mark.parametrize("power", [False, True])
def test_cable_and_power_at_any_moment(power: bool) -> None:
    """With the cable alone nothing at all is lost or doubled; with the power as well, all is right in the end."""
    wire = Wire(seed=7)
    wire.hub.settle(wire.now)
    wire.plug()
    chance, pressed = wire.chance, 0
    for cycle in range(CYCLES):
        wire.spoil = lambda said: b"" if chance.random() < 0.02 else said  # torn by the plug
        for _ in range(chance.randrange(1, 12)):
            match chance.randrange(5):
                case 0 | 1:
                    place = chance.randrange(2)
                    wire.press(place, not wire.hub.held >> place & 1)
                    wire.run(20 * MS)  # longer than it is debounced
                    pressed += 1
                case 2:
                    wire.lay(chance.choice((0, 2)), *chance.sample(CARDS, chance.randrange(3)))
                case 3:
                    wire.run(chance.randrange(300) * MS)
                case 4 if wire.plugged:
                    wire.unplug()
                case 4:
                    wire.plug()
        if power and cycle % 3 == 0:
            if wire.plugged:
                wire.unplug()
            wire.restart()
    if wire.plugged:
        wire.unplug()
    wire.spoil = bytes
    wire.plug()
    wire.run(4 * S)
    down, lying = believed(wire)
    assert down == {seat for place, seat in ((0, "red"), (1, "blue")) if wire.hub.held >> place & 1}
    assert lying == {"red": wire.hub.cards[0], "centre": wire.hub.cards[2]}
    if not power:
        assert len(wire.presses()) == pressed
        assert not [word for word in wire.words if isinstance(word, Health) and word.well and word.detail]


def test_two_hubs_with_crystals_of_their_own_agree_to_a_millisecond() -> None:
    chance = random.Random(2)
    now = 500 * S
    words: list[Any] = []
    one, two = Hub(0, chance, ppm=40), Hub(300 * S, chance, ppm=-40)
    pairs = [(one, HubLink("one", ("red",), words.append)), (two, HubLink("two", ("blue",), words.append))]
    for _, link in pairs:
        link.opened(now)
    for step in range(60):
        now += 500 * MS
        for hub, link in pairs:
            link.tick(now)
            while said := link.out():
                hub.core.feed(said, hub.time(now + chance.randrange(200)))
                now += chance.randrange(200, 3 * MS) if step % 4 else 200
                link.feed(b"".join(iter(hub.core.take, b"")), now)
            hub.core.tick(hub.time(now))
    for hub, _ in pairs:
        hub.button(0, True, now)
    for hub, link in pairs:
        link.feed(b"".join(iter(hub.core.take, b"")), now + 300 * MS)
    red, blue = words
    assert abs(red.t - blue.t) <= 1 and abs(red.t - now // MS) <= 1
