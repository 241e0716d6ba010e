"""Positions and layouts, as laws over all games (T-10, T-11): what is written down plays on, and no piece vanishes."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import table
from companion.games import position_of
from companion.record.transcript import dump_header, parse, read_header
from companion.rules import Amend, Decide, Event, Redo, Undo, judge
from companion.rules.layout import moves
from companion.rules.mistakes import Mistakes
from companion.session import Session
from tests.support.amending import some_event
from tests.support.positions import after_moves, garble, jsoned, pieces
from tests.support.states import some, travel
from tests.support.tables import FEW, NOTED_TABLES


@pytest.mark.parametrize(("name", "seats", "options"), NOTED_TABLES)
def test_written_and_read_and_written_again_it_is_the_same(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    game = header.game
    for state in some(states, 8):
        written = jsoned(position_of(game.name).written(state))
        again = position_of(game.name).read(header.setup, written)
        assert jsoned(position_of(game.name).written(again)) == written
        for seat in (None, *header.seats):
            assert game.view(again, seat) == game.view(state, seat)
        assert sorted(map(repr, game.legal(again))) == sorted(map(repr, game.legal(state)))
        assert game.derived(again) == game.derived(state)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_a_game_cut_anywhere_goes_on_from_its_position(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, states = travel(name, seats, options)
    for cut in sorted(Random(name + str(options)).sample(range(len(states)), min(4, len(states)))):
        written = {**parse(dump_header(header)), "position": jsoned(position_of(header.game.name).written(states[cut]))}
        begun = read_header(written)
        session = Session(begun.game, begun.setup, position=begun.position)
        for event, state in zip(events[cut:], states[cut + 1 :], strict=True):
            assert session.receive(event).ok
            for seat in (None, *header.seats):
                assert session.view(seat) == header.game.view(state, seat)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_a_garbled_position_is_named_or_is_one(name: str, seats: int, options: dict[str, Any]) -> None:
    """Whatever stands there: every mistake at its path, or a position that is written as it was read."""
    header, _, states = travel(name, seats, options)
    rng, wrong = Random(7), 0
    for state in some(states, 10):
        written = jsoned(position_of(header.game.name).written(state))
        for _ in range(5):
            garbled = garble(written, rng)
            try:
                again = position_of(header.game.name).read(header.setup, garbled)
            except Mistakes as mistakes:
                wrong += 1
                assert mistakes.found and all(mistake.what for mistake in mistakes.found)
                continue
            assert jsoned(position_of(header.game.name).written(position_of(header.game.name).read(header.setup, jsoned(
                position_of(header.game.name).written(again))))) == jsoned(position_of(header.game.name).written(again))  # fmt: skip
            for moves_ in header.game.legal(again):
                judge(header.game, again, moves_.pick(rng.choice))
    assert wrong


# -- layouts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), NOTED_TABLES)
def test_no_piece_comes_from_nowhere_or_goes_there(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    game = header.game
    there = [position_of(game.name).layout(jsoned(game.view(state)), header.options) for state in some(states, 15)]
    whole = pieces(there[0])
    assert whole
    for at in there:
        assert pieces(at) == whole


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_moves_lead_from_one_layout_to_the_other(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    rng = Random(3)
    for _ in range(30):
        one, other = (
            position_of(header.game.name).layout(header.game.view(rng.choice(states)), header.options) for _ in range(2)
        )
        told = list(moves(one, other))
        assert after_moves(one, told) == {place: pieces({place: of}) for place, of in other.items()}
        assert all(move.count > 0 and move.from_ != move.to for move in told)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_announced_moves_lead_to_the_new_layout(name: str, seats: int, options: dict[str, Any]) -> None:
    """After every undo, redo, amendment and decision, the table as it lay and the moves give the table as it lies."""
    header = table(games.game(name), seats, options)
    game, session, rng = header.game, Session(header.game, header.setup), Random(f"{name} {options}")
    told = 0
    for _ in range(70):
        before = position_of(game.name).layout(session.view(), header.options)
        event = some_event(session, rng)
        receipt = session.receive(event)
        if not receipt.ok or not isinstance(event, Undo | Redo | Amend | Decide):
            continue
        found = list(receipt.rulings[0].facts["moves"])
        told += bool(found)
        now = position_of(game.name).layout(session.view(), header.options)
        assert after_moves(before, found) == {place: pieces({place: of}) for place, of in now.items()}
    assert told


# -- decisions --------------------------------------------------------------------------------------------------


def changes(session: Session, rng: Random) -> Iterator[Event]:
    """Decisions that make the position another one of the same game."""
    for _ in range(3):
        written = position_of(session.game.name).written(session.state)
        key = rng.choice(sorted(written))
        yield Decide("Let it be so.", {key: garble({key: written[key]}, rng).get(key)})


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_a_decision_is_a_change_that_can_be_or_is_refused_whole(name: str, seats: int, options: dict[str, Any]) -> None:
    header = table(games.game(name), seats, options)
    session, rng = Session(header.game, header.setup), Random(f"{name} {options}")
    for _ in range(25):
        moves_ = session.legal()
        if not moves_:
            break
        session.receive(rng.choice(moves_).pick(rng.choice))
        for event in changes(session, rng):
            before, state = session.mark(), session.state
            receipt = session.receive(event)
            if receipt.ok:
                assert session.state is receipt.state
                assert session.receive(Undo()).ok and session.state is state
            else:
                assert session.mark() == before and receipt.rulings[0].rule == "T-9"
                assert receipt.rulings[0].seat is None
