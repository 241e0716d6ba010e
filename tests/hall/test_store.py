"""The hall's store: what comes twice is kept once, what differs is reported, gaps are seen, and a kill loses nothing."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hall import hall_backup, service, setup
from companion.hall.control_socket import STORE
from companion.hall.link import Broker, BrokerLink
from companion.hall.organiser import Organiser
from companion.hall.plan import Plan
from companion.hall.records import Have, checksum
from companion.hall.service import HallService
from companion.hall.store import FAULTS, HallInUse, HallStore
from companion.rules import result
from companion.rules.message import Message
from tests.support.hall import NOON, Hall
from tests.support.hall_broker import broker, free_port
from tests.support.hall_tables import until

KEY: Mapping[str, Any] = {"game": 4, "begun": "2026-11-21T12:00:00+01:00"}
SEATS = ("red", "blue", "green")
HEADER = {**KEY, "header": {"tabularium": 1, "game": "mercator", "seats": list(SEATS), "options": {}}, "round": 1}
ENDED = result({"red": 9, "blue": 7, "green": 5})
CRC = checksum(ENDED)


def act(number: int, **other: Any) -> Mapping[str, Any]:
    return {**KEY, "number": number, "event": {"event": "bid", "seat": "red", "chips": number}, **other}


def ended(number: int, told: Any = ENDED) -> Mapping[str, Any]:
    return {**KEY, "number": number, "result": told, "crc": told and checksum(told)}


def approval(seat: str, approves: bool = True, **other: Any) -> Mapping[str, Any]:
    return {**KEY, "seat": seat, "crc": CRC, "approves": approves, **other}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "hall.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[HallStore]:
    with closing(HallStore(path, lambda: NOON)) as store:
        yield store


def faults(store: HallStore) -> list[str]:
    return [str(fault.what) for fault in store.faults()]


# -- twice, and otherwise ------------------------------------------------------------------------------------------


def test_a_table_that_has_said_nothing_is_not_known(store: HallStore) -> None:
    assert store.have("1") is None
    assert (store.tables(), store.games(), store.said()) == ([], [], [])


@pytest.mark.parametrize(
    ("kind", "payload"),
    [("header", HEADER), ("event", act(1)), ("result", ended(1)), ("approval", approval("red")),
     ("status", {"here": True, "version": "1"}), ("view", {**KEY, "number": 1, "view": {}}),
     ("health", {"ill": [], "clock": NOON.isoformat()})],
)  # fmt: skip
def test_repeated_messages_count_once(store: HallStore, kind: str, payload: Mapping[str, Any]) -> None:
    assert store.take(kind, "1", payload).new
    again = store.take(kind, "1", payload)
    assert (again.new, again.fault) == (False, None)
    assert store.take(kind, "2", payload).new, "another table's is another one"


@pytest.mark.parametrize(
    ("kind", "first", "then"),
    [
        ("header", HEADER, {**HEADER, "header": {**HEADER["header"], "game": "caesar"}}),
        ("event", act(1), act(1, event={"event": "flip"})),
        ("event", act(1), act(1, cards={"red": "red 7"})),
        ("result", ended(1), ended(1, result({"red": 1, "blue": 7, "green": 5}))),
        ("result", ended(1), {**ended(2), "crc": 1}),
    ],
)
def test_something_else_in_the_same_place_is_a_fault_and_the_first_stays(
    store: HallStore, kind: str, first: Mapping[str, Any], then: Mapping[str, Any]
) -> None:
    store.take("header", "1", HEADER)
    store.take(kind, "1", first)
    before = (store.games(), store.events("1", 4, KEY["begun"]))
    taken = store.take(kind, "1", then)
    assert not taken.new and taken.fault
    assert (store.games(), store.events("1", 4, KEY["begun"])) == before
    assert faults(store) == [taken.fault]


def test_codes_and_names_may_change_without_a_fault(store: HallStore) -> None:
    store.take("header", "1", HEADER)
    store.take("event", "1", act(1, codes=["bid"]))
    assert not store.take("event", "1", act(1, codes=["other"])).fault
    named = {**HEADER, "header": {**HEADER["header"], "players": {"red": "Anna"}}}
    assert not store.take("header", "1", named).fault


def test_the_same_number_with_another_beginning_is_another_game_and_said(store: HallStore) -> None:
    store.take("header", "1", HEADER)
    store.take("header", "1", {**HEADER, "begun": None})
    assert [(row.game, row.begun) for row in store.games("1")] == [(4, KEY["begun"]), (4, None)]
    assert len(faults(store)) == 1 and "set back" in faults(store)[0]


# -- have ----------------------------------------------------------------------------------------------------------


def test_have_says_what_is_there_without_a_gap(store: HallStore) -> None:
    for number in (1, 2, 5, 4):
        store.take("event", "1", act(number))
    assert store.have("1") == Have(4, KEY["begun"], 0, None, {}), "without the header from the beginning"
    store.take("header", "1", HEADER)
    assert store.have("1") == Have(4, KEY["begun"], 2, None, {})
    assert [event["number"] for event in store.events("1", 4, KEY["begun"])] == [1, 2]
    store.take("event", "1", act(3))
    assert store.have("1") == Have(4, KEY["begun"], 5, None, {})


def test_have_follows_the_table_to_the_game_it_speaks_of(store: HallStore) -> None:
    store.take("header", "1", HEADER)
    store.take("event", "1", act(1))
    store.take("header", "1", {**HEADER, "game": 5})
    have = store.have("1")
    assert have and (have.game, have.number) == (5, 0)
    store.take("result", "1", ended(1), retained=True)  # the broker still has it of the game before
    have = store.have("1")
    assert have and (have.game, have.number) == (5, 0)
    store.take("header", "1", HEADER)  # a paused game is taken up again
    have = store.have("1")
    assert have and (have.game, have.number) == (4, 1)


def test_have_names_the_result_and_who_approves_it(store: HallStore) -> None:
    for kind, payload in (("header", HEADER), ("event", act(1)), ("result", ended(1))):
        store.take(kind, "1", payload)
    for seat in SEATS:
        store.take("approval", "1", approval(seat))
    store.take("approval", "1", approval("blue", approves=False))
    have = store.have("1")
    assert have == Have(4, KEY["begun"], 1, CRC, {"blue": False, "green": True, "red": True})
    store.take("approval", "1", approval("blue"))
    store.take("result", "1", ended(2, None))  # taken back: what was approved is no more
    have = store.have("1")
    assert have == Have(4, KEY["begun"], 1, None, {})
    assert not store.take("result", "1", ended(1)).new, "old news"
    store.take("result", "1", ended(3, result({"red": 1, "blue": 2, "green": 3})))
    have = store.have("1")
    assert have and have.approvals == {}


def test_a_round_may_be_said_late_and_then_stands(store: HallStore) -> None:
    for said, kept in ((None, None), (2, 2), (3, 2), (None, 2)):
        assert store.take("header", "1", {**HEADER, "round": said}).fault is None
        assert store.games()[0].round == kept


def test_approvals_that_are_sent_again_do_not_turn_back_what_came_later(store: HallStore) -> None:
    sent = [approval("red", at="1"), approval("red", approves=False, at="2")]
    store.take("result", "1", ended(1))
    for payload in sent * 2:
        store.take("approval", "1", payload)
    assert store.games()[0].approvals == {"red": False}


def test_of_what_a_seat_says_within_one_moment_the_last_to_come_stands(store: HallStore) -> None:
    store.take("result", "1", ended(1))
    for approves in (True, False, True):
        assert store.take("approval", "1", approval("red", approves, at="1")).new
    assert store.games()[0].approvals == {"red": True}


# -- any order, any repetition ---------------------------------------------------------------------------------------

SENT = [("header", HEADER), *(("event", act(number)) for number in range(1, 6)), ("result", ended(5))]
SENT += [("approval", approval(seat)) for seat in SEATS]


@given(st.lists(st.sampled_from(SENT), max_size=40))
@settings(max_examples=15, deadline=None)
def test_store_is_independent_of_order_and_repetition(order: list[tuple[str, Mapping[str, Any]]]) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder, closing(HallStore(Path(folder) / "hall.sqlite3")) as store:
        for kind, payload in [*order, *SENT]:
            store.take(kind, "1", payload)
        assert store.have("1") == Have(4, KEY["begun"], 5, CRC, dict.fromkeys(sorted(SEATS), True))
        assert [event["number"] for event in store.events("1", 4, KEY["begun"])] == [1, 2, 3, 4, 5]
        assert store.faults() == []


# -- tables and clocks -----------------------------------------------------------------------------------------------


def test_a_clock_that_is_off_is_noticed_but_not_by_old_news(store: HallStore) -> None:
    def health(hours: int) -> Mapping[str, Any]:
        return {"ill": [], "clock": (NOON - timedelta(hours=hours)).isoformat()}

    store.take("health", "1", health(3), retained=True)
    assert store.tables()[0].off is None
    store.take("health", "1", health(1))
    assert store.tables()[0].off == -3600
    store.take("health", "1", {"ill": [], "clock": "half past nine"})
    store.take("health", "1", {"ill": [], "clock": "2026-11-21T12:00:00"})
    assert store.tables()[0].off == -3600


def test_a_strangers_flood_of_faults_is_kept_short(store: HallStore) -> None:
    for number in range(FAULTS + 50):
        store.fault("", Message("Somebody said {what}.", what=str(number)))
        store.fault("1", Message("Always the same."))
    kept = store.faults()
    assert len(kept) == FAULTS
    assert [fault.times for fault in kept if fault.table == "1"] == [FAULTS + 50]


# -- the disk ------------------------------------------------------------------------------------------------------


def test_a_second_hall_is_refused_and_the_file_is_its_owners_alone(store: HallStore, path: Path) -> None:
    with pytest.raises(HallInUse, match="in use by another hall"):
        HallStore(path)
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}


def test_a_file_of_another_kind_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version=99")
    with pytest.raises(ValueError, match="not written by this version"):
        HallStore(path)
    HallStore(path.with_name("other.sqlite3")).close()


def test_nothing_is_seen_elsewhere_before_commit_and_have_commits(store: HallStore, path: Path) -> None:
    store.take("header", "1", HEADER)
    store.commit()
    with closing(sqlite3.connect(path)) as other:
        store.take("event", "1", act(1))
        assert other.execute("SELECT count(*) FROM events").fetchone() == (0,)
        have = store.have("1")
        assert have and have.number == 1
        assert other.execute("SELECT count(*) FROM events").fetchone() == (1,)


KILLED = """
import json, sys
from pathlib import Path
from companion.hall.store import HallStore
def act(number):
    return json.loads(sys.argv[3]) | {"number": number}
