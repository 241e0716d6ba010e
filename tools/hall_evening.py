"""Runs an evening of sixty players at fifteen tables by two organisers in a real browser, one of them on a phone, and once
more at the terminal: python -m tools.hall_evening --pictures FOLDER.

Everything goes wrong that goes wrong on such an evening, and broker and hall are killed in between. It counts what the
organisers do, for each round and each trouble, and compares how the two evenings end.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from companion.hall import setup
from companion.hall.link import BrokerLink
from companion.hall.ticket import Ticket
from tests.support.hall_board_chromium import Chromium, chromium
from tests.support.hall_organisers import Effort, Organiser, effort, organiser, since
from tests.support.hall_process import SPARE, AtTerminal, Hall, hall
from tests.support.hall_tables import until

LAPTOP, PHONE = (1366, 768), (390, 844)
PLAYERS = tuple(
    f"{first} {family}"
    for family in ("Albrecht", "Bianchi", "Chen", "Dubois")
    for first in ("Anna", "Ben", "Chiara", "Dan", "Eve", "Femi", "Gül", "Hana", "Ivo", "Jo", "Kai", "Lea", "Mei", "Nils", "Olu")
)  # fmt: skip
LATE, ASKING, LEAVING = PLAYERS[-1], PLAYERS[-3:-1], (PLAYERS[2], PLAYERS[17])
ROUND, TROUBLE = 12, 3
"""The most clicks that a round without trouble may take, and each trouble."""


class Way(Protocol):
    """How the organisers give their orders."""

    def prepare(self, names: Sequence[str]) -> None: ...
    def first_round(self, seed: int) -> None: ...
    def next_round(self, seed: int) -> None: ...
    def join(self, name: str) -> None: ...
    def confirm_requests(self, joins: Sequence[str], leaves: Sequence[str]) -> None: ...
    def leave(self, name: str) -> None: ...
    def approve(self, table: str, number: int, reason: str) -> None: ...
    def spare(self, table: str, to: str, reason: str) -> None: ...
    def withdraw(self, number: int, reason: str) -> None: ...
    def reopen(self, table: str, number: int, reason: str) -> None: ...
    def penalty(self, name: str, points: str, reason: str) -> None: ...
    def plan(self, seed: int) -> None: ...
    def cancel_planning(self) -> None: ...
    def say(self, text: str) -> None: ...
    def end(self) -> None: ...


# -- at the page -----------------------------------------------------------------------------------------------------------


@dataclass
class AtPage:
    """Two organisers: one at a laptop, one at a phone."""

    hall: Hall
    laptop: Organiser
    phone: Organiser

    def _seeds(self, seed: int) -> None:
        for each in (self.laptop, self.phone):
            each.seeds(seed)

    def prepare(self, names: Sequence[str]) -> None:
        self.laptop.click("Name the evening")
        self.laptop.write("field-name", "Open of Saturday")
        self.laptop.enter()
        self.laptop.agree()
        self.laptop.click("Add players")
        self.laptop.write("field-names", "\n".join(names))
        self.laptop.click("Preview")
        self.laptop.agree()

    def first_round(self, seed: int) -> None:
        self._seeds(seed)
        self.laptop.click("Seat round 1")
        self.laptop.click(place="#field-game-mercator")
        self.laptop.click("Preview")
        self.laptop.until("document.querySelector('dialog[open] .told')")
        self.laptop.write("field-clock", "50")
        self.laptop.agree()

    def next_round(self, seed: int) -> None:
        self._seeds(seed)
        number = self.laptop.here().run("return Math.max(...allRounds().map(({ round }) => round)) + 1")
        who = self.phone if number % 2 else self.laptop
        who.click(f"All results are in: seat round {number} …")
        who.agree()

    def join(self, name: str) -> None:
        self.laptop.click("Players", "#tabs")
        self.laptop.write("find-player", name)
        self.laptop.click(f"Check in {name}")
        self.laptop.agree()

    def confirm_requests(self, joins: Sequence[str], leaves: Sequence[str]) -> None:
        self.phone.until("desk.state.requests.length === arguments[0]", len(joins) + len(leaves))
        self.phone.click("Confirm all …")
        self.phone.agree()
        self.phone.agree()

    def leave(self, name: str) -> None:
        self.laptop.click("Players", "#tabs")
        self.laptop.write("find-player", name)
        self.laptop.click("Check out")
        self.laptop.agree()

    def approve(self, table: str, number: int, reason: str) -> None:
        self.phone.click("Approve", f"#needs li[data-key$='/{table}/{number}/']")
        self.phone.agree(reason)

    def spare(self, table: str, to: str, reason: str) -> None:
        self.laptop.click("Replace device …", f"#needs li[data-key='away/{table}//']")
        self.laptop.until("document.getElementById('field-to')")
        assert self.laptop.browser.run("return document.getElementById('field-to').value") == to
        self.laptop.write("field-reason", reason)
        self.laptop.enter()
        self.laptop.agree()

    def withdraw(self, number: int, reason: str) -> None:
        self.laptop.click("Rounds", "#tabs")
        self.laptop.until("shownRound().round === arguments[0]", number)
        self.laptop.click("Void this round")
        self.laptop.agree(reason)

    def reopen(self, table: str, number: int, reason: str) -> None:
        self.laptop.click("Hall", "#tabs")
        self.laptop.click(place=f'.hall-tile[data-key="{table}"]')
        self.laptop.until("openedTable().round.round === arguments[0]", number)
        self.laptop.click("Reopen …")
        self.laptop.agree(reason)

    def penalty(self, name: str, points: str, reason: str) -> None:
        """The page is loaded again while the form is half filled."""
        self.laptop.click("Players", "#tabs")
        self.laptop.write("find-player", name)
        self.laptop.click("Penalty …")
        self.laptop.write("field-points", points)
        self.laptop.reload()
        self.laptop.until("document.getElementById('field-points')?.value === arguments[0]", points)
        self.laptop.write("field-reason", reason)
        self.laptop.enter()
        self.laptop.agree()

    def plan(self, seed: int) -> None:
        """Plan twenty rounds at the laptop, on a computer that takes its time."""
        self._seeds(seed)
        self.laptop.click("Rounds", "#tabs")
        self.laptop.click("Plan rounds ahead …")
        self.laptop.write("field-rounds", "20")
        self.laptop.click(place="#field-game-mercator")
        self.laptop.click("Preview")
        self.hall.stop_planning()

    def cancel_planning(self) -> None:
        """Cancel at the phone what is planned at the laptop."""
        self.phone.click("Cancel", "#needs")
        self.laptop.until("document.querySelector('dialog').innerText.includes('cancelled')")
        self.laptop.click("Cancel")

    def say(self, text: str) -> None:
        self.laptop.click("Announcement …")
        self.laptop.write("field-text", text)
        self.laptop.enter()
        self.laptop.agree()

    def end(self) -> None:
        self.laptop.click("Evening", "#tabs")
        self.laptop.click("End the evening")
        self.laptop.agree()


# -- the evening -----------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What the evening took, by round and by trouble, and what was wrong."""

    rounds: dict[str, Effort] = field(default_factory=dict)
    troubles: dict[str, Effort] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        for what, most, of in (("round", ROUND, self.rounds), ("trouble", TROUBLE, self.troubles)):
            for name, its in of.items():
                yield (f"{what} {name}: {its.clicks} clicks (at most {most}), {its.fields} fields,"
                       f" {its.scrolls} times out of sight, {its.seconds:.0f} s")  # fmt: skip


