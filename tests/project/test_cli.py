"""The commands as a user types them."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion import games
from companion.cli import main
from companion.cli.common import STORE
from companion.cli.virtual import virtual_deck
from companion.play.evening import Evening
from companion.record.boards import BoardFileError, check, shipped
from companion.record.store import Store
from tests.support.paths import ROOT, TESTS

pytestmark = pytest.mark.usefixtures("at_home")

COMMANDS = ("replay", "games", "export", "simulate", "wiring", "doctor")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A store with one unfinished game."""
    store = Store(tmp_path / "data" / "tabularium" / STORE)
    evening = Evening(store)
    table = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "players": {"red": "Anna"}}
    match = evening.begin(table)
    match.act({"event": "pawns", "order": ["red", "blue", "green"]})
    match.act({"event": "province", "province": "asia"})
    match.act({"event": "undo"})
    store.close()
    return store.path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main([command, "--help"])
    assert done.value.code == 0
    assert f"Example: tabularium {command}" in capsys.readouterr().out


def test_nonsense_is_an_error_with_status_2() -> None:
    for words in (["reply", "x"], ["simulate", "chess"], ["replay"], ["replay", "x", "--seat", "pink"],
                  ["--virtual", "boxes"]):  # fmt: skip
        with pytest.raises(SystemExit) as done:
            main(words)
        assert done.value.code == 2


