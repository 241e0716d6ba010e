"""A table's way to its hall as the open table has it: from config.yaml to the outbox, and back into the store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.cli.hall_client import KEPT, way_to_hall
from companion.hall.link import BrokerLink
from companion.hall.organiser import Organiser
from companion.hall.published import stand
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.hardware.settings import HallSettings
from companion.play.evening import Evening
from companion.play.hall_status import Verdict
from companion.play.table import NO_MS
from companion.record.approvals import approve, approved
from companion.record.store import Store
from companion.record.transcript import event_data
from companion.rules.readings import Press
from tests.support.hall_broker import Proxy, Running, broker, free_port
from tests.support.hall_tables import until

SPARTACUS = {"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]}


@pytest.fixture
def open_store(tmp_path: Path) -> Callable[[], Store]:
    return lambda: Store(tmp_path / "tabularium.sqlite3")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with broker(tmp_path / "broker") as found:
        yield found


def settings(folder: Path, port: int, password: str | None = None) -> HallSettings:
    if password is not None:
        (folder / "hall-password").write_text(f"{password}\n")
    return HallSettings(
        broker="127.0.0.1", port=port, hall="friday", table="1", password_file=folder / "hall-password"
    )  # fmt: skip


def test_games_from_before_the_hall_stay_at_home_and_the_next_run_goes_on(
    tmp_path: Path, running: Running, open_store: Callable[[], Store]
) -> None:
    at = settings(tmp_path, running.plan.port, running.passwords["1"])
    with closing(open_store()) as store:
        Evening(store).begin(SPARTACUS)
    with closing(HallStore(tmp_path / "hall.sqlite3")) as hall:
        service = HallService("friday", running.as_("hall"), hall)
        service.open()
        for games in ([2], [2, 3]):
            with closing(open_store()) as store:
                evening = Evening(store)
                way = way_to_hall(at, evening, store, 500)
                assert way
                evening.begin(SPARTACUS)
                until(lambda: store.saved)
                evening.drain()
                until(
                    lambda: way.outbox.idle and way.outbox.since == games[-1],  # noqa: B023 - at once
                    why=lambda: (way.findings(), way.outbox.__dict__),  # noqa: B023
                )
                assert [finding.verdict for finding in way.findings()] == ["pass"]
                way.close()
                assert [row.game for row in service.call(lambda of: of.games("1"))] == games
        with closing(open_store()) as store:
            assert store.kept(KEPT) == {"hall": "friday", "since": 3}
        service.close()


def test_a_game_begun_before_anything_was_heard_belongs_to_its_round(
    tmp_path: Path, running: Running, open_store: Callable[[], Store]
) -> None:
    """The players were told by word of mouth; what the hall has seated is heard of in the middle of the game."""
    with closing(HallStore(tmp_path / "hall.sqlite3")) as hall, closing(open_store()) as store:
        for order in ({"do": "join", "names": ["Anna", "Bert", "Chiara"]},
                      {"do": "round", "games": ["spartacus"], "tables": ["1"]}):  # fmt: skip
            assert Organiser(hall).answer(order)["ok"]
        evening = Evening(store)
        way = way_to_hall(settings(tmp_path, running.plan.port, running.passwords["1"]), evening, store, 500)
        assert way
        evening.begin(SPARTACUS)
        heard: list[bytes] = []
        public = BrokerLink(running.as_(None), subscribed=["tabularium/2/friday/table/1/header"],
                      came=lambda post: heard.append(post.payload))  # fmt: skip
        public.open()
        until(lambda: not evening.drain() and bool(heard), why=way.findings)
        assert b'"round":null' in heard[0]
        service = HallService("friday", running.as_("hall"), hall)
        service.open()
        until(lambda: [row.round for row in service.call(lambda of: of.games("1"))] == [1], why=lambda: heard)
        public.close()
        way.close()
        service.close()


def test_without_its_password_the_table_says_so_and_plays_on(tmp_path: Path, open_store: Callable[[], Store]) -> None:
    with closing(open_store()) as store:
        evening = Evening(store)
        assert way_to_hall(settings(tmp_path, 1883), evening, store, 500) is None
        assert "hall-password" in str(evening.note)
        evening.begin(SPARTACUS)


def test_nobody_at_the_table_waits_for_a_broker_that_swallows_or_is_not_there(
    tmp_path: Path, open_store: Callable[[], Store]
) -> None:
    """What the port says is heard without a word, and the table closes although nothing ever answered."""
    swallowing = Proxy(free_port())
    swallowing.pull()
    before = set(threading.enumerate())
    for port in (swallowing.port, free_port()):
        with closing(open_store()) as store:
            evening = Evening(store)
            way = way_to_hall(settings(tmp_path, port, "x"), evening, store, 500)
            assert way
            match = evening.begin(SPARTACUS)
            for _ in range(5):
                until(lambda: store.saved)
                evening.drain()
            assert match.view["phase"] == "trick"
            way.close()
            assert [finding.verdict for finding in way.findings()] == ["fail"]
    swallowing.close()
    assert not {thread for thread in threading.enumerate() if thread.name == "hall"} - before


def test_an_approval_is_of_one_result_and_can_be_taken_back(open_store: Callable[[], Store]) -> None:
    with closing(open_store()) as store:
        one = {
            "winners": ["red"],
            "scores": {"red": 2, "blue": 1},
            "places": {"red": 1, "blue": 2},
            "unconfirmed_board": False,
        }
        other = one | {"winners": ["blue"]}
        approve(store, 7, "red", one, at="2026-11-22T22:00:00+01:00")  # type: ignore[arg-type]
        approve(store, 7, "blue", one, at="2026-11-22T22:00:01+01:00")  # type: ignore[arg-type]
        approve(store, 7, "blue", one, False, at="2026-11-22T22:00:02+01:00")  # type: ignore[arg-type]
        assert approved(store, 7, one) == {"red": True, "blue": False}  # type: ignore[arg-type]
        assert approved(store, 7, other) == approved(store, 8, one) == {}  # type: ignore[arg-type]


def test_from_the_seating_to_the_result_that_counts(
    tmp_path: Path, running: Running, open_store: Callable[[], Store]
) -> None:
    """The hall seats a round, the table begins it with one touch, and each seat's held button approves the result."""
    with closing(HallStore(tmp_path / "hall.sqlite3")) as hall, closing(open_store()) as store:
        service = HallService("friday", running.as_("hall"), hall)
        service.open()
        evening = Evening(store, reveal="auto")
        way = way_to_hall(settings(tmp_path, running.plan.port, running.passwords["1"]), evening, store, 500)
        assert way and evening.seated is None
        for order in ({"do": "join", "names": ["Anna", "Bert", "Chiara"]},
                      {"do": "round", "games": ["spartacus"], "tables": ["1"]}):  # fmt: skip
            assert service.call(lambda of: Organiser(of).answer(order))["ok"]  # noqa: B023 - at once
        until(lambda: evening.drain() and evening.seated is not None, why=lambda: way.outbox.seating)
        seated = evening.seated
        assert seated and set(seated.players.values()) == {"Anna", "Bert", "Chiara"}
        match = evening.begin(seated.table)
        rng = Random(1)
        while legal := match.session.legal():
            match.act(event_data(rng.choice(legal).pick(rng.choice)))
        until(lambda: not evening.drain() and bool(evening.approvals))
        for seat in match.header.seats:
            evening.devices.inbox.put(Press(seat, True, 10_000))
            evening.devices.inbox.put(Press(seat, False, 10_000 + NO_MS))
        until(lambda: not evening.drain() and all(evening.approvals.values()), why=lambda: evening.approvals)
        until(lambda: way.verdict(match.number) == Verdict("all"), why=lambda: way.outbox.verdict)
        assert service.call(lambda of: stand(of).outcomes[0].state) == "counts"
        amended = {"do": "amend", "table": "1", "won": ["red"], "scores": dict.fromkeys(match.header.seats, 1),
                   "reason": "miscounted"}  # fmt: skip
        assert service.call(lambda of: Organiser(of).answer(amended))["ok"]
        until(
            lambda: (way.verdict(match.number) or Verdict("all")).reason == "miscounted", why=lambda: way.outbox.verdict
        )
        verdict = way.verdict(match.number)
        assert verdict and verdict.by == "organiser"
        assert verdict.counts and verdict.counts["scores"] == dict.fromkeys(match.header.seats, 1)
        way.close()
        service.close()
