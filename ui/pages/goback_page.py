"""Undo, redo and amend, previewed where they do more than one step; and what goes where on the real table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_, NC_
from companion.rules.data import Data
from ui import theme
from ui.page import App, Sheet
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
STEP: Event = {"event": "undo"}


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
        return float(max(tall(text, TextSize.TEXT, room * share, True) for text, share in texts) + dp(2))


def items() -> Kinds:
    """Return a widget for every kind of item, carried pieces included."""
    return {**kinds(), Carried: CarriedRow}


TITLES = {
    "undo": N_("Undo"),
    "amend": N_("Correct this move"),
    "decide": N_("The table decides"),
}
"""By the verb of what is looked at."""
DO = {
    "undo": NC_("on a button", "Undo"),
    "amend": N_("Correct it"),
    "decide": N_("Decide it"),
}
SURE = {**DO, "undo": N_("Yes, undo it"), "amend": N_("Yes, correct it")}


class MoveList(Sheet):
    """A list whose main act is offered once its last leaf has been seen; until then it turns the leaves."""

    flow: Flow
    read = False

    def turns(self, leaves: Leaves) -> None:
        self.read = self.read or (bool(self.flow.items) and not leaves.after)
        super().turns(leaves)

    def main_act(self, text: str) -> str:
        """Return the label of the main act, or of the way on to the next leaf."""
        return text if self.read else self.say(N_("Next, {place}"), place=self.flow.place)


class UndoPage(MoveList):
    """The preview of an undo, amendment or decision; one more touch carries it out.

    It asks again before a reveal is undone. After a single undo the page says what was undone, and from then on its
    undo and its redo both act at once.
    """

    def fill(self) -> None:
        self.asked: Event = STEP
        self.sure = self.possible = self.stepped = False
        self.then: Callable[[], object] | None = None
        self.warning = ""
        self.board = SmallBoard(self.app)
        """The table as it will lie."""
        self.flow = Flow(items(), self.say, rest=self.board)
        self.hint = high(Text("", most=TextSize.TEXT, bold=True, ink=theme.now.accent), theme.grown(48))
        self.take = Tap("", self._carry_out, kind="main", most=TextSize.TEXT)
        self.done = Tap(self.say(N_("Done")), self.leave_it, most=TextSize.TEXT)
        self.later = Tap(self.say(N_("Show the table")), self.close, most=TextSize.TEXT)
        self.body.add_widget(self.flow)
        self.redo = Tap(self.say(N_("Redo")), partial(redo, self.app), most=TextSize.TEXT)
        self.ends = high(row(gap=theme.PAD), 60)
        self.body.add_widget(self.ends)

    def enter(self, event: Event | None = None, back: str = "", then: Callable[[], object] | None = None,
              given: Data | None = None, stepped: bool = False) -> None:  # fmt: skip
        """Start the preview of an event, or of the next undo, which has been `stepped` to by an undo or redo.

        `back` is the page to return to, with the arguments `given`, instead of the act's own. `then` replaces the list
        of what goes where at the end.
        """
        self.asked, self.way_back, self.then, self.given = event or STEP, back, then, given or {}
        self.sure = False
        self.stepped = stepped
        self.flow.turn_to(0)
        self.read = False

    def show(self) -> None:
        if self.stepped and self.app.match.waiting:
            return
        moment, came = self.app.moment(), self.app.match.preview(self.asked)
        found = goback.foreseen(moment, came, self.app.match.turned.after(self.app.match.view, came))
        self.warning, self.possible = found.warning, found.possible
        if self.stepped:
            title, items = goback.stepped(moment, came, self.app.match.turned.goes)
            self.board.show(moment)
        else:
            title, items = goback.title(moment, came) or self.say(TITLES[self.asked["event"]]), found.items
            self.board.show(moment.after(came) if found.possible and came.game else None)
        self.head.show(title)
        self.flow.show(items)
        self._show_question(self.sure and found.possible)
        self._show_ends()

    def _show_ends(self) -> None:
        """Show the act and the way out, and between them the redo of a single undo."""
        self.redo.show(self.redo.words.text, disabled=not self.app.match.redoable)
        self.done.show(
            self.say(N_("Done") if self.stepped else N_("Leave it as it is")), kind="main" if self.stepped else "plain"
        )
        steps = [self.redo] if goback.step(self.asked) else []
        ends = [self.take, *steps, *([self.later] if self._moved else []), self.done]
        if self.ends.children[::-1] != ends:
            self.ends.clear_widgets()
            for end in ends:
                self.ends.add_widget(end)

    def finish(self) -> None:
        """Offer to carry it out, or to put the list away, once the player has seen all of it."""
        super().finish()
        text = self.say((SURE if self.sure else DO)[self.asked["event"]])
        if self.stepped:
            self.take.show(text, disabled=not self.possible, kind="plain")
            if self._moved:
                self.done.show(self.main_act(self.say(NC_("pieces to move", "All in place"))), kind="main")
        else:
            self.take.show(self.main_act(text), disabled=not self.possible, kind="main")

    def _show_question(self, sure: bool) -> None:
        self.hint.show(self.warning if sure else "")
        if sure and not self.hint.parent:
            self.body.add_widget(self.hint, index=1)
        elif self.hint.parent and not sure:
            self.body.remove_widget(self.hint)

    def _carry_out(self) -> None:
        if not self.read and not self.stepped:
            self.flow.turn_on()
            return
        if self.warning and not self.sure:
            self.sure, self.stepped = True, False
            self.app.paint()
            return
        self.sure = self.read = False
        if self.app.act(self.asked):
            self.app.paint()
        elif goback.step(self.asked):
            self.app.go("undo", stepped=True)
        else:
            (self.then or partial(self.app.go, "goes"))()

    @property
    def _moved(self) -> Sequence[str]:
        """Return what has still to be moved after an undo or redo; none before it."""
        return goback.strip(self.app.moment(), self.app.match.turned.goes) if self.stepped else ()

    def leave_it(self) -> None:
        """Stop here: everything lies where it should now, or nothing has been done."""
        if self._moved and not self.read:
            self.flow.turn_on()
            return
        if self._moved:
            self.app.match.turned.put_away()
        self.close()

    def close(self) -> None:
        number = self.asked.get("to") or self.asked.get("act")
        if self.way_back:
            self.app.go(self.way_back, **self.given)
        elif number:
            self.app.go("log", number=number)
        else:
            super().close()


def redo(app: App) -> None:
    """Redo what was undone last, and say so beside the next undo and redo."""
    if not app.act({"event": "redo"}):
        app.go("undo", stepped=True)


FIRST = N_("First put the table right")


class WhatGoesWherePage(MoveList):
    """The list of what goes where on the real table, for all steps, until it is put away."""

    title = N_("What goes where")

    def fill(self) -> None:
        self.flow = Flow(items(), self.say)
        self.later = Tap(self.say(N_("Show the table")), self.close, most=TextSize.TEXT)
        self.lies = Tap(self.say(NC_("pieces to move", "All in place")), self._done, kind="main", most=TextSize.TEXT)
        self.body.add_widget(self.flow)
        self.check = Tap(self.say(N_("Check the table")), lambda: self.app.go("check"), most=TextSize.TEXT)
        self.redo = Tap(self.say(N_("Redo")), partial(redo, self.app), most=TextSize.TEXT)
        self.undone = Tap(self.say(N_("No, nothing was moved")), partial(self._answer, False), most=TextSize.TEXT)
        self.ends = high(row(gap=theme.PAD), 60)
        self.body.add_widget(self.ends)

    def enter(self, first: Event | None = None) -> None:
        """Show the list; once all lies in place, carry out the act that came `first`."""
        self.first = first
        self.flow.turn_to(0)
        self.read = False

    def show(self) -> None:
        m, match = self.app.moment(), self.app.match
        asked = match.turned.before
        self.redo.show(self.redo.words.text, disabled=not match.redoable)
        ends = [self.undone, self.check, self.lies] if asked else [self.check, self.redo, self.later, self.lies]
        if self.ends.children[::-1] != ends:  # what does no harm is first, where the page before had the way here
            self.ends.clear_widgets()
            for end in ends:
                self.ends.add_widget(end)
        title = N_("Did you still do this before the last move?") if asked else FIRST if self.first else self.title
        self.head.show(self.say(title))
        if match.waiting:
            self.flow.show([])
        elif not goback.strip(m, asked or match.turned.goes):
            self.app.go("table")
        else:
            self.flow.show(goback.carried(m, asked or match.turned.goes))

    def finish(self) -> None:
        super().finish()
        asked = self.app.match.turned.before
        text = N_("Yes, all of it") if asked else NC_("pieces to move", "All in place")
        self.lies.show(self.main_act(self.say(text)))

    def _done(self) -> None:
        if not self.read:
            self.flow.turn_on()
            return
        self._answer(True)

    def _answer(self, done: bool) -> None:
        first, self.first = self.first, None
        asked = self.app.match.turned.before
        self.app.match.turned.answer(done=done)
        self.app.go("table")
        if first and not asked:  # after an answer, what is still to be laid out comes first
            self.app.act(first)


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
