"""A store, its lines, and a bell that its writer rings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Condition, Event

from companion.record.store import Store
from companion.record.store.history import Stored

HEADER = '{"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]}'

AT = "2026-11-20T20:15:00+01:00"

LINE = '{"event": "pass", "seat": "red", "note": "–"}'


class Bell:
    """A bell that the store rings, on which tests wait for a condition."""

    def __init__(self) -> None:
        self._rung = Condition()

    def __call__(self) -> None:
        with self._rung:
            self._rung.notify_all()

    def until(self, true: Callable[[], object]) -> None:
        with self._rung:
            assert self._rung.wait_for(true, timeout=30)

    def until_safe(self, store: Store, ticket: int) -> None:
        self.until(lambda: store.safe >= ticket)


def soon(news: Event, _: float) -> None:
    """Wait for news for 5 ms only, so that tests try again almost at once."""
    news.wait(0.005)


@contextmanager
def opened(path: Path) -> Iterator[tuple[Store, Bell]]:
    bell = Bell()
    with closing(Store(path, bell, soon)) as store:
        yield store, bell


def line(number: int) -> str:
    return f'{{"event": "pass", "seat": "red", "chips": {number}}}'


def play(store: Store, game: int, numbers: range) -> int:
    ticket = 0
    for number in numbers:
        ticket = store.append(game, number, line(number), "nfc", AT)
    return ticket


def lines(stored: Stored) -> list[str]:
    return [event for event, _, _ in stored.events]
