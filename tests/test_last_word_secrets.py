"""Law 2 for what the table says itself: two games that look alike go on looking alike, whatever is hidden in them."""

from random import Random
from typing import Any

import pytest

from companion import games
from companion.games import position_of
from companion.games.positions import layout, position
from companion.rules import Amend, Choose, Decide, Event, Redo, Reveal, Undo
from companion.rules.words import LANGUAGES, Tongue
from companion.scripts.simulate import table
from companion.session import Session
from companion.session.receipt import Receipt
from tests.tables import FEW
from tests.test_laws import disguises, some, travel
from tests.test_positions import garble, jsoned


def pair(name: str, seats: int, options: dict[str, Any], state: Any, disguise: Any) -> tuple[Session, Session]:
    """Two sessions that begin in states nobody at the table can tell apart."""
    header = table(games.game(name), seats, options)
    both = Session(header.game, header.setup), Session(header.game, header.setup)
    both[0].opening, both[1].opening = state, disguise
    return both


def heard(session: Session, receipt: Receipt) -> Any:
    """What everybody sees and hears of it."""
    said = [(ruling, [Tongue(lang).say(ruling) for lang in LANGUAGES]) for ruling in receipt.public]
    return receipt.ok, session.view(), layout(session.game, session.view(), session.setup.options), said


def table_event(session: Session, rng: Random) -> Event:
    """What a table says, made of what everybody knows; a change may touch what is hidden."""
    numbers = [act.number for act in session.acts]
    match rng.randrange(6):
        case 0:
            return Undo(rng.choice([None, 0, *numbers]))
        case 1:
            return Redo()
        case 2 if numbers:
            return Amend(rng.choice(numbers), Decide(rng.choice(["One.", "Two."])))
        case 3:
            return Decide("Cards up!", {})
        case 4:
            key = rng.choice(sorted(session.setup.seats))
            hidden = rng.choice(position_of(session.game.name).secret)
            return Decide("Miscounted.", {hidden: {key: rng.choice([3, 17, [], None, [f"{key} 1"]])}})
    written = jsoned(position(session.game, session.state))
    public = sorted(set(written) - {*position_of(session.game.name).secret})
    key = rng.choice(public)
    return Decide("Otherwise.", {key: garble({key: written[key]}, rng).get(key)})


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_what_the_table_says_tells_nothing_hidden(name: str, seats: int, options: dict[str, Any]) -> None:
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


def fits_not(*receipts: Receipt) -> bool:
    """A change may fit what is hidden in the one and not in the other: everybody hears that it does not, and no more."""
    (refused,) = (receipt for receipt in receipts if not receipt.ok)
    return isinstance(refused.event, Decide) and [r.facts.get("mistakes") for r in refused.public] == [None]


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
