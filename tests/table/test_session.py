"""What a session gives back for each act: whether it counts, its number, and what an undo takes back."""

import pytest

from companion.record.transcript import read_event
from companion.rules import Event, Setup, Undo
from companion.session import FAIR_MS, Session, late
from tests.support.playing import BOARD, Play
from tests.support.toy_game import SEATS, TOY, Bet


def test_accepted_acts_are_numbered_from_1_and_refused_ones_have_none() -> None:
    play = Play("spartacus", "red blue green")
    assert play.refused("pass", "red")
    assert play.ok("play", "red", card="red 5").number == 1
    refusal = play("play", "red", card="red 4")
    assert (refusal.ok, refusal.number, play.session.accepted) == (False, 0, 1)
    assert play.ok("undo").number == 2
    assert play("undo").number == 0
    assert play.ok("play", "red", card="red 4").number == 3
    assert play.session.accepted == 3


def test_a_refused_act_cannot_be_undone() -> None:
    play = Play("spartacus", "red blue green")
    opening = play.session.state
    first = play.ok("play", "red", card="red 5")
    play.refused("play", "blue", card="blue 9")
    assert play.session.last is first
    undone = play.ok("undo")
    assert play.session.state is undone.state is opening
    assert play.session.last is None
    assert undone.rulings[0].facts["what"] is first.public[0]


def test_a_receipt_says_by_whom_and_when_and_shows_the_state_after_it() -> None:
    play = Play("spartacus", "red blue green")
    event = read_event(play.header, {"event": "play", "seat": "red", "card": "red 5"}).event
    receipt = play.session.receive(event, by="nfc", at="20:15")
    assert (receipt.ok, receipt.by, receipt.at, receipt.verb) == (True, "nfc", "20:15", "play")
    assert receipt.view == play.session.view() and receipt.view["turn"] == "blue"


@pytest.mark.parametrize(("ms", "named"), [(499, False), (500, False), (501, True)])
def test_a_fist_is_late_only_after_what_is_fair(ms: int, named: bool) -> None:
    rulings = late({"red": 0, "blue": ms}, FAIR_MS, "P-5")
    assert [ruling.facts["late"] for ruling in rulings] == ([{"blue": ms}] if named else [])


def test_nobody_is_late_where_no_times_are_known() -> None:
    assert late(None, FAIR_MS, "P-5") == late({}, FAIR_MS, "P-5") == ()


def test_a_session_begins_with_nothing_to_take_back() -> None:
    play = Play("caesar", "red blue")
    session = Session(play.header.game, play.header.setup)
    receipt = session.receive(Undo())
    assert (receipt.ok, receipt.rulings[0].code, receipt.rulings[0].rule) == (False, "nothing", "T-5")


@pytest.mark.parametrize("opened", [None, {"red": 0, "blue": 501, "green": 500}])
def test_a_reveal_names_the_late_and_a_refused_one_nobody(opened: dict[str, int] | None) -> None:
    play = Play("prokonsul", "red blue green", board=BOARD)
    play.ok("pawns", order=["red", "blue", "green"])
    play.ok("province", province="a")
    refusal = play("reveal", opened=opened)
    assert (refusal.ok, len(refusal.rulings)) == (False, 1)
    for seat in ("red", "blue", "green"):
        play.ok("choose", seat, card=f"{seat} 5")
    codes = [ruling.code for ruling in play.ok("reveal", opened=opened).rulings]
    assert codes.count("late") == bool(opened)


def session() -> Session:
    return Session(TOY, Setup(SEATS, {"fails": "nothing"}))


def test_back_to_a_mark_is_as_if_nothing_had_come() -> None:
    game = session()
    game.receive(Bet("red", 1))
    before, act, mark = game.state, game.last, game.mark()
    since: list[list[Event]] = [[Bet("blue", 2), Bet("red", 0)], [Undo()], [Undo(), Bet("blue", 1)]]
    for events in since:
        for event in events:
            game.receive(event)
        game.back_to(mark)
        assert (game.state, game.last, game.accepted) == (before, act, 1)
    assert game.receive(Undo()).ok and game.last is None
