"""Two evenings of a club with one broker, one table and its store: what was played then counts for nothing now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli.hall_client import HallClient, way_to_hall
from companion.hall._stand import Stand
from companion.hall.control_socket import STORE, put_aside
from companion.hall.link import BrokerLink
from companion.hall.organiser import Organiser
from companion.hall.published import stand
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.hardware.settings import HallSettings
from companion.play.evening import Evening
from companion.record.approvals import approve
from companion.record.store import Store
from companion.record.transcript import event_data
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import until

PLAYERS = ["Anna Berg", "Anna Kern", "Chiara"]


class Club:
    """The hall of one evening after the other in one folder, and a table that comes back."""

    def __init__(self, folder: Path, running: Running) -> None:
        self.folder, self.running = folder, running
        self.hall: HallService | None = None

    def evening(self, **told: Any) -> None:
        """`tabularium hall evening --new`, the hall once more, and everybody joins."""
        if self.hall:
            self.hall.close()
            self.hall.store.close()
            assert put_aside(self.folder)
        store = HallStore(self.folder / STORE)
        self.hall = HallService("friday", self.running.as_("hall"), store)
        self.hall.open()
        self.order("evening", **told)
        self.order("join", names=PLAYERS)

    def order(self, do: str, **order: Any) -> list[str]:
        assert self.hall
        answer = self.hall.call(lambda of: Organiser(of).answer({"do": do, **order}))
        assert answer["ok"], answer
        return list(answer["said"])

    @property
    def now(self) -> Stand:
        assert self.hall
        return self.hall.call(stand)

    def close(self) -> None:
        if self.hall:
            self.hall.close()
            self.hall.store.close()


class Table:
    """The program at table 1 from its start to its end."""

    def __init__(self, club: Club) -> None:
        running = club.running
        password = club.folder / "password"
        password.write_text(running.passwords["1"])
        settings = HallSettings(
            broker="127.0.0.1", port=running.plan.port, hall="friday", table="1", password_file=password
        )
        self.store = Store(club.folder / "table.sqlite3")
        self.evening = Evening(self.store, reveal="auto")
        way = way_to_hall(settings, self.evening, self.store, 500)
        assert way
        self.way: HallClient = way

    def offered(self, number: int) -> Mapping[str, Any]:
        """The round that the hall has seated here, as New game begins it."""
        until(
            lambda: (self.evening.drain() and False) or (self.evening.seated or 0) != 0,
            why=lambda: self.way.outbox.seating,
        )
        until(
            lambda: bool(self.evening.seated and self.evening.seated.round == number), why=lambda: self.evening.seated
        )
        assert self.evening.seated
        return self.evening.seated.table

    def play(self, table: Mapping[str, Any]) -> None:
        match = self.evening.begin(table)
        rng = Random(1)
        while legal := match.session.legal():
            match.act(event_data(rng.choice(legal).pick(rng.choice)))
        until(lambda: self.store.saved)
        self.evening.drain()

    def approve(self) -> None:
        match = self.evening.match
        assert match and match.view["result"]
        for seat in match.header.seats:
            approve(self.store, match.number, seat, match.view["result"], True, at="2026-11-22T22:00:00+01:00")
        self.way.outbox.look()
        until(lambda: self.way.outbox.idle, why=self.way.findings)

    def close(self) -> None:
        self.way.close()
        self.store.close()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with broker(tmp_path / "broker") as running, closing(Club(tmp_path, running)) as found:
        yield found


def kept(club: Club) -> list[bytes]:
    """What the broker keeps of the table's header and result."""
    came: list[bytes] = []
    topics = [f"tabularium/2/friday/table/1/{kind}" for kind in ("header", "result", "view")]
    with closing(
        BrokerLink(club.running.as_(None), subscribed=topics, came=lambda post: came.append(post.payload))
    ) as public:
        public.open()
        until(lambda: public.connected)
        end = BrokerLink(
            club.running.as_(None), subscribed=["tabularium/2/friday/hall/evening"], came=lambda _: came.append(b"")
        )
        with closing(end):
            end.open()
            until(lambda: b"" in came)
    return [payload for payload in came if payload]


