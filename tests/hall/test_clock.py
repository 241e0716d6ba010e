"""The clock of a round: ordered, said over and over, counted down at the tables, and called out. It ends no game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from companion.hall import _wire as wire
from companion.hall import service as serving
from companion.hall._clock import Instant
from companion.hall.link import BrokerLink, Post
from companion.hall.organiser import Organiser
from companion.hall.published import published
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.play.round_clock import CALL_S, FIVE, UP, RoundClock, TimeCall
from companion.rules.data import Data
from tests.support.hall import Hall
from tests.support.hall_broker import broker
from tests.support.hall_tables import until


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Hall(tmp_path)) as hall:
        hall.order("join", names=["Anna", "Ben", "Cem", "Dana"])
        hall.order("round", games=["mercator"], tables=["1"], seed=1)
        yield hall


def clock(hall: Hall) -> Data:
    """What everybody hears of it now."""
    return published(hall.now, at=hall.instant)["clock"]


def passed(hall: Hall, **time: float) -> None:
    hall.passed(timedelta(**time))


def test_a_clock_runs_stands_goes_on_is_prolonged_and_is_no_more(hall: Hall) -> None:
    assert clock(hall)["state"] == "none"
    (said,) = hall.order("clock", minutes=60, then="round")
    assert said.startswith("The clock of round 1 runs until 13:")
    assert said.endswith("the current round of the game is finished.")
    assert clock(hall) == {"round": 1, "state": "running", "left": 3600, "whole": 3600, "then": "round"}
    passed(hall, minutes=20)
    hall.order("clock", set="pause")
    stands = clock(hall)
    assert stands["state"] == "paused" and 2390 <= stands["left"] <= 2400
    passed(hall, hours=1)
    assert clock(hall) == stands, "while it stands no time goes by"
    assert "is paused with" in "\n".join(hall.order("status"))
    hall.order("clock", more=10)
    assert clock(hall) == {**stands, "left": stands["left"] + 600, "whole": 4200}
    hall.order("clock", set="on")
    hall.again()
    runs = clock(hall)
    assert runs["state"] == "running" and abs(runs["left"] - stands["left"] - 600) <= 2, "also after the hall has died"
    passed(hall, hours=2)
    assert clock(hall) == {"round": 1, "state": "up", "left": 0, "whole": 4200, "then": "round"}
    assert hall.now.state == "seated", "it ends nothing by itself"
    hall.order("clock", more=5)
    assert clock(hall)["left"] == 300
    hall.order("clock", set="off")
    assert clock(hall)["state"] == "none"


@pytest.mark.parametrize("by", [{"hours": -1}, {"days": 200}, {"minutes": 3}], ids=str)
def test_a_clock_that_is_set_meanwhile_shortens_no_round(by: dict[str, float], hall: Hall) -> None:
    """The computer's, by hand or by a time server; and after a restart of the computer the one on the wall is all
    there is."""
    hall.order("clock", minutes=60)
    passed(hall, minutes=20)
    hall.at += timedelta(**by)
    assert abs(clock(hall)["left"] - 2400) <= 5
    hall.order("clock", more=10)
    hall.again()
    passed(hall, minutes=10)
    assert abs(clock(hall)["left"] - 2400) <= 5
    hall.order("clock", set="pause")
    hall.order("clock", set="on")
    restarted = Instant(hall.at, ("another start", 5.0))
    assert abs(published(hall.now, at=restarted)["clock"]["left"] - 2400) <= 5


def test_what_cannot_be_ordered_is_said(hall: Hall) -> None:
    assert hall.refused("clock", set="pause").startswith("There is no clock. tabularium hall clock 60")
    hall.order("clock", minutes=1)
    assert hall.refused("clock", set="on") == "The clock is already running."
    assert hall.refused("clock", more=600) == "A clock runs for 10 hours at most."
    hall.order("clock", set="pause")
    assert hall.refused("clock", set="pause") == "The clock is already paused."
    hall.order("clock", set="on")
    passed(hall, minutes=2)
    assert hall.refused("clock", set="pause").startswith("The time is up")
    assert "does not know this order" in hall.refused("clock", minutes=0)
    hall.order("end")
    assert hall.refused("clock", minutes=60) == "No round is in progress, so no clock can run."


def test_a_clock_belongs_to_its_round(hall: Hall) -> None:
    hall.order("clock", minutes=60)
    hall.order("round", tables=["1"], seed=2)
    assert clock(hall)["state"] == "running", "the next round is seated while this one is played"
    hall.play("1", 1)
    assert clock(hall)["state"] == "none"


def test_a_running_clock_is_said_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that come later hear how much is left now, and not how much there was."""
    monkeypatch.setattr(serving, "TICK_S", 0.2)
    heard: list[Post] = []
    with broker(tmp_path) as running, closing(HallStore(tmp_path / "hall.db")) as store:
        service = HallService("friday", running.as_("hall"), store)
        topic = service.topics.said("clock")
        ear = BrokerLink(running.as_(None), subscribed=[topic], came=heard.append)
        with closing(service), closing(ear):
            service.open()
            ear.open()
            for order in (
                {"do": "join", "names": ["Anna", "Ben", "Cem"]},
                {"do": "round", "games": ["mercator"], "tables": ["1"]},
                {"do": "clock", "minutes": 60},
            ):
                answer = service.call(lambda of, order=order: Organiser(of).answer(order))  # type: ignore[misc]
                assert answer["ok"], answer
            until(lambda: len({post.payload for post in heard if b"running" in post.payload}) >= 3)
            service.call(lambda of: Organiser(of).answer({"do": "clock", "set": "pause"}))
            until(lambda: b"paused" in heard[-1].payload)
        left = [wire.read("clock", post.payload)["left"] for post in heard if b"running" in post.payload]
        assert left == sorted(left, reverse=True)


def running(left: int, heard: float = 0.0, then: str = "act", number: int = 1) -> RoundClock:
    return RoundClock(number, "running", left, 3600, then, heard)


def test_a_table_counts_down_by_its_own_time() -> None:
    clock = running(1800)
    assert (clock.part(0), clock.part(900), clock.part(5000)) == (0.5, 0.25, 0.0)
    assert (clock.minutes(0), clock.minutes(1), clock.minutes(1799), clock.minutes(1800)) == (30, 30, 1, 0)
    stands = RoundClock(1, "paused", 1800, 3600, "act", 0.0)
    assert stands.seconds(5000) == 1800


def test_five_minutes_and_the_end_are_called_once_each_and_again_where_there_was_more_time() -> None:
    calls = TimeCall()
    assert calls.look(None, 0) is None
    clock = running(CALL_S + 60, then="round")
    called = [str(said) for at in range(0, 500, 10) if (said := calls.look(clock, at))]
    assert called == [FIVE["round"], UP["round"]]
    longer = running(CALL_S + 60, heard=500, then="nothing")
    assert calls.look(longer, 500) is None
    assert [calls.look(longer, 500 + at) is not None for at in (30, 60, 61, 400)] == [False, True, False, True]


def test_nothing_is_called_of_what_had_passed_before_the_table_heard_of_it() -> None:
    calls = TimeCall()
    assert [calls.look(running(200, heard=at), at) for at in (0, 10, 20)] == [None] * 3
    assert calls.look(running(100, heard=20, number=2), 20) is None, "another round"
    assert TimeCall().look(RoundClock(1, "up", 0, 3600, "act", 0.0), 10) is None
