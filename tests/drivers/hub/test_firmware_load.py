"""The firmware and the mfrc522 package are loaded by swapping modules: from several threads at once all the same."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.hub.firmware import FILES, load
from drivers.virtual.spi import VirtualPi, installed

THREADS = 8


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(act: Callable[[], Any]) -> list[Any]:
    """What comes of doing it in several threads at the same moment."""
    gate = Barrier(THREADS)

    def go(_: int) -> Any:
        gate.wait()
        return act()

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(go, range(THREADS)))


def test_the_firmware_is_loaded_whole_by_each_of_several_threads() -> None:
    known = dict(sys.modules)
    copies = [modules for _ in range(3) for modules in at_once(load)]
    for modules in copies:
        assert set(modules) == set(FILES)
        assert modules["loop"].Hub is modules["core"].Hub and modules["core"].line is modules["lines"].line
    assert len({id(modules["core"]) for modules in copies}) == len(copies)
    assert not set(FILES) & set(sys.modules) - set(known)


@pytest.mark.skipif(not installed(), reason="the mfrc522 package is not installed")
def test_each_virtual_pi_has_the_package_on_its_own_chips() -> None:
    def pi() -> tuple[VirtualPi, Any]:
        made = VirtualPi({(0, 0): Chip(VirtualClock())})
        return made, made.mfrc522()

    made = at_once(pi)
    assert all(package.MFRC522.__init__.__globals__["GPIO"] is pi.gpio for pi, package in made)
    assert "mfrc522" not in sys.modules or sys.modules["mfrc522"] not in [package for _, package in made]
