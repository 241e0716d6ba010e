"""Augur on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_
from ui.games.face import Face
from ui.games.parts.actions import Action, Terms, actions
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Roof:
    """The birds that are left, and what can be done."""

    birds: str
    actions: Sequence[Action]


def centre(m: Moment) -> Roof:
    return Roof(m.say(N_("Birds on the roof: {birds}"), birds=m.view["birds"]), actions(m, Terms()))


FACE: Face[Moment, Roof] = Face(centre, "ui.games.augur.board.AugurBoard")
