"""Fifty tables at one hall, through a real Mosquitto: how soon an act is durable at the hall, and what the hall takes.

The tables are real ones without a screen: store, evening and outbox each, ten of them to a process, an act every four
tenths of a second. `python -m benchmarks.hall --tables 50 --seconds 600` for longer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from companion import games
from companion.hall.link import Broker
from companion.hall.published import published, stand
from companion.hall.records import Payload, Taken
from companion.hall.service import HallService
from companion.hall.store import HallStore
from tests.support.hall_before import played
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import Table

Row = tuple[str, str, str]
TABLES, SECONDS = 50, 60.0
PACE_S = 0.4
ROUNDS, BEFORE_TABLES = 8, 50
"""What has been played before: eight rounds at fifty tables."""
AT_ONCE = 10
"""Tables to a process."""
LEAVE_OUT_S = 10.0
"""At the beginning, while processes start."""


class Timed:
    """The hall's store, with the time from each act's own timestamp to the commit that made it durable."""

    def __init__(self, store: HallStore) -> None:
        self._store, self._new = store, list[str]()
        self.late: list[float] = []
        """In ms."""

    def take(self, kind: str, table: str, payload: Payload, retained: bool = False) -> Taken:
        taken = self._store.take(kind, table, payload, retained)
        if kind == "event" and taken.new and payload["at"]:
            self._new.append(payload["at"])
        return taken

    def commit(self) -> None:
        self._store.commit()
        now = datetime.now().astimezone()
        self.late += [(now - datetime.fromisoformat(at)).total_seconds() * 1000 for at in self._new]
        self._new.clear()

    def __getattr__(self, name: str) -> Any:  # everything else goes to the store itself
        return getattr(self._store, name)


def serve(path: Path, at: Broker) -> None:
    """Run a hall that prints, for each line of input, what it has measured since the last one."""
    with closing(HallStore(path)) as store:
        played(store, BEFORE_TABLES, ROUNDS)
        timed = Timed(store)
        whole = lambda of: published(stand(of))  # noqa: E731 - as the hall's own process does it
        service = HallService("friday", at, timed, whole)  # type: ignore[arg-type] # it is one in all that counts
        service.open()
        for _ in sys.stdin:
            late, timed.late = timed.late, []
            print(json.dumps({"late": late, "kB": resident()}), flush=True)


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


def measured(tables: int, seconds: float) -> tuple[list[float], list[int], int, int]:
    """Return times in ms, the hall's memory at each quarter in kB, acts played, and acts not at the hall in the end."""
    names = [str(at) for at in range(1, tables + 1)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = stack.enter_context(broker(folder / "broker", tables=tuple(names)))
        hall = started("--serve", [str(folder / "hall.sqlite3"), at(running, "hall")])
        groups = [names[i : i + AT_ONCE] for i in range(0, tables, AT_ONCE)]
        players = [
            started("--play", [str(folder), group, seconds, [at(running, name) for name in group]]) for group in groups
        ]
        time.sleep(LEAVE_OUT_S)
        asked(hall)
        late, memory = list[float](), list[int]()
        for _ in range(4):
            time.sleep((seconds - LEAVE_OUT_S) / 4)
            found = asked(hall)
            late, memory = late + found["late"], [*memory, found["kB"]]
        said = [json.loads(player.communicate()[0]) for player in players]
        hall.kill()
        hall.communicate()
    return late, memory, sum(of["acts"] for of in said), sum(of["behind"] for of in said)


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


def rows(tables: int = TABLES, seconds: float = SECONDS) -> Iterator[Row]:
    for many in (25, 50, 100, 200):
        ms, ratio = told(many)
        yield f"how an evening of {many} tables and {ROUNDS} rounds stands", f"{ms:.0f} ms", f"{ratio:.1f} x reading it"
    late, memory, acts, behind = measured(tables, seconds)
    ordered = sorted(late)
    what = f"{tables} tables, an act every {PACE_S} s each: from the act to the hall's disk"
    spread = [ordered[len(ordered) * share // 100] for share in (50, 95, 99)]
    figures = f"{spread[0]:.0f} ms, 95 of 100 within {spread[1]:.0f} ms, 99 within {spread[2]:.0f} ms"
    yield what, figures, f"{len(late) / (seconds - LEAVE_OUT_S):.0f} acts a second"
    yield "… the hall's memory, at each quarter", ", ".join(f"{kb / 1024:.1f} MB" for kb in memory), ""
    yield "… acts played, and not at the hall five seconds later", f"{acts}, {behind}", ""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.hall", description=__doc__)
    arguments.add_argument("--tables", type=int, default=TABLES)
    arguments.add_argument("--seconds", type=float, default=SECONDS)
    arguments.add_argument("--serve", help=argparse.SUPPRESS)
    arguments.add_argument("--play", help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.serve:
        path, who = json.loads(args.serve)
        serve(Path(path), Broker(*who))
    elif args.play:
        folder, names, seconds, brokers = json.loads(args.play)
        play(Path(folder), names, seconds, [Broker(*who) for who in brokers])
    else:
        for row in rows(args.tables, args.seconds):
            print(*row, sep="  ")


if __name__ == "__main__":
    main()
