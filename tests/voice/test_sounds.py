"""Our own sounds: made alike every time, and each unlike the others, also on a bad loudspeaker."""

import subprocess
import sys
import wave
from array import array
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from math import cos, dist, log2, pi, sin, sqrt
from pathlib import Path

import pytest

from companion.rules.line import SOUNDS, Sound
from drivers.voice.sounds import HZ, NOTES, piece

BAD = 8000
FRAME = BAD * 30 // 1000
FRAMES = 30
"""Thirty frames of 30 ms: as long as the longest sound."""
MARGIN = 2.5
"""How far apart two sounds are at least: an octave, or silence instead of sound, for two or three frames each counting
as one. The nearest two are a good deal further apart than two takes of the same."""


def band(samples: Sequence[float], edge: float, hz: int, high: bool) -> list[float]:
    """A second-order Butterworth filter (Bristow-Johnson's cookbook)."""
    w = 2 * pi * edge / hz
    alpha, c = sin(w) / sqrt(2), cos(w)
    b1 = -(1 + c) if high else 1 - c
    b0, a0 = abs(b1) / 2, 1 + alpha
    out, x1, x2, y1, y2 = [], 0.0, 0.0, 0.0, 0.0
    for x in samples:
        y = (b0 * x + b1 * x1 + b0 * x2 + 2 * c * y1 - (1 - alpha) * y2) / a0
        x1, x2, y1, y2 = x, x1, y, y1
        out.append(y)
    return out


@cache
def bad(sound: Sound) -> tuple[float, ...]:
    """What is left of it on a bad loudspeaker: 400 to 3000 Hz, at 8 kHz."""
    heard: Sequence[float] = array("h", piece(sound).pcm)
    for edge, high in ((400, True), (400, True), (3000, False), (3000, False)):
        heard = band(heard, edge, HZ, high)
    count = len(heard) * BAD // HZ
    steps = (at * HZ / BAD for at in range(count))
    return tuple(heard[int(at)] + (heard[min(int(at) + 1, len(heard) - 1)] - heard[int(at)]) * (at % 1) for at in steps)


@cache
def contour(sound: Sound) -> tuple[float, ...]:
    """Its loudness (0 to 1) and its pitch (octaves above 400 Hz) in each frame; silence has neither."""
    heard = bad(sound)
    frames = [heard[at : at + FRAME] for at in range(0, FRAMES * FRAME, FRAME)]
    loud = [sqrt(sum(x * x for x in frame) / FRAME) for frame in frames]
    full = max(loud)
    found: list[float] = []
    for frame, level in zip(frames, loud, strict=True):
        crossings = sum(a < 0 <= b for a, b in pairwise(frame))
        there = level > full / 20 and crossings
        pitch = log2(max(1.0, crossings * BAD / max(1, len(frame)) / 400)) if there else 0.0
        found += [1 + level / full if there else 0.0, pitch]
    return tuple(found)


def test_each_sound_is_unlike_the_others_on_a_bad_loudspeaker() -> None:
    apart = {pair: dist(contour(pair[0]), contour(pair[1])) for pair in combinations(SOUNDS, 2)}
    near = {pair: round(far, 2) for pair, far in apart.items() if far < MARGIN}
    assert not near


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_sound_is_heard_there_and_is_short(sound: Sound) -> None:
    samples = array("h", piece(sound).pcm)
    assert 0 < piece(sound).seconds < 1 and max(map(abs, samples)) < 32_000, "not clipped"
    assert abs(samples[0]) < 1000 and abs(samples[-1]) < 1000, "it does not crack"
    whole = sqrt(sum(x * x for x in samples) / len(samples))
    left = sqrt(sum(x * x for x in bad(sound)) / len(bad(sound)))
    assert left > whole / 2


def test_sounds_are_what_the_referee_calls_them() -> None:
    assert {*NOTES} == {*SOUNDS}


def test_a_sound_is_as_long_at_any_rate() -> None:
    assert abs(piece("won", 48_000).seconds - piece("won").seconds) < 0.001


def test_they_are_written_as_files(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "drivers.voice.sounds", tmp_path / "new"], check=True)
    assert {path.stem for path in (tmp_path / "new").iterdir()} == {*SOUNDS}
    for path in (tmp_path / "new").iterdir():
        with wave.open(str(path)) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (HZ, 1, 2)
            assert file.readframes(10**6) == piece(path.stem).pcm
