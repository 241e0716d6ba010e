"""`python -m tools.pictures`: which pictures are taken, and what is said to nonsense."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools.pictures import called, parser


def pictures(*args: str) -> "subprocess.CompletedProcess[str]":
    """The program where there is no display."""
    displays = "DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"
    env = {name: value for name, value in os.environ.items() if name not in displays}
    command = [sys.executable, "-m", "tools.pictures", *args]
    return subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)


def test_one_game_from_its_data_to_what_it_can_be_asked(tmp_path: Path) -> None:
    only = ["hannibal-data", "hannibal-table", "hannibal-setup", "look-*"]
    done = pictures(str(tmp_path), "--only", *only, "--game", "hannibal", "--size", "480x800", "--lang", "de")
    assert done.returncode == 0, done.stderr
    assert {file.stem.rpartition("-")[0] for file in tmp_path.iterdir()} == set(only[:3])
    assert {struct.unpack(">II", file.read_bytes()[16:24]) for file in tmp_path.iterdir()} == {(480, 800)}


@pytest.mark.parametrize(
    ("args", "scenes"),
    [
        ((), ["start", "plea", "caesar-table", "new-caesar"]),
        (("--only", "caesar-*"), ["caesar-table"]),
        (("--only", "start", "*-table"), ["start", "caesar-table"]),
        (("--game", "caesar"), ["caesar-table"]),
        (("--game", "prokonsul", "--only", "p*"), ["plea"]),
        (("--only", "nothing"), []),
    ],
)
def test_only_what_is_asked_for(args: tuple[str, ...], scenes: list[str]) -> None:
    asked = parser().parse_args(["here", "--size", "800x480", *args])
    taken = [scene for scene in ("start", "plea", "caesar-table", "new-caesar") if called(scene, asked)]
    assert taken == scenes


def test_the_pictures_of_the_readme_keep_their_names() -> None:
    asked = parser().parse_args(["docs", "--docs", "--size", "800x480"])
    assert [called(scene, asked) for scene in ("bought", "start", "hannibal-middle")] == ["table", "", "hannibal"]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("here", "--game", "go"), "'go'"),
        (("here", "--size", "8x"), "'8x' is no size: write it as 800x480."),
        (("here", "--size", "0x0"), "'0x0' is no size"),
        (("here", "--lang", "la"), "'la'"),
        ((), "OUTDIR"),
    ],
)
def test_nonsense_is_told_in_a_line(args: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(args)
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]


def test_help_makes_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["--help"])
    assert ended.value.code == 0
    assert list(tmp_path.iterdir()) == []
