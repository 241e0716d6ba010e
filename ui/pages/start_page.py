"""The start, the menus of the start and of the table, and the page of the hardware."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.dialogues.power import OFF, QUIT
from companion.games import guide_of
from companion.rules import N_, AnyGame
from companion.rules.mistakes import Mistakes
from companion.rules.words import device, message, title
from companion.voice.choices import voiced
from ui import theme
from ui.page import App, Cable, Page, Sheet
from ui.pages import start
from ui.pages.beginning import begin
from ui.pages.device_row import DeviceRow
from ui.pages.device_state import DeviceState
from ui.pages.start import LastTable, OpenGame
from ui.theme import TextSize
from ui.widgets.box import column, high, row, swap, wide
from ui.widgets.leaves import Leaves
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.spine import Control
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text

if TYPE_CHECKING:
    from ui.pages.in_hall import RoundOffer


class GameStrip(Touchable):
    """The first offer in a word and a line: the current game in the colour of the player to move, or a seated round."""

    def __init__(self, act: Callable[[], object], words: str = "") -> None:
        super().__init__(act)
        self.back = Backdrop(self, theme.now.seal, theme.now.rim)
        ink = theme.now.on_seal
        self.line = Text("", most=TextSize.TEXT, ink=ink)
        self.head = Text(words, most=TextSize.HEAD, bold=True, ink=ink, lines=1)
        self.seats = wide(row(gap=4), 0)
        self.shapes = [wide(Shape(ink=ink), 24) for _ in range(7)]
        first = high(row(self.head, self.seats), theme.above(TextSize.HEAD) + 6)
        self.add_widget(column(first, self.line, gap=0, pad=(theme.EDGE, 6), pos_hint={"x": 0, "y": 0}))

    def show(self, line: str, seats: Sequence[str] = (), turn: str = "", shorter: str = "") -> None:
        """Show the line with the playing `seats`; `turn` is the seat to move, if known."""
        self.line.show(line, shorter=shorter)
        ink = theme.on_seat(turn) if turn else theme.now.on_seal
        self.back.paint(*(theme.SEATS[turn], theme.now.ink) if turn else (theme.now.seal, theme.now.rim))
        for text in (self.head, self.line):
            text.color = theme.rgba(ink)
        self.seats.clear_widgets()
        for shape, seat in zip(self.shapes, seats, strict=False):
            shape.seat, shape.fill, shape.ink = seat, (ink if turn else ""), ink
            self.seats.add_widget(shape)
        self.seats.width = dp(28) * len(seats)


class OpenRow(Touchable):
    """Another game that can be continued: which one, since when and who plays it."""

    def __init__(self, go_on: Callable[[int], object]) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel, theme.now.line)
        self.game = Text("", most=TextSize.TEXT, bold=True, lines=1)
        self.when = Text("", most=TextSize.LABEL, lines=1, align="right", ink=theme.now.muted)
        self.who = Text("", most=TextSize.TEXT, cuts=True)
        first = high(row(self.game, self.when), theme.above(TextSize.TEXT))
        self.add_widget(column(first, self.who, gap=0, pad=(theme.PAD, 2), pos_hint={"x": 0, "y": 0}))
        self._go_on = go_on

    def show(self, of: OpenGame) -> None:
        self.game.show(of.game)
        self.when.show(of.when, shorter=of.day)
        self.who.show(of.who)
        self.act = partial(self._go_on, of.number)


def emblem() -> Widget:
    """Return the shapes of five seats in a row."""
    return row(*(wide(Shape(seat), 20) for seat in ("red", "blue", "green", "yellow", "purple")), Widget())


DATA = "data"
"""The board's data of the first game that has some; the page leads to the others."""

PLACES = (
    (N_("History"), "history"),
    (N_("Series"), "series"),
    (N_("Deck"), "deck"),
    (N_("Phones"), "phones"),
    (N_("Settings"), "settings"),
    (N_("Rules"), "rules"),
)
"""The pages that the start page's menu leads to; the way out comes last."""
LOOK_S = 2.0
"""Seconds between two looks whether something has been plugged in."""
ROW = 56
"""The height of another game that can be continued, in dp."""
STRIP = 120
"""The height of what is offered first, in dp."""
GAME = 56
"""The height of a tile that begins a game, in dp."""
CODED = 150
"""The width of the code that leads to the hall's board, in dp."""


def turn(app: App, page: str) -> None:
    """Turn to a page of the menu."""
    if page == DATA:
        from ui.games.face import with_data

        found = with_data([game.name for game in app.evening.games])
        page = f"{found[0]}.{DATA}" if found else app.home
    app.go(page, **({"begins": False} if page == "setup" else {}))


