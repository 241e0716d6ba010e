"""Dates as people read them."""

from datetime import UTC, date, datetime

import pytest

from companion.rules import dates
from companion.rules.words import message

DAYS = {"en": "5 Mar 2026", "de": "5. März 2026", "ja": "2026年3月5日"}


@pytest.mark.parametrize(("lang", "day"), DAYS.items())
def test_each_language_writes_dates_in_its_own_way(lang: str, day: str) -> None:
    assert dates.day(date(2026, 3, 5), lang) == day
    assert dates.day_and_time("2026-03-05T20:15:30+01:00", lang) == (day, "20:15")
    assert message(dates.moment(datetime(2026, 3, 5, 9, 5, tzinfo=UTC)), lang) == f"{day} 09:05"


@pytest.mark.parametrize("at", ["", "yesterday", "2026-13-01T00:00"])
def test_a_spoilt_moment_has_no_date(at: str) -> None:
    assert dates.day_and_time(at, "en") == ("", "")
