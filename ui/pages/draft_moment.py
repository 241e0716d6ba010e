"""A draft as it lies on the table: the moment its board shows, and what has changed there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.answers.editing import Draft
from companion.games import position_of
from companion.rules.layout import Layout
from companion.rules.position_parts import Part
from companion.rules.words import Tongue
from ui.games.face import face_of
from ui.table.moment import Moment

Data = Mapping[str, Any] | None
"""A board's data as a header has it, None where a game has none."""


def moment(draft: Draft, tongue: Tongue, board: Data) -> Moment | None:
    """Return what everybody would see if the draft lay on the table; None if no board can show that.

    Nothing can be done at that moment.
    """
    past = draft.laid
    if past is None:
        return None
    setup = draft.setup
    found = Moment(draft.game, setup.seats, past.view, past.derived, tongue.lang, tongue.names, setup.options, board)
    try:
        face_of(draft.game.name).centre(found)
    except Exception:  # a board knows only what the rules allow
        return None
    return found


def lain(draft: Draft) -> Layout:
    """Return the layout of the draft, {} if it cannot be laid."""
    past = draft.laid
    return position_of(draft.game.name).layout(past.view, draft.setup.options) if past else {}


def changed(draft: Draft) -> Collection[str]:
    """Return the places whose content has changed, and the plates of the seats that a change names."""
    before, now = lain(draft.began), lain(draft)
    moved = {place for place in {*before, *now} if before.get(place) != now.get(place)} if now else set()
    for part in draft.parts:
        if not part.secret and draft.differs(part):
            moved |= _places_of_change(part, draft.was(part), draft.get(part))
    return moved


def _places_of_change(part: Part, was: object, now: object) -> set[str]:
    """Return the places of a changed part; its plates only if it lies nowhere else."""
    named = {f"seat {seat}" for seat in _as_set(was) ^ _as_set(now)}
    own = {place for place in part.places if not place.startswith("seat ")}
    return own or named & {*part.places} or {*part.places}


def _as_set(value: object) -> set[str]:
    if isinstance(value, str):
        return {value}
    return set(value) if isinstance(value, list) else set()
