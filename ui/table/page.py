"""The table: whose move it is, the seats, the game's board, what happened, and the controls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.play.match import Match
from companion.record.transcript import Header
from companion.rules import N_, NC_
from ui import theme
from ui.games.face import AnyFace, board_of, face_of
from ui.games.parts.board import RailShape
from ui.games.parts.sentences import Expected
from ui.layout import BETWEEN, EDGE, slots
from ui.page import Page
from ui.pages.goback import strip
from ui.pages.refused import urgent
from ui.table import frame as table
from ui.table.band import BandWidget
from ui.table.frame import Tile
from ui.table.hand_bar import HandBar
from ui.table.line import ACT, GoesBar, LessonBar, RulingLine
from ui.table.moment import Moment
from ui.table.outcome import moves, pays
from ui.table.press_bar import PressBar
from ui.table.presses import pressing
from ui.table.rail import Rail
from ui.table.rest import REST_S, at_rest
from ui.table.rest import told as lesson_of
from ui.theme import TextSize
from ui.widgets.box import high, panel, swap, wide
from ui.widgets.motion import PAUSE, RESULT, motions, turned
from ui.widgets.spine import Control
from ui.widgets.tap import Tap

WHY = 68
"""The width of the control that asks why, in dp."""
NEW_S = 3.0
"""Seconds a new ruling comes before a lesson."""


def place(rail: Rail, board: Any, stage: BoxLayout, middle: Widget, *, mirrored: bool = False) -> None:
    """Place rail and board side by side, or above each other upright.

    A rail of rows stands below the board. `board` is typed Any, as it may be any game's.
    """
    upright = stage.orientation == "vertical"
    shape: RailShape = board.rail
    rail.wear(board, rows=shape.rows)
    given = theme.either(*(shape.high if upright else shape.wide))
    (high if upright else wide)(rail.box, given or slots(upright).rail)
    parts = [rail.box, middle]
    if mirrored or (upright and shape.rows):
        parts.reverse()
    stage.clear_widgets()
    for part in parts:
        stage.add_widget(part)


class TablePage(Page):
    """The page that stands all evening: five slots, of which only the board's own content ever changes."""

    warns = True

    def build(self) -> None:
        app, upright = self.app, self.app.upright
        at = slots(upright)
        self.band, self.line = BandWidget(), RulingLine()
        self.line.act = self._touch_ruling
        self.press = PressBar()
        self.goes = GoesBar(
            self.say, self._show_changes_or_check, self._confirm_in_place, partial(self._confirm_in_place, False)
        )
        self.lesson = LessonBar(self.say, self._end_lesson)
        self.hand = HandBar(app, app.dock) if app.dock else None
        done = self.say(NC_("what people do on the table", "Done"))
        self.done = wide(Tap(done, self._read, most=TextSize.TEXT), theme.grown(ACT))
        self.why = wide(Tap(self.say(N_("Why?")), self._ask_why, most=TextSize.TEXT), theme.either(WHY, 84))
        self.said = BoxLayout()
        self.foot = BoxLayout(padding=(0, 0, dp(8), 0), spacing=dp(4))
        panel(self.foot, theme.now.panel)
        self.stage = BoxLayout(orientation="vertical" if upright else "horizontal")
        """Rail and board."""
        self.middle = BoxLayout(padding=(dp(EDGE), dp(BETWEEN)), pos_hint={"x": 0, "y": 0})
        """The board with its margin."""
        self.slot = FloatLayout()
        """The board's slot: the board, and on its free place a lesson while the hand has the line."""
        self.slot.add_widget(self.middle)
        body = BoxLayout(orientation="vertical")
        for part in (high(self.band, at.band), self.stage, high(self.foot, at.line)):
            body.add_widget(part)
        self.frame(body)
        self._laid: Match | None = None
        self._newest = -1
        self._put_off = Clock.create_trigger(self._mark_read, NEW_S)
        self._fresh = False
        self._on_board = False
        self._lay_again = Clock.create_trigger(self._lay_lesson)  # the board lays its parts in the frame before
        self._idle = Clock.create_trigger(self._turn_to_rest, REST_S)
        self._rested: object = None
        self._unveiled = 0  # the number of the act whose cards have been seen turning
        self._unveils = False

    def enter(self) -> None:
        self.app.home = "table"
        if self.app.match is not self._laid:
            self._laid = self.app.match
            self._build_board(self._laid.header)
            self._newest, self._fresh = len(self._laid.log), False
            self._unveiled, self._unveils = (self._laid.log[-1].number if self._laid.log else 0), False

    def _build_board(self, header: Header) -> None:
        """Build the rail and the board for a new game."""
        held = self.hand.hold if self.hand else None
        self.rail = Rail(len(header.seats), self.app.upright, self._seat_tapped, held)
        self.wear(face_of(header.game.name))

    def wear(self, face: AnyFace) -> None:
        """Put the board of this face into its slot."""
        app, upright = self.app, self.app.upright
        self.face = face
        self.board = board_of(face)(app.act, app.go, app.say, upright)
        widget: Widget = self.board
        widget.bind(pos=self._lay_again, size=self._lay_again)
        across, up = self.board.margin
        self.middle.padding = dp(across), dp(up)
        swap(self.middle, self.board)
        place(self.rail, self.board, self.stage, self.slot, mirrored=app.mirrored)

    def show(self) -> None:
        moment = self.app.moment()
        if self._animate_reveal(moment):
            return
        self.band.time(self.app.evening.hall.clock if self.app.evening.hall else None)
        self.rail.show(table.rail(moment))
        self.board.show(self.face.centre(moment))
        self._restart_rest(moment)
        if self.hand:
            self.hand.show(moment)
        self._show_line(moment)
        self.spine.show([
            self._spine_control("help", N_("Help"), "now"),
            self._spine_control("undo", NC_("under a sign", "Undo"), "undo", can=bool(moment.acts)),
            self._spine_control("log", N_("Log"), "log", can=bool(moment.log)),
            self._spine_control("mistake", N_("Mistake"), "wrong", lit=urgent(moment)),
            self._spine_control("menu", N_("Menu"), "menu"),
        ])  # fmt: skip

    def _animate_reveal(self, moment: Moment) -> bool:
        """Animate newly revealed cards before showing their outcome; return whether the animation is running."""
        act = moment.acts[-1] if moment.previous and moment.acts else None
        number, before = (act.number if act else 0), self._unveiled
        self._unveiled = number
        new = number > before and bool(before) and not self.app.shell.warns
        if act and new and any(ruling.code in self.face.reveals for ruling in act.public):
            self._unveils = True
            self.band.show(table.Band(Expected("", self.say(N_("All cards are down."))), "", (), ""))
            unveil = partial(self._draw_reveal, table.rail(moment), self.face.centre(moment))
            motions.play(self, PAUSE + RESULT, unveil, self._reveal_ended)
            return True
        if number != before and self._unveils:  # something else has happened meanwhile
            motions.drop(self)
            self._unveils = False
        return self._unveils

    def _draw_reveal(self, tiles: Sequence[Tile], centre: Any, part: float) -> None:
        """Draw one frame of the reveal; `centre` is typed Any, as each board takes its own game's view-model."""
        seconds = part * (PAUSE + RESULT)
        self.rail.unveil(tiles, turned(seconds))
        self.board.unveil(centre, seconds)

    def _reveal_ended(self) -> None:
        self._unveils = False
        if self.app.page is self:
            self.app.paint()

    def _restart_rest(self, moment: Moment) -> None:
        """Wait for the rest anew if something has changed; a page painted again is no change."""
        now = at_rest(moment), moment.closed, moment.lying, len(moment.log)
        if now != self._rested:
            self._rested = now
            self._idle.cancel()
        self._idle()

    def _turn_to_rest(self, *_: object) -> None:
        """Turn to the resting screen, legible from afar, after a while without a touch."""
        free = self.said.children in ([self.line], [self.hand]) and not (self.board_busy or self.lesson.parent)
        free = free and not self.app.shell.warns
        if self.app.page is self and free and self.app.settings["rest"] == "on" and at_rest(self.app.moment()):
            self.app.go("rest")

    @property
    def board_busy(self) -> bool:
        """Return whether something is being chosen on the board."""
        return bool(getattr(self.board, "start", ""))

    def on_touch_down(self, touch: Any) -> bool:
        self._idle.cancel()
        self._idle()
        refused = self._fresh and table.ruling_line(self.app.moment()).refused
        if refused and not self.foot.collide_point(*touch.pos):
            self._mark_read()
        return bool(super().on_touch_down(touch))

    def _spine_control(self, sign: str, word: str, page: str, *, can: bool = True, lit: bool = False) -> Control:
        return Control(sign, self.say(word), partial(self.app.go, page) if can else None, lit)

    def leave(self) -> None:
        self.press.show(None)
        self._idle.cancel()
        if self._unveils:
            motions.drop(self)
            self._unveils = False

    # -- the line ------------------------------------------------------------------------------------------------

    def _show_line(self, moment: Moment) -> None:
        """Show one thing in the line below the board.

        The first that applies: a press, a refusal or a new ruling, what goes where, a lesson, the hand, the last
        ruling.
        """
        line, held = table.ruling_line(moment), pressing(moment)
        turned = self.app.match.turned
        if turned.line == "laid":
            line = table.LastRuling(self.say(N_("Everything lies in place.")), False, ())
        self._note_new_ruling(moment)
        if turned.line == "again":
            self._fresh, turned.line = True, ""
        self.line.show(line)
        self.press.show(held)
        listed = strip(moment, turned.before or turned.goes, asks=bool(turned.before))
        goes = listed or ([self._question()] if self.app.match.asks else [])
        self.goes.show(goes, 2 if turned.before else 0 if listed else 1)
        hand = self.hand is not None and self.hand.dealt_out
        lesson = self._show_lesson(moment)
        self._on_board = lesson and hand
        self._lay_lesson()
        self._lay_again()
        shown: Widget = self.line
        if held:
            shown = self.press
        elif line.refused and self._fresh:
            shown = self.line
        elif goes:
            shown = self.goes
        elif self.hand and hand:
            shown = self.line if self._decided_something(moment) or self._asks_hands(moment) else self.hand
        elif lesson:
            shown = self.line if self._fresh else self.lesson
        swap(self.said, shown)
        asks_hands = shown is self.line and self._asks_hands(moment)
        covered = hand and (asks_hands or (shown is self.goes and listed))  # the cards to choose from are behind it
        if covered:
            self.band.show(table.Band(Expected("", self.say(N_("First do what it says below"))), "", (), ""))
        else:
            self.band.show(table.band(moment))
        if self.lesson in (shown, *self.slot.children) and self.app.evening.lessons:
            self.app.evening.lessons.seen()
        beside: list[Widget] = [self.hand.act] if self.hand and self.hand.acts and shown is not self.hand else []
        if asks_hands and (hand or lesson):
            beside.append(self.done)
        whole = self.app.upright and (shown in (self.hand, self.lesson) or bool(beside))
        self.foot.padding = 0, 0, (0 if self.app.upright and shown is self.hand else dp(8)), 0
        self._fill_foot([self.said, *beside, *([] if whole else [self.why])])

    def _fill_foot(self, wanted: list[Widget]) -> None:
        """Fill the foot; the shell's warning replaces everything else there, so that the board does not move."""
        if self.app.shell.warns:
            wanted = [self.app.shell.warning]
        if self.foot.children[::-1] != wanted:
            self.foot.clear_widgets()
            for part in wanted:
                self.foot.add_widget(part)

    def _note_new_ruling(self, moment: Moment) -> None:
        """Detect a new ruling, which is shown before a lesson for `NEW_S` seconds."""
        if len(moment.log) != self._newest:
            self._fresh = len(moment.log) > self._newest
            self._newest = len(moment.log)
            if self._fresh and moment.log[-1].number and self.app.evening.lessons:
                self.app.evening.lessons.put_away()  # it has been done
            self._put_off.cancel()
            stays = table.ruling_line(moment).refused or self._asks_hands(moment)  # until an act or a touch
            if self._fresh and not stays:
                self._put_off()

    def _decided_something(self, moment: Moment) -> bool:
        """Return whether a new ruling decided something or a card was changed: the hand waits 3 s, or for a touch."""
        last = moment.log[-1] if moment.log else None
        if not self._fresh or last is None:
            return False
        chosen = moment.previous.view.get("chosen", ()) if moment.previous and last.verb == "choose" else ()
        again = getattr(last.event, "seat", "") in chosen
        return again or any(table.decides(ruling) for ruling in last.public)

    def _asks_hands(self, moment: Moment) -> bool:
        """Return whether people pay or move something for a new ruling: it stands until an act, or a touch on it."""
        last = moment.log[-1].public if self._fresh and moment.log else ()
        return pays(moment, last) or moves(moment, last)

    def _mark_read(self, *_: object) -> None:
        """Treat the new ruling as read."""
        self._fresh = False
        if self.app.page is self:
            self._show_line(self.app.moment())

    def _touch_ruling(self) -> None:
        """Dismiss a new ruling that hides a lesson or the hand; otherwise ask why."""
        moment = self.app.moment()
        waits = self._fresh and (self._show_lesson(moment) or (self.hand is not None and self.hand.dealt_out))
        if waits:
            self._read()
        else:
            self.app.go("why")

    def _read(self) -> None:
        """Give the line to the lesson or the hand at once."""
        self._put_off.cancel()
        self._mark_read()

    def _ask_why(self) -> None:
        """Explain what stands in the line: the last ruling, or the rule that a lesson cites."""
        moment, lessons = self.app.moment(), self.app.evening.lessons
        lesson = lessons.look(moment.game, moment.known) if lessons and self.lesson.parent is self.said else None
        if lesson:
            self.app.go("rules", game=moment.game, rule=lesson.rule, back=partial(self.app.go, "table"))
        else:
            self.app.go("why")

    def _question(self) -> str:
        """Return the question whether the table is unchanged, asked after a game is resumed."""
        return self.say(N_("Welcome back. Is everything still in place? Tap here to check."))

    def _show_changes_or_check(self) -> None:
        self.app.go("goes" if strip(self.app.moment(), self.app.match.turned.goes) else "check")

    def _confirm_in_place(self, done: bool = True) -> None:
        """Put the list away, or answer whether it was carried out before."""
        self._fresh = False
        self.app.match.turned.answer(done=done)
        self.app.paint()

    # -- lessons -------------------------------------------------------------------------------------------------

    def _show_lesson(self, moment: Moment) -> bool:
        """Show the lesson for newcomers that is due; return whether there is one.

        No lesson is shown while pieces go back, or until the players have looked at the end of a round.
        """
        lessons = None if self._hand_stays() else self.app.evening.lessons
        lesson = lessons.look(moment.game, moment.known) if lessons else None
        if lesson:
            self.lesson.show(lesson_of(moment, lesson))
        return bool(lesson)

    def _lay_lesson(self, *_: object) -> None:
        """Put the lesson on the board's free place, or take it off; without such a place it waits for one."""
        place = self.board.free() if self._on_board else None
        if place is None:
            self.slot.remove_widget(self.lesson)
            self.lesson.fill()
            return
        self.said.remove_widget(self.lesson)
        if not self.lesson.parent:
            self.slot.add_widget(self.lesson)
        self.lesson.lie(place)

    def _hand_stays(self) -> bool:
        return bool(getattr(self.board, "stays", False))

    def _end_lesson(self) -> None:
        assert self.app.evening.lessons
        self.app.evening.lessons.put_away()
        self.show()

    # -- fingers and keys ----------------------------------------------------------------------------------------

    def _seat_tapped(self, seat: str) -> None:
        """Do what a tap on a seat means now: open a page, or leave it to the board."""
        opened = self.face.tapped(self.app.moment(), seat)
        if opened:
            self.app.go(opened[0], **opened[1])
        else:
            self.board.tap_seat(seat)

    def tell(self, word: str, seat: str | None) -> None:
        self.app.go("why", number=(word, seat))

    def key(self, key: int, down: bool, edge: bool = True) -> bool:
        return self.hand.key(key, down, edge) if self.hand else False
