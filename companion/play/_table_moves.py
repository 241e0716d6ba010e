"""The list of what goes where on the real table, after acts were undone, redone or changed."""

from __future__ import annotations

from companion.record.transcript import Header
from companion.rules.views import View
from companion.session.piece_moves import GOES, Restored, together, turns_line
from companion.session.receipt import Receipt


class TableMoves:
    """The steps taken back, brought back, amended or decided since the list was put away, and the moves after them.

    Who plays on without having put the list away may have moved nothing yet: the list then brings the table from
    where it lay before the first step to where it lies now. It ends by itself when nothing is left to be moved.
    """

    unsure = False
    """Whether the game was away and nobody has confirmed since that the table is still as it should be."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._steps: list[tuple[View, Receipt]] = []
        self._goes: Restored | None = None

    def note(self, view: View, receipt: Receipt) -> bool:
        """Record that an act is shown, with the `view` before it; return whether it turns the line or changes it."""
        self.unsure = False  # a player who acts has seen how it lies
        turn = turns_line(receipt)
        if turn:
            if any(ruling.facts.get(fact) for ruling in receipt.public for fact in GOES):  # words move nothing
                self._add(view, receipt)
        elif receipt.number:
            if self._something_moves():
                self._add(view, receipt)
            if not self._something_moves():  # cards that were only seen do not keep the list
                self.put_away()
        return turn

    def _add(self, view: View, receipt: Receipt) -> None:
        self._steps.append((view, receipt))
        self._goes = None

    def _something_moves(self) -> bool:
        return bool(self._steps and (self.goes.moves or self.goes.chips))

    @property
    def steps(self) -> int:
        """Return how many steps and moves the list is for."""
        return len(self._steps)

    @property
    def goes(self) -> Restored:
        """Return what goes where on the real table after all these steps and moves."""
        if self._goes is None:
            self._goes = together(self._header.game, self._header.setup, self._steps)
        return self._goes

    def put_away(self) -> None:
        """Clear the list: everything lies where it should now."""
        self._steps, self._goes, self.unsure = [], None, False
