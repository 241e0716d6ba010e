"""The plug is pulled at many points of a game: everything that was shown is there, and the game goes on."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.evening import Evening
from companion.store import Store

ROOT = Path(__file__).parent.parent
GAME = ROOT / "tests" / "goldens" / "prokonsul-short.jsonl"
KILLS = 12

CHILD = """
import json, sys
from pathlib import Path
from threading import Event
from companion.evening import Evening
from companion.store import Store

woken = Event()
evening = Evening(Store(Path(sys.argv[1])))
evening.woken = woken.set
lines = [json.loads(line) for line in Path(sys.argv[2]).read_text().splitlines() if line.startswith("{")]
begun = False
for line in lines[: lines[1:].index(next(l for l in lines[1:] if "tabularium" in l)) + 1]:
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
    child = subprocess.Popen([sys.executable, "-c", CHILD, store, GAME], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout
    with child.stdout as shown:
        last = [shown.readline() for _ in range(after)][-1]
        os.kill(child.pid, signal.SIGKILL)
        lines = [last, *(line for line in shown if line.endswith("\n"))]  # shown between the last look and the cut
    child.wait()
    number, view = json.loads(next(line for line in reversed(lines) if line))
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
