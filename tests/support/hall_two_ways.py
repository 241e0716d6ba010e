"""One evening, run by its organiser at the terminal and by the page in a real browser: both must come to the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any, Protocol

from companion.cli import main
from companion.hall import setup
from companion.hall._stand import Stand
from companion.hall.control_socket import SOCKET, STORE, ControlSocket
from companion.hall.organiser import Organiser
from companion.hall.page import code_of
from companion.hall.published import stand
from companion.hall.records import Payload, checksum
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.hall.ticket import Ticket
from companion.rules import result
from tests.support.hall_board_chromium import Chromium
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import until

Scores = Mapping[str, int]


@dataclass
class Evening:
    """A hall with its broker; what its tables would send goes straight into the store."""

    running: Running
    service: HallService
    folder: Path

    @property
    def now(self) -> Stand:
        return self.service.call(stand)

    def ask(self, do: str, **order: Any) -> Payload:
        return self.service.call(lambda of: Organiser(of).answer({"do": do, **order}))

    def play(self, table: str, number: int, random: Random, *, against: int = 0, approve: bool = True) -> Scores:
        """Play a game from its beginning to the last approval; return its scores.

        The first `against` of the players say that the result is not right.
        """
        now = self.now
        seated = next(of.seated for of in now.outcomes if of.key == (number, table))
        device = next(one for one in now.evening.rounds if one.number == number).device(table)
        key = {"game": 10 * number + int(table), "begun": f"2026-11-21T1{number}:00:00+01:00"}
        header = {"tabularium": 1, "game": seated.game, "seats": list(seated.seats), "options": dict(seated.options),
                  "evening": now.evening.mark, "ids": dict(seated.seats)}  # fmt: skip
        scores = dict(zip(seated.seats, random.sample(range(40), len(seated.seats)), strict=True))
        told = result(scores)
        crc = checksum(told)
        words: list[tuple[str, Payload]] = [
            ("header", {**key, "header": header, "round": number}),
            ("result", {**key, "number": 1, "result": told, "crc": crc}),
        ]
        for at, seat in enumerate(seated.seats if approve else ()):
            words.append(("approval", {**key, "seat": seat, "crc": crc, "approves": at >= against}))

        def send(store: HallStore) -> None:
            for kind, payload in words:
                store.take(kind, device, payload)

        self.service.call(send)
        return scores

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        """Keep the disk full meanwhile: not a page more can be written."""
        self.service.call(lambda of: of._db.execute("VACUUM"))
        (pages,) = self.service.call(lambda of: of._db.execute("PRAGMA page_count").fetchone())
        self.service.call(lambda of: of._db.execute(f"PRAGMA max_page_count = {pages}").fetchone())
        try:
            yield
        finally:
            self.service.call(lambda of: of._db.execute("PRAGMA max_page_count = 1000000").fetchone())

    def ends(self) -> tuple[Sequence[tuple[Any, ...]], Sequence[Any]]:
        """Return the final standings, and the reasons for each player's place."""
        now = self.now
        rows = [(row.id, now.evening.people[row.id].name, row.place, row.score, row.ties) for row in now.standings.rows]
        return rows, [self.ask("why", player=f"#{row[0]}")["said"] for row in rows]


@contextmanager
def evening_at(folder: Path) -> Any:
    """Run a hall in this folder, for both ways; yield its evening."""
    with (
        broker(folder) as running,
        closing(HallStore(folder / STORE)) as store,
        closing(HallService("friday", running.as_("hall"), store, code_of(running.plan.address))) as service,
    ):
        service.open()
        until(lambda: service.link.connected)
        door = ControlSocket(folder / SOCKET, service.order)
        with closing(door):
            yield Evening(running, service, folder)


class Way(Protocol):
    """The way in which the organiser gives orders."""

    def join(self, *names: str) -> None: ...
    def leave(self, player: str) -> None: ...
    def rename(self, player: str, name: str) -> None: ...
    def penalty(self, player: str, points: str, reason: str) -> None: ...
    def round(self, seed: int, *games: str, size: str = "") -> None: ...
    def cannot_say(self, text: str) -> str: ...
    def swap(self, one: str, other: str) -> None: ...
    def stand_in(self, gone: str, comes: str) -> None: ...
    def withdraw(self, reason: str) -> None: ...
    def approve(self, table: str, reason: str) -> None: ...
    def settle(self, table: str, number: int, scores: Scores, reason: str, *, correct: bool = False) -> None: ...
    def spare(self, table: str, to: str, reason: str) -> None: ...
    def undo(self, reason: str) -> None: ...
    def clock(self, minutes: int) -> None: ...
    def say(self, text: str) -> None: ...
    def end(self) -> None: ...


