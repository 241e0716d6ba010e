"""The end of a game: places, scores, a chart, and what next."""

from __future__ import annotations

from functools import partial

from kivy.clock import Clock
from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.play.exports import Made
from companion.rules import N_
from companion.rules.words import message
from ui import theme
from ui.page import Sheet
from ui.pages import export, goback, in_hall, save_page
from ui.pages.approve import ASK, Approval, approval
from ui.pages.end import Chart, Placing, end
from ui.pages.series_page import begin_next
from ui.table.moment import Moment
from ui.widgets.asked import asks
from ui.widgets.box import column, high, panel, row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Text, broad

ROW = 78, 118
"""How high a place's row is at most, in dp, in normal and in large text."""

UNEVEN = 0.65
"""The longer of the two lines of a name is at most about so much of it."""
FEW = 4
"""Upright there is no room for the chart beside more places than this in large letters."""


class PlaceRow(BoxLayout):
    """A seat's place and score."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.PAD), 0))
        panel(self)
        self.number = wide(Text("", most=theme.TITLE, lines=1, bold=True, align="center"), 30)
        self.shape = wide(Shape(), 26)
        self.name = wide(Text("", most=theme.LEAD, lines=1, bold=True), 0)
        self.note = Text("", most=theme.SMALL, ink=theme.now.muted)
        self.score = wide(Text("", most=theme.TITLE, lines=1, bold=True, align="right"), theme.grown(50))
        for child in (self.number, self.shape, self.name, self.note, self.score):
            self.add_widget(child)

    def show(self, place: Placing) -> None:
        self.number.show(place.place)
        self.shape.seat = place.seat
        self.name.show(place.name, lines=2 if broken(place.name) else 1)
        self.note.show(place.note)
        asks(self.score, *place.about).show(place.score)
        ink = theme.rgba(theme.now.accent if place.wins else theme.now.ink)
        self.number.color = self.score.color = ink


def breadth(name: str) -> float:
    """How many pixels wide a name needs to be, on two lines where it may be broken."""
    whole = name.replace(" ", ".")  # which is as broad, and no end of a word
    return max(broad(name, theme.SMALL, True), UNEVEN * broad(whole, theme.SMALL, True) if broken(name) else 0)


def broken(name: str) -> bool:
    """Whether a name may stand on two lines, for which large letters leave no room."""
    return " " in name and theme.letters == 1


class ChartLines(Widget):
    """The chart: a line a seat with an edge of ink, since a seat may be white, which ends in its shape."""

    def __init__(self) -> None:
        super().__init__()
        self.title = Text("", most=theme.SMALL, ink=theme.now.muted, upright="top")
        self.top_value = Text("", most=theme.SMALL, lines=1, ink=theme.now.muted, align="right")
        self.add_widget(self.title)
        self.add_widget(self.top_value)
        with self.canvas:
            Color(*theme.rgba(theme.now.line))
            self._axis = Line(width=dp(1))
        self._lines: list[tuple[Line, Color, Line, Shape]] = []
        self._chart: Chart | None = None
        self.bind(pos=self._draw, size=self._draw)

    def show(self, chart: Chart) -> None:
        self._chart = chart
        self.title.show(chart.title)
        self.top_value.show(str(chart.top))
        while len(self._lines) < len(chart.lines):
            with self.canvas:
                Color(*theme.rgba(theme.now.ink))
                edge = Line(width=dp(2.6), joint="round")
                self._lines.append((edge, Color(), Line(width=dp(1.8), joint="round"), Shape(size=(dp(18), dp(18)))))
            self.add_widget(self._lines[-1][3])
        for edge, _, line, shape in self._lines[len(chart.lines) :]:  # of an earlier game with more seats
            edge.points, line.points, shape.seat = [], [], ""
        self._draw()

    def _draw(self, *_: object) -> None:
        if not self._chart:
            return
        head, foot, side = dp(theme.lines(theme.either(2, 4), theme.SMALL)), dp(12), dp(30)
        self.title.pos, self.title.size = (self.x, self.top - head), (self.width - dp(50), head)
        self.top_value.pos, self.top_value.size = (self.right - dp(50), self.top - head), (dp(44), head)
        left, right = self.x, self.right - side
        low, high_ = self.y + foot, self.top - head - foot
        self._axis.points = [left, low, right, low]
        rise = (high_ - low) / max(1, self._chart.top)
        lines = self._chart.lines
        for at, (seat, values) in enumerate(lines.items()):
            edge, colour, line, shape = self._lines[at]
            step = (right - left) / max(1, len(values) - 1)
            lift = (at - len(lines) / 2) * dp(2)  # lines of one height lie beside each other
            points = [(left + i * step, low + value * rise + lift) for i, value in enumerate(values)]
            colour.rgba = theme.rgba(theme.SEATS[seat])
            edge.points = line.points = [number for point in points for number in point]
            shape.seat, shape.center = seat, (points[-1][0] + dp(12), points[-1][1])


class EndPage(Sheet):
    """Who has won, by how much, and how it went."""

    title = N_("The end")

    def fill(self) -> None:
        upright = self.app.upright
        self.rows = [PlaceRow() for _ in range(7)]
        self.list = column(gap=3, pos_hint={"top": 1}, size_hint_x=1 if upright else theme.either(2, 3.8))
        self.lines = ChartLines()
        self.lines.size_hint_y = theme.either(1, 0.36) if upright else 1  # large letters take two lines a place
        self.note = high(Text("", most=theme.BODY, ink=theme.now.ink), theme.grown(40 if upright else 20))
        self.middle = (column if upright else row)(self.list, self.lines, gap=theme.EDGE)
        self.said = Tap("", self._said, size_hint_x=0.5 if upright else 1)
        go, say = self.app.go, self.say
        self.next = Tap(say(N_("Next game in the series")), self.next_game, kind="main", most=theme.LEAD)
        self.approve = Tap(say(ASK), lambda: go("approve"), most=theme.LEAD)
        self.new = Tap(say(N_("New game")), self._again)
        self.first = row(self.next, Tap(say(N_("Series")), lambda: go("series")), self.new)
        second = (
            Tap(say(N_("Export")), lambda: Clock.schedule_once(self._export)),
            Tap(say(N_("Log")), lambda: go("log")),
            Tap(say(N_("Undo")), lambda: go("undo")),
            Tap(say(N_("Start page")), lambda: go("start")),
        )
        self.foot = row(*second)
        self.beside = row(self.note) if upright else self.foot  # upright the row is full
        if upright:
            self.note.size_hint_y = 1
            high(self.beside, theme.TOUCH)
        for line in (self.middle, self.beside if upright else self.note):
            self.body.add_widget(line)
        for line in (self.first, self.foot):
            self.body.add_widget(high(line, theme.TOUCH))

    def show(self) -> None:
        moment = self.app.moment()
        if not moment.view["over"]:
            self.app.go("table")
            return
        model = end(moment)
        self.head.show(model.title)
        asked = self._asked(moment)
        saved = self.app.evening.note
        if asked and not saved:
            self.note.show(" · ".join(filter(None, (asked.so_far, model.note))), shorter=asked.count)
        else:
            self.note.show(message(saved, self.app.lang) if saved else model.note)
        self._say_last_word(goback.counted(moment))
        self._lead_on(moment, asked)
        drawn = model.chart and not (self.app.upright and theme.letters > 1 and len(model.places) > FEW)
        if model.chart:
            self.lines.show(model.chart)
        if bool(drawn) != bool(self.lines.parent):
            (self.middle.add_widget if drawn else self.middle.remove_widget)(self.lines)
        self.list.size_hint_max_y = dp(theme.either(*ROW)) * len(model.places)
        names = max((breadth(place.name) for place in model.places), default=0) + dp(4)
        for at, line in enumerate(self.rows):
            line.name.width = max(names, self.width * 0.1)
            wanted = at < len(model.places)
            if wanted:
                line.show(model.places[at])
            if wanted != bool(line.parent):
                (self.list.add_widget if wanted else self.list.remove_widget)(line)

    def _asked(self, moment: Moment) -> Approval | None:
        """How far the result is approved, where the table's hall asks."""
        said, hall = moment.approvals, self.app.evening.hall
        return approval(moment, said, hall, self.app.match.number) if said and hall else None

    def _lead_on(self, moment: Moment, asked: Approval | None) -> None:
        """First everybody says whether the result is right; then comes the round seated next, or without a hall the
        next game."""
        evening = self.app.evening
        waits = in_hall.waits(evening, self.app.lang)
        main = self.approve if asked and not asked.done else self.new if waits else None if asked else self.next
        new, over = waits.text if waits else self.say(N_("New game")), evening.sitting.over(moment.game.name)
        for tap, text in ((self.approve, self.approve.words.text), (self.next, self.next.words.text), (self.new, new)):
            tap.show(text, disabled=tap is self.next and over, kind="main" if tap is main else "plain")
        if bool(asked) != bool(self.approve.parent):
            at = len(self.first.children)
            self.first.add_widget(self.approve, index=at) if asked else self.first.remove_widget(self.approve)

    def _say_last_word(self, text: str) -> None:
        """How often the table decided and amended, where it did; a touch tells what."""
        self.said.show(text)
        if bool(text) != bool(self.said.parent):
            (self.beside.add_widget if text else self.beside.remove_widget)(self.said)

    def _said(self) -> None:
        self.app.go("said", m=self.app.moment(), back=partial(self.app.go, "end"))

    def enter(self) -> None:
        self.app.evening.note = None

    def leave(self) -> None:
        self.app.evening.note = None

    def tell(self, word: str, seat: str | None) -> None:
        self.app.go("why", number=(word, seat), back="end")

    def next_game(self) -> None:
        """The next game of the series."""
        begin_next(self.app)

    def _again(self) -> None:
        """The last table is offered again, or the round that the hall has seated."""
        waits = in_hall.waits(self.app.evening, self.app.lang)
        self.app.pages.pop("new", None)
        self.app.go("new", draft=waits.draft if waits else None)

    def _export(self, _: float) -> None:
        """Scores, play and picture beside the transcript; the picture is taken now, a frame after the finger has
        left the button, and packed in the thread."""
        match, m = self.app.match, self.app.moment()
        table, play = export.scores(m).encode(), export.play(m, match.number, *match.span)
        shot = self.app.shell.export_as_image().texture
        (wide_, high_), pixels = shot.size, shot.pixels
        picture = partial(export.png, wide_, high_, pixels)
        link, decided = export.page(m.game.title, play), export.last_word(m)
        made: Made = {
            ".csv": lambda: table,
            **({".decisions.csv": decided.encode} if decided else {}),
            ".bgstats.json": play.encode,
            ".bgstats.html": link.encode,
            ".png": picture,
        }
        save_page.export(self.app, partial(self.app.evening.export, made), "end", export.short(play))
