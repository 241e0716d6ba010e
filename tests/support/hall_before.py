"""Rounds of an evening that have been played before anything begins: a hall's store as it is late at night."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random

from companion.hall import _seating as seating
from companion.hall.organiser import Organiser
from companion.hall.published import stand
from companion.hall.records import checksum
from companion.hall.store import HallStore
from companion.rules import result

EVENING = datetime(2026, 11, 21, 18, tzinfo=timezone(timedelta(hours=1)))


def played(store: HallStore, tables: int, rounds: int, seed: int = 0) -> None:
    """Play rounds with four players a table, all games approved; the tables are called x1, x2 …

    It does not search for a good seating: there are many rounds, and the seating is not what is tested.
    """
    rng, organiser = Random(seed), Organiser(store)
    names = [f"Player {number}" for number in range(1, 4 * tables + 1)]
    assert organiser.answer({"do": "join", "names": names})["ok"]
    before = seating.LEAST, seating.STEPS
    seating.LEAST, seating.STEPS = 10, 1
    try:
        for number in range(1, rounds + 1):
            order = {"do": "round", "games": ["mercator"], "tables": [f"x{at}" for at in range(1, tables + 1)]}
            assert organiser.answer({**order, "seed": number})["ok"]
            _results(store, number, rng)
    finally:
        seating.LEAST, seating.STEPS = before


def _results(store: HallStore, number: int, rng: Random) -> None:
    evening = stand(store).evening
    one = evening.round(number)
    assert one
    for of in one.tables:
        key = {"game": number, "begun": (EVENING + timedelta(hours=number)).isoformat()}
        header = {"tabularium": 1, "game": of.game, "seats": list(of.seats), "options": dict(of.options),
                  "evening": evening.mark, "ids": dict(of.seats)}  # fmt: skip
        store.take("header", of.table, {**key, "header": header, "round": number})
        told = result({seat: rng.randint(0, 20) for seat in of.seats})
        store.take("result", of.table, {**key, "number": 1, "result": told, "crc": checksum(told)})
        for seat in of.seats:
            store.take("approval", of.table, {**key, "seat": seat, "crc": checksum(told), "approves": True})
    store.commit()
