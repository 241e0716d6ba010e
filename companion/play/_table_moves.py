"""The list of what goes where on the real table, after acts were undone, redone or changed."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import position_of
from companion.record.transcript import Header
from companion.rules.layout import Layout
from companion.rules.views import View
from companion.session.piece_moves import GOES, Restored, joined, mistaken_cards, played_on, told, turns_line
from companion.session.receipt import Receipt


class TableMoves:
    """What the steps taken back, brought back, amended or decided since the list was put away move on the real table.

    Who plays on without having put the list away may have moved nothing yet: the list stays, and what the moves after
    it say is done besides. It ends by itself when nothing is left to be moved.
    """

    unsure = False
    """Whether the game was away and nobody has confirmed since that the table is still as it should be."""

    def __init__(self, header: Header, log: Sequence[Receipt]) -> None:
        self._header, self._log = header, log
        self.put_away()

    def put_away(self) -> None:
        """Clear the list: everything lies where it should now."""
        self.goes = Restored(())
        """What goes where on the real table."""
        self.steps = 0
        """The number of steps that the list is for."""
        self.late = False
        """Whether a move has been made since, with the list still to be carried out."""
        self.unsure = False

    def note(self, view: View, receipt: Receipt) -> bool:
        """Record that an act is shown, with the `view` before it; return whether it turns the line or changes it."""
        self.unsure = False  # a player who acts has seen how it lies
        turn = turns_line(receipt)
        if turn:
            if any(ruling.facts.get(fact) for ruling in receipt.public for fact in GOES):  # words move nothing
                self.goes = self.after(receipt)
                self.steps += 1
        elif receipt.number:
            if self._something_moves():
                self.goes = played_on(self.goes, self._layout(view), self._layout(receipt.view))
                self.late = True
            if not self._something_moves():  # cards that were only seen do not keep the list
                self.put_away()
        return turn

    def after(self, receipt: Receipt) -> Restored:
        """Return what goes where once another step has been taken."""
        return joined(self.goes, told(receipt), self._layout(receipt.view), mistaken_cards(self._log))

    def _layout(self, view: View) -> Layout:
        return position_of(self._header.game.name).layout(view, self._header.options)

    def _something_moves(self) -> bool:
        return bool(self.goes.moves or self.goes.chips)
