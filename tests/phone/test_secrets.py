"""Law 2 for phones: what other seats hide changes no byte that a phone receives, and no frame's length tells anything."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from companion.phone.lists import Step
from companion.play.evening import Evening
from companion.play.match import Match, Times
from companion.record.store import Store
from companion.record.transcript import Header, event_data
from companion.rules import AnyGame, Choose
from companion.system.sealing import KeyPair, new_salt
from drivers.phones.wire import frame
from tests.ear.test_secrets import own_kept
from tests.support.phone_table import PhoneTable, TablePhone
from tests.support.phones import Handset, Network
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import FEW
from tests.support.toy_game import Paper, Sat

DEEP = 3
"""So many lists below the first are opened."""


def stands(evening: Evening, header: Header, state: Any) -> tuple[Match, Paper]:
    """Put a game in this state on the table, with a journal whose lines are safe when a test says so."""
    paper = Paper()
    match = Match(header, 7, paper, evening.port, Times())
    match.session.opening = state
    match._set_snapshot(match.session.view(), match.session.derived(), state)
    evening.match = match
    match.show()
    return match, paper


class Eyes:
    """Everybody's phones at one game that stands in a state of our choice."""

    def __init__(self, store: Store, header: Header, state: Any, lang: str = "en") -> None:
        self.evening = Evening(store, lang="en")
        self.match, self.paper = stands(self.evening, header, state)
        self.net = Network(self.evening)
        self.phones = {seat: self.net.join(seat, lang) for seat in header.seats}

    def act(self, event: Any) -> None:
        self.match.act(event_data(event))
        self.paper.safe = len(self.paper.lines)
        self.match.show()

    def look(self, phone: Handset, path: Sequence[Step]) -> None:
        self.net.phones.receive(phone.number, {"look": list(path)})

    def look_round(self, phone: Handset, path: tuple[Step, ...] = ()) -> None:
        """Open every list that can be opened, without doing anything."""
        self.look(phone, path)
        listed = phone.table["list"]
        steps: list[Step] = [of["key"] for of in listed["entries"] if of["opens"]]
        if listed["number"]:
            steps = [listed["number"]["least"], listed["number"]["most"]]
        for step in steps if len(path) < DEEP else ():
            self.look_round(phone, (*path, step))

    def frames(self, seat: str) -> list[bytes]:
        return self.net.frames(self.phones[seat])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "store.sqlite3")
    yield store
    store.close()


