"""Scripted hands at the virtual table, which do what the steps of the first hour ask for."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from drivers.virtual.rc522 import VirtualRc522
from drivers.virtual.rig import VirtualRig

CARDS = ("04A3C6CAE26180", "04A3C6CAE26181")
WEAK = 20
"""For so many polls a card that is lifted slowly answers only at times."""


HELD = 0.08
"""Seconds a button is held, and released: a contact that is open for less has bounced."""


class ScriptedHands:
    """The hands, which wait for a poll between two acts."""

    def __init__(self, rig: VirtualRig) -> None:
        self._rig = rig

    def __call__(self, step: str) -> Iterator[None]:
        match step:
            case "one" | "two":
                yield from self._lay(CARDS[step == "two"])
            case "lift":
                yield from self._lift()
            case "buttons":
                yield from self._press()

    def _lay(self, card: str) -> Iterator[None]:
        self._rig.lay(next(iter(self._rig.readers)), card)
        yield

    def _lift(self) -> Iterator[None]:
        name, reader = next(iter(self._rig.readers.items()))
        self._rig.lift(name, CARDS[1])
        if isinstance(reader, VirtualRc522):
            reader.chip.faults.deaf = 0.3
        for _ in range(WEAK):
            yield
        self._rig.lift(name, CARDS[0])
        if isinstance(reader, VirtualRc522):
            reader.chip.faults.deaf = 0.0

    def _press(self) -> Iterator[None]:
        for _ in range(5):
            for act in (self._rig.hold, self._rig.let_go):
                for seat in self._rig.wiring.buttons:
                    act(seat)
                until = monotonic() + HELD
                while monotonic() < until:
                    yield
