"""Onboarding by ear: any button that is held long wakes the loudspeaker, which leads through the lobby aloud.

Nobody has an ear yet, so nothing is private. Where no language has been chosen, each is offered in its own words; a
player who plugs in an earphone finds its sound card by hearing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from companion.dialogues.lobby import Lobby
from companion.dialogues.settings import NAMES
from companion.ear._ear import Ear, gesture
from companion.play.audio_seats import WELCOME, Earphones
from companion.rules import N_, Ruling, Seat
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Then
from companion.rules.readings import Press

Loud = Callable[[Sequence[Ruling], str | None], object]
"""Says something to everybody, in the table's language or in this one."""
OFFER = N_("To go on in English, hold the button.")
"""Each language says it of itself."""
FIND = N_("Find the earphone for this button.")
HOW = N_("Put it on. With each short press another sound card speaks. Hold the button when you hear it in your ear.")
NONE = N_("No sound card is plugged in besides the loudspeaker's.")
HEARD = N_("Number {number}. If you hear this in your ear, hold the button.")
NOW = N_("This is your ear now. Nobody else hears it.")


class OpenRoom:
    """All buttons of a table without ears."""

    def __init__(self, lobby: Lobby, no_ms: int, long_ms: int, say: Loud, earphones: Earphones | None) -> None:
        self._lobby, self._no_ms, self._long_ms = lobby, no_ms, long_ms
        self._say, self._earphones = say, earphones
        self._awake = False
        self._offered = -1  # the language that was offered last, while none has been chosen
        self._tried = -1  # the sound card that spoke last, while somebody looks for an earphone
        self._cards: Sequence[str] = ()
        self._ears: dict[Seat, Ear] = {}
        self._downs: dict[Seat, int] = {}

    def press(self, press: Press) -> None:
        """Handle a press; nothing is said before a button has been held long."""
        if press.down:
            self._downs[press.seat] = press.t
            return
        began = self._downs.pop(press.seat, None)
        if began is None or not press.edge:
            return
        ms = press.t - began
        meant = gesture(ms, self._no_ms, self._long_ms)
        if not self._awake:
            if meant == "ask":
                self._wake()
        elif not self._lobby.table.spoken:
            self._language(meant != "next")
        elif self._cards:
            self._card(press.seat, meant != "next")
        else:
            ear = self._ears.setdefault(press.seat, self._ear(press.seat))
            self._say(ear.press(meant, began, ms).heard, None)

    def _ear(self, seat: Seat) -> Ear:
        return Ear(seat, partial(self._top, seat), self._lobby.going_on, self._no_ms)

    def _top(self, seat: Seat) -> Choice:
        find = [Entry(FIND, {}, Do(self._find))] if self._earphones else []
        return Choice(None, [*find, *self._lobby.top(seat).entries])

    def _wake(self) -> None:
        self._awake = True
        if self._lobby.table.spoken:
            self._tell(WELCOME.full)
        else:
            self._language(False)

    def _tell(self, text: str, lang: str | None = None) -> None:
        self._say([Ruling("", "", text)], lang)

    # -- the first language ----------------------------------------------------------------------------------------

    def _language(self, taken: bool) -> None:
        """Offer the next language, or take the one that was offered last."""
        langs = list(NAMES)
        if taken and self._offered >= 0:
            self._lobby.table.lang = langs[self._offered]
            self._tell(WELCOME.full)
            return
        self._offered = (self._offered + 1) % len(langs)
        self._tell(OFFER, langs[self._offered])

    # -- an earphone -------------------------------------------------------------------------------------------------

    def _find(self) -> Then:
        assert self._earphones
        self._cards, self._tried = self._earphones.cards(), -1
        return [Saying("", HOW if self._cards else NONE)]

    def _card(self, seat: Seat, taken: bool) -> None:
        """Let the next sound card speak, or make the last one this seat's ear."""
        assert self._earphones
        if taken and self._tried >= 0:
            card, self._cards = self._cards[self._tried], ()
            self._earphones.give(seat, card)
            self._earphones.try_out(card, Ruling("", "", NOW))
            return
        self._tried = (self._tried + 1) % len(self._cards)
        said = Ruling("", "", HEARD, {"number": self._tried + 1})
        self._earphones.try_out(self._cards[self._tried], said)
