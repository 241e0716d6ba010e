"""A hub at work, on a wire that a test holds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from companion.rules.readings import Health, Press, Reading
from drivers.hub.worker import Hub, HubWorker
from drivers.port import Absent, Where
from drivers.virtual.hub import VirtualHub

CARD = "04A1B2C3D4E5F6"

Words = SimpleQueue[Reading | Press | Health]


class HubTrial:
    """A hub, its worker, and their reports. No test waits for a pause to end: the worker is woken."""

    def __init__(self, seats: tuple[str | None, ...] = ("red", "blue")) -> None:
        self.hub = VirtualHub(["rbl", "bl"])
        self.words: Words = SimpleQueue()
        self.worker = HubWorker("box", Hub(Where(), seats), self.words.put, search=self.search)
        self.reported: list[Any] = []

    def search(self) -> str:
        if self.hub.port is None:
            raise Absent("nothing is plugged in")
        return self.hub.port

    def until(self, done: Callable[[Any], bool]) -> Any:
        """Return the next word that fits; keep those before it in `reported`. Raises AssertionError if none comes."""
        for _ in range(30_000):
            self.worker.wake()
            try:
                word = self.words.get(timeout=0.02)
            except Empty:
                continue
            self.reported.append(word)
            if done(word):
                return word
        raise AssertionError(f"it was never reported; {self.reported}")

    def wait(self, seconds: float) -> None:
        """Let this time pass for the hub; keep what is reported meanwhile."""
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            with suppress(Empty):
                self.reported.append(self.words.get(timeout=left))

    def press(self, seat: str, down: bool) -> Press:
        found: Press = self.until(lambda w: isinstance(w, Press) and (w.seat, w.down) == (seat, down))
        return found

    def health(self, device: str, well: bool) -> Health:
        found: Health = self.until(lambda w: isinstance(w, Health) and (w.device, w.well) == (device, well))
        return found

    @property
    def well(self) -> bool:
        """Return whether the hub is well, as last reported."""
        return next((word.well for word in reversed(self.reported) if getattr(word, "device", "") == "hub box"), True)

    def close(self) -> None:
        self.worker.close()
        self.hub.close()
