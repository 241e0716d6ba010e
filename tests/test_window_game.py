"""One complete game in a real window: the journal of the screen is the journal of the script."""

import json
import os
import subprocess
import sys
from pathlib import Path

from companion.replay import replay
from companion.transcript import dump_event

ROOT = Path(__file__).parent.parent


def test_a_game_by_cards_fists_and_fingers_is_journaled_as_the_script_is(tmp_path: Path) -> None:
    game = ROOT / "tests" / "goldens" / "prokonsul-hardware.jsonl"
    command = [sys.executable, "-m", "tests.window_game", str(game), str(tmp_path / "store.sqlite3")]
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    played = json.loads(done.stdout.splitlines()[-1])
    steps = list(replay(game))
    receipts = [receipt for step in steps for receipt in step.receipts if receipt.number]
    assert [event for event, _ in played["events"]] == [dump_event(receipt.event) for receipt in receipts]
    assert [by for _, by in played["events"]] == [receipt.by or "touch" for receipt in receipts]
    assert played["view"] == json.loads(json.dumps(steps[-1].session.view()))
    assert not list(tmp_path.glob(".kivy*"))  # Kivy is configured by the program, not by the user's home
