"""Amending an earlier act: everything that could be done at its moment, with what was done marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from companion.answers.snapshot import Past
from companion.record.transcript import event_data
from companion.rules import N_, as_json
from companion.rules.data import Data
from companion.session.receipt import Receipt
from ui.games.face import face_of
from ui.games.parts.actions import Action, actions
from ui.games.parts.past import Then
from ui.pages import goback
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Other:
    """An act that was possible then, and whether it is the one that was made."""

    action: Action
    was: bool
    number: int
    """The act it corrects."""


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


def others(m: Moment, then: Then) -> Sequence[Other]:
    """Return everything that could be done then; a card can be chosen again only by the same seat.

    Where several seats did the same in a row, as with bids, each of them has a control that corrects what it did.
    """
    found = [
        replace(action, text=m.say(N_("Choose a card"))) if action.verb == "choose" else action
        for action in actions(then.moment, face_of(m.game.name).terms)
        if action.verb not in ("end", "choose")
        or (action.verb == "choose" and action.seat in ("", then.was.get("seat")))
    ]
    did = in_a_row(m, then.number)
    alike = [action for action in found if action.verb == then.was["event"] and action.seat in did and not action.event]
    if len(alike) < 2:
        return [Other(action, is_it(action, then.was), then.number) for action in found]
    return [
        Other(replace(action, text=goback.named_move(m, did[action.seat])), is_it(action, then.was), did[action.seat])
        if action in alike
        else Other(action, is_it(action, then.was), then.number)
        for action in found
    ]


def in_a_row(m: Moment, number: int) -> Mapping[str, int]:
    """Return the acts of one kind done in a row with this one, by seat; of each seat the last one."""
    groups = (list(group) for _, group in groupby(m.acts, lambda act: act.verb))
    acts = next(group for group in groups if any(act.number == number for act in group))
    return {data["seat"]: act.number for act in acts if act.event and "seat" in (data := event_data(act.event))}


def is_it(action: Action, was: Data) -> bool:
    """Return whether this control begins the act that was made."""
    settled = {key: as_json(value) for key, value in action.picked.items() if value is not None}
    return action.verb == was["event"] and all(was.get(key) == value for key, value in settled.items())
