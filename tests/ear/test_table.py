"""What the table may do, by ear: undo, redo, amendments, decisions, the reveal that is counted, the next game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers.editing import draft
from companion.answers.guide import known
from companion.cli.replay import seated
from companion.cli.simulate import play, table
from companion.dialogues import lobby
from companion.ear import LISTENING
from companion.ear import seats as hands
from companion.ear._ear import Ear
from companion.games import position_of
from companion.offers import table_menu as around
from companion.offers.acts import Acts
from companion.offers.change import HIDDEN, OTHERWISE, PART, SO_IT_LIES, Change
from companion.offers.table_menu import TableMenu
from companion.play.audio_seats import WELCOME, Mute
from companion.play.evening import Evening
from companion.play.fists import COUNT_MS, HoldTimer
from companion.play.port import Shown
from companion.play.table import LONG_MS, NO_MS
from companion.record.store import Store
from companion.record.transcript import event_data, read_event
from companion.rules import Amend, Choose, Decide, Redo, Reveal, Ruling, Undo
from companion.rules.menu import Choice, Do, Entry, Number, Then, made
from companion.rules.readings import Press
from companion.rules.words import Tongue
from tests.support.audio_seat_driver import HELD, OneEar
from tests.support.evenings import settle
from tests.support.leaves import leaves
from tests.support.playing import Play
from tests.support.tables import FEW


def settled(then: Then, said: list[Ruling]) -> list[Any]:
    """Every event below, with decisions put to the table on the way."""
    match made(then):
        case Choice(_, entries):
            left = [entry for entry in entries if entry.text != OTHERWISE]  # which never ends
            return [event for entry in left for event in settled(entry.then, said)]
        case Do(act):
            return settled(act(), said)
        case Number() as number:
            return list(leaves(number))
        case tuple() | list():
            return []
        case event:
            return [event]


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_what_an_ear_can_say_for_the_table_is_accepted(name: str, seats: int, options: dict[str, Any]) -> None:
    header, rng = table(games.game(name), seats, options), Random(name)
    seen: set[type] = set()
    for session, _ in play(header, rng):
        if session.standing != 4 and (rng.random() > 0.03 or session.standing < 3):
            continue
        session.receive(Undo())
        said: list[Ruling] = []
        acts = Acts(session.game, session.state, known(header, session), header.seats[0])
        events = settled(TableMenu(session, acts, said.append, Tongue()).choice(), said)
        each = {type(event): event for event in events}.values()  # of the rest, as many as there is time for
        for event in events if len(events) < 80 else [*each, *rng.sample(events, 80)]:
            seen.add(type(event))
            receipt = session.preview(event)
            assert receipt.ok or isinstance(event, Amend), (event, receipt.rulings)
        assert {ruling.code for ruling in said} == {"put", "withdrawn"}
        assert all(ruling.seat is None for ruling in said)
        session.receive(Redo())
    assert seen == {Undo, Redo, Amend, Decide}


def test_a_card_face_down_is_not_amended_but_chosen_anew() -> None:
    header = table(games.game("hannibal"), 2)
    for session, receipt in play(header, Random(3)):
        if receipt.view["phase"] == "choosing" and isinstance(receipt.event, Choose):
            acts = Acts(session.game, session.state, known(header, session), receipt.event.seat)
            events = settled(TableMenu(session, acts, lambda _: None, Tongue()).choice(), [])
            assert not any(isinstance(event, Amend) and event.act == receipt.number for event in events)
            return
    raise AssertionError("nobody chose")


# -- the reveal -------------------------------------------------------------------------------------------------


def duel() -> tuple[Any, int]:
    """Hannibal gegen Rom, both cards down; red has an ear."""
    header = replace(table(games.game("hannibal"), 2), ears=("red",))
    for session, receipt in play(header, Random(1)):
        if receipt.view["phase"] == "choosing" and not receipt.view["waiting"]:
            at = seated(header)
            for act in session.acts:
                at.touch(act.event, "touch")  # type: ignore[arg-type]
            return at, at.session.accepted
    raise AssertionError("no battle")


def pressed(at: Any, seat: str, down: bool, t: int) -> list[str]:
    return [ruling.code for receipt in at.feed(Press(seat, down, t)) for ruling in receipt.rulings]


def test_the_reveal_is_counted_for_those_who_listen() -> None:
    at, before = duel()
    assert pressed(at, "red", True, 1_000) == []
    assert pressed(at, "blue", True, 1_500) == ["count", "open"]
    assert pressed(at, "blue", False, 1_500 + COUNT_MS) == []
    assert "exchange" in pressed(at, "red", False, 1_600 + COUNT_MS)
    assert at.session.acts[-1].event.opened == {"red": 100, "blue": 0}
    assert at.session.accepted == before + 1


def test_who_lets_go_while_it_is_counted_closes_again() -> None:
    at, before = duel()
    pressed(at, "red", True, 1_000)
    pressed(at, "blue", True, 1_500)
    assert pressed(at, "blue", False, 2_000) == ["too_soon"]
    assert pressed(at, "red", False, 9_000) == []
    assert at.session.accepted == before
    pressed(at, "red", True, 10_000)
    assert pressed(at, "blue", True, 10_100) == ["count", "open"]


def test_a_fist_can_be_left_for_the_lists_and_taken_up_again() -> None:
    """Short presses step to the other entries; there, holding takes them and is no fist."""
    at, _ = duel()
    texts = []
    for t in range(1_000, 20_000, 1_000):
        pressed(at, "red", True, t)
        (receipt,) = at.feed(Press("red", False, t + 90))
        texts.append(receipt.rulings[0].text)
    assert texts[0] == hands.FIST == texts[texts[1:].index(hands.FIST) + 1]
    while at.feed(Press("red", True, 30_000)) or True:  # to the entry that chooses anew
        (receipt,) = at.feed(Press("red", False, 30_090))
        if receipt.rulings[0].text not in (hands.FIST, around.GOING_ON, around.TABLE):
            break
    at.feed(Press("red", True, 40_000))
    assert "red" not in at.closed
    at.feed(Press("red", False, 40_000 + NO_MS))


def test_where_fists_are_no_single_ear_turns_up_everybodys_cards() -> None:
    at, before = duel()
    seat, session = "red", at.session
    ways = hands.AudioSeats(session, replace(table(games.game("hannibal"), 2), ears=(seat,)))
    assert not ways.rests(seat, ()), "nobody calls for fists"
    alone = ways._top(seat)
    (reveal,) = [entry for entry in alone.entries if "Reveal" in entry.text]
    asked = made(reveal.then)
    assert isinstance(asked, Choice) and [type(entry.then) for entry in asked.entries] == [Reveal], (
        "it is asked once more"
    )
    ways.rests(seat, (seat, "blue"))
    assert not [entry for entry in ways._top(seat).entries if "Reveal" in entry.text], "fists reveal"
    assert session.accepted == before


PLEA: list[dict[str, Any]] = [
    {"event": "pawns", "order": ["red", "blue", "green"]}, {"event": "province", "province": "asia"},
    *({"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in (("red", 12), ("blue", 9), ("green", 5))),
    {"event": "reveal"}, {"event": "offer", "seat": "red", "to": "blue", "chips": 1}, {"event": "answer", "seat": "blue", "accept": False},
]  # fmt: skip


def corrections(seat: str, *events: dict[str, Any]) -> dict[int, list[Amend]]:
    """Return every correction that a seat's ear can enter after these events, by the act that it corrects."""
    of = Play("prokonsul", "red blue green", ears=[seat])
    for data in events:
        assert of.session.receive(read_event(of.header, data).event).ok
    acts = Acts(of.session.game, of.session.state, known(of.header, of.session), seat)
    (entry,) = [
        one
        for one in TableMenu(of.session, acts, lambda _: None, Tongue()).choice().entries
        if one.text == around.CORRECT
    ]
    listed = made(entry.then)
    assert isinstance(listed, Choice)
    return {
        one.facts["number"]: [event for event in leaves(one.then) if isinstance(event, Amend)] for one in listed.entries
    }


