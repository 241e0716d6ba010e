"""Both sides of the protocol and a line between them that garbles, cuts, doubles and drops what they say.

`TABULARIUM_LINES` sets how many lines go over it; a million take a minute.
"""

import os
from random import Random

import pytest

from companion.rules.readings import Health, Press
from drivers.hub.faults import Lost
from tests.support.hub_wire import CARDS, MS, SEATS, Wire

LINES = int(os.environ.get("TABULARIUM_LINES", "5000"))
QUIET = 5_000
"""ms without noise, after which all is as it should be."""


class Noise:
    """What becomes of a line; `bad` is the chance that something does. `lines` counts those that have passed."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.bad = 0.0
        self.lines = 0
        self._before = b""

    def __call__(self, line: bytes) -> bytes:
        self.lines += 1
        before, self._before = self._before, line
        if self.chance.random() >= self.bad:
            return line
        chance, at = self.chance, self.chance.randrange(len(line))
        match chance.randrange(7):
            case 0:
                return line[:at] + bytes([line[at] ^ 1 << chance.randrange(8)]) + line[at + 1 :]
            case 1:
                return line[:at]
            case 2:
                return line[at:]
            case 3:
                return b""
            case 4:
                return line + line
            case 5:
                return line + before
            case _:
                return chance.randbytes(chance.choice((1, 30, 600))) + line


class NoisyTable:
    """Hands at a hub behind a bad line. `made` is what they did, a list for each button and each card."""

    def __init__(self, seed: int) -> None:
        self.noise = Noise(seed)
        self.wire = Wire(seed=seed)
        self.wire.spoil = self.noise
        self.made: dict[object, list[bool]] = {seat: [] for seat in ("red", "blue")}
        self.made |= {(seat, card): [] for seat in ("red", "centre") for card in CARDS}
        self.moves = self.replugs = 0
        self.latest: dict[str, int] = {}
        self.wire.plug()
        self.wire.hub.settle(self.wire.now)
        self.run(1000)

    def run(self, ms: int, step: int = 20) -> None:
        """Time passes; a port that was given up is opened again, as the worker would."""
        for _ in range(0, ms, step):
            try:
                self.wire.run(step * MS, step * MS)
            except Lost:
                self.replug()

    def replug(self) -> None:
        self.replugs += 1
        self.wire.unplug()
        self.wire.plug()

    def act(self) -> None:
        """Somebody presses, lets go, lays or lifts."""
        chance, hub = self.noise.chance, self.wire.hub
        if chance.random() < 0.7:
            place = chance.randrange(2)
            down = not hub.held >> place & 1
            self.made[SEATS[place]].append(down)
            hub.button(place, down, self.wire.now)
        else:
            place, card = chance.choice((0, 2)), chance.choice(CARDS)
            hub.cards[place] ^= {card}
            self.made[SEATS[place], card].append(card in hub.cards[place])
            hub.settle(self.wire.now)
        self.run(20)

    def check(self) -> None:
        """What hands did has been reported, and nothing else, in the order of time; it is forgotten then."""
        reported: dict[object, list[bool]] = {key: [] for key in self.made}
        for word in self.wire.reported():
            if isinstance(word, Health):
                assert not (word.well and word.detail), "a gap"
                continue
            place = word.seat if isinstance(word, Press) else word.reader
            assert word.t >= self.latest.get(place, 0)
            self.latest[place] = word.t
            if isinstance(word, Press):
                assert word.edge
                reported[place].append(word.down)
            else:
                reported[place, word.tag].append(word.present)
        assert reported == self.made
        self.moves += sum(map(len, reported.values()))
        for made in self.made.values():
            made.clear()


@pytest.mark.timeout(600 + LINES // 1000)
def test_after_any_noise_everything_has_arrived_once_and_in_order() -> None:
    table = NoisyTable(seed=4)
    chance, noise = table.noise.chance, table.noise
    while noise.lines < LINES:
        noise.bad = chance.choice((0.02, 0.1, 0.3))
        for _ in range(50):
            table.act()
        if chance.random() < 0.2:
            table.replug()
        noise.bad = 0.0
        table.run(QUIET, step=100)
        table.check()
    dropped = table.wire.link.lines.dropped, table.wire.hub.core.bad
    assert min(dropped) > LINES // 500
    print(f"{noise.lines} lines, dropped here and there {dropped}; {table.moves} moves, {table.replugs} replugs")


def test_a_press_whose_line_is_lost_again_and_again_comes_within_two_seconds() -> None:
    """One line in seven is spoiled, in the emulated time of both sides."""
    table = NoisyTable(seed=5)
    table.noise.bad = 0.14
    slowest = 0
    for number in range(400):
        made, seq = table.wire.now, table.wire.link.seq
        table.wire.hub.button(0, number % 2 == 0, made)
        while table.wire.link.seq == seq or not table.wire.link.settled:
            table.run(20)
        slowest = max(slowest, table.wire.now - made)
        table.run(40)
    assert slowest < 2_000 * MS
