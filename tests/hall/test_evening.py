"""The evening is a fold: whatever was ordered, a hall that dies comes back the same; ten tables and fifty; real games."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.cli.simulate import play as random_play
from companion.cli.simulate import table
from companion.hall import _seating as seating
from companion.hall._wire import SAID, read, write
from companion.hall.orders import fold
from companion.hall.organiser import Organiser
from companion.hall.public import header_of, told
from companion.hall.published import published, stand
from companion.hall.records import checksum
from companion.hall.store import HallStore
from companion.record.transcript import parse, read_event, read_header
from companion.rules.mistakes import Mistakes
from companion.session import Session
from tests.support.hall import NOON, Hall

NAMES = ["Anna", "Ben", "Chiara", "Dan", "Eve", "Femi", "Gül", "Hana", "Ivo"]
ORDERS = st.one_of(
    st.builds(lambda name: {"do": "join", "names": [name]}, st.sampled_from(NAMES)),
    st.builds(lambda name: {"do": "leave", "names": [name]}, st.sampled_from(NAMES)),
    st.builds(
        lambda again, tables, game: {"do": "round", "games": game, "tables": tables, "again": again},
        st.booleans(),
        st.sampled_from([["1"], ["1", "2"], ["2", "3"]]),
        st.sampled_from([["mercator"], ["caesar"], ["hannibal", "mercator"]]),
    ),
    st.builds(
        lambda do, table, won: {"do": do, "table": table, "won": [won], "reason": "because"},
        st.sampled_from(["result", "amend"]),
        st.sampled_from(["1", "2", "3"]),
        st.sampled_from(["red", "blue"]),
    ),
    st.just({"do": "end"}),
)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "LEAST", 100)
    monkeypatch.setattr(seating, "STEPS", 5)
    monkeypatch.setattr(seating, "TRIES", 1)


@pytest.mark.usefixtures("quick")
@given(st.lists(ORDERS, max_size=15))
@settings(max_examples=25, deadline=None)
def test_killed_hall_restores_the_same_state(orders: list[Mapping[str, Any]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "hall.sqlite3"
        with closing(HallStore(path, lambda: NOON)) as store:
            organiser = Organiser(store, lambda: NOON)
            organiser.answer({"do": "join", "names": NAMES[:5]})
            for order in orders:
                before = stand(store)
                if not organiser.answer(order)["ok"]:
                    assert stand(store) == before, "a refusal changes nothing"
            last, shown = stand(store), published(stand(store))
        with closing(HallStore(path)) as store:
            assert stand(store) == last and published(stand(store)) == shown
            assert fold(store.said()) == last.evening
        fair(last.evening.rounds)


def fair(rounds: Any) -> None:
    """Each round seats everybody once."""
    for one in rounds:
        everybody = [player for of in one.tables for player in of.seats.values()] + list(one.byes)
        assert len(everybody) == len(set(everybody))


@pytest.mark.parametrize("tables", [10, 50])
def test_ten_tables_and_fifty(tmp_path: Path, tables: int) -> None:
    """Three rounds, a tenth of the players late, a tenth leaving; nobody meets anybody again."""
    with closing(Hall(tmp_path)) as hall:
        here = [f"Player {number}" for number in range(1, 4 * tables + 1)]
        hall.order("join", names=here[tables // 10 :])
        hall.order("round", games=["mercator"], tables=[str(at) for at in range(1, tables + 1)], seed=1)
        play(hall, 1)
        hall.order("join", names=here[: tables // 10])
        hall.order("round", seed=2)
        play(hall, 2)
        hall.order("leave", names=here[-tables // 10 :])
        hall.order("round", seed=3)
        play(hall, 3)
        hall.again()
        now = hall.now
        assert (now.standings.open, now.standings.after) == (0, 3)
        assert {len(one.offered) for one in now.evening.rounds} == {tables}
        assert not any(one.byes for one in now.evening.rounds)
        pairs = Counter(
            pair for of in now.outcomes for pair in combinations(sorted(of.seated.seats.values()), 2)
        )  # fmt: skip
        assert max(pairs.values()) == 1


def test_two_hundred_tables_with_names_of_eighty_long_characters_go_over_the_wire(quick: None, tmp_path: Path) -> None:
    """Two rounds at once, as when the next is seated before this one is over, and the standings."""
    with closing(Hall(tmp_path)) as hall:
        for hundred in range(10):
            names = [f"{100 * hundred + at:04}{'島' * 76}" for at in range(100)]
            hall.order("join", names=names)
        tables = [f"table-{at}" for at in range(1, 201)]
        hall.order("round", games=["mercator"], tables=tables, size=5)
        hall.order("round")
        said = published(hall.now)
        for kind in SAID:
            assert read(kind, write(kind, said[kind])) == json.loads(json.dumps(said[kind]))
        assert [len(one["tables"]) for one in said["seating"]["rounds"]] == [200, 200]
        assert len(said["standings"]["rows"]) == 1000
        with pytest.raises(Mistakes):
            write("seating", {**said["seating"], "rounds": said["seating"]["rounds"] * 3})


def play(hall: Hall, number: int) -> None:
    """A whole round, told to the store in one go."""
    for of in hall.now.outcomes:
        if of.round == number:
            seats = list(of.seated.seats)
            key = {"game": number, "begun": f"2026-11-21T1{number}:00:00+01:00"}
            result = {"winners": [seats[0]], "scores": dict.fromkeys(seats, 1), "places": dict.fromkeys(seats, 1)}
            ended = {**result, "unconfirmed_board": False}
            header = {"tabularium": 1, "game": of.seated.game, "seats": seats, "options": dict(of.seated.options),
                      "evening": hall.now.evening.mark, "ids": dict(of.seated.seats)}  # fmt: skip
            name = of.seated.table
            hall.store.take("header", name, {**key, "header": header, "round": number})
            hall.store.take("result", name, {**key, "number": 1, "result": ended, "crc": checksum(ended)})
            for seat in seats:
                hall.store.take("approval", name, {**key, "seat": seat, "crc": checksum(ended), "approves": True})
    hall.store.commit()


# -- real games ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_the_games_that_are_saved_play_to_the_results_that_counted(tmp_path: Path) -> None:
    names = ["spartacus", "caesar", "prokonsul", "mercator", "hannibal"]
    with closing(Hall(tmp_path)) as hall:
        hall.order("join", names=[f"Player {at}" for at in range(14)])
        hall.order("round", games=names, tables=["1", "2", "3", "4", "5"], size=3)
        results = {of.seated.table: real_game(hall, of.seated.table) for of in hall.now.outcomes}
        assert [of.state for of in hall.now.outcomes] == ["counts"] * 5
        assert hall.now.standings.by == "places"
        hall.order("export", file=str(tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as saved:
        for name in saved.namelist():
            if name.startswith("games/"):
                lines = saved.read(name).splitlines(keepends=True)
                assert ended(lines) == results[name.split("-")[3]], name


def real_game(hall: Hall, name: str) -> Any:
    """A random game at a table, act by act as everybody may know it, to its end; the result."""
    seated = next(of.seated for of in hall.now.outcomes if of.seated.table == name)
    header = table(games.game(seated.game), len(seated.seats), dict(seated.options))
    *_, (session, _) = random_play(header, Random(int(name)))
    key = {"game": 1, "begun": None}
    head = {
        **header_of(header, names=False),
        "seats": list(seated.seats),
        "evening": hall.now.evening.mark,
        "ids": dict(seated.seats),
    }
    hall.take("header", name, {**key, "header": head, "round": 1})
    for _, payload in told(session.acts):
        hall.take("event", name, {**key, **json.loads(json.dumps(payload))})
    result = session.view()["result"]
    assert result
    hall.take("result", name, {**key, "number": session.accepted, "result": result, "crc": checksum(result)})
    hall.approve(name, key, checksum(result), list(seated.seats))
    return result


def ended(lines: list[bytes]) -> Any:
    """The result that a transcript plays to."""
    header = read_header(parse(lines[0]))
    session = Session(header.game, header.setup)
    for line in lines[1:]:
        assert session.receive(read_event(header, parse(line)).event).ok, line
    return session.view()["result"]
