"""Any unfinished game goes on where it stood, also one paused for another, or cut off; a stored one as another."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from companion.play.evening import Evening
from companion.record.store import Store
from companion.record.store.database import Database
from companion.record.transcript import event_data
from companion.rules import as_json
from companion.rules.mistakes import Mistakes
from tests.support.paths import ROOT
from tests.support.playing import match_of

TABLES = {
    "caesar": {"tabularium": 1, "game": "caesar", "seats": ["red", "blue", "green"]},
    "spartacus": {"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"], "players": {"red": "Anna"}},
    "mercator": {"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]},
}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    store = Store(tmp_path / "store.sqlite3")
    yield Evening(store)
    store.close()


def play(evening: Evening, acts: int, seed: int = 1) -> None:
    rng, match = Random(seed), match_of(evening)
    for _ in range(acts):
        match.act(event_data(rng.choice(match.session.legal()).pick(rng.choice)))
    settle(evening)


def settle(evening: Evening) -> None:
    woken = Event()
    evening.woken = woken.set
    while evening.match and (evening.drain() or evening.match.waiting or evening.match.show()):
        if evening.match.waiting:
            woken.wait(5)
            woken.clear()


def shown(evening: Evening) -> Any:
    """What everybody may see, and every seat."""
    match = match_of(evening)
    views = [match.session.view(seat) for seat in (None, *match.header.seats)]
    return json.loads(json.dumps([as_json(view) for view in views])), len([r for r in match.log if r.number])


def test_games_are_paused_and_continued_in_any_order(evening: Evening, tmp_path: Path) -> None:
    stood = {}
    for number, name in enumerate(TABLES, 1):
        evening.begin(TABLES[name])
        play(evening, 10)
        stood[number] = shown(evening)
        assert [row.number for row in evening.paused()] == [*range(number - 1, 0, -1)]
    for number in (2, 3, 1, 2):
        evening.resume(number)
        assert shown(evening) == stood[number]
        assert number not in [row.number for row in evening.paused()]
        play(evening, 3, seed=number)
        stood[number] = shown(evening)
    evening.store.close()  # type: ignore[attr-defined] # a Store
    again = Store(tmp_path / "store.sqlite3")
    try:
        later = Evening(again)
        assert [row.number for row in later.paused()] == [3, 2, 1]
        for number in (1, 3, 2):
            later.resume(number)
            assert shown(later) == stood[number]
    finally:
        again.close()


def test_the_game_on_the_table_is_not_opened_twice(evening: Evening) -> None:
    match = evening.begin(TABLES["caesar"])
    play(evening, 4)
    assert evening.resume(match.number) is match


def test_a_game_that_is_not_there(evening: Evening) -> None:
    with pytest.raises(LookupError):
        evening.resume(7)


def test_what_is_not_yet_on_disk_is_continued_too(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, write = Event(), Database.write

    def slowly(db: Database, works: Any) -> None:
        gate.wait()
        write(db, works)

    evening.begin(TABLES["caesar"])
    play(evening, 4)
    monkeypatch.setattr(Database, "write", slowly)
    match, rng = match_of(evening), Random(2)
    for _ in range(3):
        match.act(event_data(rng.choice(match.session.legal()).pick(rng.choice)))
    state = match.session.state
    evening.begin(TABLES["spartacus"])
    assert match_of(evening).number == 2
    evening.resume(1)
    assert match_of(evening).session.state == state
    evening.resume(2)
    assert match_of(evening).game.name == "spartacus"
    gate.set()


def test_a_stored_game_is_opened_at_any_act_as_another(evening: Evening) -> None:
    evening.begin(TABLES["caesar"])
    play(evening, 40)
    look = evening.look(1)
    for move in (0, 7, 40):
        before = evening.store.load(1)
        match = evening.what_if(look, move)
        settle(evening)
        assert match.number != 1 and match.view == look.view(move)
        assert match.session.standing == 0 and not match.act({"event": "undo"})[0].ok
        assert evening.store.load(1) == before
        assert evening.sitting.last("caesar") == match.number
        settle(evening)
    seen = shown(evening)
    number = match_of(evening).number
    evening.resume(1)
    assert len(evening.look(number).receipts) == 0
    assert evening.look(number).view(0) == look.view(40)
    evening.resume(number)
    assert shown(evening) == seen


def test_a_game_may_begin_in_the_middle_and_its_mistakes_are_named(evening: Evening) -> None:
    evening.begin(TABLES["caesar"])
    play(evening, 45)
    position = match_of(evening).draft().position
    middle = evening.begin({**TABLES["caesar"], "position": position})
    settle(evening)
    assert middle.view["board"] == evening.look(1).view(45)["board"]  # type: ignore[typeddict-item]
    assert [row.number for row in evening.paused()] == [1]
    with pytest.raises(Mistakes):
        evening.begin({**TABLES["caesar"], "position": {**position, "turn": "purple"}})
    assert match_of(evening) is middle
    assert "position" not in (evening.regulars.last_table or {})


CHILD = """
import json, sys
from pathlib import Path
from random import Random
from threading import Event
from companion.play.evening import Evening
from companion.record.store import Store
from companion.record.transcript import event_data
from tests.table.test_paused import TABLES

woken, rng = Event(), Random(int(sys.argv[2]))
evening = Evening(Store(Path(sys.argv[1])))
evening.woken = woken.set
for name in TABLES:
    evening.begin(TABLES[name])
while True:
    match = evening.resume(rng.randrange(1, 4))
    for _ in range(rng.randrange(1, 6)):
        moves = match.session.legal()
        step = {"event": "undo"} if rng.random() < 0.2 or not moves else event_data(rng.choice(moves).pick(rng.choice))
        match.act(step)
    evening.drain()
    while evening.waiting:
        woken.wait()
        woken.clear()
        evening.drain()
    print(json.dumps([match.number, len([r for r in match.log if r.number]), match.view]), flush=True)
"""


@pytest.mark.parametrize("kill", range(3))
def test_every_paused_game_outlives_a_power_cut(tmp_path: Path, kill: int) -> None:
    store, shown = tmp_path / "store.sqlite3", {}
    command = [sys.executable, "-c", CHILD, str(store), str(kill)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout
    with child.stdout as said:
        lines = [said.readline() for _ in range(Random(kill).randrange(12, 40))]
        os.kill(child.pid, signal.SIGKILL)
        lines += [line for line in said if line.endswith("\n")]
    child.wait()
    for line in filter(None, lines):
        number, acts, view = json.loads(line)
        shown[number] = acts, view
    again = Store(store)
    try:
        evening = Evening(again)
        for number, (acts, view) in shown.items():
            match = evening.resume(number)
            assert acts <= len(match.log)
            assert json.loads(json.dumps(as_json(match.log[acts - 1].view if acts else match.view))) == view
            assert match.session.legal() or match.session.view()["over"]
        assert {row.number for row in evening.paused()} <= {1, 2, 3} - {match_of(evening).number}
    finally:
        again.close()
