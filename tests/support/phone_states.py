"""What phones at a table are sent, at any moment of games played at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from companion import games
from companion.cli import simulate
from companion.record.transcript import event_data, header_data
from tests.support.evenings import Desk
from tests.support.phones import Handset, network

JSON = dict[str, Any]
PEOPLE = ("Anna Weber", "Ben Okafor", "Chihiro 千尋", "Dana Petrović", "Jonas Albrecht-Hohenstein", "佐藤 美咲", "Zoë")
SEATS = {"prokonsul": 4, "mercator": 6, "spartacus": 4, "caesar": 3, "hannibal": 2}


@dataclass(frozen=True)
class Moment:
    """A game at some moment, with a phone at each seat."""

    desk: Desk
    phones: Mapping[str, Handset]

    @property
    def asked(self) -> Handset:
        """Return the phone of a seat that is asked for something, where there is one."""
        return next((of for of in self.phones.values() if of.table["yours"]), next(iter(self.phones.values())))

    def on(self, random: Random, moves: int) -> None:
        """Play on for so many moves at random."""
        session = self.desk.match.session
        for _ in range(moves):
            if legal := session.legal():
                self.desk.match.act(event_data(random.choice(legal).pick(random.choice)))
        self.desk.settle()


@contextmanager
def moment(folder: Path, name: str, moves: int, lang: str = "en", people: Sequence[str] = PEOPLE) -> Iterator[Moment]:
    """Begin a game in this folder and play so many moves of it."""
    header = simulate.table(games.game(name), SEATS[name])
    desk, net = network(folder)
    try:
        desk.evening.begin({**header_data(header), "players": dict(zip(header.seats, people, strict=False))})
        found = Moment(desk, {})
        found.on(Random(name), moves)
        yield Moment(desk, {seat: net.join(seat, lang) for seat in header.seats})
    finally:
        desk.store.close()
