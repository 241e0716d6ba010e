"""The voice: how much of it, how loud, how fast and when; what speaks, and the ears."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.voice.choices import Choices, Voiced
from ui import theme
from ui.page import Sheet
from ui.pages import voice as model
from ui.pages.device_row import DeviceRow
from ui.pages.devices import DeviceState
from ui.theme import Step
from ui.widgets.box import wide
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text

Change = Callable[[Choices], Choices]


class Stepper(BoxLayout):
    """A value between two controls that step it down and up."""

    def __init__(self, down: Callable[[], object], up: Callable[[], object]) -> None:
        super().__init__(spacing=dp(theme.GAP))
        self.value = Text("", most=Step.TEXT, lines=1, bold=True, align="center")
        self.down = wide(Tap("–", down, most=Step.HEAD), theme.TOUCH + 4)
        self.up = wide(Tap("+", up, most=Step.HEAD), theme.TOUCH + 4)
        for child in (self.down, self.value, self.up):
            self.add_widget(child)

    def show(self, value: str, off: bool = False) -> None:
        self.value.show(value)
        for tap in (self.down, self.up):
            tap.show(tap.words.text, disabled=off)


@dataclass(frozen=True, slots=True, eq=False)
class VoiceLine:
    """A setting, and the controls at its right edge."""

    name: str
    controls: Sequence[Widget]


class VoiceRow(BoxLayout):
    """A setting in a row."""

    def __init__(self, upright: bool) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.PAD), dp(1), 0, dp(1)))
        self.back = Backdrop(self, theme.now.panel)
        self.name = Text(most=Step.TEXT, size_hint_x=0.8)
        self._upright = upright

    def show(self, item: VoiceLine) -> None:
        self.name.show(item.name)
        self.name.size_hint_x = 0.8
        if self._upright and len(item.controls) > 1:
            wide(self.name, theme.either(110, 120))
        wanted = [self.name, *item.controls]
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for widget in wanted:
                if widget.parent:
                    widget.parent.remove_widget(widget)
                self.add_widget(widget)

    def tall(self, _: VoiceLine, __: float) -> float:
        return float(dp(ROW))


ROW, WIDE = 52, 210
"""How high a setting is and how wide its one control, in dp."""


class VoicePage(Sheet):
    """Everything that can be chosen; without a voice, what to install."""

    title = N_("Voice")

    def fill(self) -> None:
        self.voice = self.app.voice
        if self.voice is None:
            self.body.add_widget(Text(self.say(model.NONE), most=Step.TEXT, upright="top"))
            return
        self.usual = model.NIGHT
        self._make(self.voice)
        kinds = {
            VoiceLine: lambda: VoiceRow(self.app.upright),
            DeviceState: lambda: DeviceRow(self._try_ear, shaped=True),
        }
        self.list = Flow(kinds, self.say)
        self.body.add_widget(self.list)

    def _make(self, voice: Voiced) -> None:
        say = self.say
        self.words = {
            level: Tap(say(text), partial(self._choose, partial(replace, words=level))) for level, text in model.WORDS
        }
        self.sounds = Tap("", partial(self._choose, lambda c: replace(c, sounds=not c.sounds)))
        self.mute = Tap("", partial(self._choose, lambda c: replace(c, muted=not c.muted)))
        self.trial = Tap(say(N_("Try it")), voice.test)
        self.volume = self._stepper(model.louder, model.STEP)
        self.rate = self._stepper(model.faster, model.STEP)
        self.quiet = Tap("", partial(self._choose, lambda c: model.nightly(c, self.usual)))
        self.start = self._stepper(model.begins, model.MINUTES)
        self.end = self._stepper(model.ends, model.MINUTES)
        self.lines = [
            VoiceLine(say(N_("All of it")), [self.mute, self.trial]),
            VoiceLine(say(N_("Said to all")), [*self.words.values()]),
            VoiceLine(say(N_("Sounds")), [wide(self.sounds, WIDE)]),
            VoiceLine(say(N_("Volume")), [wide(self.volume, WIDE)]),
            VoiceLine(say(N_("Rate")), [wide(self.rate, WIDE)]),
            VoiceLine(say(N_("Quiet hours")), [wide(self.quiet, WIDE)]),
            VoiceLine(say(N_("They begin")), [wide(self.start, WIDE)]),
            VoiceLine(say(N_("They end")), [wide(self.end, WIDE)]),
        ]

    def _stepper(self, step: Callable[[Choices, int], Choices], by: int) -> Stepper:
        down, up = (partial(self._choose, partial(_stepped, step, each)) for each in (-by, by))
        return Stepper(down, up)

    def show(self) -> None:
        if self.voice is None:
            return
        c, say = self.voice.choices, self.say
        for level, tap in self.words.items():
            tap.show(tap.words.text, chosen=level == c.words)
        onoff = {True: say(N_("on")), False: say(N_("off"))}
        self.sounds.show(onoff[c.sounds], chosen=c.sounds)
        self.mute.show(say(N_("Muted") if c.muted else N_("Mute")), disabled=not c.wanted, chosen=c.muted and c.wanted)
        self.volume.show(say(N_("{percent} %"), percent=c.volume))
        self.rate.show(say(N_("{percent} %"), percent=c.rate))
        self.quiet.show(onoff[bool(c.quiet)], chosen=bool(c.quiet))
        self.usual = c.quiet or self.usual
        self.start.show(f"{self.usual.start:%H:%M}", off=not c.quiet)
        self.end.show(f"{self.usual.end:%H:%M}", off=not c.quiet)
        found = model.sources(self.voice.available, self.app.evening.devices.health, self.app.lang)
        ill = [source for source in found if not source.well and source.mark != say(model.MISSING)]
        self.list.show([*ill, *self.lines, *(source for source in found if source not in ill)])

    def _choose(self, change: Change) -> None:
        assert self.voice
        self.voice.choose(change(self.voice.choices))
        self.show()

    def _try_ear(self, source: DeviceState) -> None:
        if self.voice and source.seat:
            self.voice.test(source.seat)


def _stepped(step: Callable[[Choices, int], Choices], by: int, c: Choices) -> Choices:
    return step(c, by)
