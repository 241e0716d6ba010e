"""An evening of sixty players by two organisers in a real browser, which ends as the same evening at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hall_board_chromium import Chromium
from tests.support.tables import EVERYTHING
from tools.hall_evening import evening


@pytest.mark.skipif(not EVERYTHING, reason="two whole evenings: make soak")
def test_an_evening_of_sixty_takes_few_clicks_loses_nothing_and_gives_no_false_alarm(
    tmp_path: Path, browser: Chromium
) -> None:
    tally = evening(tmp_path, browser)
    assert tally.faults == [], "\n".join(tally.lines())
