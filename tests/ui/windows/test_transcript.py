"""One complete game in a real window: the journal of the screen is the journal of the script."""

import json
from pathlib import Path

import pytest

from companion.cli.replay import replay
from companion.record.transcript import dump_event
from tests.conftest import GAME, Window


@pytest.mark.window("a game by hardware")
def test_a_game_by_cards_fists_and_fingers_is_journaled_as_the_script_is(window: Window, home: Path) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, err
    played = json.loads(out.splitlines()[-1])
    steps = list(replay(GAME))
    receipts = [receipt for step in steps for receipt in step.receipts if receipt.number]
    assert [event for event, _ in played["events"]] == [
        dump_event(receipt.event) for receipt in receipts if receipt.event
    ]
    assert [by for _, by in played["events"]] == [receipt.by or "touch" for receipt in receipts]
    assert played["view"] == json.loads(json.dumps(steps[-1].session.view()))
    assert not list(home.glob(".kivy*"))  # Kivy is configured by the program, not by the user's home
