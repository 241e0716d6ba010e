"""The window of a table that is an appliance: what its manager hears, when it goes dark, how it is switched off."""

import pytest

from tests.conftest import Window


@pytest.mark.window("service")
def test_waking_touch_does_nothing_else(window: Window) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert out.splitlines()[-1] == "switched off"
