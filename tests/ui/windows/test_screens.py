"""The window itself: every page of every game in the sizes, languages and letters that need most room, and games by mouse and keyboard."""

import json

import pytest

from tests.conftest import PLAYED, RUNS, Window


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.window(name)) for name in RUNS])
def test_nothing_is_cut_off_and_nothing_overlaps(window: Window, name: str) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert json.loads(out) == {}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.window(name)) for name in (*PLAYED, "sitting", "plugged")]
)
def test_played_by_mouse_and_keyboard(window: Window, name: str) -> None:
    """A round with every way to act; several games with all that lies between them; all that can go wrong; every
    game from start to end."""
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert out.splitlines()[-1] == "played"
