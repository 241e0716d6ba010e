"""The ears of one game: presses become steps in lists, and these become events and what each ear hears."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from companion.answers.guide import known, mine
from companion.ear._ear import Came, Ear, gesture
from companion.offers.acts import Acts
from companion.offers.history import history
from companion.offers.table_menu import GOING_ON, TABLE, TableMenu, asking, going_on
from companion.play.audio_seats import More
from companion.play.table import LONG_MS, NO_MS
from companion.record.transcript import Header
from companion.rules import N_, Ruling, Seat
from companion.rules.guide import AnyKnown, Saying
from companion.rules.menu import Choice, Entry
from companion.rules.speech import explained
from companion.rules.words import Tongue
from companion.session import Session
from companion.session.receipt import Receipt
from companion.voice.spoken_language import Spoken

FIST = explained(N_("Fist."), N_("Fist. Hold the button with the others, and let go at the signal."))
HISTORY = N_("History.")
SOUND = N_("Voice and volume.")
CHANGED = N_("Something has just happened. Listen again.")


def no_more(_: Seat) -> Sequence[Entry]:
    return ()


class AudioSeats:
    """The ears of all seats that have one, in one game.

    `tongue` writes decisions down, nobody waits for the `absent`, `log` is all that was said in this game, and `sound`
    how each of them can be spoken to.
    """

    def __init__(
        self,
        session: Session,
        header: Header,
        *,
        no_ms: int = NO_MS,
        long_ms: int = LONG_MS,
        absent: Callable[[], Collection[Seat]] = frozenset,
        tongue: Callable[[], Tongue] | None = None,
        more: More = no_more,
        sound: More = no_more,
        log: Callable[[], Sequence[Receipt]] | None = None,
    ) -> None:
        self.seats: Collection[Seat] = header.ears
        self._session, self._header = session, header
        self._no_ms, self._long_ms = no_ms, long_ms
        self._absent, self._more, self._sound = absent, more, sound
        self._tongue = tongue or (lambda: Tongue("en", header.players))
        self._log = log or (lambda: session.acts)
        self._fists: Collection[Seat] = ()
        self._asked: set[Seat] = set()
        self._put: list[Ruling] = []
        self._moment: tuple[Any, AnyKnown] | None = None  # a state, and what everybody may know of it
        self._ears = {
            seat: Ear(seat, partial(self._top, seat), partial(self._going_on, seat), no_ms) for seat in header.ears
        }

    def rests(self, seat: Seat, fists: Collection[Seat]) -> bool:
        """Return whether a seat's button is a fist now: fists are called for, and its ear stands at nothing else."""
        self._fists = fists
        ear = self._ears[seat]
        return seat in fists and (ear.rests or ear.stands_at(FIST))

    def press(self, seat: Seat, t: int, ms: int, fists: Collection[Seat], changed: bool) -> Came:
        """Handle a press from `t` on that was held for `ms`.

        A press during which the game has `changed` takes nothing.
        """
        self._fists = fists
        self._home(seat)
        meant = gesture(ms, self._no_ms, self._long_ms)
        if changed and meant == "take":
            return Came([Ruling("ear", "", CHANGED, {}, seat)])
        came = self._ears[seat].press(meant, t, ms)
        put, self._put = self._put, []
        return Came([*put, *came.heard], came.event)

    def back(self, seat: Seat, t: int, ms: int) -> Sequence[Ruling]:
        """Handle the second button: a press leads one step back; held, it tells what was said."""
        self._home(seat)
        if gesture(ms, self._no_ms, self._long_ms) == "next":
            return self._ears[seat].back()
        return self._ears[seat].enter(HISTORY, t)

    def _home(self, seat: Seat) -> None:
        """Move an ear to the top when its seat is newly asked for something, wherever the ear stood."""
        asked = mine(self._session.game, self._acts(seat).at, seat) is not None
        if asked and seat not in self._asked:
            self._ears[seat].rest()
        (self._asked.add if asked else self._asked.discard)(seat)

    def counting(self, seat: Seat, ms: int) -> Ruling | None:
        """Return what is said once a button has been held for `ms`; None where no number runs."""
        return self._ears[seat].counting(ms)

    def took(self, receipts: Sequence[Receipt], seat: Seat) -> None:
        """Move the ear to the top again after an own act that was accepted."""
        if all(receipt.ok for receipt in receipts):
            self._ears[seat].rest()

    # -- the lists -----------------------------------------------------------------------------------------------

    def _acts(self, seat: Seat) -> Acts:
        session = self._session
        if self._moment is None or self._moment[0] is not session.state:
            self._moment = session.state, known(self._header, session)
        return Acts(session.game, *self._moment, seat, self._absent(), bool(self._fists))

    def _top(self, seat: Seat) -> Choice:
        acts = self._acts(seat)
        fist = [Entry(FIST)] if seat in self._fists else []
        around = TableMenu(self._session, acts, self._put.append, self._tongue())
        last = self._session.last
        return Choice(
            None,
            [
                *fist,
                *acts.entries(),
                *self._more(seat),
                Entry(GOING_ON, {}, lambda: asking(acts, last, self._heard(), self._log())),
                Entry(HISTORY, {}, lambda: history(acts, self._log(), self._session.acts)),
                Entry(TABLE, {}, around.choice),
                *([Entry(SOUND, {}, lambda: Choice(None, self._sound(seat)))] if self._sound(seat) else []),
            ],
        )

    def _heard(self) -> Spoken:
        """Return the language as an ear hears it."""
        tongue = self._tongue()
        return Spoken(tongue.lang, tongue.people)

    def _going_on(self, seat: Seat) -> Sequence[Saying]:
        return going_on(self._acts(seat))
