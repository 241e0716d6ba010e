"""Spartacus, asked."""

from __future__ import annotations

from companion.guide import Guide
from companion.rules import N_
from companion.views import SpartacusBeside, SpartacusView

QUIET = ("leads", "hand")

NAMES = {
    "cost": N_("costs"),
    "costs": N_("costs"),
    "leader": N_("leads"),
    "lowest": N_("lowest"),
    "points": N_("points"),
    "strongest": N_("strongest"),
    "totals": N_("totals"),
    "working": N_("sum"),
}

GUIDE: Guide[SpartacusView, SpartacusBeside] = Guide(
    quiet=QUIET,
    names=NAMES,
)
