"""The possible moves: by whom, how, and by which clause; and why an expected act is not possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from companion.answers import guide
from companion.answers.why import mark
from companion.play.equipment import InputMethods
from companion.rules import N_, NC_
from companion.rules.guide import Saying
from companion.rules.prompts import Can, Way
from companion.rules.words import find_clause
from ui.pages.answer_items import Cited, Heading, Sentence
from ui.table.moment import Moment


def possible(m: Moment) -> Sequence[Any]:
    """Return every act that is possible now, then what is not.

    A clause is cited once, under the last item it is about.
    """
    now = guide.now(m.game, m.known)
    if not now.can:
        return [Sentence(m.say(N_("The game is over. “Undo” takes back the last move.")))]
    items = [
        *(part for can in now.can for part in _possible_move(m, can)),
        *([Heading(m.say(N_("Not possible now")))] if now.cannot else []),
        *(part for saying in now.cannot for part in (said(m, saying), *clause(m, saying.rule))),
        Sentence(m.say(N_("Tap a number on the table page to see how it came about.")), weight="muted"),
    ]
    return [item for at, item in enumerate(items) if not (isinstance(item, Cited) and item in items[at + 1 :])]


def _possible_move(m: Moment, can: Can) -> Iterator[Any]:
    yield said(m, can.says, can.seats)
    yield Sentence(how(m, can), weight="strong")
    yield from clause(m, can.says.rule)


def said(m: Moment, saying: Saying, seats: Sequence[str] = ()) -> Sentence:
    return Sentence(m.tongue.tr(saying.text, **saying.facts), seats)


def clause(m: Moment, rule: str) -> Sequence[Cited]:
    """Return the clause in full, with its mark."""
    found = find_clause(m.game, rule)
    return [Cited(rule, m.tongue.tr(found.text), mark(found, m.tongue))] if found else []


CARD = {"own": N_("lay it on your reader"), "shared": N_("hold the card to the reader")}
"""By the reader a seat has: how it plays a card."""
FACE_DOWN = N_("hold your card to the reader, then lay it face down before you")
TOUCH = N_("tap the screen")
BY_EAR = N_("earphone button")


def how(m: Moment, can: Can) -> str:
    """Return how the act is done with the acting seats' devices: "Press: yes · hold for half a second: no · screen"."""
    ways = [way for way in can.ways if _has_device(m, can, way)]
    said = guide.ways(replace(can, ways=ways), m.tongue)
    ears = [m.say(BY_EAR)] if any(seat in m.ears for seat in can.seats or m.seats) else []
    parts = [_how_card_is_played(m, can) if way == "card" else one for way, one in zip(ways, said, strict=True)]
    either = NC_("ways", "{one} · {other}")
    text = reduce(lambda one, other: m.say(either, one=one, other=other), [*parts, *ears] or [""])
    if ways == ["finger"] and not ears:
        text = m.say(TOUCH)
    return text[:1].upper() + text[1:]


def _has_device(m: Moment, can: Can, way: Way) -> bool:
    """Return whether a seat that acts has the device for this way.

    A reveal by fists takes a button of every seat in it.
    """
    match way:
        case "card":
            return any(each.reader for each in _means_of(m, can.seats or m.seats))
        case "press" | "hold":
            return any(each.button for each in _means_of(m, [s for s in can.seats or m.seats if s not in m.ears]))
        case "fists":
            return all(each.button for each in _means_of(m, m.fists))
    return True


def _means_of(m: Moment, seats: Sequence[str]) -> Sequence[InputMethods]:
    return [m.means[seat] for seat in seats if seat in m.means]


def _how_card_is_played(m: Moment, can: Can) -> str:
    """Return how a card is played on the reader that all acting seats have; a general text if the readers differ."""
    readers = {each.reader for each in _means_of(m, can.seats or m.seats)}
    reader = readers.pop() if len(readers) == 1 else None
    if not reader:
        return m.say(guide.WAYS["card"])
    return m.say(FACE_DOWN if reader == "shared" and can.verb == "choose" else CARD[reader])
