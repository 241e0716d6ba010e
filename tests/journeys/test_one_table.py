"""One table through an evening, by the commands that people type: amended, exported, replayed; moved, backed up, restored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.store import Store
from tests.support.paths import ROOT

BATTLE: tuple[dict[str, Any], ...] = (
    {"event": "move", "seat": "blue", "piece": "fleet", "from": "rome-corsica", "to": "sardinia-carthago"},
    {"event": "choose", "seat": "blue", "card": "blue 3"},
    {"event": "choose", "seat": "red", "card": "red 2"},
    {"event": "reveal"},
    {"event": "amend", "act": 2, "as": {"event": "choose", "seat": "blue", "card": "blue 1"}},
)
HANNIBAL = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"], "players": {"blue": "Ben", "red": "Cleo"}}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "config.yaml").write_text("data: games\n")
    return tmp_path


def typed(table: Path, *words: str, status: int = 0) -> str:
    """What the program prints; it must end as it should."""
    command = [sys.executable, "-m", "companion", "--config", str(table / "config.yaml"), *words]
    env = os.environ | {"PYTHONPATH": str(ROOT), "HOME": str(table)}
    ran = subprocess.run(command, check=False, capture_output=True, text=True, cwd=table, env=env)
    assert ran.returncode == status, ran.stderr
    return ran.stdout if not status else ran.stderr


def play(store: Store) -> Match:
    match = Evening(store).begin(HANNIBAL)
    for event in BATTLE:
        assert match.act(event)[0].ok
    return match


def test_an_amended_game_is_exported_and_replays_to_the_same_view(table: Path) -> None:
    with closing(Store(table / "games" / "tabularium.sqlite3")) as store:
        view = json.loads(json.dumps(play(store).session.view()))
    text = typed(table, "export", "last")
    (table / "game.jsonl").write_text(text)
    last = json.loads(typed(table, "replay", "game.jsonl", "--json", "--strict").splitlines()[-1])
    assert last["view"] == view
    assert "blue 1" in text and last["event"]["event"] == "amend", "all of it has been seen, so all of it is there"
    moves = last["rulings"][0]["facts"]["moves"]
    assert not any({"hand blue", "hand red"} == {move["from"], move["to"]} for move in moves)


def test_an_evening_saved_elsewhere_is_backed_up_restored_and_opened_there(table: Path) -> None:
    goal = table / "stick" / "games.db"
    goal.parent.mkdir()
    with closing(Store(table / "games" / "tabularium.sqlite3")) as store:
        play(store)
        store.move(goal)
    assert "Saved as" in typed(table, "backup", str(table))
    with closing(Store(table / "games" / "tabularium.sqlite3")) as store:
        assert store.path == goal
        play(store)
        assert "in use" in typed(table, "restore", str(table), status=2), "while the program runs"
    assert str(goal) in typed(table, "restore", str(table))
    with closing(Store(table / "games" / "tabularium.sqlite3")) as store:
        assert store.path == goal and [row.number for row in store.games()] == [1]
        assert len(store.load(1).events) == len(BATTLE)
    assert len(typed(table, "games").splitlines()) >= 1
