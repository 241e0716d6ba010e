"""The hall as its organiser starts it: the program itself, its broker, and simulated tables; and the orders as typed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from signal import SIGSTOP
from typing import Any
from zipfile import ZipFile

from companion.cli import main as tabularium
from companion.hall._wire import Topics
from companion.hall.control_socket import ask
from companion.hall.link import BrokerLink, Post
from companion.record import spreadsheet
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import until
from tests.support.hall_wire_tables import WireTable

TABLES = tuple(str(number) for number in range(1, 16))
SPARE = "spare-1"
COMPARED = ("standings", "seating", "results", "penalties")
OF_TIME = ("at", "play")
"""The columns in which two evenings that end alike differ."""


class Hall:
    """The hall as its organiser starts it, with its broker and its tables."""

    def __init__(self, folder: Path, running: Running) -> None:
        self.folder, self.running = folder, running
        self.config = folder / "config.yaml"
        self.config.write_text(json.dumps({"data": str(folder)}))
        self._process: subprocess.Popen[str] | None = None
        self.said: dict[str, Any] = {}
        self._topics = Topics(running.plan.hall)
        everything = self._topics.said("#")
        self._reader = BrokerLink(running.as_("hall"), subscribed=[everything], came=self._hear)
        self.tables: dict[str, WireTable] = {}

    def _hear(self, post: Post) -> None:
        self.said[post.topic.removeprefix(self._topics.said(""))] = json.loads(post.payload) if post.payload else None

    def open(self) -> None:
        self.start()
        self._reader.open()
        names = (*TABLES, SPARE)
        self.tables = {name: WireTable(name, self.running.plan.hall, self.running.as_(name)) for name in names}
        until(lambda: len(self.devices()) == len(names))

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "--config", str(self.config), "hall"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        assert any("is open" in line for line in self._process.stdout)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            if self._process.stdout:
                self._process.stdout.close()

    def stop_planning(self) -> None:
        """Stop the process in which a seating is searched for, so that it does not end before it is cancelled."""
        until(lambda: bool(self._children()))
        os.kill(self._children()[0], SIGSTOP)

    def _children(self) -> list[int]:
        assert self._process
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        return [int(pid) for path in tasks for pid in path.read_text().split()]

    def close(self) -> None:
        for table in self.tables.values():
            table.close()
        self._reader.close()
        self.kill()

    def ask(self, do: str, **order: Any) -> Mapping[str, Any]:
        return ask(self.folder, {"do": do, "lang": "en", **order})

    def devices(self) -> list[str]:
        """Return the devices that the hall has heard of; they are in the file that it writes."""
        with closing(sqlite3.connect(f"file:{self.folder}/hall.sqlite3?mode=ro", uri=True)) as db:
            return [row[0] for row in db.execute("SELECT place FROM places WHERE status IS NOT NULL")]

    # -- what the tables do ----------------------------------------------------------------------------------------

    def seated(self, number: int) -> Mapping[str, Any]:
        """Return the tables of a round as they hear of them, by name."""

        def found() -> Mapping[str, Any]:
            rounds = (self.said.get("seating") or {"rounds": []})["rounds"]
            return next(({of["table"]: of for of in one["tables"]} for one in rounds if one["round"] == number), {})

        until(lambda: bool(found()))
        return found()

    def device(self, entry: Mapping[str, Any]) -> WireTable:
        return self.tables[entry.get("device", entry["table"])]

    def begin(self, number: int) -> Mapping[str, Any]:
        seated = self.seated(number)
        for entry in seated.values():
            self.device(entry).begin(self.said["seating"], number, entry)
        self.settle()
        return seated

    def finish(self, number: int, entry: Mapping[str, Any], *, against: int = 0) -> None:
        """End a game; all of its players approve but the first `against`."""
        table = self.device(entry)
        table.end(entry, Random(f"{number} {entry['table']}"))
        for at, of in enumerate(entry["seats"]):
            table.approve([of["seat"]], at >= against)

    def settle(self) -> None:
        until(lambda: all(table.settled for table in self.tables.values() if table.alive), 120)

    def ends(self) -> Mapping[str, Any]:
        """Return what the export has of the evening, but for the times."""
        answer = self.ask("download")
        with ZipFile(BytesIO(b64decode(answer["file"]["data"]))) as saved:
            tables = {name: spreadsheet.read(saved.read(f"{name}.csv")) for name in COMPARED}
            games = sum(name.startswith("games/") for name in saved.namelist())
        timeless = {
            name: [{key: of for key, of in row.items() if key not in OF_TIME} for row in rows]
            for name, rows in tables.items()
        }
        return {**timeless, "games": games, "shown": self.ask("standings")["said"]}


@contextmanager
def hall(folder: Path) -> Iterator[Hall]:
    folder.mkdir(parents=True, exist_ok=True)
    with broker(folder, tables=(*TABLES, SPARE)) as running, closing(Hall(folder, running)) as found:
        found.open()
        yield found


# -- at the terminal -----------------------------------------------------------------------------------------------------


@dataclass
class AtTerminal:
    """The commands, as they are typed."""

    hall: Hall

    def _type(self, *words: str) -> None:
        said = TextIOWrapper(BytesIO(), "utf-8")
        with redirect_stdout(said):
            assert tabularium(["--config", str(self.hall.config), "hall", *words]) == 0, words

    def prepare(self, names: Sequence[str]) -> None:
        self._type("evening", "Open of Saturday", "--names", "full", "--lang", "en")
        self._type("join", *names)

    def first_round(self, seed: int) -> None:
        self._type("round", "--game", "mercator", "--seed", str(seed))
        self._type("clock", "50")

    def next_round(self, seed: int) -> None:
        self._type("round", "--seed", str(seed))
        self._type("clock", "50")

    def join(self, name: str) -> None:
        self._type("join", name)

    def confirm_requests(self, joins: Sequence[str], leaves: Sequence[str]) -> None:
        self._type("join", *joins)
        self._type("leave", *leaves)

    def leave(self, name: str) -> None:
        self._type("leave", name)

    def approve(self, table: str, number: int, reason: str) -> None:
        self._type("result", table, "--round", str(number), "--reason", reason)

    def spare(self, table: str, to: str, reason: str) -> None:
        self._type("spare", table, to, "--reason", reason)

    def withdraw(self, number: int, reason: str) -> None:
        self._type("round", "--withdraw", "--round", str(number), "--reason", reason)

    def reopen(self, table: str, number: int, reason: str) -> None:
        self._type("reopen", table, "--round", str(number), "--reason", reason)

    def penalty(self, name: str, points: str, reason: str) -> None:
        self._type("penalty", name, points, "--reason", reason)

    def plan(self, seed: int) -> None:
        """Nothing is left of what is cancelled."""

    def cancel_planning(self) -> None: ...

    def say(self, text: str) -> None:
        self._type("say", text)

    def end(self) -> None:
        self._type("end")
