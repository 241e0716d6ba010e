"""Dialogues on the screen (`companion.dialogues`): notes above, entries as controls at the foot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.dialogues.power import PowerDialogue
from companion.dialogues.report import ReportDialogue
from companion.dialogues.saving import SaveDialogue
from companion.dialogues.settings import SCREEN, SettingsDialogue
from companion.dialogues.updates import UpdateDialogue
from companion.dialogues.voice import NoVoice, VoiceDialogue
from companion.rules import N_
from companion.rules.menu import Choice, Dialogue, Entry, Note, Setting, Typing, done, made
from ui import theme
from ui.page import Sheet
from ui.pages.answer_items import Heading, Sentence
from ui.pages.answer_rows import kinds
from ui.pages.drawings import drawing
from ui.pages.setting_row import SettingRow
from ui.pages.start_page import DATA, turn
from ui.theme import TextSize
from ui.widgets.box import column, high, row
from ui.widgets.drawing import Drawing
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap

LEADS: Sequence[tuple[str, str]] = (
    (N_("Voice"), "voice"),
    (N_("Hardware"), "hardware"),
    (N_("Deck"), "deck"),
    (N_("Board data"), DATA),
    (N_("Save elsewhere"), "save"),
    (N_("About"), "about"),
)
"""The pages that settings lead to."""
FEW = 2
"""So many notes are large: nothing else needs the room."""
LOOK_S = 0.25
"""Seconds between two checks whether there is something new to say."""
ABREAST = (4, 2)
"""The number of controls in a row, and in a row of an upright screen."""


class DialoguePage(Sheet):
    """A dialogue on the screen; if an entry leads to another list, "Back" leads up again."""

    dialogue: Dialogue
    abreast = 0
    """The number of controls in a row; 0 for as many as there is room for."""
    above = ""
    """The page that "Back" leads to; "" where that is the settings, the table or the start."""

    def make(self) -> Dialogue:
        """Create the dialogue of this page."""
        raise NotImplementedError

    def fill(self) -> None:
        self.dialogue = self.make()
        self.path: list[tuple[tuple[str, str], str]] = []  # to the open list: each entry's key, and the typed text
        self.shown: Any = None
        self.offered: Any = None
        setting = partial(SettingRow, self.app.upright, self.say, self.choose_value)
        self.flow = Flow({**kinds(), Setting: setting}, self.say)
        self.foot = BoxLayout(orientation="vertical", spacing=dp(theme.GAP))
        self.taps: list[Tap] = []
        self.drawing = Drawing()
        self.drawing.size_hint = (1, 0.6) if self.app.upright else (0.5, 1)
        self.stage = (column if self.app.upright else row)(self.flow, gap=theme.EDGE)
        self.body.add_widget(self.stage)
        self.body.add_widget(self.foot)
        self.look = Clock.create_trigger(self._refresh, LOOK_S, True)

    def enter(self, *_: Any, **__: Any) -> None:
        self.path, self.shown, self.offered = [], None, None
        self.dialogue.begin()
        self.flow.turn_to(0)
        self.look()

    def leave(self) -> None:
        self.look.cancel()
        self.dialogue.end()

    def _refresh(self, _: float) -> None:
        if _visible_parts(self._open_list()) != self.shown:
            self.show()

    def _open_list(self) -> Choice:
        """Return the open list: the dialogue's own, or one below it while its entry exists."""
        at = self.dialogue.menu()
        for depth, (key, typed) in enumerate(self.path):
            below = next((made(of.then) for of in at.entries if of.key == key), None)
            if isinstance(below, Typing):
                below = made(below.then(typed))
            if not isinstance(below, Choice):
                del self.path[depth:]
                break
            at = below
        return at

    def show(self) -> None:
        at = self._open_list()
        self.shown = _visible_parts(at)
        self.head.show(self.say(at.title or self.dialogue.title))
        alone = len(at.body) <= FEW
        self._show_drawing(drawing(self.name) if alone else "")
        self.flow.show([of if isinstance(of, Setting) else self._sentence_of(of, alone) for of in at.body])
        if (offered := [*self.path, *_visible_entries(at)]) != self.offered:  # else a finger may be on one of them
            self.offered = offered
            self._make_controls(at.entries)

    def _make_controls(self, entries: Sequence[Entry]) -> None:
        """Put a control for each entry at the foot."""
        back = [Entry(N_("Not now"))] if self.path else []
        self.taps = [*map(self._tap_of, [*entries, *back]), *self.leads()]
        self.foot.clear_widgets()
        lines = max(1, ceil(len(self.taps) / (self.abreast or ABREAST[self.app.upright])))
        abreast = max(1, ceil(len(self.taps) / lines))
        rows = [self.taps[first : first + abreast] for first in range(0, len(self.taps), abreast)]
        for taps in rows:
            self.foot.add_widget(row(*taps))
        high(self.foot, len(rows) * (theme.TOUCH + theme.GAP))

    def _show_drawing(self, svg: str) -> None:
        """Show the drawing of this page beside few words."""
        self.drawing.show(svg)
        if bool(svg) != bool(self.drawing.parent):
            (self.stage.add_widget if svg else self.stage.remove_widget)(self.drawing)

    def leads(self) -> Sequence[Tap]:
        """Return the controls that lead on from the dialogue as a whole, besides its entries."""
        return ()

    def _sentence_of(self, note: Note, alone: bool) -> Heading | Sentence:
        text = self.say(note.text, **note.facts)
        if note.weight == "heading":
            return Heading(text)
        return Sentence(text, weight=note.weight, alone=alone)

    def _tap_of(self, entry: Entry) -> Tap:
        text = self.say(entry.text, **entry.facts)
        return Tap(text, partial(self.do, entry), kind="main" if entry.main else "plain", most=TextSize.TEXT)

    def do(self, entry: Entry) -> None:
        """Take an entry, as it is by now."""
        entry = next((of for of in self._open_list().entries if of.key == entry.key), entry)
        then = made(entry.then)
        if isinstance(then, Choice):
            self.path.append((entry.key, ""))
        elif isinstance(then, Typing):
            typed = partial(self._take_typed, [*self.path], entry)
            back = partial(self.app.go, self.name)
            self.app.go("write", title=self.say(then.ask), text=then.text, done=typed, back=back)
            return
        else:
            done(then)
            self.path.clear()
        self.flow.turn_to(0)
        if self.app.page is self:
            self.show()

    def _take_typed(self, path: Sequence[tuple[tuple[str, str], str]], entry: Entry, text: str) -> None:
        self.app.go(self.name)
        self.path = [*path, (entry.key, text)]
        self.show()

    def choose_value(self, value: Entry) -> None:
        """Take a value of a setting; this may rebuild every page."""
        done(value.then)
        self.app.paint()

    def choose(self, text: str) -> None:
        """Take the entry with this text, for scripts."""
        self.do(next(of for of in self._open_list().entries if of.text == text))

    def close(self) -> None:
        if self.path:
            self.path.pop()
            self.show()
        else:
            self.app.go(self.above or self.under or self.app.home)