@dataclass
class Watch:
    """Counts efforts, compares alarms with what is true, and takes pictures."""

    organisers: list[Organiser]
    tally: Tally
    pictures: Path | None = None
    true: set[str] = field(default_factory=set)
    _lately: set[str] = field(default_factory=set)
    _taken: int = 0

    @contextmanager
    def counting(self, name: str, of: dict[str, Effort]) -> Iterator[None]:
        before = effort(self.organisers)
        yield
        its = since(before, effort(self.organisers))
        of[name] = (
            its if name not in of else Effort(**{key: getattr(of[name], key) + getattr(its, key) for key in vars(its)})
        )

    def round(self, name: str) -> Any:
        return self.counting(name, self.tally.rounds)

    def trouble(self, name: str) -> Any:
        return self.counting(name, self.tally.troubles)

    @contextmanager
    def holds(self, *alarms: str) -> Iterator[None]:
        """Expect these alarms, and no others, for as long as the block lasts."""
        self.true.update(alarms)
        self._lately.update(alarms)
        self._wait(alarms, "")
        self.look()
        yield
        self.true.difference_update(alarms)
        self._wait(alarms, "!")
        self.look()

    def _wait(self, alarms: Sequence[str], so: str) -> None:
        """Wait until each page has these alarms, or, with "!", has none of them."""
        found = "desk.state.needs.some((of) => of.alarm && `${of.kind}/${of.table}` === arguments[0])"
        for each in self.organisers:
            for alarm in alarms:
                each.until(f"{so}{found}", alarm)

    def look(self) -> None:
        """Note every false alarm since the last look."""
        for each in self.organisers:
            self.tally.faults += [f"false alarm: {alarm}" for alarm in each.alarms() - self._lately]
        self._lately = set(self.true)

    def until(self, condition: str) -> None:
        """Wait until each page is so."""
        for each in self.organisers:
            each.until(condition)

    def _orders(self) -> int:
        return int(max((each.here().run("return desk.state.orders.length") for each in self.organisers), default=0))

    def picture(self, name: str) -> None:
        if not self.pictures:
            return
        self._taken += 1
        for each in self.organisers:
            each.until("desk.state.orders.length >= arguments[0]", self._orders())
        for each in self.organisers:
            each.here().run("return new Promise(done => setTimeout(done, 250))")
            each.picture(self.pictures / f"{self._taken:02}-{name}-{each.size[0]}.png")


