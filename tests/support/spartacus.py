"""Spartacus from positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.games.spartacus.rules import State
from companion.rules.cards import DECK, Card
from companion.session.receipt import Receipt
from tests.support import playing

THREE = "red blue green"

FOUR = "red blue green yellow"


def table(seats: str = THREE, **options: Any) -> playing.Play:
    return playing.Play("spartacus", seats, options=options)


def go(play: playing.Play, script: str) -> Receipt:
    """Play "red 5, blue flag, green pass"; return the last receipt."""
    for act in script.split(", "):
        seat, what = act.split()
        receipt = play.ok("pass", seat) if what == "pass" else play.ok("play", seat, card=act)
    return receipt


def deal(play: playing.Play, **hands: str) -> None:
    """Put other hands on the table: `deal(play, red="6", blue="9 flag")`."""
    s: State = play.session.state
    dealt = {seat: tuple(DECK[f"{seat} {rank}"] for rank in hand.split()) for seat, hand in hands.items()}
    play.put(replace(s, hands={**s.hands, **dealt}))


def lead(play: playing.Play, seat: str) -> None:
    """Give this seat the lead; a separate test covers who leads after a trick (S-8)."""
    play.put(replace(play.session.state, turn=seat))


def dealt(tricks: Sequence[Sequence[Card]], cards: list[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield tricks of as many cards, dealt from these."""
    for trick in tricks:
        yield tuple(cards.pop() for _ in trick)
