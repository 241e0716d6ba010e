"""Undo, redo and amend: previewed first, then carried out; and what goes where on the real table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from companion.rules.data import Data
from ui import theme
from ui.page import Sheet
from ui.pages import goback
from ui.pages.answer_rows import kinds
from ui.pages.goback import Carried
from ui.pages.small_board import SmallBoard
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import high, row
from ui.widgets.flow import Flow, Kinds
from ui.widgets.leaves import Leaves
from ui.widgets.tap import Tap
from ui.widgets.text import Text, tall

Event = Data


class CarriedRow(BoxLayout):
    """A row of what is carried, from where, to where, in three columns."""

    SHARES = (0.28, 0.36, 0.36)

    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.PAD))
        self.parts = [
            Text(most=TextSize.TEXT, bold=at == 0, ink=theme.now.muted if at == 1 else None, size_hint_x=share)
            for at, share in enumerate(self.SHARES)
        ]
        for part in self.parts:
            self.add_widget(part)

    def show(self, item: Carried) -> None:
        for part, text in zip(self.parts, (item.piece, item.start, item.end), strict=True):
            part.show(text)

    def tall(self, item: Carried, width: float) -> float:
        texts = zip((item.piece, item.start, item.end), self.SHARES, strict=True)
        room = width - 2 * dp(theme.PAD)
        return float(max(tall(text, TextSize.TEXT, room * share, True) for text, share in texts) + dp(8))


def items() -> Kinds:
    """Return a widget for every kind of item, carried pieces included."""
    return {**kinds(), Carried: CarriedRow}


TITLES = {
    "undo": N_("Undo"),
    "redo": N_("Redo"),
    "amend": N_("Correct this move"),
    "decide": N_("The table decides"),
}
"""By the verb of what is looked at."""
DO = {
    "undo": N_("Undo"),
    "redo": N_("Redo"),
    "amend": N_("Correct it"),
    "decide": N_("Decide it"),
}


class UndoPage(Sheet):
    """The preview of an undo, redo, amendment or decision; one more touch carries it out.

    It asks again before a reveal is undone. A single step leaves the page open for the next, and says what was done.
    """

    event: ClassVar[Event] = {"event": "undo"}
    """The previewed event where none is given."""

    def fill(self) -> None:
        self.asked: Event = self.event
        self.sure = self.possible = self.carried_out = False
        self.read = False  # whether all consequences have been seen
        self.then: Callable[[], object] | None = None
        self.warning = ""
        self.board = SmallBoard(self.app)
        """The table as it will lie."""
        self.flow = Flow(items(), self.say, rest=self.board)
        self.hint = high(Text("", most=TextSize.TEXT, bold=True, ink=theme.now.accent), theme.grown(48))
        self.take = Tap("", self._carry_out, kind="main", most=TextSize.TEXT)
        self.done = Tap(self.say(N_("Done")), self.leave_it, most=TextSize.TEXT)
        self.body.add_widget(self.flow)
        self.opposite = Tap("", self._turn_around, most=TextSize.TEXT)
        """The redo beside an undo, the undo beside a redo."""
        self.ends = high(row(gap=theme.PAD), 60)
        self.body.add_widget(self.ends)

    def enter(self, event: Event | None = None, back: str = "", then: Callable[[], object] | None = None,
              given: Data | None = None) -> None:  # fmt: skip
        """Start the preview of an event.

        `back` is the page to return to, with the arguments `given`, instead of the act's own. `then` replaces the list
        of what goes where at the end.
        """
        self.asked, self.way_back, self.then, self.given = event or self.event, back, then, given or {}
        self.sure = self.read = self.carried_out = False
        self.flow.turn_to(0)

    def show(self) -> None:
        verb = self.asked["event"]
        moment, came = self.app.moment(), self.app.match.preview(self.asked)
        found = goback.foreseen(moment, came)
        self.board.show(moment.after(came) if found.possible and came.game else None)
        self.warning = found.warning
        self.head.show(goback.title(moment, came) or self.say(TITLES[verb]))
        done = [goback.carried_out(moment)] if self.carried_out else []
        self.flow.show([*done, *found.items])
        self._show_question(self.sure and found.possible)
        self.possible = found.possible
        self._show_ends(moment)
        out = N_("Done") if self.carried_out or self._moves_pieces else N_("Leave it as it is")
        self.done.show(self.say(out))

    def _show_ends(self, m: Moment) -> None:
        """Show undo, redo and the way out, each always in its place; only a single step has an opposite."""
        back = self.asked["event"] == "undo"
        ends = [self.take, self.done]
        if goback.step(self.asked):
            ends.insert(int(back), self.opposite)
        text, can = ("redo", self.app.match.redoable) if back else ("undo", bool(m.acts))
        self.opposite.show(self.say(DO[text]), disabled=not can)
        if self.ends.children[::-1] != ends:
            self.ends.clear_widgets()
            for end in ends:
                self.ends.add_widget(end)

    def _turn_around(self) -> None:
        self.app.go("redo" if self.asked["event"] == "undo" else "undo")

    def turns(self, leaves: Leaves) -> None:
        self.read = self.read or not leaves.after or (not self.then and self._shows_consequences())
        super().turns(leaves)

    def _shows_consequences(self) -> bool:
        """Return whether the leaf reaches what goes where, all of which is listed again once it is carried out."""
        shown = self.flow.items[: self.flow.first + self.flow.fit]
        return any(isinstance(item, Carried) for item in shown)

    def finish(self) -> None:
        """Offer to carry it out once the player has seen all consequences."""
        super().finish()
        yes = N_("Yes, undo it") if self.sure else DO[self.asked["event"]]
        text = self.say(yes) if self.read else self.say(N_("Next, {place}"), place=self.flow.place)
        self.take.show(text, disabled=not self.possible)

    def _show_question(self, sure: bool) -> None:
        self.hint.show(self.warning if sure else "")
        if sure and not self.hint.parent:
            self.body.add_widget(self.hint, index=1)
        elif self.hint.parent and not sure:
            self.body.remove_widget(self.hint)

    def _carry_out(self) -> None:
        if not self.read:
            self.flow.turn_on()
            return
        if self.warning and not self.sure:
            self.sure = True
            self.app.paint()
            return
        self.sure = self.read = False
        failed = self.app.act(self.asked)
        self.carried_out = not failed and goback.step(self.asked)
        if not failed and not self.carried_out:
            (self.then or partial(self.app.go, "goes"))()

    @property
    def _moves_pieces(self) -> bool:
        """Return whether moves have been undone or redone here, so that pieces go elsewhere on the table."""
        return goback.step(self.asked) and bool(goback.strip(self.app.moment(), self.app.match.turned.goes))

    def leave_it(self) -> None:
        """Stop here: show the list of what goes where, if there is one."""
        if self._moves_pieces:
            self.app.go("goes")
        else:
            self.close()

    def close(self) -> None:
        number = self.asked.get("to") or self.asked.get("act")
        if self.way_back:
            self.app.go(self.way_back, **self.given)
        elif number:
            self.app.go("log", number=number)
        else:
            super().close()


class RedoPage(UndoPage):
    """The preview of a redo: what the last undo took back."""

    event: ClassVar[Event] = {"event": "redo"}


class WhatGoesWherePage(Sheet):
    """The list of what goes where on the real table, for all steps, until it is put away."""

    title = N_("What goes where")

    def fill(self) -> None:
        self.flow = Flow(items(), self.say)
        self.later = Tap(self.say(N_("Show the table")), self.close, most=TextSize.TEXT)
        self.lies = Tap(self.say(N_("All in place")), self._done, kind="main", most=TextSize.TEXT)
        self.body.add_widget(self.flow)
        self.check = Tap(self.say(N_("Check the table")), lambda: self.app.go("check"), most=TextSize.TEXT)
        self.redo = Tap(self.say(N_("Redo")), partial(self.app.go, "redo"), most=TextSize.TEXT)
        self.ends = high(row(self.lies, self.later, self.check, self.redo, gap=theme.PAD), 60)
        self.body.add_widget(self.ends)

    def enter(self) -> None:
        self.flow.turn_to(0)

    def show(self) -> None:
        m, match = self.app.moment(), self.app.match
        self.redo.show(self.redo.words.text, disabled=not match.redoable)
        if match.waiting:
            self.flow.show([])
        elif not goback.strip(m, match.turned.goes) and not match.turned.goes.seen:
            self.app.go("table")
        else:
            self.flow.show(goback.carried(m, match.turned.goes))

    def _done(self) -> None:
        self.app.match.turned.put_away()
        self.app.go("table")


class DecisionsPage(Sheet):
    """The table's decisions, and the acts that differ from their first report."""

    title = N_("Decisions and corrections")

    def fill(self) -> None:
        self.flow = Flow(items(), self.say)
        self.body.add_widget(self.flow)

    def enter(self, m: Moment, back: Callable[[], object]) -> None:
        self.moment, self.before = m, back
        self.flow.turn_to(0)

    def close(self) -> None:
        self.before()

    def show(self) -> None:
        self.flow.show(goback.words(self.moment))