@pytest.mark.parametrize("seat", ["red", "green"])
def test_an_ear_enters_the_correction_of_another_seats_act(seat: str) -> None:
    found = corrections(seat, *PLEA)
    yes = read_event(Play("prokonsul", "red blue green").header, PLEA[-1] | {"accept": True}).event
    assert Amend(8, yes) in found[8]
    assert all(found.values()), "nothing is offered that leads nowhere"


def test_a_correction_of_another_seats_card_tells_nothing_of_its_hand() -> None:
    """Whatever blue holds, red's ear steps through the same."""

    def listed(rank: int) -> Any:
        laid = [event if event.get("seat") != "blue" or event["event"] != "choose" else event | {"card": f"blue {rank}"}
                for event in PLEA[:5]]  # fmt: skip
        return {number: [repr(event) for event in events] for number, events in corrections("red", *laid).items()}

    assert listed(9) == listed(3)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_unasked_a_seat_hears_all_that_it_has(name: str, seats: int, options: dict[str, Any]) -> None:
    header = table(games.game(name), seats, options)
    for session, _ in islice(play(header, Random(name)), 60):
        for seat in header.seats:
            acts = Acts(session.game, session.state, known(header, session), seat)
            held = acts.speech.holds(acts.at, seat, session.view(seat)["private"])
            assert [*around.going_on(acts)][-len(held) :] == [*held] or not held