def _visible_part(of: Note | Setting) -> object:
    return (of.name, of.now, len(of.values)) if isinstance(of, Setting) else of


def _visible_parts(at: Choice) -> Sequence[object]:
    """Return everything visible of a list, to detect changes."""
    return [at.title, *map(_visible_part, at.body), *_visible_entries(at)]


def _visible_entries(at: Choice) -> Sequence[object]:
    return [(of.text, repr(of.facts), of.main) for of in at.entries]


class UpdatePage(DialoguePage):
    above = "hardware"
    title = UpdateDialogue.title

    def make(self) -> Dialogue:
        evening, updates = self.app.evening, self.app.services.updates
        assert updates
        return UpdateDialogue(updates, lambda: evening.is_playing, evening.put_away)


class ReportPage(DialoguePage):
    above = "hardware"
    title = ReportDialogue.title

    def make(self) -> Dialogue:
        assert self.app.services.report
        return ReportDialogue(self.app.services.report, self.app.evening.exports)


class VoicePage(DialoguePage):
    title = VoiceDialogue.title

    def make(self) -> Dialogue:
        voice, devices = self.app.services.voice, self.app.evening.devices
        return VoiceDialogue(voice, lambda: devices.health) if voice else NoVoice()


class SettingsPage(DialoguePage):
    """Settings, and at the foot the pages that lead further."""

    title = SettingsDialogue.title

    def make(self) -> Dialogue:
        return SettingsDialogue(self.app.evening, self.app.settings, lambda: [*SCREEN])

    def leads(self) -> Sequence[Tap]:
        return [Tap(self.say(text), partial(turn, self.app, page), most=TextSize.TEXT) for text, page in LEADS]

    def close(self) -> None:
        self.app.go("menu" if self.app.home == "table" else self.app.home)


class SavePage(DialoguePage):
    title = SaveDialogue.title

    def make(self) -> Dialogue:
        return SaveDialogue(self.app.evening)


class PowerPage(DialoguePage):
    dialogue: PowerDialogue

    def make(self) -> Dialogue:
        return PowerDialogue(self.app.services.machine, self.app.evening, self._quit)

    def _quit(self) -> str:
        Clock.schedule_once(self.app.stop)
        return ""

    def key(self, key: int, down: bool, edge: bool = True) -> bool:  # noqa: ARG002 - up is up
        """Handle the power button, pressed while the page is open."""
        from ui.app import SWITCH

        if key == SWITCH and down and not self.dialogue.going and self.dialogue.off:
            self.dialogue.want(self.dialogue.off)
            self.show()
            return True
        return False
