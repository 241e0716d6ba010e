"""An engine and a voice without a loudspeaker: every word has its own sample, so that tests can read what was heard."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from itertools import groupby
from threading import Event, Semaphore
from typing import Any

from companion.rules.line import Sound
from companion.rules.readings import Health, Press, Reading
from drivers.voice import sounds
from drivers.voice.cache import SpeechCache
from drivers.voice.engines import Engines
from drivers.voice.interruptible import Wait
from drivers.voice.pcm import Piece
from drivers.voice.voice import Place, Voice
from tests.support.loudspeaker import SoundPlayed, VirtualLoudspeaker

HZ = sounds.HZ
BIT = 4096
"""Samples of a word."""


class Talker:
    """An engine that speaks each word as so many equal samples; `asked` has every text it was given."""

    name = "talker"

    def __init__(self, words: dict[str, int], lang: str = "en") -> None:
        self._words, self._lang = words, lang
        self.asked: list[str] = []
        self.rates: list[int] = []
        self.closed, self.spoken = Event(), Semaphore(0)
        self.fault: OSError | None = None

    def voice(self, lang: str) -> str:
        return "plain" if lang == self._lang else ""

    def speak(self, text: str, _lang: str, rate: int, wait: Wait, /) -> Iterator[Piece]:
        self.asked.append(text)
        self.rates.append(rate)
        if self.fault:
            raise self.fault
        for word in text.split():
            wait(None, 0)
            sample = self._words.setdefault(word, 1000 + len(self._words))
            yield Piece(HZ, array("h", [sample] * BIT).tobytes())
        self.spoken.release()

    def close(self) -> None:
        self.closed.set()


class Room:
    """A voice with virtual loudspeakers, a common one and one for each of `ears`."""

    def __init__(self, *ears: str, kept: SpeechCache | None = None, words: dict[str, int] | None = None) -> None:
        self.words = {} if words is None else words
        self.health: list[Health] = []
        self.talkers: list[Talker] = []
        self.sinks: Mapping[Place, VirtualLoudspeaker] = {place: VirtualLoudspeaker(20) for place in (None, *ears)}
        self.voice = Voice(self.sinks, self._engines, self._put, kept)
        self.table = self.sinks[None]

    def _put(self, word: Reading | Press | Health) -> Any:
        assert isinstance(word, Health)
        self.health.append(word)

    def _engines(self) -> Engines:
        self.talkers.append(Talker(self.words))
        return Engines(made=[self.talkers[-1]])

    def heard(self, place: Place = None) -> list[str]:
        """Return each stretch of sound as it was heard, "..." where it was cut off; "*" is a sound of our own."""
        return [self.read(played) for played in self.sinks[place].played]

    def read(self, played: SoundPlayed) -> str:
        names = {sample: word for word, sample in self.words.items()}
        runs = [(names.get(sample, ""), len(list(run))) for sample, run in groupby(array("h", bytes(played.pcm)))]
        said = [word if word else "*" for word, count in runs if count > 200 or not word]
        text = " ".join(word for word, before in zip(said, ["", *said], strict=False) if word != "*" or before != "*")
        return text + {"heard": "", "cut": "...", "": " (on)"}[played.end]

    def until(self, heard: str, place: Place = None) -> None:
        """Wait until that has been heard last."""
        self.sinks[place].until(lambda: self.heard(place) and self.heard(place)[-1] == heard)

    def begun(self, word: str, place: Place = None) -> None:
        """Wait until a word has begun to be heard."""
        self.sinks[place].until(lambda: any(word in heard.split() for heard in self.heard(place)))


def samples(sound: Sound) -> bytes:
    return sounds.piece(sound).pcm
