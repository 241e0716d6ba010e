"""What the program asks for, and what comes with it."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("package", "broken", "works"), [("gpiozero", "2.0.1", "2.0.1.post3")])
def test_versions_that_do_not_work_are_not_admitted(package: str, broken: str, works: str) -> None:
    """gpiozero 2.0.1 does not find the pins of a Pi 5 under its current kernels."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    (wanted,) = [requirement for requirement in map(Requirement, listed) if requirement.name == package]
    assert broken not in wanted.specifier
    assert works in wanted.specifier
    assert f"{package}=={works}" in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_a_source_archive_has_all_of_the_project() -> None:
    given = set(PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    always = {"README.md", "LICENSE", "pyproject.toml"}
    there = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") and path.name not in BESIDE}
    assert there - always <= given


BESIDE = {"screenshots", "dist"}
"""What work leaves behind (.gitignore)."""


def test_a_wheel_brings_what_the_program_reads_besides_its_code(tmp_path: Path) -> None:
    """The emulated hub runs the firmware's own files, and the wire has its schemas: both lie elsewhere in a checkout."""
    brought = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    shutil.copytree(ROOT / "drivers", tmp_path / "drivers")
    shutil.copytree(ROOT / "companion", tmp_path / "companion")
    for source, goal in brought.items():
        shutil.copytree(ROOT / source, tmp_path / goal)
    code = "from drivers.virtual.hub.firmware import load; load(); from companion.hall._wire import read; read('have', b'')"
    run = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": ""}
    )
    assert run.returncode and "Mistakes" in run.stderr.splitlines()[-1], run.stderr


def test_nobody_is_sent_to_a_stranger() -> None:
    """On PyPI the name of this program is somebody else's project."""
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True, cwd=ROOT).stdout.split()
    read = [ROOT / name for name in listed if name.endswith((".py", ".md", ".po", ".yaml", "Makefile"))]
    sent = re.compile(r"pip install[^`\n]*\btabularium\b")
    assert [path.name for path in read if sent.search(path.read_text(encoding="utf-8"))] == []
