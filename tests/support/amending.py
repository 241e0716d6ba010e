"""Random events with undos, redos, corrections and house rulings among them."""

from __future__ import annotations

from random import Random

from companion.rules import Amend, Decide, Event, Redo, Undo
from companion.session import Session


def some_event(session: Session, rng: Random) -> Event:
    """Return a random act as tables make them, now and then an undo, redo, correction or house ruling."""
    acts = session.acts
    numbers = [act.number for act in acts]
    moves = session.legal()
    chance = rng.random()
    if not moves or chance < 0.2:
        kind = rng.randrange(6)
        if kind == 0:
            return Undo()
        if kind == 1:
            return Undo(rng.choice([0, *numbers, 9999]))
        if kind == 2:
            return Redo()
        if kind == 3 and numbers:
            return Amend(rng.choice(numbers[-12:]), other(session, rng))
        if kind == 4:
            return Decide("So be it.")
        return Decide("Cards up!", {})
    return rng.choice(moves).pick(rng.choice)


def other(session: Session, rng: Random) -> Event:
    """Return what an act may have been instead: an event that was legal somewhere in the game, or nonsense."""
    acts = session.acts
    act = rng.choice(acts[-12:])
    state = act.before.state if act.before else session.opening
    moves = session.game.legal(state)
    return rng.choice(moves).pick(rng.choice) if moves and rng.random() < 0.9 else Decide("Otherwise.")
