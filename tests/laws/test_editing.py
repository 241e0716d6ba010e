"""A position changed by hand: the smallest patch, every part reachable, and nothing hidden in what everybody sees."""

from random import Random
from typing import Any

import pytest

from companion.answers.editing import diff, draft, empty, held, whole
from companion.games import position_of
from companion.rules import Decide
from companion.rules.data import SEALED
from companion.rules.position_parts import Count, Field
from companion.session import Session
from companion.session.deciding import merge
from tests.support.drafts import drafted, touch
from tests.support.positions import jsoned
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import FEW, times


def anything(rng: Random, depth: int = 3) -> Any:
    """Some JSON."""
    kind = rng.randrange(5 if depth else 3)
    if kind == 3:
        return {rng.choice("abcd"): anything(rng, depth - 1) for _ in range(rng.randrange(4))}
    return (
        [anything(rng, depth - 1) for _ in range(rng.randrange(3))]
        if kind == 4
        else rng.choice([None, True, 1, 0, "x"])
    )


def test_a_difference_is_the_patch_that_makes_it() -> None:
    """RFC 7396: from anything to anything, and nothing where nothing differs."""
    rng = Random(5)
    for _ in range(2000):
        one, other = ({key: anything(rng) for key in "abc"} for _ in range(2))
        patch = diff(one, other)
        assert whole(merge(whole(one), patch)) == whole(other)
        assert diff(one, one) == {}
        assert bool(patch) == (repr(sorted_(whole(one))) != repr(sorted_(whole(other))))
    assert diff({"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 4, "d": 3}}) == {"b": {"c": 4}}


def sorted_(value: Any) -> Any:
    """Its keys in order, however deep."""
    if isinstance(value, dict):
        return {key: sorted_(value[key]) for key in sorted(value)}
    return [*map(sorted_, value)] if isinstance(value, list) else value


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_decision_contains_exactly_the_changes(name: str, seats: int, options: dict[str, Any]) -> None:
    """From any position to any other of the game, the difference is a decision that makes it so."""
    header, _, states = travel(name, seats, options)
    game, rng = header.game, Random(4)
    for _ in range(12):
        before, after = (drafted(game, header.setup, rng.choice(states)) for _ in range(2))
        session = Session(game, header.setup, position=jsoned(before.position))
        change = diff(before.position, after.position)
        receipt = session.receive(Decide("So.", change))
        wrong = after.wrong
        assert receipt.ok == (wrong == ((), {}))
        if receipt.ok:
            assert draft(game, header.setup, session.state).change == {}
            assert jsoned(draft(game, header.setup, session.state).position) == jsoned(after.position)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_every_key_of_a_position_has_a_part(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    for state in some(states, 10):
        found = drafted(header.game, header.setup, state)
        heads = {part.path[0] for part in found.parts} | {SEALED}
        derived = {"hand"} if name == "spartacus" else {"bids"} if name == "mercator" else set()
        missing = set(found.position) - heads - derived
        assert not {key for key in missing if found.position[key] is not None}, missing
        assert len({part.path for part in found.parts}) == len(found.parts)
        assert all(part.section and part.fields for part in found.parts)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_edited_position_is_valid_or_its_mistakes_are_named(name: str, seats: int, options: dict[str, Any]) -> None:
    """Touched anywhere, a draft agrees with the referee about what cannot be, and can be touched back."""
    header, _, states = travel(name, seats, options)
    game, rng, fine = header.game, Random(9), 0
    for state in some(states, times(10, 30)):
        found = drafted(game, header.setup, state)
        for _ in range(6):
            part = rng.choice(found.parts)
            found = touch(found, part, rng.choice(part.fields), rng)
            session = Session(game, header.setup)
            session.opening = state
            receipt = session.preview(Decide("So.", found.change))
            public, own = found.wrong
            assert receipt.ok == (not public and not own)
            assert {ruling.seat for ruling in receipt.rulings} >= {*own} or not receipt.ok
            fine += receipt.ok
            if receipt.ok:
                position_of(game.name).read(header.setup, jsoned(found.position))
    assert fine


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_public_view_contains_nothing_hidden(name: str, seats: int, options: dict[str, Any]) -> None:
    """Law 2: with other purses, hands and cards face down, the same draft for everybody, whatever is touched."""
    header, _, states = travel(name, seats, options)
    game, rng = header.game, Random(3)
    for state in some(states, times(8, 20)):
        for other in (*disguises(game, state), *extremes(game, state)) if not game.view(state)["over"] else ():
            one, two = drafted(game, header.setup, state), drafted(game, header.setup, other)
            assert (one.open, one.parts, repr(one)) == (two.open, two.parts, repr(two))
            for part in [part for part in one.parts if not part.secret]:
                assert one.get(part) == two.get(part)
            secret = [part for part in one.parts if part.secret]
            for part in secret:
                with pytest.raises(AssertionError):
                    one.get(part)
                with pytest.raises(AssertionError):
                    one.own(part, next(seat for seat in header.seats if seat != part.of))
            part = rng.choice([part for part in one.parts if not part.secret])
            seed = rng.random()
            one, two = (touch(found, part, part.fields[0], Random(seed)) for found in (one, two))
            assert (one.open, one.wrong[0], repr(one)) == (two.open, two.wrong[0], repr(two))


def test_a_value_that_stands_nowhere_is_empty() -> None:
    field = Field("size", Count("counter", 1))
    assert held(field, None) == empty(field.kind) == 0


def test_a_place_comes_and_goes_with_its_owner() -> None:
    header, _, states = travel("caesar", 2, {})
    found = drafted(header.game, header.setup, states[0])
    square = next(part for part in found.parts if part.of == "c3")
    owner, size = square.fields
    there = found.fill(square, owner, "red")
    assert there.get(square) == {"owner": "red", "size": 1}
    there = there.fill(square, size, 3)
    assert there.change == {"turn": "blue", "board": {"c3": {"owner": "red", "size": 3}}}, "whose turn it is follows"
    assert there.fill(square, owner, None).change == {}
