"""Who plays here: the names and colours of earlier evenings, and the table as it was set up last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from companion.record.remembered import Keeper, is_table, remembered
from companion.record.store.history import Player
from companion.record.transcript import Header
from companion.rules import Seat
from companion.rules.data import Data


class PlayerStore(Keeper, Protocol):
    """What this needs of the store."""

    def remember(self, players: Mapping[str, str]) -> None: ...
    def players(self) -> Sequence[Player]: ...


class Regulars:
    """Everybody who has played at this table; `reveal` is how cards are opened where no game has said otherwise."""

    def __init__(self, store: PlayerStore, reveal: str) -> None:
        self._store, self.reveal = store, reveal
        self.last_table: Data | None = remembered(store, "last_table", is_table)
        """Game, seats, players and options of the game that was begun last."""
        self._known: dict[str, Seat] = {player.name: player.colour for player in store.players()}

    @property
    def names(self) -> list[str]:
        """Everybody who has played here, the latest first."""
        return list(self._known)

    @property
    def colours(self) -> Mapping[str, Seat]:
        """The colour everybody who has played here played last, by name."""
        return self._known

    @property
    def usual(self) -> str:
        """How cards were revealed last."""
        before: str = (self.last_table or {}).get("reveal") or self.reveal
        return before

    def remember(self, header: Header, numbered: Collection[Seat]) -> int:
        """Who plays which colour today, and at which table, but for seats whose names are a hall's numbers.

        Returns the ticket of what was written.
        """
        self._store.remember({seat: name for seat, name in header.players.items() if seat not in numbered})
        self.last_table = {"game": header.game.name, "seats": list(header.seats), "options": dict(header.options),
                           "players": dict(header.players), "reveal": self._usual(header)}  # fmt: skip
        today = {player: seat for seat, player in header.players.items()}
        self._known = today | {player: seat for player, seat in self._known.items() if player not in today}
        return self._store.keep("last_table", self.last_table)

    def _usual(self, header: Header) -> str:
        """How cards are revealed where nothing else is said: a game without sealed ones changes nothing about that."""
        return header.reveal if header.game.sealed else self.usual
