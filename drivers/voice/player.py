"""The speech on one output device in its own thread, with priorities and interruption.

Every method runs on that thread, except those marked "from any thread". It sleeps until the bell rings or something is
due.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic

from companion.rules.line import Line
from companion.rules.message import reason
from drivers.voice import sounds
from drivers.voice.cache import SpeechCache
from drivers.voice.engines import Engine, Engines
from drivers.voice.interruptible import Bell, CutOffError, ready
from drivers.voice.pcm import Piece, cut, mixed, softer
from drivers.voice.sanitize import plain
from drivers.voice.sinks import Sink
from drivers.worker import HealthWatch, ThreadStuckError

CHUNK = 1024
"""The number of samples sent to the sink at once."""
PAUSE = 0.3
"""Seconds between two sentences rendered ahead: they are not urgent."""


@dataclass(frozen=True, slots=True)
class Tone:
    """The language of a line, and its pace in per cent."""

    lang: str = "en"
    rate: int = 100


@dataclass(frozen=True, slots=True)
class Utterance:
    line: Line
    tone: Tone


Remedy = Callable[[Exception], str]
"""The remedy for a fault of a sink."""


class SpeechPlayer:
    """A player of lines on one sink. `speech` is the engines' health, shared by all mouths.

    `device` is this sink's health, and `remedy` says what to do when it fails. Lines that no player asked for wait
    until the mouth `before` is quiet: two voices at once are unintelligible.
    """

    def __init__(
        self,
        sink: Sink,
        engines: Engines,
        kept: SpeechCache | None,
        *,
        speech: HealthWatch,
        device: HealthWatch,
        remedy: Remedy,
        before: SpeechPlayer | None = None,
    ) -> None:
        self._sink, self._engines, self._kept = sink, engines, kept
        self._speech, self._device, self._remedy = speech, device, remedy
        self._before, self._after, self._quiet = before, list[SpeechPlayer](), Event()
        self._quiet.set()
        if before:
            before._after.append(self)
        self._orders: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._bell = Bell()
        self._lines: deque[Utterance] = deque()
        self._last: Sequence[Utterance] = ()
        self._now: Utterance | None = None
        self._hz = 0  # of the sink, 0 while it is idle
        self._over: tuple[int, bytes] = (0, b"")  # the sound mixed over the speech, with its rate first
        self._flows = False
        self._due: dict[str, tuple[float, Utterance]] = {}
        self._ahead: tuple[Iterator[str], Tone] | None = None
        self._renders = self._cut = self._closed = False
        self._volume = 100
        self._thread = Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    # -- from any thread -------------------------------------------------------------------------------------------

    def say(self, lines: Sequence[Line], tone: Tone) -> None:
        """Say new lines: words cut off older ones, except lines that stay; a sound alone is mixed over them."""
        if any(line.say for line in lines) and self._thread.is_alive():
            self._quiet.clear()
        self._send_order(self._append, [Utterance(line, tone) for line in lines])

    def again(self) -> None:
        """Say the last words once more."""
        self._send_order(self._repeat)

    def hush(self) -> None:
        """Fall silent at once, and drop the rest."""
        self._send_order(self._drop_all)

    def later(self, key: str, seconds: float, line: Line, tone: Tone) -> None:
        """Say a line after that many seconds, unless `never` is called with its key before."""
        self._send_order(self._due.__setitem__, key, (monotonic() + seconds, Utterance(line, tone)))

    def never(self, key: str) -> None:
        self._send_order(self._due.pop, key, None)

    def ahead(self, texts: Iterator[str], tone: Tone) -> None:
        """Render sentences while there is nothing to say, and keep them; those of an earlier call are dropped."""
        self._send_order(self._prepare, texts, tone)

    def turn_to(self, volume: int) -> None:
        """Set the volume, from the next chunk of sound on."""
        self._volume = volume

    def speak_with(self, variant: int) -> None:
        """Choose another voice, from the next words on."""
        self._send_order(self._engines.vary, variant)

    def close(self, seconds: float = 2.0) -> None:
        """End the thread; harmless a second time. Raises ThreadStuckError."""
        self._send_order(self._end)
        self._thread.join(seconds)
        if self._thread.is_alive():
            raise ThreadStuckError(f"a thread of the voice has not ended within {seconds:g} s")
        self._bell.close()

    def _send_order(self, act: Callable[..., object], *words: object) -> None:
        if self._thread.is_alive():
            self._orders.put(partial(act, *words))
            self._bell.ring()

    # -- orders ------------------------------------------------------------------------------------------------------

    def _append(self, new: Sequence[Utterance]) -> None:
        worded = [said for said in new if said.line.say]
        if not worded and self._mix_over(new):
            return
        if worded:
            self._quiet.clear()
            # without sounds: a repeated fist or card would be taken for a new one
            self._last = worded
            self._lines = deque(said for said in self._lines if said.line.stays)
            self._cut |= self._now is not None and not self._now.line.stays
        # rendering ahead has no line of its own, and is given up for any
        self._cut |= self._renders
        self._lines.extend(new)

    def _mix_over(self, new: Sequence[Utterance]) -> bool:
        """Mix sounds over what is being said; return False where nothing is."""
        if not self._flows or not self._hz:
            return False
        pcm = b"".join(sounds.piece(said.line.sound, self._hz).pcm for said in new if said.line.sound)
        self._over = self._hz, self._over[1] + pcm
        return True

    def _repeat(self) -> None:
        self._append(self._last)

    def _drop_all(self) -> None:
        self._lines.clear()
        self._due.clear()
        self._cut |= self._now is not None

    def _prepare(self, texts: Iterator[str], tone: Tone) -> None:
        self._ahead = texts, tone

    def _end(self) -> None:
        self._drop_all()
        self._ahead = None
        self._closed = self._cut = True

    # -- the thread --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closed:
            try:
                self._play_or_wait()
            except CutOffError:
                self._stop_sound()
            except Exception as fault:  # broad on purpose: no fault of a device ends the voice
                self._lines.clear()
                self._stop_sound()
                self._device.fault(reason(fault), self._remedy(fault))
        self._stop_sound()
        self._release_others()
        self._engines.close()

    def _play_or_wait(self) -> None:
        if self._lines and not self._must_wait():
            self._now = self._lines.popleft()
            self._play_line(self._now)
            if self._now.line.stays or not self._lines:
                self._finish_sound()
        elif self._ahead and not self._lines:
            if not self._quiet.is_set() and self._orders.empty():
                self._release_others()
            self._render_ahead(*self._ahead)
        else:
            self._wait_for_orders()

    def _stop_sound(self) -> None:
        self._sink.stop()
        self._hz, self._now, self._over = 0, None, (0, b"")
        self._flows = self._renders = False

    def _must_wait(self) -> bool:
        """Return whether another mouth speaks and none of the lines was asked for."""
        speaks = self._before is not None and not self._before._quiet.is_set()
        return speaks and not any(said.line.at_once for said in self._lines)

    def _release_others(self) -> None:
        """Let the mouths that waited for this one speak."""
        self._quiet.set()
        # a bell only wakes: each player looks for itself whether it may speak
        for mouth in self._after:
            mouth._bell.ring()

    def _wait_for_orders(self) -> None:
        if not self._lines and self._orders.empty() and not self._quiet.is_set():
            self._release_others()
        due = min((at for at, _ in self._due.values()), default=None)
        ready(None if due is None else due - monotonic(), bell=self._bell.fd)
        self._process_orders()

    def wait(self, fd: int | None, seconds: float, *, writing: bool = False) -> bool:
        """Wait as `Wait` describes, and process orders meanwhile."""
        until = monotonic() + seconds
        while True:
            first = min([until, *(at for at, _ in self._due.values())])
            found = ready(first - monotonic(), None if writing else fd, fd if writing else None, self._bell.fd)
            self._process_orders()
            if fd in found:
                return True
            if monotonic() >= until:
                return False

    def _process_orders(self) -> None:
        # before the orders are taken: an order that comes in between rings again
        self._bell.still()
        while True:
            try:
                self._orders.get_nowait()()
            except Empty:
                break
        for key in [key for key, (at, _) in self._due.items() if at <= monotonic()]:
            self._append([self._due.pop(key)[1]])
        # raised here and not in the orders, so that all orders of a batch take effect
        if self._cut:
            self._cut = False
            raise CutOffError

    # -- saying ------------------------------------------------------------------------------------------------------

    def _play_line(self, said: Utterance) -> None:
        self._flows = True
        for piece in cut(self._pieces_of(said), CHUNK):
            self._play_piece(piece)
        # silence as long as what is left of the mixed sound, which would end with the words otherwise
        if self._over[1]:
            self._play_piece(Piece(self._hz, bytes(len(self._over[1]))))
        self._flows = False

    def _pieces_of(self, said: Utterance) -> Iterator[Piece]:
        if said.line.sound:
            yield sounds.piece(said.line.sound)
        if said.line.say:
            yield from self._speech_of(said)

    def _speech_of(self, said: Utterance) -> Iterator[Piece]:
        """Yield the sound of a line's words; report an engine's fault once and skip the words."""
        line, tone = said.line, said.tone
        keeps = None if line.named else self._kept
        try:
            text, engine = plain(line.say, tone.lang), self._engines.of(tone.lang)
            if not text or not engine:
                return
            key = _cache_key(engine, text, tone)
            if keeps and (found := keeps.find(key, used=line.to is None)):
                yield found
                return
            pieces = []
            for piece in engine.speak(text, tone.lang, tone.rate, self.wait):
                # played while it is rendered: the first words are heard before the last are there
                pieces.append(piece)
                yield piece
            self._speech.recovered()
            if keeps and line.to is None:  # private words are not cached
                keeps.keep(key, pieces)
        except OSError as fault:
            self._speech.fault(reason(fault), self._engines.remedy(tone.lang))

    def _play_piece(self, piece: Piece) -> None:
        if self._hz != piece.hz:
            # aplay cannot change its rate in the middle, so the device is opened anew
            self._finish_sound(going_on=True)
            self._sink.begin(piece.hz)
            self._hz = piece.hz
        pcm = softer(piece.pcm, self._volume)
        hz, over = self._over
        if over:
            self._over = hz, over[len(pcm) :]
            pcm = mixed(pcm, softer(over, self._volume)) if hz == piece.hz else pcm
        self._sink.write(pcm, self.wait)

    def _finish_sound(self, *, going_on: bool = False) -> None:
        """Wait until all of it has been heard, and end the sound."""
        if self._hz:
            self._sink.end(self.wait)
            self._device.recovered()
        self._hz = 0
        if not going_on:
            self._now = None

    # -- while there is nothing to say ---------------------------------------------------------------------------------

    def _render_ahead(self, texts: Iterator[str], tone: Tone) -> None:
        """Render the next of the texts; an interrupted one is rendered when it is said."""
        self._renders = True
        try:
            said, engine = plain(next(texts), tone.lang), self._engines.of(tone.lang)
            if said and engine and self._kept and not self._kept.has(key := _cache_key(engine, said, tone)):
                self._kept.keep(key, list(engine.speak(said, tone.lang, tone.rate, self.wait)))
                self.wait(None, PAUSE)
        except (StopIteration, OSError):  # a fault is reported when a line is to be said
            self._ahead = None
        self._renders = False


def _cache_key(engine: Engine, text: str, tone: Tone) -> Sequence[object]:
    return tone.lang, engine.name, engine.voice(tone.lang), tone.rate, text
