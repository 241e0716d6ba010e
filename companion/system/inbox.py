"""A queue into the main thread."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

W = TypeVar("W")


class Inbox(Generic[W]):
    """A queue from any thread to the main thread, which each new item wakes."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self._queue: SimpleQueue[W] = SimpleQueue()
        self._wake = wake
        self.get_nowait, self.qsize = self._queue.get_nowait, self._queue.qsize

    def put(self, word: W) -> None:
        self._queue.put(word)
        self._wake()
