"""Law 2 for what the table says itself: two games that look alike go on looking alike, whatever is hidden in them."""

from random import Random
from typing import Any

import pytest

from companion import games
from companion.games import position_of
from companion.rules import Amend, Choose, Decide, Event, Redo, Reveal, Undo
from companion.rules.words import LANGUAGES, Tongue
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.states import disguises, some, travel
from tests.support.tables import FEW
from tests.support.twins import fits_not, pair, table_event


def heard(session: Session, receipt: Receipt) -> Any:
    """What everybody sees and hears of it."""
    said = [(ruling, [Tongue(lang).say(ruling) for lang in LANGUAGES]) for ruling in receipt.public]
    return (
        receipt.ok,
        session.view(),
        position_of(session.game.name).layout(session.view(), session.setup.options),
        said,
    )


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_table_decisions_leak_nothing_hidden(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    game, rng, tried = header.game, Random(f"{name} {options}"), 0
    for state in some(states, 8):
        if game.view(state)["over"]:
            continue
        for disguise in disguises(game, state):
            one, other = pair(name, seats, options, state, disguise)
            for _ in range(8):
                event = table_event(one, rng)
                receipts = [session.receive(event) for session in (one, other)]
                if receipts[0].ok != receipts[1].ok:
                    assert fits_not(*receipts), event
                    break
                said = [heard(*of) for of in zip((one, other), receipts, strict=True)]
                assert said[0] == said[1], event
                tried += 1
                if one.view()["over"]:
                    break
    assert tried or name == "spartacus"


@pytest.mark.parametrize("name", ["prokonsul", "caesar", "hannibal"])
def test_sealed_cards_stay_sealed_whatever_is_taken_back(name: str) -> None:
    """Two games in which other cards lie face down hear the same of every undo, redo, amendment and decision."""
    header, events, _ = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
    game, rng, tried = header.game, Random(name), 0
    for at, event in enumerate(events[:80]):
        if not isinstance(event, Reveal):
            continue
        start = Session(game, header.setup)
        for earlier in events[:at]:
            start.receive(earlier)
        mark = start.mark()
        for _ in range(3):
            last = start.acts[-1]
            assert isinstance(last.event, Choose) and last.before
            others = (
                choice for moves in game.legal(last.before.state) for choice in moves if isinstance(choice, Choose)
            )
            other = next((choice for choice in others if choice.seat == last.event.seat and choice != last.event), None)
            if other is None:
                break
            second = Session(game, header.setup)
            for earlier in (*events[: at - 1], other):
                second.receive(earlier)
            numbers = [act.number for act in start.acts][:-1]
            steps: list[Event] = [Undo(), Undo(rng.choice(numbers)), Decide("x", {}), Decide("x"),
                               Amend(rng.choice(numbers), Decide("It was so."))]  # fmt: skip
            for session_event in (rng.choice(steps), Undo(), Redo()):
                said = [heard(session, session.receive(session_event)) for session in (start, second)]
                assert said[0] == said[1], session_event
                tried += 1
            start.back_to(mark)
    assert tried
