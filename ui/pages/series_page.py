"""The series of the evening: who stands where, and the next game of it."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.play.series import next_table
from companion.rules import N_
from ui import theme
from ui.page import App, Sheet
from ui.pages.end import Standing, series_so_far
from ui.theme import TextSize
from ui.widgets.box import column, high, panel, row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class StandingRow(BoxLayout):
    """A player's score in the series."""

    def __init__(self) -> None:
        super().__init__()
        self.shape = wide(Shape(), 30)
        self.name = Text("", most=TextSize.HEAD, lines=1, bold=True)
        self.score = wide(Text("", most=TextSize.HEAD, lines=1, bold=True, align="right"), 96)
        self.add_widget(panel(row(self.shape, self.name, self.score, gap=theme.PAD, pad=(theme.EDGE, 2))))

    def show(self, standing: Standing) -> None:
        self.shape.seat = standing.seat
        self.name.show(standing.name)
        self.score.show(standing.score)
        self.name.color = self.score.color = theme.rgba(theme.now.accent if standing.leads else theme.now.ink)


class SeriesPage(Sheet):
    """The standings over this evening's games of one kind."""

    title = N_("The series")

    def fill(self) -> None:
        self.rule = high(Text("", most=TextSize.TEXT, ink=theme.now.muted), theme.either(40, 48))
        self.rows = [high(StandingRow(), 38) for _ in range(9)]
        self.list = column(gap=3)
        self.next = Tap(
            self.say(N_("Next game in the series")), lambda: begin_next(self.app), kind="main", most=TextSize.TEXT
        )
        for part in (self.rule, self.list, Widget(), high(self.next, 56)):
            self.body.add_widget(part)

    def show(self) -> None:
        sitting, game = self.app.evening.sitting, self.app.match.game.name
        model = series_so_far(self.app.moment(), sitting.line(game), sitting.over(game), sitting.players(game))
        self.head.show(model.title)
        self.rule.show(model.rule)
        self.list.clear_widgets()
        for line, standing in zip(self.rows, model.standings, strict=False):
            line.show(standing)
            self.list.add_widget(line)
        self.list.size_hint_y, self.list.height = None, sum(line.height + 3 for line in self.list.children)
        self.next.show(self.next.words.text, disabled=model.over or not self.app.match.view["over"])

    def close(self) -> None:
        if self.app.home == "table":
            self.app.go("end", lit=True)
        else:
            self.app.go(self.app.home)


def begin_next(app: App) -> None:
    """Begin the next game of the series; where there was help, it continues, and the set-up is shown again."""
    lessons, table = app.evening.lessons, next_table(app.match.header)
    app.evening.note = None
    if lessons and not lessons.over:
        app.evening.begin(table, teach=True, told=lessons.told)
        app.go("setup")
    else:
        app.evening.begin(table)
        app.go("table")
