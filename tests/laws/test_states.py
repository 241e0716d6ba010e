"""What holds for every game there is: laws over random play."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion import games
from companion.play.lamps import modes
from companion.record.transcript import dump_event, dump_header, parse, read_event, read_header
from companion.rules import AnyGame, Moves, Refused, Reveal, Undo, judge
from companion.rules.outline import outlines
from companion.rules.words import clause, say
from companion.session import Session
from tests.support.states import choices, disguises, extremes, some, travel, well_formed
from tests.support.tables import SOME, TABLES


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


@pytest.mark.parametrize(("name", "seats", "options"), SOME)
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
def test_transcripts_replay_to_the_same_game(name: str, seats: int, options: dict[str, Any]) -> None:
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


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_hidden_state_never_shows(name: str, seats: int, options: dict[str, Any]) -> None:
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
def test_offered_moves_do_not_depend_on_hidden_state(name: str, seats: int, options: dict[str, Any]) -> None:
    """Secrecy (law 2): with an empty purse, or no card that fits, the same controls are offered."""
    header, _, states = travel(name, seats, options)
    game = header.game
    for state in some(states, 20):
        for disguise in (*disguises(game, state), *extremes(game, state)) if not game.view(state)["over"] else ():
            assert outlines(game, disguise) == outlines(game, state)
            assert game.derived(disguise) == game.derived(state)


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
