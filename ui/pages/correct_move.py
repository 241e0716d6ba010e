"""Amending an earlier act: everything that could be done at its moment, with what was done marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.answers.snapshot import Past
from companion.record.transcript import event_data
from companion.rules import N_, as_json
from companion.rules.data import Data
from companion.session.receipt import Receipt
from ui.games.face import face_of
from ui.games.parts.actions import Action, actions
from ui.games.parts.past import Then
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Other:
    """An act that was possible then, and whether it is the one that was made."""

    action: Action
    was: bool


def then(m: Moment, past: Past, act: Receipt) -> Moment:
    """Return what may be shown of the moment before the act; `past` is the game as it stood then."""
    assert act.event
    earlier = [one for one in m.acts if one.standing < act.standing]
    return replace(
        m, view=past.view, derived=past.derived, outlines=past.outlines, fists=past.fists,
        log=earlier, closed=frozenset(), called=False, counts=False, presses={}, lying=(),
    )  # fmt: skip


def pads(m: Moment, past: Past, number: int) -> Then:
    """Return the pads of the moment before this act, which must stand. Raises LookupError."""
    act = next((one for one in m.acts if one.number == number), None)
    if act is None or act.event is None:
        raise LookupError(number)
    return Then(number, then(m, past, act), event_data(act.event), past.private)


def others(then: Then) -> Sequence[Other]:
    """Return everything that could be done then; a card can be chosen again only by the same seat."""
    m = then.moment
    found = [
        replace(action, text=m.say(N_("Choose a card"))) if action.verb == "choose" else action
        for action in actions(m, face_of(m.game.name).terms)
        if action.verb not in ("end", "choose")
        or (action.verb == "choose" and action.seat in ("", then.was.get("seat")))
    ]
    return [Other(action, is_it(action, then.was)) for action in found]


def is_it(action: Action, was: Data) -> bool:
    """Return whether this control begins the act that was made."""
    settled = {key: as_json(value) for key, value in action.picked.items() if value is not None}
    return action.verb == was["event"] and all(was.get(key) == value for key, value in settled.items())
