"""Probing: how often a seat's amounts were only tried.

Refusing amounts that a purse cannot pay reveals its balance to a player who tries long enough. Probing is not blocked,
but everybody reads how often it happened.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.record.transcript import dump_event
from companion.rules import Amend, Event, Seat, Undo, plural, ruled
from companion.session.receipt import Receipt, acts, fork

BALANCE = "balance"
"""The code of every refusal about a purse."""
TRIES = "tries"
"""The code of the note that tells how often amounts were tried."""


class ProbeCounter:
    """The probes of one game, in memory alone. The same amount at the same moment is one probe."""

    def __init__(self) -> None:
        self._made: dict[Seat, set[tuple[int, str]]] = {}

    def of(self, came: Receipt, before: Receipt | None, after: Receipt | None) -> Sequence[Receipt]:
        """Return what everybody reads after an act that was refused or took others back.

        `before` and `after` are the last acts that stood before and after it.
        """
        if came.ok and isinstance(came.event, Undo):
            return self._count_probes([(act.event, act.number) for act in acts(before, fork(before, after))])
        refused = not came.ok and any(ruling.code == BALANCE for ruling in came.public)
        if came.event and (refused or (came.ok and isinstance(came.event, Amend))):
            return self.look(came.event, before)
        return ()

    def look(self, event: Event, before: Receipt | None) -> Sequence[Receipt]:
        """Return what everybody reads after a player has previewed the outcome of this event."""
        return self._count_probes([(event, before.number if before else 0)])

    def _count_probes(self, tried: Sequence[tuple[Event | None, int]]) -> Sequence[Receipt]:
        counted: dict[Seat, None] = {}
        for event, at in tried:
            paying = event.as_ if isinstance(event, Amend) else event
            if event is None or not hasattr(paying, "chips"):
                continue
            seat: Seat = getattr(paying, "seat", "")  # every event with an amount has one
            made = self._made.setdefault(seat, set())
            if (key := (at, dump_event(event))) not in made:
                made.add(key)
                counted[seat] = None
        return [self._announcement(seat) for seat in counted if len(self._made[seat]) > 1]

    def _announcement(self, seat: Seat) -> Receipt:
        text = plural(
            "{count} amount entered for {seat} does not count.",
            "{count} amounts entered for {seat} do not count.",
        )
        return Receipt.note(ruled(TRIES, "T-6", text, seat=seat, count=len(self._made[seat])))
