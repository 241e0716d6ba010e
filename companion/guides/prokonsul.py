"""Prokonsul, asked."""

from __future__ import annotations

from companion.guide import Guide
from companion.rules import N_
from companion.views import ProkonsulBeside, ProkonsulView

QUIET = ("round", "plea", "silence", "no_rival", "move_pawn", "last_province", "cards_back")

NAMES = {
    "able": N_("can win"),
    "addends": N_("sum"),
    "asked": N_("asked"),
    "before": N_("before"),
    "can_ask": N_("can be asked"),
    "governor": N_("governor"),
    "held": N_("holds"),
    "home": N_("counters back to"),
    "linked": N_("linked with"),
    "members": N_("members"),
    "more": N_("short by"),
    "next": N_("next"),
    "others": N_("no rivals any more"),
    "pleader": N_("pleads"),
    "promise": N_("promise"),
    "province": N_("province"),
    "rank": N_("card"),
    "round": N_("round"),
    "row": N_("row"),
    "target": N_("target"),
    "total": N_("total"),
}

HIDDEN = ("cards", "counters", "taken")

GUIDE: Guide[ProkonsulView, ProkonsulBeside] = Guide(
    quiet=QUIET,
    names=NAMES,
    hidden=HIDDEN,
    rows={"row_before": N_("Row before"), "row_after": N_("Row after")},
)
