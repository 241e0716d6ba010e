"""Tables that play by themselves, each with its own store, for the tests and benchmarks of the hall."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from companion import games
from companion.hall.link import Broker
from companion.hall.outbox import Here, Outbox
from companion.hall.store import HallStore
from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.approvals import approve
from companion.record.store import Store
from companion.record.transcript import event_data
from companion.rules import Event, Undo

LOOK_S = 0.01


class Table:
    """Store, evening and outbox of one table. It plays random acts, now and then with a word of the table."""

    def __init__(
        self, folder: Path, name: str, broker: Broker, *, seed: int = 0, since: int | None = None, again_s: float = 10.0
    ) -> None:
        self.name, self.rng = name, Random(f"{name} {seed}")
        self.store = Store(folder / f"{name}.sqlite3")
        self.evening = Evening(self.store, reveal="auto")
        newest = next((row.number for row in self.store.games()), 0)
        here = Here(path=lambda: self.store.path, since=newest + 1 if since is None else since)
        self.outbox = Outbox("friday", name, broker, here, again_s=again_s)
        self.evening.port.subscribe(lambda _: self.outbox.hear(self.match.number))

    @property
    def match(self) -> Match:
        assert self.evening.match
        return self.evening.match

    def begin(self, game: str, seats: int | None = None) -> None:
        of = games.game(game)
        colours = list(of.fixed or of.colours[: seats or of.seats[0]])
        self.evening.begin({"tabularium": 1, "game": game, "seats": colours,
                            "players": {seat: f"P {seat} {self.name}" for seat in colours}})  # fmt: skip
        self.show()

    def show(self) -> None:
        """Show everything that is on disk by now."""
        self.evening.drain()

    def settle(self) -> None:
        """Wait until everything is on disk and shown."""
        until(lambda: self.store.saved)
        self.show()

    def play(self, acts: int = 1) -> bool:
        """Make this many random acts; return False once the game is over."""
        for _ in range(acts):
            legal = self.match.session.legal()
            if not legal:
                return False
            event: Event = self.rng.choice(legal).pick(self.rng.choice)
            if self.rng.random() < 0.03:
                event = Undo()
            self.match.act(event_data(event))
            self.show()
        return bool(self.match.session.legal())

    def play_out(self, game: str) -> None:
        """Play a game from its beginning to its end."""
        self.begin(game)
        while self.play(10):
            pass
        self.settle()

    def approve(self, *seats: str, approves: bool = True) -> None:
        result = self.match.view["result"]
        assert result
        for seat in seats or self.match.header.seats:
            approve(self.store, self.match.number, seat, result, approves, at="2026-11-22T22:00:00+01:00")
        self.outbox.look()

    def journal(self, game: int | None = None) -> list[Any]:
        return list(self.store.load(self.match.number if game is None else game).events)

    def close(self) -> None:
        self.outbox.stop()
        self.store.close()


def until(done: Callable[[], bool], seconds: float = 60.0, why: Callable[[], object] = lambda: "") -> None:
    """Wait for what other threads do. Raises AssertionError with `why` after `seconds`.

    Looks are counted and not the clock, which runs on while the whole machine stands still.
    """
    for _ in range(round(seconds / LOOK_S)):
        if done():
            return
        time.sleep(LOOK_S)
    raise AssertionError(f"it has not happened: {why()}")


def has_all(store: HallStore, table: Table) -> bool:
    """Return whether the hall has every act of every game of this table, each once, and the result as it stands."""
    rows = {row.game: row for row in store.games(table.name)}
    for row in table.store.games():
        kept = rows.get(row.number)
        if kept is None or kept.number != row.events:
            return False
        if bool(row.result) != bool(kept.result):
            return False
    return True


def acts_kept(store: HallStore, table: str) -> Mapping[int, list[int]]:
    """Return the numbers of the acts that the hall has, by game, as they are stored."""
    return {
        row.game: [event["number"] for event in store.events(table, row.game, row.begun)]
        for row in store.games(table)
    }  # fmt: skip
