"""The voice at the table: what has just been shown, said once; and a sound for what hands and devices do.

It listens at the match's port like the screen, on the main thread, and hands everything on at once: the speech output
has its own threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time
from functools import partial
from typing import Any, Protocol

from companion.games import acts_of, guide_of, speech_of
from companion.play.port import Shown
from companion.play.table import LONG_MS, NO_MS
from companion.record.preferences import Keeper
from companion.record.transcript import Header
from companion.rules import N_, Plural, Ruling, Seat
from companion.rules.data import Data
from companion.rules.guide import AnyKnown, Known, Lesson, Saying
from companion.rules.line import Line, Sound, shared
from companion.rules.menu import Do, Entry, Then
from companion.rules.message import Message
from companion.rules.readings import BACK, CENTRE, Health, Press, Reading
from companion.rules.speech import Heard
from companion.voice.choices import RATES, VOICES, Available, Choices, Pace, kept
from companion.voice.explanations import Explanations
from companion.voice.spoken_language import Spoken, number
from companion.voice.table_speech import OWN, TABLE
from companion.voice.telling import CLICKS, SENTENCE, Teller, spelled_out

TEST = N_("This is how I sound.")
FASTER, SLOWER = N_("Faster."), N_("Slower.")
LOUDER, SOFTER = N_("Louder."), N_("Softer.")
ANOTHER = N_("Another voice.")
HEARD = 30
"""How loud at least the loudspeaker is for somebody who cannot see, in per cent."""
STEP = 10
"""An ear's step of the rate or the volume, in per cent."""
KEY = "voice"
"""What the store calls the choices."""


class Aloud(Protocol):
    """The speech output (`drivers.voice.voice`): lines go where they belong, and nothing of it waits or raises."""

    @property
    def ears(self) -> Sequence[Seat]: ...
    def serving(self) -> Mapping[str, str]: ...
    def tune(self, lang: str, rate: int, volume: int, ears: Mapping[Seat, Pace]) -> None: ...
    def say(self, lines: Sequence[Line]) -> None: ...
    def again(self, to: Seat | None) -> None: ...
    def hush(self, to: Seat | None) -> None: ...
    def later(self, key: str, seconds: float, line: Line) -> None: ...
    def never(self, key: str) -> None: ...
    def ahead(self, texts: Iterator[str]) -> None: ...
    def close(self) -> None: ...


