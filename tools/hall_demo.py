"""`make hall`: a broker, a hall and three tables that play by themselves, round after round, until Ctrl-C.

Everything is real but the players: Mosquitto with what `tabularium hall setup` writes, the hall's own process, and the
outbox of each table. What they leave behind goes with the folder they were in.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from companion.cli.hall_client import HallClient
from companion.hall.organiser import Organiser
from companion.hall.published import published, stand
from companion.hall.service import HallService
from companion.hall.store import HallStore
from tests.support.hall_broker import TABLES, Running, broker
from tests.support.hall_tables import Table, until

PLAYERS = ("Anna", "Ben", "Chihiro", "Dana", "Émile", "Farid", "Greta", "Hiro", "Ines", "Jonas", "Kim")
LATE = "Luca"
GAMES = (("mercator", "prokonsul", "spartacus"), ("caesar", "spartacus", "prokonsul"))
"""What is played in turn: every round a number of players that three tables can seat."""


@dataclass(slots=True)
class Demo:
    """One evening: `orders` are what an organiser would type."""

    hall: HallService
    tables: dict[str, Table]
    rounds: Iterator[int] = field(default_factory=lambda: count(1))
    approved: dict[str, int] = field(default_factory=dict)

    def order(self, **order: Any) -> None:
        answer = self.hall.call(lambda store: Organiser(store).answer(order))
        print(*answer["said"], sep="\n", flush=True)

    def begin(self, lang: str, names: str) -> None:
        self.order(do="evening", name="Club evening", lang=lang, names=names)
        self.order(do="join", names=list(PLAYERS))
        self.seat()

    def seat(self) -> None:
        """Seat the next round, with the player who comes late, and begin each table's game."""
        number = next(self.rounds)
        if number == 2:
            self.order(do="join", names=[LATE])
        self.order(do="round", games=list(GAMES[number % len(GAMES)]), tables=list(self.tables), size=4)
        self.approved = {}
        seating = self.hall.call(lambda store: published(stand(store))["seating"])
        for entry in seating["rounds"][-1]["tables"]:
            table = self.tables[entry["table"]]
            until(lambda: (of := table.evening.seated) is not None and of.round == number)  # noqa: B023 - at once
            assert table.evening.seated
            table.evening.begin(table.evening.seated.table)
            table.show()

    def step(self) -> None:
        """Let every table that has something to do do one thing: an act, or the approval of a result."""
        for name, table in self.tables.items():
            table.show()
            if not table.evening.match:
                continue
            if table.match.session.legal():
                table.play()
            elif (done := self.approved.get(name, 0)) < len(table.match.header.seats):
                table.settle()
                table.approve(table.match.header.seats[done])
                self.approved[name] = done + 1

    @property
    def counted(self) -> bool:
        """Return whether every result of the round counts."""
        return self.hall.call(lambda store: stand(store).state == "open")


@contextmanager
def demo(folder: Path, running: Running) -> Iterator[Demo]:
    """Run a hall with its tables, at that broker."""
    with closing(HallStore(folder / "hall.sqlite3")) as store:
        hall = HallService(running.plan.hall, running.as_("hall"), store)
        tables = {name: Table(folder, name, running.as_(name)) for name in TABLES}
        hall.open()
        try:
            for table in tables.values():
                table.outbox.open()
                table.evening.join(HallClient(table.outbox, table.store))
            yield Demo(hall, tables)
        finally:
            for table in tables.values():
                table.close()
            hall.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make hall", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between two acts of a table (1)")
    parser.add_argument("--pause", type=float, default=15.0, help="seconds between two rounds (15)")
    parser.add_argument("--lang", default="en", choices=("en", "de", "ja"))
    parser.add_argument("--names", default="full", choices=("full", "first", "none"))
    args = parser.parse_args()
    if not which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin"):
        print("Please install first: sudo apt-get install -y mosquitto", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends the broker too
    with TemporaryDirectory() as made, broker(Path(made)) as running, demo(Path(made), running) as evening:
        evening.begin(args.lang, args.names)
        address = f"http://localhost:{running.plan.web}/"
        print(f"\nThe board: {address}   (Ctrl-C ends it all)\n", flush=True)
        if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(address)
        play(evening, args.pace, args.pause)
    return 0


def play(evening: Demo, pace: float, pause: float) -> None:
    """Play round after round, until Ctrl-C."""
    clock = Event()
    try:
        while not clock.wait(pace):
            evening.step()
            if evening.counted:
                clock.wait(pause)
                evening.seat()
    except KeyboardInterrupt:
        print("The hall is closed.")


if __name__ == "__main__":
    raise SystemExit(main())