def disguised(game: AnyGame, states: Sequence[Any], events: Sequence[Any] = ()) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each state before the end with the event after it, and one in which other things are hidden."""
    for state, event in zip_longest(states, events):
        if not game.view(state)["over"]:
            yield from ((state, event, other) for other in (*disguises(game, state), *extremes(game, state)))


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_what_others_hide_changes_no_byte(store: Store, name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, states = travel(name, seats, options)
    game, tried = header.game, 0
    for state, event, other in some(list(disguised(game, states, events)), 4):
        for seat in header.seats:
            alike = other if game.view(state, seat) == game.view(other, seat) else own_kept(state, other, seat)
            if alike == state or game.view(state, seat) != game.view(alike, seat):
                continue
            seen = [Eyes(store, header, each) for each in (state, alike)]
            for eyes in seen:
                eyes.look_round(eyes.phones[seat])
                if getattr(event, "seat", None) == seat and event is not events[-1]:  # the end shows what was hidden
                    eyes.act(event)
            assert seen[0].frames(seat) == seen[1].frames(seat)
            tried += 1
    assert tried


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_no_length_tells_what_a_seat_hides(store: Store, name: str, seats: int, options: dict[str, Any]) -> None:
    """Not even to somebody who listens on the air to the phone of that seat, where frames are sealed."""
    header, _, states = travel(name, seats, options)
    pairs, keys = list(disguised(header.game, states)), KeyPair()
    seal = keys.seal(urlsafe_b64decode(keys.public + "="), new_salt())
    for state, _, other in some(pairs, 8):
        lengths = []
        for each in (state, other):
            eyes = Eyes(store, header, each, "de")
            for phone in eyes.phones.values():
                for entry in phone.table["list"]["entries"]:
                    eyes.look(phone, [entry["key"]])
            lengths.append([
                [len(told := frame(json.loads(of))), len(seal.seal(told))]
                for seat in header.seats for of in eyes.frames(seat)
            ])  # fmt: skip
        assert lengths[0] == lengths[1]
    assert pairs


def on_air(store: Store, header: Header, state: Any, choose: int) -> dict[str, list[list[int]]]:
    """Return the lengths of all sealed frames of every phone, those to it and those from it, by real sockets.

    Each opens its lists. The first one that may lay a card face down then takes the one at place `choose`.
    """
    with ExitStack() as stack:
        table = PhoneTable(store)
        match, paper = stands(table.evening, header, state)
        table.phones.start()
        stack.enter_context(closing(table.phones))
        phones = {seat: stack.enter_context(closing(table.seated(seat))) for seat in header.seats}
        cards: list[tuple[TablePhone, str]] = []

        def settled() -> bool:
            paper.safe = len(paper.lines)
            return not match.waiting

        table.until(settled)
        for phone in phones.values():
            entries = views_anew(phone)["list"]["entries"]
            for entry in entries:
                if entry["opens"]:
                    phone.say(look=[entry["key"]])
                    phone.hear("table")
            if found := [of["key"] for of in entries if of["private"] and not of["opens"]]:
                cards.append((phone, found[choose % len(found)]))
        if cards and any(isinstance(of.event, Choose) for of in match.session.legal()):
            phone, key = cards[0]
            phone.say(take=[key], act=match.session.accepted)
            table.until(lambda: match.waiting)
            table.until(settled)
        for phone in phones.values():
            views_anew(phone)
        return {seat: lengths(phone) for seat, phone in phones.items()}


def views_anew(phone: TablePhone) -> dict[str, Any]:
    """Have the table send the first list, after everything that it has sent before; return the view."""
    phone.say(lang="en")
    phone.hear("texts")
    phone.say(look=[])
    found: dict[str, Any] = phone.hear("table")
    return found


def lengths(phone: TablePhone) -> list[list[int]]:
    """Return the lengths of the frames to a phone, and of those from it; not of pings, whose number tells the time."""
    ways: list[list[int]] = [[], []]
    for sealed, text in zip(phone.wire, phone.texts, strict=True):
        keys = json.loads(text).keys()
        if "clock" not in keys:
            ways[keys == {"lang"} or not keys.isdisjoint({"hello", "sit", "look", "take"})].append(len(sealed))
    return ways


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_no_frame_on_the_air_tells_by_its_length_what_is_hidden_or_chosen(
    store: Store, monkeypatch: pytest.MonkeyPatch, name: str, seats: int, options: dict[str, Any]
) -> None:
    monkeypatch.setattr("drivers.phones.connection.MESSAGES", 10_000)  # faster than fingers
    header, _, states = travel(name, seats, options)
    for state, _, other in some(list(disguised(header.game, states)), 2):
        seen = [on_air(store, header, each, choose) for each, choose in ((state, 0), (state, -1), (other, 0))]
        assert seen[0] == seen[1] == seen[2]
        assert all(to and by for to, by in seen[0].values())


def test_what_is_whispered_to_one_seat_reaches_no_other_phone(store: Store) -> None:
    sat = Sat()
    evening = Evening(store)
    evening.port, evening.match = sat.port, sat.match
    net = Network(evening)
    red, blue = net.join("red"), net.join("blue")
    sat.bet()
    sat.settle()
    assert red.said == blue.said == ["Red bets."]


def uncovered(eyes: Eyes, phone: Handset, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:
    """Yield everything that lies open on a phone: what only its seat may know is covered, and private lists and entries."""
    eyes.look(phone, path)
    listed = phone.table["list"]
    if listed["private"]:
        yield path, "covered"
        return
    entries = [of for of in listed["entries"] if not of["private"]]
    yield path, {**phone.table, "mine": [], "list": {**listed, "entries": entries}}
    number = listed["number"]
    steps = [number["least"], 7] if number else [of["key"] for of in entries if of["opens"]]
    for step in steps if len(path) < DEEP + 1 else ():
        yield from uncovered(eyes, phone, (*path, step))


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_nothing_that_only_a_seat_may_know_lies_open_on_its_phone(
    store: Store, name: str, seats: int, options: dict[str, Any]
) -> None:
    """For somebody who looks over its player's shoulder."""
    header, _, states = travel(name, seats, options)
    game, pairs = header.game, list(disguised(header.game, states))
    for state, _, other in some(pairs, 3):
        for seat in [of for of in header.seats if game.view(state, of) != game.view(other, of)][:1]:
            seen = [Eyes(store, header, each) for each in (state, other)]
            open_to_all = [dict(uncovered(eyes, eyes.phones[seat])) for eyes in seen]
            assert open_to_all[0] == open_to_all[1]
    assert pairs