def test_a_list_without_entries_is_no_place_to_stand_in() -> None:
    ear = Ear("red", lambda: Choice(None, [Entry("A card.", {}, Choice(None, [])), Entry("Pass.")]), tuple, NO_MS)
    said = [ear.press(way, 0, 0).heard[0].text for way in ("next", "take", "next", "next")]
    assert said == ["A card.", "There is nothing to choose from now.", "Pass.", "A card."]


# -- the evening ------------------------------------------------------------------------------------------------


class Notes(Mute):
    """Keeps what is heard."""

    def __init__(self, heard: list[Ruling]) -> None:
        super().__init__()
        self.heard = heard

    def hear(self, shown: Shown) -> None:
        self.heard += [ruling for receipt in shown.receipts for ruling in receipt.rulings]

    def aside(self, rulings: Sequence[Ruling]) -> None:
        self.heard += rulings


class Sitting:
    """An evening on disk with one ear, and what it hears."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder / "tabularium.sqlite3")
        self.evening = Evening(self.store, listening=LISTENING)
        self.evening.ears = ("red",)
        self.heard: list[Ruling] = []
        self.evening.be_heard(Notes(self.heard))
        self.t = 0

    def press(self, ms: int) -> Ruling:
        self.t += 5_000
        self.evening.devices.inbox.put(Press("red", True, self.t))
        self.evening.devices.inbox.put(Press("red", False, self.t + ms))
        self.heard.clear()
        settle(self.evening)
        return self.heard[-1] if self.heard else Ruling("nothing", "", "")

    def until(self, text: str) -> Ruling:
        """Steps to the entry that says this."""
        said = [self.press(90) for _ in range(12)]
        assert text in {ruling.text for ruling in said}, [ruling.text for ruling in said]
        while (ruling := self.press(90)).text != text:
            pass
        return ruling


def test_an_evening_by_ear_begins_continues_and_goes_on(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    assert sitting.press(90).text == lobby.BUTTON, "nobody has played here"
    assert sitting.press(90).text == lobby.NEW
    people = {"red": "Anna", "blue": "Ben", "green": "Chiara"}
    header = {"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"], "players": people}
    sitting.evening.begin(header)
    assert sitting.evening.match and sitting.evening.match.header.ears == ("red",)
    sitting.evening.match.act({"event": "flip", "seat": "red", "card": "red 7"})
    sitting.store.close()

    again = Sitting(tmp_path)
    assert again.press(90).text == lobby.CONTINUE
    assert again.press(NO_MS).code == "nothing"
    match = again.evening.match
    assert match and match.header.players == people
    again.store.close()

    other = Sitting(tmp_path)
    said = [other.press(90) for _ in range(12)]
    found = {str(ruling.facts["game"].text) for ruling in said if ruling.text == lobby.AGAIN}
    assert {"Mercator", "Spartacus", "Prokonsul"} <= found and "Hannibal gegen Rom" not in found
    other.store.close()


def test_play_reads_hardware_lines_and_says_what_is_heard(tmp_path: Path) -> None:
    """The command itself: one process, JSON in and out, mistakes on the side."""
    (tmp_path / "config.yaml").write_text("data: here\n")
    lines = ["# Anna looks round", ""]
    for t, ms in ((1_000, 90), (2_000, LONG_MS), (6_000, 90), (7_000, NO_MS), (9_000, NO_MS)):
        lines += [json.dumps({"button": "red", "down": down, "t": at}) for down, at in ((True, t), (False, t + ms))]
    lines += ["nonsense", '{"event": "undo"}']
    command = [sys.executable, "-m", "companion", "--config", str(tmp_path / "config.yaml"), "play", "spartacus",
               "--ears", "--players", "Anna,Ben,Chiara"]  # fmt: skip
    ran = subprocess.run(command, input="\n".join(lines).encode(), capture_output=True, check=False)
    assert ran.returncode == 2
    said = [json.loads(line) for line in ran.stdout.splitlines()]
    assert all(set(line) == {"line", "to", "say", "sound"} for line in said)
    assert {line["to"] for line in said} == {"all", "red", *()} | {line["to"] for line in said} & {"blue", "green"}
    assert any(line["to"] == "all" and "Anna" in line["say"] for line in said)
    wrong = ran.stderr.decode().splitlines()
    assert [line[:5] for line in wrong] == ["-:13:", "-:14:"]


def played(folder: Path, lines: Sequence[dict[str, Any]], *words: str) -> list[dict[str, Any]]:
    """What the command says to these lines of hardware, piped in at once."""
    (folder / "config.yaml").write_text(f"data: {folder / 'here'}\n")
    command = [sys.executable, "-m", "companion", "--config", str(folder / "config.yaml"), "play", *words]
    given = "\n".join(map(json.dumps, lines)).encode()
    ran = subprocess.run(command, input=given, capture_output=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def presses(*each: tuple[str, int], t: int = 1_000) -> list[dict[str, Any]]:
    """Each button, and for how many ms it is held, a second apart."""
    found = []
    for button, ms in each:
        found += [{"button": button, "down": down, "t": at} for down, at in ((True, t), (False, t + ms))]
        t += ms + 1_000
    return found


def test_lines_piped_in_at_once_come_to_their_end(tmp_path: Path) -> None:
    """Each line is a moment; every moment once began another timer, until nothing else was done."""
    rng = Random(1)
    each = [(rng.choice(["red", "blue", "green"]), rng.choice([100, 100, 100, 700, 700, 2_000])) for _ in range(300)]
    said = played(tmp_path, presses(*each), "spartacus", "--seats", "3", "--ears", "all")
    assert max(line["line"] for line in said) > 590


def test_play_greets_ears_and_speaks_the_language_that_one_of_them_takes(tmp_path: Path) -> None:
    """Button, new table, language; then down to German, which is taken; then to a second button."""
    down = [("red", 90)] * 3 + [("red", NO_MS), ("red", NO_MS), ("back red", 90)]
    said = played(tmp_path, presses(*down), "--ears", "red")
    assert [(line["to"], line["say"]) for line in said[:2]] == [
        ("red", WELCOME.full),
        ("red", "How the button works."),
    ]
    heard = [line["say"] for line in said]
    assert "Sprache: Deutsch." in heard[:-1], heard


class Clock:
    """The hardware's, moved by hand."""

    def __init__(self) -> None:
        self.t = 0

    def __call__(self) -> int:
        return self.t


