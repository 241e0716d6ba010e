"""Fists at two hubs: whichever is heard first, the reveal is judged by when they opened; and what a gap leaves to be
seen."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from companion.answers.why import why
from companion.play.table import Table
from companion.record.transcript import read_event, read_header
from companion.rules.readings import Health, Press
from companion.session import Session
from drivers.hub.faults import started
from tests.support.evenings import Desk
from tests.support.hub_wire import MS, S, Wire
from tests.support.playing import BOARD, moment_of, opened
from ui.pages import rulings
from ui.table.frame import rail, ruling_line

SEATS = ("red", "blue", "green")
CARDS = ("red 9", "blue 9", "green 5")


@pytest.fixture
def table() -> Table:
    return cards_down()


def cards_down(clock: Callable[[], int] | None = None) -> Table:
    """Prokonsul with every card down, and nobody's fist closed."""
    header = read_header({"tabularium": 1, "game": "prokonsul", "seats": list(SEATS), "board": BOARD})
    table = Table(Session(header.game, header.setup), {}, clock=clock)
    acts: list[dict[str, Any]] = [{"event": "pawns", "order": list(SEATS)}, {"event": "province", "province": "a"}]
    acts += [{"event": "choose", "seat": seat, "card": card} for seat, card in zip(SEATS, CARDS, strict=True)]
    for act in acts:
        assert table.touch(read_event(header, act).event, "touch")[0].ok
    return table


def reveals(table: Table, words: Sequence[Any]) -> list[dict[str, int]]:
    """What each reveal that came of the words says of when fists opened."""
    receipts = [receipt for word in words if isinstance(word, Press) for receipt in table.feed(word)]
    return [dict(opened(receipt) or {}) for receipt in receipts if receipt.verb == "reveal"]


def boxes() -> tuple[Wire, Wire]:
    """Red and blue at one hub, green at another whose power came seven minutes later and whose crystal is off."""
    one, two = Wire(("red", "blue"), 1, ("bl", "bl")), Wire(("green",), 2, ("bl",))
    two.hub.ppm = 45
    one.run(10 * S)
    one.now = two.now = one.now + 420 * S
    two.hub.start(two.now)
    for wire in (one, two):
        wire.plug()
    for _ in range(200):  # 50 s, both on one host
        for wire in (one, two):
            wire.run(250 * MS)
    assert one.now == two.now
    return one, two


@pytest.mark.parametrize("first", [0, 1])
def test_a_host_that_stalls_for_300_ms_reports_the_same_reveal(table: Table, first: int) -> None:
    """The fists open while the host stands still; then it hears one hub after the other, in either order."""
    wires = boxes()
    one, two = wires
    for wire, place in ((one, 0), (one, 1), (two, 0)):
        wire.press(place, True)
    for wire in wires:
        wire.run(500 * MS)
    assert reveals(table, [*one.reported(), *two.reported()]) == []
    assert table.called
    began = one.now
    for wire, place, ms in ((one, 0, 40), (two, 0, 65), (one, 1, 90)):
        wire.hub.button(place, False, began + ms * MS)
        wire.hub.core.tick(wire.hub.time(began + ms * MS) + 13 * MS)
    for wire in (wires[first], wires[1 - first]):
        wire.now = began + 300 * MS
        wire.pump()
    (opened,) = reveals(table, [*wires[first].reported(), *wires[1 - first].reported()])
    assert opened == pytest.approx({"red": 0, "green": 25, "blue": 50}, abs=2)


@pytest.mark.parametrize("order", list(permutations(SEATS)))
def test_fists_that_closed_and_opened_while_the_host_stalled(table: Table, order: Sequence[str]) -> None:
    """Each hub reports closing and opening in one go; whichever is first, they were closed together."""
    closed, opened = {"red": 100, "blue": 120, "green": 150}, {"red": 210, "blue": 200, "green": 230}
    words = [Press(seat, down, of[seat]) for seat in order for down, of in ((True, closed), (False, opened))]
    assert reveals(table, words) == [{"red": 10, "blue": 0, "green": 30}]


