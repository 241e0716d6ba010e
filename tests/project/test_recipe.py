"""CONTRIBUTING.md's recipe for a sixth game, followed to the letter in a copy of the repository.

Its folder, a test file, one golden: then everything else must work without knowing about the game.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryFile
from typing import IO

import pytest

from tests.support.paths import ROOT, TESTS
from tests.support.tables import EVERYTHING
from tests.support.tracked import tracked
from tools.needs import needs

RECIPE = TESTS / "recipe"
NOT_COPIED = ignore_patterns(".git", ".venv", ".*_cache", "screenshots")
"""What has been compiled goes along: its times are those of the sources."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with Augur as its sixth game, in the places of the recipe."""
    house = tmp_path_factory.mktemp("house") / "tabularium"
    copytree(ROOT, house, ignore=NOT_COPIED)
    git(house, "init", "--quiet")
    git(house, "add", *(str(path.relative_to(ROOT)) for path in tracked()))
    put(house, "record.py", "companion/games/augur/__init__.py")
    put(house, "augur.py", "companion/games/augur/rules.py")
    put(house, "check_augur.py", "tests/games/augur/test_rules.py")
    put(house, "augur.jsonl", "tests/goldens/augur.jsonl")
    run(house, "-m", "tests.laws.test_goldens")  # make goldens
    return house


EQUAL = {
    "record.py": "companion/games/augur/__init__.py", "position.py": "companion/games/augur/position.py",
    "guide.py": "companion/games/augur/guide.py", "prompts.py": "companion/games/augur/prompts.py",
    "voice.py": "companion/games/augur/voice.py",
    "board.js": "companion/games/augur/board.js", "face.py": "ui/games/augur/__init__.py",
    "screen.py": "ui/games/augur/board.py", "check.py": "tests/games/augur/test_equal.py",
}  # fmt: skip
"""Everything that the five have, and where it goes: two folders and a test."""


def put(house: Path, name: str, where: str) -> None:
    (house / where).parent.mkdir(exist_ok=True)
    (house / where).write_text((RECIPE / name).read_text())
    git(house, "add", where)


def git(house: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=house, check=True)


@dataclass(frozen=True)
class Running:
    """A Python at work in the copy; what it prints goes to a file, so that nobody need read along."""

    process: "subprocess.Popen[str]"
    printed: IO[str]

    def end(self) -> str:
        """What it has printed; fails with all of it where the status is not 0."""
        status = self.process.wait()
        with self.printed as printed:
            printed.seek(0)
            said = printed.read()
        assert status == 0, said
        return said


def start(house: Path, *args: str) -> Running:
    kept = {**os.environ, "PYTEST_DEBUG_TEMPROOT": str(house)}  # pytests that tidy up one folder at once disagree
    environment = {**kept, "PYTHONPATH": str(house), "SDL_VIDEODRIVER": "offscreen", "XDG_DATA_HOME": str(house)}
    printed = TemporaryFile("w+")  # noqa: SIM115 - read and closed at the end
    command = [sys.executable, *args]
    process = subprocess.Popen(command, cwd=house, env=environment, text=True, stdout=printed, stderr=printed)
    return Running(process, printed)


def run(house: Path, *args: str) -> str:
    """What a Python there prints."""
    return start(house, *args).end()


ONCE = "not augur and not example and not views and not counted"
OF_ALL = (
    "games/augur",
    "laws/test_goldens",
    "laws/test_states",
    "table/test_live",
    "laws/test_names",
    "ui/models/test_any",
    "laws/test_views",
)
LAWS = [f"tests/{name}.py" if "test_" in name else f"tests/{name}" for name in OF_ALL]
"""Where every game is tried; with all tests those are found that should be among them."""
TOGETHER = [
    "project/test_docs",
    "project/test_imports",
    *(["project/test_words", "laws/test_perft"] if EVERYTHING else []),
]
CHECKS = {
    "its own": ["pytest", "-k", "augur", *(["tests", "--ignore=tests/project/test_recipe.py"] if EVERYTHING else LAWS)],
    "all at once": ["pytest", "-k", ONCE, *(f"tests/{name}.py" for name in TOGETHER)],
    "pictures": ["tools.pictures", "pictures", "--game", "augur", "--size", "800x480"],
    "fingers": ["tests.ui.windows.window_games", "800", "480", "augur"],
}


@pytest.fixture(scope="module")
def checks(house: Path) -> Iterator[dict[str, Running]]:
    """All that takes its time, side by side."""
    started = {name: start(house, "-m", *args) for name, args in CHECKS.items()}
    yield started
    for one in started.values():
        one.process.kill()
        one.process.wait()
        one.printed.close()


@pytest.mark.parametrize("check", ["its own", "all at once", "fingers"])
def test_the_laws_the_golden_the_documents_and_fingers_agree(checks: dict[str, Running], check: str) -> None:
    checks[check].end()


def test_its_pages_have_pictures(house: Path, checks: dict[str, Running]) -> None:
    checks["pictures"].end()
    assert len(list((house / "pictures").glob("augur-*.png"))) >= 3


def test_it_is_played_at_random_and_replayed(house: Path) -> None:
    assert "200" in run(house, "-m", "companion", "simulate", "augur", "--games", "200")
    reported = run(house, "-m", "companion", "replay", "tests/goldens/augur.jsonl", "--lang", "de")
    assert "Anna" in reported or "Rot" in reported


def test_what_is_not_translated_is_a_warning(house: Path, checks: dict[str, Running]) -> None:
    for name in ("its own", "all at once"):  # which read the catalogues that are written here
        checks[name].process.wait()
    assert "warning: companion/games/augur/rules.py: It is {turn:of} turn, not {seat:of}." in run(
        house, "-m", "tools.words"
    )


def test_at_a_table_of_a_hall_it_keeps_no_other_game_back(house: Path, tmp_path: Path) -> None:
    needs("mosquitto")
    assert "spartacus: " in run(house, "-m", "tests.recipe.in_hall", str(tmp_path))


def test_it_becomes_equal_to_the_five(house: Path, checks: dict[str, Running]) -> None:
    """Last of all: its position, guide, voice, board and face, and the tests that then are for it too."""
    for one in checks.values():
        one.process.wait()
    for name, where in EQUAL.items():
        put(house, f"equal/{name}", where)
    tried = ["games/augur/test_equal", "project/test_imports", "laws/test_positions", "laws/test_editing"]
    tried += ["laws/test_moves", "laws/test_explaining"] if EVERYTHING else []
    started = [
        start(house, "-m", "pytest", "-k", "augur or imports", *(f"tests/{name}.py" for name in tried)),
        start(house, "-m", "tests.ui.windows.window_games", "800", "480", "augur"),
    ]
    for one in started:
        one.end()
