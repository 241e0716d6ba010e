"""What may be done now: by whom, how, and by which clause; and why something one might expect is not possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion import guide
from companion.guide import Can, Saying
from companion.rules import N_
from companion.why import mark
from companion.words import find_clause
from ui.pages.answers import Cited, Heading, Sentence
from ui.table.moment import Moment


def possible(m: Moment) -> Sequence[Any]:
    """Every act that is possible now, then what is not; a clause is cited once, under the last it is about."""
    now = guide.now(m.game, m.known)
    if not now.can:
        return [Sentence(m.say(N_("The game is over. Undo takes the last act back.")))]
    items = [
        *(part for can in now.can for part in _can(m, can)),
        *([Heading(m.say(N_("Not possible now")))] if now.cannot else []),
        *(part for saying in now.cannot for part in (said(m, saying), *clause(m, saying.rule))),
        Sentence(m.say(N_("Touch a number on the table's screen to see how it came about.")), weight="muted"),
    ]
    return [item for at, item in enumerate(items) if not (isinstance(item, Cited) and item in items[at + 1 :])]


def _can(m: Moment, can: Can) -> Iterator[Any]:
    yield said(m, can.says, can.seats)
    yield Sentence(how(m, can), weight="strong")
    yield from clause(m, can.says.rule)


def said(m: Moment, saying: Saying, seats: Sequence[str] = ()) -> Sentence:
    return Sentence(m.tongue.tr(saying.text, **saying.facts), seats)


def clause(m: Moment, rule: str) -> Sequence[Cited]:
    """The clause in full, with its mark."""
    found = find_clause(m.game, rule)
    return [Cited(rule, m.tongue.tr(found.text), mark(found, m.tongue))] if found else []


def how(m: Moment, can: Can) -> str:
    """With card, button or finger: "Press: yes · hold for half a second: no · screen"."""
    text = " · ".join(guide.ways(can, m.tongue))
    return text[:1].upper() + text[1:]
