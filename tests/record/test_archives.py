"""Archives that other people have made: what they say of themselves is not believed."""

from __future__ import annotations

import bz2
import tracemalloc
from collections.abc import Callable

import pytest

from companion.hall import season
from companion.hardware import report
from tests.support.archives import Member, archive

ZEROS = bytes(60_000_000)
BOMBS: dict[str, Callable[[str], bytes]] = {
    "a size that is not true": lambda name: archive(Member(name, ZEROS, size=100)),
    "bzip2": lambda name: archive(Member(name, bz2.compress(ZEROS), how=12, size=100)),
    "a list of many": lambda name: archive(Member(name, b"{}"), behind=bytes(2_000_000), length=2_000_060),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_report_and_an_export_are_unpacked_no_further_than_they_say(bomb: Callable[[str], bytes]) -> None:
    sent, export = bomb("report.json"), bomb("standings.csv")
    tracemalloc.start()
    try:
        with pytest.raises(report.ReportError):
            report.opened(sent)
        with pytest.raises(ValueError, match="not the export of a hall"):
            season.players(export)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
