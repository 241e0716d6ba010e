"""Our own sounds, computed when they are first heard. `python -m drivers.voice.sounds DIR` writes them.

Each differs from the others in its rhythm as well as in its notes, and all lie where a bad loudspeaker and a telephone
still carry them: 400 to 3000 Hz.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, pi, sin, sqrt
from pathlib import Path

from companion.rules.line import SOUNDS, Sound
from drivers.voice.pcm import Piece, wav

HZ = 22_050
LOUD = 3_500
"""The loudness of each sound while it is heard, as speech is: the root of the mean square of its samples."""
HEARD = 1 / 70
"""Samples below this share of a sound's highest one are silence."""


@dataclass(frozen=True, slots=True)
class Chime:
    """A tone that glides from one pitch to another in `ms`; it decays, the faster the higher `fades` is.

    `edge` is how much of its third harmonic there is: 0 a flute, 1 a reed. No pitch: a rest.
    """

    ms: int
    start: float = 0.0
    end: float = 0.0
    fades: float = 0.0
    edge: float = 0.2


def tone(ms: int, pitch: float, fades: float = 1.0, edge: float = 0.2) -> Chime:
    return Chime(ms, pitch, pitch, fades, edge)


REST = Chime(60)
NOTES: Mapping[Sound, Sequence[Chime]] = {
    "card": [tone(70, 1568, 3)],
    "fist": [Chime(110, 620, 430, 4, 0.8)],
    "open": [tone(80, 784), tone(80, 1047), tone(80, 1319), tone(260, 1568, 2)],
    "held": [tone(260, 1047, 0, 0.0)],
    "turn": [tone(170, 880, 2), REST, tone(330, 1175, 3)],
    "refused": [tone(130, 466, 0, 1.0), REST, tone(130, 466, 0, 1.0)],
    "won": [tone(110, 1047, 1), tone(110, 1319, 1), REST, tone(110, 1319, 1), tone(420, 2093, 2)],
    "back": [Chime(380, 1760, 523, 0, 0.1)],
    "lost": [tone(170, 784, 1, 0.6), REST, tone(170, 622, 1, 0.6), REST, tone(420, 466, 1, 0.6)],
    "click": [tone(14, 2489, 2, 0.0)],
    "home": [tone(90, 1047, 0, 0.0), REST, tone(90, 1047, 0, 0.0), REST, tone(90, 1047, 0, 0.0)],
}
"""A card was read: a ping; a fist closed: a knock; open: upwards at once; held: a plain tone; your turn: two bells up;
refused: two buzzes; won: a fanfare; taken back: a slide down; a device lost: three steps down; a click; held long: the
plain tone three times."""


@cache
def piece(sound: Sound, hz: int = HZ) -> Piece:
    """Return a sound at that sample rate."""
    waves = [wave for note in NOTES[sound] for wave in _samples(note, hz)]
    least = HEARD * max(map(abs, waves))
    heard = [wave for wave in waves if abs(wave) > least]
    louder = LOUD / sqrt(sum(wave * wave for wave in heard) / len(heard))
    return Piece(hz, array("h", [round(wave * louder) for wave in waves]).tobytes())


def _samples(note: Chime, hz: int) -> Iterator[float]:
    count, phase = note.ms * hz // 1000, 0.0
    ramp = max(1, min(count // 4, hz // 200))  # a few ms at either end, so that it does not click
    for at in range(count):
        share = at / count
        phase += 2 * pi * note.start * (note.end / note.start) ** share / hz if note.start else 0.0
        wave = sin(phase) + note.edge * sin(3 * phase) / 2
        yield wave * exp(-note.fades * share) * min(1.0, at / ramp, (count - at) / ramp)


def write(folder: Path) -> None:
    """Write every sound as a WAV file. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for sound in SOUNDS:
        (folder / f"{sound}.wav").write_bytes(wav([piece(sound)]))


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
