"""Caesar, asked."""

from __future__ import annotations

from companion.guide import Guide
from companion.rules import N_
from companion.views import Beside, CaesarView

QUIET = ("opens",)

NAMES = {
    "attacker": N_("attacks"),
    "between": N_("in between"),
    "counters": N_("counters"),
    "defender": N_("defends"),
    "duellists": N_("in the duel"),
    "groups": N_("groups"),
    "left": N_("left"),
    "other": N_("other side"),
    "passes": N_("passes in a row"),
    "size": N_("group size"),
    "square": N_("square"),
    "squares": N_("squares"),
    "survivors": N_("still in the game"),
}

GUIDE: Guide[CaesarView, Beside] = Guide(
    quiet=QUIET,
    names=NAMES,
)
