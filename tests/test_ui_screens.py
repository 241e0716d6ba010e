"""The window itself: every page of every game at three sizes and in long words, and games by mouse and keyboard."""

import json
import subprocess

import pytest

from tests.conftest import RUNS


@pytest.mark.parametrize("name", RUNS)
def test_nothing_is_cut_off_and_nothing_overlaps(runs: dict[str, "subprocess.Popen[str]"], name: str) -> None:
    out, err = runs[name].communicate()
    assert runs[name].returncode == 0, err
    assert json.loads(out) == {}


@pytest.mark.parametrize(
    "name", ["play", "sitting", "asking", "checking", "secrets", "wrong", "games 800x480", "games 480x800"]
)
def test_played_by_mouse_and_keyboard(runs: dict[str, "subprocess.Popen[str]"], name: str) -> None:
    """A round with every way to act; several games with all that lies between them; all that can go wrong; every
    game from start to end."""
    out, err = runs[name].communicate()
    assert runs[name].returncode == 0, err
    assert out.splitlines()[-1] == "played"
