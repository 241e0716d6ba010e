"""Cards laid on and lifted from an emulated PN532, at random."""

from __future__ import annotations

from queue import SimpleQueue
from random import Random
from typing import Any

from companion.rules.readings import Health, Press, Reading
from drivers.pn532.reader import Pn532
from drivers.virtual.clock import VirtualClock
from drivers.worker import ReaderWorker
from tests.support.pn532 import Pn532Chip, Pn532Faults, Pn532Wire


def at(*tags: str, **faults: Any) -> tuple[Pn532Chip, Pn532Wire, VirtualClock]:
    clock = VirtualClock()
    chip = Pn532Chip(Pn532Faults(**faults))
    chip.lay(*tags)
    return chip, Pn532Wire(chip, clock), clock


def opened(wire: Pn532Wire, clock: VirtualClock) -> Pn532:
    return Pn532(wire, clock.monotonic)


def play(chance: Random, cards: int, **faults: float) -> None:
    """Lay and lift cards one after another, and compare what is reported with what was done."""
    chip, wire, clock = at(chance=chance, **faults)
    said: SimpleQueue[Reading | Press | Health] = SimpleQueue()
    work = ReaderWorker("centre", lambda: opened(wire, clock), said.put, lambda: round(1000 * clock.monotonic()))
    done: list[tuple[str, bool]] = []

    def turn(count: int) -> None:
        for _ in range(count):
            clock.sleep(max(0.02, work.turn()))

    turn(3)
    for number in range(cards):
        tag = f"04{number:012X}"
        chip.lay(tag)
        done.append((tag, True))
        turn(12)
        chip.lift(tag)
        done.append((tag, False))
        turn(12)
    heard = [word for word in (said.get() for _ in range(said.qsize())) if isinstance(word, Reading)]
    assert [(word.tag, word.present) for word in heard] == done
