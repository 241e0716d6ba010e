"""An evening with a store, cards with tags, and words of the hardware."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from companion.ear import LISTENING
from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.store import Store
from companion.rules.cards import DECK
from companion.rules.readings import Reading
from tests.support.playing import BOARD, match_of

TABLE: dict[str, Any] = {
    "tabularium": 1,
    "game": "prokonsul",
    "seats": ["red", "blue", "green"],
    "players": {"red": "Anna"},
}

TAGS = {card.upper().replace(" ", ""): DECK[card] for card in DECK}


LOOK_S = 0.1
"""Seconds between two looks when the store wakes nobody; it does so only when it has written something."""


def settle(evening: Evening) -> None:
    """Drain until everything is on disk and shown, woken by the store."""
    before, woken = evening.woken, Event()
    evening.woken = woken.set
    evening.drain()
    while evening.waiting or not evening.store.saved:
        woken.wait(LOOK_S)
        woken.clear()
        evening.drain()
    evening.drain()
    evening.woken = before


class Desk:
    """An evening over a real store, and the signal that something has been written."""

    def __init__(self, path: Path) -> None:
        self.woken = Event()
        self.store = Store(path)
        self.evening = Evening(self.store, TAGS, listening=LISTENING)
        self.evening.woken = self.woken.set

    @property
    def match(self) -> Match:
        return match_of(self.evening)

    def settle(self) -> None:
        """Drain until everything that was taken is shown."""
        self.evening.drain()
        while self.evening.waiting:
            self.woken.wait()
            self.woken.clear()
            self.evening.drain()

    def act(self, verb: str, seat: str | None = None, **facts: Any) -> None:
        receipts = self.match.act({"event": verb, **({"seat": seat} if seat else {}), **facts})
        assert all(receipt.ok for receipt in receipts), receipts

    def hear(self, *words: Any) -> None:
        for word in words:
            self.evening.devices.inbox.put(word)
        self.settle()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "store.sqlite3")
    desk.evening.boards.save("prokonsul", BOARD)
    desk.evening.begin(TABLE)
    desk.act("pawns", order=["red", "blue", "green"])
    desk.act("province", province="a")
    desk.settle()
    yield desk
    desk.store.close()


def choose_by_card(desk: Desk, *cards: str) -> None:
    desk.hear(*(Reading("centre", card.upper().replace(" ", ""), True, t) for t, card in enumerate(cards)))
