"""One game at the table: `receive` is the only way in, `view` the only way out.

The acts that stand form a line. Undo, redo and amend turn to another one, and every line that was left is kept as it
was: nothing is inverted (law 4), and going back is as quick as going on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games import position_of
from companion.rules import (
    N_,
    Amend,
    AnyGame,
    Decide,
    Event,
    Moves,
    Redo,
    Refused,
    Reveal,
    Ruling,
    Seat,
    Setup,
    Touch,
    Undo,
    judge,
    require,
    ruled,
)
from companion.rules.data import Data
from companion.rules.views import Derived, View
from companion.session import correction, deciding
from companion.session._followed_cards import followed
from companion.session.piece_moves import Restored, bare, restored
from companion.session.receipt import ActLine, Receipt, acts, find

FAIR_MS = 500
"""Fists that open later than this after the first are named (config.yaml: reveal.fair_ms)."""


Mark = tuple[ActLine, int]
"""A snapshot of a session: its line, and how many events it had accepted."""


class Session:
    """One game in play, from its opening or from a position. Raises Mistakes for a position that cannot be."""

    def __init__(self, game: AnyGame, setup: Setup, fair_ms: int = FAIR_MS, position: Data | None = None) -> None:
        self.game = game
        self.setup = setup
        self.fair_ms = fair_ms
        self.accepted = 0
        self.opening = game.setup(setup) if position is None else position_of(game.name).read(setup, position)
        self._line = ActLine()

    # -- in ------------------------------------------------------------------------------------------------------

    def receive(self, event: Event, by: str | None = None, at: str | None = None) -> Receipt:
        """Receive an event of the table's own, or one of the game's. Refused events change nothing."""
        try:
            match event:
                case Undo(to):
                    rulings = self._undo(to)
                case Redo():
                    rulings = self._redo()
                case Amend():
                    rulings = self._amend(event)
                case _:
                    return self._judge_and_add(event, by, at)
        except Refused as refusal:
            return self._receipt(event, refusal.rulings, by, at)
        self.accepted += 1
        return self._receipt(event, rulings, by, at, self.accepted)

    def _judge_and_add(self, event: Event, by: str | None, at: str | None) -> Receipt:
        """Judge an act, and add it to the line if it is accepted."""
        ok, state, rulings = self._judge(self.last, event)
        if not ok:
            return self._receipt(event, rulings, by, at)
        self.accepted += 1
        told, depth = tuple(rulings), self.standing + 1
        act = Receipt(True, event, told, self.accepted, by, at, self.game, self.setup, state, self.last, depth)
        self._line = self._line.after(act)
        return act

    def _receipt(self, event: Event, said: Sequence[Ruling], by: str | None, at: str | None, n: int = 0) -> Receipt:
        """Return the receipt of an event that does not join the line; `n` is its number if it was accepted."""
        told, depth = tuple(said), self.standing
        return Receipt(bool(n), event, told, n, by, at, self.game, self.setup, self.state, self.last, depth)

    def _undo(self, to: int | None) -> Sequence[Ruling]:
        """Undo the newest step, or everything after act `to` (T-5).

        After going back to an act, each of those that stand is a separate step.
        """
        facts: dict[str, Any]
        if to is None:
            require(self.last, "nothing", N_("There is nothing to take back."), "T-5")
            assert self.last
            amended, goal = self._line.step, self._line.undone()
            what, done = (self.last.public[0] if self.last.public else None), self.last.verb
            text = N_("Taken back: {what}")
            if amended:
                assert amended.ruling
                what, done, text = amended.ruling.facts["what"], "amend", N_("Correction taken back: {what}")
            facts = dict(what=bare(what) if isinstance(what, Ruling) else what, verb=done)
        else:
            found = find(self.last, to)
            text = N_("You cannot go back to that move: it no longer stands, or nothing came after it.")
            require(self.last is not found and (found or to == 0), "no_act", text, "T-5", to=to)
            goal = self._line.back_to(found)
            facts, text = dict(to=to, count=self.standing), N_("Taken back: everything.")
            if found:
                facts |= dict(count=self.standing - found.standing, what=bare(found.public[0]))
                text = N_("Back to this move: {what} Everything after it is taken back.")
        back = self._switch_line(goal)
        return (back.ruling("undone", "T-5", text, **facts),)

    def _redo(self) -> Sequence[Ruling]:
        """Redo what the last undo took back (T-7)."""
        left = self._line.left
        require(left, "nothing_left", N_("There is nothing to redo."), "T-7")
        assert left
        before, amended = self.last, left.step
        back = self._switch_line(left)
        assert left.last
        what, text = left.last.public[0], N_("Redone: {what}")
        if amended and amended.ruling and amended.before.last is before:
            what, text = amended.ruling.facts["what"], N_("Correction redone: {what}")
        elif left.last.before is not before:
            text = N_("Redone up to this move: {what}")
        return (back.ruling("redone", "T-7", text, what=bare(what) if isinstance(what, Ruling) else what),)

    def _amend(self, event: Amend) -> Sequence[Ruling]:
        """Change an earlier act to another one (T-8)."""
        amendment = correction.amend(self._judge, self.last, event)
        before = self._line
        ruling = amendment.ruling(self._switch_line(before.amended_to(amendment.last)))
        self._line = before.amended_to(amendment.last, ruling)
        return (ruling,)

    def _judge(self, last: Receipt | None, event: Event) -> tuple[bool, Any, Sequence[Ruling]]:
        """Judge the next act of a line.

        Returns whether it is possible after the last one, the state after it, and the rulings.
        """
        state = last.state if last else self.opening
        if isinstance(event, Decide):
            opening = position_of(self.game.name).layout(self.game.view(self.opening), self.setup.options)
            was = followed(self.game, self.setup, opening, last)
            return deciding.decide(self.game, self.setup, state, event, was)
        ok, after, rulings = judge(self.game, state, event)
        if ok and isinstance(event, Reveal):
            rulings = (*rulings, *late(event.opened, self.fair_ms, self.game.together))
        return ok, after, rulings

    def _switch_line(self, to: ActLine) -> Restored:
        """Switch to another line; return what moves on the real table."""
        before, self._line = self._line, to
        return restored(self.game, self.setup, self.opening, before.last, to.last)

    def preview(self, event: Event) -> Receipt:
        """Return the receipt that an event would get; nothing has changed."""
        mark = self.mark()
        try:
            return self.receive(event)
        finally:
            self.back_to(mark)

    def mark(self) -> Mark:
        """Return a snapshot of the game, for `back_to`."""
        return self._line, self.accepted

    def back_to(self, mark: Mark) -> None:
        """Roll back to a snapshot, as if nothing had been received since."""
        self._line, self.accepted = mark

    # -- out -----------------------------------------------------------------------------------------------------

    def view(self, seat: Seat | None = None) -> View:
        """Return what everybody may see; with a seat also `private`, what that seat may see besides."""
        view: View = self.game.view(self.state, seat)
        return view

    def derived(self) -> Derived:
        """Return what follows from what everybody sees, as the rules say it."""
        return self.game.derived(self.state)

    def fists(self) -> Sequence[Seat]:
        """Return the seats whose opening fists make the reveal; [] while there is none to make."""
        return self.game.fists(self.state)

    def legal(self) -> Sequence[Moves[Event]]:
        """Return what would be accepted now. Knows hidden things: for simulation, never for the screen."""
        return self.game.legal(self.state)

    def read(self, touch: Touch) -> Event | None:
        """Return the event a touch means now, or None. Raises Refused where a card cannot be meant."""
        return self.game.read(self.state, touch)

    @property
    def last(self) -> Receipt | None:
        """Return the last act that stands, None at the opening."""
        return self._line.last

    @property
    def state(self) -> Any:
        """Return the state, hidden things too: for the referee's own output and for laws, never for the screen."""
        return self.last.state if self.last else self.opening

    @property
    def standing(self) -> int:
        """Return how many acts stand."""
        return self.last.standing if self.last else 0

    @property
    def acts(self) -> Sequence[Receipt]:
        """Return the acts that stand, oldest first."""
        return acts(self.last)

    @property
    def redoable(self) -> bool:
        """Return whether there is something to bring back."""
        return self._line.left is not None


def late(opened: Mapping[str, int] | None, fair_ms: int, rule: str) -> Sequence[Ruling]:
    """Return a ruling that names the fists that opened more than `fair_ms` after the first, if any did."""
    behind = {seat: ms for seat, ms in (opened or {}).items() if ms > fair_ms}
    if not behind:
        return ()
    text = N_(
        "Opened late, in ms after the first fist: {late} (up to {fair} is fair). The reveal stands, unless the table"
        " takes it back."
    )
    return (ruled("late", rule, text, late=behind, fair=fair_ms),)
