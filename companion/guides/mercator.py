"""Mercator, asked."""

from __future__ import annotations

from companion.guide import Guide
from companion.rules import N_
from companion.views import MercatorBeside, MercatorView

QUIET = ("next", "loading", "full", "limit")

NAMES = {
    "after": N_("after"),
    "before": N_("before"),
    "bids": N_("bids"),
    "bonus": N_("bonus"),
    "flipper": N_("flips"),
    "last": N_("loads"),
    "limit": N_("at most"),
    "lot": N_("the lot"),
    "order": N_("order"),
    "out": N_("no room"),
    "pile": N_("pile"),
    "place": N_("places"),  # at the sale it is a rank
    "prize": N_("prize"),
    "room": N_("room"),
    "sharing": N_("shared"),
    "skipped": N_("skipped"),
    "taking_part": N_("taking part"),
}

GUIDE: Guide[MercatorView, MercatorBeside] = Guide(
    quiet=QUIET,
    names=NAMES,
)
