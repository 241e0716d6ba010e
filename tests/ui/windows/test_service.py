"""The window of a table that is an appliance: what its manager hears, when it goes dark, how it is switched off."""

import pytest

from tests.conftest import Window


@pytest.mark.window("service")
def test_it_reports_goes_dark_is_woken_by_a_touch_that_does_nothing_else_and_is_switched_off(window: Window) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert out.splitlines()[-1] == "switched off"
