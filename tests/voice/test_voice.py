"""A voice at the port, beside the screen: it says what the referee says to everybody, once, and nothing else."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from companion.cli.simulate import play
from companion.play.port import Port, Shown
from companion.record.transcript import event_data, header_data, read_header
from companion.rules import Ruling
from companion.session.receipt import Receipt
from tests.support.evenings import Desk
from tests.support.toy_game import Sat

TABLES = (
    {"game": "prokonsul", "seats": ["red", "blue", "green"], "options": {"game": "short"}},
    {"game": "mercator", "seats": ["red", "blue", "green"]},
    {"game": "caesar", "seats": ["red", "blue"]},
)


class Voice:
    """Says what it hears."""

    def __init__(self, port: Port) -> None:
        self.said: list[Ruling] = []
        port.subscribe(self.hear)

    def hear(self, shown: Shown) -> None:
        self.said += shown.rulings


def act(desk: Desk, event: dict[str, object]) -> Sequence[Receipt]:
    receipts = desk.match.act(event)
    assert all(receipt.ok for receipt in receipts)
    return receipts


def public(receipts: Sequence[Receipt]) -> list[Ruling]:
    return [ruling for receipt in receipts for ruling in receipt.rulings if ruling.seat is None]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["game"])
def test_a_voice_says_each_public_ruling_once_and_recites_nothing(table: dict[str, object], tmp_path: Path) -> None:
    header = read_header({"tabularium": 1, **table})
    events = [event_data(receipt.event) for _, receipt in play(header, Random(3)) if receipt.event]
    desk = Desk(tmp_path / "store.sqlite3")
    voice, done, robot = Voice(desk.evening.port), list[Receipt](), Random(4)
    desk.evening.begin(header_data(header))
    for number, event in enumerate(events):
        if number == len(events) // 2:
            desk.settle()
            assert [ruling for ruling in voice.said if ruling.code != "tries"] == public(done)
            desk.store.close()
            desk = Desk(tmp_path / "store.sqlite3")
            voice, done = Voice(desk.evening.port), []
            desk.evening.resume()
            desk.settle()
            assert voice.said == [], "what was said before the stop is not recited"
        done += act(desk, event)
        if robot.random() < 0.2:
            done += act(desk, {"event": "undo"})
            done += act(desk, event)
        if robot.random() < 0.5:
            desk.settle()  # else several are shown at once
    desk.settle()
    desk.store.close()
    said = [ruling for ruling in voice.said if ruling.code != "tries"]  # which tell of several acts together
    assert desk.match.view["over"] and said == public(done)
    assert [ruling for ruling in voice.said if ruling.code == "undone"]


def test_private_lines_are_not_spoken_aloud() -> None:
    sat = Sat()
    voice = Voice(sat.port)
    sat.bet()
    sat.settle()
    assert {ruling.seat for ruling in sat.match.log[-1].rulings} == {None, "red"}, "there was something to keep"
    assert voice.said and {ruling.seat for ruling in voice.said} == {None}


def test_a_card_that_lies_face_down_makes_no_difference_to_a_voice(tmp_path: Path) -> None:
    before, after = list[list[Ruling]](), list[list[Ruling]]()
    for card in ("red 5", "red 7"):
        desk = Desk(tmp_path / f"{card}.sqlite3")
        voice = Voice(desk.evening.port)
        desk.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "reveal": "auto"})
        act(desk, {"event": "pawns", "order": ["red", "blue", "green"]})
        act(desk, {"event": "province", "province": "asia"})
        act(desk, {"event": "choose", "seat": "red", "card": card})
        desk.settle()
        before.append(list(voice.said))
        act(desk, {"event": "choose", "seat": "blue", "card": "blue 1"})
        act(desk, {"event": "choose", "seat": "green", "card": "green 2"})
        desk.settle()
        after.append(voice.said)
        desk.store.close()
    assert before[0] == before[1] and after[0] != after[1]
