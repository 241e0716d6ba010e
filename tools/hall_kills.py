"""Kills brokers and halls while tables play: python -m tools.hall_kills --brokers 200 --halls 50."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.hall.store import HallStore
from tests.support.hall_before import played
from tests.support.hall_broker import TABLES, Running, broker
from tests.support.hall_tables import Table, acts_kept, until

PACE_S = 0.04
"""Between two acts of a table: a hundred times a table's speed."""
GAMES = ("spartacus", "caesar", "mercator", "hannibal", "prokonsul")
BEFORE = 12, 8
"""Tables and rounds of the evening so far: the whole hall runs, and says how it stands."""


@dataclass
class Tally:
    """The acts and results that the hall had in the end, and everything that was wrong with them."""

    brokers: int = 0
    halls: int = 0
    acts: int = 0
    results: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def line(self) -> str:
        return (
            f"{self.brokers} brokers and {self.halls} halls killed in {self.seconds:.0f} s: {self.acts} acts and"
            f" {self.results} results, every one of them at the hall, once"
        )


def killed(folder: Path, brokers: int, halls: int, seed: int = 0) -> Tally:
    """Play on three tables until that many of both are killed, then compare journals with the hall's store."""
    tally, rng, began = Tally(), Random(seed), time.monotonic()
    path = folder / "hall.sqlite3"
    with broker(folder / "broker") as running, ExitStack() as stack:
        service = stack.enter_context(hall(running, path))
        tables = [stack.enter_context(closing(Table(folder, name, running.as_(name), again_s=1.0))) for name in TABLES]
        for at, table in enumerate(tables):
            table.outbox.open()
            table.begin(GAMES[at])
        while tally.brokers < brokers or tally.halls < halls:
            for _ in range(rng.randrange(2, 30)):
                play(tables, rng)
                time.sleep(PACE_S)
            if tally.halls * brokers < tally.brokers * halls or tally.brokers == brokers:
                service.again()
                tally.halls += 1
            else:
                running.kill()
                for _ in range(rng.randrange(10)):
                    play(tables, rng)
                running.start()
                tally.brokers += 1
        for table in tables:
            while table.play(20):
                pass
            table.settle()
        until(lambda: all(table.outbox.idle for table in tables), 300)
        service.stop()
        with closing(HallStore(path)) as store:
            for table in tables:
                compare(store, table, tally)
    tally.seconds = time.monotonic() - began
    return tally


def play(tables: list[Table], rng: Random) -> None:
    for table in tables:
        if not table.play():
            table.settle()
            table.begin(rng.choice(GAMES))


def compare(store: HallStore, table: Table, tally: Tally) -> None:
    rows = {row.game: row for row in store.games(table.name)}
    kept = acts_kept(store, table.name)
    for row in table.store.games():
        want = list(range(1, row.events + 1))
        if kept.get(row.number) != want:
            tally.faults.append(
                f"table {table.name}, game {row.number}: {len(kept.get(row.number, ()))} of {len(want)}"
            )
        reported = rows[row.number].result if row.number in rows else None
        if (reported or {}) != row.outcome:
            tally.faults.append(f"table {table.name}, game {row.number}: another result")
        tally.acts += len(want)
        tally.results += bool(row.result)
    tally.faults += [str(fault.what) for fault in store.faults() if fault.table == table.name]


class Hall:
    """The hall in a separate process."""

    def __init__(self, running: Running, path: Path) -> None:
        broker = running.as_("hall")
        at = json.dumps([str(path), broker.port, broker.password])
        self._command = [sys.executable, "-m", "tools.hall_kills", "--hall", at]
        self._process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert process.stdout and process.stdout.readline() == "open\n"
        return process

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def again(self) -> None:
        self.stop()
        self._process = self._started()


@contextmanager
def hall(running: Running, path: Path) -> Iterator[Hall]:
    found = Hall(running, path)
    try:
        yield found
    finally:
        found.stop()


def serve(path: str, port: int, password: str) -> None:
    """Run a hall until it is killed."""
    from companion.hall.link import Broker
    from companion.hall.service import HallService

    with closing(HallStore(Path(path))) as store:
        if not store.said():
            played(store, *BEFORE)
        at = Broker("127.0.0.1", port, "hall", password)
        HallService("friday", at, store).open()
        print("open", flush=True)
        while True:
            time.sleep(3600)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tools.hall_kills", description=__doc__)
    arguments.add_argument("--brokers", type=int, default=200)
    arguments.add_argument("--halls", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--hall", help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.hall:
        serve(*json.loads(args.hall))
    with tempfile.TemporaryDirectory() as folder:
        tally = killed(Path(folder), args.brokers, args.halls, args.seed)
    print(*tally.faults, sep="\n", end="\n" if tally.faults else "")
    print(tally.line() if not tally.faults else f"{len(tally.faults)} faults")
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()