store = HallStore(Path(sys.argv[1]))
store.take("header", "1", json.loads(sys.argv[2]))
number = (store.have("1").number if store.have("1") else 0) + 1
while True:
    store.take("event", "1", act(number))
    store.take("event", "1", act(number + 1))
    store.commit()
    store.say({"act": "join", "names": [str(number)]})
    print(number + 1, flush=True)
    number += 2
"""


def test_committed_messages_survive_a_kill(path: Path) -> None:
    for kills in range(1, 4):
        sent = map(json.dumps, (HEADER, act(1)))
        hall = subprocess.Popen([sys.executable, "-c", KILLED, path, *sent], stdout=subprocess.PIPE, text=True)
        assert hall.stdout
        said = [int(hall.stdout.readline()) for _ in range(20)][-1]
        os.kill(hall.pid, signal.SIGKILL)
        hall.wait()
        hall.stdout.close()
        with closing(HallStore(path)) as store:
            have = store.have("1")
            assert have and have.number >= said
            events = store.events("1", 4, KEY["begun"])
            assert [event["number"] for event in events] == list(range(1, have.number + 1))
            whole = have.number // 2
            assert whole - kills <= len(store.said()) <= whole, "a kill comes between the acts and what is said of them"


# -- what a disk does, and who else is there -----------------------------------------------------------------------------


def test_a_row_that_cannot_be_read_costs_that_row_and_is_told(tmp_path: Path) -> None:
    with closing(Hall(tmp_path)) as hall:
        hall.order("join", names=["Anna", "Ben", "Chiara"])
        hall.order("round", games=["spartacus"], tables=["1"])
        hall.play("1", 1)
        hall.take("status", "1", {"here": True})
        hall.store.close()
        with closing(sqlite3.connect(tmp_path / STORE)) as db, db:
            db.execute("UPDATE games SET header = '{spoilt'")
            db.execute("UPDATE places SET status = '{spoilt'")
            db.execute("INSERT INTO said (act) VALUES ('{spoilt')")
        hall.again()
        said = "\n".join(hall.order("status"))
        assert "No longer readable: order 3." in said and "game 10 of table 1" in said
        assert "Anna" in said, "the evening goes on"
        hall.order("result", table="1", scores={"red": 1, "blue": 2, "green": 3}, reason="the disk")


def test_a_file_that_was_emptied_is_told(tmp_path: Path) -> None:
    (tmp_path / STORE).touch()
    with closing(Hall(tmp_path)) as hall:
        assert "was empty" in hall.order("status")[0]


def test_a_hall_waits_for_a_command_and_says_so_where_another_hall_runs(tmp_path: Path) -> None:
    command = HallStore(tmp_path / STORE)
    Timer(0.3, command.close).start()
    with closing(HallStore(tmp_path / STORE)), pytest.raises(HallInUse):
        HallStore(tmp_path / STORE, patience_s=0.1)


def test_a_disk_and_a_broker_that_fail_are_told_in_the_status(tmp_path: Path) -> None:
    with closing(HallStore(tmp_path / STORE)) as store:
        hall = HallService("friday", Broker("127.0.0.1", free_port()), store)
        hall.disk = "database or disk is full"
        said = Organiser(store, ill=hall.ill).answer({"do": "status"})["said"]
        assert said[0].startswith("The broker: ") and "disk is full" in said[1]


def test_a_hall_says_its_own_words_again_where_a_second_one_contradicts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "WHOLE_S", 3600.0)  # not because it says everything again now and then
    monkeypatch.setattr(service, "AGAIN_S", 0.2)
    with broker(tmp_path / "broker") as running, closing(HallStore(tmp_path / STORE)) as store:
        hall = HallService("friday", running.as_("hall"), store)
        hall.open()
        assert hall.call(lambda of: Organiser(of).answer({"do": "evening", "name": "The first"}))["ok"]
        heard: list[bytes] = []
        topic = hall.topics.said("evening")
        with closing(
            BrokerLink(running.as_("hall"), subscribed=[topic], came=lambda post: heard.append(post.payload))
        ) as other:
            other.open()
            until(lambda: bool(heard) and b"The first" in heard[-1])
            other.publish(topic, heard[-1].replace(b"The first", b"The second"), retain=True)
            until(lambda: b"The second" in b"".join(heard) and b"The first" in heard[-1])
            assert hall.call(lambda of: Organiser(of).answer({"do": "evening", "name": "A later one"}))["ok"]
            until(lambda: b"A later one" in heard[-1])
            first = next(payload for payload in heard if b"The first" in payload)
            other.publish(
                topic, first, retain=True
            )  # as another hall, begun alike, would say it: an old word of its own
            until(lambda: heard[-1] == first)
            until(lambda: b"A later one" in heard[-1])
        assert any("second hall" in str(fault.what) for fault in hall.call(lambda of: of.faults()))
        hall.close()


# -- another schema ----------------------------------------------------------------------------------------------

STRANGE = {
    "a trigger that deletes": "CREATE TRIGGER eats AFTER INSERT ON events BEGIN DELETE FROM events; END",
    "a trigger that silences": "CREATE TRIGGER no BEFORE INSERT ON said BEGIN SELECT RAISE(IGNORE); END",
    "a view": "CREATE VIEW odd AS SELECT hex(zeroblob(400000000))",
    "an index": "CREATE UNIQUE INDEX odd ON said (act)",
    "words to be searched": "CREATE VIRTUAL TABLE odd USING fts5 (of)",
    "statistics": "ANALYZE",
}


@pytest.mark.parametrize("harm", STRANGE.values(), ids=STRANGE)
def test_a_store_with_another_schema_is_not_used_and_brings_its_rows_from_a_stick(tmp_path: Path, harm: str) -> None:
    plan = Plan(tmp_path / "hall", "friday", ("1",), "localhost")
    setup.set_up(plan)
    data = tmp_path / "data"
    with closing(HallStore(data / STORE)) as store:
        store.say({"act": "join", "names": ["Anna"]})
        store.take("header", "1", HEADER)
        store.take("event", "1", act(1))
    with closing(sqlite3.connect(data / STORE)) as db:
        db.executescript(harm)
    with pytest.raises(ValueError, match="not written by this version of the hall"):
        HallStore(data / STORE)
    hall_backup.taken_up(hall_backup.saved(plan, data, tmp_path), tmp_path / "two", tmp_path / "there")
    with closing(HallStore(tmp_path / "there" / STORE)) as store:
        assert [said["names"] for said in store.said()] == [["Anna"]]
        store.say({"act": "join", "names": ["Ben"]})
        assert store.take("event", "1", act(2)).new
        store.commit()
        assert [said["names"] for said in store.said()] == [["Anna"], ["Ben"]]
        assert [event["number"] for event in store.events("1", KEY["game"], KEY["begun"])] == [1, 2]
    assert not list((tmp_path / "there").glob(".*")), "what was made on the way does not stay"
