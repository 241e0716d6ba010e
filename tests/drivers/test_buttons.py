"""Buttons: bouncing contacts in, single presses and levels out."""

from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.readings import Health, Press, Reading
from drivers.buttons import LOOK_MS, RELEASE_MS, Buttons, Debounce
from drivers.virtual.pins import VirtualPins

Words = SimpleQueue[Reading | Press | Health]
PINS = {"red": 4, "blue": 5}


class Watch:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.t = 1000

    def __call__(self) -> int:
        return self.t


class SeatButtons:
    """Buttons on mock pins, with their thread's turns taken by hand."""

    def __init__(self, *held: str) -> None:
        self.pins = VirtualPins(PINS, {})
        self.watch = Watch()
        self.words: Words = SimpleQueue()
        for seat in held:
            self.pins.hold(seat)
        self.buttons = Buttons(PINS, self.words.put, self.watch, self.pins.factory)

    def after(self, ms: int) -> list[Reading | Press | Health]:
        self.watch.t += ms
        self.buttons.turn()
        return list(iter(lambda: None if self.words.empty() else self.words.get(), None))


@pytest.fixture
def seats() -> Iterator[SeatButtons]:
    table = SeatButtons()
    yield table
    table.buttons.close()


def test_a_press_counts_at_once(seats: SeatButtons) -> None:
    seats.pins.hold("red")
    assert seats.after(0) == [Press("red", True, 1000)]


def test_a_release_counts_once_it_has_lasted_and_as_of_its_beginning(seats: SeatButtons) -> None:
    seats.pins.hold("red")
    seats.after(100)
    seats.pins.let_go("red")
    assert seats.after(RELEASE_MS - 1) == []
    assert seats.after(1) == [Press("red", False, 1100)]


def test_a_bouncing_contact_is_one_press(seats: SeatButtons) -> None:
    for _ in range(5):
        seats.pins.hold("red")
        seats.pins.let_go("red")
        seats.watch.t += 1
    seats.pins.hold("red")
    assert seats.after(50) == [Press("red", True, 1000)]


def test_a_press_shorter_than_the_bouncing_is_still_a_press(seats: SeatButtons) -> None:
    seats.pins.hold("red")
    seats.pins.let_go("red")
    assert seats.after(0) == [Press("red", True, 1000)]
    assert seats.after(RELEASE_MS) == [Press("red", False, 1000)]


def test_edges_that_were_waiting_keep_their_own_times(seats: SeatButtons) -> None:
    for t, act in [(1000, "hold"), (1200, "let_go"), (1300, "hold"), (1500, "let_go")]:
        seats.watch.t = t
        getattr(seats.pins, act)("blue")
    downs = [(word.down, word.t) for word in seats.after(500) if isinstance(word, Press)]
    assert downs == [(True, 1000), (False, 1200), (True, 1300), (False, 1500)]


def test_a_fist_that_is_closed_at_the_start_is_a_level_and_an_open_one_is_nothing() -> None:
    seats = SeatButtons("blue")
    assert seats.after(0) == [Press("blue", True, 1000, edge=False)]
    seats.pins.let_go("blue")
    assert seats.after(RELEASE_MS) == [Press("blue", False, 1000)]
    seats.buttons.close()


def test_a_lost_edge_is_found_when_the_levels_are_read_anew(seats: SeatButtons) -> None:
    seats.after(0)
    pin = seats.pins.factory.pin(PINS["red"])
    pin.edges = "none"  # the mock pin reports no more edges, like a driver that lost them
    seats.pins.hold("red")
    assert seats.after(LOOK_MS - 1) == []
    assert seats.after(1) == [Press("red", True, 1000 + LOOK_MS)]
    seats.pins.let_go("red")
    assert seats.after(LOOK_MS) == []
    assert seats.after(RELEASE_MS) == [Press("red", False, 1000 + 2 * LOOK_MS)]


def test_the_thread_sleeps_until_something_is_due(seats: SeatButtons) -> None:
    assert seats.buttons.turn() == LOOK_MS / 1000
    seats.pins.hold("red")
    assert seats.buttons.turn() == LOOK_MS / 1000
    seats.pins.let_go("red")
    assert seats.buttons.turn() == RELEASE_MS / 1000
    seats.watch.t += 5
    assert seats.buttons.turn() == (RELEASE_MS - 5) / 1000


