"""What the program asks for, and what comes with it."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from tests.support.paths import ROOT
from tests.support.tracked import tracked


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
    there = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in there if not name.startswith(".")} - always <= given


# -- the wheel ---------------------------------------------------------------------------------------------------------


def built(folder: Path, at: int) -> Path:
    """A wheel from a copy of the project that was made at that time."""
    for name in ("companion", "drivers", "pi", "ui", "tools", "docs/hall/schemas", "firmware_notes/hub"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, folder / name)
    os.utime(folder / "companion/__init__.py", (at, at))
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist")
    subprocess.run(build, check=True, capture_output=True, cwd=folder)
    (wheel,) = (folder / "dist").iterdir()
    return wheel


@pytest.mark.slow
def test_a_wheel_is_all_there_is_to_the_program_whenever_it_is_built(tmp_path: Path) -> None:
    """Built twice it is the same; it holds code, fonts, boards, firmware, the wire's schemas and compiled catalogues,
    and runs from a folder of its own beside the packages it asks for."""
    wheel, again = built(tmp_path / "one", 10**9), built(tmp_path / "two", 10**9 + 60)
    assert wheel.name == again.name and wheel.read_bytes() == again.read_bytes()

    with ZipFile(wheel) as opened:
        there = {name for name in opened.namelist() if ".dist-info/" not in name}
    listed = [str(path.relative_to(ROOT)) for path in tracked()]
    due = {name for name in listed if name.startswith(("companion/", "drivers/", "pi/", "ui/"))}
    for source, goal in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"].items():
        due |= {name.replace(source, goal, 1) for name in listed if name.startswith(f"{source}/")}
    assert not {name for name in there if name.startswith(("tools/", "tests/", "benchmarks/"))}
    assert there == due | {f"companion/locale/{lang}/LC_MESSAGES/tabularium.mo" for lang in ("de", "ja")}

    site = tmp_path / "site"
    pip = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "-q", "--no-deps", "--target")
    subprocess.run([*pip, site, wheel], check=True, capture_output=True)
    read = "from companion.hall import _wire as it; print(it.__file__); it.read('have', b'')"
    for command, status, says in (
        ((site / "bin/tabularium", "replay", ROOT / "tests/goldens/spartacus.jsonl"), 0, "S-"),
        (("-c", "from pi.main import main; raise SystemExit(main(['--dry-run']))"), 2, "in a release's folder"),
        (("-c", f"from drivers.virtual.hub.firmware import load; load(); {read}"), 1, str(site)),
    ):
        run = subprocess.run(
            [sys.executable, "-P", *command], check=False, capture_output=True, text=True, cwd=tmp_path,
            env={"PYTHONPATH": str(site), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert run.returncode == status and says in run.stdout, run.stdout + run.stderr
    assert "Mistakes" in run.stderr.splitlines()[-1], "the schema was read, and nothing is no message"


def test_nobody_is_sent_to_a_stranger() -> None:
    """On PyPI the name of this program is somebody else's project."""
    read = tracked("*.py", "*.md", "*.po", "*.yaml", "Makefile")
    sent = re.compile(r"pip install[^`\n]*\btabularium\b")
    assert [path.name for path in read if sent.search(path.read_text(encoding="utf-8"))] == []
    assert PROJECT["project"]["name"] != "tabularium"
