"""Explanations for a table that differs: searched for a slice per frame, chosen with one touch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp

from companion.answers.explaining import Search
from companion.record.transcript import event_data
from companion.rules import N_
from companion.rules.mistakes import Mistakes
from ui import theme
from ui.page import Sheet
from ui.pages import check, decide
from ui.pages.answer_items import Sentence
from ui.pages.answer_rows import Marks, kinds
from ui.pages.check import Checked, CheckReason
from ui.pages.check_page import described
from ui.pages.decide_page import edit
from ui.pages.small_board import SmallBoard
from ui.theme import TextSize
from ui.widgets.box import column, high, row
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, tall

SLICE = 0.012
"""For so many seconds of a frame it is looked for what explains it."""


FEW = 2
"""Beside so many explanations there is room for the board."""
DONE = object()
"""No step is left."""


class ReasonRow(Touchable):
    """An explanation; a touch on it says that it was so."""

    def __init__(self, choose: Callable[[CheckReason], object]) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel, theme.now.line)
        self.marks = Marks(22)
        self.kind = Text(most=TextSize.LABEL, lines=1, ink=theme.now.accent)
        self.text = Text(most=TextSize.TEXT, bold=True)
        self.beside = Text(most=TextSize.TEXT, ink=theme.now.muted)
        self.words = column(self.kind, self.text, self.beside, gap=0)
        self.add_widget(row(self.marks, self.words, gap=theme.PAD, pad=(theme.PAD, 4), pos_hint={"x": 0, "y": 0}))
        self.act = lambda: choose(self.reason)

    def show(self, reason: CheckReason) -> None:
        self.reason = reason
        self.marks.show(reason.seats)
        self.kind.show(reason.kind)
        self.text.show(reason.text)
        self.beside.show(reason.beside)
        kind, text, beside = self._heights(reason, self.width)
        for part, height in ((self.kind, kind), (self.text, text), (self.beside, beside)):
            part.size_hint_y = None
            part.height = height

    def tall(self, reason: CheckReason, width: float) -> float:
        return float(max(dp(theme.TOUCH), sum(self._heights(reason, width)) + dp(10)))

    def _heights(self, reason: CheckReason, width: float) -> tuple[float, float, float]:
        room = width - self.marks.room(reason.seats) - dp(3 * theme.PAD)
        text = tall(reason.text, TextSize.TEXT, room, True) + dp(2)
        return dp(theme.above(TextSize.LABEL, 1)), text, tall(reason.beside, TextSize.TEXT, room)


class ExplainPage(Sheet):
    """The acts and amendments after which it would lie so, those with the fewest acts first; else the editor."""

    title = N_("What happened?")

    def fill(self) -> None:
        self.flow = Flow({**kinds(), CheckReason: lambda: ReasonRow(self._choose)}, self.say)
        self.refused = high(Text("", most=TextSize.TEXT, ink=theme.now.stop), 0)
        self.more = Tap(self.say(N_("Something else is different")), self._mark_more, most=TextSize.TEXT)
        self.none = Tap("", self._decide_instead, most=TextSize.TEXT)
        self.board = SmallBoard(self.app)
        caption = Text(self.say(N_("Your table")), most=TextSize.TEXT, lines=1, ink=theme.now.muted)
        self.laid = column(high(caption, theme.above(TextSize.TEXT)), self.board, gap=4)
        self.stage = (column if self.app.upright else row)(self.flow, gap=theme.EDGE)
        self.body.add_widget(self.stage)
        self.body.add_widget(self.refused)
        self.body.add_widget(high(row(self.more, self.none, gap=theme.PAD), 60))
        self.search: Search | None = None
        self.done = False
        self._work = Clock.schedule_interval(self._search_on, 0)
        self._work.cancel()

    def enter(self, checked: Checked, side: str | None = None) -> None:
        self.checked, self.side = checked, side
        self.search, self.done = None, False
        self._refuse("")
        self.flow.turn_to(0)

    def leave(self) -> None:
        self._work.cancel()
        self.search = None

    # -- looking -------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Start the search, which runs a slice per frame."""
        match = self.app.match
        self.stands = match.session.last
        self.search, self.steps = match.explaining(self.checked.want, self.checked.well)
        self.done = False
        self._work()

    def _search_on(self, *_: object) -> bool:
        if self.search is None:
            return False
        until = monotonic() + SLICE
        while next(self.steps, DONE) is not DONE:
            if monotonic() >= until:
                return True
        self.done = True
        self.show()
        return False

    def show(self) -> None:
        match = self.app.match
        if not match.waiting and (self.search is None or match.session.last is not self.stands):
            self.checked = self.checked.again(match.lies)  # a card may have been played meanwhile
            if not self.checked.said:
                self._mark_more()
                return
            self._begin()
        best = self.search.best if self.search and self.done else ()
        found = check.reasons(self.app.moment(), best, self.checked)
        nothing = N_("No single move explains this, so decide it together. Your changes are in: check the rest.")
        said = Sentence(self.say(N_("Looking for an explanation …")), weight="muted")
        self.flow.show(found or [Sentence(self.say(nothing), weight="strong") if self.done else said])
        self._show_board(len(found))
        none = N_("None of these: just change it") if found else N_("Change it")
        self.none.show(self.say(none), disabled=not self.done, kind="plain" if found else "main")

    def _show_board(self, reasons: int) -> None:
        """Show the table beside a few explanations."""
        laid = described(self.app, self.checked) if reasons <= FEW else None
        if bool(laid) != bool(self.laid.parent):
            (self.stage.add_widget if laid else self.stage.remove_widget)(self.laid)
        if laid:
            self.board.show(laid)

    # -- on ------------------------------------------------------------------------------------------------------

    def _choose(self, reason: CheckReason) -> None:
        one = reason.of
        if one.event is None:
            self._enter_moves(reason)
        elif one.open and one.was:
            self.app.go("otherwise", number=one.was.number)
        else:
            given = {"checked": self.checked, "side": self.side}
            self.app.go("back", event=one.event, then=self._check_again, back="explain", given=given)

    def _enter_moves(self, reason: CheckReason) -> None:
        """Enter the acts one after the other; the pad asks for the unknown part of an act."""
        self.app.match.turned.put_pieces_away()  # they have just been compared
        for told in reason.of.acts:
            event = event_data(told.event)
            if told.open:
                self._open_pad(event)
                return
            if refusal := self.app.act(event, at_once=True):
                self._refuse(refusal)
                return
        self._check_again()

    def _open_pad(self, event: dict[str, Any]) -> None:
        if event["event"] == "choose":
            self.app.go("choose", seat=event["seat"])
        else:
            self.app.go("act", verb=event["event"], picked={"seat": event["seat"]} if "seat" in event else {})

    def _check_again(self) -> None:
        self.app.go("check", checked=self.checked, explained=True)

    def _mark_more(self) -> None:
        self.app.go("check", checked=self.checked, side=self.side)

    def close(self) -> None:
        self._mark_more()

    def _decide_instead(self) -> None:
        match, words = self.app.match, self.say(N_("A piece was in the wrong place."))
        try:
            draft = check.prefilled(match.game.name, match.draft(), self.checked.said)
        except Mistakes:
            self.app.go("decide", words=words)
            return
        back = partial(self.app.go, "explain", checked=self.checked, side=self.side)
        edit(self.app, partial(decide.event, words), draft, back=back, then=self._check_again)

    def _refuse(self, text: str) -> None:
        self.refused.show(text)
        self.refused.height = dp(theme.grown(44)) if text else 0
