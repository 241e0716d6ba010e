"""The boards that new games are played on."""

from __future__ import annotations

from companion import games
from companion.record.boards import BoardFileError, shipped
from companion.record.preferences import Keeper, is_board, remembered
from companion.rules.data import Data

Board = Data
"""A board as transcripts write it."""


class Boards:
    """The owner's boards, and the shipped ones where the owner has none."""

    def __init__(self, store: Keeper) -> None:
        self._store = store
        self._boards: dict[str, Board] = {}

    def of(self, game: str) -> Board:
        """Return the board of this game. Raises BoardFileError."""
        if game not in self._boards:
            self._boards[game] = self._owned(game) or shipped(game)
        return self._boards[game]

    def _owned(self, game: str) -> Board | None:
        read = games.game(game).board
        found: Board | None = remembered(self._store, f"board {game}", is_board(read)) if read else None
        return found

    def confirmed(self, game: str, board: Board) -> Board:
        """Return this board of a game, as confirmed if the owner has confirmed an equal one since."""
        read = games.game(game).board
        if not read or board.get("confirmed"):
            return board
        try:
            owned = self.of(game)
        except BoardFileError:
            return board
        seen = {**board, "confirmed": True}
        return seen if owned.get("confirmed") and read(seen) == read(owned) else board

    def save(self, game: str, board: Board) -> None:
        """Store the owner's board. Raises Mistakes with all that is wrong with it."""
        read = games.game(game).board
        assert read
        read(board)
        self._boards[game] = board
        self._store.keep(f"board {game}", board)
