"""A new evening, begun while the hall runs: the last one is kept with its export, and nothing of it counts any more."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.hall.control_socket import STORE
from companion.hall.link import BrokerLink
from companion.hall.season import players
from companion.hall.store import HallStore
from tests.support.hall_full import connect
from tests.support.hall_tables import until
from tests.support.hall_two_ways import AtTerminal, Evening, evening_at


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Evening]:
    with evening_at(tmp_path) as hall:
        hall.ask("evening", name="Saturday", names="first", lang="en")
        hall.ask("join", names=["Anna", "Ben", "Cem", "Dana"])
        connect(hall, 1)
        hall.ask("round", games=["mercator"], tables=["1"], seed=1)
        hall.play("1", 1, Random(1))
        yield hall


def test_a_new_evening_is_tried_first_and_keeps_the_last_one_with_its_export(hall: Evening, tmp_path: Path) -> None:
    before = hall.now.evening
    tried = hall.service.order({"do": "new", "name": "Sunday", "keep": True, "try": True})
    assert tried["ok"] and "4 players keep their numbers" in " ".join(tried["said"])
    assert hall.now.evening == before
    assert hall.service.order({"do": "new", "name": "Sunday", "keep": True, "as_of": tried["as_of"], "id": "x"})["ok"]
    now = hall.now.evening
    assert (now.name, now.names, now.rounds, now.mark == before.mark) == ("Sunday", "first", (), False)
    assert {(one.id, one.here) for one in now.people.values()} == {(number, False) for number in range(1, 5)}
    (aside,), (export,) = tmp_path.glob("hall-*.sqlite3"), tmp_path.glob("hall-*.zip")
    assert {of["name"] for of in players(export.read_bytes())} == {of.name for of in before.people.values()}
    with closing(HallStore(aside)) as store:
        assert [act["act"] for act in store.said()] == ["evening", "join", "round"]
    again = hall.service.order({"do": "new", "name": "Sunday", "id": "x"})
    assert again["ok"] and hall.now.evening.mark == now.mark, "sent twice, it is carried out once"
    with closing(sqlite3.connect(tmp_path / STORE)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_new_evening_is_refused_once_another_order_has_come(hall: Evening, tmp_path: Path) -> None:
    tried = hall.service.order({"do": "new", "name": "Sunday", "try": True})
    hall.ask("say", text="Break")
    answer = hall.service.order({"do": "new", "name": "Sunday", "as_of": tried["as_of"]})
    assert not answer["ok"] and answer["as_of"] == tried["as_of"] + 1
    assert not hall.service.order({"do": "new", "name": " "})["ok"]
    assert hall.now.evening.name == "Saturday" and not list(tmp_path.glob("hall-*.sqlite3"))


def test_the_tables_that_are_on_report_to_the_new_evening(hall: Evening) -> None:
    status = json.dumps({"here": True, "version": "0.0.1"}).encode()
    with closing(BrokerLink(hall.running.as_("2"), subscribed=[], came=lambda _: None)) as table:
        table.open()
        until(lambda: table.connected)
        table.publish("tabularium/2/friday/table/2/status", status, retain=True)
        until(lambda: any(row.table == "2" for row in hall.service.call(lambda store: store.tables())))
        assert hall.service.order({"do": "new", "name": "Sunday"})["ok"]
        until(lambda: any(row.table == "2" and row.here for row in hall.service.call(lambda store: store.tables())))
    assert hall.ask("join", names=["Eve", "Femi"])["ok"] and hall.now.evening.people[1].name == "Eve"


def test_a_store_that_cannot_be_put_aside_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(HallStore(tmp_path / STORE)) as store:
        store.say({"act": "say", "text": "Break"})
        with pytest.raises(FileNotFoundError):
            store.put_aside(tmp_path / "nowhere" / "aside.sqlite3")
        assert [act["text"] for act in store.said()] == ["Break"]
        monkeypatch.setattr(store, "_opened", failing_once(store._opened))
        with pytest.raises(sqlite3.OperationalError):
            store.put_aside(tmp_path / "aside.sqlite3")
        assert [act["text"] for act in store.said()] == ["Break"] and not (tmp_path / "aside.sqlite3").exists()


def failing_once(opened: Callable[[], sqlite3.Connection]) -> Callable[[], sqlite3.Connection]:
    """Return an opening of the file that fails the first time, as on a full disk."""
    tries = []

    def open_() -> sqlite3.Connection:
        tries.append(1)
        if len(tries) == 1:
            raise sqlite3.OperationalError("database or disk is full")
        return opened()

    return open_


def test_it_is_begun_at_the_terminal_while_the_hall_runs(
    hall: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    AtTerminal(hall)._type("evening", "Sunday", "--new")
    assert "is kept as" in capsys.readouterr().out
    assert (hall.now.evening.name, len(hall.now.evening.people)) == ("Sunday", 0)
