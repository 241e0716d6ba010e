"""Lamps: what each seat's lamp does, and that the pins do it."""

import time
from collections.abc import Iterator, Sequence
from queue import SimpleQueue

import pytest

from companion.play.lamps import modes
from companion.rules.readings import Health, Press, Reading
from companion.rules.views import View
from drivers.lamps import Lamps
from drivers.virtual.pins import VirtualPins

Words = SimpleQueue[Reading | Press | Health]
PINS = {"red": 18, "blue": 19}
SEATS = ["red", "blue", "green"]


@pytest.fixture
def pins() -> VirtualPins:
    return VirtualPins({}, PINS)


@pytest.fixture
def words() -> Words:
    return SimpleQueue()


@pytest.fixture
def lamps(pins: VirtualPins, words: Words) -> Iterator[Lamps]:
    lamps = Lamps(PINS, words.put, pins.factory)
    yield lamps
    lamps.close()


def seen(pins: VirtualPins, seat: str, level: bool) -> bool:
    """Whether the lamp is lit, or dark, at some moment within ten minutes."""
    until = time.monotonic() + 600
    while pins.lit(seat) != level and time.monotonic() < until:
        time.sleep(0.001)
    return pins.lit(seat) == level


def test_lamps_are_dark_at_first_and_go_on_and_off(pins: VirtualPins, lamps: Lamps) -> None:
    assert not pins.lit("red") and not pins.lit("blue")
    lamps.show({"red": "on", "blue": "off"})
    assert pins.lit("red") and not pins.lit("blue")
    lamps.show({"red": "off"})
    assert not pins.lit("red")
    assert lamps.shown == {"red": "off", "blue": "off"}


def test_a_blinking_lamp_goes_on_and_off_until_told_otherwise(pins: VirtualPins, lamps: Lamps) -> None:
    lamps.show({"red": "blink"})
    assert seen(pins, "red", True) and seen(pins, "red", False) and seen(pins, "red", True)
    lamps.show({"red": "off"})
    assert not pins.lit("red")


def test_only_what_changed_is_written(pins: VirtualPins, lamps: Lamps) -> None:
    pin = pins.factory.pin(PINS["red"])
    lamps.show({"red": "on"})
    pin.state = False  # darkened behind its back: showing the same again does not touch it
    lamps.show({"red": "on"})
    assert not pins.lit("red")


def test_a_seat_without_a_lamp_is_passed_over(lamps: Lamps, words: Words) -> None:
    lamps.show({"green": "on"})
    assert words.empty()


def test_a_lamp_that_cannot_be_opened_is_reported_and_the_others_work(
    pins: VirtualPins, lamps: Lamps, words: Words
) -> None:
    others = Lamps({"yellow": 18, "green": 20}, words.put, pins.factory)
    reported = words.get_nowait()
    assert isinstance(reported, Health) and (reported.device, reported.well) == ("lamp yellow", False)
    assert "in use" in reported.detail and "18" in reported.detail
    others.show({"yellow": "on", "green": "on"})
    assert others.shown == {"green": "on"} and words.empty()
    others.close()


def test_a_lamp_that_fails_is_reported_once_and_tried_again(lamps: Lamps, words: Words, pins: VirtualPins) -> None:
    pin = pins.factory.pin(PINS["red"])
    pin.function = "input"  # taken over by something else: writing fails
    lamps.show({"red": "on", "blue": "on"})
    lamps.show({"red": "on", "blue": "on"})
    reported = words.get_nowait()
    assert isinstance(reported, Health) and (reported.device, reported.well) == ("lamp red", False)
    assert words.empty() and pins.lit("blue")
    pin.function = "output"
    lamps.show({"red": "on"})
    assert words.get_nowait() == Health("lamp red", True) and pins.lit("red")


def test_closing_darkens_and_may_be_done_twice(pins: VirtualPins, words: Words) -> None:
    lamps = Lamps(PINS, words.put, pins.factory)
    lamps.show({"red": "blink", "blue": "off"})
    lamps.close()
    lamps.close()
    assert words.empty()
    Lamps(PINS, words.put, pins.factory).close()
    assert words.empty()


# -- what they do ----------------------------------------------------------------------------------------------


def view(phase: str, waiting: list[str], chosen: Sequence[str] = (), over: bool = False) -> View:
    return {"game": "", "phase": phase, "turn": None, "waiting": waiting, "over": over, "result": None,
            "chosen": list(chosen)}  # fmt: skip


def test_a_lamp_blinks_for_whom_the_table_waits() -> None:
    assert modes(view("trick", ["blue"]), SEATS, ["red"], [], called=False) == {
        "red": "off",
        "blue": "blink",
        "green": "off",
    }


def test_while_choosing_a_lamp_is_on_once_the_card_is_read() -> None:
    choosing = view("choosing", ["red"], chosen=["blue"])
    assert modes(choosing, SEATS, [], [], called=False) == {"red": "blink", "blue": "on", "green": "off"}


def test_fists_blink_until_they_are_closed_and_seats_that_take_no_part_are_dark() -> None:
    choosing = view("choosing", [], chosen=["red", "blue"])
    both = ["red", "blue"]
    lamps = modes(choosing, SEATS, ["blue", "green"], both, called=False)
    assert lamps == {"red": "blink", "blue": "on", "green": "off"}
    fists = view("fists", both)
    assert modes(fists, SEATS, ["red"], both, called=False) == {"red": "on", "blue": "blink", "green": "off"}


def test_after_the_call_those_blink_who_have_not_opened() -> None:
    fists, both = view("fists", ["red", "blue"]), ["red", "blue"]
    assert modes(fists, SEATS, both, both, called=True) == {"red": "blink", "blue": "blink", "green": "off"}
    assert modes(fists, SEATS, ["red"], both, called=True) == {"red": "blink", "blue": "on", "green": "off"}


def test_all_lamps_are_off_when_the_game_is_over() -> None:
    over = view("over", ["red"], chosen=["blue"], over=True)
    assert modes(over, SEATS, ["red"], ["red", "green"], called=False) == {"red": "off", "blue": "off", "green": "off"}
