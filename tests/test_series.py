"""Several games in a file: M-18, S-13, H-17, and games won for the others."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.series import next_table
from tests.playing import header

WON = {
    "blue": [  # Rome walks to Carthago; Carthage walks away
        ("blue", "rome", "gallia"), ("red", "carthago", "zama"), ("blue", "gallia", "hispania_n"),
        ("red", "carthago", "zama"), ("blue", "hispania_n", "hispania_s"), ("red", "carthago", "zama"),
        ("blue", "hispania_s", "mauretania"), ("red", "carthago", "zama"), ("blue", "mauretania", "carthago"),
    ],
    "red": [
        ("blue", "rome", "cannae"), ("red", "carthago", "mauretania"), ("blue", "rome", "cannae"),
        ("red", "mauretania", "hispania_s"), ("blue", "rome", "cannae"), ("red", "hispania_s", "hispania_n"),
        ("blue", "rome", "cannae"), ("red", "hispania_n", "gallia"), ("blue", "rome", "cannae"), ("red", "gallia", "rome"),
    ],
}  # fmt: skip


def hannibal(winner: str | None, rome: str | None, carthage: str | None) -> list[dict[str, Any]]:
    players = {seat: name for seat, name in (("blue", rome), ("red", carthage)) if name}
    head = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"], "players": players}
    moves = WON[winner] if winner else WON["red"][:3]
    return [head, *({"event": "move", "seat": s, "piece": "legion", "from": a, "to": b} for s, a, b in moves)]


def replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str], *games: list[dict[str, Any]]) -> tuple[int, Any, str]:
    file = tmp_path / "series.jsonl"
    file.write_text("\n".join(json.dumps(line) for game in games for line in game), encoding="utf-8")
    status = main(["replay", str(file), "--json", "--strict"])
    out, err = capsys.readouterr()
    return status, json.loads(out.splitlines()[-1]), err.replace(str(tmp_path) + "/", "")


def test_hannibal_is_won_by_two_games_running(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, last, err = replayed(
        tmp_path, capsys, hannibal("blue", "Ada", "Bo"), hannibal("blue", "Bo", "Ada"), hannibal("red", "Ada", "Bo")
    )
    assert (status, err) == (0, "")
    assert last["series"] == {"game": "hannibal", "games": 3, "scores": {"Ada": 1, "Bo": 2}, "winner": "Bo"}


def test_hannibal_alternating_has_no_winner_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, last, _ = replayed(tmp_path, capsys, hannibal("blue", "Ada", "Bo"), hannibal("blue", "Bo", "Ada"))
    assert last["series"]["winner"] is None


def test_a_game_after_the_series_is_won_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = [hannibal("blue", "Ada", "Bo"), hannibal("red", "Bo", "Ada"), hannibal(None, "Ada", "Bo")]
    status, last, err = replayed(tmp_path, capsys, *games)
    line = len(games[0]) + len(games[1]) + 1
    assert (status, err) == (2, f"series.jsonl:{line}: the series is over: Ada has won twice running\n")
    assert last["line"] == line - 1


def test_a_series_of_hannibal_needs_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = replayed(tmp_path, capsys, hannibal("blue", "Ada", None), hannibal("red", "Bo", "Ada"))
    assert status == 2
    assert "needs the names of both players in every header" in err


def test_an_unfinished_game_is_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, last, _ = replayed(tmp_path, capsys, hannibal("blue", "Ada", "Bo"), hannibal(None, "Bo", "Ada"))
    assert last["series"] == {"game": "hannibal", "games": 1, "scores": {"Ada": 1, "Bo": 0}, "winner": None}


@pytest.mark.parametrize(
    ("game", "seats", "after"),
    [
        ("mercator", "red blue black", ["blue", "black", "red"]),
        ("spartacus", "red blue green", ["blue", "green", "red"]),
        ("prokonsul", "red blue green", ["red", "blue", "green"]),
        ("caesar", "red blue", ["red", "blue"]),
    ],
)
def test_the_next_first_seat_is_the_next_clockwise_where_the_page_says_so(
    game: str, seats: str, after: list[str]
) -> None:
    assert next_table(header(game, seats))["seats"] == after


def test_in_hannibal_the_sides_are_swapped() -> None:
    table = next_table(header("hannibal", "blue red", players={"blue": "Ada", "red": "Bo"}))
    assert (table["seats"], table["players"]) == (["blue", "red"], {"blue": "Bo", "red": "Ada"})
