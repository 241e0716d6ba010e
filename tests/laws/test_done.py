"""What a move is called once it is done: without its outcome, and never as another move of the same moment."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from companion.record.transcript import event_data
from companion.rules import Choose
from companion.rules.contract import judge
from companion.rules.words import Tongue
from companion.session.correction import done
from companion.session.receipt import Receipt
from tests.support.states import some, travel
from tests.support.tables import FEW

OUTCOME = r" = |;|\d+ \+ \d+|worth|lowest|still"
"""What only outcomes have: sums and what holds from now on."""


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_moves_of_one_moment_are_told_apart_by_what_was_done(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    tongue = Tongue("en")
    for state in some(states[:-1], 20):
        said: dict[str, list[Any]] = defaultdict(list)
        for moves in header.game.legal(state):
            for event in list(moves)[:60]:
                ok, _, rulings = judge(header.game, state, event)
                act = Receipt(ok, event, tuple(rulings), game=header.game)
                said[tongue.phrase(done(act))].append(event_data(event))
        assert not {text: events for text, events in said.items() if len(events) > 1}
        assert not [text for text in said if re.search(OUTCOME, text) or not text.endswith(".")]


def test_a_card_that_lies_face_down_is_not_named() -> None:
    header, events, states = travel("prokonsul", 3, {})
    at = next(at for at, event in enumerate(events) if isinstance(event, Choose))
    act = Receipt(True, events[at], judge(header.game, states[at], events[at])[2], game=header.game)
    seen, unseen = (Tongue("en").phrase(done(act, hidden)) for hidden in (False, True))
    assert str(events[at].card) in seen and str(events[at].card) not in unseen
