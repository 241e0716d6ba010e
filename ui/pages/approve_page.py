"""The end of a game in a hall: every player touches whether the result is right."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules import N_, Seat
from ui import theme
from ui.page import Sheet
from ui.pages.approve import ASK, RIGHT, WRONG, Approval, ApprovalLine, approval
from ui.theme import Step
from ui.widgets.box import column, high, row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text, broad

ROW = 78, 104
"""How high a seat's row is at most, in dp, and how high upright."""


class ApprovalRow(BoxLayout):
    """A seat's place and score, and what it says of the result."""

    def __init__(self, say: Callable[..., str], speak: Callable[[Seat, bool], object], upright: bool) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.PAD), 0, dp(4), 0))
        self.back = Backdrop(self, theme.now.panel)
        self.seat = ""
        self.place = wide(Text("", most=Step.TEXT, lines=1, bold=True, align="center"), 24)
        self.shape = wide(Shape(), 24)
        self.name = Text("", most=Step.TEXT, bold=True, split=True, cuts=True)
        self.score = wide(Text("", most=Step.TEXT, lines=1, align="right"), 0)
        self.yes = Tap(say(RIGHT), lambda: speak(self.seat, True), most=Step.TEXT)
        self.no = Tap(say(WRONG), lambda: speak(self.seat, False), most=Step.TEXT)
        for tap in (self.yes, self.no):
            wide(tap, theme.either(96 if upright else 100, 126 if upright else 128))
            tap.size_hint_y, tap.pos_hint = None, {"center_y": 0.5}
        for child in (self.place, self.shape, self.name, self.score, self.yes, self.no):
            self.add_widget(child)
        self.bind(height=self._arrange)

    def _arrange(self, *_: object) -> None:
        for tap in (self.yes, self.no):
            tap.height = min(self.height, max(dp(theme.TOUCH), self.height - dp(8)))

    def show(self, line: ApprovalLine) -> None:
        self.seat = self.shape.seat = line.seat
        self.place.show(line.place)
        self.name.show(line.name)
        self.score.show(line.score)
        self.score.width = broad(line.score, Step.TEXT) + dp(4) if line.score else 0
        self.yes.show(self.yes.words.text, chosen=line.says is True)
        self.no.show(self.no.words.text, chosen=line.says is False)
        self.back.paint(theme.now.panel, {True: theme.now.good, False: theme.now.stop, None: None}[line.says])


class ApprovePage(Sheet):
    """A row a seat, and how it stands with all of them."""

    title = ASK

    def fill(self) -> None:
        upright = self.app.upright
        self.rows = [ApprovalRow(self.say, self._speak, upright) for _ in range(7)]
        self.list = column(gap=3)
        self.state = Text("", most=Step.HEAD, bold=True, upright="top")
        self.how = Text("", most=Step.TEXT, upright="top")
        self.verdict = Text("", most=Step.TEXT, bold=True, upright="top")
        self.hall = Text("", most=Step.TEXT, ink=theme.now.muted, upright="bottom")
        self.on = high(Tap("", self._on, most=Step.TEXT), 64)
        self.told = column(gap=theme.GAP)
        beside = column(self.told, self.on)
        if upright:
            high(beside, theme.either(250, 236))
        else:
            wide(beside, theme.either(236, 216))
        self.body.add_widget((column if upright else row)(column(self.list, Widget(size_hint_y=0.001)), beside,
                                                          gap=theme.EDGE))  # fmt: skip

    def show(self) -> None:
        hall, moment = self.app.evening.hall, self.app.moment()
        said, over = moment.approvals, moment.view["over"]
        if not (over and said and hall):
            self.app.go("end" if over else "table")
            return
        model = approval(moment, said, hall, self.app.match.number)
        for at, line in enumerate(self.rows):
            wanted = at < len(model.lines)
            if wanted:
                line.show(model.lines[at])
            if wanted != bool(line.parent):
                (self.list.add_widget if wanted else self.list.remove_widget)(line)
        self.list.size_hint_max_y = dp(ROW[self.app.upright] + 3) * len(model.lines)
        self._tell(model)

    def _tell(self, model: Approval) -> None:
        settled = model.done and model.verdict
        self.state.show("" if settled else model.state, shorter=model.count)
        for text, words in ((self.how, model.how), (self.verdict, model.verdict), (self.hall, model.hall)):
            text.show(words)
        wanted = [text for text in (self.state, self.how, self.verdict, self.hall) if text.text]
        if self.told.children[::-1] != wanted:
            self.told.clear_widgets()
            for text in wanted:
                self.told.add_widget(text)
        self.state.color = theme.rgba(theme.now.stop if model.contested else theme.now.ink)
        self.leads = "end" if model.done else "wrong"
        word = N_("Done") if model.done else N_("Mistake")
        self.on.show(self.say(word), kind="main" if model.done or model.contested else "plain")

    def _speak(self, seat: Seat, right: bool) -> None:
        if self.app.evening.approving:
            self.app.evening.approving.say(self.app.match, seat, right)

    def _on(self) -> None:
        self.app.go(self.leads)

    def close(self) -> None:
        self.app.go("end")
