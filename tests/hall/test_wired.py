"""A table, a hall and a real Mosquitto."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion import __version__
from companion.deck import KnownTag
from companion.hall import outbox as sending
from companion.hall import service as serving
from companion.hall._wire import Topics, read, write
from companion.hall.link import BrokerLink
from companion.hall.organiser import Organiser
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.rules import Choose
from companion.rules.cards import DECK
from companion.rules.message import code
from companion.session.receipt import chosen as lying
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import Table, acts_kept, has_all, until


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with broker(tmp_path / "broker") as found:
        yield found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    with closing(HallStore(tmp_path / "hall.sqlite3")) as found:
        yield found


@pytest.fixture
def hall(running: Running, store: HallStore) -> Iterator[HallService]:
    service = HallService("friday", running.as_("hall"), store)
    service.open()
    yield service
    service.close()


def test_hall_receives_every_act(running: Running, hall: HallService, tmp_path: Path) -> None:
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


def test_acts_played_offline_arrive_later_in_order(running: Running, store: HallStore, tmp_path: Path) -> None:
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
        service = HallService("friday", running.as_("hall"), store)
        service.open()
        until(lambda: service.call(lambda store: has_all(store, table)))
        service.close()
        assert [row.game for row in store.games("1")] == [1, 2]
        for game, acts in acts_kept(store, "1").items():
            assert acts == list(range(1, len(table.journal(game)) + 1))


def test_a_game_that_is_taken_up_again_goes_on_at_the_hall_too(
    running: Running, hall: HallService, tmp_path: Path
) -> None:
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


def test_a_result_that_is_taken_back_is_taken_back_at_the_hall(
    running: Running, hall: HallService, tmp_path: Path
) -> None:
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.outbox.open()
        table.play_out("spartacus")
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


def test_who_says_nothing_but_that_it_is_not_right_is_heard(
    running: Running, hall: HallService, tmp_path: Path
) -> None:
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.outbox.open()
        table.play_out("spartacus")
        table.approve("red", approves=False)
        until(lambda: hall.call(lambda store: [dict(row.approvals) for row in store.games("1")]) == [{"red": False}])
        until(lambda: table.outbox.idle)


def test_a_hall_that_has_lost_its_store_gets_everything_again_and_the_board_its_game(
    running: Running, tmp_path: Path
) -> None:
    board: list[Any] = []
    public = BrokerLink(running.as_(None), subscribed=["tabularium/2/friday/table/1/header"], came=board.append)
    public.open()
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.outbox.open()
        for name in ("first", "second"):
            with closing(HallStore(tmp_path / f"{name}.sqlite3")) as store:
                service = HallService("friday", running.as_("hall"), store)
                service.open()
                if name == "first":
                    for game in ("caesar", "hannibal", "spartacus"):
                        table.begin(game)
                        table.play(20)
                        table.settle()
                until(lambda: service.call(lambda of: has_all(of, table)))  # noqa: B023 - at once
                until(lambda: table.outbox.idle and json.loads(board[-1].payload)["game"] == 3)
                service.close()
    public.close()


def test_a_seated_table_says_for_which_round_it_plays_and_names_only_as_the_hall_wants(
    running: Running, store: HallStore, tmp_path: Path
) -> None:
    organiser = Organiser(store)
    organiser.answer({"do": "evening", "names": "first"})
    organiser.answer({"do": "join", "names": ["Ada L", "Ben M", "Cyd N"]})
    answer = organiser.answer({"do": "round", "games": ["spartacus"], "tables": ["1"]})
    assert answer["ok"], answer
    service = HallService("friday", running.as_("hall"), store)
    service.open()
    heard: list[Any] = []
    public = BrokerLink(running.as_(None), subscribed=["tabularium/#"], came=heard.append)
    public.open()
    until(lambda: any(post.topic.endswith("/seating") for post in heard))
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.outbox.open()
        table.begin("spartacus")
        table.settle()
        until(lambda: bool(service.call(lambda of: of.games("1"))))
        (row,) = service.call(lambda of: of.games("1"))
        assert row.round == 1 and row.header and "players" not in row.header["header"]
        assert table.outbox.seating and table.outbox.seating["rounds"][0]["round"] == 1
        service.call(lambda of: Organiser(of).answer({"do": "evening", "names": "full"}))
        until(lambda: any(b"P red 1" in post.payload for post in heard if post.topic.endswith("/header")))
    service.close()
    public.close()


def test_a_table_hears_what_became_of_its_result(running: Running, store: HallStore, tmp_path: Path) -> None:
    organiser = Organiser(store)
    organiser.answer({"do": "join", "names": ["Ada", "Ben", "Cyd"]})
    organiser.answer({"do": "round", "games": ["spartacus"], "tables": ["1"]})

    def say(**order: Any) -> None:
        answer = service.call(lambda of: Organiser(of).answer(order))
        assert answer["ok"], answer

    service = HallService("friday", running.as_("hall"), store)
    with closing(service), closing(Table(tmp_path, "1", running.as_("1"))) as table:
        service.open()
        outbox = table.outbox

        def told() -> tuple[Any, Any, Any]:
            verdict = outbox.verdict or {}
            return verdict.get("game"), verdict.get("settled"), verdict.get("reason")

        outbox.open()
        until(lambda: bool(outbox.seating and outbox.seating["rounds"]))
        table.play_out("spartacus")
        until(lambda: told() == (1, None, None))
        table.approve("red", approves=False)
        until(lambda: bool((outbox.verdict or {}).get("result")))
        assert told() == (1, None, None)
        say(do="result", table="1", reason="seen by the referee")
        until(lambda: told() == (1, "organiser", "seen by the referee"))
        say(do="amend", table="1", void=True, reason="a card was missing")
        until(lambda: told() == (1, "nobody", "a card was missing"))
        say(do="round")
        until(lambda: bool(outbox.seating and outbox.seating["rounds"][-1]["round"] == 2))
        table.begin("spartacus")
        table.settle()
        until(lambda: told() == (2, None, None))
        while table.play(10):
            pass
        table.settle()
        table.approve()
        until(lambda: told() == (2, "all", None))
        table.match.act({"event": "undo"})
        table.settle()
        until(lambda: told() == (2, None, None))


@pytest.mark.parametrize("game", ["caesar", "hannibal", "prokonsul"])
def test_no_card_is_on_the_wire_before_it_is_turned_up(
    running: Running, hall: HallService, tmp_path: Path, game: str
) -> None:
    """Everything the public can hear, up to a card that lies face down: nothing else than with another card."""
    heard: list[Any] = []
    public = BrokerLink(running.as_(None), subscribed=["tabularium/#"], came=heard.append)
    public.open()
    until(lambda: public.connected)
    with closing(Table(tmp_path, "1", running.as_("1"))) as table:
        table.evening.deck.enrol({"04A1B2": KnownTag(DECK["red 7"], "blue box")})
        table.outbox.open()
        table.begin(game)
        while not lying(table.match.session.last):
            assert table.play(), "nobody has chosen"
        table.settle()
        until(lambda: hall.call(lambda store: has_all(store, table)))
        cards = {str(card) for card in lying(table.match.session.last).values()}
        chosen = {act.number for act in table.match.session.acts if isinstance(act.event, Choose)}
        said = [json.loads(post.payload) for post in heard]
        assert not any("04A1B2" in post.payload.decode() for post in heard)
        for data in (of for of in said if of.get("number") in chosen and "event" in of):
            assert not any(card in json.dumps(data) for card in cards)
        assert chosen
    public.close()


def test_two_tables_with_one_name_lose_nothing_and_the_organiser_hears_of_it(
    running: Running, hall: HallService, tmp_path: Path
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


def kept(hall: HallService) -> list[list[int]]:
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
        ("tabularium/2/friday/table/1/event/3", b"{}", "cannot be read"),
        ("tabularium/2/friday/table/1/event/3", b"\xff", "cannot be read"),
        ("tabularium/2/friday/table/1/nonsense", b"{}", "A program that is not a table writes to"),
        ("tabularium/2/friday/table/<script>/view", b"{}", "A program that is not a table writes to"),
        ("tabularium/1/friday/table/1/status", b"{}", "version 1 of the protocol"),
    ],
)
def test_what_fits_nowhere_is_told_to_the_organiser(
    running: Running, hall: HallService, topic: str, payload: bytes, said: str
) -> None:
    until(lambda: hall.link.connected)
    user = "1" if "/1/friday" in topic else "hall"  # who may write there at all
    stranger = BrokerLink(running.as_(user), subscribed=[], came=print)
    stranger.open()
    until(lambda: stranger.connected)
    stranger.publish(topic, payload)
    until(lambda: any(said in fault.what for fault in hall.call(lambda store: store.faults())))
    stranger.close()


def test_another_version_of_the_program_is_named_once_however_often_its_table_comes_back(
    running: Running, hall: HallService
) -> None:
    until(lambda: hall.link.connected)
    table = BrokerLink(running.as_("1"), subscribed=[], came=print)
    table.open()
    until(lambda: table.connected)
    for at in range(3):
        table.publish("tabularium/2/friday/table/1/status", b'{"here": true, "version": "0.0.%d"}' % at)
    until(lambda: any((row.status or {}).get("version") == "0.0.2" for row in hall.call(lambda store: store.tables())))
    said = hall.call(lambda store: Organiser(store).answer({"do": "status"}))["said"]
    assert [line for line in said if "version" in line] == [
        f"Table 1 runs version 0.0.2, the hall {__version__}."
    ]  # fmt: skip
    table.close()


def test_a_clock_that_is_an_hour_off_is_noticed(running: Running, hall: HallService) -> None:
    until(lambda: hall.link.connected)
    table = BrokerLink(running.as_("1"), subscribed=[], came=print)
    table.open()
    until(lambda: table.connected)
    clock = (datetime.now().astimezone() + timedelta(hours=1)).isoformat()
    table.publish("tabularium/2/friday/table/1/health", write("health", {"ill": [], "clock": clock}))
    until(lambda: any(abs((row.off or 0) - 3600) < 60 for row in hall.call(lambda store: store.tables())))
    table.close()


# -- who may do what ----------------------------------------------------------------------------------------------


def test_a_table_writes_its_own_topics_only_and_the_public_none(running: Running) -> None:
    """Mosquitto acknowledges what it drops: only what comes out at the other end counts."""
    came: list[tuple[str, bytes]] = []
    ear = BrokerLink(
        running.as_("hall"), subscribed=["tabularium/#"], came=lambda post: came.append((post.topic, post.payload))
    )
    links = {user: BrokerLink(running.as_(user), subscribed=[], came=print) for user in ("1", "2", "hall", None)}
    for link in (ear, *links.values()):
        link.open()
    until(lambda: ear.connected and all(link.connected for link in links.values()))
    topics = Topics("friday")
    where = [topics.table("1", "status"), topics.table("2", "status"), topics.have("1"), topics.said("evening"),
             "tabularium/2/other/table/1/status"]  # fmt: skip
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
    public = BrokerLink(running.as_(None), subscribed=["#"], came=lambda post: came.append(post.topic))
    wrong = BrokerLink(replace(running.as_("1"), password="guessed"), subscribed=["#"], came=print)
    hall = BrokerLink(running.as_("hall"), subscribed=[], came=print)
    for link in (public, wrong, hall):
        link.open()
    until(lambda: public.connected and hall.connected and code(wrong.fault) == "password")
    hall.publish("tabularium/2/friday/hall/evening", b"1", retain=True)
    hall.publish("tabularium/2/friday/table/1/status", b"1")
    until(lambda: len(came) == 2)
    assert not wrong.connected
    for link in (public, wrong, hall):
        link.close()


def test_a_table_says_that_acts_wait_only_where_the_hall_leaves_them(
    tmp_path: Path, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "LATE_S", 0.5)
    waiting: list[int] = []
    topic = "tabularium/2/friday/table/1/health"
    ear = BrokerLink(
        running.as_(None), subscribed=[topic], came=lambda post: waiting.append(read("health", post.payload)["behind"])
    )
    with closing(ear), closing(Table(tmp_path, "1", running.as_("1"))) as table:
        ear.open()
        table.outbox.open()
        table.begin("spartacus")
        table.show()
        table.play(4)
        table.settle()
        until(lambda: waiting[-1:] == [4], why=lambda: waiting)
        with closing(HallStore(tmp_path / "hall.db")) as store:
            service = HallService("friday", running.as_("hall"), store)
            service.open()
            until(lambda: waiting[-1:] == [0], why=lambda: waiting)
            table.play(4)
            table.settle()
            until(lambda: service.call(lambda of: has_all(of, table)))
            service.close()
        assert waiting[-1] == 0, "while the hall takes what comes, nothing is said"


def test_what_the_broker_has_lost_is_said_again_without_being_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retained topics may vanish at any moment, while every connection stays."""
    monkeypatch.setattr(serving, "WHOLE_S", 0.5)
    monkeypatch.setattr(sending, "HEALTH_S", 0.5)
    kept: dict[str, bytes] = {}
    with broker(tmp_path) as running, closing(HallStore(tmp_path / "hall.db")) as store:
        service = HallService("friday", running.as_("hall"), store)
        table = Table(tmp_path, "1", running.as_("1"))
        ear = BrokerLink(
            running.as_("hall"), subscribed=["#"], came=lambda post: kept.update({post.topic: post.payload})
        )
        with closing(service), closing(table), closing(ear):
            service.open()
            table.outbox.open()
            table.play_out("spartacus")
            until(lambda: service.call(lambda of: has_all(of, table)))
            ear.open()
            topics = Topics("friday")
            wanted = {topics.have("1"), *(topics.table("1", kind) for kind in ("status", "header", "view", "result")),
                      *(topics.said(kind) for kind in ("evening", "seating", "standings", "rounds", "clock")),
                      topics.state}  # fmt: skip
            until(lambda: all(kept.get(topic) for topic in wanted) and json.loads(kept[topics.have("1")])["result"])
            before, connections = {topic: kept[topic] for topic in wanted}, service.link.connections
            kept.clear()
            for topic in wanted:
                ear.publish(topic, b"", retain=True)
            until(lambda: all(kept.get(topic) for topic in wanted))
            wanted.remove(topics.state)  # which says now that somebody else says what only the hall does
            assert {topic: kept[topic] for topic in wanted} == {topic: before[topic] for topic in wanted}
            assert (service.link.connections, table.outbox.link.connections) == (connections, 1)
