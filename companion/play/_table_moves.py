"""The list of what goes where on the real table, after acts were undone, redone or changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.record.transcript import Header
from companion.rules.cards import DECK
from companion.rules.layout import Payment
from companion.rules.views import View
from companion.rules.vocabulary import CARD
from companion.session.piece_moves import (
    GOES,
    Restored,
    announced,
    due,
    mistaken_cards,
    netted,
    together,
    told,
    turns_line,
)
from companion.session.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps and the moves that the table has not been laid out for."""

    views: tuple[View, View] | None = None
    """What lay where before the first of them, and what should lie where now; None if all pieces lie in place."""
    turns: Sequence[Receipt] = ()
    moved: bool = False
    """Whether a move is among them."""
    single: bool = True
    """Whether there is one of them at most."""
    chips: Sequence[Payment] = ()
    counted: Sequence[Payment] = ()
    """What does not move, as the purses have been counted since."""

    def with_act(self, view: View, act: Receipt, chips: Sequence[Payment], counted: Sequence[Payment] = ()) -> Steps:
        """Return the steps with another act, the `view` before it and the chips that it moves."""
        turn = turns_line(act)
        return Steps(
            (self.views[0] if self.views else view, act.view),
            (*self.turns, act) if turn else self.turns,
            self.moved or not turn,
            self.views is None,
            netted((*self.chips, *chips)),
            netted((*self.counted, *counted)),
        )


class TableMoves:
    """What has to be moved on the real table since the list was put away.

    The list leads from where the table lay before the first step to where it should lie now. It ends by itself when
    nothing is left to be moved. If a move is made before it is put away, only the players know whether it had been
    carried out: they are asked about what went where `before`. If it was not, the list holds the move as well.
    """

    unsure = False
    """Whether the game was away and nobody has confirmed since that the table is still as it should be."""
    line: Literal["", "again", "laid"] = ""
    """What an answer or the end of the list has settled about the last move: it is still to be laid out, so that its
    line is told again, or it lies in place like all the rest."""

    def __init__(self, header: Header, log: Sequence[Receipt]) -> None:
        self._header, self._log = header, log
        self.put_away()

    def put_away(self) -> None:
        """Clear the list: everything lies where it should now."""
        self._list(Steps())
        self._since = Steps()  # the moves since the question came up
        self.unsure, self.line = False, ""

    def put_pieces_away(self) -> None:
        """Clear the list but for its chips, asked about or not: all pieces and cards lie where they should now."""
        chips, moved = self._steps.chips, self._steps.moved
        asked = Restored((), self.before.chips) if self.before and self.before.chips else None
        if chips or asked:
            self._list(Steps(moved=moved, chips=chips), asked)
            self.unsure = False
        else:
            self.put_away()
            self.line = "laid" if moved else ""

    def take_up(self, opening: View) -> None:
        """List the last steps again, after which the game was away: nobody knows whether they were carried out."""
        acts = [receipt for receipt in self._log if receipt.number]
        tail = len(acts)
        while tail and turns_line(acts[tail - 1]):
            tail -= 1
        for at in range(tail, len(acts)):
            self.note(acts[at - 1].view if at else opening, acts[at])
        self.unsure = bool(acts)

    def note(self, view: View, receipt: Receipt) -> bool:
        """Record that an act is shown, with the `view` before it; return whether it turns the line or changes it."""
        self.unsure, self.line = False, ""  # a player who acts has seen how it lies
        turn = turns_line(receipt)
        if turn:
            if any(ruling.facts.get(fact) for ruling in receipt.public for fact in GOES):  # words move nothing
                self._list(self._with_turn(view, receipt), self.before)
        elif receipt.number:
            before, paid = self.before or self.goes, announced(self._header.game, receipt)
            if before.moves or before.chips:
                self._list(self._steps.with_act(view, receipt, paid), before)
                self._since = self._since.with_act(view, receipt, paid)
            # cards that were only seen do not keep the list; what is paid once more does: is it there already?
            if not (self.goes.moves or self.goes.chips or (before.chips and paid)):
                self.put_away()
        return turn

    def answer(self, *, done: bool) -> None:
        """Record whether what went where `before` the last move was carried out, or else all of the list."""
        if self.before and done:
            self._list_since()
        elif not done and (self.goes.moves or self.goes.chips):
            self._list(self._steps)
        else:
            moved = self._steps.moved
            self.put_away()
            self.line = "laid" if moved else ""

    def _list_since(self) -> None:
        """List what the moves since have to be laid out for; a single one tells it in its own line."""
        since, single = self._since, self._since.single
        self.put_away()
        found = self._goes(since)
        pieces = [move for move in found.moves if move.piece not in {CARD, *DECK}]  # cards were laid first
        if not single and (pieces or found.chips):
            self._list(since)
            self.goes = replace(found, moves=pieces, seen=())
        else:
            self.line = "again"

    def after(self, view: View, receipt: Receipt) -> Restored:
        """Return what goes where once another step has been taken, with the `view` before it; as it is after none."""
        return self._goes(self._with_turn(view, receipt)) if receipt.ok else self.goes

    def _list(self, steps: Steps, before: Restored | None = None) -> None:
        self._steps = steps
        self.goes = self._goes(steps)
        """What goes where on the real table."""
        self.before = before
        """What went where before the last move, if it is not known whether that was done."""

    def _with_turn(self, view: View, receipt: Receipt) -> Steps:
        numbered = (act for act in reversed(self._log) if act.number and act is not receipt)
        before = next(numbered, None)
        return self._steps.with_act(
            view, receipt, *due(self._header.game, before.last if before else None, receipt.last)
        )

    def _goes(self, steps: Steps) -> Restored:
        if steps.views is None:
            return Restored((), steps.chips)
        mistaken = mistaken_cards(self._log)
        if len(steps.turns) == 1 and not steps.moved:
            found = told(steps.turns[0], mistaken)
        else:
            found = together(self._header.game, self._header.setup, steps.views, steps.turns, mistaken)
        return replace(found, chips=steps.chips, counted=steps.counted)