class Live:
    """An evening with a clock, in memory of what the port says."""

    def __init__(self, folder: Path, table: dict[str, Any], ears: tuple[str, ...]) -> None:
        self.clock, self.store = Clock(), Store(folder / "tabularium.sqlite3")
        self.evening = Evening(self.store, clock=self.clock, listening=LISTENING)
        self.evening.ears = ears
        self.shown: list[Shown] = []
        self.evening.port.subscribe(self.shown.append)
        self.match = self.evening.begin(table)
        self.settle()

    def settle(self) -> list[str]:
        """The codes that are newly shown."""
        before = len(self.shown)
        settle(self.evening)
        fresh = self.shown[before:]
        return [ruling.code for shown in fresh for receipt in shown.receipts for ruling in receipt.rulings]

    def at(self, t: int, *words: Press | HoldTimer) -> list[str]:
        self.clock.t = t
        for word in words:
            self.evening.devices.inbox.put(word)
        return self.settle()


def test_open_is_said_and_shown_once_it_has_been_counted(tmp_path: Path) -> None:
    seats = ["red", "blue", "green"]
    live = Live(tmp_path, {"tabularium": 1, "game": "mercator", "seats": seats}, ("blue",))
    live.match.act({"event": "flip", "seat": "red", "card": "red 7"})
    live.match.act({"event": "auction", "seat": "red"})
    live.settle()
    assert live.at(10_000, *(Press(seat, True, 10_000) for seat in seats)) == ["count"]
    assert not live.match.called
    assert live.at(10_000 + COUNT_MS - 1, HoldTimer(10_000 + COUNT_MS - 1)) == []
    assert live.at(10_000 + COUNT_MS, HoldTimer(10_000 + COUNT_MS)) == ["open"]
    assert live.match.called and live.shown[-1].called
    assert "revealed" in live.at(13_000, *(Press(seat, False, 13_000) for seat in seats))
    live.store.close()