class Live:
    """The voice of an evening, which says what is shown of every game; a screen changes its `choices` (`Voiced`).

    `usual` is what config.yaml says, `lang` the language of the table, `no_ms` and `long_ms` how long a press is that
    says no, and one that leads an ear to the top.
    """

    def __init__(
        self,
        store: Keeper,
        lang: Callable[[], str],
        usual: Choices | None = None,
        *,
        no_ms: int = NO_MS,
        long_ms: int = LONG_MS,
        now: Callable[[], time] = lambda: datetime.now().astimezone().time(),
    ) -> None:
        self._store, self._lang, self._usual = store, lang, usual or Choices()
        self._no_ms, self._long_ms, self._now = no_ms, long_ms, now
        self._choices = kept(store.kept(KEY), self._usual)
        self._explanations = Explanations(store)
        self._aloud: Aloud | None = None
        self._teller: Teller | None = None
        self._shown: Shown | None = None
        self._tuned = ""  # the language that sentences are rendered in
        self.lesson: Callable[[], tuple[Lesson[Any, Any], AnyKnown] | None] = lambda: None
        """What newcomers are to be told now, in a game that is played with help. Any: a game's own views."""
        self._taught: tuple[Header, str] | None = None  # the lesson that was said last

    # -- what makes the sound --------------------------------------------------------------------------------------

    def open(self, aloud: Aloud) -> None:
        """Speak through this output from now on."""
        self.close()
        self._aloud = aloud
        self._tune()

    def close(self) -> None:
        """Fall silent; harmless a second time."""
        aloud, self._aloud = self._aloud, None
        if aloud:
            aloud.close()

    def _tune(self) -> None:
        self._tuned = self._lang()
        if self._aloud:
            self._aloud.tune(self._tuned, self._choices.rate, self._choices.volume, self._choices.ears)
            if self._teller and self._shown and (self._choices.words != "off" or self._ears):
                self._aloud.ahead(whole(self._shown.header.game.name, self._tuned))

    # -- choices -----------------------------------------------------------------------------------------------------

    @property
    def choices(self) -> Choices:
        return self._choices

    @property
    def available(self) -> Available:
        return Available(self._aloud.serving(), tuple(self._aloud.ears)) if self._aloud else Available({})

    def choose(self, choices: Choices) -> None:
        self._choices = choices
        self._store.keep(KEY, choices.data(self._usual))
        if self._teller:
            self._teller.level = choices.words
        if not choices.audible(self._now()):
            self.hush()
        self._tune()

    def entries(self, seat: Seat) -> Sequence[Entry]:
        """Return entries that change an ear's own pace a step at a time, which is heard at once."""
        rate, volume, voice = self._choices.pace(seat)
        ways = (
            (FASTER, (min(rate + STEP, RATES[1]), volume, voice), rate < RATES[1]),
            (SLOWER, (max(rate - STEP, RATES[0]), volume, voice), rate > RATES[0]),
            (LOUDER, (rate, min(volume + STEP, 100), voice), volume < 100),
            (SOFTER, (rate, max(volume - STEP, STEP), voice), volume > STEP),
            (ANOTHER, (rate, volume, (voice + 1) % VOICES), self._lang() != "ja"),
        )
        return [Entry(text, {}, Do(partial(self._pace, seat, pace))) for text, pace, can in ways if can]

    def _pace(self, seat: Seat, pace: Pace) -> Then:
        self.choose(replace(self._choices, ears={**self._choices.ears, seat: pace}))
        return (Saying("", TEST),)

    def again(self, to: Seat | None = None) -> None:
        if self._aloud and (to or not self._choices.muted):
            self._aloud.again(to)

    def hush(self) -> None:
        if self._aloud:
            self._aloud.hush(None)

    def test(self, to: Seat | None = None) -> None:
        if self._aloud:
            self._aloud.tune(self._lang(), self._choices.rate, self._choices.volume, self._choices.ears)
            self._aloud.say([Line(Spoken(self._lang(), {}).tr(TEST), to, "won", named=False)])

    # -- what is shown -------------------------------------------------------------------------------------------------

    def hear(self, shown: Shown) -> None:
        """Say what has just been shown; a listener at the port."""
        fresh = self._teller is None or self._shown is None or shown.header is not self._shown.header
        before, self._shown = self._shown, shown
        if fresh:
            self._teller = Teller(shown.header, self._lang(), self._choices.words, self._ears, self._explanations)
        assert self._teller
        if fresh or self._lang() != self._tuned:
            self._teller.lang = self._lang()
            self._tune()
        if self._choices.wanted or self._ears:
            self.say([*self._teller.tell(shown.receipts, known(shown)), *self._lessons(shown, fresh=fresh)])
        if before and not fresh:
            self._hands(before, shown)

    def _lessons(self, shown: Shown, *, fresh: bool) -> Iterator[Line]:
        """Yield what a first game is about, and each lesson when it first matters."""
        found = self.lesson()
        if found is None or shown.view["over"]:
            return
        lesson, at = found
        if fresh and not shown.resumed and (aim := guide_of(shown.header.game.name).aim):
            yield self._explained(aim, {})
        if self._taught != (shown.header, lesson.key):
            self._taught = shown.header, lesson.key
            yield self._explained(lesson.text, lesson.said(at))

    def _explained(self, text: str, facts: Data) -> Line:
        """Return a line for everybody; where the loudspeaker says nothing, for the ears."""
        assert self._teller
        said = self._teller.tongue.tr(text, **facts)
        return Line(said if self._choices.words != "off" else "", full=said if self._ears else "", stays=True)

    def aside(self, rulings: Sequence[Ruling]) -> None:
        """Tell an ear something while no game is played."""
        tongue = Spoken(self._lang(), {})
        told = [spelled_out(of, self._explanations) for of in rulings if of.seat]
        lines = [(capital(tongue.tr(of.text, **of.facts)), of.seat, CLICKS.get(of.code)) for of in told]
        self.say([Line(*line, at_once=True) for line in lines])

    def loud(self, rulings: Sequence[Ruling], lang: str | None = None) -> None:
        """Speak to everybody, regardless of the choices: a player who cannot see has asked for it."""
        if self._aloud and rulings:
            tongue = Spoken(lang or self._lang(), {})
            self._aloud.tune(tongue.lang, self._choices.rate, max(self._choices.volume, HEARD), self._choices.ears)
            told = [spelled_out(of, self._explanations) if of.seat else of for of in rulings]
            said = [(capital(tongue.tr(of.text, **of.facts)), CLICKS.get(of.code)) for of in told]
            self._aloud.say([Line(text, None, sound) for text, sound in said])

    def call(self, said: Message) -> None:
        """Announce something to everybody that is no part of a game."""
        text = Spoken(self._lang(), {}).tr(said.template, **said.facts)
        self.say([Line(text, full=text, stays=True, named=False)])

    @property
    def _ears(self) -> tuple[Seat, ...]:
        """Return the seats of this game whose buttons and secrets are the ear's."""
        return self._shown.header.ears if self._shown else ()

    def say(self, lines: Sequence[Line]) -> None:
        """Say what was shown, or something besides a game, as far as it was chosen."""
        if self._aloud and (said := self._chosen(lines)):
            self._aloud.say(said)

    def _chosen(self, lines: Sequence[Line]) -> list[Line]:
        """Return the lines to be heard, as they were chosen.

        The loudspeaker says what was chosen, while it may be heard. Ears hear everything that is for them, and all that
        the loudspeaker does not say in full.
        """
        audible = self._choices.audible(self._now())
        return shared(lines, self._ears, lambda line: self._loud(line) if audible else None)

    def _loud(self, line: Line) -> Line:
        words, sounds = self._choices.words != "off", self._choices.sounds
        return replace(line, say=line.say if words else "", sound=line.sound if sounds else None)

    # -- what hands and devices do ---------------------------------------------------------------------------------

    def _hands(self, before: Shown, shown: Shown) -> None:
        """Sound a fist as it closes, and any other press once it has become a long one."""
        for seat in (shown.closed | shown.pressed) - (before.closed | before.pressed):
            if seat in shown.closed and seat in shown.fists:
                self._sound("fist", seat)
                continue
            self._down(seat)
        for seat in (before.closed | before.pressed) - (shown.closed | shown.pressed):
            self._up(seat)

    def _down(self, seat: Seat) -> None:
        """Cut off what the ear of a pressing seat hears, and sound each threshold of a press that becomes long."""
        ear = self._place(seat)
        if self._aloud and ear:
            self._aloud.hush(ear)
        for line in self._chosen([Line(to=ear, sound="held")]):
            if self._aloud:
                self._aloud.later(_held(seat), self._no_ms / 1000, line)
        if self._aloud and ear:
            self._aloud.later(_long(seat), self._long_ms / 1000, Line(to=ear, sound="home"))

    def _up(self, seat: Seat) -> None:
        if self._aloud:
            self._aloud.never(_held(seat))
            self._aloud.never(_long(seat))

    def overhear(self, word: Reading | Press | Health) -> None:
        """Sound an event of the hardware: a card, a lost device, and an ear's button before there is any game."""
        match word:
            case Press(seat, down) if self._shown is None and self._place(seat):
                (self._down if down else self._up)(seat)
            case Press(seat, True) if seat.startswith(BACK) and self._aloud and self._place(seat.removeprefix(BACK)):
                self._aloud.hush(seat.removeprefix(BACK))
            case Reading(reader, _, True):
                self._sound("card", None if reader == CENTRE else reader)
            case Health(device, False) if device not in ("voice", "loudspeaker"):
                self._sound("lost", None)

    def _sound(self, sound: Sound, seat: Seat | None) -> None:
        self.say([Line(to=self._place(seat), sound=sound)])

    def _place(self, seat: Seat | None) -> Seat | None:
        """Return the seat if it has an ear, else None.

        Before there is a game, the ears are those of the seats with an earphone.
        """
        ears = self._ears if self._shown or not self._aloud else self._aloud.ears
        return seat if seat in ears else None


def capital(text: str) -> str:
    """Capitalize the beginnings of sentences."""
    return SENTENCE.sub(lambda found: found[0].upper(), text)


def _held(seat: Seat) -> str:
    return f"held {seat}"


def _long(seat: Seat) -> str:
    return f"long {seat}"


def known(shown: Shown) -> AnyKnown:
    """Return what everybody may know of the game that is shown."""
    header = shown.header
    return Known(header.seats, header.options, shown.view, shown.derived, (), header.reveal)


def whole(game: str, lang: str) -> Iterator[str]:
    """Yield the sentences of a game that are always the same, to be rendered before they are needed.

    They are taken one by one where nobody waits for them; the number engine is loaded there as well.
    """
    number(0, lang)
    speech, tongue = speech_of(game), Spoken(lang, {})
    heard = [of for of in (*TABLE.values(), *speech.rulings.values()) if isinstance(of, Heard)]
    texts = [text for of in heard for text in (of.brief, of.full)]
    texts += [*OWN.values(), *speech.own.values(), *acts_of(game).values(), *speech.asks.values(), TEST]
    for text in dict.fromkeys(texts):
        if text and "{" not in text and not isinstance(text, Plural):
            yield capital(tongue.tr(text))
