"""Dates as each language writes them."""

from __future__ import annotations

from datetime import date

from companion.rules import N_, NC_
from companion.rules.words import tr

MONTHS = (
    NC_("month", "Jan"), NC_("month", "Feb"), NC_("month", "Mar"), NC_("month", "Apr"), NC_("month", "May"),
    NC_("month", "Jun"), NC_("month", "Jul"), NC_("month", "Aug"), NC_("month", "Sep"), NC_("month", "Oct"),
    NC_("month", "Nov"), NC_("month", "Dec"),
)  # fmt: skip


def day(of: date, lang: str) -> str:
    """Return a day: "25 Nov 2026", "25. Nov. 2026", "2026年11月25日"."""
    return tr(N_("{day} {month} {year}"), lang, day=of.day, month=tr(MONTHS[of.month - 1], lang), year=of.year)
