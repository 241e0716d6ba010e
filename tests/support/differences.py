"""Games whose table differs from the program's state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.games import position_of
from companion.record.transcript import Header
from companion.rules import Event
from companion.rules.layout import ELSE, Layout, Lies
from companion.session import Session


def table_of(session: Session) -> Layout:
    return position_of(session.game.name).lies(session.view(), session.setup.options)


def played(header: Header, events: Sequence[Event]) -> Session:
    session = Session(header.game, header.setup)
    assert all(session.receive(event).ok for event in events)
    return session


def some_want(session: Session, rng: Random) -> Lies:
    """Return a random layout that a table may report for some of its places."""
    now, spots = table_of(session), list(position_of(session.game.name).places(session.setup))
    want: dict[str, Mapping[str, int]] = {}
    for spot in rng.sample(spots, rng.choice([1, 1, 2])):
        pieces = rng.sample(list(spot.pieces), min(len(spot.pieces), rng.choice([0, 1, 2])))
        lying = {piece: n for piece, n in now.get(spot.place, {}).items() if rng.random() < 0.5}
        want[spot.place] = {**lying, **{piece: rng.choice([1, 1, 2, 9]) for piece in pieces}, ELSE: 0}
    for place in rng.sample(sorted(now), min(3, len(now))):
        want.setdefault(place, {**now[place], ELSE: 0})
    return want
