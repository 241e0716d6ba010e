"""CONTRIBUTING.md's recipe for a sixth game, followed to the letter in a copy of the repository.

Module, one line, a test file, one golden: then everything else must work without knowing about the game.
"""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

ROOT = Path(__file__).parent.parent
RECIPE = Path(__file__).parent / "recipe"
NOT_COPIED = ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "screenshots")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with Augur as its sixth game, in the four places of the recipe."""
    house = tmp_path_factory.mktemp("house") / "tabularium"
    copytree(ROOT, house, ignore=NOT_COPIED)
    put(house, "augur.py", "companion/games/augur.py")
    put(house, "check_augur.py", "tests/test_augur.py")
    put(house, "augur.jsonl", "tests/goldens/augur.jsonl")
    listed = house / "companion" / "games" / "__init__.py"
    listed.write_text(listed.read_text().replace('"hannibal")', '"hannibal", "augur")'))
    run(house, "-m", "tests.test_goldens")  # make goldens
    return house


def put(house: Path, name: str, where: str) -> None:
    (house / where).write_text((RECIPE / name).read_text())


def run(house: Path, *args: str) -> str:
    """What a Python there prints; fails with all of it where the status is not 0."""
    environment = {**os.environ, "PYTHONPATH": str(house), "SDL_VIDEODRIVER": "offscreen", "XDG_DATA_HOME": str(house)}
    done = subprocess.run(
        [sys.executable, *args], cwd=house, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests_the_laws_and_the_golden_pass(house: Path) -> None:
    run(house, "-m", "pytest", "-k", "augur", "tests", "--ignore=tests/test_recipe.py")  # none at all is a failure


def test_what_is_checked_for_all_games_at_once_passes(house: Path) -> None:
    whole = ("words", "docs", "imports", "perft")
    once = "not augur and not example and not views and not counted"
    run(house, "-m", "pytest", "-k", once, *(f"tests/test_{name}.py" for name in whole))


def test_it_is_played_at_random_and_replayed(house: Path) -> None:
    assert "200" in run(house, "-m", "companion", "simulate", "augur", "--games", "200")
    reported = run(house, "-m", "companion", "replay", "tests/goldens/augur.jsonl", "--lang", "de")
    assert "Anna" in reported or "Rot" in reported


def test_it_is_played_with_fingers_and_asks_how_many(house: Path) -> None:
    run(house, "-m", "tests.ui_games", "800", "480", "augur")


def test_its_pages_have_pictures(house: Path) -> None:
    run(house, "-m", "ui.pictures", "pictures", "--game", "augur", "--size", "800x480")
    assert len(list((house / "pictures").glob("augur-*.png"))) >= 3


def test_what_is_not_translated_is_a_warning(house: Path) -> None:
    assert "warning: companion/games/augur.py: It is {turn}'s turn, not {seat}'s." in run(
        house, "-m", "companion.locale"
    )
