"""People follow the README in the folder that the tests run in: what they leave there and edit turns no test red."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.rules.catalogues import written
from companion.rules.words import LANGUAGES
from tests.support.paths import ROOT
from tests.support.tracked import shipped, tracked
from tools.words import catalogue, file_of

MD = ".md"
NOWHERE = f"[where](nowhere{MD})"  # in pieces: tests look at what this file cites too
LEFT = {
    "anna.wav": "RIFF", "wiring.svg": "<svg/>", "saturday.jsonl": "{}", "my-table.yaml": f"lang: M-{99}",
    f"notes{MD}": NOWHERE, f"firmware_notes/mine{MD}": NOWHERE, "hall/1.yaml": f"Law {99}",
}  # fmt: skip
OF_FILES = (
    "project/test_docs",
    "project/test_requirements",
    "hardware/test_config",
    "drivers/hub/test_config",
    "hardware/test_limits",
    "project/test_site",
)


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_the_catalogues_are_what_make_words_writes(lang: str) -> None:
    """On every computer and with every Python, so that it leaves a clean tree clean."""
    fresh = written(lang).read_bytes() == file_of(catalogue(lang))  # pytest would look for each difference, for minutes
    assert fresh, "make words"


def test_what_people_leave_behind_and_edit_does_not_matter(tmp_path: Path) -> None:
    for path in tracked():
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    (tmp_path / "config.yaml").write_text(shipped("config.yaml"), encoding="utf-8")
    for words in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    for name, text in LEFT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "config.yaml").write_text("language: de\nhardware: usb\nmistake\n", encoding="utf-8")
    chosen = "shipped or archive or stranger or cited or link or limits"
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", chosen]
    run = subprocess.run(
        [*words, *(f"tests/{name}.py" for name in OF_FILES)], cwd=tmp_path, check=False, text=True,
        capture_output=True, env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
