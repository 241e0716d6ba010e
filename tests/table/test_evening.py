"""An evening: what is shown is safe, hardware and fingers end in the same journal, and it goes on after a stop."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from companion.play.series import next_table
from companion.record.store.database import Database
from companion.record.transcript import dump_event, event_data
from companion.rules.mistakes import Mistakes
from companion.rules.readings import Health, Press, Reading
from tests.support.evenings import TABLE, Desk, choose_by_card, desk  # noqa: F401 - fixtures
from tests.support.playing import BOARD
from tests.support.series import WON, hannibal


def test_cards_fists_and_fingers_end_in_one_journal(desk: Desk) -> None:
    choose_by_card(desk, "red 5", "blue 9")
    desk.act("choose", "green", card="green 5")
    desk.hear(*(Press(seat, True, 100) for seat in TABLE["seats"]))
    assert desk.match.called and desk.match.closed == {"red", "blue", "green"}
    desk.hear(*(Press(seat, False, 200 + t) for t, seat in enumerate(TABLE["seats"])))
    desk.act("offer", "blue", to="red", chips=2)
    desk.hear(Press("red", True, 900), Press("red", False, 1000))
    assert [(r.verb, r.by) for r in desk.match.log if r.number] == [
        ("pawns", "touch"), ("province", "touch"), ("choose", "nfc"), ("choose", "nfc"), ("choose", "touch"),
        ("reveal", "button"), ("offer", "touch"), ("answer", "button"),
    ]  # fmt: skip
    stored = desk.store.load(1)
    assert [line for line, _, _ in stored.events] == [
        dump_event(r.event) for r in desk.match.log if r.event and r.number
    ]


def test_nothing_is_shown_before_it_is_on_disk(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, at_gate, write = Event(), Event(), Database.write

    def slowly(db: Database, works: Any) -> None:
        at_gate.set()
        gate.wait()
        write(db, works)

    monkeypatch.setattr(Database, "write", slowly)
    shown = len(desk.match.log)
    desk.act("choose", "red", card="red 5")  # returns at once: the main thread does not wait
    at_gate.wait()
    assert not desk.evening.drain()
    assert (desk.match.view["chosen"], len(desk.match.log)) == ([], shown)
    desk.act("choose", "blue", card="blue 5")  # and the game goes on meanwhile
    gate.set()
    desk.settle()
    assert desk.match.view["chosen"] == ["red", "blue"]
    assert len(desk.store.load(1).events) == 4


def test_the_end_of_a_game_hides_no_other_that_is_unfinished(desk: Desk) -> None:
    waits = desk.match.number
    desk.settle()
    of = {"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]}
    match = desk.evening.begin(of)
    rng = Random(3)
    while moves := match.session.legal():
        assert desk.evening.unfinished is None, "one is being played"
        match.act(event_data(rng.choice(moves).pick(rng.choice)))
    desk.settle()
    assert match.view["over"] and desk.evening.unfinished and desk.evening.unfinished.number == waits
    match.act({"event": "undo"})
    desk.settle()
    assert desk.evening.unfinished is None


def test_an_unfinished_game_goes_on_at_exactly_the_same_point(desk: Desk, tmp_path: Path) -> None:
    choose_by_card(desk, "red 5", "blue 9")
    desk.act("undo")
    desk.act("choose", "blue", card="blue 7")
    desk.settle()
    before = desk.match
    desk.store.close()
    again = Desk(tmp_path / "store.sqlite3")
    try:
        assert again.evening.unfinished and again.evening.unfinished.events == 6
        again.evening.resume()
        assert again.match.session.state == before.session.state
        assert (again.match.view, again.match.header.board) == (before.view, BOARD)
        assert [r.rulings for r in again.match.log] == [r.rulings for r in before.log]
        for _ in range(4):
            again.act("undo")
        assert again.match.session.last is None
        assert (again.evening.regulars.names, again.evening.regulars.last_table["seats"]) == (["Anna"], TABLE["seats"])  # type: ignore[index]
    finally:
        again.store.close()


def test_a_disk_that_fails_is_reported_and_the_game_goes_on_in_memory(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    write, full = Database.write, True

    def sometimes(db: Database, works: Any) -> None:
        if full:
            raise sqlite3.OperationalError("database or disk is full")
        write(db, works)

    monkeypatch.setattr(Database, "write", sometimes)
    desk.act("choose", "red", card="red 5")
    desk.settle()
    assert desk.evening.trouble and "full" in desk.evening.trouble
    assert desk.match.view["chosen"] == ["red"]
    full = False
    while desk.evening.trouble:
        desk.woken.wait()
        desk.woken.clear()
    assert len(desk.store.load(1).events) == 3


def test_a_fist_that_was_closed_before_the_game_counts(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "store.sqlite3")
    try:
        desk.evening.devices.inbox.put(Press("red", True, 5, edge=False))
        desk.evening.devices.inbox.put(Press("white", True, 5))
        desk.evening.drain()
        desk.evening.begin(TABLE)
        assert desk.match.closed == {"red"}
    finally:
        desk.store.close()


def test_strangers_are_refused_and_sick_devices_named(desk: Desk) -> None:
    before = desk.match.view
    desk.hear(
        Reading("centre", "FFFF", True, 1), Reading("purple", "RED5", True, 2), Press("white", True, 3),
        Health("reader centre", False, "The cable is loose."),
    )  # fmt: skip
    assert desk.match.view is before
    assert [r.code for r in desk.match.log[-1].rulings] == ["unknown_tag"]
    assert desk.evening.devices.health["reader centre"].detail == "The cable is loose."


def test_a_wrong_table_or_board_is_reported_with_all_mistakes(desk: Desk) -> None:
    with pytest.raises(Mistakes) as found:
        desk.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": ["red"], "options": {"game": "x"}})
    assert len(found.value.found) == 2
    with pytest.raises(Mistakes):
        desk.evening.boards.save("prokonsul", BOARD | {"links": 7})
    assert desk.evening.boards.of("prokonsul") == BOARD


def to_the_last_decision(desk: Desk) -> None:
    """Play a short game of Prokonsul, of which no round was won, up to the decision of its seventh."""
    desk.evening.begin(TABLE | {"options": {"game": "short", "negotiation": "free", "no_decision": True}})
    desk.act("province", province="asia")
    for rank in range(1, 8):
        if rank > 1:
            desk.act("no_decision")
        for seat in TABLE["seats"]:
            desk.act("choose", seat, card=f"{seat} {rank}")
        desk.act("reveal")


def test_the_end_is_noted_and_an_undo_reopens_the_game(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "store.sqlite3")
    try:
        to_the_last_decision(desk)
        desk.act("no_decision")
        desk.settle()
        assert desk.match.view["over"]
        assert desk.store.games()[0].result and next(iter(desk.store.paused()), None) is None
        desk.act("undo")
        desk.settle()
        unfinished = next(iter(desk.store.paused()), None)
        assert desk.store.games()[0].result is None and unfinished and unfinished.number == 1
    finally:
        desk.store.close()


def test_a_correction_after_the_end_reaches_the_series_and_the_store(tmp_path: Path) -> None:
    """Another winner: series and history follow the result, as they do an undo."""
    desk = Desk(tmp_path / "store.sqlite3")
    try:
        to_the_last_decision(desk)
        desk.act("coalition", "red", members=TABLE["seats"])
        desk.settle()
        result, last = desk.match.view["result"], desk.match.session.acts[-1].number
        assert result and result["winners"] == ["red"]
        right = {"event": "coalition", "seat": "blue", "members": TABLE["seats"]}
        desk.match.act({"event": "amend", "act": last, "as": right})
        desk.settle()
        result = desk.match.view["result"]
        assert result
        (winner,) = result["winners"]
        assert winner == "blue" and desk.store.games()[0].outcome["winners"] == [winner]
        scores = desk.evening.sitting.line("prokonsul")["scores"]
        assert [seat for seat, won in scores.items() if won] == [winner]
    finally:
        desk.store.close()


def march(desk: Desk, winner: str, start: int = 0, end: int | None = None) -> None:
    """Moves of a game of Hannibal that this side wins."""
    for seat, from_, to in WON[winner][start:end]:
        desk.act("move", seat, piece="legion", **{"from": from_, "to": to})
    desk.settle()


def stop_in_the_second_game(path: Path) -> None:
    """A series of which blue has won the first game."""
    desk = Desk(path)
    desk.evening.begin(hannibal(None, "Ada", "Bo")[0])
    march(desk, "blue")
    desk.evening.begin(next_table(desk.match.header))
    march(desk, "red", end=4)
    desk.store.close()


def test_a_series_goes_on_after_a_restart(tmp_path: Path) -> None:
    stop_in_the_second_game(tmp_path / "store.sqlite3")

    desk = Desk(tmp_path / "store.sqlite3")
    try:
        evening = desk.evening
        series, over = partial(evening.sitting.line, "hannibal"), partial(evening.sitting.over, "hannibal")
        evening.resume()
        assert series() == {"game": "hannibal", "games": 1, "scores": {"Ada": 1, "Bo": 0}, "winner": None}
        assert next_table(desk.match.header)["players"] == {"blue": "Ada", "red": "Bo"}
        march(desk, "red", start=4)
        assert series() == {"game": "hannibal", "games": 2, "scores": {"Bo": 0, "Ada": 2}, "winner": "Ada"}
        assert over()

        evening.begin({"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]})
        evening.begin(hannibal(None, "Ada", "Bo")[0])
        assert (series()["games"], over()) == (0, False), "it begins a new series"
        march(desk, "red", end=1)
        assert desk.store.earlier(desk.match.number) == []
    finally:
        desk.store.close()


def test_a_deleted_game_is_seen_no_more_and_counts_for_nothing_until_it_is_brought_back(tmp_path: Path) -> None:
    stop_in_the_second_game(tmp_path / "store.sqlite3")

    desk = Desk(tmp_path / "store.sqlite3")
    evening = desk.evening
    evening.resume()
    assert evening.sitting.line("hannibal")["games"] == 1
    evening.delete(1)
    assert evening.sitting.line("hannibal")["games"] == 0
    evening.delete(2)
    assert (evening.match, evening.unfinished, evening.paused()) == (None, None, [])
    desk.settle()  # nothing waits for a game that has been put away
    desk.store.close()

    desk = Desk(tmp_path / "store.sqlite3")
    evening = desk.evening
    try:
        assert (evening.unfinished, list(evening.deleted.games)) == (None, [1, 2])
        assert len(evening.history()) == 2, "nothing of them is lost"
        evening.bring_back(2)
        assert evening.unfinished and evening.unfinished.number == 2
        evening.resume()
        assert (len(desk.match.log), evening.sitting.line("hannibal")["games"]) == (4, 0)
        evening.bring_back(1)
        evening.begin(TABLE)
        evening.resume(2)
        assert evening.sitting.line("hannibal")["games"] == 1
    finally:
        desk.store.close()


def test_a_game_goes_on_though_an_earlier_one_of_its_series_is_spoilt(tmp_path: Path) -> None:
    stop_in_the_second_game(tmp_path / "store.sqlite3")
    with closing(sqlite3.connect(tmp_path / "store.sqlite3")) as db, db:
        db.execute("UPDATE games SET header = '{bad' WHERE number = 1")

    desk = Desk(tmp_path / "store.sqlite3")
    try:
        desk.evening.resume()
        assert (len(desk.match.log), desk.evening.sitting.line("hannibal")["games"]) == (4, 0)
    finally:
        desk.store.close()
