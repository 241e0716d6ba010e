"""The window itself: every page at the three sizes, and a game by mouse and keyboard, each in a process of its own."""

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
RUNS |= {f"{lang} 800x480": ["tests.ui_geometry", "800", "480", lang] for lang in ("de", "ja")}
RUNS |= {"play": ["tests.ui_play"]}


@pytest.fixture(scope="module")
def runs() -> Iterator[dict[str, "subprocess.Popen[str]"]]:
    """All windows at once: each is a process, and they share the machine's cores."""
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    started = {
        name: subprocess.Popen(
            [sys.executable, "-m", *args], cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for name, args in RUNS.items()
    }
    yield started
    for process in started.values():
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", [name for name in RUNS if name != "play"])
def test_nothing_is_cut_off_and_nothing_overlaps(runs: dict[str, "subprocess.Popen[str]"], name: str) -> None:
    out, err = runs[name].communicate(timeout=100)
    assert runs[name].returncode == 0, err
    assert json.loads(out) == {}


def test_a_round_by_mouse_and_keyboard(runs: dict[str, "subprocess.Popen[str]"]) -> None:
    out, err = runs["play"].communicate(timeout=100)
    assert runs["play"].returncode == 0, err
    assert out.splitlines()[-1] == "played"
