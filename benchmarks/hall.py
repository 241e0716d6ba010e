"""Fifty tables at one hall, through a real Mosquitto: how soon an act is durable at the hall, and what the hall takes.

The tables are real ones without a screen: store, evening and outbox each, ten of them to a process, an act every four
tenths of a second. `python -m benchmarks.hall --tables 50 --seconds 600` for longer.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from companion import games
from companion.hall.link import Broker, Post
from companion.hall.published import published, stand
from companion.hall.records import Payload, Taken, checksum
from companion.hall.service import HallService, Waiting
from companion.hall.store import HallStore
from companion.rules import result
from tests.support.hall_before import played
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import Table

Row = tuple[str, str, str]
TABLES, SECONDS = 50, 60.0
PACE_S = 0.4
ROUNDS, BEFORE_TABLES = 8, 50
"""What has been played before: eight rounds at fifty tables."""
LARGE, PLAYING, PLANNED_S = 200, 10, 40.0
"""The tables of a large evening; those that play while the hall plans, and for how long."""
AT_ONCE = 10
"""Tables to a process."""
LEAVE_OUT_S = 10.0
"""At the beginning, while processes start."""


class Timed:
    """The hall's store, with how long each act took to the commit that made it durable, in ms."""

    def __init__(self, store: HallStore) -> None:
        self._store, self._new = store, list[tuple[datetime, float]]()
        self.heard = deque[float]()
        """When the acts came that are still in the queue."""
        self.late: list[float] = []
        """From the act's own timestamp on."""
        self.held: list[float] = []
        """From its coming to the hall on."""

    def take(self, kind: str, table: str, payload: Payload, retained: bool = False) -> Taken:
        taken = self._store.take(kind, table, payload, retained)
        if kind == "event":
            heard = self.heard.popleft()
            if taken.new and payload["at"]:
                self._new.append((datetime.fromisoformat(payload["at"]), heard))
        return taken

    def commit(self) -> None:
        self._store.commit()
        now, at = datetime.now().astimezone(), time.perf_counter()
        self.late += [(now - act).total_seconds() * 1000 for act, _ in self._new]
        self.held += [(at - heard) * 1000 for _, heard in self._new]
        self._new.clear()

    def __getattr__(self, name: str) -> Any:  # everything else goes to the store itself
        return getattr(self._store, name)


class TimedHall(HallService):
    """A hall that notes when acts come."""

    store: Timed  # type: ignore[assignment] # it is a store in all that counts

    def _put(self, one: Waiting) -> None:
        if isinstance(one, Post) and "/event/" in one.topic:
            self.store.heard.append(time.perf_counter())
        super()._put(one)


@dataclass
class Measured:
    """What a hall has measured; its memory at each quarter in kB, acts played, and acts not at the hall in the end."""

    late: list[float]
    held: list[float]
    memory: list[int]
    acts: int
    behind: int


def serve(path: Path, at: Broker, before: int, plans: bool) -> None:
    """Run a hall that prints, for each line of input, what it has measured since the last one.

    Where it `plans`, it plans eight rounds for everybody, again and again.
    """
    with closing(HallStore(path)) as store:
        played(store, before, ROUNDS)
        timed = Timed(store)
        service = TimedHall("friday", at, timed)  # type: ignore[arg-type]
        gc.disable()  # as the hall's process does
        service.open()
        if plans:
            Thread(target=plan_for_ever, args=(service,), daemon=True).start()
        for _ in sys.stdin:
            late, held, timed.late, timed.held = timed.late, timed.held, [], []
            print(json.dumps({"late": late, "held": held, "kB": resident()}), flush=True)


def plan_for_ever(service: HallService) -> None:
    for seed in count():
        service.order({"do": "plan", "rounds": ROUNDS, "seed": seed, "try": True})


def resident() -> int:
    """Return the memory of this process, in kB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0])


def play(folder: Path, names: Sequence[str], seconds: float, at: Sequence[Broker]) -> None:
    """Let tables play for that many seconds; print how many acts they made, and how many have not reached the hall."""
    rng, acts = Random(names[0]), 0
    tables = [Table(folder, name, one) for name, one in zip(names, at, strict=True)]
    for table in tables:
        table.outbox.open()
        table.begin(rng.choice(games.NAMES))
    end, due = time.monotonic() + seconds, time.monotonic()
    while due < end:
        for table in tables:
            due += PACE_S / len(tables)
            if not table.play():
                table.settle()
                table.begin(rng.choice(games.NAMES))
            acts += 1
            while (wait := due - time.monotonic()) > 0:
                table.show()
                time.sleep(min(wait, 0.01))
    for table in tables:
        table.settle()
    time.sleep(5)
    behind = sum(table.outbox.behind for table in tables)
    for table in tables:
        table.close()
    print(json.dumps({"acts": acts, "behind": behind}), flush=True)


def measured(tables: int, seconds: float, before: int = BEFORE_TABLES, plans: bool = False) -> Measured:
    """Let tables play at a hall, and return what it has measured."""
    names = [str(at) for at in range(1, tables + 1)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = stack.enter_context(broker(folder / "broker", tables=tuple(names)))
        hall = started("--serve", [str(folder / "hall.sqlite3"), at(running, "hall"), before, plans])
        asked(hall)  # once it is open
        groups = [names[i : i + AT_ONCE] for i in range(0, tables, AT_ONCE)]
        players = [
            started("--play", [str(folder), group, seconds, [at(running, name) for name in group]]) for group in groups
        ]
        time.sleep(LEAVE_OUT_S)
        asked(hall)
        all_of = list[Any]()
        for _ in range(4):
            time.sleep((seconds - LEAVE_OUT_S) / 4)
            all_of.append(asked(hall))
        said = [json.loads(player.communicate()[0]) for player in players]
        hall.kill()
        hall.communicate()
    late, held = ([ms for found in all_of for ms in found[key]] for key in ("late", "held"))
    memory = [found["kB"] for found in all_of]
    return Measured(late, held, memory, sum(of["acts"] for of in said), sum(of["behind"] for of in said))


def at(running: Running, user: str) -> list[Any]:
    """Return a Broker's fields in the form a child process is given them."""
    return ["127.0.0.1", running.plan.port, user, running.passwords[user]]


