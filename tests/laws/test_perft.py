"""Counts of the game tree: a move too many or too few changes them."""

from typing import Any

import pytest
import yaml

from companion import games
from companion.record.transcript import read_event, read_header
from companion.rules import AnyGame, judge
from companion.session import Session
from tests.support.paths import TESTS

COUNTS = TESTS / "perft"
POSITIONS = [
    pytest.param(path.stem, position, id=f"{path.stem}-{position['name']}")
    for path in sorted(COUNTS.glob("*.yaml"))
    for position in yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.stem in games.NAMES
]


def count(game: AnyGame, state: Any, depth: int) -> int:
    """How many sequences of that many legal events there are; fields that do not matter to the rules count once."""
    moves = game.legal(state)
    if depth == 1:
        return sum(len(of) for of in moves)
    return sum(count(game, judge(game, state, event)[1], depth - 1) for of in moves for event in of)


@pytest.mark.parametrize(("name", "position"), POSITIONS)
def test_the_tree_has_as_many_moves_as_counted_by_hand(name: str, position: dict[str, Any]) -> None:
    head = {"seats": position["seats"], "options": position.get("options"), "board": position.get("board")}
    header = read_header({"tabularium": 1, "game": name, **head})
    session = Session(header.game, header.setup)
    for event in position["events"]:
        receipt = session.receive(read_event(header, event).event)
        assert receipt.ok, (event, receipt.rulings)
    counted = [count(header.game, session.state, depth) for depth in range(1, len(position["counts"]) + 1)]
    assert counted == position["counts"], position["why"]


def test_every_game_whose_rules_are_published_is_counted() -> None:
    published = {path.stem for path in (COUNTS.parent.parent / "docs" / "rules").glob("*.md")} & set(games.NAMES)
    assert published <= {path.stem for path in COUNTS.glob("*.yaml")}
