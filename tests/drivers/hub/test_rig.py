"""The virtual hub table: seven seats at two hubs, and cables that are pulled."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from companion.rules.cards import PAWNS
from companion.rules.readings import Health, Press, Reading
from drivers.virtual.hub.rig import HubRig

Words = SimpleQueue[Reading | Press | Health]
CARD = "04A1B2C3D4E5F6"


@pytest.fixture
def words() -> Words:
    return SimpleQueue()


@pytest.fixture
def rig(words: Words) -> Iterator[HubRig]:
    rig = HubRig(PAWNS, words.put, micropython=False)
    yield rig
    rig.close()


def until(words: Words, done: Callable[[Any], bool]) -> list[Any]:
    """All words up to the first that fits."""
    heard: list[Any] = []
    while not heard or not done(heard[-1]):
        heard.append(words.get(timeout=600))
    return heard


def test_each_seat_has_a_reader_a_button_and_a_lamp(rig: HubRig, words: Words) -> None:
    assert rig.under == "CPython" and rig.readers == PAWNS
    for seat in PAWNS:
        rig.hold(seat)
        (down,) = until(words, lambda word: isinstance(word, Press))
        assert (down.seat, down.down) == (seat, True)
        rig.let_go(seat)
        (up,) = until(words, lambda word: isinstance(word, Press))
        assert (up.seat, up.down) == (seat, False)
    for seat in ("red", "white"):
        rig.lay(seat, CARD)
        (laid,) = until(words, lambda word: isinstance(word, Reading))
        assert (laid.reader, laid.tag, laid.present) == (seat, CARD, True)
        assert rig.tags_on(seat) == {CARD} and rig.tags_on("blue") == frozenset()
        rig.lift(seat, CARD)
        (lifted,) = until(words, lambda word: isinstance(word, Reading))
        assert (lifted.reader, lifted.present) == (seat, False)
    rig.show({"red": "on", "blue": "off", "white": "on"})
    for _ in range(60_000):
        if rig.lamp("red") and rig.lamp("white"):
            break
        Event().wait(0.01)
    assert [rig.lamp(seat) for seat in PAWNS] == [seat in ("red", "white") for seat in PAWNS]


def test_a_pulled_cable_reddens_its_own_seats_and_loses_nothing(rig: HubRig, words: Words) -> None:
    cable = rig.cables["A"]
    rig.hold("red")
    until(words, lambda word: isinstance(word, Press))
    cable.unplug()
    assert (cable.plugged, rig.cables["B"].plugged) == (False, True)
    reported = until(words, lambda word: isinstance(word, Health) and word.device == "hub A")
    assert {word.device for word in reported} == {"hub A", "box red", "box blue", "box green", "box yellow"}
    assert not any(word.well for word in reported)
    rig.hold("white")
    assert until(words, lambda word: isinstance(word, Press))[-1].seat == "white"
    rig.let_go("red")
    cable.plug()
    cable.plug()
    rig.hubs["A"].wake()
    *reported, up = until(words, lambda word: isinstance(word, Press))
    assert (up.seat, up.down, up.edge) == ("red", False, True)
    assert {word.device for word in reported if word.well} >= {"hub A", "box red", "box yellow"}


def test_a_rig_closes_twice(words: Words) -> None:
    rig = HubRig(PAWNS[:2], words.put, micropython=False)
    folder = rig.cables["A"].path.parent
    assert list(rig.cables) == ["A"]
    hub = rig.cables["A"].hub
    rig.close()
    rig.close()
    hub.close()
    assert not folder.exists()
