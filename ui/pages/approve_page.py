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
from ui.theme import TextSize
from ui.widgets.box import column, high, row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text, broad

ROW, UPRIGHT = 66, 92
"""The largest height of a seat's row, in dp, as at the end of a game; upright there is more room."""
SAYS = 48
"""The height of a seat's answers, in dp."""


class ApprovalRow(BoxLayout):
    """A seat's place and score, and what it says of the result."""

    def __init__(self, say: Callable[..., str], speak: Callable[[Seat, bool], object], upright: bool) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.PAD), 0, dp(4), 0))
        self.back = Backdrop(self, theme.now.panel, theme.now.line, radius=0)
        self.seat = ""
        self.place = wide(Text("", most=TextSize.TEXT, lines=1, bold=True, align="center"), 24)
        self.shape = wide(Shape(), 24)
        self.name = Text("", most=TextSize.TEXT, bold=True, cuts=True)
        self.score = wide(Text("", most=TextSize.TEXT, lines=1, align="right"), 0)
        self.yes = Tap(say(RIGHT), lambda: speak(self.seat, True), most=TextSize.TEXT)
        self.no = Tap(say(WRONG), lambda: speak(self.seat, False), most=TextSize.TEXT)
        for tap in (self.yes, self.no):
            wide(tap, theme.either(96 if upright else 100, 126 if upright else 128))
            tap.size_hint_y, tap.pos_hint = None, {"center_y": 0.5}
        for child in (self.place, self.shape, self.name, self.score, self.yes, self.no):
            self.add_widget(child)
        self.bind(height=self._arrange)

    def _arrange(self, *_: object) -> None:
        for tap in (self.yes, self.no):
            tap.height = min(self.height, max(dp(SAYS), dp(theme.TOUCH)))

    def show(self, line: ApprovalLine) -> None:
        self.seat = self.shape.seat = line.seat
        self.place.show(line.place)
        self.name.show(line.name, shorter=line.shorter)
        self.score.show(line.score)
        self.score.width = broad(line.score, TextSize.TEXT) + dp(4) if line.score else 0
        self.yes.show(self.yes.words.text, chosen=line.says is True)
        self.no.show(self.no.words.text, chosen=line.says is False)
        self.back.paint(theme.now.panel, {True: theme.now.good, False: theme.now.stop, None: theme.now.line}[line.says])


class ApprovePage(Sheet):
    """The end's rows, with what each seat says; the band has how it stands with all of them."""

    title = ASK

    def fill(self) -> None:
        upright = self.app.upright
        self.rows = [ApprovalRow(self.say, self._set_approval, upright) for _ in range(7)]
        self.list = column(gap=0)
        self.how = Text("", most=TextSize.TEXT)
        self.verdict = Text("", most=TextSize.TEXT, bold=True)
        self.hall = Text("", most=TextSize.TEXT, ink=theme.now.muted, size_hint_x=1 if upright else 0.6)
        self.on = Tap("", self._go_on, most=TextSize.TEXT)
        self.told = (column if upright else row)(gap=theme.GAP)
        if upright:
            below = high(column(self.told, high(self.on, 64)), theme.either(210, 220))
        else:
            below = high(row(self.told, wide(self.on, theme.either(150, 130)), gap=theme.EDGE), 48)
        self.body.padding, self.body.spacing = (dp(theme.PAD), dp(6)), dp(6)
        self.body.add_widget(column(self.list, Widget(size_hint_y=0.001), below, gap=6))

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
        self.list.size_hint_max_y = dp(UPRIGHT if self.app.upright else ROW) * len(model.lines)
        self._show_state(model)

    def _show_state(self, model: Approval) -> None:
        settled = model.done and model.verdict
        self.head.show(model.verdict if settled else model.state, shorter=model.count)
        verdict = "" if settled else model.verdict
        for text, words in ((self.how, model.how), (self.verdict, verdict), (self.hall, model.hall)):
            text.show(words)
        wanted = [text for text in (self.how, self.verdict, self.hall) if text.text]
        if self.told.children[::-1] != wanted:
            self.told.clear_widgets()
            for text in wanted:
                self.told.add_widget(text)
        self.leads = "end" if model.done else "wrong"
        word = N_("Done") if model.done else N_("Mistake")
        self.on.show(self.say(word), kind="main" if model.done or model.contested else "plain")

    def _set_approval(self, seat: Seat, right: bool) -> None:
        if self.app.evening.approving:
            self.app.evening.approving.say(self.app.match, seat, right)

    def _go_on(self) -> None:
        self.app.go(self.leads)

    def close(self) -> None:
        self.app.go("end")
