"""Evenings without the table's screen: four phones with cards by hand, and a host who has the page read aloud."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.play.audio_seats import Mute
from companion.play.match import Match
from companion.rules import Choose, Ruling
from companion.rules.readings import Press, Reading, now
from companion.rules.words import name
from companion.voice.spoken_language import Spoken
from tests.support.audio_seat_driver import HELD, LONG, SHORT
from tests.support.hall_board_chromium import Chromium
from tests.support.phone_chromium import Phone, Table
from tests.support.phone_table import PhoneTable, phone_table
from tests.support.playing import match_of
from tests.support.timeouts import waiting

SEATS = ("red", "blue", "green", "yellow")
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
QUESTIONS = ("How things stand", "History", "The table", "Phones")
"""What stands in the first list besides moves."""
WATCH = """if (!globalThis.parse) {
    globalThis.parse = JSON.parse;
    globalThis.came = 0;
    JSON.parse = (text) => {
        const found = parse(text);
        if (found.table) globalThis.seen = found.table;
        if (!found.clock) globalThis.came += 1;
        return found;
    };
}"""
"""Has the page note the view that it was sent last, and how many messages came."""
PRESS = """const all = "#joining button, #entries button:not([aria-disabled]), #number button[type=submit], #back, #toggle, #show";
const it = [...document.querySelectorAll(all)].find((each) => each.textContent === arguments[0] && each.offsetParent);
const before = globalThis.came;
if (it) it.click();
return it ? before : -1;"""


@dataclass
class Player:
    """Somebody with the page in a separate window, at a table that works while the page waits."""

    phone: Phone
    table: PhoneTable
    window: str

    @property
    def match(self) -> Match:
        return match_of(self.table.evening)

    def turn_to(self) -> None:
        self.phone.browser.turn_to(self.window)

    def until(self, condition: str, *arguments: object) -> None:
        self.turn_to()
        self.table.until(lambda: not self.table.evening.waiting and self.phone.run(f"return {condition}", *arguments))

    def press(self, words: str) -> None:
        """Press a button by its words, and wait for the answer."""
        self.turn_to()
        before = self.phone.run(PRESS, words)
        assert before >= 0, (words, self.phone.text())
        self.until("globalThis.came > arguments[0]", before)

    def look(self) -> dict[str, Any]:
        """Return the view, once it is that of the game as it stands."""
        self.until("globalThis.seen.act === arguments[0]", self.match.session.accepted)
        found: dict[str, Any] = self.phone.run("return globalThis.seen")
        return found

    def enter_code(self) -> None:
        self.until("typeof at === 'function' && Boolean(document.getElementById('code'))")
        self.phone.run(WATCH + "at('code').value = arguments[0]; return true", self.table.phones.code)
        self.press("Join")
        self.until("Boolean(document.querySelector('.seats button'))")

    def move(self, random: Random) -> None:
        """Do anything that the first list offers besides questions."""
        before = self.match.session.accepted
        while self.match.session.accepted == before:
            listed = self.look()["list"]
            offered = [of["text"] for of in listed["entries"] if of["text"] not in QUESTIONS]
            if listed["private"] or any(of["private"] for of in listed["entries"]):
                self.phone.run("if (at('show').getAttribute('aria-pressed') !== 'true') at('show').click()")
            if listed["number"]:
                self.press("Confirm")
            else:
                self.press(random.choice(offered) if offered else "Back")


@contextmanager
def player(browser: Chromium, table: PhoneTable, number: int) -> Iterator[Player]:
    """Open the page at a separate address, as a browser keeps one token for each."""
    with browser.visit("about:blank", "window") as window:
        browser.size(390, 844)
        found = Player(Phone(browser, Table(table.server, None)), table, window)  # type: ignore[arg-type] # the table's own queue
        browser.go(f"http://127.0.0.{number}:{table.server.port}/")
        yield found


# -- four phones, and cards by hand ----------------------------------------------------------------------------------------


def lay(table: PhoneTable, match: Match, random: Random) -> None:
    """Lay a card of everybody who is to choose on the reader in the middle, as people do."""
    for seat in match.view["waiting"]:
        (moves,) = (of for of in match.session.legal() if isinstance(of.event, Choose) and of.values["seat"] == (seat,))
        card = str(random.choice(moves.values["card"]))
        for present in (True, False):
            table.evening.devices.inbox.put(Reading("centre", card.upper().replace(" ", ""), present, now()))
        table.until(lambda: not table.evening.waiting and seat not in match.view["waiting"])  # noqa: B023 - called here


def reveal(players: dict[str, Player], match: Match) -> None:
    """Close all fists and, once they are called, open them."""
    for closes in (True, False):
        for seat in match.fists:
            players[seat].look()
            players[seat].until(
                "!at('fist').hidden && at('fist').classList.contains('called') === arguments[0]", not closes
            )
            assert players[seat].phone.run("at('toggle').click(); return true")
            players[seat].table.until(lambda: (seat in match.closed) is closes)  # noqa: B023 - called here
    players[seat].table.until(lambda: not match.fists)


def test_four_phones_and_their_cards_play_a_whole_game_without_the_screen(browser: Chromium, tmp_path: Path) -> None:
    with phone_table(tmp_path, game=False) as table, ExitStack() as stack:
        evening, random = table.evening, Random(51)
        evening.regulars.reveal = "auto"  # a table without buttons
        players: dict[str, Player] = {}
        for number, seat in enumerate(SEATS, 1):
            of = players[seat] = stack.enter_context(player(browser, table, number))
            of.enter_code()
            of.press(name(seat, "en").capitalize())
            if number > 1:  # the first one agrees to the others
                first = players[SEATS[0]]
                if number == 2:
                    first.press("Phones")
                first.until("at('entries').textContent.includes('Yes')")
                assert "wants to join" in first.phone.text("main")
                first.press(f"Yes, it is {name(seat, 'en').capitalize()}")
            of.until("!at('todo').hidden")
        first.press("Back")
        for words in ("A new table", "Prokonsul", "4 players"):
            first.press(words)
        first.press(
            next(
                of["text"]
                for of in first.phone.run("return globalThis.seen")["list"]["entries"]
                if of["text"].startswith("Begin as printed")
            )
        )
        table.until(lambda: evening.match and not evening.waiting)
        match = first.match
        assert match.header.reveal == "fists" and set(match.header.seats) == set(SEATS), "phones are buttons"
        reveals = 0
        while match.session.legal():
            if match.fists:
                reveal(players, match)
                reveals += 1
            elif any(isinstance(of.event, Choose) for of in match.session.legal()) and match.view["waiting"]:
                lay(table, match, random)
            else:
                asked = [*match.view["waiting"], *([match.view["turn"]] if match.view["turn"] else []), *SEATS]
                players[asked[0]].move(random)
            table.until(lambda: not evening.waiting)
        lines = [json.loads(line) for line in match.written.transcript.splitlines()[1:]]
        assert match.view["over"] and reveals > 5 and {line["by"] for line in lines} == {"button", "phone"}
        for of in players.values():
            of.until("/wins$|victory$|^Nobody/.test(document.title) && at('fist').hidden")


# -- a host who does not see ------------------------------------------------------------------------------------------------


class Aloud(Mute):
    """A loudspeaker: what it said, in words."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def loud(self, rulings: Sequence[Ruling], lang: str | None = None) -> None:
        self.said += [Spoken(lang or "en", {}).tr(of.text, **of.facts) for of in rulings]


