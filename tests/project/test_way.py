"""The way of a card from tag to pixel: as docs/way.svg draws it, and no longer than it was."""

import re

import pytest

from tests.conftest import Window

FUNCTIONS, FILES = 39, 19


@pytest.mark.window("way")
def test_the_way_of_a_card_is_the_one_in_the_drawing_and_no_longer_than_it_was(window: Window) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, out + err
    functions, files = map(int, re.findall(r"\d+", out.splitlines()[0]))
    assert functions <= FUNCTIONS and files <= FILES