class AtTerminal:
    """The commands, as they are typed."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self._config = evening.folder / "config.yaml"
        self._config.write_text(json.dumps({"data": str(evening.folder)}))

    def _type(self, *words: str) -> None:
        assert main(["--config", str(self._config), "hall", *words]) == 0, words

    def join(self, *names: str) -> None:
        self._type("join", *names)

    def leave(self, player: str) -> None:
        self._type("leave", player)

    def rename(self, player: str, name: str) -> None:
        self._type("rename", player, name)

    def penalty(self, player: str, points: str, reason: str) -> None:
        self._type("penalty", player, points, "--reason", reason)

    def round(self, seed: int, *games: str, size: str = "") -> None:
        asked = [word for game in games for word in ("--game", game)]
        self._type("round", *asked, "--tables", "1,2,3,4,5", *(["--size", size] if size else []), "--seed", str(seed))

    def cannot_say(self, text: str) -> str:
        said = TextIOWrapper(BytesIO(), "utf-8")
        with redirect_stderr(said):
            assert main(["--config", str(self._config), "hall", "say", text]) != 0
        said.seek(0)
        return said.read()

    def swap(self, one: str, other: str) -> None:
        self._type("swap", one, other)

    def stand_in(self, gone: str, comes: str) -> None:
        self._type("absent", gone, "--for", comes)

    def withdraw(self, reason: str) -> None:
        self._type("round", "--withdraw", "--reason", reason)

    def approve(self, table: str, reason: str) -> None:
        self._type("result", table, "--reason", reason)

    def settle(self, table: str, number: int, scores: Scores, reason: str, *, correct: bool = False) -> None:
        said = [f"{seat}={score}" for seat, score in scores.items()]
        self._type("amend" if correct else "result", table, *said, "--round", str(number), "--reason", reason)

    def spare(self, table: str, to: str, reason: str) -> None:
        self._type("spare", table, to, "--reason", reason)

    def undo(self, reason: str) -> None:
        self._type("undo", str(self.evening.service.call(lambda of: of.said())[-1]["number"]), "--reason", reason)

    def clock(self, minutes: int) -> None:
        self._type("clock", str(minutes))

    def say(self, text: str) -> None:
        self._type("say", text)

    def end(self) -> None:
        self._type("end")


BUTTON = """
    const [text, place] = arguments, root = document.querySelector('dialog[open]') || document;
    const all = [...root.querySelectorAll((place ? place + ' ' : '') + 'button')];
    return all.find(each => each.textContent === text && each.offsetParent && !each.disabled) || null;