class Host(Player):
    """A player who has the accessibility tree and a keyboard, and nothing else."""

    def hear(self, words: str) -> None:
        """Wait until the tree has these words."""
        for _ in waiting(lambda: not self.table.evening.waiting and words in self.phone.tree(), self.phone.tree):
            self.table.evening.drain()

    @property
    def buttons(self) -> list[str]:
        """Return the buttons of the page, by their names."""
        return re.findall(r"^ *button '([^']+)'", self.phone.tree(), re.MULTILINE)

    def take(self, begins: str, then: str) -> str:
        """Go to a button by the Tab key and press it; return its name, once something else is heard."""
        self.hear(f"button '{begins}")
        found = next(of for of in self.buttons if of.startswith(begins))
        self.phone.tab_to({"Show mine": "show", "Last five": "five"}.get(found, found))
        self.phone.key("Enter")
        self.hear(then)
        return found


@dataclass
class Button:
    """A button of a table on which nobody has an ear, and what the loudspeaker says to it."""

    table: PhoneTable
    sound: Aloud
    t: int = 0

    def press(self, ms: int = SHORT) -> str:
        """Hold the button for so long; return the last thing that was said."""
        for after, down in ((1_000, True), (ms, False)):
            self.t += after
            self.table.evening.devices.inbox.put(Press("red", down, self.t))
        self.table.evening.drain()
        return self.sound.said[-1]

    def step_to(self, words: str) -> str:
        """Go on to the entry that begins with these words."""
        return next(said for _ in range(40) if (said := self.press()).startswith(words))

    def ask_for_code(self) -> str:
        """Let phones join, from the first word on; return the code's digits."""
        assert self.press(LONG).startswith("To go on in English")
        self.press(HELD)
        for words in ("Phones", "Let phones join"):
            self.step_to(words)
            self.press(HELD)
        return "".join(str(DIGITS.index(digit)) for digit in self.step_to("Code: ").split()[1:])


