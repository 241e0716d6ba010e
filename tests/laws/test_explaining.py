"""What explains a difference on the table: what truly happened is among the first, within few acts, and tells nothing."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers._public_model import line
from companion.answers.explaining import ENOUGH, LAG, MOST, Explanation, Search, explanations
from companion.games import position_of
from companion.record.transcript import Header, event_data, read_event
from companion.rules import Choose, Decide, Event, Reveal
from companion.rules.cards import DECK
from companion.rules.layout import ELSE, Layout, Lies
from companion.session import Session
from tests.support.differences import played, some_want, table_of
from tests.support.playing import Play
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import FEW, NOTED, times
from tests.support.twins import pair


def different(now: Layout, then: Layout) -> Lies:
    """What a table says that lies otherwise: the whole of every place; nobody looks into the box."""
    places = [place for place in dict.fromkeys((*now, *then)) if now.get(place) != then.get(place) and place != "box"]
    return {place: {**then.get(place, {}), ELSE: 0} for place in places}


def is_it(one: Explanation, events: Sequence[Event]) -> bool:
    """Those acts; where something is asked for yet, such acts."""
    told = [each.event for each in one.acts]
    if one.open:
        return sorted(type(event).__name__ for event in told) == sorted(type(event).__name__ for event in events)
    return all(event in told for event in events) and len(told) == len(events)


# -- what people compare ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_every_piece_lies_at_a_place_where_people_look(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    spots = {spot.place: spot for spot in position_of(name).places(header.setup)}
    for state in some(states):
        view = header.game.view(state)
        for place, pieces in position_of(header.game.name).lies(view, header.options).items():
            if place == "box":
                continue
            assert {*pieces} <= {*spots[place].pieces}, place
            assert max(pieces.values()) <= spots[place].most
            assert len(pieces) == 1 or not spots[place].one
        laid = position_of(header.game.name).layout(view, header.options)
        assert all(place in spots or place == "box" or place.startswith("space ") for place in laid)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_layout_agrees_with_the_position(name: str, seats: int, options: dict[str, Any]) -> None:
    """Entered for the editor where it lies already, nothing is different."""
    from tests.support.drafts import drafted

    header, _, states = travel(name, seats, options)
    for state in some(states, times(6, 12)):
        draft = drafted(header.game, header.setup, state)
        laid = position_of(header.game.name).lies(header.game.view(state), header.options)
        for spot in position_of(name).places(header.setup):
            found = position_of(name).entered(draft.open, spot.place, laid.get(spot.place, {}))
            if found:
                part = next(part for part in draft.parts if part.path == found[0])
                assert not part.secret and bare(draft.get(part)) == bare(found[1]), spot.place


def bare(value: Any) -> Any:
    """A value without what says that nothing is there."""
    if isinstance(value, Mapping):
        return {key: of for key, of in value.items() if of} or None
    return value or None


# -- what explains it -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NOTED)
def test_acts_that_were_not_reported_are_found(name: str) -> None:
    """One to three of them, from the end of what was reported; cards face down are turned up by nobody here."""
    header, events, _ = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
    rng, tried, first = Random(name), 0, 0
    for _ in range(160):
        if tried == times(5, 12):
            break
        at, more = rng.randrange(len(events) - 3), rng.choice([1, 1, 1, 2, 3])
        missed = events[at : at + more]
        if any(isinstance(event, Choose) or (isinstance(event, Reveal) and header.game.sealed) for event in missed):
            continue
        session = played(header, events[:at])
        want = different(table_of(session), table_of(played(header, events[: at + more])))
        if not want:
            continue
        search = searched(session, want)
        tried += 1
        first += any(one.was is None and is_it(one, missed) for one in search.best[:4]) or shorter(search, more)
    assert tried >= 5 and first >= 0.9 * tried, (first, tried)


def searched(session: Session, want: Lies) -> Search:
    search = Search(session, want)
    for _ in search.steps():
        assert search.judged <= MOST + LAG + len(session.acts)
    assert len(search.best) <= ENOUGH
    return search


def shorter(search: Search, acts: int) -> bool:
    """Fewer acts come to the same, a pass left out or a move in one step."""
    return any(one.was is None and len(one.acts) < acts for one in search.best)


@pytest.mark.parametrize("name", NOTED)
def test_an_act_that_was_reported_wrongly_is_found(name: str) -> None:
    """Any act of the last few, as another that was possible then, where all acts after it are possible all the same."""
    header, events, states = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
    rng, tried, first = Random(name), 0, 0
    for _ in range(300):
        at = rng.randrange(1, len(events))
        of = rng.randrange(max(0, at - 6), at)
        other = instead(header, states[of], events[of], rng)
        session = Session(header.game, header.setup)
        if not other or not all(session.receive(event).ok for event in (*events[:of], other, *events[of + 1 : at])):
            continue
        want = different(table_of(session), table_of(played(header, events[:at])))
        if not want:
            continue
        best = searched(session, want).best[:6]
        tried += 1
        first += any(one.was and one.was.number == of + 1 and is_it(one, [events[of]]) for one in best)
        if tried == times(5, 12):
            break
    assert tried > 3 and first >= 0.9 * tried, (first, tried)


def instead(header: Header, state: Any, event: Event, rng: Random) -> Event | None:
    """Another act of the same kind, by the same seat."""
    moves = [moves for moves in header.game.legal(state) if moves.event is type(event)]
    found = [moves.pick(rng.choice) for moves in moves for _ in range(20)]
    seat = getattr(event, "seat", None)
    return next((one for one in found if one != event and getattr(one, "seat", None) == seat), None)


@pytest.mark.parametrize("name", NOTED)
def test_the_last_acts_never_happened(name: str) -> None:
    header, events, _ = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
    rng, tried = Random(name), 0
    for _ in range(times(5, 12)):
        at, back = rng.randrange(4, len(events)), rng.choice([1, 2, 3])
        session = played(header, events[:at])
        then = table_of(played(header, events[: at - back]))
        if not (want := different(table_of(session), then)):
            continue
        tried += 1
        found = [one for one in explanations(session, want) if one.was and not one.acts]
        assert found and found[0].cost <= back
        mark = session.mark()
        assert session.receive(read_event(header, found[0].event or {}).event).ok
        assert not any(table_of(session).get(place, {}) != then.get(place, {}) for place in want)
        session.back_to(mark)
    assert tried


@pytest.mark.parametrize("name", NOTED)
def test_offered_explanations_lead_to_the_reported_table(name: str) -> None:
    """Where nothing of it is asked and nothing hidden forbids it, an explanation makes lie what was said."""
    header, events, _ = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
    rng, done = Random(name), 0
    for _ in range(10):
        at = rng.randrange(2, len(events) - 2)
        session = played(header, events[:at])
        want = different(table_of(session), table_of(played(header, events[: at + rng.choice([1, 2, -1])])))
        for one in explanations(session, want) if want else ():
            if one.open:
                continue
            mark = session.mark()
            steps = [one.event] if one.event else [event_data(told.event) for told in one.acts]
            receipts = [session.receive(read_event(header, step).event) for step in steps if step]
            if all(receipt.ok for receipt in receipts):
                sealed = {place for place in want if place.startswith(("hand", "sealed"))}  # taken up by an amendment
                now = table_of(session)
                for place in {*want} - (sealed if one.was else set()):
                    assert now.get(place, {}) == {piece: n for piece, n in want[place].items() if piece and n}
                done += 1
            session.back_to(mark)
    assert done


def test_a_card_that_lies_open_is_the_one_that_was_chosen() -> None:
    play = Play("prokonsul", "red blue green", reveal="auto")
    play.ok("pawns", order=["red", "blue", "green"])
    play.ok("province", province="asia")
    for seat, rank in (("red", 9), ("blue", 8), ("green", 7)):
        play.ok("choose", seat, card=f"{seat} {rank}")
    play.ok("reveal")
    found = explanations(play.session, {"before red": {"red 8": 1, ELSE: 0}})
    assert found[0].event == {"event": "amend", "act": 3, "as": {"event": "choose", "seat": "red", "card": "red 8"}}
    assert not found[0].open


# -- law 2 ------------------------------------------------------------------------------------------------------


def offered(session: Session, want: Lies) -> Any:
    """Everything that may be shown of what is offered."""
    search = Search(session, want)
    for _ in search.steps():
        pass
    return [
        (one.event, one.cost, one.lies, one.open, one.was.public if one.was else None,
         [(told.event, told.open, told.rulings[0]) for told in one.acts])
        for one in search.best
    ], search.judged  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_offered_explanations_leak_nothing_hidden(name: str, seats: int, options: dict[str, Any]) -> None:
    """Two games that look alike, begun in the middle and played on alike, are offered the same."""
    header, _, states = travel(name, seats, options)
    game, rng, tried, found = header.game, Random(f"{name} {options}"), 0, 0
    alike = [(state, [*disguises(game, state), *extremes(game, state)]) for state in states
             if not game.view(state)["over"]]  # fmt: skip
    for state, others in some([both for both in alike if both[1]], times(2, 3)):
        for disguise in others:
            both = pair(name, seats, options, state, disguise)
            for _ in range(5):
                want = some_want(both[0], rng)
                said = [offered(session, want) for session in both]
                assert said[0] == said[1], want
                tried, found = tried + 1, found + bool(said[0][0])
                moves = game.legal(both[0].state)
                event = rng.choice(moves).pick(rng.choice) if moves else Decide("So.")
                receipts = [session.receive(event) for session in both]
                if not all(receipt.ok for receipt in receipts) or both[0].view() != both[1].view():
                    break
    assert tried or not any(others for _, others in alike), "something is hidden"


@pytest.mark.parametrize("name", ["prokonsul", "caesar", "hannibal"])
def test_cards_that_lie_face_down_are_in_nothing_that_is_offered(name: str) -> None:
    """Two games in which other cards lie face down, or lay there and were replaced, are offered the same."""
    header, events, _ = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
    game, rng, tried = header.game, Random(name), 0
    for at, event in enumerate(events):
        if not isinstance(event, Choose) or tried > times(10, 24):
            continue
        both = [played(header, events[:at]) for _ in range(2)]
        cards = [choice for moves in game.legal(both[0].state) for choice in moves
                 if isinstance(choice, Choose) and choice.seat == event.seat]  # fmt: skip
        for more in range(rng.choice([1, 1, 2])):  # the second replaces the first
            for session in both:
                assert session.receive(rng.choice(cards[more:] or cards)).ok
        for sealed in (card.card for session in both for card in cards):
            want = {**some_want(both[0], rng), f"before {event.seat}": {str(sealed): 1}}
            said = [offered(session, want) for session in both]
            assert said[0] == said[1], want
            tried += 1
            if tried % 5 == 0:
                break
    assert tried > 10


@pytest.mark.parametrize("name", ["mercator", "prokonsul"])
def test_a_purse_that_the_table_has_changed_is_in_nothing_that_is_offered(name: str) -> None:
    header, events, _ = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
    rng = Random(name)
    for at in range(3, times(20, 40), 12):
        both = [played(header, events[:at]) for _ in range(2)]
        for session, chips in zip(both, (0, 500), strict=True):
            purses = dict.fromkeys(header.seats, chips)
            assert session.receive(Decide("Miscounted.", {"chips": purses})).ok or both[0].view()["phase"] == "bidding"
        if both[0].standing != both[1].standing:
            continue
        for _ in range(6):
            want = some_want(both[0], rng)
            assert offered(both[0], want) == offered(both[1], want)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_a_twin_looks_like_the_game(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, _ = travel(name, seats, options)
    session = played(header, events[: len(events) * 3 // 4])
    for stood in line(session):
        assert stood.after is not None and header.game.view(stood.after) == stood.act.view
        private = [header.game.view(stood.after, seat)["private"] for seat in header.seats]
        assert all(purse["chips"] >= 900_000 for purse in private if "chips" in purse)


def test_named_cards_are_of_the_deck() -> None:
    assert ELSE not in DECK
