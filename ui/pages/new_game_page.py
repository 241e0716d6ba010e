"""A new game: first who sits where, then by which rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from ui.pages.in_hall import RoundOffer
from ui.pages.new_game import Chair, OptionChoice
from ui.theme import TextSize
from ui.widgets.box import column, high, panel, put, row, wide
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
            put(self.words, self.x + pad, self.y, self.width - side - 2 * pad, self.height)
            put(self.players, self.x + self.width - side - pad, self.y, side, self.height)

    def _dress(self, *_: object) -> None:
        super()._dress()
        if hasattr(self, "players"):
            self.players.color = self.words.color


class OptionRow(BoxLayout):
    """An option: what it does, and its values."""

    def __init__(self, page: OptionsPage) -> None:
        super().__init__(spacing=dp(theme.GAP), orientation="vertical" if page.app.upright else "horizontal",
                         padding=(dp(theme.PAD), dp(2)))  # fmt: skip
        self.size_hint_max_y = dp(theme.grown(160 if page.app.upright else 76))
        self.back = panel(self)
        self.page = page
        self.text = Text("", most=TextSize.TEXT)
        self.taps = [Tap("") for _ in range(3)]
        self.values = row(gap=4, size_hint_x=1 if page.app.upright else theme.either(0.65, 0.58))
        if page.app.upright:
            high(self.values, theme.TOUCH)
        self.add_widget(self.text)
        self.add_widget(self.values)
        self.text.bind(width=self._set_height, text=self._set_height)

    def _set_height(self, *_: object) -> None:
        """Give the row the height that its words need."""
        words = max(dp(theme.TOUCH), tall(self.text.text, TextSize.LABEL, self.text.width))
        self.size_hint_y = words + dp(4 + (theme.TOUCH + theme.GAP if self.page.app.upright else 0))

    def show(self, choice: OptionChoice) -> None:
        self.text.show(choice.text)
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
GAME = 50
"""The height of a game, in dp."""


class NewGamePage(Sheet):
    """Which game, and who sits where: the seats clockwise as they will stand at the table, and beside them who comes.

    A touch on a seat offers names for it.
    """

    title = N_("New game: who sits where?")

    def fill(self) -> None:
        evening, upright = self.app.evening, self.app.upright
        self.draft: TableDraft = table_draft.draft(evening.games, evening.regulars.last_table, evening.regulars.reveal)
        self.seat = ""  # the one that is being named
        self.lot = ""  # who was drawn to begin
        self.count = Text("", most=TextSize.TEXT, ink=theme.now.muted)
        self.open = wide(Tap("", partial(self.app.go, "history", unfinished=True)), theme.grown(190))
        self.headline = self.titled
        self.pads = [Tap("", most=TextSize.TEXT) for _ in range(PADS)]
        self.known = GridLayout(cols=theme.either(3, 2) if upright else 4, spacing=dp(BETWEEN), size_hint_y=None,
                                row_default_height=dp(theme.TOUCH), row_force_default=True)  # fmt: skip
        self.known.bind(minimum_height=self.known.setter("height"))
        self.seated = high(Tap("", self._take_seated_round, most=TextSize.TEXT), theme.TOUCH)
        self.chairs = [ChairRow(self) for _ in range(7)]
        self.rail = column(gap=2)
        self.next = Tap(self.say(N_("Next: the rules")), self._open_options, kind="main", most=TextSize.TEXT)
        self.draw = Tap(self.say(N_("Draw who begins")), self._draw_lots, most=TextSize.TEXT)
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
        foot = high(row(self.draw, self.next, gap=BETWEEN), theme.either(52, 56))
        if upright:
            self.offers = column(self.count, self.known, Widget())
            for part in (games, high(self.rail, 0), self.offers, foot):
                self.body.add_widget(part)
        else:
            self.offers = column(games, self.count, self.known, Widget(), foot)
            self.body.add_widget(row(wide(self.rail, theme.either(226, 230)), self.offers, gap=theme.PAD))

    def _show_open(self) -> None:
        """Show the number of unfinished games, which wait in the history; the game on the table is one of them."""
        count = self.open_games
        self.open.show(self.say(N_("Unfinished games: {count}"), count=count))
        if bool(count) != bool(self.open.parent):
            (self.headline.add_widget if count else self.headline.remove_widget)(self.open)

    def enter(self, player: tuple[str, str] | None = None, draft: TableDraft | None = None) -> None:
        self.draft, self.seat, self.lot = draft or self.draft, "", ""
        match = self.app.evening.match
        self.open_games = len(self.app.evening.paused()) + bool(match and not match.view["over"])
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
        self.count.show(f"{told} {in_hall.remark(draft, offered, lang)}".strip())
        ready = table_draft.ready(draft)
        self.next.show(self.next.words.text, kind="plain" if waits else "main", disabled=not ready)
        self.draw.show(self.draw.words.text, disabled=not ready or bool(draft.game.fixed))
        self._show_open()
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
        if self.app.upright:
            high(self.rail, (theme.TOUCH + 2) * len(wanted))
        if self.rail.children[::-1][:-1] != wanted or not wanted:
            self.rail.clear_widgets()
            for line in (*wanted, Widget()):
                self.rail.add_widget(line)

    def _names_and_colours_fit(self, chairs: int, offered: bool) -> int:
        """Return how many names and colours fit."""
        rows = theme.either(3, 2) - offered
        if self.app.upright:
            left = theme.either(407, 350) - (theme.TOUCH + 2) * (chairs + offered)
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
            self.change(replace(offered.draft, teach=self.draft.teach))

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
        self.draft, self.seat, self.lot = draft, "", lot
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


class OptionsPage(Sheet):
    """By which rules: the options, and how cards are turned up."""

    title = N_("New game: which rules?")

    def fill(self) -> None:
        self.rows = [OptionRow(self) for _ in range(8)]
        self.list, self.rest = column(), Widget(size_hint_y=0.001)
        self.reveal = OptionRow(self)
        self.refused = high(Text("", most=TextSize.TEXT, ink=theme.now.stop), 0)
        self.refused.bind(text=lambda line, text: high(line, theme.grown(22) if text else 0))
        self.teach = Tap(self.say(N_("Begin, with help")), partial(self._begin, True), most=TextSize.TEXT)
        self.middle = Tap(self.say(N_("Already begun")), self._open_editor, most=TextSize.TEXT, size_hint_x=0.8)
        self.begin = Tap(self.say(N_("Begin")), partial(self._begin, False), kind="main", most=TextSize.TEXT)
        self.body.add_widget(self.list)
        self.body.add_widget(self.refused)
        foot = theme.either(56, 72) if self.app.upright else 56
        self.body.add_widget(high(row(self.middle, self.teach, self.begin), foot))
        self.ways = (Control("help", self.say(N_("Rules")), self._open_rules), None)

    def enter(self, draft: TableDraft) -> None:
        self.draft, self.refusal = draft, ""

    def _open_rules(self) -> None:
        self.app.go("rules", game=self.draft.game, back=partial(self.app.go, "options", draft=self.draft))

    def show(self) -> None:
        self.teach.show(self.teach.words.text, not table_draft.taught(self.draft))
        choices = new_game.choices(self.draft, self.app.lang)
        offered = in_hall.offered(self.app.evening, self.app.lang)
        other = offered and in_hall.differs(self.draft, offered)
        self.refused.show(self.refusal or (in_hall.remark(self.draft, offered, self.app.lang) if other else ""))
        rows = [*zip(self.rows, choices, strict=False)]
        if self.draft.game.sealed:
            rows.append((self.reveal, self._reveal_choice()))
        wanted = [*(line for line, _ in rows), self.rest]
        if self.list.children[::-1] != wanted:
            self.list.clear_widgets()
            for line in wanted:
                self.list.add_widget(line)
        for line, choice in rows:
            line.show(choice)

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
        """Begin the game; `teach` explains each thing when it first comes up."""
        self.draft = replace(self.draft, teach=teach)
        self.refusal = self._begin_and_show(table_draft.header(self.draft))
        if self.refusal:
            self.show()

    def _begin_and_show(self, header: Mapping[str, object]) -> str:
        """Begin the game and turn to it; return why it cannot begin, "" when it has."""
        teach = self.draft.teach and "position" not in header
        try:
            self.app.evening.begin(header, teach=teach)
        except Mistakes as mistakes:
            return str(mistakes)
        self.app.go("setup" if teach else "table")
        return ""

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
                    done=lambda draft: self._begin_and_show({**header, "position": draft.position}),
                    word=self.say(N_("Begin here")), players=table.players,
                    board=self.app.evening.boards.of(table.game.name) if table.game.board else None)  # fmt: skip