def said_late(club: Club, table: Table, old: bytes) -> None:
    """A table that has not heard of the new evening says once more what it played in the one before: it is cleared."""
    topic, heard = "tabularium/2/friday/table/1/header", list[bytes]()
    public = BrokerLink(club.running.as_(None), subscribed=[topic], came=lambda post: heard.append(post.payload))
    with closing(public):
        public.open()
        until(lambda: public.connected)
        table.way.outbox.link.publish(topic, old, retain=True)
        until(lambda: old in heard)
        until(lambda: heard[-1] == b"", why=lambda: heard)


def test_what_was_played_last_week_does_not_count_tonight(club: Club) -> None:
    club.evening(name="Last week")
    club.order("round", games=["spartacus"], tables=["1"])
    with closing(Table(club)) as table:
        table.play(table.offered(1))
        table.approve()
        until(lambda: club.now.outcomes[0].state == "counts")
        (old,) = [payload for payload in kept(club) if b'"header"' in payload]

        club.evening(name="Tonight")  # the table is still there, and sends again what the new hall does not have
        club.order("round", games=["spartacus"], tables=["1"])
        until(lambda: not kept(club), why=lambda: kept(club))
        until(lambda: table.way.outbox.idle and not table.way.outbox.fault)
        assert [outcome.state for outcome in club.now.outcomes] == ["missing"]
        said_late(club, table, old)
        assert [outcome.state for outcome in club.now.outcomes] == ["missing"]
    with closing(Table(club)) as table:
        table.play(table.offered(1))
        table.approve()
        until(lambda: club.now.outcomes[0].state == "counts", why=lambda: club.now.outcomes)
        played = club.now.outcomes[0].played
        assert played and played.game == 2


def test_a_game_begun_before_its_round_was_seated_never_counts(club: Club) -> None:
    club.evening()
    with closing(Table(club)) as table:
        until(lambda: table.way.outbox.mark is not None)
        table.play({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]})
        club.order("round", games=["spartacus"], tables=["1"])
        table.approve()
        assert table.evening.seated and not table.evening.seated.begun
        assert club.now.outcomes[0].state == "missing"
        table.play(table.offered(1))
        table.approve()
        until(lambda: club.now.outcomes[0].state == "counts", why=lambda: club.now.outcomes)


@pytest.mark.parametrize("names", ["first", "none"])
def test_changed_seats_are_noticed_by_any_shown_name(club: Club, names: str) -> None:
    club.evening(names=names)
    said = "\n".join(club.order("round", games=["spartacus"], tables=["1"]))
    with closing(Table(club)) as table:
        offered = dict(table.offered(1))
        called = list(offered["players"].values())
        assert len(set(called)) == 3, "two Annas are told apart"
        assert not any("Berg" in name or "Kern" in name for name in called)
        if names == "none":
            assert all(f"#{number}" in said for number in (1, 2, 3)), "the organiser can tell people their numbers"
        seats = list(offered["players"])
        swapped = dict(zip(seats, called[1:] + called[:1], strict=True))
        table.play({**offered, "players": swapped})
        table.approve()
        until(lambda: club.now.outcomes[0].state == "otherwise", why=lambda: club.now.outcomes)
        assert "sits in a different seat" in "\n".join(club.order("status"))
        table.play(offered)
        table.approve()
        until(lambda: club.now.outcomes[0].state == "counts", why=lambda: club.now.outcomes)


def test_two_approved_games_of_one_round_are_told_at_once(club: Club) -> None:
    club.evening()
    club.order("round", games=["spartacus"], tables=["1"])
    with closing(Table(club)) as table:
        offered = table.offered(1)
        for _ in range(2):
            table.play(offered)
            table.approve()
        until(lambda: club.now.outcomes[0].why is not None, why=lambda: club.now.outcomes)
        assert "Two games" in "\n".join(club.order("status"))
