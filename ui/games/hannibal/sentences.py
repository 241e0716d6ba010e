"""What the screen says of Hannibal gegen Rom: each side's facts, the acts, what goes back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.games.hannibal.view import HannibalView
from companion.rules import N_
from ui.games.hannibal.at import At
from ui.games.hannibal.sides import count
from ui.games.parts import ending
from ui.games.parts.ending import Chart

FACTS = {"hand_sizes": N_("cards: {count}"), "chips": N_("chips: {count}")}


BREAKDOWN = partial(
    ending.breakdown, codes=("capital", "mediterranean", "no_legions", "no_move", "eight_chips"), facts=FACTS
)
"""Won or lost: by which of the ways to win."""


def chart(m: At) -> Chart:
    """The legions left; Hannibal counts as one."""

    def legions(view: HannibalView) -> Mapping[str, int]:
        return {seat: sum(count(region, seat) for region in view["regions"].values()) for seat in m.seats}

    return ending.fortunes(m, N_("Legions left"), legions)
