"""The default board and its pad: every game can be played by finger, and nothing on it depends on what is hidden."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from companion.games import NAMES, game
from companion.outline import outlines
from companion.session import Receipt, Session
from companion.simulate import table
from companion.transcript import Header, dump_event, parse, read_event
from tests.playing import Play
from tests.test_laws import variants
from ui.games.any import sentences as plain
from ui.games.any.model import Plain, board
from ui.games.parts.cards import cards
from ui.games.parts.deeds import ask, deeds, group, settled
from ui.table.moment import Moment

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    (name, game(name).seats[0], options) for name in NAMES for options in variants(game(name))
]
GAMES += [("mercator", 7, {"auction": "open"}), ("caesar", 5, {}), ("prokonsul", 5, {"negotiation": "two_way"})]
BOARDS = {"hannibal", "prokonsul"}


def moment(header: Header, session: Session, log: Any = (), **more: Any) -> Moment:
    """What the screen knows of a session."""
    return Moment(header.game, header.seats, session.view(), options=header.options, board=header.board, log=log,
                  fists=tuple(session.fists()), **more)  # fmt: skip


def shown(play: Play, **more: Any) -> tuple[Moment, Plain]:
    """A moment of a game that is being played, and its board."""
    m = moment(play.header, play.session, **more)
    return m, board(m, outlines(play.header.game, play.session.state))


def by_finger(m: Moment, session: Session, wanted: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The event as the controls make it, with every value taken from what they offer."""
    found = outlines(m.game, session.state)
    for deed in deeds(m, found):
        if deed.verb != wanted["event"] or any(wanted.get(key) != value for key, value in deed.picked.items() if value):
            continue
        if deed.verb == "choose":  # the private pad behind the cover
            assert wanted["card"] in session.view(wanted["seat"])["private"]["hand"]
            return {"event": "choose", "seat": deed.picked["seat"], "card": wanted["card"]}
        event, picked = deed.event, dict(deed.picked)
        while event is None:
            question = ask(m, found, deed.verb, picked)
            assert question and question.text
            picked[question.key] = answer(m, question, wanted[question.key])
            event = settled(found, deed.verb, picked)
        return event
    return None


def answer(m: Moment, question: Any, value: Any) -> Any:
    """What is tapped for this value; a tap on it must be there."""
    if question.kind == "chips":
        assert not question.choices, "no bound of an amount may be told"
        return value
    if question.kind == "seats":
        assert set(value) <= {choice.value for choice in question.choices}
        return group(m, question.values, value)
    assert value in {choice.value for choice in question.choices}
    return value


def random_play(name: str, seats: int, options: dict[str, Any]) -> Iterator[tuple[Header, Session, list[Receipt]]]:
    header = table(game(name), seats, options)
    session, rng, log = Session(header.game, header.setup), Random(f"{name} {seats}"), list[Receipt]()
    while moves := session.legal():
        yield header, session, log
        wanted = parse(dump_event(rng.choice(moves).pick(rng.choice)))
        event = by_finger(moment(header, session, log), session, wanted)
        assert event is not None, f"no control leads to {wanted}"
        if "members" not in wanted:  # whose order does not matter
            assert event == wanted
        log.append(session.receive(read_event(header, event).event))
        assert log[-1].ok, log[-1].rulings
    yield header, session, log


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
def test_a_whole_game_by_finger(name: str, seats: int, options: dict[str, Any]) -> None:
    for at, (header, session, log) in enumerate(random_play(name, seats, options)):
        m = moment(header, session, log if session.view()["over"] else ())
        assert plain.expected(m)
        assert all(seat in header.seats for seat in plain.awaited(m))
        if at % 5 and not m.view["over"]:
            continue
        model = board(m, outlines(header.game, session.state))
        assert model.big.value or model.big.seats
        assert bool(model.deeds) != model.over
        assert len(model.rows) == seats and all(len(row.cells) == len(model.heads) for row in model.rows)
        assert bool(model.tiles) == (name in ("caesar", *BOARDS))
        assert all(isinstance(plain.status(m, seat), str) for seat in header.seats)
    assert session.view()["over"]
    assert all(isinstance(plain.note(m, seat), str) for seat in header.seats)


# -- what is hidden ---------------------------------------------------------------------------------------------


def test_a_hand_without_a_lower_card_still_has_its_control() -> None:
    play = Play("spartacus", "red blue green")
    play.ok("play", "red", card="red 1")
    play.ok("play", "blue", card="blue flag")
    play.ok("play", "green", card="green flag")
    play.ok("play", "blue", card="blue 10")
    play.ok("play", "green", card="green 1")
    play.ok("pass", "red")
    _, model = shown(play)
    assert [deed.verb for deed in model.deeds] == ["play", "pass"], "blue has neither flag nor lower card"


def test_a_purse_without_chips_still_has_its_control() -> None:
    play = Play("mercator", "red blue green", options={"auction": "open"})
    play.ok("flip", "red", card="red 10")
    play.ok("auction", "red")
    play.ok("sold", "red", chips=50)
    play.ok("flip", "blue", card="red 9")
    play.ok("auction", "blue")
    _, model = shown(play)
    assert [(deed.verb, deed.seat) for deed in model.deeds] == [
        ("sold", "red"), ("sold", "blue"), ("sold", "green"), ("unsold", ""),
    ]  # fmt: skip
    assert model.deeds[-1].event == {"event": "unsold"}


