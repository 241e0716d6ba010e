"""A host's Link and the reference firmware's core in one process: a wire between them, and a clock for both."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from companion.rules.readings import Health, Press, Reading
from drivers.hub.protocol import HubLink
from drivers.virtual.hub.firmware import load

MS, S = 1_000, 1_000_000
SEATS: Sequence[str | None] = ("red", "blue", "centre", None)
PLACES = ("rbl", "bl", "r", "-")
CARDS = ("04A1B2C3D4E5F6", "0102030A", "04A1B2C3D4E5F60718FF")
Word = Press | Reading | Health


@cache
def core() -> Any:
    return load()["core"]


class Hub:
    """The firmware's core with fingers and cards; its clock starts at 0 and its crystal may be off by `ppm`."""

    def __init__(self, now: int, chance: random.Random, places: Sequence[str] = PLACES, ppm: int = 0) -> None:
        self.held, self.ppm = 0, ppm
        self.places = list(places)
        self.cards: dict[int, set[str]] = {at: set() for at, has in enumerate(places) if "r" in has}
        self._chance = chance
        self.start(now)

    def start(self, now: int) -> None:
        """Power up, with a new boot id."""
        self.born = now
        self.core = core().Hub("E6614C775B8B2C36", f"{self._chance.getrandbits(32):08X}", self.places, 0, self.held)

    def time(self, now: int) -> int:
        return (now - self.born) * (S + self.ppm) // S

    def button(self, place: int, down: bool, now: int) -> None:
        self.held = self.held | 1 << place if down else self.held & ~(1 << place)
        self.core.buttons(self.held, self.time(now))

    def poll(self, now: int) -> None:
        for place, cards in self.cards.items():
            self.core.seen(place, sorted(cards), self.time(now))

    def settle(self, now: int) -> None:
        """Report all buttons, and poll often enough to be certain of the cards."""
        self.core.tick(self.time(now))
        for _ in range(4):
            self.poll(now)


class Wire:
    """One hub and its host. `spoil` is applied to every piece that passes; pieces are cut at random."""

    def __init__(self, seats: Sequence[str | None] = SEATS, seed: int = 0, places: Sequence[str] = PLACES) -> None:
        self.chance = random.Random(seed)
        self.now = 1_000 * S
        self.words: list[Word] = []
        self.hub = Hub(self.now, self.chance, places)
        self.link = HubLink("box", seats, self.words.append)
        self.plugged = False
        self.spoil: Callable[[bytes], bytes] = bytes
        self.said: list[bytes] = []
        """What the host has said."""

    # -- hands -----------------------------------------------------------------------------------------------------

    def plug(self) -> None:
        self.plugged = True
        self.link.opened(self.now)
        self.pump()

    def unplug(self) -> None:
        """Unplug the hub; all bytes on their way are lost."""
        self.plugged = False
        self.link.out()
        self.link.closed("Unplugged.")
        self.hub.core.out.clear()

    def restart(self) -> None:
        self.hub.start(self.now)
        self.hub.settle(self.now)

    def press(self, place: int, down: bool) -> None:
        self.hub.button(place, down, self.now)
        self.pump()

    def tap(self, place: int, ms: int = 100) -> None:
        self.press(place, True)
        self.run(ms * MS)
        self.press(place, False)
        self.run(50 * MS)

    def lay(self, place: int, *cards: str) -> None:
        """Lay exactly these cards there."""
        self.hub.cards[place] = set(cards)
        self.hub.settle(self.now)
        self.pump()

    def show(self, modes: Mapping[str, Any]) -> None:
        self.link.show(modes)
        self.pump()

    # -- time ------------------------------------------------------------------------------------------------------

    def run(self, us: int, step: int = 10 * MS) -> None:
        """Let time pass; the host may raise Lost."""
        for _ in range(max(1, us // step)):
            self.now += step
            self.hub.core.tick(self.hub.time(self.now))
            self.pump()
            if self.plugged:
                self.link.tick(self.now)

    def pump(self) -> None:
        """Carry bytes to and fro until both ends are silent; with nothing plugged in, carry none."""
        while self.plugged:
            there = self.link.out()
            back = b"".join(iter(self.hub.core.take, b""))
            if not there and not back:
                return
            self.said += there.splitlines(keepends=True)
            for piece in self._pieces(there):
                self.hub.core.feed(piece, self.hub.time(self.now))
            for piece in self._pieces(back):
                self.link.feed(piece, self.now)

    def _pieces(self, data: bytes) -> list[bytes]:
        data = b"".join(map(self.spoil, data.splitlines(keepends=True)))
        cut = self.chance.randrange(len(data) + 1)
        return [data[:cut], data[cut:]]

    # -- reports ---------------------------------------------------------------------------------------------------

    def reported(self) -> list[Word]:
        words, self.words[:] = self.words[:], []
        return words

    def presses(self) -> list[tuple[str, bool]]:
        return [(word.seat, word.down) for word in self.words if isinstance(word, Press)]

    def readings(self) -> list[tuple[str, str, bool]]:
        return [(word.reader, word.tag, word.present) for word in self.words if isinstance(word, Reading)]

    def healths(self) -> list[tuple[str, bool]]:
        return [(word.device, word.well) for word in self.words if isinstance(word, Health)]

    def spoken(self, word: str) -> int:
        """Return how often the host has said this word."""
        return sum(said.startswith(word.encode()) for said in self.said)
