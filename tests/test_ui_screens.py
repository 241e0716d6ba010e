"""The window itself: every page of every game at three sizes and in long words, and games by mouse and keyboard."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ui.pictures import SIZES

ROOT = Path(__file__).parent.parent
RUNS = {f"{wide}x{high}": ["tests.ui_geometry", str(wide), str(high)] for wide, high in SIZES}
RUNS |= {f"{lang} 800x480": ["tests.ui_geometry", "800", "480", lang] for lang in ("de", "ja", "long")}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, "subprocess.Popen[str]"]]:
    """All windows at once: each is a process, and they share the machine's cores."""
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    commands = RUNS | {
        "play": ["tests.ui_play"],
        "sitting": ["tests.ui_sitting", str(tmp_path_factory.mktemp("saved"))],
    }
    started = {
        name: subprocess.Popen(
            [sys.executable, "-m", *args], cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for name, args in commands.items()
    }
    yield started
    for process in started.values():
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", RUNS)
def test_nothing_is_cut_off_and_nothing_overlaps(runs: dict[str, "subprocess.Popen[str]"], name: str) -> None:
    out, err = runs[name].communicate(timeout=110)
    assert runs[name].returncode == 0, err
    assert json.loads(out) == {}


@pytest.mark.parametrize("name", ["play", "sitting"])
def test_played_by_mouse_and_keyboard(runs: dict[str, "subprocess.Popen[str]"], name: str) -> None:
    """A round with every way to act, and several games one after the other with all that lies between them."""
    out, err = runs[name].communicate(timeout=110)
    assert runs[name].returncode == 0, err
    assert out.splitlines()[-1] == "played"
