"""What holds for every game there is: laws over random play."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from companion import games
from companion.play.lamps import modes
from companion.record.transcript import Header, dump_event, dump_header, parse, read_event, read_header
from companion.rules import AnyGame, Choose, Moves, Refused, Reveal, Undo, judge
from companion.rules.cards import DECK
from companion.rules.outline import outlines
from companion.rules.shapes import shape_of
from companion.rules.words import clause, say
from companion.scripts.simulate import play, table
from companion.session import Session
from tests.tables import TABLES


def well_formed(header: Header, rng: Random) -> Any:
    """Any event the codec can read: right seats, existing cards and places, whole amounts."""
    words = header.game.vocabulary(header.setup)
    seats = list(header.seats)
    some: dict[str, Callable[[], Any]] = {
        "seat": lambda: rng.choice(seats),
        "seats": lambda: (
            tuple(rng.choices(seats, k=rng.randrange(len(seats) + 1)))
            if rng.random() < 0.3
            else tuple(rng.sample(seats, rng.randrange(len(seats) + 1)))
        ),
        "card": lambda: rng.choice(list(DECK.values())),
        "number": lambda: rng.choice([0, 1, 2, 3, 4, 20, 200]),
        "chips": lambda: rng.choice([0, 1, 2, 5, 20, 21, 50, 51, 200]),
        "bool": lambda: rng.random() < 0.5,
        "text": lambda: rng.choice(["", "sicilia", "red"]),
        "place": lambda: rng.choice(words["place"]),
        "piece": lambda: rng.choice(words["piece"]),
        "opened": lambda: {rng.choice(seats): 40},
    }
    kind: Any = rng.choice(header.game.events)
    return kind(*(some[k]() if needed or rng.random() < 0.5 else None for _, k, needed in shape_of(kind)))


@cache
def journey(
    name: str, seats: int, options: tuple[tuple[str, Any], ...]
) -> tuple[Header, tuple[Any, ...], tuple[Any, ...]]:
    """One random game: its header, its events, and every state from the opening to the end."""
    header = table(games.game(name), seats, dict(options))
    rng = Random(f"{name} {seats} {options}")
    states, events = [header.game.setup(header.setup)], []
    for session, receipt in play(header, rng):
        states.append(session.state)
        events.append(receipt.event)
    return header, tuple(events), tuple(states)


def travel(name: str, seats: int, options: dict[str, Any]) -> tuple[Header, tuple[Any, ...], tuple[Any, ...]]:
    return journey(name, seats, tuple(options.items()))


def some(sequence: Any, count: int = 60) -> Any:
    return sequence[:: max(1, len(sequence) // count)]


def is_legal(moves: list[Moves[Any]], event: Any) -> bool:
    return any(event in of for of in moves)


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_legal_and_apply_agree_on_every_event(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, states = travel(name, seats, options)
    rng = Random(1)
    for state in some(states):
        moves = list(header.game.legal(state))
        tried = [well_formed(header, rng) for _ in range(12)] + [m.pick(rng.choice) for m in moves]
        for event in [*tried, rng.choice(events)]:
            ok, after, rulings = judge(header.game, state, event)
            assert ok is is_legal(moves, event), (event, rulings)
            assert rulings
            if not ok:
                assert after is state
            for ruling in rulings:
                assert clause(header.game, ruling.rule), ruling.rule
                assert say(ruling)


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_play_ends_with_a_result_and_nothing_is_legal_after_it(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    for state in states[:-1]:
        assert header.game.legal(state)
    view = header.game.view(states[-1])
    assert view["over"] and view["phase"] == "over" and not header.game.legal(states[-1])
    assert set(view["result"]) == {"winners", "scores", "places", "unconfirmed_board"}
    assert set(view["result"]["scores"]) == set(view["result"]["places"]) == set(header.seats)


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_undo_gives_back_the_very_states(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, states = travel(name, seats, options)
    session = Session(header.game, header.setup)
    for event in events:
        assert session.receive(event).ok
    for state in reversed(states[:-1]):
        assert session.receive(Undo()).ok
        assert session.state == state
    assert not session.receive(Undo()).ok


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_what_was_written_down_plays_the_same_game(name: str, seats: int, options: dict[str, Any]) -> None:
    """Codec round trip and resume: header and events as lines, read back, give the same states."""
    header, events, states = travel(name, seats, options)
    again = read_header(parse(dump_header(header)))
    assert dump_header(again) == dump_header(header)
    session = Session(again.game, again.setup)
    for event, state in zip(events, states[1:], strict=True):
        line = dump_event(event)
        read = read_event(again, parse(line)).event
        assert read == event and dump_event(read) == line
        session.receive(read)
        assert session.state == state


def disguises(game: AnyGame, state: Any) -> Iterator[Any]:
    """The same state to everybody at the table, with other hidden things."""
    names = {field.name for field in fields(state)}
    seats = state.setup.seats
    if "chips" in names and "chips" in game.view(state, seats[0])["private"]:
        yield replace(state, chips={seat: chips + 1 + seats.index(seat) for seat, chips in state.chips.items()})
    if "choices" in names and state.choices:
        others = {
            seat: next((o.card for o in choices(game, state) if o.seat == seat and o.card != card), card)
            for seat, card in state.choices.items()
        }
        yield replace(state, choices=others)


def choices(game: AnyGame, state: Any) -> Iterator[Choose]:
    """Every card that can be laid face down now."""
    for moves in game.legal(state):
        yield from (event for event in moves if isinstance(event, Choose))


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_what_is_hidden_never_shows(name: str, seats: int, options: dict[str, Any]) -> None:
    """Secrecy (law 2): other hidden things, the same view, rulings for all, lamps and log lines."""
    header, _, states = travel(name, seats, options)
    game, rng, seen = header.game, Random(2), 0
    for state in some(states):
        for disguise in disguises(game, state) if not game.view(state)["over"] else ():
            seen += 1
            assert game.view(disguise) == game.view(state)
            assert game.derived(disguise) == game.derived(state)
            fists = game.fists(state)
            assert game.fists(disguise) == fists
            lamps = (modes(game.view(s), header.seats, frozenset(), fists, called=False) for s in (state, disguise))
            assert next(lamps) == next(lamps)
            for event in [m.pick(rng.choice) for m in game.legal(state) if m.event is not Reveal]:
                assert _heard(game, state, event) == _heard(game, disguise, event)
    if any("chips" in game.view(s, header.seats[0])["private"] for s in states[:1]):
        assert seen


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_nothing_hidden_decides_what_is_offered(name: str, seats: int, options: dict[str, Any]) -> None:
    """Secrecy (law 2): with an empty purse, or no card that fits, the same controls are offered."""
    header, _, states = travel(name, seats, options)
    game = header.game
    for state in some(states, 20):
        for disguise in (*disguises(game, state), *extremes(game, state)) if not game.view(state)["over"] else ():
            assert outlines(game, disguise) == outlines(game, state)
            assert game.derived(disguise) == game.derived(state)


def extremes(game: AnyGame, state: Any) -> Iterator[Any]:
    """Empty purses, and hands of the lowest or the highest cards, where they are hidden."""
    hidden = game.view(state, state.setup.seats[0])["private"]
    if "chips" in hidden:
        yield replace(state, chips=dict.fromkeys(state.chips, 0))
    if "hand" in hidden and game.name == "spartacus":  # elsewhere a hand holds what has not been shown
        full = game.setup(state.setup).hands
        for cards in (full, {seat: hand[::-1] for seat, hand in full.items()}):
            yield replace(state, hands={seat: cards[seat][: len(hand)] for seat, hand in state.hands.items()})


def _heard(game: AnyGame, state: Any, event: Any) -> Any:
    """What everybody hears and sees of an event; an event that ends the game opens what was hidden."""
    _, after, rulings = judge(game, state, event)
    view = game.view(after)
    if view["over"]:
        return "over"
    return view, game.derived(after), [(ruling, say(ruling)) for ruling in rulings if ruling.seat is None]


@pytest.mark.parametrize("name", games.NAMES)
def test_a_sealed_choice_looks_like_any_other(name: str) -> None:
    header, _, states = travel(name, games.game(name).seats[-1], {o.name: o.default for o in games.game(name).options})
    for state in some(states, 30):
        by_seat: dict[str, set[str]] = {}
        for event in choices(header.game, state):
            _, after, rulings = judge(header.game, state, event)
            by_seat.setdefault(event.seat, set()).add(str((header.game.view(after), rulings)))
        assert all(len(seen) == 1 for seen in by_seat.values())


@pytest.mark.parametrize("name", games.NAMES)
def test_a_refusal_of_something_hidden_does_not_name_it(name: str) -> None:
    """T-6: the text and facts of a refusal are the same whatever the hidden amount is."""
    header, _, states = travel(name, games.game(name).seats[0], {o.name: o.default for o in games.game(name).options})
    rng = Random(3)
    for state in some(states):
        for disguise in disguises(header.game, state):
            for event in [well_formed(header, rng) for _ in range(10)]:
                said = [_refusal(header.game, s, event) for s in (state, disguise)]
                assert None in said or said[0] == said[1]


@pytest.mark.parametrize(
    ("name", "options"), [("prokonsul", {}), ("prokonsul", {"negotiation": "free"}), ("mercator", {})]
)
def test_a_refusal_names_the_amount_that_was_asked_and_no_purse(name: str, options: dict[str, Any]) -> None:
    """T-6: whatever a purse holds, its refusal has the one number that everybody has heard."""
    defaults = {option.name: option.default for option in games.game(name).options}
    header, _, states = travel(name, games.game(name).seats[0], defaults | options)
    rng, seen = Random(4), set()
    for state in some(states):
        moves = [moves.pick(rng.choice) for moves in header.game.legal(state)]
        for event in [replace(event, chips=9999) for event in moves if hasattr(event, "chips")]:
            said = [_refusal(header.game, s, event) for s in (state, *disguises(header.game, state))]
            if said[0] and said[0][0].code == "balance":
                seen.add(type(event))
                assert len(said) > 1 and all(one == said[0] for one in said)
                assert re.findall(r"\d+", said[0][1]) == ["9999"]
                assert [fact for fact in said[0][0].facts.values() if isinstance(fact, int)] == [9999]
    assert seen


def _refusal(game: AnyGame, state: Any, event: Any) -> Any:
    try:
        game.apply(state, event)
    except Refused as refusal:
        return refusal.ruling, say(refusal.ruling)
    return None
