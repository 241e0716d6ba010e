"""The taps of one table, and their listeners. Nothing here writes or blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from itertools import chain
from time import monotonic_ns

from companion.hardware.tap import Tap, silent
from companion.hardware.trace import HOUR, LAYERS, Note

Sink = Callable[[Note], object]
"""Takes a note at once, from any thread, and never raises: as a deque's `append` does."""

MOST = 60_000
"""Notes of the last minute: five readers with a card on each make a third of that."""
MINUTE = 60 * 10**9
UNFINISHED = 10**8
"""Notes younger than this, in ns, are left out: their words may not have come yet."""


class Recorder:
    """The source of every device's tap. Layers that are not wanted are not recorded at all."""

    def __init__(self, layers: Collection[str] = LAYERS, clock: Callable[[], int] = monotonic_ns) -> None:
        self.layers = tuple(layers)
        self.clock = clock
        self._sinks: tuple[Sink, ...] = ()

    def tap(self, layer: str, device: str) -> Tap:
        """Return the tap of a device. It costs next to nothing while nobody listens."""
        if layer not in (*self.layers, HOUR):
            return silent

        def heard(**what: object) -> None:
            note = (self.clock(), layer, device, *chain(*what.items()))
            for sink in self._sinks:
                sink(note)

        return heard

    def listen(self, sink: Sink) -> Callable[[], None]:
        """Register the sink for every note from now on and return a function that ends it."""
        self._sinks += (sink,)

        def end() -> None:
            self._sinks = tuple(other for other in self._sinks if other is not sink)

        return end


class Minute:
    """The last minute of a table, limited to `most` notes."""

    def __init__(self, recorder: Recorder, most: int = MOST) -> None:
        self._clock = recorder.clock
        self._ring: deque[Note] = deque(maxlen=most)
        self.end = recorder.listen(self._ring.append)

    def notes(self) -> list[Note]:
        """Return the notes of the last minute, except for the last 100 ms, whose words may not have come yet."""
        now = self._clock()
        return [note for note in self._copy_ring() if now - MINUTE <= note[0] <= now - UNFINISHED]

    def _copy_ring(self) -> list[Note]:
        while True:
            try:
                return list(self._ring)
            except RuntimeError:  # a device spoke meanwhile
                continue
