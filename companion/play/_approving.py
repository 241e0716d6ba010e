"""The end of a game in a hall: every seat says whether the result is right, by a long press, by finger or by ear.

None of it is an event of the game: it is kept in the store beside it (`record.approvals`), and goes to the hall.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Protocol

from companion.play.hall_status import ROUNDS, HallStatus, rounds
from companion.play.match import Match
from companion.record.approvals import approve, approved, checksum
from companion.record.preferences import Keeper
from companion.rules import N_, Ruling, Seat
from companion.rules.menu import Do, Entry, Then
from companion.rules.readings import Press
from companion.rules.views import Result

ASK = N_("Is the result right? If you agree, hold your button or tap the screen.")
RIGHT = N_("{seat} says that the result is right.")
WRONG = N_("{seat} says that the result is not right: settle it at the table, or call the organiser.")
ALL = N_("All say that the result is right: it is approved.")
IT_IS, IT_IS_NOT = N_("The result is right."), N_("The result is not right.")


class ApprovalStore(Keeper, Protocol):
    """The part of the store that `Approving` uses."""

    safe: int
    trouble: str | None


class Approving:
    """The approval of a finished game's result by its players.

    `no_ms` is the length of the shortest press that approves, `now` the time of day.
    """

    def __init__(self, store: ApprovalStore, hall: HallStatus, no_ms: int, now: Callable[[], datetime]) -> None:
        self._store, self._hall, self._no_ms, self._now = store, hall, no_ms, now
        self._asked: tuple[int, int] | None = None  # the game and the result that were asked about last
        self._downs: dict[Seat, int] = {}
        self._ticket = 0
        self._before: Mapping[Seat, bool] = {}  # what could be seen before the newest word, which is not yet on disk

    def said(self, match: Match) -> Mapping[Seat, bool | None]:
        """Return what every seat says of the result that is shown, None for nothing; {} where nobody is asked."""
        result = self._asked_result(match)
        if result is None:
            return {}
        safe = self._ticket <= self._store.safe or self._store.trouble
        seen = approved(self._store, match.number, result) if safe else self._before
        return {seat: seen.get(seat) for seat in match.header.seats}

    def lacking(self, match: Match) -> Sequence[Seat]:
        """Return the seats that have not said that the result is right."""
        return [seat for seat, says in self.said(match).items() if not says]

    def ask(self, match: Match) -> None:
        """Ask everybody whether the result is right, once for each result."""
        result = self._asked_result(match)
        if result and self._asked != (match.number, checksum(result)):
            self._asked = match.number, checksum(result)
            self._before = {}
            if self.lacking(match):
                match.remark(Ruling("approve", "", ASK))

    def say(self, match: Match, seat: Seat, right: bool, by: str = "touch") -> None:
        """Record whether this seat says that the result is right.

        A repetition, or a word where nobody is asked, does nothing.
        """
        result, before = self._asked_result(match), self.said(match)
        if result is None or seat not in before or before[seat] is right:
            return
        self._before = {of: says for of, says in before.items() if says is not None}
        at = self._now().isoformat(timespec="milliseconds")
        self._ticket = approve(self._store, match.number, seat, result, right, by=by, at=at)
        match.remark(Ruling("right" if right else "wrong", "", RIGHT if right else WRONG, {"seat": seat}), self._ticket)
        if all(approved(self._store, match.number, result).get(of) for of in match.header.seats):
            match.remark(Ruling("approved", "", ALL), self._ticket)

    def press(self, match: Match, press: Press) -> None:
        """Handle a button: a long press after the end says that the result is right."""
        if press.down:
            self._downs.pop(press.seat, None)
            if press.edge and self._asked_result(match):
                self._downs[press.seat] = press.t
            return
        began = self._downs.pop(press.seat, None)
        if began is not None and press.edge and press.t - began >= self._no_ms:
            self.say(match, press.seat, True, "phone" if press.phone else "button")

    def entries(self, match: Match, seat: Seat, by: str = "button") -> Sequence[Entry]:
        """Return what this seat's ear, or its phone, can say of the result.

        An ear is a button, as for all players: a player with an ear sits at the table too.
        """
        says = self.said(match)
        if seat not in says:
            return ()
        words = [(IT_IS, True), (IT_IS_NOT, False)]
        return [Entry(text, {}, Do(partial(self._note_approval, match, seat, right, by)))
                for text, right in words if says[seat] is not right]  # fmt: skip

    def _note_approval(self, match: Match, seat: Seat, right: bool, by: str) -> Then:
        self.say(match, seat, right, by)
        return ()

    def _asked_result(self, match: Match) -> Result | None:
        """Return the shown result if the hall waits for it, None if not.

        The hall waits for the results of games that it has seated here; before it has sent a seating, any game may be
        one.
        """
        result: Result | None = match.view["result"] if match.view["over"] else None
        seated = self._hall.seated
        here = seated is not None and seated.game == match.game.name
        asks = not self._hall.told or here or match.number in rounds(self._store.kept(ROUNDS), self._hall.evening)
        return result if asks else None
