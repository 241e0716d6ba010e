"""The first `make run`: what is fetched is said, how far it is, and where it fails."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PIP = """Obtaining file:///home/anna/tabularium
  Installing build dependencies: started
  Installing build dependencies: finished with status 'done'
Collecting kivy<2.4,>=2.3.1 (from tabularium==0.1.0)
  Downloading Kivy-2.3.1-cp311-cp311-manylinux_2_17_x86_64.whl.metadata (15 kB)
  Downloading Kivy-2.3.1-cp311-cp311-manylinux_2_17_x86_64.whl (23.0 MB)
     ━━━━━━━━━━━━━━━━━━━━ 23.0/23.0 MB 15.7 MB/s eta 0:00:00
Requirement already satisfied: pip in ./.venv
  Using cached rich-15.0.0-py3-none-any.whl (310 kB)
Processing /opt/wheels/Kivy_Garden-0.1.5-py3-none-any.whl
Installing collected packages: kivy, rich
Successfully installed kivy-2.3.1 rich-15.0.0
"""


def script(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
@pytest.mark.parametrize("status", [0, 1])
def test_the_first_run_says_what_is_fetched_and_how_far_it_is(tmp_path: Path, status: int) -> None:
    (tmp_path / "pip.txt").write_text(PIP, encoding="utf-8")
    for name in ("Makefile", "constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    python = script(tmp_path / "bin" / "python", "true")
    pip = script(tmp_path / "pip", f"cat {tmp_path}/pip.txt; echo 'No matching distribution' >&2; exit {status}")
    given = ["BIN=bin", f"PYTHON={python}", f"PIP={pip}"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    run = subprocess.run(
        ["make", *given, "bin/.ready"], check=False, capture_output=True, text=True, cwd=tmp_path, env=env
    )
    first, *said = run.stdout.splitlines()
    count = sum("==" in line for line in (ROOT / "constraints.txt").read_text().splitlines())
    assert first == f"Setting up .venv: {count} packages, once, in a minute or two ..."
    assert said[:5] == [
        "  what builds packages ...",
        f"  1 of {count}: Kivy (23.0 MB)",
        f"  2 of {count}: rich, fetched earlier",
        f"  3 of {count}: Kivy_Garden, from this computer",
        "  unpacking all of it ...",
    ]
    assert "No matching distribution" in run.stderr
    assert (tmp_path / "bin" / ".ready").exists() is (status == 0) and bool(run.returncode) is bool(status)
