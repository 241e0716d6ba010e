"""The table's decision: what everybody agrees on, in words, and if needed what differs on the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout

from companion.answers.editing import Draft
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.mistakes import Mistakes
from companion.rules.position_parts import Path
from ui import theme
from ui.page import App, Sheet
from ui.pages import decide
from ui.theme import TextSize
from ui.widgets.box import high, panel, row
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class DecidePage(Sheet):
    """A decision in ready-made or own words, taken at once or after changing the position."""

    title = N_("The table decides")

    def fill(self) -> None:
        self.words = ""
        self.line = Text(most=TextSize.HEAD, ink=theme.now.card_ink)
        self.body.add_widget(high(panel(row(self.line, pad=(theme.EDGE, 4)), theme.now.card, theme.now.line), 76))
        grid = GridLayout(cols=1 if self.app.upright else 2, spacing=dp(theme.PAD))
        self.taps = [(text, Tap(most=TextSize.TEXT, size_hint_max_y=dp(80))) for text in decide.READY]
        for text, tap in self.taps:
            tap.act = partial(self._set_words, self.say(text))
            grid.add_widget(tap)
        self.own = Tap(
            self.say(N_("In our own words …")), self._open_keyboard, most=TextSize.TEXT, size_hint_max_y=dp(80)
        )
        grid.add_widget(self.own)
        self.body.add_widget(grid)
        self.refused = high(Text(most=TextSize.TEXT, ink=theme.now.stop), 40)
        self.change = Tap(self.say(N_("Something is different …")), self._open_editor, most=TextSize.TEXT)
        self.done = Tap(self.say(N_("Decide it")), self._decide, kind="main", most=TextSize.TEXT)
        self.body.add_widget(self.refused)
        self.body.add_widget(high(row(self.change, self.done, gap=theme.PAD), 60))

    def enter(self, words: str = "", part: Path = ()) -> None:
        """Start with these words; with a part of the position, change that part at once."""
        self.words, self.part = words, part
        self.refused.show("")

    def show(self) -> None:
        if self.part:
            part, self.part = self.part, ()
            self._open_editor(part)
            return
        self.line.show(self.words or self.say(N_("What does everybody agree on?")))
        self.line.color = theme.rgba(theme.now.card_ink if self.words else theme.LIGHT.muted)
        for text, tap in self.taps:
            tap.show(self.say(text), chosen=self.words == self.say(text))
        self.change.show(self.change.words.text, disabled=not self.words)
        self.done.show(self.done.words.text, disabled=not self.words)

    def close(self) -> None:
        self.app.go("table")

    def _set_words(self, words: str) -> None:
        self.words = words
        self.show()

    def _open_keyboard(self) -> None:
        self.app.go("write", title=self.say(self.title), text=self.words,
                    done=lambda words: self.app.go("decide", words=words))  # fmt: skip

    def _decide(self) -> None:
        refusal = self.app.act(decide.event(self.words))
        self.refused.show(refusal)
        if not refusal:
            self.app.go("table")

    def _open_editor(self, at: Path = ()) -> None:
        try:
            draft = self.app.match.draft()
        except Mistakes as mistakes:
            self.refused.show(str(mistakes))
            return
        edit(self.app, partial(decide.event, self.words), draft, at=at,
             back=partial(self.app.go, "decide", words=self.words), then=partial(self.app.go, "table"))  # fmt: skip


def edit(app: App, event: Callable[[Draft], Data], draft: Draft, *, back: Callable[[], object],
         then: Callable[[], object], word: str = N_("Decide it"), at: Path = ()) -> None:  # fmt: skip
    """Open the editor at the part `at`; it ends with the event for the draft, and with `then` unless that is refused.

    `word` labels the control for it.
    """
    match = app.match

    def comes(draft: Draft) -> str:
        return decide.comes(match.preview(event(draft)), app.moment().tongue)

    def done(draft: Draft) -> str:
        refusal = app.act(event(draft))
        if not refusal:
            then()
        return refusal

    app.go("editor", draft=draft, done=done, back=back, word=app.say(word), preview=comes,
           players=match.header.players, board=match.header.board, at=at)  # fmt: skip
