"""The words of Hannibal gegen Rom on the screen: the breakdown of a result, the chart, the pieces at a place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.games.hannibal.view import HannibalView, Region, Route
from companion.rules import N_, plural
from ui.games.hannibal.moment import HannibalMoment
from ui.games.parts import ending
from ui.games.parts.ending import Chart

FACTS = {"hand_sizes": N_("cards: {count}"), "chips": N_("chips: {count}")}


WAYS = ("capital", "mediterranean", "no_legions", "no_move", "eight_chips")
"""The ways to win, by the codes of their rulings."""
BREAKDOWN = partial(ending.breakdown, codes=WAYS, facts=FACTS)


def why_won(m: HannibalMoment, seat: str) -> str:
    """Return in which of the ways the seat won."""
    said = [ruling for act in reversed(m.acts) for ruling in act.public if ruling.code in WAYS]
    return next((m.tongue.say(ruling) for ruling in said if ending.concerns(ruling, seat)), "")


def length(m: HannibalMoment) -> str:
    return ending.said(m, plural("{count} battle", "{count} battles"), "battle_won", "battle_over")


def chart(m: HannibalMoment) -> Chart:
    """Return the legions left over the game; Hannibal counts as one."""

    def legions(view: HannibalView) -> Mapping[str, int]:
        return {seat: sum(count(region, seat) for region in view["regions"].values()) for seat in m.seats}

    return ending.fortunes(m, N_("Legions left"), legions)


# -- The two sides of Hannibal gegen Rom, and what they have at a place --------------------------------------------


ROME, CARTHAGE = "blue", "red"
ENEMY = {ROME: CARTHAGE, CARTHAGE: ROME}
CAPITAL = {ROME: "rome", CARTHAGE: "carthago"}


def count(at: Region | Route, side: str) -> int:
    """Return how many pieces of the side stand there."""
    if side == ROME:
        return at["blue"]
    return at["red"] + bool(at.get("hannibal")) if side == CARTHAGE else 0
