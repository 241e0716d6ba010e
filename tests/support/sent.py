"""What a table of a hall sends, act by act."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from companion.hall.public import told
from companion.record.transcript import Header
from companion.rules import Amend, Choose, Decide, Event, Redo, Undo
from companion.session import Session
from companion.session.receipt import Receipt

Payload = dict[str, Any]


def played(header: Header, rng: Random, most: int = 600) -> Iterator[Receipt]:
    """Yield the accepted acts of a random game in which the table has its say.

    Choices are replaced, moves undone, acts corrected, and house rulings made.
    """
    session = Session(header.game, header.setup)
    for _ in range(most):
        moves = session.legal()
        if not moves and rng.random() < 0.5:
            return
        event = rng.choice(moves).pick(rng.choice) if moves else Undo()
        if rng.random() < 0.25:
            event = table_says(session, rng)
        receipt = session.receive(event, at="2026-11-22T20:00:00+01:00")
        if receipt.ok:
            yield receipt


def table_says(session: Session, rng: Random) -> Event:
    """Return an undo, a redo, a correction or a house ruling, or a card that is chosen anew."""
    numbers = [act.number for act in session.acts]
    chosen = [act.event for act in session.acts[-4:] if isinstance(act.event, Choose)]
    every = [e for of in session.legal() for e in of if isinstance(e, Choose)] if chosen else []
    anew = [e for e in every if any(e.seat == c.seat for c in chosen)]
    if anew and rng.random() < 0.5:
        return rng.choice(anew)
    match rng.randrange(6):
        case 0 if numbers:
            return Undo(rng.choice(numbers[-6:]))
        case 1:
            return Redo()
        case 2 if numbers:
            return Decide("Cards up!", {} if rng.random() < 0.3 else None)
        case 3 | 4 if numbers:
            act = rng.choice(session.acts[-12:])
            state = act.before.state if act.before else session.opening
            instead = [of.pick(rng.choice) for of in session.game.legal(state)]
            return Amend(act.number, rng.choice([*instead, Decide("It was so.")]))
    return Undo()


def payloads(receipts: Sequence[Receipt]) -> list[Payload]:
    return [json.loads(json.dumps(payload)) for _, payload in told(receipts)]
