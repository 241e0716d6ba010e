"""The games played here, and one of them looked at move by move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.record.look import Look
from companion.rules import N_, NC_
from companion.rules.mistakes import Mistakes
from companion.rules.words import message, title
from ui import theme
from ui.games.face import board_of, face_of
from ui.layout import BETWEEN, EDGE, slots
from ui.page import Page, Sheet
from ui.pages import history
from ui.pages.goback import counted
from ui.pages.history import PastGame
from ui.pages.rulings import LogEntry
from ui.pages.rulings_page import EntryRow
from ui.table import frame as table
from ui.table.band import BandWidget
from ui.table.line import RulingLine
from ui.table.page import place
from ui.table.rail import Rail
from ui.theme import TextSize
from ui.widgets.box import column, high, panel, row, swap, wide
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.slide import Slide
from ui.widgets.spine import Control
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text


class PlayedRow(Touchable):
    """A game in the history; a tap looks at it, and at its right is what can be done with it."""

    def __init__(self, page: HistoryPage) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel)
        self.title = Text("", most=TextSize.TEXT, bold=True)
        self.when = Text("", most=TextSize.LABEL, lines=1, ink=theme.now.muted)
        self.text = Text("", most=TextSize.TEXT, cuts=True)
        self.shape = wide(Shape(), 26)
        head = column(self.title, self.when, gap=0, size_hint_x=theme.either(0.82, 0.95))
        say = page.say
        self.go_on = wide(Tap(say(N_("Continue")), lambda: page.go_on(self.number)), theme.grown(116))
        self.again = wide(Tap(say(N_("Restore")), lambda: page.bring_back(self.number)), theme.grown(100))
        self.out = wide(Tap("×", lambda: page.delete(self.number), most=TextSize.HEAD, kind="quiet"), theme.TOUCH)
        self.line = row(head, self.shape, self.text, pad=(theme.PAD, 4), pos_hint={"x": 0, "y": 0})
        self.add_widget(self.line)
        self.number = 0
        self.act = lambda: page.look(self.number)

    def show(self, item: tuple[PastGame, bool]) -> None:
        """Show a game and whether it is deleted."""
        played, gone = item
        self.number = played.number
        self.title.show(played.title)
        self.when.show(played.when, shorter=played.day)
        self.text.show(played.text)
        self.shape.seat = played.winners[0] if played.winners else ""
        for tap, wanted in ((self.go_on, played.open and not gone), (self.again, gone), (self.out, not gone)):
            if wanted != bool(tap.parent):
                (self.line.add_widget if wanted else self.line.remove_widget)(tap)


ALL, OPEN, GONE = "all", "open", "gone"
"""The lists of games."""


class HistoryPage(Sheet):
    """The list of games, newest first, with the deleted games in a separate list."""

    title = N_("Games played here")

    def fill(self) -> None:
        self.note = high(Text("", most=TextSize.TEXT, ink=theme.now.ink), theme.grown(22))
        tall = theme.grown(92 if self.app.upright else 56)
        self.list = Paged(lambda: PlayedRow(self), self.say, max(tall, 60))
        named = ((ALL, N_("All games")), (OPEN, N_("Unfinished")), (GONE, N_("Deleted")))
        self.lists = {key: Tap(self.say(text), partial(self.choose, key)) for key, text in named}
        self.chooser = row()
        self.body.add_widget(high(self.chooser, theme.TOUCH))
        self.body.add_widget(self.note)
        self.body.add_widget(self.list)

    def enter(self, unfinished: bool = False) -> None:
        """Read the list, which is read again after a deletion.

        `unfinished` lists the open games alone.
        """
        self.chosen = OPEN if unfinished else ALL
        self._show_rows()
        self.list.from_the_top()

    def _show_rows(self, note: str = "") -> None:
        evening, titles = self.app.evening, {game.name: title(game, self.app.lang) for game in self.app.evening.games}
        self.rows = history.rows(evening.history(), titles, self.app.lang)
        self.note.show(note if note or self.rows else self.say(N_("No game has been played here yet.")))

    def show(self) -> None:
        gone = set(self.app.evening.deleted.games)
        if not gone and self.chosen == GONE:
            self.chosen = ALL
        listed = [(played, played.number in gone) for played in self.rows]
        lists = {
            ALL: [item for item in listed if not item[1]],
            OPEN: [item for item in listed if item[0].open and not item[1]],
            GONE: [item for item in listed if item[1]],
        }
        self.list.show(lists[self.chosen])
        self.chooser.clear_widgets()
        for key, tap in self.lists.items():
            tap.show(tap.words.text, chosen=key == self.chosen)
            if key != GONE or gone:
                self.chooser.add_widget(tap)

    def choose(self, key: str) -> None:
        """Show one list: all games, the open ones or the deleted ones."""
        self.chosen = key
        self.list.from_the_top()
        self.show()

    def go_on(self, number: int) -> None:
        """Continue a game; the current one is paused and kept."""
        try:
            self.app.evening.resume(number)
        except (LookupError, OSError, ValueError) as error:
            self.note.show(str(error))
            return
        self.app.go("table")

    def look(self, number: int) -> None:
        """Look at a game act by act."""
        try:
            self.app.go("look", look=self.app.evening.look(number))
        except (LookupError, Mistakes) as error:
            self.note.show(str(error))

    def delete(self, number: int) -> None:
        """Delete a game: it moves to the list of deleted games, where it can be restored."""
        name = next(played.title for played in self.rows if played.number == number)
        try:
            self.app.evening.delete(number)
        except LookupError as error:
            self.note.show(message(error.args[0], self.app.lang))
            return
        self._show_rows(self.say(N_("Deleted: {game}. You can restore it under “Deleted”."), game=name))
        self.show()

    def bring_back(self, number: int) -> None:
        """Restore a deleted game."""
        self.app.evening.bring_back(number)
        self._show_rows()
        self.show()


class Glass(BoxLayout):
    """A table behind glass: while it is `closed`, the table is visible, but nothing on it reacts to a touch."""

    closed = True

    def on_touch_down(self, touch: Any) -> bool:
        return bool(self.collide_point(*touch.pos)) if self.closed else bool(super().on_touch_down(touch))


class StoredGamePage(Page):
    """The table as it stood after any act of a game."""

    def build(self) -> None:
        upright, at = self.app.upright, slots(self.app.upright)
        self.band, self.glass, self.line = BandWidget(), Glass(), RulingLine()
        self.line.act = self.list_rulings
        self.said = wide(Tap("", self._show_decisions), theme.grown(132))
        self.list = Paged(
            lambda: EntryRow(self._explain, upright), self.say, theme.grown(theme.either(116, 90) if upright else 60)
        )
        self.listed = False
        self.slide = Slide(self.move_to)
        self.where = wide(Text("", most=TextSize.TEXT, lines=1, align="center", ink=theme.now.muted), theme.grown(112))
        self.steps = row(self.slide, self.where, pad=(theme.PAD, 0))
        self.foot = row(self.line)
        panel(self.foot, theme.now.panel)
        below = [high(self.foot, at.line)]
        if upright:
            below.append(high(self.steps, theme.TOUCH))
        else:
            self.foot.add_widget(wide(self.steps, theme.grown(260)))
        self.middle = BoxLayout(padding=(dp(EDGE), dp(BETWEEN)))
        self.stage = BoxLayout(orientation="vertical" if upright else "horizontal")
        body = column(high(self.band, at.band), self.glass, *below, gap=0)
        self.glass.add_widget(self.stage)
        self.frame(body)

    def enter(self, look: Look, move: int | None = None, listed: bool = False) -> None:
        """Show a game at its end or after this many acts; `listed` shows the rulings of the last one."""
        self.look, self.move = look, len(look.receipts) if move is None else move
        upright = self.app.upright
        self.rail = Rail(len(look.header.seats), upright, lambda _: None)
        self.face = face_of(look.header.game.name)
        self.board = board_of(self.face)(lambda _: "", self._leave_board, self.say, upright)
        place(self.rail, self.board, self.stage, self.middle, mirrored=self.app.mirrored)
        self.listed, self.sure = listed, False
        self.word = history.scene(look, len(look.receipts), self.app.lang).moment
        text = counted(self.word)
        self.said.show(text)
        if bool(text) != bool(self.said.parent):
            (self.foot.add_widget if text else self.foot.remove_widget)(self.said)

    def _show_decisions(self) -> None:
        """Show the decisions and amendments of the whole game; Back returns here."""
        self.app.go("said", m=self.word, back=self._returning())

    def _returning(self) -> Callable[[], None]:
        """Return what comes back to what is seen now."""
        return partial(self.app.go, "look", look=self.look, move=self.move, listed=self.listed)

    def _leave_board(self, page: str, **_: object) -> None:
        """Turn to the result, the one page that the board of a finished game leads to."""
        if page == "end":
            self._show_result()

    def _show_result(self) -> None:
        self.app.go("result", m=self.word, back=self._returning())

    def _explain(self, entry: LogEntry) -> None:
        """Show why the referee ruled that."""
        past = history.scene(self.look, self.move, self.app.lang).moment
        self.app.go("why", ruling=entry.ruling, past=past, back=self._returning())

    def show(self) -> None:
        scene = history.scene(self.look, self.move, self.app.lang)
        self.band.show(table.band(scene.moment))
        self.rail.show(table.rail(scene.moment))
        self.board.show(self.face.centre(scene.moment))
        self.line.show(scene.line)
        swap(self.middle, self.list if self.listed else self.board)
        self.list.show(scene.rulings)
        self.slide.show(scene.move, scene.last)
        self.where.show(scene.where)
        over = scene.moment.view["over"]
        self.glass.closed = not (self.listed or over)
        fork = Control("fork", self.say(N_("Play on") if self.sure else N_("What if")), self._begin_from_here)
        result = Control("next", self.say(NC_("under a sign", "Result")), self._show_result)
        self.spine.show([
            Control("back", self.say(N_("Back")), partial(self.app.go, "history")),
            result if over else fork,
            Control("log", self.say(N_("Table") if self.listed else N_("Log")), self.list_rulings),
            Control("up", self.say(N_("Later")), partial(self._move_by, 1) if scene.move < scene.last else None),
            Control("down", self.say(N_("Earlier")), partial(self._move_by, -1) if scene.move else None),
        ])  # fmt: skip

    def _move_by(self, by: int) -> None:
        self.move_to(self.move + by)

    def _begin_from_here(self) -> None:
        """Begin another game from here; ask first, as it replaces the game on the table."""
        if not self.sure:
            self.sure = True
            self.show()
            return
        try:
            self.app.evening.what_if(self.look, self.move)
        except Mistakes as mistakes:
            self.line.text.show(str(mistakes))
            return
        self.app.go("table")

    def list_rulings(self) -> None:
        """Switch between the table and the rulings of the act."""
        self.listed = not self.listed
        self.list.from_the_top()
        self.show()

    def move_to(self, move: int) -> None:
        """Show the table after this many acts."""
        self.sure = False
        self.move = max(0, min(move, len(self.look.receipts)))
        self.show()
