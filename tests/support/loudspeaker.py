"""A loudspeaker without sound: it takes as long as the sound would, and remembers what was heard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition
from time import perf_counter
from typing import Literal

from drivers.voice.interruptible import Wait


@dataclass(slots=True)
class SoundPlayed:
    """One stretch of sound, from the first sample to the end, or to where it was cut off."""

    hz: int
    pcm: bytearray = field(default_factory=bytearray)
    end: Literal["", "heard", "cut"] = ""

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / self.hz


class VirtualLoudspeaker:
    """A loudspeaker that plays `pace` times as fast as a real one.

    While there is a `fault`, the next sample raises it: a device that was pulled out.
    """

    def __init__(self, pace: float = 1.0) -> None:
        self.played: list[SoundPlayed] = []
        self.fault: OSError | None = None
        self.first = 0.0
        """When the first sample of the latest stretch came, on `perf_counter`."""
        self.pace = pace
        self._news = Condition()
        self._now: SoundPlayed | None = None

    def begin(self, hz: int) -> None:
        self._fail()
        self._now = SoundPlayed(hz)
        self.first = 0.0

    def write(self, pcm: bytes, wait: Wait) -> None:
        self._fail()
        assert self._now
        with self._news:
            if not self._now.pcm:
                self.first = perf_counter()
                self.played.append(self._now)
            self._now.pcm += pcm
            self._news.notify_all()
        wait(None, len(pcm) / 2 / self._now.hz / self.pace)

    def end(self, _: Wait) -> None:
        self._fail()
        self._over("heard")

    def stop(self) -> None:
        self._over("cut")

    def until(self, came: Callable[[], object], seconds: float = 20.0) -> None:
        """Wait until something is so; it is checked whenever something is heard. Raises TimeoutError."""
        with self._news:
            if not self._news.wait_for(came, seconds):
                raise TimeoutError("this has not been heard")

    def _over(self, how: Literal["heard", "cut"]) -> None:
        with self._news:
            if self._now:
                self._now.end = how
            self._now = None
            self._news.notify_all()

    def _fail(self) -> None:
        if self.fault:
            raise self.fault