class Unwatched(Watch):
    """For the evening at the terminal, where nothing is counted."""

    def look(self) -> None:
        pass


def run(of: Hall, way: Way, watch: Watch, trouble: Trouble) -> None:
    """Run the evening: five rounds that count, and one that is withdrawn."""
    round_one(of, way, watch)
    round_two(of, way, watch, trouble)
    round_three(of, way, watch, trouble)
    repaired(way, watch)
    for number in (4, 5):
        with watch.round(str(number)):
            way.next_round(10 + number)
        play(of, number + 1)
    watch.look()
    way.say("Thank you all")
    way.end()
    watch.look()
    watch.picture("over")


def play(of: Hall, number: int) -> None:
    """Play a round at all tables to the last approval."""
    for entry in of.begin(number).values():
        of.finish(number, entry)
    of.settle()


def round_one(of: Hall, way: Way, watch: Watch) -> None:
    with watch.round("1 (with name, players and clock)"):
        way.prepare([name for name in PLAYERS if name not in (LATE, *ASKING)])
        watch.picture("prepared")
        way.first_round(11)
    play(of, 1)
    watch.picture("all in")
    with watch.trouble("late comer"):
        way.join(LATE)


def round_two(of: Hall, way: Way, watch: Watch, trouble: Trouble) -> None:
    """Play a round with a contested result and a device that dies, while the broker is killed."""
    with watch.round("2"):
        way.next_round(12)
    seated = of.begin(2)
    of.finish(2, seated["4"], against=1)
    of.settle()
    trouble.dies(of, "7")
    with watch.holds("away/7", "contested/4"):
        watch.picture("contested and away")
        with watch.trouble("contested result"):
            way.approve("4", 2, "counted once more")
        trouble.broker_killed(of)
        with watch.trouble("dead table"):
            way.spare("7", SPARE, "no power")
    until(lambda: of.seated(2)["7"].get("device") == SPARE)
    of.tables[SPARE].begin(of.said["seating"], 2, of.seated(2)["7"])
    for entry in of.seated(2).values():
        if entry["table"] != "4":
            of.finish(2, entry)
    of.settle()
    watch.look()


def round_three(of: Hall, way: Way, watch: Watch, trouble: Trouble) -> None:
    """Have players ask, seat a wrong round, and play the right one while the hall is killed."""
    trouble.asked(of, ASKING, LEAVING)
    watch.until("desk.state.requests.length === 4")
    watch.picture("requests")
    with watch.trouble("requests of four players"):
        way.confirm_requests(ASKING, LEAVING)
    way.next_round(99)
    of.seated(3)
    with watch.trouble("wrong round withdrawn"):
        way.withdraw(3, "the wrong tables")
    way.plan(98)
    with watch.trouble("planning cancelled"):
        way.cancel_planning()
    with watch.round("3"):
        way.next_round(13)
    seated = of.begin(4)
    watch.picture("playing")
    with watch.trouble("hall killed under an order"):
        trouble.hall_killed(of)
    for entry in seated.values():
        of.finish(4, entry)
    of.settle()
    watch.look()


def repaired(way: Way, watch: Watch) -> None:
    """Deduct points, reopen a result, and check out a player."""
    with watch.trouble("penalty, over a reload"):
        way.penalty(PLAYERS[5], "1.5", "late twice")
    with watch.trouble("wrong result reopened"):
        way.reopen("2", 4, "two cards were swapped")
    with watch.holds("otherwise/2"):
        watch.picture("reopened")
        with watch.trouble("leaver"):
            way.leave(PLAYERS[30])
        with watch.trouble("reopened result counts again"):
            way.approve("2", 4, "it was right after all")


