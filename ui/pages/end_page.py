"""The end of a game: places, scores, a chart, and what next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.play.exports import Made
from companion.rules import N_, NC_
from companion.rules.words import Tongue, message
from ui import theme
from ui.layout import slots
from ui.page import Sheet
from ui.pages import export, goback, in_hall, where_page
from ui.pages.approve import ASK, Approval, approval
from ui.pages.end import Chart, End, Placing, end, played
from ui.pages.parts_bar import PartsBar
from ui.pages.series_page import begin_next
from ui.pages.small_board import SmallBoard
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.annotations import asks
from ui.widgets.box import column, high, page_height, put, row, swap, wide
from ui.widgets.shape import Shape
from ui.widgets.spine import Control
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text, level, long

ROW, DUEL, TALL = 92, 66, 74
"""The height of a row at most, in dp, and of one of two; from which height on its bar stands below the name."""
NAMES, NARROW = 190, 560
"""The largest width of the names beside the bars, in dp; in a row narrower than this they stand above them."""
WHY, FOOT, LEFT = 44, 64, 120
"""The heights of the reason and of the foot; what must be left for the board to be seen, in dp."""
ANOTHER = N_("Another game or other players")
LONG = 8
"""A course with fewer points than this is none."""


class PlaceRow(FloatLayout):
    """A seat's place, who sits there, where its score comes from, and the score."""

    def __init__(self) -> None:
        super().__init__()
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.ground = Backdrop(self, theme.now.panel, theme.now.line, radius=0)
        self.number = Text("", most=TextSize.CARD, lines=1, bold=True, align="center", **own)
        self.shape = Shape(**own)
        self.name = Text("", most=TextSize.HEAD, bold=True, **own)
        self.note = Text("", most=TextSize.HEAD, ink=theme.now.muted, **own)
        self.bar = PartsBar()
        self.bar.size_hint = None, None
        self.score = Text("", most=TextSize.CARD, lines=1, bold=True, align="right", **own)
        for child in (self.number, self.shape, self.name, self.note, self.bar, self.score):
            self.add_widget(child)
        self.names = 0.0

    def show(self, place: Placing, tongue: Tongue, model: End, names: float) -> None:
        """Show a seat's place; `names` is the width for the names beside the bars."""
        self.names = names
        self.number.show(place.place)
        self.shape.seat = place.seat
        self.name.show(place.name, shorter=place.shorter)
        self.note.show("" if place.note in model.why else place.note)
        numbers = [tongue.phrase(float(part.value)).replace("-", "−") for part in place.parts]
        self.bar.show(place.seat, place.parts, numbers, model.most)
        asks(self.score, *place.about).show(place.score)
        self.ground.paint(theme.now.wax if place.wins else theme.now.panel, theme.now.line)
        self.do_layout()

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (broad, tall), pad, gap = self.pos, self.size, dp(theme.PAD), dp(8)
        side = min(dp(34), tall - dp(6))
        score = long(self.score.text, TextSize.CARD, True) + dp(4) if self.score.text else 0
        put(self.number, x + pad, y, dp(40), tall)
        put(self.shape, x + pad + dp(40) + gap, y + (tall - side) / 2, side, side)
        put(self.score, x + broad - pad - score, y, score, tall)
        left = x + pad + dp(48) + side + gap
        room = x + broad - pad - score - 2 * gap - left
        name, bar = (left, y, room, tall), (left, y, room, tall)
        told = bool(self.bar.children or self.note.text)
        if told and (tall >= dp(theme.either(TALL, 78)) or broad < dp(NARROW)):
            head = min(dp(theme.above(TextSize.HEAD)), tall * 0.5)
            name, bar = (left, y + tall - head - dp(1), room, head), (left, y + dp(5), room, tall - head - dp(7))
        elif told:
            name = left, y, self.names, tall
            bar = left + self.names + gap, y + dp(3), room - self.names - gap, tall - dp(6)
        put(self.name, *name)
        put(self.bar, *bar)
        put(self.note, *bar)


class PlaceList(BoxLayout):
    """A row for each seat, the winner first."""

    def __init__(self, upright: bool) -> None:
        super().__init__(orientation="vertical", size_hint_y=None)
        self.upright = upright
        self.rows = [PlaceRow() for _ in range(7)]

    def show(self, m: Moment, model: End, room: float) -> None:
        """Show the places; they take no more height than there is `room`, in pixels."""
        most = theme.either(ROW, 104) if len(model.places) > 2 or self.upright else DUEL
        self.height = min(dp(most) * len(model.places), room)
        natural = max(long(place.name, TextSize.HEAD, True) for place in model.places) + dp(2)
        for at, line in enumerate(self.rows):
            wanted = at < len(model.places)
            if wanted:
                line.show(model.places[at], m.tongue, model, min(dp(NAMES), natural))
            if wanted != bool(line.parent):
                (self.add_widget if wanted else self.remove_widget)(line)
        level([line.name for line in self.rows[: len(model.places)]])


