"""Any game's face: every game can be played by finger on the default board, and nothing on it depends on what is hidden."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.cli.simulate import table
from companion.games import NAMES, game, guide_of
from companion.record.transcript import Header, dump_event, parse, read_event
from companion.rules.outline import Outline, outlines
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.paths import ROOT
from tests.support.playing import Play
from tests.support.spartacus import lead
from tests.support.tables import FEW, SOME
from ui.games.any import FACE
from ui.games.any.model import Anything
from ui.games.face import AnyFace, face_of
from ui.games.parts.actions import Terms, actions, ask
from ui.games.parts.asking import group, settled
from ui.games.parts.cards import offered
from ui.games.parts.sentences import expected
from ui.table.moment import Moment

BOARDS = {"hannibal", "prokonsul"}


def moment(header: Header, session: Session, log: Any = (), **more: Any) -> Moment:
    """What the screen knows of a session."""
    return Moment(header.game, header.seats, session.view(), session.derived(), options=header.options, board=header.board, log=log,
                  fists=tuple(session.fists()), outlines=outlines(header.game, session.state), **more)  # fmt: skip


def shown(play: Play, **more: Any) -> tuple[Moment, Anything]:
    """A moment of a game that is being played, and any game's board of it."""
    m = moment(play.header, play.session, **more)
    return m, FACE.centre(m)


