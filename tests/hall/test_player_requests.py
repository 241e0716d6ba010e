"""What players ask from their phones: it reaches the organiser, changes nothing by itself, and a flood holds nobody up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.hall._evening import HallEvening
from companion.hall._wire import Topics
from companion.hall.link import Broker, BrokerLink, Post
from companion.hall.player_requests import EACH, OPEN, PlayerRequest, PlayerRequests
from tests.support.hall_tables import until
from tests.support.hall_two_ways import Evening, evening_at

TOPIC = "tabularium-asked/2/friday/request"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Evening]:
    with evening_at(tmp_path) as hall:
        hall.ask("join", names=["Anna", "Ben", "Cem", "Dora", "Eve"])
        until(lambda: hall.service.requests._link.connected)
        yield hall


@pytest.fixture
def public(hall: Evening) -> Iterator[Public]:
    with closing(Public(hall.running.as_(None), hall)) as found:
        yield found


class Public:
    """Somebody on the same Wi-Fi: what this browser asks, and what everybody hears of it."""

    def __init__(self, broker: Broker, hall: Evening) -> None:
        self.said: dict[str, Any] = {}
        self.read: list[str] = []
        self.hall = hall
        self.link = BrokerLink(
            broker, subscribed=["tabularium/2/friday/hall/requests", "tabularium-asked/#"], came=self._came
        )
        self.link.open()
        until(lambda: self.link.connected)

    def _came(self, post: Post) -> None:
        self.read.append(post.topic)
        if post.topic.endswith("/requests"):
            self.said = {of["id"]: (of["state"], of["player"]) for of in json.loads(post.payload)["requests"]}

    def ask(self, id_: str, do: str, player: int | None = None, name: str = "", **other: Any) -> None:
        asked = {"id": id_, "phone": "thephone1", "do": do, "player": player, "name": name,
                 "evening": self.hall.now.evening.mark, **other}  # fmt: skip
        self.link.publish(TOPIC, json.dumps(asked).encode())

    def hears(self, id_: str, state: str, player: int | None = None) -> None:
        until(lambda: self.said.get(id_) == (state, player), why=lambda: self.said)

    def close(self) -> None:
        self.link.close()


def state(hall: Evening) -> list[tuple[str, int | None, str]]:
    found = hall.service.call(lambda _: hall.service.requests.state(hall.service._stand.evening))  # type: ignore[union-attr]
    return [(of["do"], of["player"], of["name"]) for of in found]


def test_a_request_only_asks_and_the_organisers_order_settles_it(hall: Evening, public: Public) -> None:
    before = hall.now.evening
    public.ask("leave0002", "leave", 2)
    public.ask("joinfay01", "join", name="Fay")
    public.hears("leave0002", "open")
    public.hears("joinfay01", "open")
    assert hall.now.evening == before and state(hall) == [("leave", 2, ""), ("join", None, "Fay")]
    said = hall.service.order({"do": "requests"})["said"]
    assert said == ["Ben #2 would like to leave.", "Fay would like to check in."]
    assert (
        hall.service.order({"do": "leave", "names": ["#2"]})["ok"]
        and hall.service.order({"do": "join", "names": ["Fay"]})["ok"]
    )
    public.hears("leave0002", "done", 2)
    public.hears("joinfay01", "done", 6)
    public.ask("back00002", "join", name="ben")
    public.hears("back00002", "open")
    assert state(hall) == [("back", 2, "ben")], "who has left comes back under the number"
    assert hall.service.order({"do": "decline", "names": ["Ben"]})["said"] == [
        "Declined: Ben #2 would like to check in again."
    ]
    public.hears("back00002", "refused")
    assert not hall.service.order({"do": "decline", "names": []})["ok"] and state(hall) == []


def test_what_cannot_be_is_settled_at_once(hall: Evening, public: Public) -> None:
    public.ask("taken0001", "join", name="anna")
    public.hears("taken0001", "taken", 1)
    public.ask("nobody001", "leave", 77)
    public.hears("nobody001", "refused")
    public.ask("badname01", "join", name="\u202eEve\n", phone="another1")
    public.hears("badname01", "refused")
    assert state(hall) == []
    hall.service.order({"do": "end"})
    public.ask("overover1", "leave", 3, phone="another1")
    public.hears("overover1", "refused")


def test_one_open_request_a_player_and_no_names_for_the_public(hall: Evening, public: Public) -> None:
    for at in range(8):
        public.ask(f"forged00{at}", "leave", 3, phone=f"phone000{at}")
    public.ask("joinfay01", "join", name="Rude Words")
    public.hears("joinfay01", "open")
    assert state(hall) == [("leave", 3, ""), ("join", None, "Rude Words")]
    assert not [of for of in public.read if of.startswith("tabularium-asked/")], "nobody else reads what is asked"


@pytest.mark.parametrize(
    "wrong",
    [
        b"", b"{", b"[]", b"x" * 60_000, json.dumps({"do": "leave"}).encode(),
        json.dumps({"id": "order0001", "phone": "thephone1", "do": "end", "player": 1, "name": "", "evening": None}).encode(),
    ],
    ids=["empty", "half", "list", "long", "short", "order"],
)  # fmt: skip
def test_what_is_no_request_is_dropped(hall: Evening, public: Public, wrong: bytes) -> None:
    for topic in (
        TOPIC,
        f"{TOPIC}/more",
        "tabularium-asked/2/friday/x",
        "tabularium-desk/2/friday/order",
        "tabularium/2/friday/hall/requests",
    ):
        public.link.publish(topic, wrong, retain=True)
    public.ask("weekold01", "leave", 2, evening="last week")
    public.ask("leave0003", "leave", 3)
    public.hears("leave0003", "open")
    assert state(hall) == [("leave", 3, "")] and set(public.said) == {"leave0003"}


def test_a_flood_of_requests_is_cut_short_and_the_hall_takes_orders_meanwhile(hall: Evening, public: Public) -> None:
    for at in range(3000):
        public.ask(f"flood{at:05}", "join", name=f"Nobody {at}", phone=f"phone{at:05}")
    assert hall.service.order({"do": "join", "names": ["Fay"]})["ok"], "while the flood is on"
    until(lambda: public.link.unacknowledged == 0)
    assert len(state(hall)) <= OPEN


def test_the_organiser_stops_requests_and_takes_them_again(hall: Evening, public: Public) -> None:
    public.ask("leave0002", "leave", 2)
    public.hears("leave0002", "open")
    said = hall.service.order({"do": "decline", "names": [], "stop": True})["said"]
    assert said == ["Declined: Ben #2 would like to leave.", "No more requests are taken."]
    public.hears("leave0002", "refused")
    assert hall.service.order({"do": "decline", "names": [], "stop": True})["ok"], "also where nobody asks"
    assert not hall.service.requests.taking
    assert hall.service.order({"do": "requests", "start": True})["said"] == ["No player asks for anything."]
    public.ask("leave0004", "leave", 4)
    public.hears("leave0004", "open")
    assert state(hall) == [("leave", 4, "")]


def test_one_phone_asks_five_times_a_minute_and_no_list_grows_without_end() -> None:
    made = PlayerRequests(Topics("friday"), Broker("127.0.0.1", 1), lambda act: act())
    evening = HallEvening(mark="m")

    def ask(at: int, phone: str) -> None:
        asked = {
            "id": f"request{at:05}",
            "phone": phone,
            "do": "join",
            "player": None,
            "name": f"Name {at}",
            "evening": "m",
        }
        made._stopping.set()  # no pause
        made._came(Post(TOPIC, json.dumps(asked).encode(), False))

    for at in range(40):
        ask(at, "thephone1")
    assert len(made.listed(evening)) == EACH
    ask(99, "another01")
    assert len(made.listed(evening)) == EACH + 1
    made.taking = False
    ask(98, "another02")
    assert len(made.listed(evening)) == EACH + 1, "none is taken"
    for at in range(3 * OPEN):
        made.take(PlayerRequest("join", None, f"Many {at}", "m", (f"many{at:05}",), "12:00"))
        made.listed(evening)
    assert len(made.listed(evening)) == OPEN
    assert made.listed(HallEvening(mark="another")) == [], "a new evening begins without them"


def test_a_hall_that_comes_back_hears_the_same_request_again(hall: Evening, public: Public) -> None:
    for _ in range(3):
        public.ask("leave0004", "leave", 4)
    public.hears("leave0004", "open")
    assert state(hall) == [("leave", 4, "")]
