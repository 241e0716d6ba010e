"""All ears of a table while no game is played."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.dialogues.deck import DeckByEar
from companion.dialogues.lobby import Lobby
from companion.ear._ear import Ear, gesture
from companion.rules import Ruling, Seat
from companion.rules.guide import Saying
from companion.rules.menu import Choice
from companion.rules.readings import BACK, Press


class WaitingRoom:
    """The ears of the players who sit here; each steps through what can be begun."""

    def __init__(self, lobby: Lobby, no_ms: int, long_ms: int) -> None:
        self._lobby, self._no_ms, self._long_ms = lobby, no_ms, long_ms
        self._deck = DeckByEar(lobby.table)
        self._ears: dict[Seat, Ear] = {}
        self._downs: dict[Seat, int] = {}

    def press(self, press: Press) -> Sequence[Ruling]:
        """Handle a button, and return what its ear hears."""
        if press.down:
            self._downs[press.seat] = press.t
            return ()
        began = self._downs.pop(press.seat, None)
        if began is None or not press.edge:
            return ()
        seat, ms = press.seat.removeprefix(BACK), press.t - began
        told = partial(self._going_on, seat)
        ear = self._ears.setdefault(seat, Ear(seat, partial(self._top, seat), told, self._no_ms))
        if press.seat.startswith(BACK):
            return ear.back()
        return ear.press(gesture(ms, self._no_ms, self._long_ms), began, ms).heard

    def end(self) -> None:
        """Stop enrolling or checking a deck, as a game begins."""
        self._deck.end()

    def _going_on(self, seat: Seat) -> Sequence[Saying]:
        """Return which card is asked for, or how things stand where none is."""
        return self._deck.going_on(seat) or self._lobby.going_on()

    def _top(self, seat: Seat) -> Choice:
        """Return the top list; while a deck is enrolled, its entries come first."""
        deck, lobby = self._deck.entries(seat), self._lobby.top(seat).entries
        return Choice(None, [*deck, *lobby] if self._deck.goes_on else [*lobby, *deck])
