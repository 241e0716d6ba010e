"""The time a game has been played, by a monotonic clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.record.preferences import Keeper, remembered

PAUSE_S = 3600.0
"""A longer gap between moves, in seconds, is not counted: the table was left alone."""
LONGEST_S = 1_000_000
"""A length beyond this, in seconds, is damaged."""


class PlayTime:
    """The time that a game has been at the table, over all restarts, in seconds.

    It grows with every move and is kept with it, under the play's id. `seconds` is None for a game that was played in
    part by a program, or on a device, that did not measure it.
    """

    def __init__(self, store: Keeper, play: str, clock: Callable[[], float]) -> None:
        self.seconds: float | None = 0.0
        self._store, self._key, self._clock = store, f"lasted {play}", clock
        self._last = clock()

    def take_up(self, moves: int) -> None:
        """Continue where a journal of so many moves ends.

        After a power cut, the journal and the stored length may be one move apart. Where more is missing, another
        program has played.
        """
        kept = remembered(self._store, self._key, _is_length)
        # written apart from the journal, and so one move ahead or behind after a power cut
        measured = kept is not None and abs(kept["moves"] - moves) <= 1
        self.seconds, self._last = (kept["seconds"] if measured else None if moves else 0.0), self._clock()

    def unknown(self) -> None:
        """Note that part of the game was played where nobody measured it."""
        self.seconds = None

    def note(self, move: int) -> None:
        """Store the length up to this move; the store writes it before what is put next."""
        now = self._clock()
        since, self._last = now - self._last, now
        if self.seconds is not None:
            self.seconds += since if since <= PAUSE_S else 0.0
            self._store.keep(self._key, {"moves": move, "seconds": round(self.seconds)})


def _is_length(value: Any) -> bool:
    return type(value["moves"]) is int and type(value["seconds"]) is int and 0 <= value["seconds"] <= LONGEST_S
