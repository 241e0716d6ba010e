"""The end of a game in a hall: by finger, button and ear every seat says whether the result is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.answers.why import why
from companion.ear import LISTENING
from companion.play._approving import IT_IS, IT_IS_NOT
from companion.play.evening import Evening
from companion.play.hall_status import InterruptedGame, SeatedGame, State, Verdict, seated
from companion.play.lamps import lit
from companion.play.round_clock import RoundClock
from companion.play.table import NO_MS
from companion.record.approvals import approved
from companion.record.store import Store
from companion.record.transcript import event_data
from companion.rules import Undo
from companion.rules.menu import Do
from companion.rules.readings import Press
from companion.rules.words import Tongue
from tests.support.evenings import settle
from tests.support.playing import match_of, moment_of
from ui.table.frame import ruling_line

SEATS = ["red", "blue", "green"]
TABLE = {"tabularium": 1, "game": "spartacus", "seats": SEATS, "players": {"red": "Anna"}}
ROUND = {"rounds": [
    {"round": 2, "tables": [{"table": "5", "game": "spartacus", "options": {}, "seats": [
        {"seat": "red", "id": 1, "name": "Anna"}, {"seat": "blue", "id": 2, "name": None}]}], "byes": []},
    {"round": 3, "tables": [
        {"table": "4", "game": "mercator", "options": {}, "seats": []},
        {"table": "5", "game": "spartacus", "options": {"flags": "none"}, "seats": [
            {"seat": "red", "id": 1, "name": "Anna"}, {"seat": "blue", "id": 2, "name": "Bert"},
            {"seat": "green", "id": 3, "name": None}]}], "byes": []},
]}  # fmt: skip


@dataclass
class Hall:
    """A hall as this table knows it."""

    seated: SeatedGame | None = None
    told: bool = False
    line: str = ""
    spare: InterruptedGame | None = None
    clock: RoundClock | None = None
    board: str = ""
    hall: str = "friday"
    evening: str = "Friday 18:00"
    mark: str | None = None
    table: str = "5"
    state: State = "kept"
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    fresh: bool = False

    def verdict(self, game: int) -> Verdict | None:
        return self.verdicts.get(game)

    def news(self, playing: bool) -> bool:
        fresh, self.fresh = self.fresh, False
        return fresh


class Desk:
    """An evening in a hall, with a game of Spartacus that is over."""

    def __init__(self, path: Path, hall: Hall, **header: Any) -> None:
        self.store, self.lamps = Store(path), dict[str, str]()
        self.evening = Evening(self.store, reveal="auto", listening=LISTENING)
        self.evening.ears = header.pop("ears", ())
        self.evening.join(hall)
        self.evening.port.subscribe(lit(self.lamps.update, lambda: self.evening.approvals))
        self.evening.begin(TABLE | header)
        self.play()

    def play(self) -> None:
        """To the end."""
        match, rng = match_of(self.evening), Random(1)
        while legal := match.session.legal():
            match.act(event_data(rng.choice(legal).pick(rng.choice)))
        self.settle()

    def settle(self) -> None:
        """Drains until everything is on disk and shown."""
        settle(self.evening)

    def press(self, seat: str, ms: int) -> None:
        self.evening.devices.inbox.put(Press(seat, True, 10_000))
        self.evening.devices.inbox.put(Press(seat, False, 10_000 + ms))
        self.settle()

    def say(self, seat: str, right: bool) -> None:
        assert self.evening.approving
        self.evening.approving.say(match_of(self.evening), seat, right)
        self.settle()

    @property
    def said(self) -> list[str]:
        """The codes of what was said at the end."""
        codes = [ruling.code for came in match_of(self.evening).log for ruling in came.public]
        return codes[codes.index("approve") :] if "approve" in codes else []

    @property
    def kept(self) -> Mapping[str, bool]:
        match = match_of(self.evening)
        assert match.view["result"]
        return approved(self.store, match.number, match.view["result"])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "store.sqlite3", Hall())
    yield desk
    desk.store.close()


def test_everybody_is_asked_once_and_a_button_held_says_right(desk: Desk) -> None:
    assert desk.said == ["approve"] and desk.evening.approvals == dict.fromkeys(SEATS)
    assert set(desk.lamps.values()) == {"blink"}
    desk.press("red", NO_MS - 1)
    assert desk.said == ["approve"] and desk.kept == {}
    desk.press("red", NO_MS)
    assert desk.kept == {"red": True} and desk.evening.approvals == {"red": True, "blue": None, "green": None}
    assert desk.lamps == {"red": "on", "blue": "blink", "green": "blink"}
    desk.press("red", NO_MS)  # nothing is left to say
    desk.press("blue", NO_MS)
    desk.press("green", 5 * NO_MS)
    assert desk.said == ["approve", "right", "right", "right", "approved"]
    assert set(desk.lamps.values()) == {"off"} and desk.kept == dict.fromkeys(SEATS, True)


def test_why_still_asks_about_the_game(desk: Desk) -> None:
    for seat in SEATS:
        desk.say(seat, True)
    match = match_of(desk.evening)
    reason = why(match.game, Tongue("en", {}), match.log)
    assert reason and reason.lead.clause
    asked = why(match.game, Tongue("en", {}), match.log, match.log[-1].public[0])
    assert asked and "approved" in asked.lead.text
    assert "right" not in ruling_line(moment_of(desk.evening)).text


def test_a_fist_that_was_closed_before_the_end_says_nothing(desk: Desk) -> None:
    match_of(desk.evening).act(event_data(Undo()))
    desk.settle()
    desk.evening.devices.inbox.put(Press("red", True, 0))
    desk.settle()
    desk.play()
    desk.evening.devices.inbox.put(Press("red", False, 60_000))
    desk.settle()
    assert desk.kept == {}


def test_a_level_that_is_only_found_says_nothing(desk: Desk) -> None:
    for press in (Press("red", True, 0, edge=False), Press("red", False, 9_000), Press("blue", True, 0),
                  Press("blue", False, 9_000, edge=False)):  # fmt: skip
        desk.evening.devices.inbox.put(press)
    desk.settle()
    assert desk.kept == {}


def test_approvals_can_change_and_fall_with_the_result(desk: Desk) -> None:
    for seat in SEATS:
        desk.say(seat, True)
    desk.say("blue", False)
    assert desk.evening.approvals == {"red": True, "blue": False, "green": True} and desk.lamps["blue"] == "blink"
    desk.say("blue", True)
    assert desk.said[-2:] == ["right", "approved"]
    match_of(desk.evening).act(event_data(Undo()))
    desk.settle()
    assert desk.evening.approvals == {} and set(desk.lamps.values()) != {"off"}
    desk.play()
    same = len(set(desk.kept)) == 3  # whoever approved the same result need not do it again
    assert desk.said.count("approve") == (1 if same else 2)


def test_nothing_is_shown_of_it_before_it_is_on_disk(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as held:
        held.setattr(desk.store, "_queue", lambda *_: len(desk.store._run) + 1)  # the disk takes its time
        assert desk.evening.approving
        desk.evening.approving.say(match_of(desk.evening), "red", True)
        desk.evening.drain()
        assert desk.evening.approvals["red"] is None and desk.said == ["approve"] and desk.lamps["red"] == "blink"
    desk.say("blue", True)
    assert desk.evening.approvals == {"red": True, "blue": True, "green": None}
    assert desk.said == ["approve", "right", "right"]


def test_by_ear_the_same_is_a_list(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "store.sqlite3", Hall(), ears=["blue"])
    try:
        approving, match = desk.evening.approving, match_of(desk.evening)
        assert approving
        desk.press("blue", NO_MS)  # steps into the list, and says nothing of the result
        assert desk.kept == {}
        entries = approving.entries(match, "blue")
        assert [entry.text for entry in entries] == [IT_IS, IT_IS_NOT]
        assert isinstance(entries[0].then, Do)
        entries[0].then.act()
        desk.settle()
        assert desk.kept == {"blue": True}
        assert [entry.text for entry in approving.entries(match, "blue")] == [IT_IS_NOT]
        assert approving.entries(match, "white") == ()
    finally:
        desk.store.close()


@pytest.mark.parametrize(("rounds", "asked"), [([], False), (["mercator"], False), (["spartacus"], True)])
def test_a_game_that_the_hall_has_not_seated_here_is_the_tables_own(
    tmp_path: Path, rounds: list[str], asked: bool
) -> None:
    hall = Hall(SeatedGame(1, rounds[0], {}, dict.fromkeys(SEATS, "")) if rounds else None, told=True)
    desk = Desk(tmp_path / "store.sqlite3", hall)
    try:
        assert bool(desk.evening.approvals) is asked is bool(desk.said)
        if asked:
            with pytest.raises(LookupError, match="The hall counts game 1"):
                desk.evening.delete(1)
        else:
            desk.evening.delete(1)
        assert (desk.evening.match is None) is not asked
    finally:
        desk.store.close()


def test_the_next_round_does_not_keep_anybody_from_approving_this_one(tmp_path: Path) -> None:
    hall = Hall(SeatedGame(1, "spartacus", {}, dict.fromkeys(SEATS, "")), told=True)
    desk = Desk(tmp_path / "store.sqlite3", hall)
    try:
        hall.seated = SeatedGame(2, "mercator", {}, dict.fromkeys(SEATS, ""))
        assert desk.evening.approvals == dict.fromkeys(SEATS)
        desk.press("red", NO_MS)
        assert desk.kept == {"red": True}
    finally:
        desk.store.close()


def test_without_a_hall_nobody_is_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "store.sqlite3", Hall(told=True))
    desk.store.close()
    assert Evening(Store(tmp_path / "other.sqlite3")).approvals == {} == desk.evening.approvals


@pytest.mark.parametrize(
    ("now", "begun", "offered"), [(0, [], 2), (2, [], 2), (2, [2], 3), (3, [], 3), (2, [2, 3], 3), (4, [], 3)]
)
def test_the_round_to_be_played_is_the_first_that_was_not_begun(now: int, begun: list[int], offered: int) -> None:
    found = seated(ROUND, "5", now, begun)
    assert found and found.round == offered


def test_the_round_at_this_table_is_offered(tmp_path: Path) -> None:
    """`begun` once a game with these seats was begun, and for whoever opens the store again."""
    assert seated(ROUND, "7") is None
    found = seated(ROUND, "5", now=3)
    assert found == SeatedGame(
        3,
        "spartacus",
        {"flags": "none"},
        {"red": "Anna", "blue": "Bert", "green": ""},
        ids={"red": 1, "blue": 2, "green": 3},
    )
    assert found.table["players"] == {"red": "Anna", "blue": "Bert", "green": "Player 3"}, "known by a number"
    desk = Desk(tmp_path / "store.sqlite3", Hall(found, told=True), seats=["red", "blue", "yellow"])
    assert desk.evening.seated == found
    desk.evening.begin(found.table)
    begun = desk.evening.seated
    assert begun and begun.begun and match_of(desk.evening).header.options["flags"] == "none"
    desk.settle()
    desk.store.close()
    again = Evening(store := Store(tmp_path / "store.sqlite3"))
    again.join(Hall(found, told=True))
    assert again.seated == begun
    again.join(Hall(found, told=True, evening="Friday a week later"))
    assert again.seated == found
    store.close()
