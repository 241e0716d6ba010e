"""The regular players: the names and colours of earlier evenings, and the table as it was set up last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from companion.record.preferences import Keeper, are_names, is_table, remembered
from companion.record.store.history import Player
from companion.record.transcript import Header
from companion.rules import Seat
from companion.rules.data import Data


class PlayerStore(Keeper, Protocol):
    """The part of the store that `Regulars` uses."""

    def remember(self, players: Mapping[str, str]) -> None: ...
    def players(self) -> Sequence[Player]: ...


class Regulars:
    """Everybody who has played at this table; `reveal` is how cards are revealed where no game has set it."""

    def __init__(self, store: PlayerStore, reveal: str) -> None:
        self._store, self.reveal = store, reveal
        self.is_set = False
        """Whether config.yaml says how cards are revealed, independent of the buttons."""
        self.last_table: Data | None = remembered(store, "last_table", is_table)
        """Game, seats, players and options of the game begun last."""
        begun = remembered(store, "begun", are_names)
        self.begun: list[str] = begun or ([self.last_table["game"]] if self.last_table else [])
        """The kinds of games that have been begun here."""
        self._known: dict[str, Seat] = {player.name: player.colour for player in store.players()}

    @property
    def names(self) -> list[str]:
        """Return the names of everybody who has played here, the latest first."""
        return list(self._known)

    @property
    def colours(self) -> Mapping[str, Seat]:
        """Return the colour that each player played last, by name."""
        return self._known

    @property
    def usual(self) -> str:
        """Return how cards were revealed last."""
        before: str = (self.last_table or {}).get("reveal") or self.reveal
        return before

    def remember(self, header: Header, numbered: Collection[Seat]) -> int:
        """Store who plays which colour today, and at which table; return the ticket of the write.

        Seats whose names are a hall's numbers are left out of the players.
        """
        self._store.remember({seat: name for seat, name in header.players.items() if seat not in numbered})
        self.last_table = {"game": header.game.name, "seats": list(header.seats), "options": dict(header.options),
                           "players": dict(header.players), "reveal": self._default_reveal(header)}  # fmt: skip
        if header.game.name not in self.begun:
            self.begun.append(header.game.name)
            self._store.keep("begun", self.begun)
        today = {player: seat for seat, player in header.players.items()}
        self._known = today | {player: seat for player, seat in self._known.items() if player not in today}
        return self._store.keep("last_table", self.last_table)

    def _default_reveal(self, header: Header) -> str:
        """Return how cards are revealed by default; a game without sealed cards leaves that as it was."""
        return header.reveal if header.game.sealed else self.usual
