"""A session counts what was accepted, and takes back what came since a mark."""

from companion.rules import Event, Setup, Undo
from companion.session import Session
from tests.toy_game import SEATS, TOY, Bet


def session() -> Session:
    return Session(TOY, Setup(SEATS, {"fails": "nothing"}))


def test_a_refusal_has_no_number_and_what_was_accepted_has_the_next() -> None:
    game = session()
    numbers = [game.receive(event).number for event in (Undo(), Bet("red", 1), Undo(), Undo(), Bet("red", 1), Undo())]
    assert numbers == [0, 1, 2, 0, 3, 4] and game.accepted == 4


def test_back_to_a_mark_is_as_if_nothing_had_come() -> None:
    game = session()
    game.receive(Bet("red", 1))
    before, act, mark = game.state, game.undoable, game.mark()
    since: list[list[Event]] = [[Bet("blue", 2), Bet("red", 0)], [Undo()], [Undo(), Bet("blue", 1)]]
    for events in since:
        for event in events:
            game.receive(event)
        game.back_to(mark)
        assert (game.state, game.undoable, game.accepted) == (before, act, 1)
    assert game.receive(Undo()).ok and game.undoable is None
