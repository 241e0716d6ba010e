"""From what has been shown to what is said: each thing once, to everybody or into one ear."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from string import Formatter
from typing import Literal

from companion.answers import guide
from companion.games import speech_of
from companion.record.transcript import Header
from companion.rules import Amend, Plural, Ruling, Seat
from companion.rules.data import Data
from companion.rules.guide import AnyKnown, Saying
from companion.rules.line import Line, Sound
from companion.rules.speech import Explained, Heard
from companion.rules.words import Tongue
from companion.session.receipt import Receipt, acts
from companion.voice.explanations import Explanations
from companion.voice.heard import heard, otherwise
from companion.voice.spoken_language import Spoken
from companion.voice.table_speech import FOLLOWED, NOW, own_line, turned

Level = Literal["off", "brief", "full"]
"""How much is said: nothing; whose turn it is, "open" and how things came out; rulings with their reasons too."""

SENTENCE = re.compile(r"(?:^|[.!?] )[^\W\d_]")
"""The beginning of a sentence, even where a fact stands there."""
EAR = "ear"
"""The code of what an ear has asked for, and the prefix of all for what it is told by its own button."""
CLICKS: Mapping[str, Sound] = {"ear_next": "click", "ear_ticks": "click"}
"""What an ear hears of its own button."""


class Teller:
    """The announcer of one game, which reports what is new. `ears` are the seats that are told what is theirs alone.

    `tongue` makes the words: to be spoken, or to be read.
    """

    def __init__(
        self,
        header: Header,
        lang: str,
        level: Level = "full",
        ears: Collection[Seat] = (),
        explanations: Explanations | None = None,
        *,
        tongue: Callable[[str, Mapping[Seat, str]], Tongue] = Spoken,
    ) -> None:
        self.lang, self.level = lang, level
        self._made = tongue
        self._header, self._ears = header, ears
        self._explanations = explanations or Explanations()
        self._speech = speech_of(header.game.name)
        self._tongue = tongue(lang, header.players)
        self._last: Receipt | None = None  # the last act that stands
        self._turn: Saying | None = None
        self._mine: dict[Seat, Saying | None] = {}

    @property
    def tongue(self) -> Tongue:
        """Return the language of the moment with this game's names: what people are called is worked out once."""
        if self._tongue.lang != self.lang:
            self._tongue = self._made(self.lang, self._header.players)
        return self._tongue

    def tell(self, receipts: Sequence[Receipt], at: AnyKnown) -> Sequence[Line]:
        """Return what is said of these acts, and then who is awaited now."""
        said: list[Line] = []
        for receipt in receipts:
            said += self._told(receipt)
            self._last = receipt.last if receipt.number else self._last
        return [line for line in (*said, *self._awaited(at)) if line.say or line.sound or line.full]

    # -- rulings -------------------------------------------------------------------------------------------------

    def _told(self, receipt: Receipt) -> Iterator[Line]:
        causer: Seat = getattr(receipt.event, "seat", None) or _seat_of(receipt) or ""
        refused_to = causer if causer in self._ears else None
        for ruling in receipt.rulings:
            if ruling.seat is not None:
                if ruling.seat in self._ears:
                    line = self._line(spelled_out(ruling, self._explanations), ruling.seat, full=True)
                    yield replace(line, at_once=ruling.code.startswith(EAR))
            elif receipt.ok:
                yield self._line(turned(ruling, receipt, self._last), None)
            elif refused_to or self.level != "off" or self._ears:
                yield self._refusal(ruling, refused_to)
        if receipt.ok and causer in self._ears and (own := own_line(self._speech, receipt, causer)):
            yield self._say(own.text, own.facts, causer)
        if receipt.ok and isinstance(receipt.event, Amend):
            yield from self._otherwise(receipt, receipt.event.act)

    def _otherwise(self, receipt: Receipt, amended: int) -> Iterator[Line]:
        """Yield what changed through a correction, as much of it as can be followed: "Now it is: …"."""
        before = {act.number: act.public for act in acts(self._last)}
        changed = [
            said
            for act in acts(receipt.last)
            if act.number in before and act.number != amended
            for said in otherwise(self._speech, before[act.number], act.public)
        ]
        for said in changed[:FOLLOWED]:
            line = self._say(NOW, {"said": Ruling("", said.rule, said.text, said.facts)}, None)
            yield replace(line, say=line.say if self.level == "full" else "", full=line.say if self._ears else "")

    def _line(self, ruling: Ruling, to: Seat | None, *, full: bool = False) -> Line:
        heard = self._heard(ruling)
        words = heard.brief if heard.full is None or (self.level == "brief" and not full) else heard.full
        if self.level == "off" and to is None:
            words = ""
        facts = {**ruling.facts, **heard.facts}
        line = self._say(words, facts, to, heard.sound, stays=heard.stays)
        if to or not self._ears:
            return line
        return replace(line, full=self._say(heard.full or heard.brief, facts, None).say)

    def _refusal(self, ruling: Ruling, to: Seat | None) -> Line:
        """Return a refusal for the player who caused it; others hear only the sound unless all is said."""
        line = self._line(ruling, to, full=True)
        say = line.say if to or self.level == "full" else ""
        return Line(say, to, line.sound or "refused", named=line.named, full=line.full)

    def _heard(self, ruling: Ruling) -> Heard:
        how = heard(self._speech, ruling)
        return replace(how, sound=CLICKS[ruling.code]) if ruling.code in CLICKS else how

    # -- who is awaited ------------------------------------------------------------------------------------------

    def _awaited(self, at: AnyKnown) -> Iterator[Line]:
        turn = guide.turn(self._header.game, at)
        if turn != self._turn:
            self._turn = turn
            if turn:
                line = self._say(turn.text, turn.facts, None, "turn")
                full = line.say if self._ears else ""
                yield replace(line, say=line.say if self.level != "off" else "", full=full)
        for seat in self._header.seats:
            if seat in self._ears:
                yield from self._asked(seat, guide.mine(self._header.game, at, seat))

    def _asked(self, seat: Seat, mine: Saying | None) -> Iterator[Line]:
        if mine != self._mine.get(seat):
            self._mine[seat] = mine
            if mine:
                yield self._say(self._explanations.text(seat, mine.text, mine.facts), mine.facts, seat, "turn")

    def _say(self, text: str, facts: Data, to: Seat | None, sound: Sound | None = None, *, stays: bool = False) -> Line:
        several = {text.by, *_named(text.many)} if isinstance(text, Plural) else set()
        named = _named(text) | several
        say = self.tongue.tr(text, **{key: facts[key] for key in named}) if text else ""
        return Line(SENTENCE.sub(lambda found: found[0].upper(), say), to, sound, stays, bool(named))


def spelled_out(ruling: Ruling, explanations: Explanations) -> Ruling:
    """Return the ruling for an ear, with its explanation if it was asked for or is still new to the seat."""
    assert ruling.seat
    if ruling.code == EAR and isinstance(ruling.text, Explained):
        return replace(ruling, text=ruling.text.full)
    return replace(ruling, text=explanations.text(ruling.seat, ruling.text, ruling.facts))


def _named(text: str) -> set[str]:
    """Return the facts that a template names."""
    return {field for _, field, _, _ in Formatter().parse(text) if field}


def _seat_of(receipt: Receipt) -> Seat | None:
    """Return the seat whose card or button was refused before it became an act."""
    named = (ruling.facts.get("seat") for ruling in receipt.public)
    return next((seat for seat in named if isinstance(seat, str)), None)
