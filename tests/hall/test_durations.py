"""The pace of an evening: how long games usually take, by the hall's clock, and since when something has been wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from companion import __version__
from companion.hall._desk_state import desk_state
from companion.hall._needs import FirstSeen, needs
from companion.hall._wire import hold
from companion.hall.organiser import Organiser
from companion.hall.published import stand
from companion.hall.records import Payload, checksum
from companion.hall.store import HallStore
from companion.rules import result

BEGUN = datetime.fromisoformat("2026-11-21T20:00:00+01:00")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    with closing(HallStore(tmp_path / "hall.sqlite3", now=lambda: BEGUN)) as store:
        organiser = Organiser(store, now=lambda: BEGUN - timedelta(minutes=1))
        organiser.answer({"do": "join", "names": [f"P{number}" for number in range(16)]})
        seated = organiser.answer({"do": "round", "games": ["mercator"], "tables": ["1", "2", "3", "4"], "seed": 1})
        assert seated["ok"], seated
        yield store


def play(store: HallStore, table: str, minutes: int, *, over: bool = True, ahead: int = 0) -> None:
    """Have a table play for so long; its clock is `ahead` by so many minutes."""
    now = stand(store)
    seats = next(of.seated.seats for of in now.outcomes if of.seated.table == table)
    begun = BEGUN + timedelta(minutes=ahead)
    key: Payload = {"game": 1, "begun": begun.isoformat()}
    header = {"tabularium": 1, "game": "mercator", "seats": list(seats), "options": {}, "evening": now.evening.mark,
              "ids": dict(seats)}  # fmt: skip
    store.take("health", table, {"ill": [], "clock": begun.isoformat()})
    store.take("header", table, {**key, "header": header, "round": 1})
    last = (begun + timedelta(minutes=minutes)).isoformat()
    store.take("event", table, {**key, "number": 1, "event": {"event": "flip", "seat": "red"}, "at": last})
    if over:
        told = result(dict(zip(seats, Random(1).sample(range(40), len(seats)), strict=True)))
        store.take("result", table, {**key, "number": 1, "result": told, "crc": checksum(told)})


def test_three_games_say_how_long_such_games_take(store: HallStore) -> None:
    for table, minutes in (("1", 30), ("2", 50)):
        play(store, table, minutes)
    play(store, "3", 90, over=False)
    assert desk_state(stand(store), store)["pace"] == {}
    play(store, "4", 40)
    state = desk_state(stand(store), store)
    hold("state", {**state, "planning": [], "sessions": [], "refused": 0, "requests": [], "taking": True})
    assert state["pace"] == {"mercator": 40}


def test_moments_are_by_the_halls_clock(store: HallStore) -> None:
    play(store, "1", 30, ahead=17)
    (table,) = [of for of in desk_state(stand(store), store)["rounds"][0]["tables"] if of["table"] == "1"]
    assert (table["begun"], table["last"], table["moves"]) == (
        BEGUN.isoformat(), (BEGUN + timedelta(minutes=30)).isoformat(), 1
    )  # fmt: skip


def test_a_need_says_since_when_it_lasts_and_begins_anew_once_it_was_over(store: HallStore) -> None:
    seen, later = FirstSeen(), (BEGUN + timedelta(minutes=5)).isoformat()
    away = {("away", table) for table in "1234"}
    for table in "1234":
        store.take("status", table, {"here": False, "version": __version__})
    assert {(need.kind, need.table) for need in needs(stand(store))} == away
    seen.note(needs(stand(store)), BEGUN.isoformat())
    assert set(seen.note(needs(stand(store)), later).values()) == {BEGUN.isoformat()}
    seen.note([], later)
    assert set(seen.note(needs(stand(store)), later).values()) == {later}
