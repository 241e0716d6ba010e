"""A long evening on the firmware's readers with everything going wrong: what is reported is what took place, and no more.

`TABULARIUM_POLLS` sets how many polls there are; a million take some ten minutes.
"""

import os
from functools import partial
from typing import Any

import pytest

from companion.rules.readings import Health, Press, Reading
from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults, Position
from drivers.virtual.rc522 import VirtualRc522
from tests.support.hands import Hands, compare
from tests.support.hub_firmware import BOOT, HUB, modules

POLLS = int(os.environ.get("TABULARIUM_POLLS", "800"))
NAMES = ("centre", "red", "blue")


class Board:
    """A board on the chips' clock, with nobody at its port; the last hub's events are read from the store."""

    identity, boot, places, held = HUB, BOOT, ("r", "r", "r"), 0

    def __init__(self, chips: list[Chip]) -> None:
        self.clock = chips[0].clock
        self.readers = [
            modules()["rc522"].Rc522(partial(self._transfer, chip), self.rest, chip.restart) for chip in chips
        ]

    def _transfer(self, chip: Chip, data: bytes) -> bytes:
        return bytes(chip.transfer(data))

    def now(self) -> int:
        return int(self.clock.now * 1e6)

    def rest(self, us: int) -> None:
        self.clock.sleep(us / 1e6)

    def edges(self) -> tuple[()]:
        return ()

    def receive(self) -> bytes:
        return b""

    def send(self, data: bytes) -> int:
        raise AssertionError(f"nobody asked for {data!r}")

    def show(self, lit: int, linked: bool) -> None:
        assert (lit, linked) == (0, False)

    def feed(self) -> None:
        """There is no watchdog."""


class Listener:
    """What the events mean: readings, where a reader that is well again reports only what has changed."""

    def __init__(self) -> None:
        self.words: list[Reading | Press | Health] = []
        self.deaths = 0
        self.here: dict[str, set[str]] = {name: set() for name in NAMES}

    def hear(self, event: bytes) -> None:
        _, _, t, place, what, *tags = event.decode().partition("*")[0].split()
        name = NAMES[int(place)]
        here = self.here[name]
        if what == "dead":
            self.deaths += 1
            return
        now = {"laid": here | set(tags), "lifted": here - set(tags), "well": set(tags)}[what]
        for tag in here ^ now:
            self.words.append(Reading(name, tag, tag in now, int(t) // 1000))
        self.here[name] = now


@pytest.mark.timeout(600 + POLLS // 300)
@pytest.mark.parametrize(("position", "capture"), [("absolute", False), ("frame", True)])
def test_exactly_what_happened_is_reported(position: Position, capture: bool) -> None:
    clock = VirtualClock()
    chips = [Chip(clock, Faults(seed)) for seed in range(3)]
    for chip in chips:
        faults = chip.faults
        faults.deaf = faults.miss = faults.flip = 0.01
        faults.reset, faults.slow = 0.001, 0.0004
        faults.position, faults.capture = position, capture
    readers = {name: VirtualRc522(chip, _unused) for name, chip in zip(NAMES, chips, strict=True)}
    evening, listener = Hands(readers, seed=7), Listener()
    loop = modules()["loop"].Loop(Board(chips))
    reported, hub = 0, loop.hub
    while sum(reader.polls for reader in loop.board.readers) < POLLS // 2:
        loop.turn()
        while reported < hub.last:
            reported += 1
            listener.hear(hub.events[reported % 512])
    assert loop.failures == 0
    compare(evening.moves, listener.words, clock.now)
    assert listener.deaths <= evening.deaths, "a silent reset is repaired without a word"


def _unused() -> Any:
    raise AssertionError("the firmware has a driver of its own")
