"""A table's device dies: another machine goes on in its place, and the old one, should it wake, changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import __version__
from companion.cli.hall_client import HallClient
from companion.hall._desk_state import desk_state
from companion.hall._wire import hold
from companion.hall.link import BrokerLink
from companion.hall.organiser import Organiser
from companion.hall.published import published, settled, stand
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.play.hall_status import Verdict, seated
from tests.support.hall import Hall
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import Table, has_all, until

EIGHT = ["Anna", "Ben", "Cem", "Dan", "Eve", "Femi", "Gül", "Hana"]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Hall(tmp_path)) as hall:
        hall.order("join", names=EIGHT)
        hall.order("round", games=["mercator"], tables=["1", "2"], seed=1)
        yield hall


def test_another_machine_goes_on_and_the_hall_counts_one_game(hall: Hall) -> None:
    seats = hall.now.evening.rounds[0].tables[1].seats
    dead = hall.begin("2", 1)
    said = hall.order("spare", table="2", to="spare-1", reason="no power")
    assert said[0] == "Round 1: table 2 continues on device spare-1."
    assert any("restore the backup" in line for line in said), "the better way is said first"
    hall.take("status", "2", {"here": False})
    assert not any("away" in line for line in hall.order("status")), "everybody knows"
    assert [of.table for of in hall.now.evening.rounds[0].tables] == ["1", "2"], "table 2 stays table 2"
    assert hall.now.evening.rounds[0].tables[1].seats == seats
    hall.play("spare-1", 1)
    crc = hall.end("2", dead, dict(zip(seats, (1, 2, 3, 40), strict=True)))
    hall.approve("2", dead, crc, list(seats))
    (verdict,) = [word for (game, _, _), word in settled(hall.now)["2"] if game == dead["game"]]
    assert verdict == {"settled": "nobody", "reason": "this game continued on device spare-1: no power"}
    outcome = next(of for of in hall.now.outcomes if of.seated.table == "2")
    assert outcome.state == "counts" and outcome.result and max(outcome.result["scores"].values()) == 9
    assert not any("nobody was seated" in line for line in hall.order("status"))
    hall.play("1", 1)
    hall.order("round", games=["mercator"], tables=["1", "2"], seed=2)
    assert devices(hall)[1] == ["1", "spare-1"], "the next round is there too"
    hall.play("spare-1", 2)
    assert next(of for of in hall.now.outcomes if of.key == (2, "2")).state == "counts"


def test_it_is_taken_back_as_it_was_ordered(hall: Hall) -> None:
    dead = hall.begin("2", 1)
    before = hall.now
    hall.order("spare", table="2", to="9", reason="no power")
    hall.order("undo", reason="the card could be read")
    assert hall.now == before
    seats = before.evening.rounds[0].tables[1].seats
    crc = hall.end("2", dead, dict(zip(seats, (9, 7, 5, 3), strict=True)))
    hall.approve("2", dead, crc, list(seats))
    assert next(of for of in hall.now.outcomes if of.seated.table == "2").state == "counts"


def test_later_rounds_go_there_too_and_one_that_came_back_may_take_its_place_again(hall: Hall) -> None:
    hall.order("round", games=["mercator"], tables=["1", "2"], seed=2)
    hall.order("spare", table="2", to="9", reason="no power")
    assert devices(hall) == [["1", "9"]] * 2
    hall.order("spare", table="2", to="2", reason="it was the plug")
    assert devices(hall) == [["1", "2"]] * 2
    hall.play("2", 1)
    assert next(of for of in hall.now.outcomes if of.key == (1, "2")).state == "counts"


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"table": "7", "to": "9"}, "No game is open at table 7."),
        ({"table": "2", "to": "1"}, "Device 1 is in use at table 1."),
        ({"table": "2", "to": "Ü!"}, "Ü! cannot be the name of a table: use a to z, 0 to 9 and -."),
        ({"table": "1", "to": "9", "reason": ""}, "Give a reason of 1 to 200 characters; it is kept in the log."),
    ],
)
def test_what_cannot_be_is_said(hall: Hall, order: dict[str, str], said: str) -> None:
    assert hall.refused("spare", **{"reason": "no power", **order}) == said
    hall.play("2", 1)
    assert hall.refused("spare", table="2", to="9", round=1, reason="no power") == "No game is open at table 2."


def test_between_two_rounds_a_spare_takes_over_from_the_next_one_on(hall: Hall) -> None:
    hall.play("1", 1)
    hall.play("2", 1)
    said = hall.order("spare", table="2", to="9", reason="no power")
    assert said[0] == "From the next round on, table 2 is on device 9."
    hall.order("round", games=["mercator"], tables=["1", "2"], seed=2)
    assert devices(hall) == [["1", "2"], ["1", "9"]]


def test_a_spare_is_never_seated(hall: Hall) -> None:
    for name in ("1", "2", "3", "4", "spare-1"):
        hall.take("status", name, {"here": True})
    hall.order("reserve", devices=["3"])
    hall.order("join", names=["Ida", "Jo", "Kim", "Lu", "Mo", "Nia", "Oz", "Pia"])
    hall.order("round", games=["mercator"], size=4, seed=3)
    assert devices(hall)[-1] == ["1", "2", "4"]
    for spare in ("3", "spare-1"):
        said = hall.refused("round", games=["mercator"], tables=["1", spare])
        assert said == f"Device {spare} is a spare: nobody can be seated there."
    assert hall.refused("reserve", devices=["4"]) == "Device 4 is in use at table 4."
    hall.order("spare", table="4", to="3", reason="no power")
    hall.order("reserve", devices=["spare-1"], off=True)
    hall.order("round", games=["mercator"], size=4, seed=4)
    assert devices(hall)[-1] == ["1", "2", "3", "spare-1"], "device 4, which is dead, is not seated when it comes back"
    assert [of.table for of in hall.now.evening.rounds[-1].tables] == ["1", "2", "4", "spare-1"]


def test_a_spare_leaves_the_rounds_that_are_planned_or_seated_anew(hall: Hall) -> None:
    hall.order("plan", rounds=1, games=["mercator"], tables=["8", "1", "2"], seed=3)
    hall.order("reserve", devices=["8"])
    hall.order("round")
    assert devices(hall)[-1] == ["1", "2"], "not at 8, as was planned"
    hall.order("reserve", devices=["8"], off=True)
    hall.order("round", tables=["8", "1"], seed=5)
    hall.order("spare", table="8", to="9", reason="no power")
    hall.order("round", again=True, seed=6)
    assert devices(hall)[-1] == ["9", "1"], "a table keeps its spare when its round is seated anew"


def test_what_is_published_names_the_table_and_its_device(hall: Hall) -> None:
    for name in ("1", "2", "9", "spare-1"):
        hall.take("status", name, {"here": name != "2", "version": "0.0.9"})
    assert "device" not in hall_json(hall)["seating"], "a table of an earlier version reads it"
    hall.order("spare", table="2", to="9", reason="no power")
    said = published(hall.now)
    (_, table) = said["seating"]["rounds"][0]["tables"]
    assert (table["table"], table["device"]) == ("2", "9")
    assert said["evening"]["unseated"] == ["2", "spare-1"]
    for kind in ("seating", "evening", "rounds"):
        hold(kind, json.loads(json.dumps(said[kind])))
    assert seated(said["seating"], "9") and not seated(said["seating"], "2")
    state = desk_state(hall.now, hall.store, heard={"9": "2026-11-21T12:00+01:00"})
    found = {of["device"]: (of["table"], of["kind"], of["here"], of["heard"]) for of in state["devices"]}
    assert found == {
        "1": ("1", "table", True, None),
        "2": (None, "replaced", False, None),
        "9": ("2", "table", True, "2026-11-21T12:00+01:00"),
        "spare-1": (None, "spare", True, None),
    }
    (nine,) = [of for of in state["devices"] if of["device"] == "9"]
    assert nine["warnings"] == [f"Table 2 runs version 0.0.9, the hall {__version__}."]
    assert not [need for need in state["needs"] if need["kind"] == "away"]
    hall.take("status", "9", {"here": False})
    (need,) = [need for need in desk_state(hall.now, hall.store)["needs"] if need["kind"] == "away"]
    assert (need["table"], need["said"]) == ("2", ["Table 2 is not connected."])


def test_an_evening_of_an_earlier_version_is_read_as_it_was(hall: Hall) -> None:
    """There, a table was called as its device from the order on."""
    for table, to in (("2", "9"), ("9", "12")):
        hall.store.say(
            {"act": "spare", "round": 1, "table": table, "to": to, "reason": "no power", "at": hall.at.isoformat()}
        )
    assert devices(hall) == [["1", "12"]]
    assert [of.table for of in hall.now.evening.rounds[0].tables] == ["1", "2"]


def devices(hall: Hall) -> list[list[str]]:
    return [[one.device(of.table) for of in one.tables] for one in hall.now.evening.rounds]


def hall_json(hall: Hall) -> dict[str, str]:
    return {kind: json.dumps(told) for kind, told in published(hall.now).items() if kind in ("seating", "evening")}


def test_a_killed_table_and_a_spare_with_real_machines(tmp_path: Path) -> None:
    """In the middle of a game the device is gone; another is offered the round, plays, and its result counts; the old
    one wakes, ends its game, and reads where it went on."""
    with (
        broker(tmp_path, tables=("1", "2", "9")) as running,
        closing(HallStore(tmp_path / "hall.db")) as store,
        closing(HallService("friday", running.as_("hall"), store)) as service,
    ):
        service.open()
        order(service, "join", names=EIGHT[:4])
        order(service, "round", games=["spartacus"], tables=["2"], seed=1)
        dead, way = machine(tmp_path, running, "2")
        until(lambda: way.seated is not None)
        assert way.seated
        dead.evening.begin(way.seated.table)
        dead.show()
        dead.play(6)
        dead.settle()
        until(lambda: service.call(lambda of: has_all(of, dead)))
        stood = dead.match.view
        dead.close()
        kept, public = shown_of(running, "2")
        order(service, "spare", table="2", to="9", reason="no power")
        until(lambda: not any(kept.values()), why=lambda: kept)  # the board shows its game no more
        spare, its = machine(tmp_path, running, "9")
        until(lambda: its.seated is not None)
        assert its.seated and its.seated.players == way.seated.players
        until(lambda: spare.evening.spare is not None)
        told, spare.outbox.spare = spare.outbox.spare, {**(spare.outbox.spare or {}), "evening": "last week's"}
        assert spare.evening.spare is None, "what the broker has kept of another evening is nothing"
        spare.outbox.spare = told
        spare.evening.go_on()
        spare.settle()
        assert spare.match.view == stood, "it goes on where the other one stood"
        while spare.play(10):
            pass
        spare.settle()
        spare.approve()
        until(lambda: [of.state for of in service.call(stand).outcomes] == ["counts"])
        counted = service.call(stand).standings
        woken, late = machine(tmp_path, running, "2", since=1)
        woken.evening.resume()
        while woken.play(10):
            pass
        woken.settle()
        woken.approve()
        until(lambda: late.verdict(woken.match.number) is not None)
        assert late.verdict(woken.match.number) == Verdict("nobody", "this game continued on device 9: no power")
        assert service.call(stand).standings == counted
        until(lambda: not any(kept.values()), why=lambda: kept)
        public.close()
        spare.close()
        woken.close()


def shown_of(running: Running, table: str) -> tuple[dict[str, bytes], BrokerLink]:
    """What the board shows of a table's game, by topic, and the way by which it comes."""
    kept: dict[str, bytes] = {}
    topics = [f"tabularium/2/friday/table/{table}/{kind}" for kind in ("header", "view")]
    public = BrokerLink(running.as_(None), subscribed=topics, came=lambda post: kept.update({post.topic: post.payload}))
    public.open()
    until(lambda: all(kept.get(topic) for topic in topics))
    return kept, public


def machine(folder: Path, running: Running, name: str, since: int | None = None) -> tuple[Table, HallClient]:
    """A table's device that has been switched on."""
    table = Table(folder, name, running.as_(name), since=since)
    table.outbox.open()
    way = HallClient(table.outbox, table.store)
    table.evening.join(way)
    return table, way


def order(service: HallService, do: str, **order: object) -> None:
    answer = service.call(lambda of: Organiser(of).answer({"do": do, **order}))
    assert answer["ok"], answer
