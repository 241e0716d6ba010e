"""Several games in a file: M-18, S-13, H-17, and games won for the others."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.play.series import Finished, next_table, series
from companion.rules import result
from tests.support.playing import header
from tests.support.series import hannibal


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
    assert "in a series of this game, every header must name both players" in err


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


def finished(game: str, seats: str, scores: str, *names: str) -> Finished:
    """A game that is over: its header, and a result with these scores."""
    head = header(game, seats, players=dict(zip(seats.split(), names, strict=False)))
    return head, result({seat: Fraction(score) for seat, score in zip(head.seats, scores.split(), strict=True)})


def test_scores_are_added_up_by_player_wherever_they_sit() -> None:
    line = series("mercator", [
        finished("mercator", "red blue green", "72.5 50 30", "Ada", "Bo", "Cy"),
        finished("mercator", "blue green red", "40 60.5 22", "Bo", "Cy", "Ada"),
    ])  # fmt: skip
    assert line == {"game": "mercator", "games": 2, "scores": {"Ada": 94.5, "Bo": 90, "Cy": 90.5}, "winner": "Ada"}


def test_elsewhere_games_won_count_and_a_shared_victory_counts_for_each() -> None:
    games = [
        finished("caesar", "red blue green", "9 9 7", "Ada", "Bo", "Cy"),
        finished("caesar", "red blue green", "5 3 5", "Ada", "Bo", "Cy"),
        finished("caesar", "red blue green", "4 8 1", "Ada", "Bo", "Cy"),
    ]
    assert series("caesar", games[:2])["winner"] == "Ada"
    line = series("caesar", games)
    assert (line["scores"], line["winner"]) == ({"Ada": 2, "Bo": 2, "Cy": 1}, None)


@pytest.mark.parametrize("names", [("Ada", "Bo"), ("Ada", "Bo", "Ada"), ()])
def test_scores_go_by_seat_where_a_header_does_not_tell_the_players_apart(names: tuple[str, ...]) -> None:
    games = [
        finished("spartacus", "red blue green", "5 4 3", "Ada", "Bo", "Cy"),
        finished("spartacus", "red blue green", "1 2 4", *names),
    ]
    for order in (games, games[::-1]):
        assert series("spartacus", order)["scores"] == {"red": 6, "blue": 6, "green": 7}