def test_a_number_is_heard_while_it_runs(tmp_path: Path) -> None:
    seats = ["red", "blue", "green"]
    live = Live(tmp_path, {"tabularium": 1, "game": "mercator", "seats": seats, "reveal": "auto"}, ("blue",))
    for event in ({"event": "flip", "seat": "red", "card": "red 7"}, {"event": "auction", "seat": "red"},
                  {"event": "reveal"}):  # fmt: skip
        live.match.act(event)
    live.settle()
    live.at(1_000, Press("blue", True, 1_000), Press("blue", False, 1_090))  # the bid
    live.at(2_000, Press("blue", True, 2_000), Press("blue", False, 2_000 + NO_MS))
    live.at(3_000, Press("blue", True, 3_000), Press("blue", False, 3_090))  # more
    live.at(5_000, Press("blue", True, 5_000))
    assert live.shown[-1].pressed == {"blue"}
    assert live.at(5_300, HoldTimer(5_300)) == []
    heard = [live.at(t, HoldTimer(t)) for t in range(5_600, 9_000, 120)]
    assert [] in heard and ["ear_counts"] in heard  # each number once
    assert {code for codes in heard for code in codes} == {"ear_counts", "ear_ticks"}  # every fifth is spoken
    log = [ruling.code for receipt in live.match.log for ruling in receipt.rulings]
    assert not any(code.startswith("ear") for code in log)
    live.store.close()


