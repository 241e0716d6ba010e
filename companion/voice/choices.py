"""What is chosen about the voice: how much is said, how loud, how fast, and when it keeps quiet.

Choices concern the table's loudspeaker. An ear is always spoken to, as its player could not play without it; only
volume and rate are for both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import time
from typing import TYPE_CHECKING, Any, Protocol

from companion.rules import Seat

if TYPE_CHECKING:
    from companion.rules.line import Line
    from companion.voice.telling import Level

RATES = 50, 200
"""Per cent of the pace that a voice has by itself, from the slowest to the quickest."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """Hours of the day, from one minute to another one that is no longer quiet; they may pass midnight."""

    start: time
    end: time

    @classmethod
    def read(cls, written: str) -> Quiet:
        """Read hours such as "22:00-07:00". Raises ValueError."""
        found = re.fullmatch(r"\s*(\d{1,2}:\d\d)\s*[-–]\s*(\d{1,2}:\d\d)\s*", written, re.ASCII)
        wrong = ValueError(f'expected hours such as "22:00-07:00", not "{written[:40]}"')
        if not found:
            raise wrong
        try:
            start, end = (time.fromisoformat(at.zfill(5)) for at in found.groups())
        except ValueError:
            raise wrong from None
        if start == end:
            raise wrong
        return cls(start, end)

    def holds(self, now: time) -> bool:
        if self.start < self.end:
            return self.start <= now < self.end
        return now >= self.start or now < self.end

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"


Pace = tuple[int, int, int]
"""How fast and how loud, in per cent, and with which of an engine's voices."""
VOICES = 5
"""How many voices an ear can try, one after the other."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen; `rate` and `volume` are per cent. An ear has the loudspeaker's until it has chosen its own."""

    words: Level = "off"
    sounds: bool = False
    muted: bool = False
    rate: int = 100
    volume: int = 100
    quiet: Quiet | None = None
    ears: Mapping[Seat, Pace] = field(default_factory=dict)

    def pace(self, seat: Seat) -> Pace:
        """Return how fast, how loud and with which voice a seat's ear is spoken to."""
        return self.ears.get(seat, (self.rate, self.volume, 0))

    @property
    def wanted(self) -> bool:
        """Return whether the loudspeaker is to be heard at all."""
        return self.words != "off" or self.sounds

    def audible(self, now: time) -> bool:
        """Return whether the loudspeaker may be heard at this time of the day."""
        return self.wanted and not self.muted and not (self.quiet and self.quiet.holds(now))

    def data(self, usual: Choices | None = None) -> dict[str, Any]:
        """Return the choices as the store keeps them; with `usual` only what differs from that."""
        data = asdict(self) | {"quiet": str(self.quiet) if self.quiet else None}
        data["ears"] = {seat: list(pace) for seat, pace in self.ears.items()}
        known = usual.data() if usual else {}
        return {key: value for key, value in data.items() if key not in known or known[key] != value}


def kept(data: Any, usual: Choices) -> Choices:
    """Return the choices that the store has kept, as far as they can still be understood; `usual` says the rest."""
    if not isinstance(data, Mapping):
        return usual
    found = {key: data[key] for key, fits in _FITS.items() if key in data and fits(data[key])}
    if isinstance(found.get("quiet"), str):
        found["quiet"] = Quiet.read(found["quiet"])
    found["ears"] = {seat: (rate, volume, voice) for seat, (rate, volume, voice) in found.get("ears", {}).items()}
    return replace(usual, **found)


def _is_quiet(value: Any) -> bool:
    try:
        return value is None or bool(Quiet.read(value))
    except (ValueError, TypeError):
        return False


def _is_pace(value: Any) -> bool:
    rate, volume, voice = value if isinstance(value, list) and len(value) == 3 else (None,) * 3
    return _FITS["rate"](rate) and _FITS["volume"](volume) and type(voice) is int and 0 <= voice < VOICES


_FITS: Mapping[str, Callable[[Any], bool]] = {
    "words": lambda value: value in ("off", "brief", "full"),
    "sounds": lambda value: isinstance(value, bool),
    "muted": lambda value: isinstance(value, bool),
    "rate": lambda value: type(value) is int and RATES[0] <= value <= RATES[1],
    "volume": lambda value: type(value) is int and 0 <= value <= 100,
    "quiet": _is_quiet,
    "ears": lambda value: isinstance(value, Mapping) and all(map(_is_pace, value.values())),
}


@dataclass(frozen=True, slots=True)
class Available:
    """What there is to speak with: by language the engine that serves it, "" for none; and the seats with an ear."""

    engines: Mapping[str, str]
    ears: tuple[Seat, ...] = ()


class Voiced(Protocol):
    """The voice as a page of the screen needs it; all of it is for the main thread and returns at once."""

    @property
    def choices(self) -> Choices: ...
    @property
    def available(self) -> Available: ...
    def choose(self, choices: Choices) -> None:
        """Apply choices from now on, and keep them. Muting is silence at once."""

    def again(self, to: Seat | None = None) -> None:
        """Say once more what was said last, at the table or in that ear."""

    def hush(self) -> None:
        """Cut off what the loudspeaker is saying."""

    def say(self, lines: Sequence[Line]) -> None:
        """Say something besides a game, such as the next card to be enrolled, as far as it was chosen."""

    def test(self, to: Seat | None = None) -> None:
        """Play a sound and a sentence as a test, even where nothing else is said."""


def voiced(voice: Voiced | None) -> Voiced | None:
    """Return the voice where it is to be heard by all, else None."""
    return voice if voice and voice.choices.wanted else None
