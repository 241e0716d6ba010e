"""Words by finger: a line of text, suggestions, and letters; a real keyboard writes as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp

from companion.rules import N_
from ui import theme
from ui.page import Sheet
from ui.widgets.box import high, panel, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text

ROWS = ("1234567890", "qwertyuiop", "asdfghjkl'", "zxcvbnm,.-", "äöüßéñ/_!?")
LONGEST = 120


class WritePage(Sheet):
    """Asks for a line of text and hands it to `done`."""

    def fill(self) -> None:
        self.text = self.before = ""
        self.upper = False
        self.done: Callable[[str], object] = str
        self.line = Text("", most=theme.TITLE, ink=theme.now.card_ink)
        self.body.add_widget(high(panel(row(self.line, pad=(theme.PAD, 4)), theme.now.card, theme.now.line), 60))
        self.near = [Tap("") for _ in range(5)]
        self.known = high(row(), theme.TOUCH)
        self.body.add_widget(self.known)
        self.keys: list[tuple[Tap, str]] = []
        for letters in ROWS:
            line = row(gap=0 if self.app.upright else 3)
            if self.app.upright:
                high(line, 60)
            for letter in letters:
                key = Tap(letter, partial(self._type, letter), most=theme.LEAD)
                self.keys.append((key, letter))
                line.add_widget(key)
            self.body.add_widget(line)
        self.shift = wide(Tap("ABC", self._shift), 72)
        space = Tap(self.say(N_("space")), lambda: self._type(" "))
        back = wide(Tap("<", self._erase, most=theme.LEAD), 72)
        ready = wide(Tap(self.say(N_("Done")), self._done, kind="main"), 110)
        self.body.add_widget(high(row(self.shift, space, back, ready), 60 if self.app.upright else 54))
        if self.app.upright:  # ten keys of a finger's width need all of it
            self.padding = 0, dp(theme.PAD)

    def enter(self, title: str, text: str, done: Callable[[str], object], known: Sequence[str] = ()) -> None:
        self.head.show(title)
        self.text = self.before = text
        self.done = done
        self.upper = not text
        shown = known[: len(self.near)]
        self.known.clear_widgets()
        for tap, word in zip(self.near, shown, strict=False):
            tap.show(word)
            tap.act = partial(self.done, word)
            self.known.add_widget(tap)
        self.known.height = dp(theme.TOUCH) if shown else 0
        self._listen(True)
        self._paint()

    def leave(self) -> None:
        self._listen(False)

    def close(self) -> None:
        """Back is as if nothing had been written."""
        self.done(self.before)

    def _listen(self, on: bool) -> None:
        from kivy.core.window import Window

        (Window.bind if on else Window.unbind)(on_textinput=self._textinput)

    def _textinput(self, _window: Any, text: str, *_: Any) -> None:
        self._type(text)

    def key(self, key: int, down: bool) -> bool:
        if down and key == 8:
            self._erase()
        elif down and key in (13, 271):
            self._done()
        return key in (8, 13, 271)

    def _type(self, text: str) -> None:
        self.text = (self.text + (text.upper() if self.upper else text))[:LONGEST]
        self.upper = False
        self._paint()

    def _erase(self) -> None:
        self.text = self.text[:-1]
        self._paint()

    def _shift(self) -> None:
        self.upper = not self.upper
        self._paint()

    def _done(self) -> None:
        self.done(self.text.strip())

    def _paint(self) -> None:
        self.line.show(f"{self.text}|")
        self.shift.show(self.shift.words.text, chosen=self.upper)
        for tap, letter in self.keys:
            tap.words.show(letter.upper() if self.upper else letter)
