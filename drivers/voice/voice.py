"""The voice of one table: the common loudspeaker and the ears, each with its own mouth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from companion.rules.line import Line
from companion.rules.message import Message
from drivers.voice.cache import SpeechCache
from drivers.voice.engines import Engines
from drivers.voice.player import SpeechPlayer, Tone
from drivers.voice.sinks import Sink, sink
from drivers.worker import HealthWatch, Put

Place = str | None
"""A seat's ear, None for everybody."""
TABLE = Message("Plug in the loudspeaker, or name another device in config.yaml: aplay -L lists them.")
NO_PLAYER = Message("Install it: {command}", command="sudo apt-get install -y alsa-utils")
EAR = Message("Plug in the earphone again: until then this ear is silent.")


class Voice:
    """The speech of a table: each line is said at its place. Nothing here waits, and nothing raises.

    A line for a seat without an ear is not said at all: private words are never heard elsewhere.
    """

    def __init__(
        self, sinks: Mapping[Place, Sink], engines: Callable[[], Engines], put: Put, kept: SpeechCache | None = None
    ) -> None:
        """Create the mouths; `engines` makes a set for each, and `put` gets the devices' health, from any thread."""
        self._tone, self._engines = Tone(), engines
        self._own: dict[Place, Tone] = {}  # of ears that have chosen theirs
        speech = HealthWatch("voice", put)
        self._mouths: dict[Place, SpeechPlayer] = {}
        for place in sorted(sinks, key=lambda place: place is not None):  # ears wait for the loudspeaker
            self._mouths[place] = SpeechPlayer(
                sinks[place],
                engines(),
                kept,
                speech=speech,
                device=HealthWatch(device(place), put),
                remedy=partial(remedy, place=place),
                before=self._mouths.get(None) if place else None,
            )
        self._closing = HealthWatch("voice", put)

    @property
    def ears(self) -> tuple[str, ...]:
        return tuple(place for place in self._mouths if place is not None)

    def serving(self) -> Mapping[str, str]:
        """Return, by language, the engine that would speak it now, "" for none."""
        return self._engines().serving()

    def tune(
        self, lang: str, rate: int = 100, volume: int = 100, ears: Mapping[str, tuple[int, int, int]] | None = None
    ) -> None:
        """Set language, rate and volume (in per cent) of the lines from now on.

        `ears` are the seats with their own rate, volume and number of a voice.
        """
        own = ears or {}
        self._tone, self._own = Tone(lang, rate), {seat: Tone(lang, pace[0]) for seat, pace in own.items()}
        for place, mouth in self._mouths.items():
            _, loud, variant = own.get(place, (rate, volume, 0)) if place else (rate, volume, 0)
            mouth.turn_to(loud)
            mouth.speak_with(variant)

    def say(self, lines: Sequence[Line]) -> None:
        """Say the lines of one moment: older words that no longer matter are cut off, place by place."""
        for place, mouth in self._mouths.items():
            if own := [line for line in lines if line.to == place]:
                mouth.say(own, self._own.get(place, self._tone))

    def again(self, to: Place = None) -> None:
        """Say the last words of a place once more."""
        if to in self._mouths:
            self._mouths[to].again()

    def hush(self, to: Place = None) -> None:
        """Silence a place at once."""
        if to in self._mouths:
            self._mouths[to].hush()

    def later(self, key: str, seconds: float, line: Line) -> None:
        """Say a line after that many seconds, unless `never` is called with its key before."""
        if line.to in self._mouths:
            self._mouths[line.to].later(key, seconds, line, self._own.get(line.to, self._tone))

    def never(self, key: str) -> None:
        for mouth in self._mouths.values():
            mouth.never(key)

    def ahead(self, texts: Iterator[str]) -> None:
        """Render sentences that will be said later, while there is nothing to say.

        A thread of the voice takes them one by one.
        """
        for mouth in list(self._mouths.values())[:1]:
            mouth.ahead(texts, self._tone)

    def close(self) -> None:
        """Fall silent, and end every program; harmless a second time."""
        for mouth in self._mouths.values():
            try:
                mouth.close()
            except RuntimeError as stuck:
                self._closing.fault(str(stuck), Message("Restart the program before the next game."))


def device(place: Place) -> str:
    """Return the name of a place's sink in the status line."""
    return "loudspeaker" if place is None else f"ear {place}"


def remedy(fault: Exception, place: Place) -> Message:
    """Return what to do where nothing can be heard."""
    return NO_PLAYER if isinstance(fault, FileNotFoundError) else EAR if place else TABLE


def opened(
    put: Put,
    engine: str,
    model: Path | None,
    *,
    loudspeaker: str,
    ears: Mapping[str, str],
    folder: Path,
    lead_ms: int | None = None,
) -> Voice:
    """Return the voice of a real table, with devices as ALSA names them.

    `lead_ms` is their lead-in (see `sink`), and `folder` holds the cache.
    """
    sinks: dict[Place, Sink] = {None: sink(loudspeaker, lead_ms)}
    sinks |= {seat: sink(name, lead_ms) for seat, name in ears.items()}
    return Voice(sinks, lambda: Engines(engine, model), put, SpeechCache(folder))