def test_games_lists_what_was_played(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert "prokonsul" in out and "Anna, blue, green" in out and "unfinished" in out


def test_games_of_an_empty_house(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert capsys.readouterr().out == "No game has been played here yet.\n"
    assert main(["export", "last"]) == 2
    assert capsys.readouterr().err == "there is no game last; no game has been played here yet\n"


def test_an_exported_game_replays_to_the_same_point(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "last"]) == 0
    exported = capsys.readouterr().out
    events = [json.loads(line) for line in exported.splitlines()[1:]]
    assert [event["event"] for event in events] == ["pawns", "province", "undo"]
    assert all(event["by"] == "touch" and event["at"] for event in events)
    (tmp_path / "game.jsonl").write_text(exported, encoding="utf-8")
    assert main(["replay", "game.jsonl", "--json", "--strict"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["view"]["phase"] == "province" and last["view"]["row"] == ["red", "blue", "green"]
    assert main(["export", "7"]) == 2
    assert capsys.readouterr().err == "there is no game 7; there are 1\n"


def test_a_wrong_config_is_reported_by_every_command_that_reads_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").write_text("langauge: en\nscreen: {theme: drak}\n", encoding="utf-8")
    for words in ([], ["games"], ["export", "last"]):
        assert main(words) == 2
        lines = capsys.readouterr().err.splitlines()
        assert [line.split(": ")[0] for line in lines] == ["config.yaml:1", "config.yaml:2"]
        assert "language" in lines[0] and "dark" in lines[1]
    assert main(["--config", "nowhere.yaml", "games"]) == 2


def test_a_wrong_board_file_is_reported_with_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.games.FOLDER", tmp_path)
    shipped.cache_clear()
    (tmp_path / "prokonsul").mkdir()
    (tmp_path / "prokonsul" / "board.yaml").write_text(
        "provinces:\n  sicilia: 20\n  asia: much\nlinks:\n  - [sicilia, asai]\nconfirmed: maybe\n", encoding="utf-8"
    )
    try:
        with pytest.raises(BoardFileError) as found:
            check(games.game("prokonsul"))
    finally:
        shipped.cache_clear()
    places = sorted(line.removeprefix(str(tmp_path) + "/").split(": ")[0] for line in found.value.lines)
    assert places == [f"prokonsul/board.yaml:{line}" for line in (1, 3, 5, 6)]


@pytest.mark.parametrize("name", games.NAMES)
def test_simulate_writes_what_it_played(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", name, "--games", "2", "--seed", "5", "--transcript", str(file)]) == 0
    said = capsys.readouterr().out
    assert "2 games" in said
    first = file.read_text(encoding="utf-8")
    main(["simulate", name, "--games", "2", "--seed", "5", "--transcript", str(file)])
    capsys.readouterr()
    assert file.read_text(encoding="utf-8") == first  # the same seed, the same games
    if name != "hannibal":  # whose series wants names
        assert main(["replay", str(file), "--strict", "--json"]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["series"]["games"] == 2


@pytest.mark.parametrize("name", games.NAMES)
def test_what_was_won_adds_up_to_the_games(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", name, "--games", "60", "--seed", "5"]) == 0
    won = capsys.readouterr().out.splitlines()[-1].removeprefix("won: ")
    assert sum(int(each.rpartition(" ")[2]) for each in won.split(", ")) == 60


@pytest.mark.parametrize(("path", "named"), [("/usr/bin:/bin", "bin/tabularium"), ("bin:/usr/bin:/bin", "tabularium")])
def test_hints_name_the_command_as_it_can_be_typed_here(tmp_path: Path, path: str, named: str) -> None:
    """In a clone it is not on the PATH."""
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin/tabularium"
    script.write_text(f"#!{sys.executable}\nfrom companion.cli import main\nraise SystemExit(main())\n")
    script.chmod(0o755)
    env = {"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        ["bin/tabularium", "hall", "page"], check=False, capture_output=True, text=True, cwd=tmp_path, env=env
    )
    assert run.returncode == 2 and f": {named} hall setup --hall friday" in run.stderr


def test_simulate_with_wrong_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "prokonsul", "--seats", "9"]) == 2
    assert capsys.readouterr().err == "Prokonsul is for 3 to 5 players, not 9\n"
    assert main(["simulate", "prokonsul", "--option", "gaem=short", "--option", "top_two=true"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert main(["simulate", "hannibal", "--seats", "0", "--option", "rounds=9"]) == 2
    assert capsys.readouterr().err == "Hannibal gegen Rom is for 2 players, not 0\n"
    assert main(["simulate", "prokonsul", "--option", "rounds=9"]) == 2
    reported = "'rounds' is no option of Prokonsul; it has game, negotiation, no_decision, top_two\n"
    assert capsys.readouterr().err == reported
    assert main(["simulate", "prokonsul", "--games", "0"]) == 2
    assert main(["simulate", "prokonsul", "--transcript", "/nowhere/x.jsonl"]) == 2


def test_a_pipe_that_closes_early_is_no_error() -> None:
    golden = TESTS / "goldens" / "prokonsul-full.jsonl"
    command = f"{sys.executable} -m companion replay {golden} --json | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ)  # fmt: skip
    assert done.stderr == "" and done.stdout.splitlines()[-1] == "0"


def test_a_full_disk_behind_a_redirection_is_reported(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        assert main(["export", "last"]) == 2
    assert capsys.readouterr().err == "output: No space left on device\n"


def test_a_closed_output_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["games"]) == 0


def test_a_file_that_is_something_else_is_reported_in_few_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\xff\n" * 1000)
    assert main(["replay", "picture.png"]) == 2
    reported = capsys.readouterr().err.splitlines()
    assert len(reported) == 101 and reported[-1] == "… and more"


def test_a_damaged_store_is_reported_and_kept_aside(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played.write_bytes(b"nonsense" * 1000)
    assert main(["games"]) == main(["export", "last"]) == 2
    reported = capsys.readouterr().err.splitlines()
    assert len(reported) == 2 and all(
        line.startswith(f"{played} cannot be read (file is not a database); ") for line in reported
    )
    assert main(["deck", "list"]) == 0
    assert "It has been kept as" in capsys.readouterr().err
    assert [aside.read_bytes()[:8] for aside in played.parent.glob("*.damaged-*[0-9]")] == [b"nonsense"]


def test_what_the_disk_has_spoilt_in_one_place_is_shown_as_unknown(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(played)) as db, db:
        db.execute("UPDATE games SET header = '{bad'")
        db.execute("INSERT INTO tags VALUES ('04A1B2C3', 'pink 7', 'box')")
    assert main(["games"]) == 0
    assert "?" in capsys.readouterr().out
    assert main(["deck", "list"]) == 0
    assert "box" not in capsys.readouterr().out


def test_the_virtual_deck_has_a_tag_of_seven_bytes_for_each_card() -> None:
    deck = virtual_deck()
    assert len(deck) == len(set(deck.values())) == 60  # two flags of a colour are the same card
    assert all(len(bytes.fromhex(tag)) == 7 for tag in deck.values())


def test_virtual_comes_before_the_hardware_of_config_yaml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wired = tmp_path / "wired.yaml"
    wired.write_text("hardware: pi\nreaders:\n  centre: {kind: rc522}\n", encoding="utf-8")
    assert main(["--config", str(wired), "wiring"]) == 0
    for kind in ([], ["table"], ["hub"]):
        assert main(["--virtual", *kind, "--config", str(wired), "wiring"]) == 2
    assert "nothing is wired" in capsys.readouterr().err