class ChartLines(Widget):
    """The chart: a line a seat, which ends in its shape and its number; with an edge of ink, as a seat may be white."""

    def __init__(self) -> None:
        super().__init__()
        self.title = Text("", most=TextSize.LABEL, ink=theme.now.muted, upright="top")
        self.add_widget(self.title)
        with self.canvas:
            Color(*theme.rgba(theme.now.line))
            self._axis = Line(width=dp(1))
        self._lines: list[tuple[Line, Color, Line, Shape, Text]] = []
        self._chart: Chart | None = None
        self.bind(pos=self._draw, size=self._draw)

    def show(self, chart: Chart) -> None:
        self._chart = chart
        self.title.show(chart.title)
        while len(self._lines) < len(chart.lines):
            with self.canvas:
                Color(*theme.rgba(theme.now.ink))
                edge = Line(width=dp(2.6), joint="round")
                colour = Color()
                line = Line(width=dp(1.8), joint="round")
            shape, value = Shape(size=(dp(18), dp(18))), Text("", most=TextSize.LABEL, lines=1, bold=True)
            self._lines.append((edge, colour, line, shape, value))
            self.add_widget(shape)
            self.add_widget(value)
        for edge, _, line, shape, value in self._lines[len(chart.lines) :]:  # of an earlier game with more seats
            edge.points, line.points, shape.seat = [], [], ""
            value.show("")
        self._draw()

    def _draw(self, *_: object) -> None:
        if not self._chart:
            return
        head, foot, side = dp(theme.above(TextSize.LABEL, theme.either(2, 4))), dp(12), dp(theme.grown(64))
        self.title.pos, self.title.size = (self.x, self.top - head), (self.width, head)
        left, right = self.x, self.right - side
        low, high_ = self.y + foot, self.top - head - foot
        self._axis.points = [left, low, right, low]
        rise = (high_ - low) / max(1, self._chart.top)
        lines = self._chart.lines
        for at, (seat, values) in enumerate(lines.items()):
            edge, colour, line, shape, value = self._lines[at]
            step = (right - left) / max(1, len(values) - 1)
            lift = (at - len(lines) / 2) * dp(2)  # lines of one height lie beside each other
            points = [(left + i * step, low + value * rise + lift) for i, value in enumerate(values)]
            colour.rgba = theme.rgba(theme.SEATS[seat])
            edge.points = line.points = [number for point in points for number in point]
            shape.seat, shape.center = seat, (points[-1][0] + dp(12), points[-1][1])
            value.show(str(values[-1]))
        self._part_ends(right)

    def _part_ends(self, right: float) -> None:
        """Place the numbers after the shapes, and move apart those of seats that end at one height."""
        low, high_ = 0.0, dp(theme.above(TextSize.LABEL))
        for *_, shape, value in sorted((one for one in self._lines if one[3].seat), key=lambda one: one[3].center_y):
            shape.center_y = low = max(shape.center_y, low + high_)
            put(value, right + dp(26), low - high_ / 2, self.right - right - dp(26), high_)


class CoursePage(Sheet):
    """The course of the game, seat by seat."""

    title = N_("How it went")

    def fill(self) -> None:
        self.lines = ChartLines()
        self.body.add_widget(self.lines)

    def show(self) -> None:
        chart = end(self.app.moment()).chart if self.app.moment().view["over"] else None
        if chart:
            self.lines.show(chart)

    def close(self) -> None:
        self.app.go("end", lit=True)


class StoredResultPage(Sheet):
    """The places and scores of a stored game."""

    title = N_("The result")

    def fill(self) -> None:
        self.why = Text("", most=TextSize.TEXT, bold=True)
        self.list = PlaceList(self.app.upright)
        self.body.padding, self.body.spacing = 0, 0
        self.told = high(row(self.why, pad=(theme.EDGE, 0)), theme.either(WHY, 52))
        for part in (self.told, self.list, Widget()):
            self.body.add_widget(part)

    def enter(self, m: Moment, back: Callable[[], object]) -> None:
        self.moment, self.before = m, back

    def show(self) -> None:
        model = end(self.moment)
        self.head.show(model.title)
        self.why.show(" · ".join(model.why), shorter=tuple(model.why[:1]))
        self.list.show(
            self.moment, model, dp(page_height(self.app.upright) - slots(self.app.upright).band) - self.told.height
        )

    def tell(self, word: str, seat: str | None) -> None:
        back = partial(self.app.go, "result", m=self.moment, back=self.before)
        self.app.go("why", number=(word, seat), past=self.moment, back=back)

    def close(self) -> None:
        self.before()


