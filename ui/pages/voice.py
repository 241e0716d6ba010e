"""What is chosen about the voice, step by step, and what there is to speak with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import time
from typing import TYPE_CHECKING

from companion.rules import N_
from companion.rules.readings import Health
from companion.rules.words import comma, message, name, tr
from companion.voice.choices import RATES, Available, Choices, Quiet
from ui.pages.devices import DeviceState

if TYPE_CHECKING:
    from companion.voice.telling import Level

WORDS: Sequence[tuple[Level, str]] = (("off", N_("Nothing")), ("brief", N_("In brief")), ("full", N_("In full")))
"""How much is said to all."""
STEP = 10
"""Volume and rate are changed by so many per cent at a time."""
MINUTES = 30
"""Quiet hours begin and end so much earlier or later at a touch."""
NIGHT = Quiet(time(22), time(7))
"""When it is quiet where nothing else was chosen before."""
DAY = 24 * 60

MISSING = N_("missing")
"""Of a language: nobody waits for it."""
NONE = N_(
    "This table has no voice. Install one: sudo apt install espeak-ng alsa-utils. Then name the loudspeaker in"
    " config.yaml, in the line “device:” below “voice:”; aplay -L lists what there is."
)
ESPEAK = "sudo apt install espeak-ng"
LANGUAGES: Mapping[str, tuple[str, str]] = {
    "en": (N_("English"), ESPEAK),
    "de": (N_("German"), ESPEAK),
    "ja": (N_("Japanese"), ".venv/bin/pip install pyopenjtalk-plus"),
}
"""What can be spoken, and what installs an engine for it."""


# -- choosing ---------------------------------------------------------------------------------------------------


def louder(c: Choices, by: int) -> Choices:
    return replace(c, volume=min(max(c.volume + by, 0), 100))


def faster(c: Choices, by: int) -> Choices:
    return replace(c, rate=min(max(c.rate + by, RATES[0]), RATES[1]))


def nightly(c: Choices, usual: Quiet = NIGHT) -> Choices:
    """With quiet hours where there were none, and the other way round."""
    return replace(c, quiet=None if c.quiet else usual)


def begins(c: Choices, by: int) -> Choices:
    """Quiet hours begin so many minutes later; they never end when they begin."""
    return _moved(c, by, 0)


def ends(c: Choices, by: int) -> Choices:
    return _moved(c, 0, by)


def _moved(c: Choices, start: int, end: int) -> Choices:
    if not c.quiet:
        return c
    first, last = _later(c.quiet.start, start), _later(c.quiet.end, end)
    if first == last:
        first, last = _later(first, start), _later(last, end)
    return replace(c, quiet=Quiet(first, last))


def _later(at: time, minutes: int) -> time:
    total = (at.hour * 60 + at.minute + minutes) % DAY
    return time(total // 60, total % 60)


# -- what there is ----------------------------------------------------------------------------------------------


def sources(available: Available, health: Mapping[str, Health], lang: str) -> Sequence[DeviceState]:
    """The ears first, as somebody waits for them; then the languages, and a loudspeaker that is lost."""
    return [*_ears(available, health, lang), *_loudspeaker(health, lang), *_languages(available, lang)]


def _ears(available: Available, health: Mapping[str, Health], lang: str) -> Iterator[DeviceState]:
    for seat in available.ears:
        how = health.get(f"ear {seat}")
        well = how is None or how.well
        detail = tr(N_("Touch here to try this ear."), lang) if well else message(how.detail if how else "", lang)
        yield DeviceState(tr(N_("OK") if well else N_("no sound"), lang), name(seat, lang), detail, well, seat)


def _loudspeaker(health: Mapping[str, Health], lang: str) -> Iterator[DeviceState]:
    how = health.get("loudspeaker")
    if how and not how.well:
        yield DeviceState(tr(N_("no sound"), lang), tr(N_("Loudspeaker"), lang), message(how.detail, lang), False)


def _languages(available: Available, lang: str) -> Iterator[DeviceState]:
    """What is spoken, by engine; then each language that is not, with what to install."""
    by: dict[str, list[str]] = {}
    for each in LANGUAGES:
        by.setdefault(available.engines.get(each, ""), []).append(each)
    missing = by.pop("", [])
    for engine, spoken in by.items():
        names = comma(lang).join(tr(LANGUAGES[each][0], lang) for each in spoken)
        yield DeviceState(tr(N_("OK"), lang), names, engine, True)
    for each in missing:
        called, command = LANGUAGES[each]
        detail = tr(N_("Nothing speaks it yet: {command}"), lang, command=command)
        yield DeviceState(tr(MISSING, lang), tr(called, lang), detail, False)
