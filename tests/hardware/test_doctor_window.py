"""The doctor of a computer without a screen's libraries, and of a table that is not there: nothing passes that is not so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT
from ui.display import drawn


def doctor(tmp_path: Path, **env: str) -> list[dict[str, Any]]:
    """What it finds on a virtual table."""
    env = os.environ | {"XDG_DATA_HOME": str(tmp_path), "SDL_VIDEODRIVER": "offscreen"} | env
    words = [sys.executable, "-m", "companion", "doctor", "--json"]
    run = subprocess.run(words, check=False, capture_output=True, text=True, cwd=ROOT, env=env)
    assert run.stdout, run.stderr
    found: list[dict[str, Any]] = json.loads(run.stdout)["findings"]
    assert run.returncode == any(of["verdict"] == "fail" for of in found)
    return found


def test_libraries_that_the_window_needs_are_named_with_their_packages(tmp_path: Path) -> None:
    for name in ("libGL.so.1", "libEGL.so.1", "libGLESv2.so.2"):
        (tmp_path / name).touch()  # no library: it cannot be loaded
    found = [of for of in doctor(tmp_path, LD_LIBRARY_PATH=str(tmp_path)) if of["part"] == "window"]
    assert {(of["verdict"], of["next"]) for of in found} == {
        ("fail", f"sudo apt install {name}") for name in ("libgl1", "libegl1", "libgles2")
    }


def test_a_graphics_driver_that_is_not_there_is_found_by_drawing(tmp_path: Path) -> None:
    (found,) = [of for of in doctor(tmp_path, __EGL_VENDOR_LIBRARY_DIRS="/nowhere") if of["part"] == "window"]
    assert found["verdict"] == "fail" and "libgl1-mesa-dri" in found["next"]


def test_a_window_that_can_be_drawn_passes_and_a_virtual_table_is_called_one(tmp_path: Path) -> None:
    found = doctor(tmp_path)
    (window,) = [of for of in found if of["part"] == "window"]
    assert window["verdict"] == "pass"
    (computer,) = [of["what"] for of in found if of["part"] == "computer"]
    assert "virtual table" in computer and "USB" not in computer
    wired = [of for of in found if of["part"].startswith(("reader", "button", "lamp"))]
    assert len(wired) > 3 and all(of["what"].startswith("virtual: ") and not of["next"] for of in wired)


def test_a_screen_that_does_not_answer_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":9999")
    renderer, fault = drawn()
    assert not renderer and "x11" in fault
