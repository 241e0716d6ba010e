"""The whole hardware of a table, opened, used and closed at once."""

import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero import Device

from companion.rules.readings import CENTRE, Health, Press, Reading
from drivers.rig import Rig, Wiring
from drivers.virtual.reader import VirtualReader
from drivers.virtual.rig import VirtualRig

Words = SimpleQueue[Reading | Press | Health]
SEATS = ["red", "blue", "green", "yellow", "purple", "black", "white"]
CARD = "04A1B2C3D4E5F6"


@pytest.fixture
def words() -> Words:
    return SimpleQueue()


@pytest.fixture
def rig(words: Words) -> Iterator[VirtualRig]:
    rig = VirtualRig(SEATS, words.put)
    yield rig
    rig.close()


def test_cards_buttons_and_lamps_of_seven_seats(rig: VirtualRig, words: Words) -> None:
    rig.lay(CENTRE, CARD)
    assert rig.tags_on(CENTRE) == {CARD}
    laid = words.get(timeout=600)
    assert isinstance(laid, Reading) and (laid.reader, laid.tag, laid.present) == (CENTRE, CARD, True)
    rig.lift(CENTRE, CARD)
    lifted = words.get(timeout=600)
    assert isinstance(lifted, Reading) and not lifted.present
    for seat in SEATS:
        rig.hold(seat)
        down = words.get(timeout=600)
        rig.let_go(seat)
        up = words.get(timeout=600)
        assert isinstance(down, Press) and (down.seat, down.down) == (seat, True)
        assert isinstance(up, Press) and (up.seat, up.down) == (seat, False)
        rig.show({seat: "on"})
        assert rig.lamp(seat) == "on" and rig.pins.lit(seat)


def test_each_seat_may_have_its_own_reader(words: Words) -> None:
    rig = VirtualRig(SEATS[:2], words.put, shared=False)
    rig.lay("blue", CARD)
    laid = words.get(timeout=600)
    assert isinstance(laid, Reading) and laid.reader == "blue"
    assert rig.tags_on("red") == frozenset()
    rig.close()


def test_a_rig_says_how_its_readers_are_doing(rig: VirtualRig, words: Words) -> None:
    rig.lay(CENTRE, CARD)
    words.get(timeout=600)
    assert rig.errors(CENTRE, CARD) in (None, 0.0)  # too early to tell, or well
    assert rig.errors(CENTRE, "04FFFFFFFFFFFF") is None and rig.errors("nobody", CARD) is None
    (seen,) = rig.polls()
    assert (seen.name, seen.fault, seen.failed) == (CENTRE, "", 0) and seen.times
    assert seen.tags is not None and set(seen.tags) == {CARD}


def test_a_reader_that_is_dead_at_the_start_comes_back_by_itself(words: Words) -> None:
    reader = VirtualReader()
    reader.fail(OSError("no such device"))
    reader.lay(CARD)
    rig = Rig(Wiring({"red": reader.open}), words.put)
    ill = words.get(timeout=600)
    assert isinstance(ill, Health) and (ill.device, ill.well) == ("reader red", False)
    reader.heal()
    assert words.get(timeout=600) == Health("reader red", True)
    assert isinstance(words.get(timeout=600), Reading)
    rig.close()


def test_without_pins_the_readers_still_work(words: Words) -> None:
    def none() -> Any:
        raise ImportError("No module named 'lgpio'")

    reader = VirtualReader()
    rig = Rig(Wiring({"red": reader.open}, {"red": 4}, {"red": 18}, none, interval=0.001), words.put)
    reported = words.get(timeout=600)
    assert isinstance(reported, Health) and (reported.device, reported.well) == ("pins", False)
    assert "lgpio" in reported.detail
    reader.lay(CARD)
    assert isinstance(words.get(timeout=600), Reading)
    rig.show({"red": "on"})
    rig.close()
    assert words.empty()


def test_readers_alone_need_no_pins(words: Words) -> None:
    def none() -> Any:
        raise AssertionError("never asked for")

    rig = Rig(Wiring({"red": VirtualReader}, pins=none), words.put)
    rig.close()
    assert words.empty()


def test_a_reader_that_hangs_does_not_stop_the_rest_from_closing(words: Words) -> None:
    never, begun = threading.Event(), threading.Event()

    def hang() -> VirtualReader:
        begun.set()
        never.wait()
        return VirtualReader()

    reader = VirtualReader()
    rig = Rig(Wiring({"red": hang, "blue": reader.open}), words.put)
    begun.wait(600)
    rig.close()
    reported = words.get_nowait()
    assert isinstance(reported, Health) and not reported.well and "reader red" in reported.detail
    assert reader.closed
    never.set()


def test_closing_twice_leaves_no_thread_and_nothing_global(words: Words) -> None:
    before = set(threading.enumerate())
    rig = VirtualRig(SEATS, words.put)
    rig.show(dict.fromkeys(SEATS, "blink"))
    rig.close()
    rig.close()
    assert set(threading.enumerate()) <= before
    assert Device.pin_factory is None
    assert words.empty()
