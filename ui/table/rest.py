"""The table at rest: whose move it is and how it stands, to be read from across the room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.games.face import face_of
from ui.games.parts.resting import Resting
from ui.table import frame
from ui.table.moment import Moment

REST_S = 20
"""So many seconds without a touch or a change, and the table rests."""


@dataclass(frozen=True, slots=True)
class AtRest:
    """All that is seen."""

    seats: Sequence[str]
    """Those who are awaited."""
    name: str
    """The one who is; "" where there are several."""
    what: str
    short: str
    number: Resting
    last: frame.LastRuling


def at_rest(m: Moment) -> AtRest | None:
    """The table as it rests; None where nobody is awaited with real pieces, or something has just been refused."""
    band, last = frame.band(m), frame.ruling_line(m)
    if m.virtual or m.view["over"] or not band.seats or band.fault or last.refused or m.called or m.counts or m.presses:
        return None
    name = m.name(band.seat) if band.seat else ""
    return AtRest(band.seats, name, band.expected.what, band.expected.short, face_of(m.game.name).resting(m), last)
