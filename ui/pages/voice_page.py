"""The voice: how much of it, how loud, how fast and when; what speaks, and the ears."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from companion.voice.choices import Choices, Voiced
from ui import theme
from ui.page import Sheet
from ui.pages import voice as model
from ui.pages.voice import VoiceSource
from ui.theme import Step
from ui.widgets.box import high, row, wide
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text

Change = Callable[[Choices], Choices]


class Stepper(BoxLayout):
    """A value between two controls that step it down and up, after a caption where it needs one."""

    def __init__(self, caption: str, down: Callable[[], object], up: Callable[[], object]) -> None:
        super().__init__(spacing=dp(theme.GAP))
        self.caption = Text(caption, most=Step.TEXT, align="right")
        self.value = Text("", most=Step.TEXT, lines=1, bold=True, align="center")
        self.down = wide(Tap("–", down, most=Step.HEAD), theme.TOUCH + 4)
        self.up = wide(Tap("+", up, most=Step.HEAD), theme.TOUCH + 4)
        for child in (*([self.caption] if caption else []), self.down, self.value, self.up):
            self.add_widget(child)

    def show(self, value: str, off: bool = False) -> None:
        self.value.show(value)
        for tap in (self.down, self.up):
            tap.show(tap.words.text, disabled=off)


class SourceRow(Touchable):
    """What speaks, or an ear; an ear is tried by a touch."""

    def __init__(self, ask: Callable[[VoiceSource], object]) -> None:
        super().__init__(lambda: ask(self.source))
        self.source = VoiceSource("", "", "", True)
        self.back = Backdrop(self, theme.now.panel)
        self.shape = wide(Shape(), 0)
        self.mark = wide(Text("", most=Step.TEXT, lines=1, bold=True), theme.grown(80))
        self.name = Text("", most=Step.TEXT, bold=True, size_hint_x=0.4)
        self.detail = Text("", most=Step.TEXT, split=True)
        parts = self.shape, self.mark, self.name, self.detail
        self.add_widget(row(*parts, pad=(theme.PAD, 3), pos_hint={"x": 0, "y": 0}))

    def show(self, source: VoiceSource) -> None:
        self.source = source
        self.shape.seat, self.shape.width = source.seat, dp(22 if source.seat else 0)
        self.mark.show(source.mark)
        self.mark.color = theme.rgba(theme.now.good if source.well else theme.now.stop)
        self.name.show(source.name)
        self.detail.show(source.detail)
        self.back.paint(theme.now.panel, None if source.well else theme.now.stop)


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
        for line in self._lines():
            self.body.add_widget(high(line, theme.TOUCH))
        tall = max(theme.TOUCH, theme.above(Step.LABEL, theme.either(3, 4) if self.app.upright else 2) + 8)
        self.list = Paged(lambda: SourceRow(self._try_ear), self.say, tall)
        self.body.add_widget(self.list)

    def _make(self, voice: Voiced) -> None:
        say = self.say
        self.words = {
            level: Tap(say(text), partial(self._choose, partial(replace, words=level))) for level, text in model.WORDS
        }
        self.sounds = Tap("", partial(self._choose, lambda c: replace(c, sounds=not c.sounds)))
        self.mute = Tap("", partial(self._choose, lambda c: replace(c, muted=not c.muted)))
        self.trial = Tap(say(N_("Try it")), voice.test)
        self.volume = self._stepper(N_("Volume"), model.louder, model.STEP)
        self.rate = self._stepper(N_("Rate"), model.faster, model.STEP)
        self.quiet = Tap("", partial(self._choose, lambda c: model.nightly(c, self.usual)))
        self.start = self._stepper("", model.begins, model.MINUTES)
        self.end = self._stepper("", model.ends, model.MINUTES)

    def _stepper(self, caption: str, step: Callable[[Choices, int], Choices], by: int) -> Stepper:
        down, up = (partial(self._choose, partial(_stepped, step, each)) for each in (-by, by))
        return Stepper(self.say(caption) if caption else "", down, up)

    def _lines(self) -> list[BoxLayout]:
        caption = Text(self.say(N_("Said to all")), most=Step.TEXT, size_hint_x=0.7 if self.app.upright else 1)
        words, switches = row(caption, *self.words.values()), row(self.sounds, self.mute, self.trial)
        if self.app.upright:
            return [words, switches, row(self.volume), row(self.rate), row(self.quiet), row(self.start, self.end)]
        return [words, switches, row(self.volume, self.rate), row(self.quiet, self.start, self.end)]

    def show(self) -> None:
        if self.voice is None:
            return
        c, say = self.voice.choices, self.say
        for level, tap in self.words.items():
            tap.show(tap.words.text, chosen=level == c.words)
        onoff = {True: say(N_("on")), False: say(N_("off"))}
        self.sounds.show(say(N_("Sounds: {value}"), value=onoff[c.sounds]), chosen=c.sounds)
        self.mute.show(say(N_("Muted") if c.muted else N_("Mute")), disabled=not c.wanted, chosen=c.muted and c.wanted)
        self.volume.show(say(N_("{percent} %"), percent=c.volume))
        self.rate.show(say(N_("{percent} %"), percent=c.rate))
        self.quiet.show(say(N_("Quiet hours: {value}"), value=onoff[bool(c.quiet)]), chosen=bool(c.quiet))
        self.usual = c.quiet or self.usual
        self.start.show(say(N_("from {time}"), time=f"{self.usual.start:%H:%M}"), off=not c.quiet)
        self.end.show(say(N_("until {time}"), time=f"{self.usual.end:%H:%M}"), off=not c.quiet)
        self.list.show(model.sources(self.voice.available, self.app.evening.devices.health, self.app.lang))

    def _choose(self, change: Change) -> None:
        assert self.voice
        self.voice.choose(change(self.voice.choices))
        self.show()

    def _try_ear(self, source: VoiceSource) -> None:
        if self.voice and source.seat:
            self.voice.test(source.seat)


def _stepped(step: Callable[[Choices, int], Choices], by: int, c: Choices) -> Choices:
    return step(c, by)
