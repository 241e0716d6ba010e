"""How fast the rules are: events in random play, and a replayed game beside an empty interpreter."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from companion import games
from companion.cli.simulate import play, simulate, table
from companion.record.transcript import Header, dump_event, read_event
from companion.rules import AnyGame

GAMES = 40
RUNS = 9


def play_rows() -> Iterator[tuple[str, str, str]]:
    """Yield each game's rows with the fewest and the most seats: the whole of random play, and `apply` alone."""
    for name in games.NAMES:
        game = games.game(name)
        for seats in sorted({game.seats[0], game.seats[-1]}):
            header = table(game, seats)
            yield _play_row(game, header)
            yield _speed_row(game, header)
        yield _memory_row(game)


@dataclass(frozen=True, slots=True)
class Bare:
    """A minimal reducer: whose turn it is, a hand for each seat, and the trick."""

    turn: int = 0
    hands: tuple[tuple[int, ...], ...] = (tuple(range(10)),) * 4
    trick: tuple[int, ...] = ()

    def apply(self, card: int) -> tuple[Bare, tuple[str, dict[str, int]]]:
        hand = self.hands[self.turn]
        left = tuple([other for other in hand if other != card])
        hands = (*self.hands[: self.turn], left, *self.hands[self.turn + 1 :])
        after = replace(self, turn=(self.turn + 1) % 4, hands=hands, trick=(*self.trick[-3:], card))
        return after, ("played", {"seat": self.turn, "card": card})


def _bare(rounds: int = 2_000) -> float:
    """Return the seconds that an event of the bare reducer takes now."""
    began = time.process_time()
    for _ in range(rounds):
        bare = Bare()
        for at in range(40):
            bare, _ruling = bare.apply(at // 4)
    return (time.process_time() - began) / rounds / 40


def _speed_row(game: AnyGame, header: Header) -> tuple[str, str, str]:
    """Measure `apply`, and a view after each event, in events of the bare reducer.

    The row shows the best of several runs, each divided by a run of the bare reducer just before it.
    """
    played = [[receipt.event for _, receipt in play(header, Random(seed)) if receipt.event] for seed in range(GAMES)]
    count, found = sum(map(len, played)), []
    for _ in range(RUNS):
        bare = _bare()
        times = []
        for seen in (lambda _: None, game.view):
            began = time.process_time()
            for events in played:
                state = game.setup(header.setup)
                for event in events:
                    state = game.apply(state, event)[0]
                    seen(state)
            times.append((time.process_time() - began) / count / bare)
        found.append(times)
    alone, viewed = (min(column) for column in zip(*found, strict=True))
    return (
        f"{game.name}, {len(header.seats)} seats",
        f"apply {alone:.1f} times a bare reducer's event, with a view after each {viewed:.1f}",
        f"a bare reducer: {_bare() * 1e6:.1f} µs an event",
    )


def _play_row(game: AnyGame, header: Header) -> tuple[str, str, str]:
    began = time.perf_counter()
    played = [[receipt.event for _, receipt in play(header, Random(seed)) if receipt.event] for seed in range(GAMES)]
    whole = time.perf_counter() - began
    count = sum(map(len, played))
    began = time.perf_counter()
    for events in played:
        state = game.setup(header.setup)
        for event in events:
            state = game.apply(state, event)[0]
    alone = time.perf_counter() - began
    began = time.perf_counter()
    for events in played:
        for event in events:
            read_event(header, json.loads(dump_event(event)))
    codec = time.perf_counter() - began
    return (
        f"{game.name}, {len(header.seats)} seats, {count} events",
        f"{whole / count * 1e6:.1f} µs an event in random play, {alone / count * 1e6:.1f} in apply"
        f" ({count / alone:,.0f} events/s)",
        f"writing and reading the event's line: {codec / count * 1e6:.1f} µs",
    )


def _memory_row(game: AnyGame) -> tuple[str, str, str]:
    """Compare the memory after many simulated games with that after a few: flat if the two are alike."""
    header, sizes = table(game, game.seats[0]), []
    tracemalloc.start()
    for count in (20, 200):
        list(simulate(header, count, 1, None, lambda rounds, _: iter(rounds)))
        sizes.append(tracemalloc.get_traced_memory()[0] / 1024)
    tracemalloc.stop()
    return f"{game.name}, memory kept", f"{sizes[1]:.0f} KiB after 220 games", f"{sizes[0]:.0f} KiB after 20"


def _median(command: list[str]) -> float:
    def once() -> float:
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began

    once()
    return statistics.median(once() for _ in range(RUNS))


def replay_rows() -> Iterator[tuple[str, str, str]]:
    """Yield the time of `tabularium replay` for some 300 events, the whole process, beside `python -c pass`."""
    header = table(games.game("prokonsul"), 3)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.jsonl"
        with file.open("w", encoding="utf-8") as out:
            list(simulate(header, 1, 1, out, lambda rounds, _: iter(rounds)))
        lines = len(file.read_text(encoding="utf-8").splitlines())
        empty = _median([sys.executable, "-c", "pass"])
        replay = _median([sys.executable, "-m", "companion", "replay", str(file)])
    yield (
        f"tabularium replay, {lines} lines",
        f"{replay * 1000:.0f} ms, {replay - 2 * empty:.2f} s over twice the empty interpreter",
        f"python -c pass: {empty * 1000:.0f} ms",
    )
