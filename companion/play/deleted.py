"""The games that nobody here wants to see any more: trials, and what was begun by mistake. Nothing of them is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.record.remembered import Keeper, are_games, remembered
from companion.record.store.history import GameRow

KEY = "deleted"


class Deleted:
    """Which games of the store are deleted; `lasting` says why one must stay, "" where it need not."""

    def __init__(self, store: Keeper, lasting: Callable[[int], str]) -> None:
        self._store, self._lasting = store, lasting

    @property
    def games(self) -> Sequence[int]:
        """Their numbers, the last one deleted at the end."""
        return list(remembered(self._store, KEY, are_games) or ())

    def delete(self, number: int) -> None:
        """This game is seen no more. Raises LookupError where it has to stay."""
        if why := self._lasting(number):
            raise LookupError(why)
        self._store.keep(KEY, [*(of for of in self.games if of != number), number])

    def bring_back(self, number: int) -> None:
        """It is as if it had never been deleted."""
        self._store.keep(KEY, [of for of in self.games if of != number])

    def without(self, rows: Sequence[GameRow]) -> list[GameRow]:
        """These games but for those that are deleted."""
        gone = set(self.games)
        return [row for row in rows if row.number not in gone]