class Trouble:
    """What happens to the machines; at the terminal's evening, only what the players notice."""

    def dies(self, of: Hall, table: str) -> None:
        of.tables[table].die()

    def broker_killed(self, of: Hall) -> None: ...
    def hall_killed(self, of: Hall) -> None: ...
    def asked(self, of: Hall, joins: Sequence[str], leaves: Sequence[str]) -> None: ...


@dataclass
class RealTrouble(Trouble):
    """Kills broker and hall, with an order under way each time."""

    page: AtPage

    def broker_killed(self, of: Hall) -> None:
        of.running.kill()
        for each in (self.page.laptop, self.page.phone):
            each.until("shown.link === 'lost'")
        self.page.phone.here().run("globalThis.given = ask({ do: 'say', text: 'The broker was gone' }); return null")
        of.running.start()
        assert self.page.phone.here().run("return globalThis.given.then(({ ok }) => ok)")

    def hall_killed(self, of: Hall) -> None:
        of.kill()
        self.page.laptop.here().run("globalThis.given = ask({ do: 'say', text: 'The hall was gone' }); return null")
        self.page.laptop.until("!at('unanswered').hidden")
        of.start()
        self.page.laptop.click("Ask again")
        assert self.page.laptop.here().run("return globalThis.given.then(({ ok }) => ok)")

    def asked(self, of: Hall, joins: Sequence[str], leaves: Sequence[str]) -> None:
        mark = of.said["seating"]["evening"]
        known = {row["name"]: row["id"] for row in of.said["standings"]["rows"]}
        requests = [("join", None, name) for name in joins] + [("leave", known[name], "") for name in leaves]
        with closing(BrokerLink(of.running.as_(None), subscribed=[], came=lambda _: None)) as link:
            link.open()
            until(lambda: link.connected)
            for at, (do, player, name) in enumerate(requests):
                asked = {"id": f"request{at}", "phone": f"somebody{at}", "do": do, "player": player, "name": name,
                         "evening": mark}  # fmt: skip
                link.publish("tabularium-asked/2/friday/request", json.dumps(asked).encode())
            until(lambda: not link.unacknowledged)


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the ends of two evenings do not have in common."""
    for name, its in one.items():
        if its != other[name]:
            rows = zip(its, other[name], strict=False) if isinstance(its, list) else [(its, other[name])]
            yield f"{name} by terminal and by page: {next((pair for pair in rows if pair[0] != pair[1]), 'another length')}"


def evening(folder: Path, browser: Chromium, pictures: Path | None = None) -> Tally:
    """Run the evening both ways; return what it took and what was wrong."""
    tally = Tally()
    with hall(folder / "terminal") as of:
        run(of, AtTerminal(of), Unwatched([], Tally()), Trouble())
        by_terminal = of.ends()
    with hall(folder / "page") as of, ExitStack() as stack:
        plan = of.running.plan
        desk = f"http://localhost:{plan.desk}"
        ticket = stack.enter_context(closing(Ticket(plan.hall, setup.passwords(plan.folder)[setup.ORGANISER], desk)))
        laptop = stack.enter_context(organiser(browser, f"{desk}/#{ticket.words}", LAPTOP))
        invitation = of.ask("invite", name="Rita's phone")["invite"]["address"]
        phone = stack.enter_context(organiser(browser, invitation, PHONE))
        page = AtPage(of, laptop, phone)
        run(of, page, Watch([laptop, phone], tally, pictures), RealTrouble(page))
        by_page = of.ends()
    tally.faults += differences(by_terminal, by_page)
    for most, efforts in ((ROUND, tally.rounds), (TROUBLE, tally.troubles)):
        tally.faults += [
            f"{name}: {its.clicks} clicks, more than {most}" for name, its in efforts.items() if its.clicks > most
        ]
    return tally


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tools.hall_evening", description=__doc__)
    arguments.add_argument("--pictures", type=Path, help="the folder for pictures of both pages")
    args = arguments.parse_args()
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder) / "browser") as browser:
        tally = evening(Path(folder), browser, args.pictures)
    print(*tally.lines(), *tally.faults, sep="\n")
    with suppress(BrokenPipeError):
        print("Both evenings end alike." if not tally.faults else f"{len(tally.faults)} faults")
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()
