"""The table: top line, seats, the game's board, the last ruling, and the dock where there is no hardware."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.match import Match
from companion.rules import N_
from companion.transcript import Header
from ui import theme
from ui.games.face import AnyFace, board_of, face_of
from ui.page import Page
from ui.pages.goback import strip
from ui.table import frame as table
from ui.table.dock_bar import DockBar
from ui.table.goes_bar import GoesBar
from ui.table.lesson import told as lesson_of
from ui.table.lesson_bar import LessonBar
from ui.table.moment import Moment
from ui.table.press_bar import PressBar
from ui.table.presses import pressing
from ui.table.seats import Seats
from ui.widgets.box import column, high, panel, row, swap, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text

LESSON = 60
"""How high a lesson is, in dp."""


class TopLine(BoxLayout):
    """Game and round, the one sentence, the shapes of the seats awaited, and what may be done now."""

    def __init__(self, menu: Tap, ask: Tap | None = None) -> None:
        super().__init__(spacing=dp(theme.PAD))
        self.title = Text(most=theme.SMALL, lines=1, ink=theme.now.muted, size_hint_y=0.34)
        self.sentence = Text(most=theme.TITLE, least=12, bold=True)
        self.shapes = [wide(Shape(), 28) for _ in range(7)]
        self.awaited = wide(row(gap=4), 0)
        for child in (menu, column(self.title, self.sentence, gap=0), self.awaited, *([ask] if ask else [])):
            self.add_widget(child)

    def show(self, top: table.Top) -> None:
        self.title.show(top.title)
        self.title.color = theme.rgba(theme.now.accent if top.ill else theme.now.muted)
        self.sentence.show(top.sentence)
        self.sentence.color = theme.rgba(theme.now.accent if top.urgent else theme.now.ink)
        for at, shape in enumerate(self.shapes):
            shape.seat = top.awaited[at] if at < len(top.awaited) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.awaited.add_widget if shape.seat else self.awaited.remove_widget)(shape)
        self.awaited.width = dp(32) * len(top.awaited)


class RulingLine(Touchable):
    """The last ruling as a sentence; a tap asks why."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel)
        self.shapes = [wide(Shape(), 16) for _ in range(3)]
        self.marks = wide(row(gap=3), 0)
        self.text = Text(most=theme.LEAD, least=9)
        self.why = wide(Text(why, most=theme.SMALL, lines=1, ink=theme.now.accent, align="right"), 44)
        self.add_widget(row(self.marks, self.text, self.why, pad=(theme.PAD, 3), pos_hint={"x": 0, "y": 0}))

    def show(self, line: table.LastRuling) -> None:
        self.text.show(line.text)
        self.text.color = theme.rgba(theme.now.accent if line.refused else theme.now.ink)
        self.back.paint(theme.now.panel, theme.now.accent if line.refused else None)
        seats = line.seats[:3]
        for at, shape in enumerate(self.shapes):
            shape.seat = seats[at] if at < len(seats) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.marks.add_widget if shape.seat else self.marks.remove_widget)(shape)
        self.marks.width = dp(19) * len(seats)


