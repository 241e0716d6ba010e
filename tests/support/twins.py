"""Two games that nobody at the table can tell apart."""

from __future__ import annotations

from random import Random
from typing import Any

from companion import games
from companion.cli.simulate import table
from companion.games import position_of
from companion.rules import Amend, Decide, Event, Redo, Undo
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.positions import garble, jsoned


def pair(name: str, seats: int, options: dict[str, Any], state: Any, disguise: Any) -> tuple[Session, Session]:
    """Return two sessions that begin in states nobody at the table can tell apart."""
    header = table(games.game(name), seats, options)
    both = Session(header.game, header.setup), Session(header.game, header.setup)
    both[0].opening, both[1].opening = state, disguise
    return both


def table_event(session: Session, rng: Random) -> Event:
    """Return what a table may say, made of what everybody knows; a change may touch what is hidden."""
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
    written = jsoned(position_of(session.game.name).written(session.state))
    public = sorted(set(written) - {*position_of(session.game.name).secret})
    key = rng.choice(public)
    return Decide("Otherwise.", {key: garble({key: written[key]}, rng).get(key)})


def fits_not(*receipts: Receipt) -> bool:
    """Return whether the one refusal is of a house ruling and says no more than that it does not fit.

    A change may fit what is hidden in the one game and not in the other.
    """
    (refused,) = (receipt for receipt in receipts if not receipt.ok)
    return isinstance(refused.event, Decide) and [r.facts.get("mistakes") for r in refused.public] == [None]
