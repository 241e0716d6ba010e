"""Killed at any point, the store has everything that was shown: a child plays one game on and on and is killed with
-9."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from companion.record.store import Store

HEADER = '{"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]}'
KILLS = 25

CHILD = '''
"""Goes on with the newest game and says the number of each event once it is safe, as the screen would show it."""
import sys
from pathlib import Path
from threading import Event
from companion.record.store import Store

path, header, script = sys.argv[1:]
change = Event()
store = Store(Path(path), change.set)
row = next(iter(store.paused()), None)
game, number = (store.take_up(store.load(row.number)), row.events) if row else (store.begin(header, "now"), 0)
waiting = []

def show():
    while waiting and waiting[0][0] <= store.safe:
        print(waiting.pop(0)[1], flush=True)

for line in Path(script).read_text(encoding="utf-8").splitlines()[number : number + 100]:
    number += 1
    waiting.append((store.append(game, number, line, "script", None), number))
    show()
    while waiting and number % 7 == 0:  # so that it does not run far ahead of what it shows
        change.wait()
        change.clear()
        show()
sys.stdin.read()
'''


def play_and_kill(path: Path, script: Path, after: int) -> int:
    """Lets the child play until it has shown this many events, kills it, and returns the last number it showed."""
    child = [sys.executable, "-c", CHILD, str(path), HEADER, str(script)]
    with subprocess.Popen(child, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        shown = [process.stdout.readline() for _ in range(after)]
        process.kill()
        shown += process.stdout.readlines()  # what it had said before the end
    numbers = [int(line) for line in shown if line.endswith("\n")]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
    return numbers[-1] if numbers else 0


def journal(path: Path) -> Sequence[str]:
    """The unfinished game's events as they are found after the crash."""
    with closing(Store(path)) as store:
        assert (store.trouble, store.note) == (None, None)
        row = next(iter(store.paused()), None)
        if row is None:
            return []
        stored = store.load(row.number)
        assert (stored.note, stored.header, len(store.games())) == (None, HEADER, 1)
        return [event for event, _, _ in stored.events]


def test_everything_shown_is_there_after_each_kill(tmp_path: Path) -> None:
    chance = random.Random(7)
    enough = 100 * KILLS  # a child that has no more to say would be waited for in vain
    events = [f'{{"event": "pass", "seat": "red", "n": {n}, "promise": "{"ü" * (n % 90)}"}}' for n in range(enough)]
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(events), encoding="utf-8")
    path = tmp_path / "store.sqlite3"
    shown = 0
    for kill in range(KILLS):
        shown = max(shown, play_and_kill(path, script, after=chance.randrange(1, 60)))
        found = journal(path)
        assert found == events[: len(found)], f"kill {kill}: a prefix, byte for byte"
        assert len(found) >= shown, f"kill {kill}: {shown} were shown"
    assert shown < len(events), "the child was killed while it played"
