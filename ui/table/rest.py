"""The table at rest: whose move it is and how it stands, to be read from across the room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.guide import Lesson
from ui.games.face import face_of
from ui.games.parts.status import Resting
from ui.table import frame
from ui.table.moment import Moment

REST_S = 20
"""Seconds without a touch or a change until the table rests."""


@dataclass(frozen=True, slots=True)
class AtRest:
    """The contents of the resting screen."""

    seats: Sequence[str]
    """Those who are awaited."""
    name: str
    """The one who is; "" where there are several."""
    what: str
    short: str
    number: Resting
    last: frame.LastRuling
    standing: Sequence[tuple[str, str]] = ()
    """Every seat with its number, the highest first; none in a game where seats have no numbers."""


def at_rest(m: Moment) -> AtRest | None:
    """Return the resting table; None if nobody is awaited or an act was just refused.

    Also None during a press, a reveal or a device fault, and once the game is over.
    """
    seen = replace(m, virtual=False, means={}) if m.virtual else m  # no cards lie below here
    band, last = frame.band(seen), frame.ruling_line(m)
    if m.view["over"] or not band.seats or band.fault or last.refused or m.called or m.counts or m.presses:
        return None
    name = m.name(band.seat) if band.seat else ""
    return AtRest(
        band.seats, name, band.expected.what, band.expected.short, face_of(m.game.name).resting(m), last, standing(m)
    )


def standing(m: Moment) -> Sequence[tuple[str, str]]:
    """Return every seat with its public number, the highest first."""
    numbers = {seat: face_of(m.game.name).figure(m, seat) for seat in m.seats}
    ranked = sorted(((number, seat) for seat, number in numbers.items() if number is not None), key=lambda one: -one[0])
    return tuple((seat, m.tongue.phrase(number)) for number, seat in ranked)


# -- A first game: what is told now, and to whom -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """A lesson as a sentence, and the seats it matters to; none for everybody."""

    text: str
    seats: Sequence[str]


def told(m: Moment, lesson: Lesson[Any, Any]) -> Told:
    """Return the lesson's text and the seats it matters to at this moment."""
    text = m.tongue.tr(lesson.text, **lesson.said(m.known))
    return Told(text, tuple(seat for seat in m.seats if seat in lesson.to(m.known)))
