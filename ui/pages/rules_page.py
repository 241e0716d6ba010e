"""The rules of a game to read, from any heading or clause on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_, AnyGame
from companion.rules.words import Tongue, title
from ui import theme
from ui.page import Sheet
from ui.pages import rules
from ui.pages.answer_rows import kinds
from ui.theme import TextSize
from ui.widgets.box import high, swap, wide
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap


class RulesPage(Sheet):
    """The choice of a game if none is being played; then its clauses, with headings to jump to."""

    title = N_("Rules")
    ABREAST = 3
    """The number of headings side by side upright."""

    def fill(self) -> None:
        upright = self.app.upright
        self.flow = Flow(kinds(), self.say, gap=theme.PAD)
        self.heads = [high(Tap("", most=TextSize.TEXT), theme.TOUCH) for _ in range(9)]
        self.index = GridLayout(cols=self.ABREAST if upright else 1, spacing=dp(theme.GAP), size_hint_y=None)
        self.index.bind(minimum_height=self.index.setter("height"))
        self.reading = BoxLayout(orientation="vertical" if upright else "horizontal", spacing=dp(theme.EDGE))
        if upright:
            self.reading.add_widget(self.index)
        else:
            side = wide(BoxLayout(orientation="vertical"), 176)
            side.add_widget(self.index)
            side.add_widget(Widget())
            self.reading.add_widget(side)
        self.reading.add_widget(self.flow)
        self.games = BoxLayout(orientation="vertical", spacing=dp(theme.PAD))
        for game in self.app.evening.games:
            tap = Tap(
                title(game, self.app.lang), partial(self._pick_game, game), most=TextSize.HEAD, size_hint_max_y=dp(72)
            )
            self.games.add_widget(tap)
        self.games.add_widget(Widget(size_hint_y=0.01))

    def enter(self, game: AnyGame | None = None, rule: str = "", back: Callable[[], Any] | None = None) -> None:
        """Show a game's rules from the clause `rule` on.

        Without `game`, the game on the table is shown, or else the choice of one.
        """
        self.back_to = back or self._turn_back
        at_table = self.app.home == "table"
        game = game or (self.app.match.game if at_table else None)
        if game:
            self._show_rules(game, rule)
        else:
            self._choose_game()

    def close(self) -> None:
        self.back_to()

    def _turn_back(self) -> None:
        """Turn back to the menu that led here."""
        self.app.go("menu" if self.app.home == "table" else "more")

    def _choose_game(self) -> None:
        self.back_to = self._turn_back
        self.head.show(self.say(N_("Rules: which game?")))
        swap(self.body, self.games)

    def _pick_game(self, game: AnyGame) -> None:
        self.back_to = self._choose_game
        self._show_rules(game)

    def _show_rules(self, game: AnyGame, rule: str = "") -> None:
        swap(self.body, self.reading)
        self.head.show(self.say(N_("Rules: {game}"), game=title(game, self.app.lang)))
        items = rules.pages(game, Tongue(self.app.lang))
        self.index.clear_widgets()
        for tap, (at, text) in zip(self.heads, rules.headings(items), strict=False):
            tap.show(text)
            tap.act = partial(self.flow.turn_to, at)
            self.index.add_widget(tap)
        self.flow.show(items)
        self.flow.turn_to(rules.place(items, rule))