class EndPage(Sheet):
    """The winner and the source of each score: the table's last state, without a way back to a page before."""

    title = N_("The end")

    def fill(self) -> None:
        self.back = replace(self.back, act=None)  # the last state has no way back
        self.winner = Shape()
        self.played = high(Text("", most=TextSize.LABEL, lines=1), theme.above(TextSize.LABEL))
        self.titled.remove_widget(self.head)
        self.titled.padding = dp(theme.EDGE), dp(4), dp(theme.PAD), dp(1)
        for part in (wide(self.winner, 0), column(self.played, self.head, gap=0)):
            self.titled.add_widget(part)
        self.band = Backdrop(self.titled, theme.now.seal, radius=0)
        self.why = Text("", most=TextSize.TEXT, bold=True)
        self.list = PlaceList(self.app.upright)
        self.board = SmallBoard(self.app)
        """How it lies at the end, where there is room."""
        self.note = Text("", most=TextSize.LABEL, ink=theme.now.muted)
        hint = Text(self.say(N_("Tap to continue")), most=TextSize.TEXT, lines=1, align="right", ink=theme.now.muted)
        self.said = wide(Tap("", self._show_marks), theme.grown(132))
        """The number of house rulings and corrections, which leads to them."""
        self.marks = row(self.note, wide(hint, theme.grown(190)), pad=(theme.EDGE, 4))
        go, say = self.app.go, self.say
        self.next = Tap("", self.next_game, kind="main", most=TextSize.TEXT)
        self.approve = Tap(say(ASK), lambda: go("approve"), most=TextSize.TEXT)
        self.new = Tap(say(ANOTHER), self._offer_next_game, most=TextSize.TEXT)
        self.series = Tap(say(N_("Series")), lambda: go("series"), most=TextSize.TEXT)
        self.course = Tap(say(N_("How it went")), lambda: go("course"), most=TextSize.TEXT)
        self.first = row(gap=8, pad=(theme.PAD, 4))
        self.foot = high(BoxLayout(), FOOT)
        self.body.padding, self.body.spacing = 0, 0
        self.told = high(row(self.why, pad=(theme.EDGE, 0)), theme.either(WHY, 52))
        for part in (self.told, self.list, row(self.board, pad=(theme.PAD, 8)), self.foot):
            self.body.add_widget(part)
        self.lit = False  # whether the controls are seen

    def show(self) -> None:
        moment, match = self.app.moment(), self.app.match
        if not moment.view["over"]:
            self.app.go("table")
            return
        model = end(moment)
        text, *shorter = played(moment, match.began, match.seconds)
        self.played.show(text, shorter=tuple(shorter))
        self.head.show(model.title)
        self._paint_title([place.seat for place in model.places if place.wins])
        asked = self._approval(moment)
        saved = self.app.evening.note
        self.why.bold = not (saved or asked)
        if asked and not saved:
            self.why.show(asked.so_far, shorter=asked.count)
        else:
            self.why.show(
                message(saved, self.app.lang) if saved else " · ".join(model.why), shorter=tuple(model.why[:1])
            )
        self._show_said(goback.counted(moment))
        self.note.show(model.note)
        self._show_controls(moment, asked, drawn=bool(model.chart and self._is_long(model.chart)))
        called = asked or in_hall.waits(self.app.evening, self.app.lang)
        swap(self.foot, self.first if self.lit or called else self.marks)
        self._show_places(moment, model)
        self.ways = (
            Control("undo", self.say(NC_("under a sign", "Undo")), partial(self.app.go, "undo")),
            Control("log", self.say(N_("Log")), partial(self.app.go, "log")),
        )

    def _show_said(self, counted: str) -> None:
        """Show the number of house rulings and corrections, where there are any."""
        self.said.show(counted)
        if bool(counted) != bool(self.said.parent):
            (self.marks.add_widget if counted else self.marks.remove_widget)(self.said, *((2,) if counted else ()))

    def _show_places(self, moment: Moment, model: End) -> None:
        """Show a row for each seat, and below them the board if it can still be recognised there."""
        room = (
            dp(page_height(self.app.upright)) - self.told.height - self.foot.height - dp(slots(self.app.upright).band)
        )
        self.list.show(moment, model, room)
        self.board.show(moment if room - self.list.height >= dp(LEFT) else None)

    def finish(self) -> None:
        """Show the end's own controls: it is the table's last state."""
        self.spine.show([
            Control("home", self.say(N_("Start")), partial(self.app.go, "start")),
            *self.ways,
            Control("export", self.say(NC_("under a sign", "Export")), lambda: Clock.schedule_once(self._export)),
            Control("menu", self.say(N_("Menu")), partial(self.app.go, "menu")),
        ])  # fmt: skip

    def on_touch_up(self, touch: Any) -> bool:
        """Light the controls at a touch that nothing else has taken, or hide them again."""
        took = bool(super().on_touch_up(touch))
        if not took and self.app.page is self and self.collide_point(*touch.pos):
            self.lit = not self.lit
            self.app.paint()
        return took

    @staticmethod
    def _is_long(chart: Chart) -> bool:
        return max(map(len, chart.lines.values())) >= LONG

    def _paint_title(self, winners: Sequence[str]) -> None:
        """Paint the title in the colour of a single winner."""
        one = winners[0] if len(winners) == 1 else ""
        ink = theme.on_seat(one) if one else theme.now.on_seal
        self.winner.seat, self.winner.fill = one, ink
        wide(self.winner, 44 if one else 0)
        self.head.color = self.played.color = theme.rgba(ink)
        self.band.paint(theme.SEATS[one] if one else theme.now.seal, ink if one in ("black", "white") else None, 1.5)

    def _approval(self, moment: Moment) -> Approval | None:
        """Return the state of the approval, if the table belongs to a hall that asks for it."""
        said, hall = moment.approvals, self.app.evening.hall
        return approval(moment, said, hall, self.app.match.number) if said and hall else None

    def _show_controls(self, moment: Moment, asked: Approval | None, *, drawn: bool) -> None:
        """Show the controls that lead on, the main one last.

        First everybody approves the result. Then follows the next seated round, or without a hall the next game.
        """
        evening = self.app.evening
        waits = in_hall.waits(evening, self.app.lang)
        main = self.approve if asked and not asked.done else self.new if waits else None if asked else self.next
        new, over = waits.text if waits else self.say(ANOTHER), evening.sitting.over(moment.game.name)
        again = self.say(N_("{game} again"), game=moment.title)
        if evening.sitting.length(moment.game.name) > 1:
            again = self.say(N_("Next game in the series"))
        for tap, text in ((self.approve, self.approve.words.text), (self.next, again), (self.new, new)):
            tap.show(text, disabled=tap is self.next and over, kind="main" if tap is main else "plain")
        course = [self.course] if drawn else []
        wanted = [self.new, self.series, *course, self.next]
        if asked:  # the approval takes the place of course and series
            wanted = [self.new, self.next, self.approve]
        if main in wanted:
            wanted.remove(main)
            wanted.append(main)
        if self.first.children[::-1] != wanted:
            self.first.clear_widgets()
            for tap in wanted:
                self.first.add_widget(tap)

    def _show_marks(self) -> None:
        """List the house rulings and corrections."""
        self.app.go("said", m=self.app.moment(), back=partial(self.app.go, "end"))

    def enter(self, lit: bool = False) -> None:
        """Show the result; `lit` shows the controls that lead on as well, as they were before a page they led to."""
        self.app.evening.note, self.lit = None, lit

    def leave(self) -> None:
        self.app.evening.note = None

    def tell(self, word: str, seat: str | None) -> None:
        self.app.go("why", number=(word, seat), back="end")

    def next_game(self) -> None:
        """Begin the next game of the series."""
        begin_next(self.app)

    def _offer_next_game(self) -> None:
        """Offer the last table again, or the round that the hall has seated."""
        waits = in_hall.waits(self.app.evening, self.app.lang)
        self.app.pages.pop("new", None)
        self.app.go("new", draft=waits.draft if waits else None)

    def _result_box(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """Return the box of title, reason and places in a picture of the window: left, top, right, bottom."""
        left, right = int(self.titled.x), int(self.titled.x + self.titled.width)
        return left, int(size[1] - self.titled.y - self.titled.height), right, int(size[1] - self.list.y)

    def _export(self, _: float) -> None:
        """Export scores, play and picture beside the transcript.

        The picture is taken now, a frame after the finger has left the button, and packed in the thread. It shows the
        result without any control.
        """
        match, m = self.app.match, self.app.moment()
        table, play = export.scores(m, match.play), export.play(m, match.play, match.began, match.seconds)
        shot = self.app.shell.export_as_image().texture
        picture = partial(export.png, *export.cropped(shot.size, shot.pixels, self._result_box(shot.size)))
        link, decided = export.page(m.game.title, play), export.last_word(m)
        made: Made = {
            ".csv": lambda: table,
            **({".decisions.csv": lambda: decided} if decided else {}),
            ".bgstats.json": play.encode,
            ".bgstats.html": link.encode,
            ".png": picture,
        }
        where_page.export(self.app, partial(self.app.evening.export, made), "end", export.short(play))
