"""A match: what its port says and when, and a rule that fails costs only the act it failed at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.play.evening import Evening
from companion.play.lamps import Mode, lit
from companion.play.port import Port, Shown
from companion.record.store import Store
from companion.rules.cards import DECK
from companion.rules.outline import shape_of
from companion.rules.readings import Press, Reading
from tests.support.evenings import TABLE, Desk
from tests.support.toy_game import SEATS, TOY, Bet, Sat


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "store.sqlite3")
    yield desk
    desk.store.close()


def codes(heard: list[Shown]) -> list[list[str]]:
    return [[ruling.code for ruling in shown.rulings] for shown in heard]


def test_a_game_says_what_is_shown_once_and_when_it_is_safe() -> None:
    sat = Sat()
    assert not sat.heard
    sat.settle()
    assert codes(sat.heard) == [[]] and not sat.heard[0].resumed
    assert sat.bet() == ["bet"]
    sat.match.show()
    assert (len(sat.heard), sat.match.waiting) == (1, 1), "it is not on disk yet"
    sat.bet("blue")
    sat.settle()
    sat.settle()
    assert codes(sat.heard) == [[], ["bet", "bet"]]
    assert [receipt.number for receipt in sat.heard[1].receipts] == [1, 2]
    assert sat.heard[1].view is sat.match.view and sat.heard[1].header is sat.match.header


def test_the_opening_waits_for_its_line_on_disk() -> None:
    sat = Sat(ticket=1)
    sat.match.feed(Press("red", True, 1))
    assert not sat.match.show() and not sat.heard
    sat.paper.safe = 1
    sat.match.show()
    assert [shown.closed for shown in sat.heard] == [{"red"}]


def test_a_disk_that_fails_is_no_reason_to_show_nothing() -> None:
    sat = Sat(ticket=1)
    sat.bet()
    sat.paper.trouble = "The disk is full."
    assert sat.match.show() and codes(sat.heard) == [[], ["bet"]]


def test_private_rulings_are_not_public() -> None:
    sat = Sat()
    sat.bet()
    sat.settle()
    shown = sat.heard[-1]
    assert [ruling.code for ruling in shown.receipts[0].rulings] == ["bet", "whisper"]
    assert [ruling.code for ruling in shown.rulings] == ["bet"]


def test_a_refusal_is_said_too_and_changes_nothing() -> None:
    sat = Sat()
    sat.match.act({"event": "undo"})
    sat.settle()
    assert codes(sat.heard) == [[], ["nothing"]] and not sat.paper.lines


def test_fists_are_said_without_rulings() -> None:
    sat = Sat()
    sat.settle()
    sat.match.feed(Press("red", True, 1))
    sat.match.show()
    sat.match.show()
    assert [(set(shown.closed), shown.called, len(shown.receipts)) for shown in sat.heard[1:]] == [({"red"}, False, 0)]
    sat.bet()
    sat.match.feed(Press("blue", True, 2))
    sat.match.show()
    assert (set(sat.heard[-1].closed), sat.heard[-1].called) == (set(SEATS), False), "the bet is not on disk yet"
    sat.settle()
    last = sat.heard[-1]
    assert (set(last.closed), last.called, tuple(last.fists)) == (set(SEATS), True, SEATS) and codes(sat.heard)[-1] == [
        "bet",
        "open",
    ]


def test_a_resumed_game_is_shown_as_it_stands_and_nothing_is_recited(tmp_path: Path) -> None:
    first = Desk(tmp_path / "store.sqlite3")
    first.evening.begin(TABLE)
    first.act("pawns", order=["red", "blue", "green"])
    first.settle()
    first.store.close()
    again = Desk(tmp_path / "store.sqlite3")
    heard: list[Shown] = []
    again.evening.port.subscribe(heard.append)
    try:
        match = again.evening.resume()
        assert not heard
        again.evening.drain()
        assert [(shown.resumed, shown.receipts, shown.view["phase"]) for shown in heard] == [(True, (), "province")]
        again.act("province", province="asia")
        again.settle()
        assert (heard[-1].resumed, codes(heard)[-1]) == (False, ["province", "round"]) and match.log[1:] == [
            *heard[-1].receipts
        ]
    finally:
        again.store.close()


def test_one_port_serves_the_games_of_an_evening_and_latecomers_hear_how_it_stands(desk: Desk) -> None:
    early: list[Shown] = []
    late: list[Shown] = []
    end = desk.evening.port.subscribe(early.append)
    desk.evening.begin(TABLE)
    desk.act("pawns", order=["red", "blue", "green"])
    desk.settle()
    desk.evening.port.subscribe(late.append)
    assert [(shown.resumed, shown.receipts, shown.view) for shown in late] == [(True, (), early[-1].view)]
    end()
    end()
    desk.evening.begin({"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]})
    desk.act("place", "red", square="a1")
    desk.settle()
    assert {shown.header.game.name for shown in early} == {"prokonsul"}
    assert {shown.header.game.name for shown in late} == {"prokonsul", "caesar"}


def test_a_listener_that_fails_stops_nobody() -> None:
    port = Port()

    def broken(shown: Shown) -> None:
        raise RuntimeError(shown.view["phase"])

    port.subscribe(broken)
    sat = Sat(port=port)
    sat.bet()
    sat.settle()
    assert codes(sat.heard) == [[], ["bet"]] and len(sat.match.log) == 1


def test_lamps_follow_the_port() -> None:
    sat, shown = Sat(), list[object]()

    def show(modes: object) -> None:
        shown.append(modes)

    sat.port.subscribe(lit(show))
    sat.settle()
    sat.match.feed(Press("red", True, 1))
    sat.match.show()
    on: list[dict[str, Mode]] = [{"red": "blink", "blue": "blink"}, {"red": "on", "blue": "blink"}]
    assert shown == on


# -- faults -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["apply", "legal", "fists", "view", "private"])
def test_a_rule_that_fails_costs_only_the_act(part: str) -> None:
    sat = Sat(part)
    if part == "apply":
        assert sat.bet() == ["bet"]
    before, journaled = sat.match.session.state, list(sat.paper.lines)
    assert sat.bet("blue") == ["fault"]
    sat.settle()
    assert sat.match.session.state is before and sat.paper.lines == journaled
    assert sat.match.session.accepted == len(journaled) == len(sat.match.written.transcript.splitlines()) - 1
    assert codes(sat.heard)[-1][-1] == "fault" and not sat.match.log[-1].ok
    assert sat.match.outlines and sat.match.fists == SEATS, "what was shown can be shown again"


def test_a_touch_that_fails_does_nothing_at_all_and_an_undo_still_works() -> None:
    sat = Sat("read")
    sat.bet()
    sat.match.table.tags["04AA"] = DECK["red 3"]
    sat.match.feed(Reading("centre", "04AA", True, 5))
    sat.match.act({"event": "undo"})
    sat.settle()
    assert codes(sat.heard)[-1] == ["bet", "fault", "undone"]
    assert sat.match.session.last is None


def test_the_end_is_written_down_and_an_undo_takes_it_back() -> None:
    sat = Sat()
    for _ in range(5):
        sat.bet()
    sat.match.act({"event": "undo"})
    assert [(game, bool(result)) for game, result in sat.paper.results] == [(7, True), (7, False)]
    assert sat.paper.lines[0] == (7, 1, '{"event": "bet", "seat": "red", "count": 1}', "touch") and sat.paper.dated


# -- whole numbers ----------------------------------------------------------------------------------------------


def test_unmarked_numbers_form_their_own_kind() -> None:
    assert shape_of(Bet) == (("seat", "seat", True), ("count", "number", True))
    outline = Sat().match.outlines[0]
    assert outline.keys["count"] == ("number", (0, 1, 2)), "everybody may know what can be said: it is no purse"
    assert TOY.blind == {}


def test_an_evening_without_a_game_has_no_match(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")
    try:
        evening = Evening(store)
        assert evening.match is None and not evening.drain()
        assert evening.begin(TABLE) is evening.match
    finally:
        store.close()
