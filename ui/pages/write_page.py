"""Words by finger: a line of text, suggestions, and keys; a real keyboard writes as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kivy.metrics import dp

from companion.rules import N_
from ui import theme
from ui.page import Sheet
from ui.pages import write
from ui.theme import TextSize
from ui.widgets.box import high, panel, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class WritePage(Sheet):
    """A keyboard for one line of text, which is passed to `done`."""

    def fill(self) -> None:
        self.text = ""
        self.upper = False
        self.layer = write.LETTERS
        self.done: Callable[[str], object] = str
        self.line = Text("", most=TextSize.HEAD, ink=theme.now.card_ink)
        self.body.add_widget(high(panel(row(self.line, pad=(theme.PAD, 4)), theme.now.card, theme.now.line), 60))
        self.near = [Tap("") for _ in range(5)]
        self.known = high(row(), theme.TOUCH)
        self.body.add_widget(self.known)
        self.keys = [[Tap("", partial(self._press_key, y, x), most=TextSize.TEXT) for x in range(10)] for y in range(5)]
        for keys in self.keys:
            line = row(*keys, gap=0 if self.app.upright else 3)
            self.body.add_widget(high(line, 60) if self.app.upright else line)
        self.shift = wide(Tap("ABC", self._shift), 64)
        self.turn = wide(Tap("", self.next_layer), 64)
        space = Tap(self.say(N_("space")), lambda: self._set_text(write.add(self.text, " ")))
        back = wide(Tap("<", self._erase, most=TextSize.TEXT), 64)
        ready = wide(Tap(self.say(N_("Done")), self._done, kind="main"), 110)
        bottom = row(self.shift, self.turn, space, back, ready)
        self.body.add_widget(high(bottom, 60 if self.app.upright else 54))
        if self.app.upright:  # ten keys of a finger's width need all of it
            self.body.padding = 0, dp(theme.PAD)

    def enter(self, title: str, text: str, done: Callable[[str], object], known: Sequence[str] = (),
              back: Callable[[], object] | None = None) -> None:  # fmt: skip
        self.head.show(title)
        self.text = text
        self.done, self.back_to = done, back or partial(done, text)
        self.upper = not text
        self.layer = write.first(self.app.lang, text)
        shown = known[: len(self.near)]
        self.known.clear_widgets()
        for tap, word in zip(self.near, shown, strict=False):
            tap.show(word)
            tap.act = partial(self.done, word)
            self.known.add_widget(tap)
        self.known.height = dp(theme.TOUCH) if shown else 0
        self._listen(True)
        self._show_keys()

    def leave(self) -> None:
        self._listen(False)

    def close(self) -> None:
        """Go back as if nothing had been written."""
        self.back_to()

    def _listen(self, on: bool) -> None:
        from kivy.core.window import Window

        (Window.bind if on else Window.unbind)(on_textinput=self._typed)

    def _typed(self, _window: object, text: str, *_: object) -> None:
        self._set_text(write.add(self.text, write.label(self.layer, text, self.upper)))

    def key(self, key: int, down: bool, edge: bool = True) -> bool:  # noqa: ARG002 - up is up
        if down and key == 8:
            self._erase()
        elif down and key in (13, 271):
            self._done()
        return key in (8, 13, 271)

    def _press_key(self, y: int, x: int) -> None:
        self._set_text(write.put(self.text, write.label(self.layer, self.layer.rows[y][x], self.upper)))

    def _set_text(self, text: str) -> None:
        self.text, self.upper = text, False
        self._show_keys()

    def _erase(self) -> None:
        self._set_text(self.text[:-1])

    def _shift(self) -> None:
        self.upper = not self.upper
        self._show_keys()

    def next_layer(self) -> None:
        """Show the next layer of letters on the keys."""
        self.layer = write.after(self.layer, self.app.lang)
        self._show_keys()

    def _done(self) -> None:
        self.done(self.text.strip())

    def _show_keys(self) -> None:
        self.line.show(f"{self.text}|")
        self.shift.show(self.shift.words.text, disabled=not self.layer.cased, chosen=self.upper and self.layer.cased)
        self.turn.show(write.after(self.layer, self.app.lang).name)
        for keys, letters in zip(self.keys, self.layer.rows, strict=True):
            for tap, letter in zip(keys, letters, strict=True):
                most = TextSize.CARD if letter in write.MARKS else TextSize.TEXT  # the marks are tiny on a key
                tap.words.show(write.label(self.layer, letter, self.upper), most)