def next_round(app: App) -> RoundOffer | None:
    """Return the round that the hall has seated here and that has not begun.

    Without a round the module with its texts is not loaded.
    """
    if not app.evening.seated:
        return None
    from ui.pages import in_hall

    return in_hall.waits(app.evening, app.lang)


class StartPage(Page):
    """The first page of the evening: the games that wait, the last table again, or a new one; a menu has the rest."""

    def build(self) -> None:
        upright = self.app.upright
        self.head = Text("Tabularium", most=TextSize.CARD, bold=True, lines=1, upright="bottom")
        self.sub = Text(most=TextSize.TEXT, upright="top")
        self.emblem = high(emblem(), 22)
        self.go_on = GameStrip(self._resume, self.say(N_("Continue")))
        self.seated = GameStrip(self._sit_down)
        self.new = Tap(self.say(N_("New game")), self._offer_last_table, most=TextSize.HEAD)
        self.last = GameStrip(self._begin_again)
        self.again = Tap("", self._begin_again, most=TextSize.TEXT)
        self.strips = (column if upright else row)(gap=theme.PAD)
        self.side = column()
        """The new game, and above it the last table again where a game waits."""
        self.others = Text(self.say(N_("Other unfinished games")), most=TextSize.TEXT, lines=1, ink=theme.now.muted)
        self.list = Paged(lambda: OpenRow(self._resume), self.say, theme.grown(ROW))
        self.refused = Text("", most=TextSize.TEXT, ink=theme.now.stop)
        self.refused.bind(text=lambda line, text: high(line, theme.above(TextSize.TEXT, 2) if text else 0))
        self._coded: tuple[str, Widget] | None = None  # the address of the hall's board, and its QR code
        self.games = GridLayout(cols=2 if upright else 5, spacing=dp(theme.GAP))
        for game in self.app.evening.games:
            self.games.add_widget(Tap(title(game, self.app.lang), partial(self._offer_game, game)))
        high(self.games, 3 * (GAME + theme.GAP) - theme.GAP if upright else GAME)
        self.titled = column(self.head, self.emblem, self.sub, gap=theme.PAD)
        self.above = row(self.titled, gap=theme.EDGE)
        content = column(self.above, self.strips, high(self.refused, 0), gap=theme.PAD, pad=theme.EDGE * 1.5)
        self.plugged = high(Tap("", partial(self.app.go, "set_up", look=True), most=TextSize.TEXT), 60)
        self.content = content
        self.frame(content)
        self.menu = Control("menu", self.say(N_("Menu")), partial(self.app.go, "more"))
        self.spine.show([None, None, None, None, self.menu])

    def turns(self, leaves: Leaves) -> None:
        """Let the controls at the side turn the list of games."""
        up = Control("up", self.say(N_("Up")), leaves.turn_back if leaves.before else None) if leaves.many else None
        down = Control("down", self.say(N_("Down")), leaves.turn_on if leaves.after else None) if leaves.many else None
        self.spine.show([None, None, up, down, self.menu])

    def enter(self) -> None:
        self.app.home = "start"
        self.refused.show("")
        self.waiting = [start.waiting(of, self.app.lang) for of in self.app.evening.paused()]
        self.list.from_the_top()
        Clock.schedule_interval(self._offer_arrivals, LOOK_S)

    def leave(self) -> None:
        self.app.evening.note = None
        Clock.unschedule(self._offer_arrivals)

    def _offer_arrivals(self, _: float) -> None:
        """Offer newly plugged-in devices until they are unplugged."""
        text = start.plugged(self.app.set_up.arrived()) if self.app.set_up else ""
        if text and not self.plugged.parent:
            self.plugged.show(self.say(text))
            self.content.add_widget(self.plugged)
        elif not text and self.plugged.parent:
            self.content.remove_widget(self.plugged)

    def show(self) -> None:
        line, seats, turn = self._game_here()
        others = self.waiting
        if not line and others:
            first, *others = others
            line, seats = first.line, first.seats
        self.go_on.show(line, seats, turn)
        waits = next_round(self.app)
        self._show_last_table(None if waits else start.last_table(self.app.evening, self.app.lang), bool(line))
        if waits:
            self.seated.head.show(waits.text)
            self.seated.show(waits.spare or waits.who, shorter=waits.spare or waits.short)
        self.new.show(self.new.words.text, kind="plain" if line or waits or self.table else "main")
        offers = ((self.go_on, line), (self.seated, waits), (self.last, self.table and not line))
        self._show_strips([*(strip for strip, wanted in offers if wanted), self.side])
        self._show_board()
        self._show_others(others)
        note = self.app.evening.note
        motto = self.say(N_("The referee at the table: real cards, real pawns, real chips."))
        self.sub.show(message(note, self.app.lang) if note else motto)
        self.sub.color = theme.rgba(theme.now.ink if note else theme.now.muted)

    def _show_last_table(self, found: LastTable | None, beside: bool) -> None:
        """Offer the table that played last; `beside` a game that waits it is a control of half the height."""
        self.table = found
        if found:
            self.last.head.show(found.text)
            self.last.show(found.who)
            again = self.say(N_("{again} – {who}"), again=found.text, who=found.who)
            self.again.show(again, shorter=(found.text,))
        wanted = [self.again, self.new] if found and beside else [self.new]
        if self.side.children[::-1] != wanted:
            self.side.clear_widgets()
            for tap in wanted:
                self.side.add_widget(tap)

    def _show_others(self, others: Sequence[OpenGame]) -> None:
        """List the other games that can be continued; they take the room of the title's signs and motto."""
        self.list.show(others)
        for part, box, index, wanted in (
            (self.others, self.content, 1, others),
            (self.list, self.content, 1, others),
            (self.sub, self.titled, 0, not others or self.app.evening.note),
            (self.emblem, self.titled, 1, not others),
            (self.games, self.titled, 0, not others and not self.app.evening.note and not self._coded),
        ):
            if bool(wanted) != bool(part.parent):
                (partial(box.add_widget, part, index=index) if wanted else partial(box.remove_widget, part))()
        high(self.others, theme.above(TextSize.TEXT))
        if others:
            told = theme.above(TextSize.TEXT, 2) + theme.PAD if self.sub.parent else 0
            high(self.above, max(theme.above(TextSize.CARD) + told, CODED + 30 if self._coded else 0))
        else:
            self.above.size_hint_y = 1

    def _show_board(self) -> None:
        """Show the QR code of the hall's board, if the table belongs to a hall."""
        address = self.app.evening.hall.board if self.app.evening.hall else ""
        if address == (self._coded[0] if self._coded else ""):
            return
        if self._coded:
            self.above.remove_widget(self._coded[1])
        self._coded = (address, self._code_column(address)) if address else None
        if self._coded:
            self.above.add_widget(self._coded[1])

    def _code_column(self, address: str) -> Widget:
        from ui.widgets.code import Code  # imported late: a table without a hall needs no QR code

        code, words = Code(), Text(self.say(N_("The hall's board")), most=TextSize.LABEL, align="center", lines=1)
        code.show(address)
        return wide(column(Widget(), high(code, CODED), high(words, theme.above(TextSize.LABEL)), gap=2), CODED)

    def _show_strips(self, strips: Sequence[Widget]) -> None:
        if self.strips.children[::-1] != [*strips]:
            self.strips.clear_widgets()
            for strip in strips:
                strip.size_hint_x = 1 if self.app.upright or strip is not self.side or len(strips) == 1 else 0.45
                self.strips.add_widget(strip)
            rows = len(strips) if self.app.upright else 1
            high(self.strips, rows * theme.grown(STRIP) + (rows - 1) * theme.PAD)

    def _game_here(self) -> tuple[str, Sequence[str], str]:
        """Return the game on the table in a line, its seats and the seat to move; empty if there is none."""
        match = self.app.evening.match
        if not match or match.view["over"]:
            return "", (), ""
        from ui.table import frame  # imported late: a start without a game needs no table

        band = frame.band(self.app.moment())
        name = title(match.game, self.app.lang)
        if band.seat:
            text = self.say(N_("{game}. {move}"), game=name, move=band.sentence)
        else:
            text = self.say(N_("{game}: the game on the table"), game=name)
        return text, match.header.seats, band.seat

    def _offer_last_table(self) -> None:
        """Offer the last table again."""
        self.app.pages.pop("new", None)
        self.app.go("new")

    def _offer_game(self, game: AnyGame) -> None:
        """Offer the last table for this game."""
        self.app.pages.pop("new", None)
        self.app.go("new", game=game)

    def _sit_down(self) -> None:
        """Take the round that the hall has seated."""
        waits = next_round(self.app)
        refused = self._take_over() if waits and waits.spare else None
        if refused == "":
            self.app.go("table")
            return
        if waits and refused:  # that page also offers "Already begun"
            self.app.go("options", draft=waits.draft)
            self.app.page.refusal = refused
            self.app.paint()
            return
        self.app.pages.pop("new", None)
        self.app.go("new", draft=waits.draft if waits else None)

    def _take_over(self) -> str:
        """Take over the game of another table; return why that is not possible, "" when it has been done."""
        try:
            self.app.evening.go_on()
        except (LookupError, Mistakes) as error:
            return str(error)
        return ""

    def _begin_again(self) -> None:
        """Begin another game of the table that played last."""
        if self.table:
            self.refused.show(begin(self.app, self.table.header))

    def _resume(self, number: int | None = None) -> None:
        """Continue the game with this number, or else the one on the table or the newest that waits."""
        try:
            if number is not None or not self._game_here()[0]:
                self.app.evening.resume(number)
        except (LookupError, OSError, ValueError) as error:
            self.refused.show(str(error))
            return
        self.app.go("table")


