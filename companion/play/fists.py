"""Fists: held one by one, called once all are closed, opened together as one reveal."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Timer
from typing import Literal

from companion.rules import N_, Reveal, Ruling, Seat, ruled
from companion.rules.readings import Press
from companion.session.receipt import Receipt

COUNT_MS = 2_500
"""The ms from the last fist's closing to "open" where somebody listens: "three, two, one, open" is said meanwhile."""

Fist = Literal["hold", "holding", "open", "opened"]


def fist(seat: Seat, closed: Collection[Seat], called: bool) -> Fist:
    """Return the state of a fist, for screen and lamps alike.

    That is "hold" or "holding"; once all are `called` to open, "open" or "opened".
    """
    if called:
        return "open" if seat in closed else "opened"
    return "holding" if seat in closed else "hold"


class Fists:
    """The fists of one table, and who of them opened when.

    `closed` are those that are held. They are `called` to open once all that are awaited were closed: at once, or after
    it has been counted for `count_ms`. They are never called unless they make the reveal (`calls`). The rulings cite
    `clause`.
    """

    def __init__(self, clause: str, calls: bool, count_ms: int, clock: Callable[[], int] | None) -> None:
        self.closed: frozenset[Seat] = frozenset()
        self.called = False
        self.untimed: Sequence[Seat] = ()
        """The seats whose phones could not say when they opened their fists for the last reveal."""
        self._clause, self._calls, self._count_ms, self._clock = clause, calls, count_ms, clock
        self._closed_at: dict[Seat, int] = {}
        self._opened: dict[Seat, int] = {}
        self._slack: dict[Seat, int] = {}  # how far off those times may be
        self._untimed: frozenset[Seat] = frozenset()
        self._called_at = self._said_at = 0
        self._to_say: Receipt | None = None  # "open", while it is being counted

    @property
    def counts(self) -> bool:
        """Return whether the count is running and the fists are to stay closed."""
        return self.called and self._to_say is not None

    def close(self, seat: Seat, t: int) -> None:
        """Record that a fist has closed."""
        self.closed |= {seat}
        self._closed_at[seat] = t
        # a fist that closes again has not opened yet
        self._opened.pop(seat, None)

    def look(self, awaited: Sequence[Seat]) -> Sequence[Receipt]:
        """Call "open" once all awaited fists are closed; forget the call when the moment has gone."""
        if not awaited:
            self.called, self._opened = False, {}
        elif not self.called and self._calls and self._all_were_closed(awaited):
            self.called, self._called_at = True, self._last_closed_at(awaited) + self._count_ms
            self._said_at = self._clock() + self._count_ms if self._clock else 0
            return self._call_to_open(awaited)
        return []

    def _call_to_open(self, awaited: Sequence[Seat]) -> Sequence[Receipt]:
        """Return the call to open, at once; or the count, where somebody listens."""
        call = self._remark("open", N_("Everybody holds: let go!"), fists=list(awaited))
        if not self._count_ms:
            return [call]
        count = self._remark("count", N_("Everybody holds: three, two, one …"), fists=list(awaited))
        if not self._clock:
            return [count, call]
        self._to_say = call
        return [count]

    def due(self, t: int) -> Sequence[Receipt]:
        """Return the call to open, once it has been counted."""
        call, due = self._to_say, t >= self._said_at
        if call is None or not (due or not self.called):
            return []
        self._to_say = None
        return [call] if due and self.called else []

    def open(self, press: Press, awaited: Sequence[Seat]) -> Reveal | Ruling | None:
        """Record that a fist has opened; return the reveal it completes, what is wrong with it, or None."""
        seat = press.seat
        self.closed -= {seat}
        self._untimed = self._untimed | {seat} if press.phone and not press.edge else self._untimed - {seat}
        if not awaited:
            return None
        if seat in awaited and press.edge:  # nobody knows when a level began: it is not late
            self._opened[seat], self._slack[seat] = press.t, press.slack
            if self.called and press.t < self._called_at and self._count_ms:
                return self._too_soon(seat)
            self.called = self.called and press.t >= self._called_at  # else it was open before the last closed
        # the last awaited fist makes the reveal, not every single one
        if not self.called or seat not in awaited or not self.closed.isdisjoint(awaited):
            return None
        # a fist whose edge was lost has no time, and is neither early nor late
        opened = self._delays_after_first({seat: self._opened[seat] for seat in awaited if seat in self._opened})
        self.untimed = [seat for seat in awaited if seat in self._untimed]
        self.called, self._opened = False, {}
        return Reveal(opened)

    def _too_soon(self, seat: Seat) -> Ruling:
        self.called, self._to_say = False, None
        text = N_("{seat} let go too soon: hold your button again, {seat}.")
        return ruled("too_soon", self._clause, text, seat=seat)

    def not_timed(self) -> Sequence[Receipt]:
        """Return which fists of the last reveal were not timed: nobody can call them late, so all are told."""
        return [self._remark("untimed", N_("Not timed: {seats}."), seats=self.untimed)] if self.untimed else []

    def _remark(self, code: str, text: str, **facts: object) -> Receipt:
        return Receipt.note(ruled(code, self._clause, text, **facts))

    def _all_were_closed(self, awaited: Sequence[Seat]) -> bool:
        """Return whether every fist is closed, or was when the last of them closed.

        Two hubs may be heard one after the other.
        """
        last = self._last_closed_at(awaited)
        return all(seat in self.closed or self._opened.get(seat, -1) >= last + self._count_ms for seat in awaited)

    def _last_closed_at(self, awaited: Sequence[Seat]) -> int:
        return max(self._closed_at.get(seat, 0) for seat in awaited)

    def _delays_after_first(self, opened: Mapping[Seat, int]) -> Mapping[Seat, int] | None:
        """Return how many ms after the first each fist opened for certain, of those that followed the call, if any did.

        Of a time that may be off only the part counts that nobody can doubt.
        """
        # a fist that opened before "open" was heard must not make the punctual ones late
        times = {seat: t for seat, t in opened.items() if t >= self._said_at} or opened
        slack = {seat: self._slack.get(seat, 0) for seat in times}
        first = min((t + slack[seat] for seat, t in times.items()), default=0)
        return {seat: max(0, t - slack[seat] - first) for seat, t in times.items()} or None


# -- The timer for numbers that run while a button is held ----------------------------------------------------------


TICK_S = 0.12
"""Often enough for the quickest steps; only while a button is held."""


@dataclass(frozen=True, slots=True)
class HoldTimer:
    """A moment, in ms on the hardware's clock."""

    t: int


class Due(HoldTimer):
    """The tick that was asked for last: a caller may put others in besides, as from a transcript."""


def later(seconds: float, do: Callable[[], object]) -> None:
    """Call `do` after so many seconds, from a daemon thread."""
    timer = Timer(seconds, do)
    # a daemon: a tick that is due must not keep the program from ending
    timer.daemon = True
    timer.start()
