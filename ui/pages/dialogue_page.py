"""Dialogues on the screen (`companion.dialogues`): notes above, entries as controls at the foot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.dialogues.power import PowerDialogue
from companion.dialogues.report import ReportDialogue
from companion.dialogues.updates import UpdateDialogue
from companion.rules import N_
from companion.rules.menu import Choice, Dialogue, Do, Entry, Note, made
from ui import theme
from ui.page import Sheet
from ui.pages.answer_rows import kinds
from ui.pages.answers import Heading, Sentence
from ui.theme import Step
from ui.widgets.box import high, row
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap

LOOK_S = 0.25
"""How often it is looked whether there is something new to say, in seconds."""
ABREAST = 2
"""How many controls an upright screen has room for in a row; the other has one row."""


class DialoguePage(Sheet):
    """A dialogue, drawn: where an entry leads to another list, "Back" leads up again."""

    dialogue: Dialogue

    def make(self) -> Dialogue:
        """Makes the dialogue of this page."""
        raise NotImplementedError

    def fill(self) -> None:
        self.dialogue = self.make()
        self.path: list[tuple[str, str]] = []
        self.shown: Any = None
        self.flow = Flow(kinds(), self.say)
        self.foot = BoxLayout(orientation="vertical", spacing=dp(theme.GAP))
        self.taps: list[Tap] = []
        self.body.add_widget(self.flow)
        self.body.add_widget(self.foot)
        self.look = Clock.create_trigger(self._look, LOOK_S, True)

    def enter(self, *_: Any, **__: Any) -> None:
        self.path, self.shown = [], None
        self.dialogue.begin()
        self.flow.turn_to(0)
        self.look()

    def leave(self) -> None:
        self.look.cancel()
        self.dialogue.end()

    def _look(self, _: float) -> None:
        if _looks(self._at()) != self.shown:
            self.show()

    def _at(self) -> Choice:
        """The list that is open: the dialogue's own, or one below it for as long as there is such an entry."""
        at = self.dialogue.menu()
        for depth, place in enumerate(self.path):
            below = next((made(of.then) for of in at.entries if (of.text, repr(of.facts)) == place), None)
            if not isinstance(below, Choice):
                del self.path[depth:]
                break
            at = below
        return at

    def show(self) -> None:
        at = self._at()
        self.shown = _looks(at)
        self.head.show(self.say(at.title or self.dialogue.title))
        self.flow.show([self._item(note) for note in at.said])
        entries = [*at.entries, *([Entry(N_("Not now"))] if self.path else [])]
        self.taps = [self._tap(entry) for entry in entries]
        self.foot.clear_widgets()
        abreast = ABREAST if self.app.upright else max(1, len(self.taps))
        rows = [self.taps[first : first + abreast] for first in range(0, len(self.taps), abreast)]
        for taps in rows:
            self.foot.add_widget(row(*taps))
        high(self.foot, len(rows) * (theme.TOUCH + theme.GAP))

    def _item(self, note: Note) -> Heading | Sentence:
        text = self.say(note.text, **note.facts)
        if note.weight == "heading":
            return Heading(text)
        return Sentence(text, weight=note.weight)

    def _tap(self, entry: Entry) -> Tap:
        text = self.say(entry.text, **entry.facts)
        return Tap(text, partial(self.do, entry), kind="main" if entry.main else "plain", most=Step.TEXT)

    def do(self, entry: Entry) -> None:
        """Takes an entry."""
        then = made(entry.then)
        if isinstance(then, Choice):
            self.path.append((entry.text, repr(entry.facts)))
        else:
            if isinstance(then, Do):
                then.act()
            self.path.clear()
        self.flow.turn_to(0)
        self.show()

    def choose(self, text: str) -> None:
        """Takes the entry with this text, for scripts."""
        self.do(next(of for of in self._at().entries if of.text == text))

    def close(self) -> None:
        if self.path:
            self.path.pop()
            self.show()
        else:
            self.app.go("hardware")


def _looks(at: Choice) -> Sequence[object]:
    """What is seen of a list."""
    return [at.title, *at.said, *((of.text, repr(of.facts), of.main) for of in at.entries)]


class UpdatePage(DialoguePage):
    title = UpdateDialogue.title

    def make(self) -> Dialogue:
        evening, updates = self.app.evening, self.app.services.updates
        assert updates
        return UpdateDialogue(updates, lambda: evening.is_playing, evening.put_away)


class ReportPage(DialoguePage):
    title = ReportDialogue.title

    def make(self) -> Dialogue:
        assert self.app.services.report
        return ReportDialogue(self.app.services.report, self.app.evening.exports)


class PowerPage(DialoguePage):
    dialogue: PowerDialogue

    def make(self) -> Dialogue:
        return PowerDialogue(self.app.services.machine, self.app.evening, self._quit)

    def _quit(self) -> str:
        Clock.schedule_once(self.app.stop)
        return ""

    def key(self, key: int, down: bool, edge: bool = True) -> bool:  # noqa: ARG002 - up is up
        """The power button, pressed while the page is open."""
        from ui.app import SWITCH

        if key == SWITCH and down and not self.dialogue.going and self.dialogue.off:
            self.dialogue.want(self.dialogue.off)
            self.show()
            return True
        return False

    def close(self) -> None:
        self.app.go(self.under or self.app.home)