class MenuPage(Sheet):
    """Everything that is no game: what was played, the deck, the settings, the rules, and the way out."""

    title = N_("Menu")

    def fill(self) -> None:
        grid = GridLayout(cols=2 if self.app.upright else 3, spacing=dp(8))
        self.tiles = {
            page: Tap(self.say(text), partial(turn, self.app, page), most=TextSize.HEAD)
            for text, page in PLACES
            if page != "phones" or self.app.services.phones
        }
        for tile in self.tiles.values():
            grid.add_widget(tile)
        out = OFF if self.app.services.machine.off else QUIT
        grid.add_widget(Tap(self.say(out), partial(self.app.go, "power"), most=TextSize.HEAD))
        self.body.add_widget(grid)

    def show(self) -> None:
        series = self.tiles["series"]
        series.show(series.words.text, disabled=self.app.evening.match is None)


def way_out(app: App) -> Widget:
    """Return the control that leaves the program, for the top of a page."""
    text = OFF if app.services.machine.off else QUIT
    tap = Tap(app.say(text), partial(app.go, "power"), kind="quiet", pos_hint={"top": 1})
    return wide(high(tap, theme.TOUCH), 130)


class PausePage(Sheet):
    """The menu of a game, which waits meanwhile; after its end it leads back to the result."""

    title = N_("Menu")

    def fill(self) -> None:
        self.titled.add_widget(way_out(self.app))
        grid = GridLayout(cols=2 if self.app.upright else 3, spacing=dp(8))
        self.on = Tap("", kind="main", most=TextSize.HEAD)
        grid.add_widget(self.on)
        for text, page, kind in (
            (N_("Rules"), "rules", "plain"),
            (N_("Set-up"), "setup", "plain"),
            (N_("Check the table"), "check", "plain"),
            (N_("The table decides"), "decide", "plain"),
            (N_("Mistake"), "wrong", "plain"),
            *([(N_("Phones"), "phones", "plain")] if self.app.services.phones else []),
            (N_("Settings"), "settings", "plain"),
            (N_("Leave the table"), "start", "plain"),
        ):
            grid.add_widget(Tap(self.say(text), partial(turn, self.app, page), kind=kind, most=TextSize.HEAD))
        self.teach = Tap("", self._teach, most=TextSize.HEAD)
        grid.add_widget(self.teach, index=len(grid.children) - 3)
        self.mute, self.again = (
            Tap(self.say(text), act, most=TextSize.HEAD)
            for text, act in ((N_("Mute"), self._mute), (N_("Say it again"), self._say_again))
        )
        self.grid = grid
        self.note = high(Text(self.say(N_("Everything is saved: stop now and carry on here another evening.")),
                              most=TextSize.TEXT, ink=theme.now.muted), theme.above(TextSize.TEXT, 2))  # fmt: skip
        for part in (grid, self.note):
            self.body.add_widget(part)

    def show(self) -> None:
        over = self.app.match.view["over"]
        self.on.show(self.say(N_("Back to the result") if over else N_("Continue")))
        self.on.act = partial(self.app.go, "end" if over else "table")
        lessons = self.app.evening.lessons
        has_some = bool(guide_of(self.app.match.game.name).lessons)
        on = lessons is not None and not lessons.over
        self.teach.show(self.say(N_("Lessons: on") if on else N_("Lessons: off")), not has_some, chosen=on)
        voice = voiced(self.app.services.voice)
        for tap in (self.mute, self.again):
            if (voice is not None) != bool(tap.parent):
                (self.grid.add_widget if voice else self.grid.remove_widget)(tap)
        wanted = voice is None and not over  # two tiles more need its room
        if wanted != bool(self.note.parent):
            (self.body.add_widget if wanted else self.body.remove_widget)(self.note)
        if voice:
            muted = voice.choices.muted
            self.mute.show(self.say(N_("Muted") if muted else N_("Mute")), chosen=muted)
            self.again.show(self.again.words.text, disabled=muted)

    def _mute(self) -> None:
        if voice := voiced(self.app.services.voice):
            voice.choose(replace(voice.choices, muted=not voice.choices.muted))
            self.show()

    def _say_again(self) -> None:
        if voice := voiced(self.app.services.voice):
            voice.again()

    def _teach(self) -> None:
        self.app.evening.teach(not self.teach.chosen)
        self.show()


