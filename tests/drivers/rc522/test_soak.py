"""A long evening on emulated chips with everything going wrong: what is reported is what took place, and no more.

`TABULARIUM_POLLS` sets how many polls the three together last; a million take a quarter of an hour.
"""

import os
from itertools import groupby

import pytest

from companion.rules.readings import Health, Press, Reading
from drivers.virtual.faults import Position
from drivers.virtual.rc522 import readers
from drivers.virtual.spi import installed
from drivers.worker import DeviceOwner, ReaderWorker
from tests.support.hands import Hands, compare

pytestmark = pytest.mark.skipif(not installed(), reason="the mfrc522 package is not installed")

POLLS = int(os.environ.get("TABULARIUM_POLLS", "9000"))


@pytest.mark.timeout(600 + POLLS // 500)
@pytest.mark.parametrize(("position", "capture"), [("absolute", False), ("aligned", True), ("frame", False)])
def test_exactly_what_happened_is_reported(position: Position, capture: bool) -> None:
    _, chips = readers(3, seed=7)
    for reader in chips:
        faults = reader.chip.faults
        faults.deaf = faults.miss = faults.flip = 0.01
        faults.reset, faults.slow = 0.001, 0.0004
        faults.position, faults.capture = position, capture
    names = dict(zip(("centre", "red", "blue"), chips, strict=True))
    clock = chips[0].chip.clock
    words: list[Reading | Press | Health] = []
    workers = [ReaderWorker(name, reader.open, words.append, clock.ms, 0.02) for name, reader in names.items()]
    owner = DeviceOwner("readers", workers, clock.monotonic)
    evening = Hands(names, seed=7)
    for _ in range(POLLS // 9):
        clock.sleep(owner.turn() + 1e-9)
    end = clock.now
    compare(evening.moves, words, end)
    health = [word for word in words if isinstance(word, Health)]
    for reader_name in names:
        wells = [word.well for word in health if word.device == f"reader {reader_name}"]
        said = [well for well, _ in groupby([True, *wells])]  # well and crowded, or no longer so, is well
        assert said == ([True, False] * len(said))[: len(said)]
    deaths = sum(not word.well for word in health)
    assert deaths <= evening.deaths, "a silent reset is repaired without a word"
