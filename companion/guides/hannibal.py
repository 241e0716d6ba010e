"""Hannibal, asked."""

from __future__ import annotations

from companion.guide import Guide
from companion.rules import N_
from companion.views import HannibalBeside, HannibalView

QUIET = ("fights", "who_fights", "battle", "cards_back")

NAMES = {
    "back": N_("chips given back"),
    "capital": N_("capital"),
    "enemy": N_("enemy"),
    "fighter": N_("fights"),
    "piece": N_("piece"),
    "places": N_("where"),
    "regions": N_("regions"),
    "removed": N_("lost"),
    "route": N_("route"),
    "routes": N_("routes"),
    "sides": N_("sides"),
    "theirs": N_("other side"),
}

HIDDEN = ("carthage",)

GUIDE: Guide[HannibalView, HannibalBeside] = Guide(
    quiet=QUIET,
    names=NAMES,
    hidden=HIDDEN,
)
