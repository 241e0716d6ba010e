"""The voice: how much the loudspeaker says, how loud, how fast and when; and what there is to speak with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import time
from functools import partial

from companion.dialogues.settings import NAMES
from companion.rules import N_
from companion.rules.menu import Choice, Dialogue, Do, Entry, Note, Setting
from companion.rules.message import Message
from companion.rules.readings import Health
from companion.rules.words import Words
from companion.voice.choices import RATES, Choices, Quiet, Voiced
from companion.voice.telling import Level

WORDS: Sequence[tuple[Level, str]] = (("off", N_("none")), ("brief", N_("brief")), ("full", N_("full")))
"""The choices of how much the loudspeaker says."""
STEP = 10
"""Per cent by which volume and rate are changed at a time."""
NIGHT = Quiet(time(22), time(7))
"""The quiet hours where nothing else was chosen before."""
TIMES = [time(minutes // 60, minutes % 60) for minutes in range(0, 24 * 60, 30)]
"""The times at which quiet hours may begin and end."""
ESPEAK = "sudo apt install espeak-ng"
ENGINES = {"en": ESPEAK, "de": ESPEAK, "ja": ".venv/bin/pip install pyopenjtalk-plus"}
"""The package of an engine, by language."""
NONE = N_(
    "This table has no voice. Install one: sudo apt install espeak-ng alsa-utils. Then name the loudspeaker in"
    " config.yaml, in the line “device:” below “voice:”; aplay -L lists what there is."
)


class NoVoice(Dialogue):
    """The packages to install at a table without a voice."""

    title = N_("Voice")

    def menu(self) -> Choice:
        return Choice(None, [], title=self.title, body=[Note(NONE)])


class VoiceDialogue(Dialogue):
    """Settings of the loudspeaker; what has failed stands above them, what works below."""

    title = N_("Voice")

    def __init__(self, voice: Voiced, health: Callable[[], Mapping[str, Health]]) -> None:
        """Take the voice, and `health`, which says how each device does."""
        self._voice, self._health = voice, health
        self._quiet = NIGHT  # the hours that come back where quiet hours are wanted again

    def menu(self) -> Choice:
        body: list[Note | Setting] = [*self._failed(), *self._settings(), *self._speaks()]
        return Choice(None, list(self._trials()), title=self.title, body=body)

    # -- settings ------------------------------------------------------------------------------------------------

    def _settings(self) -> Iterator[Setting]:
        c = self._voice.choices
        yield self._switch(N_("Muted"), c.muted, lambda on: replace(c, muted=on))
        levels = [self._volume_entry(text, replace(c, words=level)) for level, text in WORDS]
        yield Setting(N_("Announcements"), levels, [level for level, _ in WORDS].index(c.words))
        yield self._switch(N_("Sounds"), c.sounds, lambda on: replace(c, sounds=on))
        yield self._percent(N_("Volume"), c.volume, (0, 100), lambda to: replace(c, volume=to))
        yield self._percent(N_("Speed"), c.rate, RATES, lambda to: replace(c, rate=to))
        self._quiet = c.quiet or self._quiet
        yield self._switch(N_("Quiet hours"), bool(c.quiet), lambda on: replace(c, quiet=self._quiet if on else None))
        if quiet := c.quiet:
            yield self._clock(N_("Quiet from"), quiet.start, quiet.end, lambda to: replace(quiet, start=to))
            yield self._clock(N_("Quiet until"), quiet.end, quiet.start, lambda to: replace(quiet, end=to))

    def _volume_entry(self, text: str, to: Choices, **facts: object) -> Entry:
        return Entry(text, facts, Do(partial(self._choose, to)))

    def _choose(self, to: Choices) -> tuple[()]:
        self._voice.choose(to)
        return ()

    def _switch(self, name: str, on: bool, change: Callable[[bool], Choices]) -> Setting:
        values = [self._volume_entry(text, change(value)) for value, text in ((True, N_("on")), (False, N_("off")))]
        return Setting(name, values, 0 if on else 1)

    def _percent(self, name: str, now: int, bounds: tuple[int, int], change: Callable[[int], Choices]) -> Setting:
        steps = sorted({*range(bounds[0], bounds[1] + 1, STEP), now})
        values = [self._volume_entry(N_("{percent} %"), change(to), percent=to) for to in steps]
        return Setting(name, values, steps.index(now), scale=True)

    def _clock(self, name: str, now: time, other: time, change: Callable[[time], Quiet]) -> Setting:
        """Return a setting of times from just after the other time round to it, as no hours end when they begin."""
        times = sorted({*TIMES, now} - {other})
        first = next((at for at, to in enumerate(times) if to > other), 0)
        times = [*times[first:], *times[:first]]
        values = [
            self._volume_entry("{words}", replace(self._voice.choices, quiet=change(to)), words=Words(f"{to:%H:%M}"))
            for to in times
        ]
        return Setting(name, values, times.index(now), scale=True)

    # -- what there is -------------------------------------------------------------------------------------------

    def _failed(self) -> Iterator[Note]:
        """Yield the ears and the loudspeaker that are lost."""
        health = self._health()
        for seat in self._voice.available.ears:
            if (how := health.get(f"ear {seat}")) and not how.well:
                yield Note(N_("{seat:of} earphone has no sound: {why}"), {"seat": seat, "why": _reason(how)}, "warning")
        if (how := health.get("loudspeaker")) and not how.well:
            yield Note(N_("The loudspeaker has no sound: {why}"), {"why": _reason(how)}, "warning")

    def _speaks(self) -> Iterator[Note]:
        """Yield what is spoken, by engine; then each language that is not, with what to install."""
        by: dict[str, list[Message]] = {}
        for lang, name in NAMES.items():
            by.setdefault(self._voice.available.engines.get(lang, ""), []).append(Message(name))
        missing = by.pop("", [])
        for engine, names in by.items():
            yield Note(N_("{languages}: spoken by {engine}."), {"languages": names, "engine": Words(engine)})
        for lang, name in NAMES.items():
            if name in missing:
                facts = {"language": Message(name), "command": Words(ENGINES[lang])}
                yield Note(N_("No voice for {language} yet: {command}"), facts)

    def _trials(self) -> Iterator[Entry]:
        yield Entry(N_("Try it"), {}, Do(partial(self._try, None)))
        for seat in self._voice.available.ears:
            yield Entry(N_("Try {seat:of} earphone"), {"seat": seat}, Do(partial(self._try, seat)))

    def _try(self, seat: str | None) -> tuple[()]:
        self._voice.test(seat)
        return ()


def _reason(how: Health) -> str:
    return how.detail if isinstance(how.detail, Message) else Words(how.detail)
