"""Games played at random: their states, what looks like them, and what is well-formed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any

from companion import games
from companion.cli.simulate import play, table
from companion.record.transcript import Header
from companion.rules import AnyGame, Choose
from companion.rules.cards import DECK
from companion.rules.outline import shape_of


def well_formed(header: Header, rng: Random) -> Any:
    """Return any event the codec can read: right seats, existing cards and places, whole amounts."""
    words = header.game.vocabulary(header.setup)
    seats = list(header.seats)
    some: dict[str, Callable[[], Any]] = {
        "seat": lambda: rng.choice(seats),
        "seats": lambda: (
            tuple(rng.choices(seats, k=rng.randrange(len(seats) + 1)))
            if rng.random() < 0.3
            else tuple(rng.sample(seats, rng.randrange(len(seats) + 1)))
        ),
        "card": lambda: rng.choice(list(DECK.values())),
        "number": lambda: rng.choice([0, 1, 2, 3, 4, 20, 200]),
        "chips": lambda: rng.choice([0, 1, 2, 5, 20, 21, 50, 51, 200]),
        "bool": lambda: rng.random() < 0.5,
        "text": lambda: rng.choice(["", "sicilia", "red"]),
        "place": lambda: rng.choice(words["place"]),
        "piece": lambda: rng.choice(words["piece"]),
        "opened": lambda: {rng.choice(seats): 40},
    }
    kind: Any = rng.choice(header.game.events)
    return kind(*(some[k]() if needed or rng.random() < 0.5 else None for _, k, needed in shape_of(kind)))


@cache
def journey(
    name: str, seats: int, options: tuple[tuple[str, Any], ...]
) -> tuple[Header, tuple[Any, ...], tuple[Any, ...]]:
    """Play one random game; return its header, its events, and every state from the opening to the end."""
    header = table(games.game(name), seats, dict(options))
    rng = Random(f"{name} {seats} {options}")
    states, events = [header.game.setup(header.setup)], []
    for session, receipt in play(header, rng):
        states.append(session.state)
        events.append(receipt.event)
    return header, tuple(events), tuple(states)


def travel(name: str, seats: int, options: dict[str, Any]) -> tuple[Header, tuple[Any, ...], tuple[Any, ...]]:
    return journey(name, seats, tuple(options.items()))


def some(sequence: Any, count: int = 60) -> Any:
    return sequence[:: max(1, len(sequence) // count)]


def disguises(game: AnyGame, state: Any) -> Iterator[Any]:
    """Yield states with other hidden things that look the same to everybody at the table."""
    names = {field.name for field in fields(state)}
    seats = state.setup.seats
    if "chips" in names and "chips" in game.view(state, seats[0])["private"]:
        yield replace(state, chips={seat: chips + 1 + seats.index(seat) for seat, chips in state.chips.items()})
    if "choices" in names and state.choices:
        others = {
            seat: next((o.card for o in choices(game, state) if o.seat == seat and o.card != card), card)
            for seat, card in state.choices.items()
        }
        yield replace(state, choices=others)


def choices(game: AnyGame, state: Any) -> Iterator[Choose]:
    """Yield the choice of every card that can be laid face down now."""
    for moves in game.legal(state):
        yield from (event for event in moves if isinstance(event, Choose))


def extremes(game: AnyGame, state: Any) -> Iterator[Any]:
    """Yield states with empty purses, and with hands of the lowest or the highest cards, where they are hidden."""
    hidden = game.view(state, state.setup.seats[0])["private"]
    if "chips" in hidden:
        yield replace(state, chips=dict.fromkeys(state.chips, 0))
    if "hand" in hidden and game.name == "spartacus":  # elsewhere a hand holds what has not been shown
        full = game.setup(state.setup).hands
        for cards in (full, {seat: hand[::-1] for seat, hand in full.items()}):
            yield replace(state, hands={seat: cards[seat][: len(hand)] for seat, hand in state.hands.items()})
