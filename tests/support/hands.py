"""Hands that lay and lift cards all evening, and a check that every move was reported."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from companion.rules.readings import Health, Press, Reading
from drivers.virtual.rc522 import VirtualRc522

LIES = (0.5, 2.0)
"""How long a card lies and stays away, in s."""

CARDS = ("04A3C6CAE26180", "04A3C6CAE26181", "04A3C6CAE2E180", "04A3C6CAE2618F", "0411223344AA55", "DEADBEEF")
"""Stickers of one roll, whose ids begin alike, and others."""

Moves = dict[tuple[str, str], list[tuple[bool, float]]]


class Hands:
    """Hands that lay and lift cards, and a bus that dies now and then: planned on the emulated clock."""

    def __init__(self, names: dict[str, VirtualRc522], seed: int) -> None:
        self.clock = next(iter(names.values())).chip.clock
        self.moves: Moves = defaultdict(list)
        self.deaths = 0
        self._random = Random(seed)
        for name, reader in names.items():
            self._go_on(self._hands(name, reader))

    def _go_on(self, acts: Iterator[float]) -> None:
        pause = next(acts)
        self.clock.at(self.clock.now + pause, lambda: self._go_on(acts))

    def _hands(self, name: str, reader: VirtualRc522) -> Iterator[float]:
        """Lay and lift at most two cards at a time; yield the s until the next act."""
        random, lain = self._random, dict.fromkeys(CARDS, 0.0)
        while True:
            yield random.uniform(0.1, 0.6)
            if random.random() < 0.03:
                yield from self._death(reader)
            card = random.choice(sorted(reader.tags) if len(reader.tags) == 2 else CARDS)
            if self.clock.now - lain[card] < random.uniform(*LIES):
                continue
            lain[card] = self.clock.now
            self.moves[name, card].append((card not in reader.tags, self.clock.now))
            (reader.lift if card in reader.tags else reader.lay)(card)

    def _death(self, reader: VirtualRc522) -> Iterator[float]:
        """Let the bus die, and a chip with it or not; yield the s to wait.

        Nobody moves a card until the reader is there again.
        """
        yield 1.0
        self.deaths += 1
        reader.fail(self._random.choice((0x00, 0xFF)))
        yield self._random.uniform(0.001, 1.4)
        reader.chip.faults.dead = None
        if self._random.random() < 0.5:
            reader.chip.reset()
        yield 5.0


def compare(moves: Moves, words: list[Reading | Press | Health], end: float) -> None:
    """Check that each move is reported once, before the card's next one; the last may come too late to be reported."""
    reported: Moves = defaultdict(list)
    for word in words:
        if isinstance(word, Reading):
            reported[word.reader, word.tag].append((word.present, word.t / 1000))
    assert set(reported) <= set(moves), "a ghost"
    for key, made in moves.items():
        seen = reported[key]
        spans = list(pairwise([*made, (False, end)]))
        if len(seen) < len(made) and end - made[-1][1] < 6:
            spans.pop()
        assert [present for present, _ in seen] == [present for (present, _), _ in spans], key
        for ((_, begin), (_, next_move)), (_, t) in zip(spans, seen, strict=True):
            assert begin - 0.001 <= t <= next_move, key
