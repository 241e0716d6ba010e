"""Law 2 for phones: what other seats hide changes no byte that a phone receives, and no frame's length tells anything."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from companion.phone.lists import Step
from companion.play.evening import Evening
from companion.play.match import Match, Times
from companion.record.store import Store
from companion.record.transcript import Header, event_data
from companion.rules import AnyGame
from companion.system.sealing import KeyPair, new_salt
from drivers.phones.wire import frame
from tests.ear.test_secrets import own_kept
from tests.support.phones import Handset, Network
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import FEW
from tests.support.toy_game import Paper, Sat

DEEP = 3
"""So many lists below the first are opened."""


class Eyes:
    """Everybody's phones at one game that stands in a state of our choice."""

    def __init__(self, store: Store, header: Header, state: Any, lang: str = "en") -> None:
        self.evening = Evening(store, lang="en")
        self.paper = Paper()
        match = Match(header, 7, self.paper, self.evening.port, Times())
        match.session.opening = state
        match._set_snapshot(match.session.view(), match.session.derived(), state)
        self.evening.match = self.match = match
        match.show()
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
    """Yield everything that lies open on a phone: what only its seat may know is covered, and so are private lists."""
    eyes.look(phone, path)
    table = {**phone.table, "mine": []}
    if table["list"]["private"]:
        yield path, "covered"
        return
    yield path, table
    number = table["list"]["number"]
    steps = [number["least"], 7] if number else [of["key"] for of in table["list"]["entries"] if of["opens"]]
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
