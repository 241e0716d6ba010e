"""Where settings are kept: a user's own file wins, the one in the clone stays as it was shipped, and `git pull` goes on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.hardware import settings as config
from companion.hardware.settings import ConfigError, Settings
from companion.hardware.wizard import place
from companion.record.store import Store
from drivers.kinds import KINDS
from tests.support.paths import ROOT
from tests.support.tracked import shipped

NAMED = {f"GIT_{who}_{what}": "anna@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
GERMAN = ("language: en ", "language: de ")

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="no git")


def git(at: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | NAMED
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(["git", *words], check=False, capture_output=True, text=True, cwd=at, env=env)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A Tabularium, as far as settings go: what is shipped, and what makes the folder one."""
    at = tmp_path / "origin"
    (at / "companion").mkdir(parents=True)
    (at / "companion/__init__.py").touch()
    (at / "config.yaml").write_text(shipped("config.yaml"), encoding="utf-8")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "0.1.0")):
        assert not git(at, *words).returncode
    return at


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own file, which is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "home/tabularium/config.yaml"


@pytest.fixture
def clone(origin: Path, users: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which `make run` is said."""
    assert not git(tmp_path, "clone", "-q", str(origin), "clone").returncode
    monkeypatch.chdir(tmp_path / "clone")
    return tmp_path / "clone"


def edit(folder: Path, *changes: tuple[str, str]) -> None:
    text = (folder / "config.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "config.yaml").write_text(text, encoding="utf-8")


def update(origin: Path, *changes: tuple[str, str]) -> None:
    """A newer version changes what is shipped."""
    edit(origin, *(changes or (("# Tabularium's settings", "# The settings of Tabularium"),)))
    assert not git(origin, "commit", "-q", "-a", "-m", "0.2.0").returncode


def carried(clone: Path, **env: str) -> str:
    """What `make run` says of the settings."""
    words = [sys.executable, "-m", "companion.cli.carry", str(clone)]
    env = os.environ | {"PYTHONIOENCODING": "utf-8:strict"} | env  # as in a desktop's terminal
    run = subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT, env=env)
    return run.stdout + run.stderr


def used() -> Settings:
    """The settings that are in use in this folder."""
    path = config.find(None)
    return config.load(path, KINDS) if path else Settings()


def clean(clone: Path) -> bool:
    return git(clone, "status", "--porcelain").stdout == ""


# -- what was edited is carried over ---------------------------------------------------------------------------------


def test_one_changed_line_moves_and_updates_go_through(clone: Path, origin: Path, users: Path) -> None:
    edit(clone, GERMAN, ("\nlanguage", "\n# Anna's table\nlanguage"))
    update(origin, ("language: en            #", "language: en            # one of"))
    assert git(clone, "pull", "-q").returncode, "git refuses, and what was edited is used until it is carried over"
    assert used().language == "de"
    said = carried(clone)
    assert str(users) in said and "moved" in said
    assert "# Anna's table" in users.read_text(encoding="utf-8") and used().language == "de"
    assert clean(clone) and not git(clone, "pull", "-q").returncode
    assert carried(clone) == "" and used().language == "de"


def test_an_update_that_was_refused_goes_through_with_autostash(clone: Path, origin: Path, users: Path) -> None:
    edit(clone, GERMAN)
    update(origin)
    assert git(clone, "pull", "-q").returncode
    assert not git(clone, "pull", "-q", "--autostash").returncode
    assert "moved" in carried(clone) and used().language == "de" and clean(clone)


def test_relative_paths_mean_the_same_as_before(clone: Path, users: Path) -> None:
    hall = "hall: {broker: b, hall: f, table: 7, password_file: 'secret word', tls: ../hall.crt}\n"
    edit(
        clone,
        ("#data: ~/.local/share/tabularium", "data: spiele für uns  # here"),
        ("  #model: voice.onnx", "  model: v.onnx"),
    )
    with (clone / "config.yaml").open("a", encoding="utf-8") as file:
        file.write(hall)
    before = used()
    assert before.data == clone / "spiele für uns" and before.hall and before.hall.tls == clone / "../hall.crt"
    carried(clone)
    assert config.find(None) == users and used() == before and "# here" in users.read_text(encoding="utf-8")


def test_a_path_at_home_and_an_absolute_one_stay_as_they_are_written(clone: Path, users: Path) -> None:
    edit(clone, ("#data: ~/.local", "data: ~/.local"), ("  #model: voice.onnx", "  model: /srv/voice.onnx"))
    carried(clone)
    text = users.read_text(encoding="utf-8")
    assert "\ndata: ~/.local" in text and "model: /srv/voice.onnx" in text


def test_in_a_folder_whose_name_is_no_text_the_file_stays_in_use(
    clone: Path, users: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No YAML could name it."""
    there = clone.rename(tmp_path / os.fsdecode(b"f\xfcr"))
    monkeypatch.chdir(there)
    edit(there, ("#data: ~/.local/share/tabularium", "data: games"))
    assert carried(there) == "" and not users.exists() and used().data == there / "games"
    edit(there, ("data: games", "#data: games"), GERMAN)
    assert "moved" in carried(there) and used().language == "de"


def test_a_mistake_is_carried_over_and_reported_where_it_is_then(clone: Path, users: Path) -> None:
    edit(clone, ("language: en ", "langauge: de "))
    carried(clone)
    with pytest.raises(ConfigError) as error:
        used()
    assert str(users) in str(error.value) and clean(clone)


def test_comments_alone_are_no_settings(clone: Path, users: Path) -> None:
    edit(clone, ("# Tabularium's settings", "# Our settings"))
    assert carried(clone) == "" and not users.exists() and config.find(None) is None


def test_windows_line_ends_are_no_settings_either(clone: Path, users: Path) -> None:
    text = (clone / "config.yaml").read_bytes().replace(b"\n", b"\r\n")
    (clone / "config.yaml").write_bytes(text)
    assert carried(clone) == "" and config.find(None) is None
    (clone / "config.yaml").write_bytes(
        text.replace(b"language: en ", b"language: de ").replace(b"#data: ~/.local", b"data: here #")
    )
    carried(clone)
    assert used().language == "de" and used().data.parent == clone and clean(clone)


def test_where_both_are_there_the_users_stays_and_the_other_is_put_beside(clone: Path, users: Path) -> None:
    users.parent.mkdir(parents=True)
    users.write_text("language: ja\n")
    edit(clone, GERMAN)
    assert used().language == "ja"
    said = carried(clone)
    (aside,) = users.parent.glob("config-before*.yaml")
    assert str(aside) in said and "language: de" in aside.read_text(encoding="utf-8")
    assert used().language == "ja" and clean(clone) and carried(clone) == ""


def test_a_run_that_was_cut_in_the_middle_is_ended_by_the_next(clone: Path, users: Path) -> None:
    """The plug was pulled when the settings had been written, and the shipped file was not back yet."""
    edit(clone, GERMAN)
    users.parent.mkdir(parents=True)
    shutil.copy(clone / "config.yaml", users)
    assert carried(clone) == "" and clean(clone) and [path.name for path in users.parent.iterdir()] == ["config.yaml"]


@pytest.mark.parametrize("how", ["a line", "all of it"])
def test_what_autostash_could_not_merge_moves_as_it_was_edited(
    clone: Path, origin: Path, users: Path, how: str
) -> None:
    """The set-up once wrote a whole file there: nothing of it can be merged with another version."""
    edit(clone, GERMAN)
    if how == "all of it":
        (clone / "config.yaml").write_text("# by tabularium setup\nlanguage: de\ndata: games\n")
    before = used()
    update(origin, ("language: en ", "language: ja "), ("Tabularium's settings", "The settings"))
    git(clone, "pull", "-q", "--autostash")
    assert "<<<<<<<" in (clone / "config.yaml").read_text(encoding="utf-8")
    assert "moved" in carried(clone)
    assert used() == before and "<<<<<<<" not in users.read_text(encoding="utf-8")
    assert clean(clone) and not git(clone, "pull", "-q").returncode


def test_what_git_could_not_merge_of_commits_is_named_by_its_line(clone: Path, origin: Path, users: Path) -> None:
    edit(clone, GERMAN)
    assert not git(clone, "commit", "-q", "-a", "-m", "ours").returncode
    update(origin, ("language: en ", "language: ja "))
    git(clone, "pull", "-q", "--no-rebase")
    lines = (clone / "config.yaml").read_text(encoding="utf-8").splitlines()
    (mark,) = [number for number, line in enumerate(lines, 1) if line.startswith("<<<<<<<")]
    assert carried(clone) == "" and not users.exists()
    with pytest.raises(ConfigError) as error:
        used()
    assert str(error.value).startswith(f"config.yaml:{mark}: ") and "marks" in str(error.value)
    users.parent.mkdir(parents=True)
    users.write_text("language: de\n")
    assert used().language == "de", "what is broken there stops nobody who has settings"
    assert "kept as" in carried(clone) and clean(clone)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_root_in_the_clone_of_somebody_else_takes_nobodys_settings(clone: Path, users: Path) -> None:
    """`sudo make run`: they would go to root's home, and be nowhere for the one who wrote them."""
    edit(clone, GERMAN)
    os.chown(clone / "config.yaml", 54321, 54321)
    assert carried(clone) == "" and not users.exists() and used().language == "de"


def test_an_edit_that_was_committed_is_copied_once_and_git_is_left_alone(clone: Path, users: Path) -> None:
    edit(clone, GERMAN)
    assert not git(clone, "commit", "-q", "-a", "-m", "ours").returncode
    assert "no longer used" in carried(clone) and used().language == "de"
    users.write_text("language: ja\n")
    assert carried(clone) == "" and used().language == "ja" and clean(clone)


@pytest.mark.parametrize("without", ["a clone", "git"])
def test_an_archive_without_git_keeps_its_file_and_is_not_asked_again(
    clone: Path, users: Path, without: str, tmp_path: Path
) -> None:
    env = {"PATH": str(tmp_path)} if without == "git" else {}
    if without == "a clone":
        shutil.rmtree(clone / ".git")
    edit(clone, GERMAN)
    assert "moved" in carried(clone, **env)
    users.write_text("language: ja\n")
    assert carried(clone, **env) == "" and used().language == "ja" and (clone / "config.yaml").exists()


def test_the_repository_of_somebody_else_is_not_touched(clone: Path, origin: Path, users: Path) -> None:
    edit(clone, GERMAN)
    carried(clone, GIT_DIR=str(origin / ".git"), GIT_WORK_TREE=str(origin), GIT_INDEX_FILE=str(origin / "index"))
    assert used().language == "de" and clean(clone) and clean(origin)


def test_two_clones_have_one_users_settings(clone: Path, origin: Path, users: Path, tmp_path: Path) -> None:
    assert not git(tmp_path, "clone", "-q", str(origin), "second").returncode
    edit(clone, GERMAN)
    edit(tmp_path / "second", ("language: en ", "language: ja "))
    carried(clone)
    assert "kept as" in carried(tmp_path / "second")
    assert used().language == "de" and clean(clone) and clean(tmp_path / "second")


def test_a_home_that_cannot_be_written_leaves_all_in_use(
    clone: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    edit(clone, GERMAN)
    assert str(tmp_path / "file") in carried(clone) and used().language == "de" and not clean(clone)


# -- the order ---------------------------------------------------------------------------------------------------------


def test_a_folder_of_a_tables_own_comes_before_the_users_and_the_shipped_file_counts_nowhere(
    clone: Path, users: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert config.find(None) is None and place.first(None), "in a clone nothing has been set up yet"
    users.parent.mkdir(parents=True)
    users.write_text("language: ja\n")
    assert config.find(None) == users
    edit(clone, GERMAN)
    assert config.there() == [users, Path("config.yaml")]
    assert main(["doctor", "--json"]) in (0, 1)
    said = settings_said(capsys)
    assert said == [("pass", f"{users} is in use"), ("warn", f"{clone / 'config.yaml'} is not in use")]
    table = tmp_path / "table"
    table.mkdir()
    (table / "config.yaml").write_text("language: de\n")
    monkeypatch.chdir(table)
    assert config.there() == [Path("config.yaml"), users] and used().language == "de"
    assert place.place(None) == Path("config.yaml")
    main(["doctor", "--json"])
    assert settings_said(capsys) == [
        ("pass", f"{table / 'config.yaml'} is in use"), ("pass", f"{users} is not in use"),
    ]  # fmt: skip
    main(["--config", str(users), "doctor", "--json"])
    assert settings_said(capsys)[0] == ("pass", f"{users} is in use")
    main(["--config", str(table / "config.yaml"), "doctor", "--json"])
    assert settings_said(capsys) == [
        ("pass", f"{table / 'config.yaml'} is in use"), ("pass", f"{users} is not in use"),
    ]  # fmt: skip


def settings_said(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    found = json.loads(capsys.readouterr().out)["findings"]
    return [(of["verdict"], of["what"]) for of in found if of["part"] == "settings"]


# -- what writes settings writes there ---------------------------------------------------------------------------------


def test_a_hall_is_taken_up_in_the_users_file_with_what_was_edited_before(
    clone: Path, users: Path, tmp_path: Path
) -> None:
    edit(clone, GERMAN)
    stick = tmp_path / "7.yaml"
    stick.write_text("hall: {broker: b, port: 1883, hall: friday, table: '7', password: secret}\n")
    assert main(["hall", "take", str(stick)]) == 0
    assert used().language == "de" and used().hall and config.find(None) == users
    assert (users.parent / "hall-password").read_text() == "secret"
    assert sorted(path.name for path in clone.iterdir()) == [".git", "companion", "config.yaml"]
    carried(clone)
    assert clean(clone)


def test_a_backup_is_restored_into_the_users_file(clone: Path, users: Path, tmp_path: Path) -> None:
    users.parent.mkdir(parents=True)
    users.write_text("language: ja\n")
    (tmp_path / "stick").mkdir()
    Store(tmp_path / "data/tabularium/tabularium.sqlite3").close()
    assert main(["backup", str(tmp_path / "stick")]) == 0
    users.unlink()
    assert main(["restore", str(tmp_path / "stick")]) == 0
    assert config.find(None) == users and used().language == "ja" and clean(clone)


def test_the_set_up_writes_the_users_file(clone: Path, users: Path) -> None:
    edit(clone, GERMAN)
    assert place.place(None) == users
    assert place.place(Path("config.yaml")) == Path("config.yaml"), "a file that is named is meant"
