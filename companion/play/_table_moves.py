"""The list of what goes where on the real table, after acts were undone, redone or changed."""

from __future__ import annotations

from companion.record.transcript import Header
from companion.rules import Amend, Decide, Redo, Undo
from companion.rules.views import View
from companion.session.piece_moves import GOES, Restored, together
from companion.session.receipt import Receipt


class TableMoves:
    """The steps that were taken back, brought back, amended or decided since the list was put away."""

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
        if turn and any(ruling.facts.get(fact) for ruling in receipt.public for fact in GOES):  # words move nothing
            self._steps.append((view, receipt))
            self._goes = None
        elif receipt.number and not (self.goes.moves or self.goes.chips):
            self._steps = []  # else a step that moves nothing would be laid out with one of much later
        return turn

    @property
    def goes(self) -> Restored:
        """Return what goes where on the real table after all the steps taken since the list was put away."""
        if self._goes is None:
            self._goes = together(self._header.game, self._header.setup, self._steps)
        return self._goes

    def put_away(self) -> None:
        """Clear the list: everything lies where it should now."""
        self._steps, self._goes, self.unsure = [], None, False