class TablePage(Page):
    """The page that stands all evening."""

    def build(self) -> None:
        self.spacing, self.padding = dp(theme.GAP), dp(theme.GAP)
        upright = self.app.upright
        menu = wide(Tap(self.say(N_("Menu")), lambda: self.app.go("menu")), 64)
        ask = wide(Tap("?", lambda: self.app.go("now"), most=theme.TITLE), theme.TOUCH)
        self.headline = TopLine(menu, ask)
        self.add_widget(high(self.headline, 72 if upright else 50))
        self.banner = high(
            panel(Text(self.say(N_("Board not confirmed: compare its values with yours under Menu, Board data.")),
                       most=theme.SMALL, least=9, lines=1, align="center"), theme.now.sunk), 20)  # fmt: skip
        self.middle = BoxLayout(spacing=dp(theme.PAD), orientation="vertical" if upright else "horizontal")
        self.add_widget(self.middle)
        self.line = RulingLine(self.say(N_("why?")))
        self.line.act = lambda: self.app.go("why")
        undo = wide(Tap(self.say(N_("Undo")), lambda: self.app.go("undo")), 76)
        self.redo = wide(Tap(self.say(N_("Redo")), lambda: self.app.go("redo")), 76)
        log = wide(Tap(self.say(N_("Log")), lambda: self.app.go("log")), 64)
        self.press, self.last = PressBar(), BoxLayout()
        self.last.add_widget(self.line)
        self.goes = high(GoesBar(self.say, lambda: self.app.go("goes"), self._lies_there), LESSON)
        self.lesson = LessonBar(self.say, self._got_it, self._enough)
        self.steps = row(*([] if upright else [self.redo]))
        wide(self.steps, 76 if not upright else 0)
        self.steps.bind(minimum_width=self.steps.setter("width"))
        self.add_widget(high(row(self.last, undo, self.steps, log), 50 if self.app.dock or not upright else 72))
        self.dock = DockBar(self.app, self.app.dock) if self.app.dock else None
        if self.dock:
            self.add_widget(self.dock)
        self._laid: Match | None = None

    def enter(self) -> None:
        self.app.home = "table"
        if self.app.match is not self._laid:
            self._laid = self.app.match
            self._lay(self._laid.header)

    def _lay(self, header: Header) -> None:
        """A new game: its seats and its board."""
        app = self.app
        self.seats = Seats(len(header.seats), app.screen.first_seat_side, app.upright, self._tap_seat)
        self.wear(face_of(header.game.name))

    def wear(self, face: AnyFace) -> None:
        """The board of this face between the seats."""
        app, upright = self.app, self.app.upright
        self.face = face
        self.board = board_of(face)(app.act, app.go, app.say, upright)
        self.middle.clear_widgets()
        for edge in self.seats.edges:
            high(edge, self.board.edge) if upright else wide(edge, 124)
        for child in (self.seats.edges[0], self.board, self.seats.edges[1]):
            self.middle.add_widget(child)

    def show(self) -> None:
        moment = self.app.moment()
        self.headline.show(table.top(moment))
        board = moment.board or {"confirmed": True}
        self._warn(not board.get("confirmed") and not self.app.evening.trouble)
        self.seats.show(table.seats(moment))
        self.board.show(self.face.centre(moment))
        self._offer_redo(self.app.match.redoable)
        goes = strip(moment, self.app.match.goes)
        self._teach(moment, bool(goes))
        self._say_goes(goes)
        self._say_last(moment)
        if self.dock:
            self.dock.show(moment)

    def leave(self) -> None:
        self.press.show(None)

    def _say_last(self, moment: Moment) -> None:
        """The last ruling; while a button is held that answers a question, what letting go of it means."""
        self.line.show(table.ruling_line(moment))
        held = pressing(moment)
        self.press.show(held)
        bars = (bar for bar in (self.goes, self.lesson) if bar.parent is self.last)
        swap(self.last, self.press if held else next(bars, self.line))

    def _offer_redo(self, can: bool) -> None:
        """Upright it is only there while there is something to bring back: the last ruling needs the room."""
        self.redo.show(self.redo.words.text, disabled=not can)
        wanted = can or not self.app.upright
        if wanted != bool(self.redo.parent):
            (self.steps.add_widget if wanted else self.steps.remove_widget)(self.redo)

    def _say_goes(self, text: str) -> None:
        """What goes where after an undo and the like, until it is put away: in the place of a lesson."""
        self.goes.show(text)
        if self.goes.parent and not text:
            self.goes.parent.remove_widget(self.goes)
        elif text and not self.goes.parent:
            self._place(self.goes, False)

    def _lies_there(self) -> None:
        self.app.match.put_away()
        self.app.paint()

    def _teach(self, moment: Moment, busy: bool) -> None:
        """What newcomers are told now, at the edge of those it matters to; while pieces go back, nothing."""
        lessons = None if busy else self.app.evening.lessons
        lesson = lessons.look(moment.game, moment.known) if lessons else None
        if self.lesson.parent:
            self.lesson.parent.remove_widget(self.lesson)
        if lesson:
            told = lesson_of(moment, lesson)
            second = bool(told.seats) and self.seats.second.issuperset(told.seats)
            self.lesson.show(told, second and not self.app.upright)
            self._place(self.lesson, second)

    def _place(self, bar: LessonBar | GoesBar, second: bool) -> None:
        """Upright beside that edge of seats, else under the top line; over a dock in the last ruling's place."""
        high(bar, LESSON)
        if self.app.upright:
            edge = self.seats.edges[1] if second else self.board
            self.middle.add_widget(bar, index=self.middle.children.index(edge) + 1)
        elif self.dock:
            bar.size_hint_y = 1
            swap(self.last, bar)
        else:
            self.add_widget(bar, index=self.children.index(self.middle) + 1)

    def _got_it(self) -> None:
        assert self.app.evening.lessons
        self.app.evening.lessons.put_away()
        self.show()

    def _enough(self) -> None:
        assert self.app.evening.lessons
        self.app.evening.lessons.end()
        self.show()

    def _warn(self, unconfirmed: bool) -> None:
        if unconfirmed != bool(self.banner.parent):
            if unconfirmed:
                self.add_widget(self.banner, index=len(self.children) - 1)
            else:
                self.remove_widget(self.banner)

    def _tap_seat(self, seat: str) -> None:
        """A tap on a seat is what that seat may do by finger now."""
        opened = self.face.tapped(self.app.moment(), seat)
        if opened:
            self.app.go(opened[0], **opened[1])
        else:
            self.board.tap_seat(seat)

    def tell(self, word: str, seat: str | None) -> None:
        self.app.go("why", number=(word, seat))

    def key(self, key: int, down: bool) -> bool:
        return self.dock.key(key, down) if self.dock else False
