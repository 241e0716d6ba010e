"""Cards that lie wrong on the readers or are missing there: found from what everybody may know (law 2).

A card that is on its way is not reported: the prompts ask for it, or ask to take one off. A fault is announced once,
and only after it has lasted for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from companion.play.cards_on_readers import LyingCard
from companion.rules import N_, Choose, Reveal, Ruling, Seat, ruled
from companion.rules.readings import CENTRE
from companion.rules.views import View
from companion.session.receipt import Receipt, backwards

SETTLED_MS = 3000
"""Debounce time of a fault: a hand that changes a card, or a reader that misses it, takes less."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A fault on a seat's reader, as a sentence that says what to do."""

    seat: Seat
    text: str

    @property
    def ruling(self) -> Ruling:
        """Return the notice that announces the fault."""
        return ruled("notice", "", self.text, seat=self.seat)


def strays(
    seats: Sequence[Seat], view: View, last: Receipt | None, lying: Sequence[LyingCard], own: Collection[Seat]
) -> Iterator[Stray]:
    """Yield what lies wrong now; `own` are the readers that stand before seats and are well, `last` is the last act.

    While cards are chosen, each lies on its seat's own reader, alone, and no other card lies on one.
    """
    chosen = view.get("chosen") or ()
    on = Counter(each.reader for each in lying if each.reader != CENTRE)
    laid = {act for act in _laid_by_card(last) if act in chosen}
    for seat in (seat for seat in seats if seat in own):
        if on[seat] > 1:
            yield Stray(seat, N_("{seat}: several cards lie on your reader. Leave only the one that you choose."))
        elif seat in laid and not on[seat]:
            yield Stray(seat, N_("{seat:of} card is no longer on the reader. Lay it back there, face down."))
        elif on[seat] and chosen and seat not in chosen and seat not in view["waiting"]:
            yield Stray(seat, N_("{seat}: you choose no card now. Take yours off the reader."))


def _laid_by_card(last: Receipt | None) -> Iterator[Seat]:
    """Yield the seats whose latest choice since the last reveal was a card laid on a reader."""
    found: set[Seat] = set()
    # from the newest back: of several choices of a seat only the latest lies on its reader
    for act in backwards(last):
        if isinstance(act.event, Reveal):
            return
        if isinstance(act.event, Choose) and act.event.seat not in found:
            found.add(act.event.seat)
            if act.by == "nfc":
                yield act.event.seat


class Watch:
    """A record of what lies wrong and since when, and what has been announced of it."""

    def __init__(self) -> None:
        self._since: dict[Stray, int] = {}
        self._said: set[Stray] = set()

    def look(self, found: Collection[Stray], now: int, settled: int = SETTLED_MS) -> Sequence[Stray]:
        """Return the faults to announce at `now`, in ms: those that have lasted for `settled` ms and are new."""
        self._since = {stray: self._since.get(stray, now) for stray in found}
        # a fault that has gone may be announced again when it comes back
        self._said &= {*found}
        due = [stray for stray, since in self._since.items() if stray not in self._said and now - since >= settled]
        self._said |= {*due}
        return due
