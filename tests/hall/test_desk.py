"""The organiser's page by the wire: orders and answers that nobody else can give, read or overhear."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.hall import setup
from companion.hall.checking import check
from companion.hall.link import BrokerLink, Post
from companion.hall.reach import NEW
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.rules.message import Message
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import until


class Page:
    """What the organiser's page does, without a browser: requests with answers, and how the evening stands."""

    def __init__(self, running: Running, name: str) -> None:
        self.plan, self.name = running.plan, name
        self.answers: list[tuple[bytes, dict[str, Any]]] = []
        self.state: dict[str, Any] = {}
        self.top = f"tabularium-desk/2/{self.plan.hall}"
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5, transport="websockets")
        self.client.ws_set_options(path="/mqtt")
        self.client.username_pw_set("organiser", setup.passwords(self.plan.folder)["organiser"])
        self.client.on_message = self._came
        self.client.connect("127.0.0.1", setup.broker(self.plan, setup.ORGANISER).port)
        self.client.loop_start()
        until(self.client.is_connected)
        for topic in (f"answer/{name}", "state"):
            self.client.subscribe(f"{self.top}/{topic}", 1)

    def _came(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        data = json.loads(message.payload)
        if message.topic.endswith("/state"):
            self.state = data
        else:
            self.answers.append((getattr(message.properties, "CorrelationData", b""), data))

    def send(self, payload: bytes, to: str | None = None, mark: bytes = b"1", retain: bool = False) -> None:
        """An order as it goes out; `to` is where its answer is asked for."""
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.ResponseTopic = to or f"{self.top}/answer/{self.name}"
        properties.CorrelationData = mark
        sent = self.client.publish(f"{self.top}/order", payload, 1, retain, properties)
        sent.wait_for_publish(10)

    def order(self, do: str, mark: bytes = b"1", **order: Any) -> dict[str, Any]:
        """What is answered to an order."""
        self.send(json.dumps({"do": do, "who": self.name, **order}).encode(), mark=mark)
        until(lambda: any(of == mark for of, _ in self.answers))
        answer = next(data for of, data in self.answers if of == mark)
        self.answers.clear()
        return answer

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@dataclass
class Ordered:
    """A hall that runs, and its broker."""

    running: Running
    service: HallService


@pytest.fixture
def ordered(tmp_path: Path) -> Iterator[Ordered]:
    with (
        broker(tmp_path) as running,
        closing(HallStore(tmp_path / "hall.db")) as store,
        closing(HallService("friday", running.as_("hall"), store)) as service,
    ):
        service.open()
        until(lambda: service.link.connected, why=lambda: (service.link.fault, running.said))
        yield Ordered(running, service)


def test_orders_are_answered_and_two_organisers_see_what_the_other_has_ordered(ordered: Ordered) -> None:
    with closing(Page(ordered.running, "rita")) as rita, closing(Page(ordered.running, "tom")) as tom:
        answer = rita.order("join", mark=b"7", names=["Anna", "Ben", "Cem", "Dana"])
        assert answer["ok"] and answer["order"] == 1
        until(lambda: bool(tom.state.get("orders")))
        assert [(of["who"], of["text"]) for of in tom.state["orders"]] == [("rita", "joined: Anna, Ben, Cem and Dana")]
        assert tom.state["undo"] == 1 and [of["name"] for of in tom.state["players"]] == ["Anna", "Ben", "Cem", "Dana"]
        assert tom.order("undo", of=1, lang="de")["said"][0].startswith("Rückgängig gemacht")
        until(lambda: rita.state["players"] == [])
        assert not rita.order("undo", of=1)["ok"], "somebody else has taken it back already"
        until(lambda: rita.state["redo"] == 1)
        assert not tom.answers, "an answer is for whoever asked"


def test_an_order_that_is_given_twice_is_carried_out_once(ordered: Ordered) -> None:
    with closing(Page(ordered.running, "rita")) as page:
        page.order("join", names=["Anna"])
        first = page.order("penalty", player="Anna", points=2, reason="late", id="a1")
        again = page.order("penalty", player="Anna", points=2, reason="late", id="a1")
        assert first["order"] == again["order"] == 2 and again["ok"]
        assert again["said"] == ["This order has already been carried out."]


def test_acts_are_taken_while_a_long_plan_is_worked_out(ordered: Ordered) -> None:
    """Twenty rounds of twenty-five tables take a second and more."""
    service, names = ordered.service, [f"P{number}" for number in range(100)]
    assert service.order({"do": "join", "names": names})["ok"]
    tables = [str(number) for number in range(1, 26)]
    planned: Future[dict[str, Any]] = Future()

    def plan() -> None:
        planned.set_result(dict(service.order({"do": "plan", "rounds": 20, "games": ["spartacus"], "tables": tables})))

    thread = Thread(target=plan)
    thread.start()
    until(lambda: any(of.name == "planning" for of in threading.enumerate()))
    assert service.call(lambda store: len(store.said())) == 1 and not planned.done()
    assert service.order({"do": "join", "names": ["Late"]})["ok"] and not planned.done()
    thread.join()
    assert planned.result()["ok"], planned.result()
    (seated,) = service.call(lambda store: [act for act in store.said() if act["act"] == "plan"])
    assert seated["number"] == 3 and len(seated["rounds"]) == 20
    first = seated["rounds"][0]
    everybody = {player for of in first["tables"] for player in dict(of["seats"]).values()} | {*first["byes"]}
    assert len(everybody) == 101, "who came meanwhile is seated too"


def test_the_page_is_told_no_commands_of_a_terminal(ordered: Ordered) -> None:
    with closing(Page(ordered.running, "rita")) as page:
        page.order("join", names=["Anna", "Ben", "Cem", "Dana"])
        page.order("round", games=["mercator"], tables=["1"])
        ordered.service.call(lambda store: store.fault("", Message("Somebody is wrong.")))
        trying: dict[str, Any] = {"try": True}
        said = [
            *page.order("status")["said"],
            *page.order("plan", rounds=2, games=["caesar"], tables=["1"])["said"],
            *page.order("undo", of=2, **trying)["said"],
            *page.order("spare", table="1", to="3", reason="no power")["said"],
            *page.order("clock", set="pause")["said"],
        ]
        assert "There is no clock." in said and any("Somebody is wrong." in line for line in said)
        assert not [line for line in said if "tabularium" in line]
        assert any("tabularium hall aside" in line for line in ordered.service.order({"do": "status"})["said"])


def test_what_is_no_order_or_asks_for_its_answer_elsewhere_does_nothing(ordered: Ordered, tmp_path: Path) -> None:
    """An answer is never sent where others read; what the broker has kept is no order, nor is what writes files."""
    overheard: list[Post] = []
    ear = BrokerLink(ordered.running.as_("hall"), subscribed=["#"], came=overheard.append)
    with closing(ear), closing(Page(ordered.running, "rita")) as page:
        ear.open()
        until(lambda: ear.connected)
        names = json.dumps({"do": "join", "names": ["Anna"]}).encode()
        for to in ("tabularium/2/friday/hall/evening", f"{page.top}/answer/a/b", f"{page.top}/answer/", f"{page.top}/x",
                   "tabularium-desk/2/saturday/answer/rita", f"{page.top}/answer/+"):  # fmt: skip
            if "+" not in to:  # which no client may even ask for
                page.send(names, to=to)
        page.send(names, retain=True)
        until(lambda: bool(page.answers))
        for junk in (b"", b"null", b"[" * 5000, b"\xff", b'{"do": "join"}', b'{"do": "export", "file": "/x"}'):
            page.answers.clear()
            page.send(junk, mark=b"j")
            until(lambda: bool(page.answers))
            assert not page.answers[0][1]["ok"]
        file = tmp_path / "evening.zip"
        assert not page.order("export", file=str(file))["ok"] and not file.exists()
        assert page.order("status")["ok"]
        until(lambda: len(page.state["orders"]) == 1)
        assert page.state["players"][0]["name"] == "Anna", "the one that was retained came to the hall as it was sent"
        topics = {post.topic for post in overheard if post.topic.startswith("tabularium-desk/")}
    assert topics <= {f"{page.top}/{last}" for last in ("order", "state", "answer/rita")}


def test_an_order_that_the_broker_has_kept_is_none(ordered: Ordered, tmp_path: Path) -> None:
    with closing(Page(ordered.running, "rita")) as page:
        ordered.service.close()
        page.send(json.dumps({"do": "join", "names": ["Anna"]}).encode(), retain=True)
        at = ordered.running.as_("hall")
        with closing(HallStore(tmp_path / "other.db")) as store, closing(HallService("friday", at, store)) as service:
            service.open()
            until(lambda: service.link.connected, why=lambda: service.link.fault)
            assert page.order("status")["said"][0] == "Players here: 0."


def test_the_public_reads_none_of_it_and_nobody_gets_in_by_another_door(ordered: Ordered) -> None:
    """Also not with the organiser's own key at the door of the tables or of the board."""
    running, plan = ordered.running, ordered.running.plan
    key = setup.passwords(plan.folder)["organiser"]
    heard: list[str] = []
    web = replace(setup.broker(plan, setup.ORGANISER), port=running.as_(None).port)
    table = running.as_("1")
    doors = [running.as_(None), table, web, replace(table, user=None, password=None),
             replace(table, user="organiser", password=key)]  # fmt: skip
    links = [BrokerLink(door, subscribed=["#"], came=lambda post: heard.append(post.topic)) for door in doors]
    with closing(Page(running, "rita")) as page:
        for link in links:
            link.open()
        entered, refused = links[:3], links[3:]
        until(lambda: all(link.connected for link in entered))
        until(lambda: not any(link.fault in ("", NEW) for link in refused))
        assert page.order("join", names=["Anna"])["ok"]
        for link in entered:
            link.publish(f"{page.top}/order", json.dumps({"do": "end"}).encode())
        until(lambda: not any(link.unacknowledged for link in entered))
        assert page.order("status")["ok"] and page.order("log")["said"] and page.state["evening"]["over"] is False
        until(lambda: any(topic.endswith("/hall/evening") for topic in heard))
        for link in links:
            link.close()
    assert not [topic for topic in heard if topic.startswith("tabularium-desk/")]


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("acl", "pattern read tabularium-desk/2/friday/#"),
        ("acl-board", "user organiser\ntopic read tabularium-desk/2/friday/#"),
        ("acl-desk", "user hall\ntopic write #"),
        ("mosquitto.conf", "allow_anonymous true"),
    ],
)
def test_a_broker_that_lets_others_read_or_order_is_found(tmp_path: Path, file: str, line: str) -> None:
    with broker(tmp_path) as running:
        running.kill()
        path = running.plan.folder / file
        path.write_text(f"{path.read_text()}\n{line}\n")
        running.start()
        found = {finding.part: finding.verdict for finding in check(running.plan, wait_s=2)}
    assert found["organiser"] == ("pass" if file == "acl-desk" else "fail")
