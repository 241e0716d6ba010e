"""A round is planned outside the hall's thread: acts are taken meanwhile, it can be cancelled, and what has changed meanwhile counts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.cli import hall as cli
from companion.hall import control_socket, planning
from companion.hall.control_socket import SOCKET, ControlSocket, ask
from companion.hall.link import Broker
from companion.hall.organiser import Organiser
from companion.hall.records import Payload
from companion.hall.service import HallService
from companion.hall.store import HallStore
from tests.hall.test_desk import Ordered, Page, ordered
from tests.support.hall_tables import until

__all__ = ["ordered"]

NOWHERE = Broker("127.0.0.1", 1)
NAMES = [f"P{number}" for number in range(1, 9)]
ROUND = {"do": "round", "games": ["mercator"], "tables": ["1", "2"], "seed": 5}
CANCELLED = "The planning was cancelled: nothing has been changed."
AGAIN = "Planned again, because players, tables or results have changed meanwhile."


@dataclass
class Searches:
    """The processes that search: each waits until it is let go."""

    gate: Path

    def let_go(self) -> None:
        """Let the next process search; wait until there is one."""
        self.gate.write_text("")

    @property
    def command(self) -> Sequence[str]:
        then = "from companion.hall.planning_child import main; main()"
        return sys.executable, "-c", f"open({str(self.gate)!r}).read(); {then}"


@pytest.fixture
def searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Searches:
    found = Searches(tmp_path / "gate")
    os.mkfifo(found.gate)
    monkeypatch.setattr(planning, "CHILD", found.command)
    return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    with closing(HallStore(tmp_path / "hall.sqlite3")) as found:
        assert Organiser(found).answer({"do": "join", "names": NAMES})["ok"]
        yield found


@pytest.fixture
def hall(store: HallStore) -> Iterator[HallService]:
    """A hall without a broker: its owner gives orders at the terminal."""
    with closing(HallService("friday", NOWHERE, store)) as found:
        found.open()
        yield found


def given(hall: HallService, order: Payload) -> Future[Payload]:
    """Give an order in a separate thread; return its answer to come."""
    done: Future[Payload] = Future()
    Thread(target=lambda: done.set_result(hall.order(order)), daemon=True).start()
    return done


def planning_of(hall: HallService) -> Sequence[Mapping[str, Any]]:
    return hall.call(lambda _: [of.data for of in hall._planner.going.values()])


def rounds(hall: HallService) -> Sequence[Payload]:
    return hall.call(lambda store: [act for act in store.said() if act["act"] == "round"])


def test_a_hall_answers_while_it_plans(hall: HallService, searches: Searches) -> None:
    answer = given(hall, ROUND)
    until(lambda: [(of["round"], of["last"]) for of in planning_of(hall)] == [(1, 1)])
    assert hall.order({"do": "say", "text": "Soon"})["ok"]
    assert any("Planning round 1, for" in line for line in hall.order({"do": "status"})["said"])
    assert not answer.done() and not rounds(hall)
    searches.let_go()
    assert answer.result()["ok"] and answer.result()["order"] == 3
    assert AGAIN not in answer.result()["said"], "an announcement changes nobody's seat"
    assert not planning_of(hall)


def test_a_process_finds_what_the_search_finds_here(hall: HallService, tmp_path: Path) -> None:
    """Also for the rounds after the first, and for a plan."""
    plan = {"do": "plan", "rounds": 2, "swiss": True, "seed": 7}
    orders: list[Payload] = [ROUND, {**ROUND, "seed": 6}, plan]
    with closing(HallStore(tmp_path / "other.sqlite3")) as other:
        assert Organiser(other).answer({"do": "join", "names": NAMES})["ok"]
        for order in orders:
            assert Organiser(other).answer(order)["ok"]
        for order in orders:
            assert hall.order(order)["ok"]
        left_out = ("at", "mark")
        ends = [
            [{key: of for key, of in act.items() if key not in left_out} for act in acts]
            for acts in (other.said(), hall.call(lambda store: store.said()))
        ]
    assert ends[0] == ends[1]


def test_a_player_who_comes_meanwhile_is_seated_too_and_the_answer_says_so(
    hall: HallService, searches: Searches
) -> None:
    answer = given(hall, ROUND)
    until(lambda: len(planning_of(hall)) == 1)
    assert hall.order({"do": "join", "names": ["Late"]})["ok"]
    searches.let_go()
    until(lambda: [of["number"] for of in planning_of(hall)] == [2])
    searches.let_go()
    assert answer.result()["ok"] and answer.result()["said"][0] == AGAIN
    (seated,) = rounds(hall)
    assert {*range(1, 10)} == {player for of in seated["tables"] for player in dict(of["seats"]).values()} | {
        *seated["byes"]
    }


def test_an_evening_that_never_rests_is_not_planned_for_ever(hall: HallService, searches: Searches) -> None:
    answer = given(hall, ROUND)
    for number in range(1, 5):
        until(lambda number=number: [of["number"] for of in planning_of(hall)] == [number])  # type: ignore[misc]
        assert hall.order({"do": "join", "names": [f"Late {number}"]})["ok"]
        searches.let_go()
    assert not answer.result()["ok"] and "change faster" in answer.result()["said"][0]
    assert not rounds(hall)


def test_a_preview_is_what_is_given_afterwards_without_another_search(hall: HallService, searches: Searches) -> None:
    """Also without a seed, as at the terminal; the next seating is another draw."""
    order = {key: of for key, of in ROUND.items() if key != "seed"}
    tried = given(hall, {**order, "try": True})
    searches.let_go()
    said = tried.result()["said"]
    assert tried.result()["as_of"] == 1 and not rounds(hall)
    kept = hall.order({**order, "as_of": 1})
    again = given(hall, {**order, "again": True})
    searches.let_go()
    assert again.result()["ok"] and len({of["seed"] for of in rounds(hall)}) == 2
    assert kept["ok"] and [line for line in kept["said"] if line.startswith("Table 1,")] == [
        line for line in said if line.startswith("Table 1,")
    ]


def test_an_order_that_is_sent_twice_is_planned_and_carried_out_once(hall: HallService, searches: Searches) -> None:
    first, second = given(hall, {**ROUND, "id": "a"}), given(hall, {**ROUND, "id": "a"})
    until(lambda: len(planning_of(hall)) == 2)
    searches.let_go()
    assert first.result()["ok"] and second.result()["ok"] and len(rounds(hall)) == 1
    assert ["This order has already been carried out."] in [first.result()["said"], second.result()["said"]]


def test_a_planning_is_cancelled_alone_and_changes_nothing(hall: HallService, searches: Searches) -> None:
    first = given(hall, ROUND)
    until(lambda: len(planning_of(hall)) == 1)
    second = given(hall, {**ROUND, "seed": 6})
    until(lambda: len(planning_of(hall)) == 2)
    search = hall._planner.going[1].process
    until(lambda: search._process is not None)
    process = search._process
    assert hall.order({"do": "cancel", "number": 1})["said"] == ["The planning of round 1 is cancelled."]
    assert first.result() == {"ok": False, "said": [CANCELLED]}
    assert process and process.wait(10) == -signal.SIGKILL
    searches.let_go()
    assert second.result()["ok"] and [of["seed"] for of in rounds(hall)] == [6]
    assert hall.order({"do": "cancel"}) == {"ok": False, "said": ["Nothing is being planned."]}


def test_ctrl_c_at_the_terminal_cancels_and_hears_the_outcome(
    hall: HallService, searches: Searches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_socket, "WAITING_S", 0.01)

    def interrupt(_: float) -> None:
        until(lambda: len(planning_of(hall)) == 1)
        assert ask(tmp_path, {"do": "say", "text": "Soon"})["ok"], "another terminal need not wait"
        raise KeyboardInterrupt

    with closing(ControlSocket(tmp_path / SOCKET, hall.order)):
        answer = ask(tmp_path, ROUND, waiting=interrupt)
    assert answer == {"ok": False, "said": [CANCELLED]}
    assert not rounds(hall) and not planning_of(hall)


def test_a_terminal_shows_the_seconds_of_a_planning(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", terminal)
    with cli._progress("say") as waiting:
        waiting(3.0)
    assert not terminal.getvalue()
    with cli._progress("round") as waiting:
        waiting(12.0)
        assert terminal.getvalue() == "\rPlanning … 12 s · Ctrl-C cancels"
    assert terminal.getvalue().endswith("\r\033[K")


def test_a_search_whose_process_cannot_start_goes_on_in_the_hall(
    hall: HallService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "CHILD", ("/nowhere/python",))
    assert hall.order(ROUND)["ok"]
    monkeypatch.setattr(planning, "CHILD", ("false",))
    assert hall.order({**ROUND, "seed": 6})["ok"]
    assert len(rounds(hall)) == 2


def test_what_cannot_be_seated_is_refused_without_a_search(hall: HallService, searches: Searches) -> None:
    assert "chess" in hall.order({**ROUND, "games": ["chess"]})["said"][0].lower()
    assert not hall.order({**ROUND, "do": "plan", "rounds": 30})["ok"]


def test_the_page_sees_the_planning_and_cancels_it(ordered: Ordered, searches: Searches) -> None:
    with closing(Page(ordered.running, "rita")) as rita, closing(Page(ordered.running, "tom")) as tom:
        assert rita.order("join", names=NAMES)["ok"]
        rita.send(json.dumps({"who": "rita", "lang": "de", **ROUND}).encode(), mark=b"9")
        until(lambda: bool(tom.state.get("planning")))
        (shown,) = tom.state["planning"]
        assert (shown["round"], shown["last"], shown["who"]) == (1, 1, "rita")
        assert not any("cancel" in line for line in tom.order("status")["said"]), "the page has a button for it"
        assert tom.order("cancel", number=shown["number"])["ok"]
        until(lambda: bool(rita.answers))
        assert rita.answers == [(b"9", {"ok": False, "said": [
            "Die Planung wurde abgebrochen: Es hat sich nichts geändert."
        ]})]  # fmt: skip
        until(lambda: tom.state["planning"] == [])


KILLED = """
import sys
import time
from pathlib import Path
from threading import Thread
from companion.hall import planning
from companion.hall.link import Broker
from companion.hall.service import HallService
from companion.hall.store import HallStore

planning.CHILD = tuple(sys.argv[2:])
hall = HallService("friday", Broker("127.0.0.1", 1), HallStore(Path(sys.argv[1])))
hall.open()
Thread(target=hall.order, args=(dict(do="round", games=["mercator"], tables=["1", "2"], seed=5),), daemon=True).start()
while not hall.call(lambda _: hall._planner.going):
    time.sleep(0.01)
hall.order(dict(do="say", text="Soon"))
print("planning", flush=True)
sys.stdin.read()
"""


def test_a_hall_that_is_killed_while_it_plans_loses_nothing(store: HallStore, searches: Searches) -> None:
    store.close()
    command = [sys.executable, "-c", KILLED, str(store.path), *searches.command]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout and killed.stdout.readline() == "planning\n"
        killed.kill()
    searches.let_go()  # the search that nobody waits for
    with closing(HallStore(store.path)) as again, closing(HallService("friday", NOWHERE, again)) as hall:
        assert [act["act"] for act in again.said()] == ["join", "say"]
        hall.open()
        answer = given(hall, ROUND)
        searches.let_go()
        assert answer.result()["ok"]
