"""A new game: who sits where, and by which variants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import SystemRandom

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.dialogues import table_draft
from companion.dialogues.table_draft import TableDraft
from companion.rules import N_, AnyGame
from companion.rules.mistakes import Mistakes
from companion.rules.words import title
from ui import theme
from ui.layout import BETWEEN
from ui.page import Sheet
from ui.pages import in_hall, new_game
from ui.pages.beginning import begin
from ui.pages.in_hall import RoundOffer
from ui.pages.new_game import Chair, OptionChoice
from ui.theme import TextSize
from ui.widgets.box import column, high, panel, put, row, wide
from ui.widgets.flow import Flow
from ui.widgets.icon import Earphone
from ui.widgets.short_names import short_names
from ui.widgets.spine import Control
from ui.widgets.tap import Tap
from ui.widgets.text import Text, broad, long, tall


class ChairRow(BoxLayout):
    """A seat as its tile will stand at the table: its place in the order, its name, and the way out."""

    def __init__(self, page: NewGamePage) -> None:
        super().__init__(spacing=dp(theme.GAP))
        self.number = wide(Text("", most=TextSize.TEXT, bold=True, lines=1, align="center", ink=theme.now.muted), 20)
        self.tap = Tap("", most=TextSize.TEXT)
        self.tap.words.cuts = True  # as in the seat's tile
        self.out = wide(Tap("×", most=TextSize.HEAD, kind="quiet"), theme.TOUCH)
        self.ear = wide(Earphone(), 0)
        self.page = page
        for child in (self.number, self.ear, self.tap, self.out):
            self.add_widget(child)

    def show(self, at: int, chair: Chair, chosen: bool) -> None:
        self.number.show(str(at))
        self.ear.width = dp(24 if chair.ear else 0)
        self.ear.show(chair.ear)
        self.tap.show(chair.text, seat=chair.seat, chosen=chosen)
        self.tap.act = partial(self.page.turn_to, chair.seat)
        self.out.act = partial(self.page.stand, chair.seat)
        if chair.fixed == bool(self.out.parent):
            (self.remove_widget if chair.fixed else self.add_widget)(self.out)


class GameTile(Tap):
    """A game, and for how many players it is."""

    def __init__(self, name: str, players: str, act: Callable[[], object]) -> None:
        super().__init__(name, act, most=TextSize.TEXT)
        self.players = Text(players, most=TextSize.LABEL, lines=1, align="center", size_hint=(None, None))
        self.add_widget(self.players)
        self._arrange()

    def _arrange(self, *_: object) -> None:
        if hasattr(self, "players"):
            pad, side = dp(4), long(self.players.text, TextSize.LABEL) + dp(4)
            put(self.words, self.x + pad, self.y, self.width - side - pad, self.height)
            put(self.players, self.x + self.width - side, self.y, side, self.height)

    def _dress(self, *_: object) -> None:
        super()._dress()
        if hasattr(self, "players"):
            self.players.color = self.words.color


class OptionRow(BoxLayout):
    """An option: what it does, and its values."""

    def __init__(self, page: OptionsPage) -> None:
        upright = page.app.upright
        super().__init__(spacing=dp(theme.GAP), orientation="vertical" if upright else "horizontal",
                         padding=(dp(theme.PAD), dp(2)))  # fmt: skip
        self.back = panel(self)
        self.page = page
        self.text = Text("", most=TextSize.TEXT)
        self.taps = [Tap("") for _ in range(3)]
        self.values = row(gap=4, size_hint_x=1 if upright else theme.either(0.65, 0.58))
        if upright:
            high(self.values, theme.TOUCH)
        self.add_widget(self.text)
        self.add_widget(self.values)

    def tall(self, choice: OptionChoice, width: float) -> float:
        """Return the height that the words need, in pixels."""
        room, upright = width - 2 * dp(theme.PAD), self.page.app.upright
        if not upright:
            room = (room - dp(theme.GAP)) / (1 + self.values.size_hint_x)
        words = tall(choice.text, self.page.step, room)
        below = dp(theme.TOUCH + theme.GAP) if upright else 0
        value = max(theme.TOUCH, theme.above(TextSize.LABEL, 2) + 4)  # of two words on two lines
        return float(max(words, 0 if upright else dp(value)) + below + dp(4))

    def show(self, choice: OptionChoice) -> None:
        self.text.show(choice.text, most=self.page.step)
        self.text.color = theme.rgba(theme.now.muted if choice.off else theme.now.ink)
        for at, tap in enumerate(self.taps):
            wanted = at < len(choice.values)
            if wanted:
                value, words, chosen = choice.values[at]
                tap.show(words, disabled=choice.off, chosen=chosen and not choice.off)
                tap.size_hint_x = max(dp(theme.TOUCH), broad(words, TextSize.LABEL)) + dp(2 * theme.GAP)
                tap.act = partial(self.page.choose, choice.name, value)
            if wanted != bool(tap.parent):
                (self.values.add_widget if wanted else self.values.remove_widget)(tap)


BESIDE = 2
"""The number of known players that stand beside the round that the hall has seated."""
PADS = 12
"""The number of names and colours offered at most."""
COUNTS = 5
"""The number of different numbers of players at most."""
GAME = 50
"""The height of a game, in dp."""


class NewGamePage(Sheet):
    """Which game, and who sits where: the seats clockwise as they will stand at the table, and beside them who comes.

    A touch on a seat offers names for it.
    """

    title = N_("New game: who sits where?")

    def fill(self) -> None:
        evening, upright = self.app.evening, self.app.upright
        last = evening.regulars.last_table
        reveal = evening.fitting_reveal(last["seats"] if last else evening.devices.phones)
        self.draft: TableDraft = table_draft.draft(evening.games, last, reveal)
        self.seat = ""  # the one that is being named
        self.lot = ""  # who was drawn to begin
        self.count = Text("", most=TextSize.TEXT, ink=theme.now.muted)
        self.pads = [Tap("", most=TextSize.TEXT) for _ in range(PADS)]
        self.known = GridLayout(cols=theme.either(3, 2) if upright else 4, spacing=dp(BETWEEN), size_hint_y=None,
                                row_default_height=dp(theme.TOUCH), row_force_default=True)  # fmt: skip
        self.known.bind(minimum_height=self.known.setter("height"))
        self.seated = high(Tap("", self._take_seated_round, most=TextSize.TEXT), theme.TOUCH)
        self.chairs = [ChairRow(self) for _ in range(7)]
        self.rail = column(gap=2)
        self.counts = [Tap("", most=TextSize.TEXT, size_hint_max_y=dp(72)) for _ in range(COUNTS)]
        self.table = row(gap=BETWEEN) if upright else column(gap=BETWEEN)
        """The numbers of players, while nobody sits at the table."""
        self.draw = wide(Tap(self.say(N_("Draw who begins")), self._draw_lots, most=TextSize.TEXT), theme.grown(180))
        self.vary = Tap(self.say(N_("Variants …")), self._open_options, most=TextSize.TEXT, size_hint_x=0.8)
        self.begin = BeginTaps(self.say, self._begin)
        self.taps = [
            (game, GameTile(title(game, self.app.lang), new_game.players(game), partial(self.play, game)))
            for game in evening.games
        ]
        games = GridLayout(cols=3, spacing=dp(BETWEEN), size_hint_y=None, row_default_height=dp(GAME),
                           row_force_default=True)  # fmt: skip
        games.bind(minimum_height=games.setter("height"))
        if len(self.taps) > 1:
            for _, tap in self.taps:
                games.add_widget(tap)
        high(self.count, theme.above(TextSize.TEXT, 2))
        foot = high(row(self.vary, *self.begin.taps, gap=BETWEEN), theme.either(52, 60))
        if upright:
            self.offers = column(self.count, self.known, Widget())
            for part in (games, high(self.rail, 0), self.offers, foot):
                self.body.add_widget(part)
        else:
            self.offers = column(games, self.count, self.known, Widget(), foot)
            self.body.add_widget(row(wide(self.rail, theme.either(226, 222)), self.offers, gap=theme.PAD))

    def enter(self, player: tuple[str, str] | None = None, draft: TableDraft | None = None,
              game: AnyGame | None = None) -> None:  # fmt: skip
        self.draft, self.seat, self.lot, self.refusal = draft or self.draft, "", "", ""
        if game:
            self.draft = table_draft.play(self.draft, game)
        if player:
            self.draft = table_draft.call(self.draft, *player)

    def show(self) -> None:
        draft, lang = self.draft, self.app.lang
        for game, tap in self.taps:
            tap.show(title(game, lang), chosen=game is draft.game)
        offered = in_hall.offered(self.app.evening, lang)
        waits = bool(offered and not offered.begun and in_hall.differs(draft, offered))
        told = new_game.drawn(draft, self.lot, lang) if self.lot else new_game.count(draft, lang)
        if self.seat:
            told = self.say(N_("Who plays {seat}?"), seat=self.seat)
        self.count.show(self.refusal or f"{told} {in_hall.remark(draft, offered, lang)}".strip())
        ready = table_draft.ready(draft)
        self.vary.show(self.vary.words.text, disabled=not ready)
        new = draft.game.name not in self.app.evening.regulars.begun
        self.begin.show(draft, new=new, main=not waits)
        self._show_draw(ready and not draft.game.fixed)
        self._show_seated(offered if offered and (waits or offered.begun) else None)
        chairs = new_game.chairs(draft, lang, self.app.evening.ears)
        self._show_pads(
            0 if waits else BESIDE if offered else PADS, self._names_and_colours_fit(len(chairs), bool(offered))
        )
        tall = dp(theme.TOUCH if self.app.upright else 52)
        wanted = self.chairs[: len(chairs)]
        for at, (line, chair) in enumerate(zip(wanted, chairs, strict=True), start=1):
            line.show(at, chair, chair.seat == self.seat)
            line.size_hint_y, line.height = None, tall
        self._show_counts()
        filling = [*wanted, Widget()] if wanted else [self.table]
        if self.app.upright:
            high(self.rail, (theme.TOUCH + 2) * max(1, len(wanted)))
        if self.rail.children[::-1][:-1] != wanted or not wanted:
            self.rail.clear_widgets()
            for line in filling:
                self.rail.add_widget(line)

    def _show_draw(self, wanted: bool) -> None:
        if wanted != bool(self.draw.parent):
            (self.titled.add_widget if wanted else self.titled.remove_widget)(self.draw)

    def _show_counts(self) -> None:
        """Offer to seat so many players at once."""
        self.table.clear_widgets()
        for tap, (words, count) in zip(self.counts, new_game.counts(self.draft, self.app.lang), strict=False):
            tap.show(words, shorter=(str(count),))
            tap.act = partial(self._seat, count)
            self.table.add_widget(tap)
        if not self.app.upright:
            self.table.add_widget(Widget(size_hint_y=0.01))

    def _names_and_colours_fit(self, chairs: int, offered: bool) -> int:
        """Return how many names and colours fit."""
        rows = theme.either(3, 2) - offered
        if self.app.upright:
            left = theme.either(407, 350) - (theme.TOUCH + 2) * (max(1, chairs) + offered)
            rows = max(1, int(left // (theme.TOUCH + BETWEEN)))
        return min(PADS, rows * int(self.known.cols))

    def _show_pads(self, most: int, room: int) -> None:
        """Offer names for the touched seat; without one, known players and the free colours."""
        draft, lang = self.draft, self.app.lang
        regulars = self.app.evening.regulars
        pads: list[tuple[str, str, Callable[[], object] | None]] = []
        if self.seat:
            free = [player for player in regulars.names if player not in draft.players.values()]
            pads = [(player, "", partial(self._name_seat, player)) for player in free[: room - 1]]
            pads.append((self.say(N_("Another name")), "", partial(self.name_player, self.seat)))
        else:
            known = table_draft.known(draft, regulars.colours)[:most]
            pads = [(player, seat, partial(self._seat_player, player, seat)) for player, seat in known]
            colours = new_game.colours(draft, lang)
            if len(colours) + len(pads) > room:  # too many: drop the taken colours
                colours = [colour for colour in colours if colour[2]]
            pads = pads[: max(0, room - len(colours))]
            pads += [(name, seat, partial(self.sit, seat) if can else None) for name, seat, can in colours]
        taps = self.pads[: len(pads)]
        short = short_names({words: words for words, *_ in pads})
        for tap, (words, seat, act) in zip(taps, pads, strict=True):
            tap.show(words, seat=seat, disabled=act is None, shorter=short[words] if seat else ())
            tap.act = act
        if self.known.children[::-1] != taps:
            self.known.clear_widgets()
            for tap in taps:
                self.known.add_widget(tap)

    def _show_seated(self, offered: RoundOffer | None) -> None:
        """Offer the round that the hall has seated; once it has begun, other players find room beside it."""
        if offered:
            self.seated.show(offered.whole, kind="plain" if offered.begun else "main")
            self.seated.words.show(offered.whole, shorter=offered.text)
        if bool(offered) != bool(self.seated.parent):
            at = len(self.offers.children)
            self.offers.add_widget(self.seated, index=at) if offered else self.offers.remove_widget(self.seated)

    def _take_seated_round(self) -> None:
        if offered := in_hall.offered(self.app.evening, self.app.lang):
            self.change(offered.draft)

    def _seat(self, count: int) -> None:
        """Seat so many players, by colour alone."""
        evening = self.app.evening
        seats = table_draft.of(self.draft.game, count, {*evening.ears, *evening.devices.phones}).seats
        self.change(replace(self.draft, seats=seats))

    def _seat_player(self, player: str, seat: str) -> None:
        self.change(table_draft.call(table_draft.sit(self.draft, seat), seat, player))

    def _name_seat(self, player: str) -> None:
        self.change(table_draft.call(self.draft, self.seat, player))

    def _draw_lots(self) -> None:
        """Draw by lot who begins; the others follow clockwise as they sit."""
        first = SystemRandom().choice(self.draft.seats)
        self.change(table_draft.first(self.draft, first), lot=first)

    def change(self, draft: TableDraft, lot: str = "") -> None:
        """Take another draft and show it."""
        self.draft, self.seat, self.lot, self.refusal = draft, "", lot, ""
        self.show()

    def play(self, game: AnyGame) -> None:
        """Choose another game for the seated players."""
        self.change(table_draft.play(self.draft, game))

    def sit(self, seat: str) -> None:
        self.change(table_draft.sit(self.draft, seat))

    def stand(self, seat: str) -> None:
        self.change(table_draft.stand(self.draft, seat))

    def turn_to(self, seat: str) -> None:
        """Offer names for this seat, or stop offering them.

        If nobody else has played here yet, the player writes a name at once.
        """
        if not any(player not in self.draft.players.values() for player in self.app.evening.regulars.names):
            self.name_player(seat)
            return
        self.seat = "" if seat == self.seat else seat
        self.show()

    def name_player(self, seat: str) -> None:
        known = [player for player in self.app.evening.regulars.names if player not in self.draft.players.values()]
        self.app.go("write", title=self.say(N_("Who plays {seat}?"), seat=seat), text=self.draft.players.get(seat, ""),
                    known=known, done=lambda said: self.app.go("new", player=(seat, said)))  # fmt: skip

    def _open_options(self) -> None:
        self.app.go("options", draft=self.draft)

    def _begin(self, teach: bool) -> None:
        if refused := begin(self.app, table_draft.header(self.draft), teach):
            self.refusal = refused
            self.show()


class BeginTaps:
    """The ways to begin side by side, the expected one last."""

    def __init__(self, say: Callable[..., str], begin: Callable[[bool], None]) -> None:
        self._say, self._begin = say, begin
        self.taps = [Tap("", most=TextSize.TEXT) for _ in range(2)]

    def show(self, draft: TableDraft, *, new: bool, main: bool = True) -> None:
        """Show the ways for this table; without `main` something else is expected first."""
        ways, ready = table_draft.ways(draft, new)[::-1], table_draft.ready(draft)
        if len(ways) < len(self.taps):  # without lessons there is no help to be had
            ways = [(table_draft.HELPED, True), *ways]
        for tap, (text, teach) in zip(self.taps, ways, strict=True):
            can = ready and (not teach or table_draft.taught(draft))
            tap.show(self._say(text), disabled=not can, kind="main" if main and tap is self.taps[-1] else "plain")
            tap.words.bold = tap.kind == "main"
            tap.act = partial(self._begin, teach)


class OptionsPage(Sheet):
    """The variants: the options, and how cards are turned up."""

    title = N_("New game: variants")

    def fill(self) -> None:
        self.step = TextSize.TEXT
        """The size of the options' words: a step smaller where not all of them have room."""
        self.list = Flow({OptionChoice: lambda: OptionRow(self)}, self.say)
        self.list.bind(size=self._show_choices)
        self.choices: Sequence[OptionChoice] = ()
        self.refused = high(Text("", most=TextSize.TEXT, ink=theme.now.stop), 0)
        self.refused.bind(text=lambda line, text: high(line, theme.grown(22) if text else 0))
        self.middle = Tap(self.say(N_("Already begun")), self._open_editor, most=TextSize.TEXT, size_hint_x=0.8)
        self.begin = BeginTaps(self.say, self._begin)
        self.body.add_widget(self.list)
        self.body.add_widget(self.refused)
        foot = theme.either(56, 72) if self.app.upright else 56
        self.body.add_widget(high(row(self.middle, *self.begin.taps), foot))
        self.ways = (Control("help", self.say(N_("Rules")), self._open_rules), None)

    def enter(self, draft: TableDraft) -> None:
        self.draft, self.refusal = draft, ""
        self.list.turn_to(0)

    def _open_rules(self) -> None:
        self.app.go("rules", game=self.draft.game, back=partial(self.app.go, "options", draft=self.draft))

    def show(self) -> None:
        self.begin.show(self.draft, new=self.draft.game.name not in self.app.evening.regulars.begun)
        offered = in_hall.offered(self.app.evening, self.app.lang)
        other = offered and in_hall.differs(self.draft, offered)
        self.refused.show(self.refusal or (in_hall.remark(self.draft, offered, self.app.lang) if other else ""))
        reveal = [self._reveal_choice()] if self.draft.game.sealed else []
        self.choices = [*new_game.choices(self.draft, self.app.lang), *reveal]
        self._show_choices()

    def _show_choices(self, *_: object) -> None:
        for self.step in (TextSize.TEXT, TextSize.LABEL):
            if self.list.stack.tall(self.choices, self.list.width) <= self.list.height:
                break
        self.list.show(self.choices)

    def _reveal_choice(self) -> OptionChoice:
        values = [(mode, self.say(text), self.draft.reveal == mode) for mode, text in table_draft.REVEALS.items()]
        return OptionChoice("reveal", self.say(table_draft.REVEAL), values, False)

    def choose(self, name: str, value: object) -> None:
        self.draft = (
            replace(self.draft, reveal=str(value)) if name == "reveal" else table_draft.choose(self.draft, name, value)
        )
        self.show()

    def close(self) -> None:
        self.app.go("new", draft=self.draft)

    def _begin(self, teach: bool) -> None:
        self.refusal = begin(self.app, table_draft.header(self.draft), teach)
        if self.refusal:
            self.show()

    def _open_editor(self) -> None:
        """Open the editor on the opening, to enter the position of a game that was begun without the program."""
        table, header = self.draft, table_draft.header(self.draft)
        try:
            draft = self.app.evening.opening(header)
        except Mistakes as mistakes:
            self.refusal = str(mistakes)
            self.show()
            return
        self.app.go("editor", draft=draft, back=partial(self.app.go, "options", draft=table),
                    done=lambda draft: begin(self.app, {**header, "position": draft.position}),
                    word=self.say(N_("Begin here")), players=table.players,
                    board=self.app.evening.boards.of(table.game.name) if table.game.board else None)  # fmt: skip