def test_after_a_game_the_next_one_is_begun_by_ear(tmp_path: Path) -> None:
    live = Live(tmp_path, {"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]}, ("red",))
    for _, receipt in play(live.match.header, Random(2)):
        live.match.act(event_data(receipt.event))  # type: ignore[arg-type]
    live.settle()
    assert live.match.view["over"]
    said: list[str] = []
    for t in range(1_000_000, 1_040_000, 5_000):
        live.at(t, Press("red", True, t), Press("red", False, t + 90))
        said.append(live.shown[-1].receipts[-1].rulings[0].text)
        if said[-1] == lobby.NEXT:
            break
    live.at(2_000_000, Press("red", True, 2_000_000), Press("red", False, 2_000_000 + NO_MS))
    assert live.evening.match is not live.match
    assert live.evening.match and live.evening.match.header.seats == ("blue", "green", "red")  # S-13
    live.store.close()


def test_play_knows_the_enrolled_deck_and_counts_by_the_lines_own_time(tmp_path: Path) -> None:
    """A card that is enrolled is known; "open" is said once its time has come, and not with "three, two, one"."""
    (tmp_path / "config.yaml").write_text("data: here\npress: {no_ms: 2000}\n")
    tags = {seat: f"04A1{at:02}" for at, seat in enumerate(("red", "blue", "green"))}
    with closing(Store(tmp_path / "here" / "tabularium.sqlite3")) as store:
        for seat, tag in tags.items():
            store.enrol(tag, f"{seat} 3", "box")
    lines: list[dict[str, Any]] = []
    for t, tag in enumerate(tags.values()):
        lines += [
            {"reader": "centre", "tag": tag, "present": there, "t": 1_000 * t + ms}
            for there, ms in ((True, 0), (False, 500))
        ]
    lines += [{"button": seat, "down": True, "t": 5_000} for seat in tags]
    lines += [{"button": seat, "down": False, "t": 7_600 + at} for at, seat in enumerate(tags)]
    command = [
        sys.executable,
        "-m",
        "companion",
        "--config",
        str(tmp_path / "config.yaml"),
        "play",
        "mercator",
        "--ears",
    ]
    typed = "\n".join(map(json.dumps, lines)).encode()
    ran = subprocess.run(command, input=typed, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    said = [json.loads(line) for line in ran.stdout.splitlines()]
    assert said[0]["line"] == 0, "it speaks before anything is typed"
    assert any("three" in line["say"] and "red" in line["say"].lower() for line in said), "the deck is known"
    (opened,) = (line for line in said if line["sound"] == "open")
    (counted,) = (line for line in said if "three, two, one" in line["say"].lower())
    assert (counted["line"], opened["line"]) == (9, 10), "two and a half seconds later, by the lines"
    assert said[-1]["line"] >= 12, "and the fists have opened"


def test_what_lies_otherwise_is_decided_by_ear_part_by_part(tmp_path: Path) -> None:
    """T-9: a counter of Caesar's that nobody entered; put to the table in words, and done once all agree."""
    ear = OneEar(tmp_path)
    ear.evening.begin({"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]})
    ear.settle()
    match = ear.evening.match
    assert match
    for seat, square in (("red", "a1"), ("blue", "b1")):
        match.act({"event": "place", "seat": seat, "square": square})
    ear.home()
    ear.take(around.TABLE)
    ear.take(around.DECIDES)
    ear.take(OTHERWISE)
    assert ear.take(HIDDEN, part="Blue's hand") == ["Only Blue can change that, with Blue's button."]
    ear.take(PART, part="Charlie three", now="nothing")
    ear.press(HELD)  # the first of its fields: whose
    ear.take("{value}.", value="Red")
    said = ear.take(SO_IT_LIES)[0]
    assert said.startswith("Red proposes: On the table it is different: ") and "Charlie three: Red and one" in said
    ear.take(around.ALL_AGREE)
    board: Any = {**match.view}["board"]
    assert match.log[-1].ok, [ruling.text for ruling in match.log[-1].rulings]
    assert board["c3"]["owner"] == "red" and match.log[-1].verb == "decide"
    ear.close()


@pytest.mark.parametrize("name", games.NAMES)
def test_every_part_of_a_position_can_be_changed_by_ear(name: str) -> None:
    """Each leads to a position that is whole again; what only another seat may know is not offered."""
    if not position_of(name).writes:
        return
    header, rng = table(games.game(name), games.game(name).seats[0], {}), Random(name)
    tried = decided = 0
    for session, receipt in play(header, rng):
        if receipt.number % 9 or receipt.view["over"] or tried > 4:
            continue
        tried += 1
        made_of, seat = draft(session.game, session.setup, session.state), header.seats[0]
        change = Change(
            made_of, seat, lambda *_: (), lambda *given: Choice(None, [Entry("", {}, Decide("x", given[2]))])
        )
        for entry in change.choice().entries:
            for leaf in islice(values(made(entry.then)), 40):
                if not isinstance(leaf, Do):
                    continue
                came = made(leaf.act())  # the event, or what is wrong with it
                assert came
                if isinstance(came, Choice):
                    decision = came.entries[0].then
                    assert isinstance(decision, Decide) and session.preview(decision).ok, decision
                    decided += 1
        told = {str(part.path) for part in made_of.parts if part.secret and part.of != seat}
        own = [entry for entry in change.choice().entries if entry.text != HIDDEN]
        assert len(own) <= len(made_of.parts) - len(told)
    assert tried and decided


def values(then: Then, deep: int = 2) -> Iterator[object]:
    """What each value of a part leads to."""
    match then:
        case Choice(_, entries) if deep:
            for entry in entries:
                yield from values(made(entry.then), deep - 1)
        case Number(_, least, most, goes_on):
            yield from (made(goes_on(value)) for value in {least, most})
        case _:
            yield then
