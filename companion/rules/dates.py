"""Dates as each language writes them."""

from __future__ import annotations

from datetime import date, datetime

from companion.rules import NC_
from companion.rules.message import Message
from companion.rules.words import message

MONTHS = (
    NC_("month", "Jan"), NC_("month", "Feb"), NC_("month", "Mar"), NC_("month", "Apr"), NC_("month", "May"),
    NC_("month", "Jun"), NC_("month", "Jul"), NC_("month", "Aug"), NC_("month", "Sep"), NC_("month", "Oct"),
    NC_("month", "Nov"), NC_("month", "Dec"),
)  # fmt: skip


def day(of: date, lang: str) -> str:
    """Return a day: "25 Nov 2026", "25. Nov. 2026", "2026年11月25日"."""
    return message(written(of), lang)


def written(of: date) -> Message:
    """Return a day as a message, for a reader whose language is not known yet."""
    return Message("{day} {month} {year}", day=of.day, month=Message(MONTHS[of.month - 1]), year=of.year)


def moment(of: datetime) -> Message:
    """Return a day and its time as a message."""
    return Message("{day} {clock}", day=written(of), clock=f"{of:%H:%M}")


def day_and_time(at: str, lang: str) -> tuple[str, str]:
    """Return the day and the time of a stored moment; both are "" if it cannot be read."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return "", ""
    return day(found, lang), f"{found:%H:%M}"