@pytest.mark.parametrize("order", list(permutations(SEATS)))
def test_a_fist_that_opened_before_the_last_closed_was_never_together(table: Table, order: Sequence[str]) -> None:
    closed, opened = {"red": 100, "blue": 120, "green": 250}, {"red": 210, "blue": 300, "green": 310}
    words = [Press(seat, down, of[seat]) for seat in order for down, of in ((True, closed), (False, opened))]
    assert reveals(table, words) == [] and not table.called
    again = [Press(seat, down, t) for down, t in ((True, 400), (False, 500)) for seat in order]
    assert reveals(table, again) == [dict.fromkeys(SEATS, 0)]


# -- a gap, as the table sees it -----------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "store.sqlite3")
    desk.evening.boards.save("prokonsul", BOARD)
    desk.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": list(SEATS)})
    desk.act("pawns", order=list(SEATS))
    desk.settle()
    yield desk
    desk.store.close()


def test_a_gap_is_reported_in_the_line_of_rulings_and_the_hub_is_well_again(desk: Desk) -> None:
    desk.hear(Health("box green", False, "away"), Health("hub box", False, "silent"))
    assert [panel.well for panel in rail(moment_of(desk.evening))] == [True, True, False]
    desk.hear(Health("hub box", True, started("box")), Health("box green", True))
    seen = moment_of(desk.evening)
    assert all(panel.well for panel in rail(seen)) and desk.evening.devices.health["hub box"].well
    assert "has restarted" in ruling_line(seen).text and not ruling_line(seen).refused
    found = why(seen.game, seen.tongue, seen.log, rulings.log(seen)[0].ruling)
    assert found and found.lead.text == ruling_line(seen).text
    desk.act("province", province="a")
    desk.settle()
    assert "anew" not in ruling_line(moment_of(desk.evening)).text


def test_a_release_of_which_only_the_level_is_known_answers_nothing(table: Table) -> None:
    for seat in SEATS:
        table.feed(Press(seat, True, 10))
    for seat in SEATS:
        table.feed(Press(seat, False, 20))
    before = table.session.accepted
    table.feed(Press("red", True, 1000))
    assert table.feed(Press("red", False, 5000, edge=False)) == []
    assert table.session.accepted == before and "red" not in table.closed


def test_fists_opened_during_a_power_cut_are_not_late(table: Table) -> None:
    """Nobody knows when that was: the level that is found afterwards makes the reveal, and names no time."""
    for seat in SEATS:
        table.feed(Press(seat, True, 100))
    table.feed(Press("red", False, 200))
    table.feed(Press("blue", False, 230))
    receipts = table.feed(Press("green", False, 9000, edge=False))
    assert [receipt.verb for receipt in receipts] == ["reveal"]
    assert opened(receipts[0]) == {"red": 0, "blue": 30}
    assert "late" not in [ruling.code for ruling in receipts[0].rulings]


def test_a_reveal_of_which_no_time_is_known(table: Table) -> None:
    for down in (True, False):
        receipts = [receipt for seat in SEATS for receipt in table.feed(Press(seat, down, 100, edge=False))]
    assert [opened(receipt) for receipt in receipts] == [None]


@pytest.mark.parametrize(
    ("after", "reported"), [(9000, {"red": 0, "blue": 40}), (500, {"red": 300, "blue": 340, "green": 0})]
)
def test_nobody_is_late_after_a_fist_that_opened_before_the_call_was_said(after: int, reported: dict[str, int]) -> None:
    """Green closed and opened while her hub was away: the call came when that was heard, and the others followed it."""
    now = 0
    table = cards_down(lambda: now)
    for seat in ("red", "blue"):
        table.feed(Press(seat, True, 100))
    now = 8000
    words = [Press("green", True, 150), Press("green", False, 200)]
    words += [Press("red", False, after), Press("blue", False, after + 40)]
    assert reveals(table, words) == [reported]