def by_finger(m: Moment, terms: Terms, session: Session, wanted: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The event as the controls make it, with every value taken from what they offer."""
    for action in actions(m, terms):
        if action.verb != wanted["event"] or any(
            wanted.get(key) != value for key, value in action.picked.items() if value
        ):
            continue
        if action.verb == "choose":  # the private pad behind the cover
            assert wanted["card"] in session.view(wanted["seat"])["private"]["hand"]
            return {"event": "choose", "seat": action.picked["seat"], "card": wanted["card"]}
        event, picked = action.event, dict(action.picked)
        while event is None:
            question = ask(m, terms, action.verb, picked)
            assert question and question.text
            picked[question.key] = answer(m, question, wanted[question.key])
            event = settled(m.outlines, action.verb, picked)
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


def random_play(
    name: str, seats: int, options: dict[str, Any], face: AnyFace
) -> Iterator[tuple[Header, Session, list[Receipt]]]:
    header = table(game(name), seats, options)
    session, rng, log = Session(header.game, header.setup), Random(f"{name} {seats}"), list[Receipt]()
    while moves := session.legal():
        yield header, session, log
        wanted = parse(dump_event(rng.choice(moves).pick(rng.choice)))
        event = by_finger(moment(header, session, log), face.terms, session, wanted)
        assert event is not None, f"no control leads to {wanted}"
        if "members" not in wanted:  # whose order does not matter
            assert event == wanted
        log.append(session.receive(read_event(header, event).event))
        assert log[-1].ok, log[-1].rulings
    yield header, session, log


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_a_whole_game_by_finger_on_any_games_board(name: str, seats: int, options: dict[str, Any]) -> None:
    played(name, seats, options, FACE)


@pytest.mark.parametrize(("name", "seats", "options"), SOME)
def test_a_whole_game_by_finger(name: str, seats: int, options: dict[str, Any]) -> None:
    played(name, seats, options, face_of(name))


def played(name: str, seats: int, options: dict[str, Any], face: AnyFace) -> None:
    for at, (header, session, log) in enumerate(random_play(name, seats, options, face)):
        m = moment(header, session, log if session.view()["over"] else ())
        assert expected(m).sentence
        assert all(seat in header.seats for seat in face.awaited(m))
        assert all(isinstance(face.status(m, seat), str) for seat in header.seats)
        assert face.centre(m)
        assert {face.number(m, seat) for seat in header.seats} <= {"", *guide_of(name).numbers}
        if face is FACE and (at % 5 == 0 or m.view["over"]):
            well_made(face.centre(m), m)
    assert session.view()["over"]
    assert all(isinstance(face.breakdown(m, seat), str) for seat in header.seats)
    drawn = face.chart(m)
    counted = face is not FACE or "points" in m.view
    assert (drawn is not None) == (counted and options.get("points") != "covered"), "only what was counted is drawn"
    if drawn:
        title, lines = drawn
        assert title and set(lines) == set(header.seats) and all(lines.values())


def well_made(model: Anything, m: Moment) -> None:
    """Whatever the game, its board has a number or shapes, something to do, a row a seat, and its places."""
    assert model.big.value or model.big.seats
    assert model.actions and (model.actions[0].verb == "end") == m.view["over"]
    assert len(model.rows) == len(m.seats) and all(len(row.cells) == len(model.heads) for row in model.rows)
    assert bool(model.tiles) == (m.game.name in ("caesar", *BOARDS))


def test_a_game_without_a_folder_has_any_games_face() -> None:
    assert face_of("patience") is FACE
    of_their_own = {path.parent.name for path in (ROOT / "ui" / "games").glob("*/__init__.py")}
    assert {name for name in NAMES if face_of(name) is not FACE} == of_their_own & {*NAMES}


# -- what is hidden ---------------------------------------------------------------------------------------------


def test_a_hand_without_a_lower_card_still_has_its_control() -> None:
    play = Play("spartacus", "red blue green")
    play.ok("play", "red", card="red 1")
    play.ok("play", "blue", card="blue flag")
    play.ok("play", "green", card="green flag")
    lead(play, "blue")
    play.ok("play", "blue", card="blue 10")
    play.ok("play", "green", card="green 1")
    play.ok("pass", "red")
    _, model = shown(play)
    assert [action.verb for action in model.actions] == ["play", "pass"], "blue has neither flag nor lower card"


def test_a_purse_without_chips_still_has_its_control() -> None:
    play = Play("mercator", "red blue green", options={"auction": "open"})
    play.ok("flip", "red", card="red 10")
    play.ok("auction", "red")
    play.ok("sold", "red", chips=50)
    play.ok("flip", "blue", card="red 9")
    play.ok("auction", "blue")
    _, model = shown(play)
    assert [(action.verb, action.seat) for action in model.actions] == [
        ("sold", "red"), ("sold", "blue"), ("sold", "green"), ("unsold", ""),
    ]  # fmt: skip
    assert model.actions[-1].event == {"event": "unsold"}


def test_cards_to_tap_are_those_of_the_colour_and_of_the_game() -> None:
    def cards(name: str, seats: str, seat: str, **options: Any) -> list[str]:
        return list(offered(shown(Play(name, seats, options=options))[0], seat))

    assert cards("spartacus", "red blue green", "blue", flags="none") == [f"blue {rank}" for rank in range(1, 11)]
    assert cards("spartacus", "red blue green", "blue")[-1] == "blue flag"
    assert cards("prokonsul", "red blue green", "red", game="short") == [f"red {rank}" for rank in range(1, 8)]
    assert cards("prokonsul", "red blue green", "red")[-2:] == ["red 9", "red 12"]
    assert len(cards("mercator", "red blue green black", "black")) == 50


# -- the board --------------------------------------------------------------------------------------------------


def test_the_number_is_whose_move_it_is_then_who_has_won() -> None:
    play = Play("mercator", "red blue green")
    play.ok("flip", "red", card="red 9")
    play.ok("flip", "red", card="blue 7")
    _, model = shown(play)
    assert (model.big.caption, list(model.big.seats)) == ("To move", ["red"])
    assert [(strip.caption, list(strip.cards)) for strip in model.strips] == [("the lot", ["red 9", "blue 7"])]
    assert model.heads == ["taking part", "ships", "track"]
    assert [action.text for action in model.actions] == ["Flip a card", "Start the auction"]
    _, model = shown(play, called=True, closed=play.header.seats)
    assert model.big.value == "Open!"


def test_squares_lead_from_one_to_another() -> None:
    play = Play("caesar", "red blue")
    _, model = shown(play)
    assert [tile.place for tile in model.tiles[0]] == ["a5", "b5", "c5", "d5", "e5"]
    action = model.taps["", "c3"]
    assert action and action.event == {"event": "place", "seat": "red", "square": "c3"}
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
    assert [tile.place for row in model.tiles for tile in row if tile.chosen] == ["a1", "b1"]
    assert expected(m).sentence == "Red and Blue: choose a card for the duel, face down"


def test_places_with_pieces_and_what_is_still_to_be_asked() -> None:
    play = Play("hannibal", "blue red")
    play.ok("move", "blue", piece="legion", **{"from": "rome", "to": "gallia"})
    m, model = shown(play)
    assert {tile.place: tile.marks for row in model.tiles for tile in row}["carthago"] == [("red", "5")]
    both = model.taps["carthago", "zama"]
    assert both and both.event is None, "Hannibal or a legion: the pad asks"
    question = ask(m, FACE.terms, "move", both.picked)
    assert question and [choice.text for choice in question.choices] == ["Legion", "Hannibal"]
    fleet = model.taps["sardinia-carthago", "cannae-sicilia"]
    assert fleet and fleet.event and fleet.event["piece"] == "fleet"


@pytest.mark.parametrize(
    ("key", "kind", "text"),
    [
        ("chips", "chips", "Red · Draw lots: how many chips?"),
        ("lots", "number", "Red · Draw lots: how many?"),
        ("whole_rows", "row", "Red · Draw lots: whole rows?"),
    ],
)
def test_a_value_is_asked_for_by_its_key_its_kind_or_in_plain_words(key: str, kind: str, text: str) -> None:
    m, _ = shown(Play("spartacus", "red blue green"))
    draw = Outline("draw_lots", {"seat": ("seat", ("red",)), key: (kind, None)})
    question = ask(replace(m, outlines=[draw]), FACE.terms, "draw_lots", {})
    assert question and (question.text, question.values) == (text, None)


def test_fists_are_asked_of_those_who_take_part() -> None:
    play = Play("mercator", "red blue green yellow")
    play.ok("flip", "red", card="red 9")
    play.ok("auction", "red")
    texts = [expected(shown(play, closed=closed)[0]).sentence for closed in ((), ("red",), ("red", "blue", "green"))]
    assert texts == [
        "Hide chips in your fists, then open them together",
        "Blue, Green and Yellow: hold your button until all are held",
        "Yellow: hold your button until all are held",
    ]
    assert expected(shown(play, closed=("purple",))[0]).sentence == texts[0], "a fist that takes no part says nothing"
    m, _ = shown(play, called=True, closed=play.header.seats)
    assert "open your fists" in expected(m).sentence