"""


@contextmanager
def at_page(evening: Evening, browser: Chromium) -> Iterator[AtPage]:
    """Open the page of this evening, which ends before it; any complaint of the page fails the test."""
    plan = evening.running.plan
    key = setup.passwords(plan.folder)["organiser"]
    with (
        closing(Ticket(plan.hall, key, f"http://localhost:{plan.desk}")) as ticket,
        browser.visit(f"http://localhost:{plan.desk}/#{ticket.words}"),
    ):
        browser.size(1280, 900)
        browser.until("desk.state !== null")
        yield AtPage(evening, browser)
        assert not browser.log()


def invited(evening: Evening, name: str = "Anna's phone") -> str:
    """Return the address with the code for a phone."""
    address: str = evening.service.order({"do": "invite", "name": name})["invite"]["address"]
    return address


@contextmanager
def at_phone(evening: Evening, browser: Chromium) -> Iterator[AtPage]:
    """Open the page on a phone by a new code; any complaint of the page fails the test."""
    with browser.visit(invited(evening)):
        browser.size(390, 844)
        browser.until("typeof desk === 'object' && desk.state !== null")
        yield AtPage(evening, browser)
        browser.run("localStorage.clear(); sessionStorage.clear()")
        assert not browser.log()


class AtPage:
    """The page in a browser; only what is seen there is touched."""

    def __init__(self, evening: Evening, browser: Chromium) -> None:
        self.evening, self.browser = evening, browser

    def press(self, text: str, place: str = "") -> None:
        """Touch the button with this text, once it is there."""
        self.browser.until(f"(function () {{ {BUTTON} }}).apply(null, arguments)", text, place)
        self.browser.run(f"(function () {{ {BUTTON} }}).apply(null, arguments).click()", text, place)

    def write(self, **fields: object) -> None:
        """Fill in fields of the dialog."""
        for name, value in fields.items():
            self.browser.until("document.querySelector('dialog[open] #field-' + arguments[0])", name.replace("_", "-"))
            self.browser.run(
                """const [name, value] = arguments, found = document.querySelector('dialog[open] #field-' + name);
                if (found.type === 'checkbox') found.checked = value; else found.value = value;""",
                name.replace("_", "-"),
                value,
            )

    def tab(self, name: str) -> None:
        self.press(name, "#tabs")

    def agree(self, reason: str = "") -> None:
        """Confirm the preview of an order; wait until it is done and the page shows it."""
        before = len(self.evening.service.call(lambda of: of.said()))
        if reason:
            self.write(reason=reason)
        self.press("Confirm")
        self.browser.until("!document.querySelector('dialog').open")
        self.browser.until("(desk.state.orders.at(-1) || { number: 0 }).number > arguments[0]", before)

    def player(self, player: str) -> str:
        """Open a player in the list; return the selector of the row."""
        self.tab("Players")
        number = player.removeprefix("#")
        if self.browser.run("return desk.opened") != int(number):
            name = self.evening.now.evening.people[int(number)].name
            self.press(f"\u2068{name}\u2069", f"tr[data-id='{number}']")
        return f"tr[data-id='{number}']"

    def join(self, *names: str) -> None:
        self.tab("Players")
        self.press("Add players …")
        self.write(names="\n".join(names))
        self.press("Preview")
        self.agree()

    def leave(self, player: str) -> None:
        self.press("Check out", self.player(player))
        self.agree()

    def rename(self, player: str, name: str) -> None:
        self.press("Rename …", self.player(player))
        self.write(name=name)
        self.press("Preview")
        self.agree()

    def penalty(self, player: str, points: str, reason: str) -> None:
        self.press("Penalty …", self.player(player))
        self.write(points=points, reason=reason)
        self.press("Preview")
        self.agree()

    def round(self, seed: int, *games: str, size: str = "") -> None:
        self.browser.run(f"Math.random = () => {(seed + 0.5) / 1e9!r}")
        self.tab("Rounds")
        self.press("Seat the next round …")
        self.write(tables="1,2,3,4,5", size=size, **{f"game_{game}": True for game in games})
        self.press("Preview")
        self.agree()
        self.browser.run("shown.round = 0; render()")

    def cannot_say(self, text: str) -> str:
        self.press("Announcement …")
        self.write(text=text)
        self.press("Preview")
        self.press("Confirm")
        self.browser.until("document.querySelector('dialog .refused')")
        said = str(self.browser.run("return document.querySelector('dialog .refused').innerText"))
        self.press("Cancel")
        return said

    def touch(self, player: str) -> None:
        """Touch a player in the plan."""
        found = f"document.querySelector('.person[data-id=\"{player.removeprefix('#')}\"]')"
        self.browser.until(found)
        self.browser.run(f"{found}.click()")

    def swap(self, one: str, other: str) -> None:
        self.tab("Rounds")
        self.touch(one)
        self.touch(other)
        self.agree()

    def stand_in(self, gone: str, comes: str) -> None:
        """Let one player take another's seat by drag and drop, as a mouse does it."""
        self.tab("Rounds")
        self.browser.run(
            """const [one, other] = arguments.map(id => document.querySelector(`.person[data-id="${id}"]`));
            const dataTransfer = new DataTransfer();
            one.dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
            other.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
            other.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));""",
            comes.removeprefix("#"),
            gone.removeprefix("#"),
        )
        self.agree()

    def withdraw(self, reason: str) -> None:
        self.tab("Rounds")
        last = self.evening.now.evening.rounds[-1].number
        self.press(f"Round {last}", ".rounds")
        self.press("Void this round")
        self.agree(reason)

    def approve(self, table: str, reason: str) -> None:
        self.tab("Rounds")
        self.press("Approve", f".card[data-table='{table}']")
        self.agree(reason)

    def settle(self, table: str, number: int, scores: Scores, reason: str, *, correct: bool = False) -> None:
        self.tab("Rounds")
        self.press(f"Round {number}", ".rounds")
        self.press("Correct result …" if correct else "Enter result …", f".card[data-table='{table}']")
        self.write(reason=reason, **scores)
        self.press("Preview")
        self.agree()

    def spare(self, table: str, to: str, reason: str) -> None:
        self.tab("Rounds")
        self.press("Replace device …", f".card[data-table='{table}']")
        self.write(other=to, reason=reason)
        self.press("Preview")
        self.agree()

    def undo(self, reason: str) -> None:
        last = self.evening.service.call(lambda of: of.said())[-1]["number"]
        self.press(f"Undo order {last}")
        self.agree(reason)

    def clock(self, minutes: int) -> None:
        self.press("Start the clock …")
        self.write(minutes=minutes)
        self.press("Preview")
        self.agree()

    def say(self, text: str) -> None:
        self.press("Announcement …")
        self.write(text=text)
        self.press("Preview")
        self.agree()

    def end(self) -> None:
        self.tab("Evening")
        self.press("End the evening")
        self.agree()


