"""The first `make run`: what is fetched is said, how far it is, and where it fails."""

import os
import shutil
import subprocess
import sys
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
    count = (ROOT / "constraints.txt").read_text().partition("besides")[0].count("==")
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


def made(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """`make` in a folder that has what the set-up reads."""
    for name in ("Makefile", "constraints.txt", "pyproject.toml"):
        if not (folder / name).exists():
            shutil.copy(ROOT / name, folder)
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *given], check=False, capture_output=True, text=True, cwd=folder, env=env)


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
@pytest.mark.parametrize("version", ["3, 10", "3, 14"])
def test_another_python_is_refused_before_anything_is_installed(tmp_path: Path, version: str) -> None:
    text = f"""exec {sys.executable} - "$@" <<'END'
import sys
sys.version_info = ({version}, 1)
sys.argv[1] == "-V" and sys.exit(print("Python {version.replace(", ", ".")}.1"))
exec(sys.argv[2])
END"""
    run = made(tmp_path, f"PYTHON={script(tmp_path / 'python', text)}", "python")
    assert run.returncode and not (tmp_path / ".venv").exists()
    (said,) = [line for line in run.stdout.splitlines() if line]
    assert "3.11 to 3.13" in said and f"Python {version.replace(', ', '.')}.1" in said and "PYTHON=" in said


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_a_folder_that_was_moved_and_a_python_that_was_replaced_are_set_up_anew(tmp_path: Path) -> None:
    here = tmp_path / "here"
    python = script(here / ".venv/bin/python", "echo 3 11")
    (here / ".venv/bin/.ready").write_text(f"{here} 3 11\n")
    (here / ".venv/micropython").mkdir()
    assert made(here, "python").stdout == "" and Path(python).exists()
    there = here.rename(tmp_path / "there")
    assert "made anew" in made(there, "python").stdout and not (there / ".venv/bin").exists()
    assert (there / ".venv/micropython").exists(), "what has nothing to do with it stays"
    (there / ".venv/bin").mkdir()
    (there / ".venv/bin/python").symlink_to("/usr/bin/python3.none")
    (there / ".venv/bin/.ready").write_text(f"{there} 3 11\n")
    assert "made anew" in made(there, "python").stdout and not (there / ".venv/bin").exists()


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
@pytest.mark.parametrize("there", [True, False])
def test_without_a_network_it_goes_on_with_what_is_there_or_says_so_in_a_sentence(tmp_path: Path, there: bool) -> None:
    fault = "ProxyError NameResolutionError: Failed to resolve 'host'"
    pip = script(
        tmp_path / "pip",
        f'case $* in *--dry-run*) exit {0 if there else 1};; *--no-deps*) exit 0;; esac\necho "{fault}" >&2; exit 1',
    )
    python = script(tmp_path / ".venv/bin/python", "true")
    run = made(tmp_path, f"PIP={pip}", f"PYTHON={python}", ".venv/bin/.ready")
    said = [line for line in (run.stdout + run.stderr).splitlines() if "network" in line]
    assert len(said) == 1 and "There is no network" in said[0] and fault not in run.stdout + run.stderr
    assert bool(run.returncode) is not there and (tmp_path / ".venv/bin/.ready").exists() is there


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_the_table_needs_nothing_that_only_tests_need() -> None:
    planned = subprocess.run(
        ["make", "-n", "-B", "run"],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"MAKEFLAGS": ""},
    ).stdout
    for only_tests in ("[dev]", "micropython", "chromium", "mosquitto", "systemd"):
        assert only_tests not in planned, only_tests
