"""What tests hear of a game, and laws for everything that is said, also of games with a sealed card."""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from companion.games import acts_of, speech_of
from companion.record.transcript import Header
from companion.rules import Reveal, Seat
from companion.rules.guide import Known, Saying
from companion.rules.outline import outlines
from companion.rules.words import LANGUAGES
from companion.session import Session
from companion.session.receipt import Receipt
from companion.voice.spoken_language import Spoken
from companion.voice.telling import Level, Teller
from tests.support.playing import Play
from tests.support.sayable import UNSAID
from tests.support.states import disguises, some, travel, well_formed


def known(of: Header, session: Session) -> Known[Any, Any]:
    return Known(of.seats, of.options, session.view(), session.derived(), (), of.reveal)


def heard(play: Play, receipt: Receipt, level: Level = "full", lang: str = "en") -> list[str]:
    """Return what all hear of an act, without the call to the next player."""
    teller, at = Teller(play.header, lang, level), known(play.header, play.session)
    teller.tell((), at)
    return [line.say for line in teller.tell([receipt], at) if line.say]


def asks(play: Play, seat: Seat = "") -> str:
    """Return whose turn it is, as all hear it, or as this seat hears it at its earphone."""
    teller = Teller(play.header, "en", "full", [seat] if seat else ())
    return "; ".join(line.say for line in teller.tell((), known(play.header, play.session)) if (line.to or "") == seat)


def lies(play: Play, lang: str = "en") -> list[str]:
    return spoken(speech_of(play.header.game.name).lies(known(play.header, play.session)), lang)


def holds(play: Play, seat: Seat) -> list[str]:
    at, private = known(play.header, play.session), play.session.view(seat)["private"]
    return spoken(speech_of(play.header.game.name).holds(at, seat, private))


def spoken(sayings: Sequence[Saying], lang: str = "en") -> list[str]:
    said = (Spoken(lang).tr(saying.text, **saying.facts) for saying in sayings)
    return [sentence[:1].upper() + sentence[1:] for sentence in said]


# -- what holds of every game -----------------------------------------------------------------------------------


def every_act_can_be_offered(name: str, seats: int, options: dict[str, Any]) -> None:
    """Check that each verb has words, and that each value still to be chosen has a question."""
    of, _, states = travel(name, seats, options)
    speech = speech_of(name)
    for state in some(states, 30):
        for outline in outlines(of.game, state):
            assert outline.verb in acts_of(name)
            for key, (kind, values) in outline.keys.items():
                if kind not in ("seat", "opened") and (values is None or len(values) > 1):
                    assert f"{outline.verb}.{key}" in speech.asks


def everything_can_be_said(name: str, seats: int, options: dict[str, Any]) -> None:
    """Check a whole game and refusals of all kinds, in every language.

    No sign may be spoken that nobody says, and nothing may be left out.
    """
    of, events, _ = travel(name, seats, options)
    rng, session = Random(f"{name} {seats} {options}"), Session(of.game, of.setup)
    tellers = [Teller(of, lang, "full", of.seats) for lang in LANGUAGES]
    for at, event in enumerate(events):
        wrong = [session.preview(well_formed(of, rng)) for _ in range(3)]
        receipts = [*(receipt for receipt in wrong if not receipt.ok), session.receive(event)]
        for teller in tellers[:: 1 if at % 5 == 0 else 3]:
            for line in teller.tell(receipts, known(of, session)):
                good(line.say)
            for saying in listed(of, session) if at % 20 == 0 else ():
                good(teller.tongue.tr(saying.text, **saying.facts))


def good(said: str) -> None:
    assert not UNSAID.search(said) and not re.search(r"\bNone\b|\bnobody\b[^ .]|\.\.|。。|\{", said), said


def listed(of: Header, session: Session) -> Iterator[Saying]:
    at, speech = known(of, session), speech_of(of.game.name)
    lies = speech.lies(at)
    yield from lies
    yield from (told for saying in lies for told in speech.details(at, saying))
    for seat in of.seats:
        yield from speech.holds(at, seat, session.view(seat)["private"])


def what_is_hidden_is_not_heard(name: str, seats: int, options: dict[str, Any]) -> None:
    """Check that everybody hears the same when other cards lie face down (law 2).

    So must the earphones of seats that laid none.
    """
    of, events, states = travel(name, seats, options)
    tried = 0
    for state, event in zip(states, events, strict=False):
        for disguise in disguises(of.game, state) if not isinstance(event, Reveal) and tried < 40 else ():
            others = [seat for seat in of.seats if seat not in state.choices]
            said = [everything_heard(of, each, event, others) for each in (state, disguise)]
            assert said[0] == said[1] and said[0]
            tried += 1
    assert tried > 10


def everything_heard(of: Header, state: Any, event: Any, ears: Sequence[Seat]) -> list[Any]:
    session = Session(of.game, of.setup)
    session.opening = state
    teller = Teller(of, "en", "full", ears)
    before = teller.tell((), known(of, session))
    after = teller.tell([session.receive(event)], known(of, session))
    return [*before, *after, *spoken(speech_of(of.game.name).lies(known(of, session)))]
