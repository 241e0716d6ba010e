"""The phones' page at a real table: joining, playing by keyboard among others who play on the screen, and its seat kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli import simulate
from companion.record.transcript import event_data, header_data
from tests.support.hall_board_chromium import Chromium
from tests.support.phone_chromium import MARKS, Phone, Table
from tests.support.phone_states import PEOPLE, SEATS
from tests.support.phone_table import PhoneTable, phone_table

OTHERS = ("How things stand", "History", "The table", "Phones")
"""What else stands in the first list."""
TRIES = 6
MOVES = 8
"""So many moves of a game are made by phone; then it is played to its end."""


@dataclass
class Seat:
    """A player with the page and a keyboard; the table works while the page waits."""

    phone: Phone
    table: PhoneTable

    def until(self, condition: str) -> None:
        self.table.until(lambda: self.phone.run(f"return {condition}") and not self.table.evening.waiting)

    def press(self, words: str) -> None:
        """Press the button with these words by keyboard, and wait for what the table answers."""
        before = self.phone.run(MARKS + "return globalThis.came")
        found = """const it = [...document.querySelectorAll("#joining button, #entries button:not([aria-disabled]), #number button[type=submit], #back")]
            .find((each) => each.textContent === arguments[0]); it.focus(); return true"""
        assert self.phone.run(found, words)
        self.phone.key("Enter")
        self.until(f"globalThis.came > {before}")

    @property
    def entries(self) -> list[str]:
        found: list[str] = self.phone.run(
            "return [...at('entries').querySelectorAll('button:not([aria-disabled])')].map(each => each.textContent)"
        )
        return found

    def move(self, random: Random) -> bool:
        """Do anything that the first list offers besides questions; return whether the game went on."""
        match = self.table.evening.match
        assert match
        before = match.session.accepted
        for _ in range(TRIES):
            offered = [text for text in self.entries if text not in OTHERS]
            for _ in range(TRIES):
                if self.phone.run("return Boolean(at('number').querySelector('input'))"):
                    self.phone.run("at('number').querySelector('input').value = arguments[0]", random.randrange(4))
                    self.press("Confirm")
                elif offered:
                    self.press(random.choice(offered))
                offered = self.entries
                if self.phone.run("return at('back').hidden"):
                    break
            if match.session.accepted > before:
                return True
            while not self.phone.run("return at('back').hidden"):
                self.press("Back")
        return False


@contextmanager
def seated(folder: Path, browser: Chromium, name: str) -> Iterator[Seat]:
    """Begin a game, and let a phone join the first seat by the picture on the screen."""
    with phone_table(folder, game=False) as table:
        header = simulate.table(games.game(name), SEATS[name])
        table.evening.begin({**header_data(header), "players": dict(zip(header.seats, PEOPLE, strict=False))})
        table.until(lambda: not table.evening.waiting)
        with browser.visit("about:blank"):
            browser.size(390, 844)
            browser.go(f"http://127.0.0.1:{table.server.port}/#{table.invitation}")
            seat = Seat(Phone(browser, Table(table.server, None)), table)  # type: ignore[arg-type] # the table's own queue
            seat.until("typeof at === 'function' && document.querySelector('.seats button')")
            seat.press(PEOPLE[0])
            table.phones.agree(header.seats[0])
            seat.until("!at('todo').hidden")
            yield seat
        assert not [of for of in browser.log() if "WebSocket" not in of]


def moves(seat: Seat) -> list[Any]:
    match = seat.table.evening.match
    assert match
    return [of for of in match.session.acts if of.event]


@pytest.mark.parametrize("name", sorted(SEATS))
def test_a_game_is_played_to_its_end_with_a_phone_and_a_keyboard(browser: Chromium, tmp_path: Path, name: str) -> None:
    with seated(tmp_path, browser, name) as seat:
        random, match, mine = Random(name), seat.table.evening.match, 0
        assert match
        own = match.header.seats[0]
        seat.phone.run("at('show').focus()")
        seat.phone.key(" ")
        while legal := match.session.legal():
            if mine < MOVES and seat.phone.run("return !at('yours').hidden") and seat.move(random):
                mine += 1
                continue
            match.act(event_data(random.choice(legal).pick(random.choice)))
            if mine < MOVES:
                seat.table.until(lambda: not seat.table.evening.waiting)
                seat.until("true")
        seat.table.until(lambda: not seat.table.evening.waiting)
        by = [line for line in match.written.transcript.splitlines() if '"by":"phone"' in line.replace(" ", "")]
        assert len(by) >= min(mine, 3) and mine >= 3, (mine, by)
        assert f'"{own}"' in match.written.transcript
        seat.until("document.title === at('head').textContent && at('fist').hidden")
        assert match.view["over"] and seat.phone.violations() == []


def test_a_seat_is_kept_and_lost(browser: Chromium, tmp_path: Path) -> None:
    with seated(tmp_path, browser, "spartacus") as seat:
        head = seat.phone.text("h1")
        assert seat.phone.run("return location.hash") == "" and "Anna Weber" in seat.phone.text("#own")
        seat.phone.run("location.reload()")
        seat.until("typeof at === 'function' && at('todo') && !at('todo').hidden")
        assert seat.phone.text("h1") == head
        seat.table.phones.forget("red")
        seat.until("at('urgent').textContent.includes('forgotten') && at('todo').hidden && Boolean(at('code'))")
        assert "hold" not in seat.phone.text("main").lower()


def test_a_wrong_code_is_said_and_the_right_one_lets_in(browser: Chromium, tmp_path: Path) -> None:
    with seated(tmp_path, browser, "spartacus") as seat:
        seat.table.phones.forget("red")
        seat.until("Boolean(document.getElementById('code')) && at('urgent').textContent.includes('forgotten')")
        right = seat.table.phones.code
        for code in (f"{(int(right) + 1) % 10**6:06}", right):
            seat.phone.run("at('code').value = ''; at('code').focus()")
            for digit in code:
                seat.phone.key(digit)
            seat.phone.key("Enter")
            if code != right:
                seat.until("at('urgent').textContent.includes('not the code')")
                assert seat.phone.focused() == "code"
        seat.until("document.querySelectorAll('.seats button').length === 4")
