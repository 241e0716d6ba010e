"""A table, a hall and a real Mosquitto."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.hall.link import Link
from companion.hall.service import Service
from companion.hall.store import HallStore
from companion.hall.wire import Topics, write
from tests.hall_broker import Running, broker
from tests.hall_tables import Table, acts_kept, has_all, until


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with broker(tmp_path / "broker") as found:
        yield found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    with closing(HallStore(tmp_path / "hall.sqlite3")) as found:
        yield found


@pytest.fixture
def hall(running: Running, store: HallStore) -> Iterator[Service]:
    service = Service("friday", running.as_("hall"), store)
    service.open()
    yield service
    service.close()


def test_what_is_played_is_at_the_hall_act_by_act(running: Running, hall: Service, tmp_path: Path) -> None:
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.outbox.open()
        table.begin("spartacus")
        table.play(20)
        table.settle()
        until(lambda: hall.call(lambda store: has_all(store, table)))
        while table.play(10):
            pass
        table.settle()
        table.approve()
        until(lambda: hall.call(lambda store: has_all(store, table)))
        until(lambda: len(hall.call(lambda store: store.games("1"))[0].approvals) == 3)
        (row,) = hall.call(lambda store: store.games("1"))
        assert row.number == len(table.journal()) == acts_kept(hall.store, "1")[row.game][-1]
        assert row.result == table.match.view["result"]
        assert all(row.approvals.values())
        assert hall.call(lambda store: store.faults()) == []


def test_what_was_played_while_nobody_listened_comes_later_and_in_order(
    running: Running, store: HallStore, tmp_path: Path
) -> None:
    """Games without a hall, and a table that was closed and opened again meanwhile."""
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.begin("caesar")
        table.play(100)
        table.settle()
        table.begin("spartacus")
        table.play(30)
        table.settle()
    with closing(Table(tmp_path, "1", running.as_("1"), since=1)) as table:
        table.outbox.open()
        service = Service("friday", running.as_("hall"), store)
        service.open()
        until(lambda: service.call(lambda store: has_all(store, table)))
        service.close()
        assert [row.game for row in store.games("1")] == [1, 2]
        for game, acts in acts_kept(store, "1").items():
            assert acts == list(range(1, len(table.journal(game)) + 1))


def test_a_game_that_is_taken_up_again_goes_on_at_the_hall_too(running: Running, hall: Service, tmp_path: Path) -> None:
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.outbox.open()
        for game in ("caesar", "spartacus"):
            table.begin(game)
            table.play(10)
        table.settle()
        until(lambda: hall.call(lambda store: has_all(store, table)))
        table.evening.resume(1)
        table.play(10)
        table.settle()
        until(lambda: hall.call(lambda store: has_all(store, table)))


def test_a_result_that_is_taken_back_is_taken_back_at_the_hall(running: Running, hall: Service, tmp_path: Path) -> None:
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.outbox.open()
        table.begin("spartacus")
        while table.play(10):
            pass
        table.settle()
        table.approve()
        until(lambda: hall.call(lambda store: has_all(store, table)))
        until(lambda: len(hall.call(lambda store: store.games("1"))[0].approvals) == 3)
        table.match.act({"event": "undo"})
        table.settle()
        until(lambda: hall.call(lambda store: store.games("1"))[0].result is None)
        while table.play():
            pass
        table.settle()
        until(lambda: hall.call(lambda store: has_all(store, table)))
        table.approve("red", approves=False)
        until(lambda: hall.call(lambda store: store.games("1"))[0].approvals.get("red") is False)


def test_two_tables_with_one_name_lose_nothing_and_the_organiser_hears_of_it(
    running: Running, hall: Service, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    one = Table(tmp_path, "1", running.as_("1"), again_s=0.5)
    other = Table(tmp_path / "other", "1", running.as_("1"), seed=1, again_s=0.5)
    with closing(one), closing(other):
        for table in (one, other):
            table.outbox.open()
        one.begin("spartacus")
        until(lambda: bool(hall.call(lambda store: store.games("1"))))
        while hall.call(lambda store: store.games("1"))[0].begun == now():
            pass  # a game that begins in the same second would be taken for the same one
        other.begin("caesar")
        for table in (one, other):
            table.play(15)
            table.settle()
        until(lambda: sorted(len(acts) for acts in kept(hall)) == sorted([len(one.journal()), len(other.journal())]))
        assert any("two tables" in fault.what for fault in hall.call(lambda store: store.faults()))


def kept(hall: Service) -> list[list[int]]:
    """The acts of each game of table 1."""
    return hall.call(lambda store: [
        [event["number"] for event in store.events("1", row.game, row.begun)] for row in store.games("1")
    ])  # fmt: skip


def now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


# -- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "payload", "said"),
    [
        ("tabularium/1/friday/table/1/event/3", b"{}", "cannot be read"),
        ("tabularium/1/friday/table/1/event/3", b"\xff", "cannot be read"),
        ("tabularium/1/friday/table/1/status", b'{"here": true, "version": "0.0.1"}', "Runs version 0.0.1"),
        ("tabularium/1/friday/table/1/nonsense", b"{}", "no table does"),
        ("tabularium/1/friday/table/<script>/view", b"{}", "no table does"),
        ("tabularium/2/friday/table/1/status", b"{}", "version 2 of the wire"),
    ],
)
def test_what_fits_nowhere_is_told_to_the_organiser(
    running: Running, hall: Service, topic: str, payload: bytes, said: str
) -> None:
    until(lambda: hall.link.connected)
    user = "1" if "/2/" in topic else "hall"  # who may write there at all
    stranger = Link(running.as_(user), subscribed=[], came=print)
    stranger.open()
    until(lambda: stranger.connected)
    stranger.publish(topic, payload)
    until(lambda: any(said in fault.what for fault in hall.call(lambda store: store.faults())))
    stranger.close()


def test_a_clock_that_is_an_hour_off_is_noticed(running: Running, hall: Service) -> None:
    until(lambda: hall.link.connected)
    table = Link(running.as_("1"), subscribed=[], came=print)
    table.open()
    until(lambda: table.connected)
    clock = (datetime.now().astimezone() + timedelta(hours=1)).isoformat()
    table.publish("tabularium/1/friday/table/1/health", write("health", {"ill": [], "clock": clock}))
    until(lambda: any(abs((row.off or 0) - 3600) < 60 for row in hall.call(lambda store: store.tables())))
    table.close()


# -- who may do what ----------------------------------------------------------------------------------------------


def test_a_table_writes_its_own_topics_only_and_the_public_none(running: Running) -> None:
    """Mosquitto acknowledges what it drops: only what comes out at the other end counts."""
    came: list[tuple[str, bytes]] = []
    ear = Link(
        running.as_("hall"), subscribed=["tabularium/#"], came=lambda post: came.append((post.topic, post.payload))
    )
    links = {user: Link(running.as_(user), subscribed=[], came=print) for user in ("1", "2", "hall", None)}
    for link in (ear, *links.values()):
        link.open()
    until(lambda: ear.connected and all(link.connected for link in links.values()))
    topics = Topics("friday")
    where = [topics.table("1", "status"), topics.table("2", "status"), topics.have("1"), topics.said("evening"),
             "tabularium/1/other/table/1/status"]  # fmt: skip
    for user, link in links.items():
        for topic in where:
            link.publish(topic, str(user).encode())
    until(lambda: all(link.unacknowledged == 0 for link in links.values()))
    links["hall"].publish(topics.said("end"), b"end")
    until(lambda: (topics.said("end"), b"end") in came)
    assert sorted(came) == sorted([
        (topics.table("1", "status"), b"1"), (topics.table("2", "status"), b"2"), (topics.said("end"), b"end"),
        *((topic, b"hall") for topic in where[:4]),
    ])  # fmt: skip
    for link in (ear, *links.values()):
        link.close()


def test_the_public_reads_everything_of_this_hall_and_a_wrong_password_nothing(running: Running) -> None:
    came: list[str] = []
    public = Link(running.as_(None), subscribed=["#"], came=lambda post: came.append(post.topic))
    wrong = Link(replace(running.as_("1"), password="guessed"), subscribed=["#"], came=print)
    hall = Link(running.as_("hall"), subscribed=[], came=print)
    for link in (public, wrong, hall):
        link.open()
    until(lambda: public.connected and hall.connected and "uthor" in wrong.fault)
    hall.publish("tabularium/1/friday/hall/evening", b"1", retain=True)
    hall.publish("tabularium/1/friday/table/1/status", b"1")
    until(lambda: len(came) == 2)
    assert not wrong.connected
    for link in (public, wrong, hall):
        link.close()
