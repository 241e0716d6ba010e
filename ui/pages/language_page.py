"""The very first page: the languages by their own names, before anything has to be read."""

from __future__ import annotations

from functools import partial

from kivy.uix.widget import Widget

from companion.dialogues.settings import NAMES
from companion.rules.words import LANGUAGES
from ui import theme
from ui.fonts import own_name
from ui.page import Page
from ui.pages.start_page import STRIP, emblem
from ui.theme import TextSize
from ui.widgets.box import column, high, row
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class LanguagePage(Page):
    """The choice of the language, by finger or by ear; it never comes again."""

    def build(self) -> None:
        upright = self.app.upright
        head = Text("Tabularium", most=TextSize.CARD, bold=True, lines=1, upright="bottom")
        taps = [self._tap(lang) for lang in NAMES]
        rows = len(taps) if upright else 1
        choice = high((column if upright else row)(*taps, gap=theme.PAD), rows * (STRIP + theme.PAD) - theme.PAD)
        above = column(head, high(emblem(), 22), high(Widget(), theme.PAD), gap=theme.PAD)
        self.frame(column(above, choice, Widget(), gap=theme.PAD, pad=theme.EDGE * 1.5))

    def _tap(self, lang: str) -> Tap:
        name, font = own_name(LANGUAGES[lang])
        tap = Tap(name, partial(self._choose, lang), most=TextSize.HEAD)
        if font:
            tap.words.font_name = font
        return tap

    def show(self) -> None:
        if self.app.evening.spoken:  # by ear
            self.app.go(self.app.opening)

    def _choose(self, lang: str) -> None:
        self.app.evening.lang = lang
        self.app.go(self.app.opening)