@pytest.mark.parametrize(("pin", "why"), [(4, "in use"), (99, "99")])
def test_a_pin_that_cannot_be_opened_is_reported_and_the_others_work(seats: SeatButtons, pin: int, why: str) -> None:
    words: Words = SimpleQueue()
    factory = seats.pins.factory
    buttons = Buttons({"yellow": pin, "green": 6}, words.put, seats.watch, factory)
    reported = words.get_nowait()
    assert isinstance(reported, Health) and (reported.device, reported.well) == ("button yellow", False)
    assert why in reported.detail and "config.yaml" in reported.detail
    factory.pin(6).drive_low()
    buttons.turn()
    assert words.get_nowait() == Press("green", True, 1000)
    buttons.close()


class FrailPin(MockPin):
    """A pin that can stop answering."""

    dead = False

    def _get_state(self) -> Any:
        if self.dead:
            raise OSError("the line is gone")
        return super()._get_state()


def test_a_pin_that_stops_answering_is_reported_once_until_it_is_well_again_and_the_others_work() -> None:
    factory = MockFactory(pin_class=FrailPin)
    words: Words = SimpleQueue()
    watch = Watch()
    buttons = Buttons(PINS, words.put, watch, factory)
    factory.pin(PINS["red"]).dead = True
    for _ in range(3):
        watch.t += LOOK_MS
        buttons.turn()
    reported = words.get_nowait()
    assert isinstance(reported, Health) and (reported.device, reported.well) == ("button red", False)
    assert "the line is gone" in reported.detail
    factory.pin(PINS["blue"]).drive_low()
    buttons.turn()
    assert words.get_nowait() == Press("blue", True, watch.t)
    factory.pin(PINS["red"]).dead = False
    watch.t += LOOK_MS
    buttons.turn()
    assert words.get_nowait() == Health("button red", True)
    assert words.empty()
    buttons.close()


def test_the_thread_reports_presses_and_closing_twice_is_harmless() -> None:
    pins = VirtualPins(PINS, {})
    words: Words = SimpleQueue()
    buttons = Buttons(PINS, words.put, pin_factory=pins.factory)
    buttons.start()
    pins.hold("red")
    down = words.get(timeout=600)
    pins.let_go("red")
    up = words.get(timeout=600)
    assert isinstance(down, Press) and isinstance(up, Press)
    assert (down.seat, down.down, down.edge) == ("red", True, True)
    assert (up.seat, up.down) == ("red", False) and up.t >= down.t
    buttons.close()
    buttons.close()
    again = Buttons(PINS, words.put, pin_factory=pins.factory)
    assert words.empty()
    again.close()


# -- laws ------------------------------------------------------------------------------------------------------

LEVELS = st.lists(st.tuples(st.booleans(), st.integers(0, 40)))


@given(LEVELS, st.booleans(), st.integers(1, 20))
def test_bouncing_gives_alternating_changes_and_the_last_level(
    levels: list[tuple[bool, int]], last: bool, release: int
) -> None:
    contact = Debounce(release)
    changes = []
    t = 0
    for down, pause in [*levels, (last, 0)]:
        t += pause
        changes += contact.see(down, t)
    assert contact.due is None or contact.due <= t + release
    changes += contact.settle(t + release)
    assert contact.down == last and contact.due is None
    assert [down for down, _ in changes] == [n % 2 == 0 for n in range(len(changes))]
    times = [t for _, t in changes]
    assert times == sorted(times)


@given(LEVELS, st.integers(1, 20))
def test_a_press_is_never_late_and_a_release_is_never_a_bounce(levels: list[tuple[bool, int]], release: int) -> None:
    contact = Debounce(release)
    downs: list[int] = []
    t = 0
    for down, pause in levels:
        t += pause
        if down:
            downs.append(t)
        was_down = contact.down
        for change, at in contact.see(down, t):
            if change:
                assert at == t
            else:
                assert at + release <= t
                assert not [d for d in downs if at < d < at + release]
        assert contact.down if down else (was_down or not contact.down)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 100))))
def test_times_out_of_order_never_make_a_change_go_back(levels: list[tuple[bool, int]]) -> None:
    contact = Debounce()
    changes = [change for down, t in levels for change in contact.see(down, t)]
    times = [t for _, t in changes]
    assert times == sorted(times)
