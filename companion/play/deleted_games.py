"""Deleted games, such as trials and games begun by mistake: hidden from the lists, and kept in the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.record.preferences import Keeper, are_games, remembered
from companion.record.store.history import GameRow

KEY = "deleted"


class DeletedGames:
    """The deleted games of a store; `lasting` returns why a game must stay, "" where it need not."""

    def __init__(self, store: Keeper, lasting: Callable[[int], str]) -> None:
        self._store, self._reason_to_stay = store, lasting

    @property
    def games(self) -> Sequence[int]:
        """Return the numbers of the deleted games, the latest deletion last."""
        return list(remembered(self._store, KEY, are_games) or ())

    def delete(self, number: int) -> None:
        """Hide this game. Raises LookupError with the reason where it has to stay."""
        if why := self._reason_to_stay(number):
            raise LookupError(why)
        self._store.keep(KEY, [*(of for of in self.games if of != number), number])

    def bring_back(self, number: int) -> None:
        """Show this game again."""
        self._store.keep(KEY, [of for of in self.games if of != number])

    def without(self, rows: Sequence[GameRow]) -> list[GameRow]:
        """Return these games without the deleted ones."""
        gone = set(self.games)
        return [row for row in rows if row.number not in gone]
