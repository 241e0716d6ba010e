"""Law 2 for ears: an ear knows its own seat's view and no more, and counting its presses tells nobody anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers.guide import known
from companion.cli.simulate import table
from companion.ear._ear import Ear
from companion.ear.seats import AudioSeats
from companion.offers.acts import Acts
from companion.offers.table_menu import going_on
from companion.play.table import NO_MS
from companion.record.transcript import Header
from companion.rules.menu import Choice, Entry, Number, Then, made
from companion.session import Session
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import FEW


def spread(then: Then, depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """All that an ear can hear from here on: how deep, what, and of which facts."""
    match made(then):
        case Choice(ask, entries):
            yield depth, ask.text if ask else "", ""
            for entry in entries:
                yield depth, entry.text, repr(entry.facts)
                yield from spread(entry.then, depth + 1)
        case Number(_, least, most, goes_on):
            yield depth, str(least), str(most)
            yield from spread(goes_on(most), depth + 1)
        case tuple() | list() as sayings:
            yield from ((depth, saying.text, repr(saying.facts)) for saying in sayings)
        case event:
            yield depth, "event", repr(event)


def told(header: Header, state: Any, seat: str) -> list[tuple[int, str, str]]:
    """Everything the ear of a seat can be told in this state."""
    session = Session(header.game, header.setup)
    session.opening = state
    acts = Acts(session.game, state, known(header, session), seat)
    said = [(0, saying.text, repr(saying.facts)) for saying in going_on(acts)]
    return [*said, *(line for entry in acts.entries() for line in spread(entry.then))]


def first(header: Header, state: Any, seat: str) -> list[tuple[str, str]]:
    """What is said by so many presses at the top."""
    session = Session(header.game, header.setup)
    session.opening = state
    acts = Acts(session.game, state, known(header, session), seat)
    return [(entry.text, repr(entry.facts)) for entry in acts.entries()]


def own_kept(state: Any, other: Any, seat: str) -> Any:
    """The disguise, with what is this seat's own as it was."""
    kept = {}
    for of in fields(state):
        mine, theirs = getattr(state, of.name), getattr(other, of.name)
        if isinstance(mine, Mapping) and mine != theirs and seat in mine:
            kept[of.name] = {**theirs, seat: mine[seat]}
        elif isinstance(mine, Mapping) and mine != theirs:
            kept[of.name] = {key: of for key, of in theirs.items() if key != seat}
    return replace(other, **kept)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_an_ear_hears_nothing_that_its_seat_does_not_see(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    game, tried = header.game, 0
    for state in some(states, 8):
        if game.view(state)["over"]:
            continue
        for other in (*disguises(game, state), *extremes(game, state)):
            for seat in header.seats:
                assert first(header, state, seat) == first(header, other, seat)
                alike = own_kept(state, other, seat)
                if game.view(state, seat) == game.view(alike, seat):
                    assert told(header, state, seat) == told(header, alike, seat)
                    tried += alike != state
    assert tried


@pytest.mark.parametrize("name", games.NAMES)
def test_listening_and_looking_round_is_heard_by_nobody_else(name: str) -> None:
    header = table(games.game(name), games.game(name).seats[0])
    header = replace(header, ears=header.seats[:1])
    session, rng, seat = Session(header.game, header.setup), Random(name), header.seats[0]
    hands = AudioSeats(session, header)
    for t in range(400):
        came = hands.press(seat, t * 3_000 + rng.randrange(1_000), rng.choice((90, 90, 90, 2_400)), (), changed=False)
        assert came.event is None
        assert {ruling.seat for ruling in came.heard} == {seat}


def test_a_private_list_begins_wherever_the_millisecond_says() -> None:
    """Whoever counts presses does not know what was stepped past; and in the same lines it begins at the same place."""
    entries = [Entry(f"{number}.") for number in range(7)]
    begun = {}
    for t in range(1_000, 1_050):
        ear = Ear("red", lambda: Choice(None, entries, private=True), list, NO_MS)
        begun[t] = ear.press("next", t, 90).heard[0].text
    assert set(begun.values()) == {entry.text for entry in entries}
    open_list = Ear("red", lambda: Choice(None, entries), list, NO_MS)
    assert open_list.press("next", 1_003, 90).heard[0].text == "0."


def test_amounts_begin_anywhere_and_run_while_held() -> None:
    paid: list[int] = []

    def pay(number: int) -> Then:
        paid.append(number)
        return ()

    amount = Number(None, 0, 37, pay, private=True)
    for t in (1_000, 1_002):
        ear = Ear("red", lambda: Choice(None, [Entry("Pay", {}, amount)]), list, NO_MS)
        ear.press("next", 0, 90)
        assert ear.press("take", t, 700).heard[-1].facts["number"] == t % 38
        ear.press("next", t, 90)  # more
        assert ear.counting(NO_MS - 1) is None
        ran = [ruling.facts["number"] for ms in range(NO_MS, 3_200, 50) if (ruling := ear.counting(ms))]
        steps = [b - a for a, b in pairwise(ran)]
        steps = [step % 38 for step in steps]  # it goes round
        assert set(steps) == {0, 1}
        assert steps[:20].count(1) < steps[-20:].count(1)  # quicker and quicker
        stood = ear.press("take", t, 3_150).heard[-1].facts["number"]
        assert stood == ran[-1]
        ear.press("take", t, 700)
        assert paid.pop() == stood
        ear.press("next", t, 90)  # more
        ran_on = ear.counting(9_000)
        assert ran_on and ear.press("take", t, 9_000).heard[-1].facts == ran_on.facts, "it is a ring"


# -- who counts presses --------------------------------------------------------------------------------------------


def pressed(make: Choice, wanted: str, t: int) -> tuple[int, ...]:
    """How a seat's button is used until it stands at what is wanted: all that anybody else at the table can count."""
    ear = Ear("red", lambda: Choice(None, [Entry("Choose.", {}, make)]), list, NO_MS)
    ear.press("next", 0, 90)
    heard = ear.press("take", t, NO_MS).heard[-1]
    steps = 0
    while repr((heard.text, sorted(heard.facts.items()))) != wanted:
        heard = ear.press("next", t + 400 * (steps := steps + 1), 90).heard[-1]
        assert steps < 200
    return (steps,)


def private(then: Then) -> Iterator[Choice]:
    """Every private list from here on."""
    match made(then):
        case Choice(_, entries, hidden) as choice:
            if hidden:
                yield choice
            for entry in entries:
                yield from private(entry.then)
        case Number(_, _, most, goes_on):
            yield from private(goes_on(most))


@pytest.mark.parametrize("name", games.NAMES)
def test_the_number_of_presses_says_nothing_of_what_is_taken_from_a_private_list(name: str) -> None:
    """Zero mutual information: over all milliseconds, every entry comes after as many presses just as often."""
    header, _, states = travel(name, games.game(name).seats[0], {})
    found = 0
    for state in some(states, 12):
        session = Session(header.game, header.setup)
        session.opening = state
        for seat in header.seats:
            acts = Acts(session.game, state, known(header, session), seat)
            for choice in (one for entry in acts.entries() for one in private(entry.then)):
                counts = {
                    label: Counter(pressed(choice, label, t) for t in range(len(choice.entries)))
                    for label in (repr((entry.text, sorted(entry.facts.items()))) for entry in choice.entries)
                }
                assert len({frozenset(count.items()) for count in counts.values()}) <= 1, counts
                found += len(choice.entries) > 1
    assert found or name not in ("prokonsul", "caesar", "hannibal"), "nothing private was looked at"


def test_back_comes_after_all_entries_wherever_a_private_list_begins() -> None:
    entries = [Entry(f"{number}.") for number in range(4)]
    for t in range(4):
        ear = Ear("red", lambda: Choice(None, [Entry("Choose.", {}, Choice(None, entries, private=True))]), list, NO_MS)
        ear.press("next", 0, 90)
        heard = [
            ear.press("take", t, NO_MS).heard[-1].text,
            *(ear.press("next", t, 90).heard[0].text for _ in range(5)),
        ]
        turned = [f"{(t + at) % 4}." for at in range(4)]
        assert heard == [*turned, "Back.", turned[0]]


@pytest.mark.parametrize("purse", [0, 3, 50])
def test_running_to_a_private_amount_leaks_nothing(purse: int) -> None:
    """Over all milliseconds, every distance is as likely for every amount; and no list of it depends on the purse."""
    amount = Number(None, 0, 199, lambda _: (), private=True)
    ways = Counter[int]()
    for t in range(200):
        ear = Ear("red", lambda: Choice(None, [Entry("Pay", {}, amount)]), list, NO_MS)
        ear.press("next", 0, 90)
        stands = ear.press("take", t, NO_MS).heard[-1].facts["number"]
        ear.press("next", t, 90)  # more
        reached = {(stands + far) % 200: far for far in range(200)}
        ways[reached[purse]] += 1
        ran = ear.counting(NO_MS)
        assert ran and ran.facts["number"] == (stands + 1) % 200
    assert set(ways.values()) == {1}


def test_the_amounts_that_can_be_entered_are_the_same_whatever_the_purse_holds() -> None:
    header, _, states = travel("mercator", 3, {})
    for state in some(states, 20):
        session = Session(header.game, header.setup)
        session.opening = state
        for entry in Acts(session.game, state, known(header, session), "red").entries():
            if isinstance(of := made(entry.then), Number) and of.private:
                assert (of.least, of.most) == (0, 199)