def started(what: str, data: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.hall", what, json.dumps(data)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def asked(hall: subprocess.Popen[str]) -> Any:
    assert hall.stdin and hall.stdout
    hall.stdin.write("\n")
    hall.stdin.flush()
    return json.loads(hall.stdout.readline())


def told(tables: int) -> tuple[float, float]:
    """Measure how long it takes to publish the state of an evening of eight rounds.

    Returns the median in ms of processor time, and its ratio to the time of reading the outcomes from the store.
    """
    with tempfile.TemporaryDirectory() as folder, closing(HallStore(Path(folder) / "hall.sqlite3")) as store:
        played(store, tables, ROUNDS)
        read, said = [], []
        for _ in range(5):
            began = time.process_time()
            now = stand(store)
            between = time.process_time()
            published(now)
            read.append(between - began)
            said.append(time.process_time() - between)
    return sorted(said)[2] * 1000, sorted(said)[2] / sorted(read)[2]


def publication(tables: int) -> tuple[float, float]:
    """Measure a whole publication after a result has changed: reading, standings, the page's state and all payloads.

    Returns the median in ms of processor time, and its ratio to that of a hall that has just started.
    """
    nowhere = Broker("127.0.0.1", 1)
    with tempfile.TemporaryDirectory() as folder, closing(HallStore(Path(folder) / "hall.sqlite3")) as store:
        played(store, tables, ROUNDS)
        gc.disable()  # as the hall's process does
        service, spent = HallService("friday", nowhere, store), list[float]()
        for number in range(6):
            if number:
                _play_again(store, f"x{number}")
            began = time.process_time()
            service._tell_everybody()
            spent.append((time.process_time() - began) * 1000)
            gc.collect()
    gc.enable()
    first, *others = spent
    return sorted(others)[2], sorted(others)[2] / first


def _play_again(store: HallStore, table: str) -> None:
    """Change the last result of a table, and approve it."""
    game = store.games(table)[-1]
    assert game.result
    key = {"game": game.game, "begun": game.begun}
    told = result({seat: score + at for at, (seat, score) in enumerate(game.result["scores"].items())})
    store.take("result", table, {**key, "number": 2, "result": told, "crc": checksum(told)})
    for seat in told["scores"]:
        store.take("approval", table, {**key, "seat": seat, "crc": checksum(told), "approves": True})
    store.commit()


def rows(tables: int = TABLES, seconds: float = SECONDS) -> Iterator[Row]:
    for many in (25, 50, 100, 200):
        ms, ratio = told(many)
        yield f"how an evening of {many} tables and {ROUNDS} rounds stands", f"{ms:.0f} ms", f"{ratio:.1f} x reading it"
    ms, ratio = publication(LARGE)
    yield "… and all that is published after a result has changed", f"{ms:.0f} ms", f"{ratio:.2f} x that at the start"
    yield from planning_rows()
    found = measured(tables, seconds)
    what = f"{tables} tables, an act every {PACE_S} s each: from the act to the hall's disk"
    yield what, figures(found.late), f"{len(found.late) / (seconds - LEAVE_OUT_S):.0f} acts a second"
    yield "… the hall's memory, at each quarter", ", ".join(f"{kb / 1024:.1f} MB" for kb in found.memory), ""
    yield "… acts played, and not at the hall five seconds later", f"{found.acts}, {found.behind}", ""


def planning_rows() -> Iterator[Row]:
    """Yield how late acts are in a large evening, without and with a search for a seating beside them."""
    calm, busy = (measured(PLAYING, PLANNED_S, LARGE, plans).held for plans in (False, True))
    what = f"{LARGE} tables and {ROUNDS} rounds before, {PLAYING} tables play: from the hall's ear to its disk"
    yield what, figures(calm), ""
    yield "… while the hall plans", figures(busy), f"{share(busy, 95) / share(calm, 95):.1f} x as long"


def share(late: Sequence[float], of: int) -> float:
    """Return the time within which so many of a hundred acts are on disk."""
    return sorted(late)[len(late) * of // 100]


def figures(late: Sequence[float]) -> str:
    half, most, nearly = (share(late, of) for of in (50, 95, 99))
    return f"{half:.0f} ms, 95 of 100 within {most:.0f} ms, 99 within {nearly:.0f} ms"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.hall", description=__doc__)
    arguments.add_argument("--tables", type=int, default=TABLES)
    arguments.add_argument("--seconds", type=float, default=SECONDS)
    arguments.add_argument("--serve", help=argparse.SUPPRESS)
    arguments.add_argument("--play", help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.serve:
        path, who, before, plans = json.loads(args.serve)
        serve(Path(path), Broker(*who), before, plans)
    elif args.play:
        folder, names, seconds, brokers = json.loads(args.play)
        play(Path(folder), names, seconds, [Broker(*who) for who in brokers])
    else:
        for row in rows(args.tables, args.seconds):
            print(*row, sep="  ")


if __name__ == "__main__":
    main()
