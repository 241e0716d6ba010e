"""Before and after a game, by ear: one to continue, the next of a series, others with the players of last time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from companion.play.at_hall import Seated
from companion.play.lists import Choice, Do, Entry, Then
from companion.play.regulars import Regulars
from companion.play.series import Sitting, next_table
from companion.record.store.history import GameRow
from companion.record.transcript import Header, read_header
from companion.rules import N_, AnyGame, Ruling, Said
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.mistakes import Mistakes

CONTINUE = N_("Continue {game}.")
NEXT = N_("The next game of {game}.")
SEATED = N_("Round {round} in the hall: {game}, with {players}.")
AGAIN = N_("{game}, with the players of last time.")
NOBODY = N_("No game has been played here yet: begin the first one on the screen.")
READY = N_("No game is being played.")


class Games(Protocol):
    """What is needed of an evening."""

    sitting: Sitting
    unfinished: GameRow | None
    regulars: Regulars

    @property
    def seated(self) -> Seated | None: ...
    @property
    def games(self) -> tuple[AnyGame, ...]: ...
    def begin(self, table: Data) -> object: ...
    def resume(self, number: int | None = None) -> object: ...


class Lobby:
    """What can be begun, for every ear at the table; `of` is the game that is over, None before the first one."""

    def __init__(self, games: Games, of: Callable[[], Header | None] = lambda: None) -> None:
        self._games, self._of = games, of

    def top(self) -> Choice:
        entries = self.entries()
        return Choice(None, entries or [Entry(NOBODY, {}, (Saying("", NOBODY),))])

    def going_on(self) -> Sequence[Saying]:
        return [Saying("", READY)]

    def entries(self) -> list[Entry]:
        return list(self._entries())

    def _entries(self) -> Iterator[Entry]:
        waits, over, seated = self._games.unfinished, self._of(), self._games.seated
        if waits:
            yield Entry(CONTINUE, {"game": title(self._games.games, waits.table["game"])}, Do(self._resume))
        if seated and not seated.begun:
            facts = {"round": seated.round, "game": title(self._games.games, seated.game),
                     "players": [Said(name) if name else seat for seat, name in seated.named.items()]}  # fmt: skip
            yield Entry(SEATED, facts, self._begins(seated.table))
        if over and not self._games.sitting.over(over.game.name):
            yield Entry(NEXT, {"game": Ruling("", "", over.game.title)}, self._begins(next_table(over)))
        if self._games.regulars.last_table:
            yield from self._again(self._games.regulars.last_table)

    def _again(self, last: Data) -> Iterator[Entry]:
        """Every game that as many can play, the one of last time first."""
        for game in sorted(self._games.games, key=lambda game: game.name != last["game"]):
            table = {"tabularium": 1, "game": game.name, "seats": last["seats"], "players": last["players"]}
            if game.name == last["game"]:
                table |= {"options": last["options"], "reveal": last["reveal"]}
            if _fits(table):
                yield Entry(AGAIN, {"game": Ruling("", "", game.title)}, self._begins(table))

    def _begins(self, table: Data) -> Do:
        return Do(partial(self._begin, table))

    def _begin(self, table: Data) -> Then:
        self._games.begin(table)
        return ()

    def _resume(self) -> Then:
        self._games.resume()
        return ()


def title(games: Sequence[AnyGame], name: str) -> Ruling | Said:
    """What a game is called, in every language."""
    return next((Ruling("", "", game.title) for game in games if game.name == name), Said(name))


def _fits(table: Data) -> bool:
    try:
        read_header(table)
    except Mistakes:
        return False
    return True
