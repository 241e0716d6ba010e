"""How soon something is heard: the first sample at the loudspeaker after `say`, beside the engine's own time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from companion.rules.line import SOUNDS, Line
from drivers.voice import sounds
from drivers.voice.cache import SpeechCache
from drivers.voice.engines import Engines, there
from drivers.voice.interruptible import patiently
from drivers.voice.voice import Voice
from tests.support.loudspeaker import VirtualLoudspeaker

Row = tuple[str, str, str]
TIMES = 30
WHOLE = {
    "en": "Open! Everybody lets go of the button.",
    "de": "Öffnen! Alle lassen los.",
    "ja": "全員、開いてください。",
}
NAMED = {
    "en": "Anna pleads. She needs twenty-two and holds seventeen.",
    "de": "Anna wirbt. Sie braucht zweiundzwanzig und hat siebzehn.",
    "ja": "アンナさんの番です。二十二が必要です。",
}
IDLE_S = 5.0


def rows() -> Iterator[Row]:
    for lang, engine in (("en", "espeak-ng"), ("de", "espeak-ng"), ("ja", "open-jtalk")):
        if not there(engine):
            yield f"heard, {lang}", "not measured", f"{engine} is not installed"
            continue
        with TemporaryDirectory() as folder:
            yield from _heard(lang, engine, Path(folder))
    began = perf_counter()
    made = [sounds.piece(sound) for sound in SOUNDS]
    length = sum(piece.seconds for piece in made)
    yield "all sounds, made", f"{(perf_counter() - began) * 1e3:.0f} ms", f"{length:.1f} s of sound"
    yield _idle()


def text(late: Sequence[float]) -> str:
    ordered = sorted(late)
    return f"{ordered[len(ordered) // 2]:.1f} ms, all in {ordered[-1]:.1f} ms"


def _heard(lang: str, engine: str, folder: Path) -> Iterator[Row]:
    loudspeaker = VirtualLoudspeaker(100)
    voice = Voice({None: loudspeaker}, Engines, lambda _: None, SpeechCache(folder))
    voice.tune(lang)
    with closing(voice):
        whole, named = Line(WHOLE[lang], named=False), Line(NAMED[lang])
        _first(voice, loudspeaker, whole)  # kept from now on; and Open JTalk has begun
        kept = [_first(voice, loudspeaker, whole) for _ in range(TIMES)]
        yield f"first sample of a kept sentence, {lang}", text(kept), "target: 200 ms"
        made = [_first(voice, loudspeaker, named) for _ in range(TIMES)]
        yield (
            f"first sample of one with names, {lang}",
            text(made),
            f"{engine} by itself: {_engine(lang)}; target: 600 ms",
        )


def _first(voice: Voice, loudspeaker: VirtualLoudspeaker, line: Line) -> float:
    """Return the ms from `say` to the first sample."""
    count, began = len(loudspeaker.played), perf_counter()
    voice.say([line])
    loudspeaker.until(lambda: len(loudspeaker.played) > count and loudspeaker.played[-1].end)
    return (loudspeaker.first - began) * 1e3


def _engine(lang: str) -> str:
    late = []
    with closing(Engines()) as engines:
        for _ in range(TIMES):
            engine = engines.of(lang)
            assert engine
            began = perf_counter()
            pieces = engine.speak(NAMED[lang], lang, 100, patiently)
            next(pieces)
            late.append((perf_counter() - began) * 1e3)
            list(pieces)
    return text(late)


def _idle() -> Row:
    """Measure the processor time of six places that have nothing to say."""
    places = (None, "red", "blue", "green", "yellow", "purple")
    with closing(Voice({place: VirtualLoudspeaker() for place in places}, Engines, lambda _: None)):
        sleep(0.2)
        before = getrusage(RUSAGE_SELF)
        sleep(IDLE_S)
        after = getrusage(RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return "six silent places", f"{used / IDLE_S:.2%} of a core", f"over {IDLE_S:g} s"
