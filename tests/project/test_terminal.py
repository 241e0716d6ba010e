"""Nothing from outside commands a terminal: escape sequences, markup, emoji codes, the direction of writing."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.common import STORE
from companion.hardware import doctor
from companion.hardware.doctor import Finding
from companion.play.evening import Evening
from companion.record.store import Store
from companion.system.terminal import Stream, guarded, plain
from tests.support.paths import ROOT

pytestmark = pytest.mark.usefixtures("at_home")

EVIL = "[/nope][b]x[/b]:cat:\x1b[31mred\x1b]0;title\x07\x9b2J\u202e\r\n\x7fend"
"""Markup, a code for an emoji, colours, a window's title, the screen wiped, and words turned round."""


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A store with a game and a deck whose names would command a terminal."""
    store = Store(tmp_path / "data" / "tabularium" / STORE)
    evening = Evening(store)
    players = {"red": EVIL, "blue": "[b]x[/b]", "green": ":cat:"}
    match = evening.begin({"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "players": players})
    match.act({"event": "pawns", "order": ["red", "blue", "green"]})
    store.enrol("04A1B2C3D4E5F6", "red 7", EVIL)
    store.close()
    return tmp_path


def harmless(text: str) -> bool:
    return plain(text) == text


@pytest.mark.parametrize(
    "words",
    [
        ["games"],
        ["export", "last"],
        ["deck", "list"],
        ["deck", "export", EVIL],
        ["deck", "forget", "\x1b[31m"],
        ["replay", "\x1b[31m"],
        ["--config", "\x1b[31m\x07", "games"],
    ],
)
def test_no_command_lets_names_through(evil: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(words)
    out, err = capsys.readouterr()
    assert out or err
    assert harmless(out) and harmless(err)


def test_argparse_repeats_nothing_raw(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["replay", "x", "\x1b[31m"], ["\x1b[31m"], ["simulate", "prokonsul", "--seats", "\x1b[31m"]):
        with pytest.raises(SystemExit):
            main(words)
        assert harmless(capsys.readouterr().err)


def test_games_shows_names_as_they_are(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "[b]x[/b], :cat:" in out and "[/nope]" in out


def test_replays_and_answers_show_names_as_they_are(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["export", "last"])
    Path("game.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
    for command in (["replay"], ["replay", "--json"], ["why"], ["now"], ["layout"], ["position"]):
        main([command[0], "game.jsonl", *command[1:]])
        out, err = capsys.readouterr()
        assert out and harmless(out) and not err


def test_an_export_keeps_every_sign_of_a_name(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["export", "last"])
    assert json.loads(capsys.readouterr().out.splitlines()[0])["players"]["red"] == EVIL
    main(["deck", "export", EVIL])
    Path("deck.yaml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["deck", "import", "deck.yaml"]) == 0
    main(["deck", "export", EVIL])
    assert capsys.readouterr().out.endswith(Path("deck.yaml").read_text(encoding="utf-8"))


def test_mistakes_in_files_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    header = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"]}
    tags = {"\x1b[31m": "\x1b[32m", EVIL: EVIL}
    Path("a.jsonl").write_text("\n".join(map(json.dumps, (header | {"tags": tags, EVIL: EVIL}, {"event": EVIL}))))
    Path("config.yaml").write_text('"\\e[31m": 1\nlanguage: "\\e[31m"\n')
    for words in (["replay", "a.jsonl"], ["games"], ["deck", "import", "config.yaml"]):
        assert main(words) == 2
        err = capsys.readouterr().err
        assert err and harmless(err)


def test_the_doctor_reads_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with guarded():
        doctor.table([Finding("pins", "fail", EVIL, "[b]x[/b] :cat:")])
    out = capsys.readouterr().out
    assert "[b]x[/b] :cat:" in out and harmless(out)


def test_our_own_colours_reach_a_terminal_and_nothing_else(evil: Path) -> None:
    """On a real terminal: the head of the table is bold, and that is all."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "companion", "games"]
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "200", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=env) as run:
        os.close(theirs)
        out = b""
        try:
            while piece := os.read(ours, 4096):
                out += piece
        except OSError:  # the terminal has gone
            pass
    os.close(ours)
    assert run.returncode == 0
    shown = out.decode().replace("\r\n", "\n").replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert harmless(shown) and "[/nope]" in shown and "\x1b[1m" in out.decode()


def test_a_full_standard_error_changes_no_status() -> None:
    """What cannot be said is left unsaid; an error keeps its status, and so does a success."""
    golden = ROOT / "tests" / "goldens" / "spartacus.jsonl"
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    for words, status in ((["replay", "nowhere"], 2), (["nonsense"], 2), (["replay", str(golden)], 0)):
        with Path("/dev/full").open("w") as full:
            run = subprocess.run(
                [sys.executable, "-m", "companion", *words], check=False, stderr=full, stdout=subprocess.PIPE, env=env
            )
        assert run.returncode == status


@pytest.mark.parametrize("words", [["replay", "-"], ["now", "-"], ["why", "-"], ["position", "-"]])
def test_standard_input_is_a_file_like_any(words: list[str]) -> None:
    golden = (ROOT / "tests" / "goldens" / "spartacus.jsonl").read_bytes()
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "companion", *words]
    run = subprocess.run(command, input=golden, check=False, capture_output=True, env=env)
    assert run.returncode == 0 and run.stdout and not run.stderr
    run = subprocess.run(command, input=b"nonsense", check=False, capture_output=True, env=env)
    assert run.returncode == 2 and run.stderr.startswith(b"-:1: ")


def test_a_closed_standard_input_is_an_error_like_any() -> None:
    command = f"{sys.executable} -m companion replay - <&-"
    run = subprocess.run(
        ["sh", "-c", command], check=False, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert (run.returncode, run.stderr) == (2, "-: Bad file descriptor\n")


def test_what_is_safe_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("Änne\tß 日本語　ガ\n", "👩‍👩‍👧 ✓ ◄ – “ ”", "\u00ad\u00a0"):
        assert plain(text) == text
    out = Stream(sys.stdout)
    print("\x1b[31m日本", file=out)
    assert capsys.readouterr().out == "\\u001b[31m日本\n"
