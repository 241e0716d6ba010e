"""The table: top line, seats, the game's board, the last ruling, and the dock where there is no hardware."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.play.match import Match
from companion.record.transcript import Header
from companion.rules import N_
from companion.voice.choices import Voiced
from ui import theme
from ui.games.face import AnyFace, board_of, face_of
from ui.page import Page
from ui.pages.goback import strip
from ui.pages.refused import urgent
from ui.table import frame as table
from ui.table.dock_bar import DockBar
from ui.table.goes_bar import GoesBar
from ui.table.lesson import told as lesson_of
from ui.table.lesson_bar import LessonBar
from ui.table.moment import Moment
from ui.table.mute_tap import MuteTap
from ui.table.press_bar import PressBar
from ui.table.presses import pressing
from ui.table.seats import Seats
from ui.widgets.box import column, high, row, swap, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, broad


def head_of(upright: bool, ill: bool = False) -> float:
    """How high the top line is, in dp; what is to be done about a device takes more of large letters."""
    return theme.either(70 if upright else 50, 92 + 23 * ill if upright else 64)


def ruling_of(lines: float) -> float:
    """How high the last ruling is, in dp, with so many lines of large letters."""
    return theme.lines(lines, theme.SMALL) + 1


def edge_of(high: float, seats: int) -> float:
    """How high the plates of so many seats are upright: large letters take a second line, unless a plate is broad."""
    return theme.either(high, 64 if seats <= BROAD else max(high + 9, 80))


BROAD = 2
"""Of so many seats, each has an edge of the table to itself."""


SLIM = 18
"""How high the title is, in dp, where three lines of the sentence have to fit below it."""


class TopLine(BoxLayout):
    """Game and round, the one sentence, the shapes of the seats awaited, and what may be done now."""

    def __init__(self, menu: Widget, ask: Widget | None = None, upright: bool = False) -> None:
        super().__init__(spacing=dp(theme.PAD))
        self.upright, self.narrow = upright, bool(ask and ask.width > dp(theme.TOUCH))
        self.ask, self._offers = ask, False
        self.title = Text(most=theme.SMALL, lines=0 if upright else 1, ink=theme.now.muted)
        self.sentence = Text(most=theme.TITLE, bold=True)
        self.side = theme.grown(20) if upright else 28
        self.shapes = [wide(Shape(), self.side) for _ in range(7)]
        self.awaited = wide(row(gap=4), 0)
        self.head = high(row(self.title, self.awaited), self.side) if upright else high(self.title, theme.grown(15))
        beside = [] if upright else [self.awaited]
        for child in (menu, column(self.head, self.sentence, gap=0), *beside, *([ask] if ask else [])):
            self.add_widget(child)

    def offer(self, tap: Widget, can: bool) -> None:
        """What stands before the last control while it leads somewhere. Upright the sentence has a line more for it."""
        if can != self._offers:
            self._offers = can
            if self.upright:
                self.side = SLIM if can else theme.grown(20)
                for shape in self.shapes:
                    wide(shape, self.side - 4 if can else self.side)
        if can != bool(tap.parent):
            self.add_widget(tap, index=1 if self.ask else 0) if can else self.remove_widget(tap)

    def show(self, top: table.Top) -> None:
        crowded = self.upright and (len(top.awaited) > 1 or theme.letters > 1 or self.narrow or self._offers)
        self.title.show(top.doubt if crowded and top.doubt else " · ".join(filter(None, (top.title, top.doubt))))
        if self.upright:
            self.height = dp(head_of(True, top.ill))
            self.head.height = dp(theme.lines(theme.either(2, 3), theme.SMALL) if top.ill else self.side)
        self.title.color = theme.rgba(theme.now.stop if top.ill else theme.now.muted)
        self.sentence.show(top.sentence)
        self.sentence.color = theme.rgba(theme.now.accent if top.urgent else theme.now.ink)
        squeezed = top.ill and (self.upright or theme.letters > 1)  # what is to be done about a device needs the room
        awaited = () if squeezed else top.awaited
        for at, shape in enumerate(self.shapes):
            shape.seat = awaited[at] if at < len(awaited) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.awaited.add_widget if shape.seat else self.awaited.remove_widget)(shape)
        self.awaited.width = (self.shapes[0].width + dp(4)) * len(awaited)


class RulingLine(Touchable):
    """The last ruling as a sentence; a tap asks why."""

    def __init__(self, why: str, upright: bool = False) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel)
        self.shapes = [wide(Shape(), 16) for _ in range(3)]
        self.marks = wide(row(gap=3), 0)
        self.text = Text(most=theme.LEAD)
        self.why = Text(why, most=theme.SMALL, lines=1, ink=theme.now.accent, align="left" if upright else "right")
        width = theme.grown(54)
        if upright:
            parts: tuple[Widget, ...] = (wide(column(high(self.marks, 20), self.why), width), self.text)
        else:
            parts = self.marks, self.text, wide(self.why, width)
        self.add_widget(row(*parts, pad=(theme.PAD, 1), pos_hint={"x": 0, "y": 0}))

    def show(self, line: table.LastRuling) -> None:
        self.text.show(line.text)
        self.text.color = theme.rgba(theme.now.stop if line.refused else theme.now.ink)
        self.back.paint(theme.now.panel, theme.now.stop if line.refused else None)
        seats = line.seats if len(line.seats) <= len(self.shapes) else ()  # some of many would say nothing
        for at, shape in enumerate(self.shapes):
            shape.seat = seats[at] if at < len(seats) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.marks.add_widget if shape.seat else self.marks.remove_widget)(shape)
        self.marks.width = dp(19) * len(seats)


def voiced(voice: Voiced | None) -> Voiced | None:
    """The voice, where it is to be heard by all."""
    return voice if voice and voice.choices.wanted else None


class TablePage(Page):
    """The page that stands all evening."""

    def build(self) -> None:
        self.spacing, self.padding = dp(theme.GAP), dp(theme.GAP)
        upright = self.app.upright
        menu = self._word(N_("Menu"), "menu")
        ask = wide(Tap("?", lambda: self.app.go("now"), most=theme.TITLE), theme.TOUCH)
        self.headline = TopLine(menu, ask, upright)
        self.add_widget(high(self.headline, head_of(upright)))
        self.middle = BoxLayout(spacing=dp(theme.PAD), orientation="vertical" if upright else "horizontal")
        self.add_widget(self.middle)
        self.line = RulingLine(self.say(N_("why?")), upright)
        self.line.act = lambda: self.app.go("why")
        self.folds = bool(self.app.dock) and theme.letters > 1
        """Beside large letters there is no room for the dock: it lies over the foot for as long as it is asked for."""
        undo, self.log, self.redo = (
            self._word(N_("Undo"), "undo"),
            self._word(N_("Log"), "log"),
            self._word(N_("Redo"), "redo"),
        )
        self.wrong = self._word(N_("Mistake"), "wrong")
        self.mute, self.again = MuteTap(self.say, self._mute), self._word(N_("Again"), "")
        self.again.act = self._say_again
        self.press, self.last = PressBar(), BoxLayout()
        self.last.add_widget(self.line)
        self.goes = GoesBar(self.say, self._look, self._lies_there)
        ways: tuple[Widget, ...] = (undo, self.log)
        if self.folds:
            cards = self._word(N_("Cards"), "")
            cards.act = self._unfold
            ways = (*ways, cards)
        self._lay_foot(ways)
        self.lesson = LessonBar(self.say, self._got_it, self._enough, upright)
        self.foot = BoxLayout()
        self.add_widget(self.foot)
        self.dock = DockBar(self.app, self.app.dock, self._fold if self.folds else None) if self.app.dock else None
        self.unfolded = False
        if self.dock and not self.folds:
            self.add_widget(self.dock)
        self._laid: Match | None = None

    def _lay_foot(self, ways: Sequence[Tap]) -> None:
        """The last ruling and what leads on from it, side by side; upright the ways one over the other, or in large
        letters in a line of their own, which leaves the ruling all the width."""
        both, low = 2.0 * theme.TOUCH + 4, theme.either(54, 74)
        if self.app.upright and theme.letters > 1:
            for way in ways:
                way.size_hint_x = 1
            self.ways = row(*ways)
            low = both = ruling_of(4) + theme.TOUCH + 4
            self.said = column(self.last, high(self.ways, theme.TOUCH), gap=4)
        elif self.app.upright and not self.app.dock:
            width = max(way.width for way in ways) / dp(1)
            low = both
            self.said = self.ways = row(self.last, wide(column(*(wide(way, width) for way in ways), gap=4), width))
        else:
            low = 74 if self.app.upright else low
            self.said = self.ways = row(self.last, *ways)
        self.tall = low, both if self.app.upright else low
        """How high the last ruling is, and a lesson in its place."""
        self._tight = self.app.upright or theme.letters > 1

    def _word(self, text: str, page: str) -> Tap:
        """A control as wide as its word, which leads to a page."""
        word = self.say(text)
        tap = Tap(word, lambda: self.app.go(page))
        wide(tap, max(theme.TOUCH + 8, broad(word, theme.SMALL) / dp(1) + 20))
        return tap

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
            high(edge, edge_of(self.board.edge, len(self.seats.panels))) if upright else wide(edge, 124)
        for child in (self.seats.edges[0], self.board, self.seats.edges[1]):
            self.middle.add_widget(child)

    def show(self) -> None:
        moment = self.app.moment()
        self._offer_silence(voiced(self.app.voice))
        self.headline.show(table.top(moment))
        self.seats.show(table.seats(moment))
        self.board.show(self.face.centre(moment))
        self._offer(self.redo, self.app.match.redoable)
        self._say_last(moment)
        if self.dock:
            self.dock.show(moment)

    def leave(self) -> None:
        self.press.show(None)

    def _say_last(self, moment: Moment) -> None:
        """The last ruling; while a button is held that answers a question, what letting go of it means."""
        line, held = table.ruling_line(moment), pressing(moment)
        self.line.show(line)
        wrong = urgent(moment)
        voice = voiced(self.app.voice)
        self._offer(self.again, voice is not None and not (self.app.upright and (wrong or self.app.match.redoable)))
        self._offer(self.wrong, wrong or not (self.app.upright or self.folds or self._full()))
        self.wrong.show(self.wrong.words.text, kind="main" if wrong else "plain")
        if self.log.parent in (self.ways, None):  # a refusal needs the room, and so does a voice
            needed = (wrong and self.app.upright and self.dock and not self.folds) or (voice and self._tight)
            self._offer(self.log, not needed)
        self.press.show(held)
        goes = strip(moment, self.app.match.turned.goes) or (self._ask() if self.app.match.asks else "")
        self.goes.show(goes)
        swap(self.last, self.press if held else self.goes if goes and not line.refused else self.line)
        taught = not (held or line.refused or goes) and self._teach(moment)
        swap(self.foot, self.dock if self.dock and self.unfolded else self.lesson if taught else self.said)
        high(self.foot, self.tall[taught])
        if self.dock:
            self.dock.hush(taught)

    def _offer_silence(self, voice: Voiced | None) -> None:
        """In the top line; upright large letters need all of that, and it comes before the ways at the foot."""
        if not (self.app.upright and theme.letters > 1):
            self.headline.offer(self.mute, voice is not None)
        elif (voice is not None) != bool(self.mute.parent):
            at = len(self.ways.children)
            self.ways.add_widget(self.mute, index=at) if voice else self.ways.remove_widget(self.mute)
        if voice:
            self.mute.show(voice.choices.muted)
            self.again.show(self.again.words.text, disabled=voice.choices.muted)

    def _mute(self) -> None:
        if voice := voiced(self.app.voice):
            voice.choose(replace(voice.choices, muted=not voice.choices.muted))
            self.show()

    def _say_again(self) -> None:
        if voice := voiced(self.app.voice):
            voice.again()

    def _unfold(self) -> None:
        self.unfolded = True
        self.show()

    def _fold(self) -> None:
        self.unfolded = False
        self.show()

    def _full(self) -> bool:
        """Beside redo large letters leave no room."""
        return theme.letters > 1 and bool(self.redo.parent)

    def _offer(self, tap: Widget, can: bool) -> None:
        """What stands beside undo only while it leads somewhere: the last ruling needs the room."""
        if can != bool(tap.parent):
            self.ways.add_widget(tap) if can else self.ways.remove_widget(tap)

    def _ask(self) -> str:
        """After the game was away."""
        return self.say(N_("Welcome back. Is everything still in place? Touch here to look."))

    def _look(self) -> None:
        self.app.go("goes" if strip(self.app.moment(), self.app.match.turned.goes) else "check")

    def _lies_there(self) -> None:
        self.app.match.turned.put_away()
        self.app.paint()

    def _teach(self, moment: Moment) -> bool:
        """What newcomers are told now, in place of the last ruling; false if nothing. While pieces go back, and until
        the end of a round has been looked at, nothing."""
        lessons = None if self._stays() else self.app.evening.lessons
        lesson = lessons.look(moment.game, moment.known) if lessons else None
        if lesson:
            told = lesson_of(moment, lesson)
            self.lesson.show(told, bool(told.seats) and self.seats.right.issuperset(told.seats))
        return bool(lesson)

    def _stays(self) -> bool:
        return bool(getattr(self.board, "stays", False))

    def _got_it(self) -> None:
        assert self.app.evening.lessons
        self.app.evening.lessons.put_away()
        self.show()

    def _enough(self) -> None:
        assert self.app.evening.lessons
        self.app.evening.lessons.end()
        self.show()

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
