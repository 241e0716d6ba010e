"""What reaches people besides the code: workflows, forms, the program where there is no checkout and where there is no Linux."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.paths import ROOT
from tests.support.tables import EVERYTHING
from tools import making

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")


# -- workflows and forms -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("vendor.github-issue-forms", FORMS),
        ("vendor.citation-file-format", [ROOT / "CITATION.cff"]),
    ],
)
def test_what_others_read_is_as_their_schema_says(schema: str, files: list[Path]) -> None:
    """By the schemas that check-jsonschema carries: nothing is fetched."""
    assert files
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    checked = subprocess.run(words, check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_workflow_does_what_make_does() -> None:
    """They cannot run here, so there is nothing in them that is not tested here: commands of their own are few and known."""
    targets = set(re.findall(r"^([a-z]+)(?: [a-z ]+)?:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for path in WORKFLOWS:
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        for step in (step for job in jobs.values() for step in job["steps"]):
            for target in re.findall(r"(?:^|&& )make (\w+)", step.get("run", "")):
                assert target in targets
            assert not re.search(r"pip install .*\btabularium\b", step.get("run", ""))
    tested = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))["jobs"]
    assert tested["python"]["strategy"]["matrix"]["version"] == ["3.11", "3.12", "3.13"]
    assert any(step.get("run") == "bash .ci/run" for step in tested["debian"]["steps"])


def test_whoever_reports_a_device_is_asked_for_the_report() -> None:
    asked = {path.stem: path.read_text(encoding="utf-8") for path in FORMS}
    assert "tabularium report" in asked["device"] and "tabularium export" in asked["wrong_ruling"]


def test_the_citation_is_of_this_version() -> None:
    from companion import __version__

    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == __version__


# -- where there is no Linux, and on a Pi without what only Kivy asks for ----------------------------------------------

UNIX = ("fcntl", "termios", "pwd", "grp", "resource")
LINES = 24
"""So much of a game is played: pawns and a province by finger, cards laid, fists held."""
UNUSED = ("docutils", "requests", "urllib3", "certifi", "charset_normalizer", "idna", "kivy_garden")
HIDING = """
import builtins, io, os, pathlib, runpy, sys

hidden = set(sys.argv[1].split(","))

whose, real = sys.argv[2].split(","), builtins.__import__

def seen(name, globals=None, *others, **named):
    by = (globals or {}).get("__name__", "").partition(".")[0]
    if name.partition(".")[0] in hidden and (by in whose or "all" in whose):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return real(name, globals, *others, **named)

builtins.__import__ = seen

def without_proc(real):
    def asked(file, *args, **kwargs):
        if str(file).startswith(("/proc", "/sys/")):
            raise FileNotFoundError(2, "No such file or directory", str(file))
        return real(file, *args, **kwargs)
    return asked

if "fcntl" in hidden:
    io.open = without_proc(io.open)
    builtins.open = without_proc(builtins.open)
    os.stat, os.listdir, os.scandir = map(without_proc, (os.stat, os.listdir, os.scandir))
sys.argv = sys.argv[3:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def hidden(modules: tuple[str, ...], at: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a module of ours as if those others were not there, nor /proc where it is not Linux."""
    env = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    env |= {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(at), "XDG_CONFIG_HOME": str(at), "HOME": str(at)}
    env |= {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "KIVY_HOME": str(at / "kivy")}
    whose = "companion,drivers,ui" if modules is UNIX else "all"  # others have what their own system has
    command = [sys.executable, "-c", HIDING, ",".join(modules), whose, *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=at, env=env)


@pytest.mark.slow
@pytest.mark.parametrize("modules", [UNIX, UNUSED], ids=["not Linux", "a Pi"])
def test_a_laptop_plays_without_what_only_linux_or_only_kivy_has(modules: tuple[str, ...], tmp_path: Path) -> None:
    """A window on the virtual table, a store, a game, a replay. The window's own test ends it."""
    replayed = hidden(modules, tmp_path, "companion", "replay", str(ROOT / "tests/goldens/spartacus.jsonl"))
    assert replayed.returncode == 0 and "S-" in replayed.stdout, replayed.stderr
    simulated = hidden(modules, tmp_path, "companion", "simulate", "prokonsul", "--seats", "4", "--games", "2")
    assert simulated.returncode == 0, simulated.stderr
    game = tmp_path / "game.jsonl"
    golden = (ROOT / "tests/goldens/prokonsul-hardware.jsonl").read_text(encoding="utf-8")
    game.write_text("".join(golden.splitlines(keepends=True)[:LINES]), encoding="utf-8")
    played = hidden(
        modules, tmp_path, "tests.ui.windows.window_transcript", str(game), str(tmp_path / "played.sqlite3")
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert len(json.loads(played.stdout.splitlines()[-1])["events"]) > 5, "cards, fists and fingers"


# -- where there is no checkout ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not EVERYTHING, reason="fetches 60 MB of packages: make soak")
def test_a_wheel_is_installed_as_people_install_it(tmp_path: Path) -> None:
    made = making.make(ROOT, tmp_path, wheels=False)
    wheel = next(made.glob("*.whl"))
    tools = tmp_path / "tools/bin"
    env = {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(tmp_path / "home"), "PIPX_HOME": str(tmp_path / "pipx"),
           "PIPX_BIN_DIR": str(tmp_path / "bin"), "UV_PYTHON": sys.executable, "PIPX_DEFAULT_PYTHON": sys.executable,
           "UV_CACHE_DIR": str(tmp_path / "uv"), "UV_SYSTEM_CERTS": "1"}  # fmt: skip
    asked = ("PIP_", "UV_", "SSL_", "REQUESTS_")
    env |= {name: value for name, value in os.environ.items() if name.startswith(asked) and name not in env}

    def run(*words: str | Path) -> str:
        done = subprocess.run(
            [str(word) for word in words], check=False, capture_output=True, text=True, cwd=tmp_path, env=env
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", tmp_path / "tools")
    run(tools / "python", "-m", "pip", "install", "-q", "pipx", "uv")
    says = f"tabularium {making._changes(ROOT)[0]}\n"
    assert run(tools / "uvx", "--from", wheel, "tabularium", "--version") == says
    run(tools / "pipx", "install", wheel)
    assert run(tmp_path / "bin/tabularium", "--version") == says
    run(sys.executable, "-m", "venv", tmp_path / "plain")
    run(tmp_path / "plain/bin/python", "-m", "pip", "install", "-q", f"{wheel}[hall]")
    assert "evening" in run(tmp_path / "plain/bin/tabularium", "hall", "--help")
