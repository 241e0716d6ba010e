"""A game that goes on at another machine, from what everybody knows of it: in every phase of every game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import play, table
from companion.hall.public import header_of, told, transcript
from companion.play._takeover import read_takeover
from companion.play.evening import Evening
from companion.play.hall_status import InterruptedGame, SeatedGame
from companion.record.store import Store
from companion.rules import as_json
from companion.rules.mistakes import Mistakes
from tests.support.hall_tables import until
from tests.support.tables import FEW, times
from tools.scenes.rehearsal import PLAYERS, Hall


def public(header: Any, receipts: list[Any]) -> tuple[list[str], Any]:
    """The lines and the last view that a hall would have of a game."""
    payloads = [data for _, data in told(receipts)]
    lines = list(transcript(header_of(header, names=True), payloads))
    return lines, json.loads(json.dumps(as_json(receipts[-1].view)))


@pytest.mark.parametrize(("name", "seats", "options"), FEW, ids=str)
def test_a_game_is_followed_from_every_moment(name: str, seats: int, options: Any) -> None:
    """Whatever its phase: what everybody sees is the same, but for cards that lay face down; and none of those is told."""
    header = table(games.game(name), seats, options)
    receipts, phases = [], set()
    for _, receipt in play(header, Random(f"{name} {seats}")):
        receipts.append(receipt)
        if receipt.view["phase"] in phases and len(receipts) % times(7, 1):
            continue
        phases.add(receipt.view["phase"])
        lines, view = public(header, receipts)
        found = read_takeover(lines, view)
        assert len(found.acts) <= len(receipts)
    assert "over" in phases


def test_a_game_that_began_in_the_middle_is_not_taken_for_another() -> None:
    header = table(games.game("spartacus"), 3, {})
    receipts = [receipt for _, receipt in play(header, Random(1))][:20]
    lines, view = public(header, receipts)
    with pytest.raises(Mistakes, match="Already begun"):
        read_takeover([lines[0], *lines[8:]], view)
    with pytest.raises(Mistakes, match="Already begun"):
        read_takeover(lines[:-1], view)


@pytest.mark.parametrize("name", games.NAMES)
@pytest.mark.parametrize("reveal", ["fists", "auto"])
def test_the_spare_machine_stands_where_the_dead_one_stood(tmp_path: Path, name: str, reveal: str) -> None:
    of = games.game(name)
    header = table(of, of.seats[0], {})
    receipts = [receipt for _, receipt in play(header, Random(name))]
    receipts = receipts[: len(receipts) * 2 // 3]
    while receipts[-1].view.get("chosen"):
        receipts.pop()
    lines, view = public(header, receipts)
    lines[0] = json.dumps(json.loads(lines[0]) | {"reveal": reveal})
    store = Store(tmp_path / "store.sqlite3")
    evening = Evening(store, reveal="fists")
    players = {seat: list(PLAYERS.values())[at] for at, seat in enumerate(header.seats)}
    hall = Hall(seated=SeatedGame(2, name, dict(header.options), players), spare=InterruptedGame(2, "3", lines, view))
    evening.join(hall)
    assert evening.spare
    match = evening.go_on()
    assert match.seconds is None, "nobody knows how long it was played at the other table"
    until(lambda: store.saved)
    evening.drain()
    assert {key: as_json(value) for key, value in match.view.items() if key != "private"} == {
        key: value for key, value in view.items() if key != "private"
    }
    assert match.header.players == players and evening.spare is None, "it has been begun"
    store.close()