def seen(match: Match) -> dict[str, Any]:
    """Return the view of Prokonsul."""
    return {**match.view}


def test_a_host_who_does_not_see_begins_an_evening_plays_and_mends_a_mistake(
    browser: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.phones.addresses.addresses", lambda: ["192.168.4.1"])
    with phone_table(tmp_path, game=False, on=False) as table, browser.visit("about:blank", "window") as window:
        evening, sound = table.evening, Aloud()
        evening.regulars.reveal = "auto"  # a table without buttons but the one that wakes it
        evening.be_heard(sound)
        code = Button(table, sound).ask_for_code()
        browser.size(390, 844)
        host = Host(Phone(browser, Table(table.server, None)), table, window)  # type: ignore[arg-type] # the table's own queue
        browser.go(f"http://127.0.0.1:{table.server.port}/")
        host.hear("button 'Join'")
        host.phone.tab_to("code")
        for digit in code:
            host.phone.key(digit)
        host.phone.key("Enter")
        host.take("Red", "heading 'No game is being played.")
        host.hear("Red has joined with a phone.")
        host.take("A new table", "button 'Prokonsul'")
        host.take("Prokonsul", "button '3 players'")
        host.take("3 players", "button 'Begin as printed")
        host.take("Begin as printed", "draw the pawns blind")
        match = host.match
        assert match.header.reveal == "auto", "the others have no buttons"
        host.take("Say the pawn row", "button 'Back'")
        host.take("Red", "heading 'Red: In which order")
        host.take("Blue", "agree on the province")
        host.take("Move the black pawn", "button 'Asia")
        host.take("Asia", "choose a card")
        # it was another province
        host.take("The table", "button 'Correct an earlier move'")
        host.take("Correct an earlier move", "button 'The move of the black pawn, Asia")
        host.take("The move of the black pawn, Asia", "button 'Move the black pawn'")
        host.take("Move the black pawn", "button 'Sicilia")
        host.take("Sicilia", "Corrected")
        assert seen(match)["province"] == "sicilia"
        # a round
        host.take("Show mine", "button '7'")
        host.take("7", "Blue and Green: choose a card")
        for seat, rank in (("blue", 3), ("green", 5)):
            match.act({"event": "choose", "seat": seat, "card": f"{seat} {rank}"})
        host.hear("Red 7, Green 5, Blue 3")
        host.take("Blue with 3", "button 'Confirm'")
        host.take("Confirm", "Blue: answer Red")
        match.act({"event": "answer", "seat": "blue", "accept": True})
        host.hear("Red won the round: choose the province")
        host.hear("alert live assertive")
        host.take("Africa, 25", "Red, Blue and Green: choose a card")
        assert seen(match)["round"] == 2 and seen(match)["province"] == "africa"
