"""Whole games by phone alone: everything that a game needs is on its lists, and the journal is that of any other table."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import table
from companion.record.transcript import header_data
from companion.rules.readings import Press
from tests.support.evenings import Desk, settle
from tests.support.phones import Handset, Network, network

LISTS = 3
"""The last entries of the first list, which lead to what is no move: how things stand, the history, the table."""


class Players:
    """Everybody at a table with a phone, who know nothing but what is on it and tap at random."""

    def __init__(self, desk: Desk, net: Network, rng: Random) -> None:
        self.desk, self.rng, self.t, self.touches, self.moves = desk, rng, 0, 0, 0
        self.phones = [net.join(seat) for seat in desk.match.header.seats]

    def play(self) -> None:
        for _ in range(20_000):
            if self.desk.match.view["over"]:
                return
            if fists := [phone.seat for phone in self.phones if phone.table["fist"]["can"]]:
                self.reveal(fists)
            else:
                self.move(self.rng.choice([of for of in self.phones if of.table["yours"]] or self.phones))
        raise AssertionError("the game does not end")

    def reveal(self, seats: list[str]) -> None:
        """Close all fists, and open them once they are called."""
        for down in (True, False):
            self.t += 1_000
            self.desk.hear(*(Press(seat, down, self.t + at) for at, seat in enumerate(seats)))

    def move(self, phone: Handset) -> None:
        """Tap until something has happened, or nothing more can be tapped."""
        phone.home()
        before, touches = phone.table["act"], 0
        while phone.table["act"] == before:
            listed = phone.table["list"]
            entries = listed["entries"] if listed["path"] else listed["entries"][:-LISTS]
            touches += 1
            if number := listed["number"]:
                phone.enter(self.rng.choice((number["begins"], number["least"], self.rng.randrange(6))))
                if phone.table["act"] == before:
                    return
            elif entries:
                phone.go(self.rng.choice(entries))
            else:
                return
        self.touches, self.moves = self.touches + touches, self.moves + 1


def events(desk: Desk) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in desk.match.written.transcript.splitlines()[1:]]
    return [{key: value for key, value in line.items() if key not in ("at", "by", "opened")} for line in lines]


@pytest.mark.parametrize("game", games.NAMES)
def test_a_game_is_played_to_its_end_by_phone(game: str, tmp_path: Path) -> None:
    desk, net = network(tmp_path)
    header = header_data(table(games.game(game), games.game(game).seats[0]))
    desk.evening.begin(header)
    settle(desk.evening)
    players = Players(desk, net, Random(game))
    players.play()
    assert all(
        phone.table["head"].endswith(("wins", "share the victory", "Nobody has won")) for phone in players.phones
    )
    assert players.touches <= 4 * players.moves
    by_phone, result = events(desk), desk.match.view["result"]
    assert desk.evening.look(desk.match.number).note is None, "the store can read it"
    assert {line["by"] for line in map(json.loads, desk.match.written.transcript.splitlines()[1:])} <= {
        "phone",
        "button",
    }
    desk.evening.begin(header)
    for event in by_phone:
        desk.match.act(event)
    desk.settle()
    assert events(desk) == by_phone and desk.match.view["result"] == result
    desk.store.close()
