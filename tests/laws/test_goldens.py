"""Transcripts played again: what comes out is what came out before.

`python -m tests.laws.test_goldens` writes the expected outputs anew; read the difference before you commit it.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.cli.replay import Tally, replay, sentences, step_data
from companion.record.transcript import parse
from tests.support.paths import GOLDENS

TRANSCRIPTS = sorted(GOLDENS.glob("*.jsonl"))


def reported(path: Path) -> Iterator[str]:
    """The transcript as sentences, and the last view of each game as JSON."""
    tally, last = Tally(), None
    for step in replay(path):
        tally.take(step)
        if last and step.opening:
            yield json.dumps(step_data(last)["view"], indent=1)
        yield from sentences(step)
        last = step
    assert last
    yield json.dumps(step_data(last)["view"], indent=1)
    if tally.line():
        yield tally.sentence("en")


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_plays_as_it_did(path: Path) -> None:
    assert "\n".join(reported(path)) + "\n" == path.with_suffix(".expected").read_text(encoding="utf-8")


def test_every_game_and_every_option_has_a_transcript() -> None:
    headers = [parse(line) for path in TRANSCRIPTS for line in path.read_text().splitlines() if '"tabularium"' in line]
    shown = {(h["game"], name, value) for h in headers for name, value in (h.get("options") or {}).items()}
    assert {h["game"] for h in headers} == set(games.NAMES)
    wanted = {
        (game, option.name, value)
        for game in games.NAMES
        for option in games.game(game).options
        for value in option.values[1:]
    }
    assert not wanted - shown


if __name__ == "__main__":
    for path in TRANSCRIPTS:
        path.with_suffix(".expected").write_text("\n".join(reported(path)) + "\n", encoding="utf-8")
