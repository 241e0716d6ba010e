"""The window of a table that is an appliance: what its manager hears, when it goes dark, how it is switched off."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Window


@pytest.mark.window("service")
def test_waking_touch_does_nothing_else(window: Window) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert out.splitlines()[-1] == "switched off"


def test_a_table_that_its_manager_aborts_says_where_it_stood(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(f"data: {tmp_path}\nhardware: virtual\n", encoding="utf-8")
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "KIVY_NO_ARGS": "1"}
    words = [sys.executable, "-m", "companion", "--config", str(config), "--verbose"]
    with subprocess.Popen(words, env=env, stderr=subprocess.PIPE, text=True) as table:
        assert table.stderr
        began = next(line for line in table.stderr if "Tabularium" in line)
        table.send_signal(signal.SIGABRT)
        said = table.stderr.read()
    assert began and table.returncode == -signal.SIGABRT
    assert "Fatal Python error: Aborted" in said and "in open_table" in said  # a line of the log may come between
