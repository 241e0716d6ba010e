"""The list of what goes where on the real table, after acts were undone, redone or changed."""

from __future__ import annotations

from companion.record.transcript import Header
from companion.rules import Amend, Decide, Redo, Undo
from companion.rules.views import View
from companion.session.piece_moves import GOES, Restored, together
from companion.session.receipt import Receipt


class TableMoves:
    """The steps taken back, brought back, amended or decided since the last move, and since the list was put away.

    A move ends the list: who plays on has put the pieces back, and what stood there is no longer true.
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
        turn = isinstance(receipt.event, Undo | Redo | Amend | Decide)
        if not turn:
            self.put_away()
        elif any(ruling.facts.get(fact) for ruling in receipt.public for fact in GOES):  # words move nothing
            self._steps.append((view, receipt))
            self._goes = None
        return turn

    @property
    def steps(self) -> int:
        """Return how many steps the list is for."""
        return len(self._steps)

    @property
    def goes(self) -> Restored:
        """Return what goes where on the real table after all these steps."""
        if self._goes is None:
            self._goes = together(self._header.game, self._header.setup, self._steps)
        return self._goes

    def put_away(self) -> None:
        """Clear the list: everything lies where it should now."""
        self._steps, self._goes, self.unsure = [], None, False