def test_cards_to_tap_are_those_of_the_colour_and_of_the_game() -> None:
    spartacus, _ = shown(Play("spartacus", "red blue green", options={"flags": "none"}))
    assert cards(spartacus, "blue") == [f"blue {rank}" for rank in range(1, 11)]
    mercator, _ = shown(Play("mercator", "red blue green black"))
    assert len(cards(mercator, "black")) == 50


# -- the board --------------------------------------------------------------------------------------------------


def test_mercators_lot_and_its_rows() -> None:
    play = Play("mercator", "red blue green")
    play.ok("flip", "red", card="red 9")
    play.ok("flip", "red", card="blue 7")
    m, model = shown(play)
    assert (model.big.value, model.big.beside) == ("16", "9 + 7")
    assert [(strip.caption, list(strip.cards)) for strip in model.strips] == [("The lot", ["red 9", "blue 7"])]
    assert model.heads == ["room", "ship", "cargo"]
    assert [deed.text for deed in model.deeds] == ["Flip a card", "Stop: auction"]
    assert plain.expected(m) == "Red: turn up another card, or stop for the auction."
    play.ok("auction", "red")
    play.ok("reveal")
    play.ok("bid", "blue", chips=3)
    _, model = shown(play)
    assert [deed.text for deed in model.deeds] == ["Bid", "bid: 3", "Bid"]


@pytest.mark.parametrize(
    ("flags", "penalty", "worth"), [("double", "none", "36"), ("joker", "minus10", "8"), ("joker", "void", "0")]
)
def test_what_a_trick_is_worth(flags: str, penalty: str, worth: str) -> None:
    play = Play("spartacus", "red blue green", options={"flags": flags, "joker_penalty": penalty})
    for card in ("red 10", "blue 8", "green flag"):
        play.ok("play", card.split()[0], card=card)
    m, model = shown(play)
    assert (model.big.value, model.strips[0].marked) == (worth, "blue 8")
    assert "below 8" in plain.expected(m)


def test_caesars_squares_lead_from_group_to_group() -> None:
    play = Play("caesar", "red blue")
    _, model = shown(play)
    assert [tile.place for tile in model.tiles[0]] == ["a5", "b5", "c5", "d5", "e5"]
    deed = model.taps["", "c3"]
    assert deed and deed.event == {"event": "place", "seat": "red", "square": "c3"}
    for red, blue in zip(("a1", "a2", "a3", "a4", "a5"), ("b1", "b2", "b3", "b4", "b5"), strict=True):
        play.ok("place", "red", square=red)
        play.ok("place", "blue", square=blue)
    _, model = shown(play)
    assert model.taps["", "a1"] is None
    attack, ally = model.taps["a1", "b1"], model.taps["a1", "a2"]
    assert attack and attack.event == {"event": "attack", "seat": "red", "from": "a1", "to": "b1"}
    assert ally and ally.event == {"event": "ally", "seat": "red", "from": "a1", "to": "a2"}
    play.ok("attack", "red", **{"from": "a1", "to": "b1"})
    m, model = shown(play, reveal="fists")
    assert (model.big.value, list(model.big.seats)) == ("1:1", ["red", "blue"])
    assert [tile.place for row in model.tiles for tile in row if tile.chosen] == ["a1", "b1"]
    assert plain.expected(m) == "Red, Blue: choose a card for the duel, face down."


def test_hannibals_map_and_who_fights() -> None:
    play = Play("hannibal", "blue red")
    play.ok("move", "blue", piece="legion", **{"from": "rome", "to": "gallia"})
    m, model = shown(play)
    assert [tile.name for tile in model.tiles[0]] == ["Hispania N", "Gallia", "Rome", "Cannae"]
    assert {tile.place: tile.marks for row in model.tiles for tile in row}["carthago"] == [("red", "5+H")]
    both = model.taps["carthago", "zama"]
    assert both and both.event is None, "Hannibal or a legion: the pad asks"
    question = ask(m, outlines(m.game, play.session.state), "move", both.picked)
    assert question and [choice.text for choice in question.choices] == ["Legion", "Hannibal"]
    fleet = model.taps["sardinia-carthago", "cannae-sicilia"]
    assert fleet and fleet.event and fleet.event["piece"] == "fleet"


def test_fists_are_asked_of_those_who_take_part() -> None:
    play = Play("mercator", "red blue green yellow")
    play.ok("flip", "red", card="red 9")
    play.ok("auction", "red")
    texts = [plain.expected(shown(play, closed=closed)[0]) for closed in ((), ("red",), ("red", "blue", "green"))]
    assert texts == [
        "Hide chips in your fists, and open them all together.",
        "Blue, Green, Yellow: hold your button until all hold.",
        "Yellow: hold your button until all hold.",
    ]
    m, model = shown(play, called=True, closed=play.header.seats)
    assert model.big.value == "Open!" and "open your fists" in plain.expected(m)
