"""The plug is pulled at many points of a game: everything that was shown is there, and the game goes on."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import table
from companion.play.evening import Evening
from companion.record.store import Store
from companion.record.transcript import dump_event, dump_header
from companion.rules import Redo, Undo
from companion.session import Session
from tests.support.amending import some_event
from tests.support.paths import ROOT

GAME = ROOT / "tests" / "goldens" / "prokonsul-short.jsonl"
KILLS = 12

CHILD = """
import json, sys
from pathlib import Path
from threading import Event
from companion.play.evening import Evening
from companion.record.store import Store

woken = Event()
evening = Evening(Store(Path(sys.argv[1])))
evening.woken = woken.set
lines = [json.loads(line) for line in Path(sys.argv[2]).read_text().splitlines() if line.startswith("{")]
begun = False
second = next((at for at, line in enumerate(lines) if at and "tabularium" in line), len(lines))
for line in lines[:second]:
    if "tabularium" in line:
        match = evening.begin(line)
        continue
    match.act(line)
    evening.drain()
    while evening.waiting:
        woken.wait()
        woken.clear()
        evening.drain()
    shown = [r.number for r in match.log if r.number]
    print(json.dumps([shown[-1], match.view]), flush=True)
"""


@pytest.mark.parametrize("kill", range(KILLS))
def test_what_was_shown_outlives_a_power_cut(tmp_path: Path, kill: int) -> None:
    pull_the_plug(tmp_path, Random(kill).randrange(1, 90))


def pull_the_plug(folder: Path, after: int) -> int:
    """Kills the child once it has shown so many acts; returns how many it had shown, all of which must be there."""
    store = folder / "store.sqlite3"
    number, view = shown_until(after, store, GAME)
    again = Store(store)
    try:
        evening = Evening(again)
        assert again.note is None and again.trouble is None
        assert evening.unfinished or view["over"]
        if not evening.unfinished:
            return int(number)
        match = evening.resume()
        assert len(match.log) >= number
        assert json.loads(json.dumps(match.log[number - 1].view)) == view
    finally:
        again.close()
    return int(number)


@pytest.mark.parametrize("name", games.NAMES)
def test_the_same_steps_can_be_taken_back_after_a_power_cut(tmp_path: Path, name: str) -> None:
    """Undo, redo, amendments and decisions are journaled as they are: the line and what was left of it come back."""
    game, rng = games.game(name), Random(f"cut {name}")
    header = table(game, game.seats[0])
    session = Session(game, header.setup)
    events = [event for event in (some_event(session, rng) for _ in range(60)) if session.receive(event).ok]
    played, store = tmp_path / "game.jsonl", tmp_path / "store.sqlite3"
    begun = json.loads(dump_header(header)) | {"reveal": "fists"}  # no reveal but those in the file
    played.write_text("\n".join([json.dumps(begun), *map(dump_event, events)]) + "\n", encoding="utf-8")
    shown_until(rng.randrange(20, len(events)), store, played)
    again = Store(store)
    try:
        evening = Evening(again)
        if evening.unfinished is None:
            return  # it was over by then
        one, other = evening.resume().session, Session(game, header.setup)
        for event in events[: one.accepted]:
            other.receive(event)
        for step in [Undo() if rng.random() < 0.7 else Redo() for _ in range(60)]:
            assert one.state == other.state and one.standing == other.standing
            assert one.receive(step).ok == other.receive(step).ok
    finally:
        again.close()


def shown_until(count: int, store: Path, game: Path) -> Any:
    """Plays until so many acts were shown and pulls the plug: the number and the view that were shown last."""
    child = subprocess.Popen([sys.executable, "-c", CHILD, store, game], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout
    with child.stdout as shown:
        last = [shown.readline() for _ in range(count)][-1]
        os.kill(child.pid, signal.SIGKILL)
        lines = [last, *(line for line in shown if line.endswith("\n"))]  # shown between the last look and the cut
    child.wait()
    return json.loads(next(line for line in reversed(lines) if line))