def run(hall: Evening, organiser: Way, names: Sequence[str], rounds: int) -> None:
    """Run an evening with all that goes wrong in one.

    There is a typo, a swap, a full disk, a late comer, a leaver, a stand-in, a device that dies, a round that is
    withdrawn, and results that are contested, missing and corrected. What the tables say is the same each time.
    """
    random = Random(7)

    def play(number: int, **first: Any) -> None:
        its = [of.seated.table for of in hall.now.outcomes if of.round == number]
        for table in its:
            hall.play(table, number, random, **(first if table == its[0] else {}))

    games = ["mercator", "caesar", "spartacus"]
    organiser.join(*names[:-1], "Bne")
    organiser.rename(f"#{len(names)}", "Ben Berger")
    organiser.say("Welcome")
    organiser.round(11, *games, size="4")
    seated = hall.now.evening.rounds[-1].tables
    organiser.swap(f"#{seated[0].players[0]}", f"#{seated[1].players[1]}")
    organiser.clock(50)
    with hall.full_disk():  # an order fits into a page that is there, or is refused: no matter which, none is lost
        for _ in range(60):
            before = len(hall.service.call(lambda of: of.said()))
            if hall.ask("say", text="x" * 100)["ok"]:
                continue
            assert len(hall.service.call(lambda of: of.said())) == before
            break
        assert "Cannot write to the hall's disk" in organiser.cannot_say("full " * 23)
        assert hall.now.evening.line.startswith("x")
    organiser.say("There is room again")
    play(1, against=1)
    organiser.approve(seated[0].table, "counted once more")
    organiser.join("Late Lena")
    organiser.round(12, "mercator", size="5")
    organiser.withdraw("the wrong game")
    organiser.leave("#3")
    number = 3
    organiser.round(13, *games[:2], size="4")
    one = hall.now.evening.rounds[-1]
    play(number, approve=False)
    for table in (of.table for of in one.tables[:1]):
        organiser.settle(table, number, dict(zip(one.tables[0].seats, (9, 7, 7, 5, 3, 2, 1), strict=False)), "seen")
    organiser.penalty("#2", "1.5", "late twice")
    organiser.undo("it was somebody else")
    organiser.penalty("#1", "1.5", "late twice")
    organiser.join("Stand-in Stan")
    while number < rounds + 1:
        number += 1
        organiser.round(20 + number, games[number % 3], size="4")
        latest = hall.now.evening.rounds[-1]
        if idle := _idle(hall):
            organiser.stand_in(f"#{latest.tables[0].players[-1]}", f"#{idle}")
        if number == 4:  # in the middle of its game a device dies
            hall.play(latest.tables[1].table, number, random, approve=False)
            organiser.spare(latest.tables[1].table, "7", "no power")
        play(number)
    organiser.settle(
        seated[1].table, 1, dict(zip(seated[1].seats, (1, 2, 3, 4, 5, 6, 7), strict=False)), "two cards were swapped",
        correct=True,
    )  # fmt: skip
    organiser.end()


def _idle(hall: Evening) -> int | None:
    """Return a player who is here and has neither a place nor a bye in the last round, None for nobody."""
    now = hall.now.evening
    seated = {player for of in now.rounds[-1].tables for player in of.players}
    byes = set(now.rounds[-1].byes)
    return next((one.id for one in now.people.values() if one.here and one.id not in seated | byes), None)
