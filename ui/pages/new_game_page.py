"""A new game: first who sits where, then by which rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_, AnyGame
from companion.rules.mistakes import Mistakes
from companion.rules.words import title
from ui import theme
from ui.page import Sheet
from ui.pages import in_hall, new_game
from ui.pages.in_hall import RoundOffer
from ui.pages.new_game import Chair, Setting, TableDraft
from ui.theme import Step
from ui.widgets.box import column, high, panel, row, wide
from ui.widgets.icon import Earphone
from ui.widgets.tap import Tap
from ui.widgets.text import Text, broad, tall


class ChairRow(BoxLayout):
    """A colour: its place in the order, its name and the way out; or a chair still free."""

    def __init__(self, page: NewGamePage) -> None:
        super().__init__(spacing=dp(theme.GAP))
        self.number = wide(Text("", most=Step.HEAD, bold=True, lines=1, align="center", ink=theme.now.muted), 28)
        self.tap = Tap("", most=Step.TEXT)
        self.out = wide(Tap("×", most=Step.HEAD, kind="quiet"), 52)
        self.ear = wide(Earphone(), 0)
        self.page = page
        for child in (self.number, self.ear, self.tap, self.out):
            self.add_widget(child)

    def show(self, at: int, chair: Chair) -> None:
        self.number.show(str(at) if chair.taken else "+")
        self.ear.width = dp(24 if chair.ear else 0)
        self.ear.show(chair.ear)
        self.tap.show(chair.text, seat=chair.seat, kind="plain" if chair.taken else "quiet")
        self.tap.act = partial(self.page.name_player if chair.taken else self.page.sit, chair.seat)
        self.out.act = partial(self.page.stand, chair.seat)
        if chair.taken != bool(self.out.parent):
            (self.add_widget if chair.taken else self.remove_widget)(self.out)


class OptionRow(BoxLayout):
    """An option: what it does, and its values."""

    def __init__(self, page: OptionsPage) -> None:
        super().__init__(spacing=dp(theme.GAP), orientation="vertical" if page.app.upright else "horizontal",
                         padding=(dp(theme.PAD), dp(4)))  # fmt: skip
        self.size_hint_max_y = dp(theme.grown(124 if page.app.upright else 76))
        self.back = panel(self)
        self.page = page
        self.text = Text("", most=Step.TEXT)
        self.taps = [Tap("") for _ in range(3)]
        self.values = row(gap=4, size_hint_x=1 if page.app.upright else theme.either(0.65, 0.58))
        if page.app.upright:
            high(self.values, theme.TOUCH)
        self.add_widget(self.text)
        self.add_widget(self.values)
        self.text.bind(width=self._weigh, text=self._weigh)

    def _weigh(self, *_: object) -> None:
        """A row gets height as its words need it."""
        words = max(dp(theme.TOUCH), tall(self.text.text, Step.LABEL, self.text.width))
        self.size_hint_y = words + dp(8 + (theme.TOUCH + theme.GAP if self.page.app.upright else 0))

    def show(self, choice: Setting) -> None:
        self.text.show(choice.text)
        self.text.color = theme.rgba(theme.now.muted if choice.off else theme.now.ink)
        for at, tap in enumerate(self.taps):
            wanted = at < len(choice.values)
            if wanted:
                value, words, chosen = choice.values[at]
                tap.show(words, disabled=choice.off, chosen=chosen and not choice.off)
                tap.size_hint_x = max(dp(theme.TOUCH), broad(words, Step.LABEL)) + dp(2 * theme.GAP)
                tap.act = partial(self.page.choose, choice.name, value)
            if wanted != bool(tap.parent):
                (self.values.add_widget if wanted else self.values.remove_widget)(tap)


BESIDE = 2
"""How many of those who have played here stand beside the round that the hall has seated."""


class NewGamePage(Sheet):
    """Who sits where: colours are tapped clockwise, and may have names."""

    title = N_("New game: who sits where?")

    def fill(self) -> None:
        evening, upright = self.app.evening, self.app.upright
        self.draft: TableDraft = new_game.draft(evening.games, evening.regulars.last_table, evening.regulars.reveal)
        self.count = Text("", most=Step.TEXT, ink=theme.now.muted)
        self.open = wide(Tap("", partial(self.app.go, "history", unfinished=True)), theme.grown(190))
        self.headline = self.titled
        self.people = [Tap("") for _ in range(4 if upright else 5)]
        self.seated = Tap("", self._as_seated, most=Step.TEXT, size_hint_x=2)
        self.known = high(row(), theme.TOUCH)
        self.chairs = [high(ChairRow(self), 50) for _ in range(7)]
        self.grid = GridLayout(cols=1 if upright else 2, spacing=(dp(theme.EDGE), dp(theme.GAP)))
        self.next = wide(Tap(self.say(N_("Next: the rules")), self._next, kind="main", most=Step.TEXT),
                         theme.either(220, 190) if upright else 220)  # fmt: skip
        self.taps = [(game, Tap(title(game, self.app.lang), partial(self.play, game))) for game in evening.games]
        if len(self.taps) > 1:
            games = GridLayout(cols=3 if upright else max(5, len(self.taps)), spacing=dp(theme.GAP))
            for _, tap in self.taps:
                games.add_widget(tap)
            rows = -(-len(self.taps) // games.cols)
            self.body.add_widget(high(games, rows * 50 + (rows - 1) * theme.GAP if upright else 48))
        for part in (
            self.known,
            self.grid,
            high(row(self.count, self.next, gap=theme.EDGE), theme.either(56, 72) if upright else 56),
        ):
            self.body.add_widget(part)

    def _show_open(self) -> None:
        """What is unfinished waits in the history; the game on the table waits with it."""
        count = self.open_games
        self.open.show(self.say(N_("Unfinished games: {count}"), count=count))
        if bool(count) != bool(self.open.parent):
            (self.headline.add_widget if count else self.headline.remove_widget)(self.open)

    def enter(self, player: tuple[str, str] | None = None, draft: TableDraft | None = None) -> None:
        self.draft = draft or self.draft
        match = self.app.evening.match
        self.open_games = len(self.app.evening.paused()) + bool(match and not match.view["over"])
        if player:
            self.draft = new_game.call(self.draft, *player)

    def show(self) -> None:
        draft, lang = self.draft, self.app.lang
        for game, tap in self.taps:
            tap.show(title(game, lang), chosen=game is draft.game)
        offered = in_hall.offered(self.app.evening, lang)
        waits = bool(offered and not offered.begun and in_hall.differs(draft, offered))
        self.count.show(f"{new_game.count(draft, lang)} {in_hall.remark(draft, offered, lang)}".strip())
        self.next.show(self.next.words.text, kind="plain" if waits else "main", disabled=not new_game.ready(draft))
        self._show_open()
        known = new_game.known(draft, self.app.evening.regulars.colours)
        self._show_known([] if waits else known[:BESIDE] if offered else known)
        self._show_seated(offered if offered and (waits or offered.begun) else None)
        chairs = new_game.chairs(draft, lang, self.app.evening.ears)
        for at, line in enumerate(self.chairs):
            wanted = at < len(chairs)
            if wanted:
                line.show(at + 1, chairs[at])
            if wanted != bool(line.parent):
                (self.grid.add_widget if wanted else self.grid.remove_widget)(line)

    def _show_known(self, known: Sequence[tuple[str, str]]) -> None:
        """Those who have played here: a tap seats them with their last colour."""
        for at, tap in enumerate(self.people):
            wanted = at < len(known)
            if wanted:
                tap.show(known[at][0], seat=known[at][1])
                tap.act = partial(self._welcome, *known[at])
            if wanted != bool(tap.parent):
                (self.known.add_widget if wanted else self.known.remove_widget)(tap)

    def _show_seated(self, offered: RoundOffer | None) -> None:
        """What the hall has seated: a tap takes all of it. Once begun, it leaves room for other people."""
        if offered:
            self.seated.show(offered.whole, kind="plain" if offered.begun else "main")
            self.seated.words.show(offered.whole, shorter=offered.text)
        if bool(offered) != bool(self.seated.parent):
            at = len(self.known.children)
            self.known.add_widget(self.seated, index=at) if offered else self.known.remove_widget(self.seated)

    def _as_seated(self) -> None:
        if offered := in_hall.offered(self.app.evening, self.app.lang):
            self.change(replace(offered.draft, teach=self.draft.teach))

    def _welcome(self, player: str, seat: str) -> None:
        self.change(new_game.call(new_game.sit(self.draft, seat), seat, player))

    def change(self, draft: TableDraft) -> None:
        """Another draft, shown at once."""
        self.draft = draft
        self.show()

    def play(self, game: AnyGame) -> None:
        """Another game for the people who sit there."""
        self.change(new_game.play(self.draft, game))

    def sit(self, seat: str) -> None:
        self.change(new_game.sit(self.draft, seat))

    def stand(self, seat: str) -> None:
        self.change(new_game.stand(self.draft, seat))

    def name_player(self, seat: str) -> None:
        known = [player for player in self.app.evening.regulars.names if player not in self.draft.players.values()]
        self.app.go("write", title=self.say(N_("Who plays {seat}?"), seat=seat), text=self.draft.players.get(seat, ""),
                    known=known, done=lambda said: self.app.go("new", player=(seat, said)))  # fmt: skip

    def _next(self) -> None:
        self.app.go("options", draft=self.draft)


class OptionsPage(Sheet):
    """By which rules: the options, and how cards are turned up."""

    title = N_("New game: which rules?")

    def fill(self) -> None:
        self.rows = [OptionRow(self) for _ in range(8)]
        self.list, self.rest = column(), Widget(size_hint_y=0.001)
        self.reveal = OptionRow(self)
        self.refused = high(Text("", most=Step.TEXT, ink=theme.now.stop), 0)
        self.refused.bind(text=lambda line, text: high(line, theme.grown(22) if text else 0))
        self.read = Tap(self.say(N_("Read the rules")), self._read, most=Step.TEXT, size_hint_x=0.6)
        self.teach = Tap(self.say(N_("Begin, with help")), partial(self._begin, True), most=Step.TEXT)
        self.middle = Tap(self.say(N_("We have already begun")), self._edit, most=Step.TEXT, size_hint_x=0.8)
        self.begin = Tap(self.say(N_("Begin")), partial(self._begin, False), kind="main", most=Step.TEXT)
        self.body.add_widget(self.list)
        self.body.add_widget(self.refused)
        foot = theme.either(56, 72) if self.app.upright else 56
        self.body.add_widget(high(row(self.read, self.middle, self.teach, self.begin), foot))

    def enter(self, draft: TableDraft) -> None:
        self.draft, self.refusal = draft, ""

    def _read(self) -> None:
        self.app.go("rules", game=self.draft.game, back=partial(self.app.go, "options", draft=self.draft))

    def show(self) -> None:
        self.teach.show(self.teach.words.text, not new_game.taught(self.draft))
        choices = new_game.choices(self.draft, self.app.lang)
        offered = in_hall.offered(self.app.evening, self.app.lang)
        other = offered and in_hall.differs(self.draft, offered)
        self.refused.show(self.refusal or (in_hall.remark(self.draft, offered, self.app.lang) if other else ""))
        rows = [*zip(self.rows, choices, strict=False)]
        if self.draft.game.sealed:
            rows.append((self.reveal, self._reveal()))
        wanted = [*(line for line, _ in rows), self.rest]
        if self.list.children[::-1] != wanted:
            self.list.clear_widgets()
            for line in wanted:
                self.list.add_widget(line)
        for line, choice in rows:
            line.show(choice)

    def _reveal(self) -> Setting:
        text = N_(
            "Cards are revealed when all let go of their buttons together, or at once when the last card is down."
        )
        values = [("fists", self.say(N_("fists")), self.draft.reveal == "fists"),
                  ("auto", self.say(N_("at once")), self.draft.reveal == "auto")]  # fmt: skip
        return Setting("reveal", self.say(text), values, False)

    def choose(self, name: str, value: object) -> None:
        self.draft = (
            replace(self.draft, reveal=str(value)) if name == "reveal" else new_game.choose(self.draft, name, value)
        )
        self.show()

    def close(self) -> None:
        self.app.go("new", draft=self.draft)

    def _begin(self, teach: bool) -> None:
        """`teach`: with a word about each thing when it first comes up."""
        self.draft = replace(self.draft, teach=teach)
        self.refusal = self._begun(new_game.header(self.draft))
        if self.refusal:
            self.show()

    def _begun(self, header: Mapping[str, object]) -> str:
        """Begins; why it cannot, "" when it has."""
        teach = self.draft.teach and "position" not in header
        try:
            self.app.evening.begin(header, teach=teach)
        except Mistakes as mistakes:
            return str(mistakes)
        self.app.go("setup" if teach else "table")
        return ""

    def _edit(self) -> None:
        """The position that the table has come to without us, from the opening."""
        table, header = self.draft, new_game.header(self.draft)
        try:
            draft = self.app.evening.opening(header)
        except Mistakes as mistakes:
            self.refusal = str(mistakes)
            self.show()
            return
        self.app.go("editor", draft=draft, back=partial(self.app.go, "options", draft=table),
                    done=lambda draft: self._begun({**header, "position": draft.position}),
                    word=self.say(N_("Begin here")), players=table.players,
                    board=self.app.evening.boards.of(table.game.name) if table.game.board else None)  # fmt: skip