LEADS = (
    (N_("Doctor"), "doctor", N_("Checks every part and says what to do.")),
    (N_("The first hour"), "hour", N_("Measures a new reader, step by step.")),
    (N_("Set up"), "set_up", N_("Finds what is wired and assigns it to the seats.")),
    (N_("Report"), "report", N_("Writes a file to send in when something fails.")),
    (N_("Update"), "update", N_("Installs a new version from a USB stick or the network.")),
)
"""The pages that the hardware leads to, and what each is for."""
MANY = 3
"""The number of those pages side by side upright."""


class HardwarePage(Sheet):
    """Readers, buttons and lamps, and what to do about those that are not well."""

    title = N_("Hardware")

    def fill(self) -> None:
        self.note = high(Text("", most=TextSize.TEXT, ink=theme.now.muted), theme.above(TextSize.TEXT, 2))
        self.list = Paged(DeviceRow, self.say, theme.above(TextSize.LABEL, 4 if self.app.upright else 3) + 8)
        app, abreast = self.app, MANY if self.app.upright else len(PLACES)
        here = {"doctor": app.services.doctor, "hour": app.hour, "set_up": app.set_up, "report": app.services.report,
                "update": app.services.updates}  # fmt: skip
        leads = [(self.say(text), partial(app.go, page), self.say(why)) for text, page, why in LEADS if here[page]]
        taps = [Tap(text, act) for text, act, _ in leads]
        rows = [high(row(*taps[at : at + abreast]), theme.TOUCH) for at in range(0, len(taps), abreast)]
        self.listed = column(*rows, self.list)
        told = [row(wide(Tap(text, act), theme.grown(150)), Text(why, most=TextSize.TEXT), gap=theme.PAD)
                for text, act, why in leads]  # fmt: skip
        self.told = column(*(high(line, theme.grown(60)) for line in told), Widget())
        cables = self.app.dock.cables if self.app.dock else {}  # of the virtual table's hubs, to be pulled by finger
        self.cables = [(hub, cable, Tap("", partial(self._plug_in, cable))) for hub, cable in cables.items()]
        self.body.add_widget(self.note)
        if self.cables:
            self.body.add_widget(high(row(*(tap for _, _, tap in self.cables)), theme.TOUCH))
        self.stage = BoxLayout()
        self.body.add_widget(self.stage)

    def _plug_in(self, cable: Cable) -> None:
        (cable.unplug if cable.plugged else cable.plug)()
        self.show()

    def show(self) -> None:
        for hub, cable, tap in self.cables:
            text = N_("Unplug hub {hub}") if cable.plugged else N_("Plug in hub {hub}")
            tap.show(self.say(text, hub=hub), kind="plain" if cable.plugged else "main")
        health = self.app.evening.devices.health.values()
        sick = sum(not device.well for device in health)
        none = N_("No device has reported a fault. The doctor shows the state of each part.")
        well, ill = N_("All devices are OK."), N_("Faults: {sick}. Play on, and use the screen instead.")
        self.note.show(self.say(ill if sick else well if health else none, sick=sick))
        words = {True: self.say(N_("OK")), False: self.say(N_("fault"))}
        lang = self.app.lang
        rows = [
            *(DeviceState(words[d.well], device(d.device, lang), message(d.detail, lang), d.well)
              for d in sorted(health, key=lambda d: d.well)),
            *self._hall_line(),
        ]  # fmt: skip
        self.list.show(rows)
        swap(self.stage, self.listed if rows else self.told)

    def _hall_line(self) -> Sequence[DeviceState]:
        """Return the table's hall as a line of the list, if there is one."""
        from ui.pages import in_hall

        return [in_hall.device(self.app.evening.hall, self.app.lang)] if self.app.evening.hall else []
