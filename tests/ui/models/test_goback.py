"""Going back, amending and what goes where, as the screen shows them: no window, no Kivy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers import why
from companion.games import position_of
from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.transcript import event_data
from companion.rules import AnyGame, Choose, as_json
from companion.rules.data import SEALED
from companion.rules.layout import Layout, Move, Payment
from companion.rules.vocabulary import BANK
from companion.session.piece_moves import Restored
from tests.support.goback import SEATS, done, game
from tests.support.playing import match_of, moment_of
from ui.games.face import face_of
from ui.games.parts.asking import settled
from ui.pages import correct_move, end, export, goback, rulings
from ui.pages.answer_items import Heading, Sentence
from ui.pages.goback import Carried
from ui.pages.refused import urgent
from ui.table.frame import ruling_line

WRITTEN = [name for name in games.NAMES if position_of(name).layout is not position_of("none").layout]
"""The games whose layout is written down."""


def play(seat: str, card: str) -> dict[str, Any]:
    return {"event": "play", "seat": seat, "card": card}


TRICK = (play("red", "red 9"), play("blue", "blue 7"), play("green", "green 4"))


def texts(items: Sequence[Any]) -> list[str]:
    return [
        " ".join((item.piece, item.start, item.end)) if isinstance(item, Carried) else item.text
        for item in items
    ]  # fmt: skip


def preview(evening: Evening, **event: Any) -> goback.Foreseen:
    came = match_of(evening).preview(event)
    return goback.foreseen(moment_of(evening), came, match_of(evening).turned.after(match_of(evening).view, came))


# -- looked at first --------------------------------------------------------------------------------------------


def test_going_back_says_what_falls_away_and_what_goes_where() -> None:
    evening = game("spartacus", *TRICK)
    found = preview(evening, event="undo", to=1)
    assert found.possible and not found.warning
    assert texts(found.items) == [
        "This falls away: 2 moves",
        "Blue plays blue 7: it is now the lowest.",
        "Green plays green 4: it is now the lowest.",
        "To move on the table",
        "blue 7 from the trick to Blue's hand",
        "green 4 from the trick to Green's hand",
        "Everybody has seen: blue 7 and green 4.",
    ]
    assert len(match_of(evening).session.acts) == 3


def test_the_title_names_the_move() -> None:
    def title(*events: dict[str, Any], **event: Any) -> str:
        evening = game("prokonsul", *events, reveal="fists")
        return goback.title(moment_of(evening), match_of(evening).preview(event))

    assert title(*PLEA[:3], event="undo") == "Undo: Red chose a card."
    assert title(*PLEA[:2], event="undo") == "Undo: The black pawn went to Sicilia."
    assert title(*PLEA[:3], event="undo", to=1).startswith("Back to: ")
    assert title(event="undo") == title(*PLEA[:2], {"event": "undo"}, event="redo") == ""


def stepped(evening: Evening) -> tuple[str, list[str]]:
    """Return the title and the texts of the page after an undo or redo."""
    match = match_of(evening)
    title, items = goback.stepped(moment_of(evening), match.preview({"event": "undo"}), match.turned.goes)
    return title, texts(items)


def test_the_page_says_what_was_undone_and_what_was_redone() -> None:
    evening = game("spartacus", *TRICK, {"event": "undo"})
    assert stepped(evening) == ("Undone", [
        "Taken back: Green plays green 4: it is now the lowest.",
        "To move on the table",
        "green 4 from the trick to Green's hand",
        "Everybody has seen: green 4.",
        "Next to undo: Blue played blue 7.",
    ])  # fmt: skip
    match_of(evening).turned.put_away()
    done(evening, {"event": "redo"})
    assert stepped(evening) == ("Redone", [
        "Redone: Green plays green 4: it is now the lowest.",
        "To move on the table",
        "green 4 from Green's hand to the trick",
    ])  # fmt: skip


def test_a_redo_of_what_nobody_has_moved_back_moves_nothing() -> None:
    evening = game("spartacus", *TRICK, {"event": "undo"}, {"event": "redo"})
    said = ["Redone: Green plays green 4: it is now the lowest.", "Nothing moves on the table."]
    assert stepped(evening) == ("Redone", said)


def test_a_redo_names_the_correction_and_the_last_of_several_moves() -> None:
    def said(*events: dict[str, Any]) -> str:
        return stepped(game("spartacus", *TRICK, *events))[1][0]

    amend = {"event": "amend", "act": 1, "as": play("red", "red 10")}
    assert said(amend, {"event": "undo"}, {"event": "redo"}) == "Correction redone: Red played red 10."
    several = "Redone up to this move: Green plays green 4: it is now the lowest."
    assert said({"event": "undo", "to": 1}, {"event": "redo"}) == several
    assert said(amend, {"event": "undo", "to": 1}, {"event": "redo"}) == several


def test_an_amount_that_was_tried_does_not_hide_what_was_undone() -> None:
    bids = [{"event": "bid", "seat": seat, "chips": 4} for seat in SEATS[:2]]
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"},
                   {"event": "auction", "seat": "red"}, {"event": "reveal"}, *bids)  # fmt: skip
    for _ in bids:
        done(evening, {"event": "undo"})
    done(evening, bids[0], {"event": "undo"}, {**bids[0], "chips": 5}, {"event": "undo"})
    assert moment_of(evening).log[-1].public[0].code == "tries"
    assert stepped(evening)[1][0] == "Taken back: Red bids 5."
    assert ruling_line(moment_of(evening)).text == "Taken back: Red bids 5."
    match_of(evening).act({**bids[0], "chips": 99})
    evening.drain()
    m = moment_of(evening)
    assert m.log[-1].public[0].code == "tries" and not m.log[-2].ok
    line = ruling_line(m)
    assert line.refused and line.text == m.tongue.say(m.log[-2].public[0])
    found = why.why(m.game, m.tongue, m.log)
    assert found and found.lead.text == line.text and urgent(m)
    note = why.why(m.game, m.tongue, m.log, m.log[-1].public[0])
    assert note and note.lead.rule == "T-6" and "do not count" in note.lead.clause


def test_several_cards_go_back_onto_the_pile_in_the_order_they_are_flipped_again() -> None:
    evening = game("mercator", *auction("red", "red 9", "blue 2", "green 4")[:-1])
    said = texts(preview(evening, event="undo", to=0).items)
    assert "Onto the pile one by one in this order: green 4, blue 2 and red 9." in said
    gone = game(
        "mercator", *auction("red", "red 9"), *bid_all(0, 0, 0), {"event": "flip", "seat": "blue", "card": "blue 2"}
    )
    told = "Onto the pile one by one in this order: blue 2 and red 9."
    assert told in texts(preview(gone, event="undo", to=0).items), "red 9 comes out of the box"
    done(gone, {"event": "undo", "to": 0})
    assert told in texts(goback.carried(moment_of(gone), match_of(gone).turned.goes))
    assert not [text for text in texts(preview(evening, event="undo").items) if text.startswith("Onto the pile")]


def test_a_redo_says_what_comes_back() -> None:
    evening = game("spartacus", *TRICK, {"event": "undo"})
    match_of(evening).turned.put_away()
    assert texts(preview(evening, event="redo").items) == [
        "This comes back",
        "Green plays green 4: it is now the lowest.",
        "To move on the table",
        "green 4 from Green's hand to the trick",
    ]


def test_an_amendment_says_what_stands_what_falls_and_why() -> None:
    evening = game("spartacus", *TRICK)
    found = preview(evening, event="amend", act=1, **{"as": play("red", "red 5")})
    said = texts(found.items)
    assert said[:4] == [
        "Before: Red played red 9.",
        "Now: Red played red 5.",
        "This falls away: 2 moves",
        "Blue plays blue 7: it is now the lowest.",
    ]
    assert said[5] == "The blue 7 is not lower than the red 5: Blue plays a lower number or the flag, or passes."
    assert said[7:-1] == [
        "blue 7 from the trick to Blue's hand",
        "green 4 from the trick to Green's hand",
    ]


def test_a_bid_that_has_lost_its_place_falls_away_for_the_reason_that_took_it() -> None:
    """Green's ship has three cards more: it has no room for the last lot, which goes to Blue before Green names a bid."""
    evening = game(
        "mercator", *auction("red", "red 1", "red 2", "red 3"), *bid_all(9, 1, 5), *auction("blue", "blue 1"),
        *bid_all(1, 2, 1), *auction("green", "green 1"), *bid_all(1, 1, 2),
        *auction("red", "red 4", "red 5", "red 6"), *bid_all(1, 2, 3),
    )  # fmt: skip
    found = preview(evening, event="amend", act=5, **{"as": {"event": "bid", "seat": "red", "chips": 2}})
    reason = "Green bid 3. That is no longer possible: No room for the whole lot, and so not in the auction: Green."
    assert reason in texts(found.items)
    done(evening, {"event": "amend", "act": 5, "as": {"event": "bid", "seat": "red", "chips": 2}})
    m = moment_of(evening)
    told = m.log[-1].public[0]
    assert told.facts["because"].code == "not_now" and "1 later move falls away. " + reason in m.tongue.say(told)
    (after,) = [text for _, text in why.why(m.game, m.tongue, m.log).lead.facts]  # type: ignore[union-attr]
    assert after.endswith("1 later move falls away. " + reason)


def bid_all(*chips: int) -> Sequence[dict[str, Any]]:
    return [{"event": "bid", "seat": seat, "chips": of} for seat, of in zip(SEATS, chips, strict=True)]


def test_an_amendment_says_what_stands_and_comes_out_otherwise() -> None:
    evening = game("spartacus", *TRICK)
    said = texts(preview(evening, event="amend", act=1, **{"as": play("red", "red 10")}).items)
    assert "2 later moves still stand." in said and said[-1] == "Nothing moves on the table.", "the card lies right"
    assert not any(text.startswith("This falls away") for text in said)


def test_one_step_is_a_whole_amendment() -> None:
    evening = game("spartacus", *TRICK, {"event": "amend", "act": 1, "as": play("red", "red 5")})
    said = texts(preview(evening, event="undo").items)
    assert said[:3] == ["This comes back: 2 moves", "Blue plays blue 7: it is now the lowest.", "Green plays green 4: "
                        "it is now the lowest."]  # fmt: skip
    assert "Red leads red 9: it is the lowest." in said


def test_impossible_request_is_refused_and_changes_nothing() -> None:
    evening = game("spartacus", *TRICK)
    found = preview(evening, event="amend", act=1, **{"as": play("blue", "blue 5")})
    assert not found.possible and texts(found.items)
    assert preview(game("spartacus"), event="undo") == goback.Foreseen(
        [Sentence("There is nothing to take back.")], False
    )


CHOSEN: list[dict[str, Any]] = [
    {"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in zip(SEATS, (9, 5, 4), strict=True)
]
PLEA: list[dict[str, Any]] = [{"event": "pawns", "order": SEATS}, {"event": "province", "province": "sicilia"}, *CHOSEN]


def test_a_reveal_is_asked_about_once() -> None:
    evening = game("prokonsul", *PLEA, reveal="auto")
    number = match_of(evening).session.acts[-1].number
    warning = "Cards were revealed here, and everybody has seen them. Undo anyway?"
    assert preview(evening, event="undo").warning == preview(evening, event="undo", to=2).warning == warning
    assert match_of(evening).session.acts[-1].number == number


def test_undoing_opened_fists_speaks_of_chips() -> None:
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"},
                   {"event": "auction", "seat": "red"}, {"event": "reveal"})  # fmt: skip
    warning = "Fists were opened here, and everybody has seen the chips. Undo anyway?"
    assert preview(evening, event="undo").warning == warning


def test_a_replaced_choice_does_not_fall_away() -> None:
    """Blue has chosen anew before the reveal: a correction of the province takes up the newer card alone."""
    again = {"event": "choose", "seat": "blue", "card": "blue 6"}
    evening = game("prokonsul", *PLEA[:4], again, reveal="fists")
    as_ = {"event": "province", "province": "asia"}
    said = texts(preview(evening, event="amend", act=2, **{"as": as_}).items)
    assert said[2:4] == ["This falls away: 2 moves", "Red and Blue have chosen."]
    done(evening, CHOSEN[2])
    done(evening, {"event": "reveal"})
    said = texts(preview(evening, event="amend", act=2, **{"as": as_}).items)
    assert not any(text.startswith("This falls away") for text in said), said


@pytest.mark.parametrize("name", games.NAMES)
def test_the_board_of_a_preview_is_the_one_after_it(name: str) -> None:
    """Undo, redo, corrections and moves in any order: what is drawn beforehand is what is drawn then."""
    evening, robot = played(name, 25, 2), Random(3)
    for _ in range(20):
        match = match_of(evening)
        event = any_turn(match, robot)
        m, came = moment_of(evening), match.preview(event)
        if came.ok:
            drawn = face_of(name).centre(m.after(came))
            done(evening, event)
            quiet: dict[str, Any] = dict(outlines=(), fists=(), closed=frozenset(), called=False, counts=False)
            assert drawn == face_of(name).centre(replace(moment_of(evening), **quiet)), event


def any_turn(match: Match, robot: Random) -> dict[str, Any]:
    """Return an undo, a redo or a correction of a move to any that was possible then."""
    acts = match.session.acts
    found: list[dict[str, Any]] = [{"event": "undo"}, {"event": "redo"}]
    for act in acts[-8:]:
        moves = match.game.legal(act.before.state if act.before else match.session.opening)
        as_ = event_data(robot.choice(moves).pick(robot.choice))
        found += [{"event": "undo", "to": act.number}, {"event": "amend", "act": act.number, "as": as_}]
    return robot.choice(found)


def test_a_corrected_move_is_shown_with_the_board_of_its_own_line() -> None:
    """A later move is judged anew and reads the same: the board after it has the corrected card."""
    evening = game("spartacus", *TRICK, {"event": "amend", "act": 1, "as": play("red", "red 10")})
    m = moment_of(evening)
    shown = m.after(m.acts[1])
    assert [as_json(act.event)["card"] for act in shown.acts] == ["red 10", "blue 7"]


# -- one list ---------------------------------------------------------------------------------------------------


def test_several_steps_make_one_list_and_what_cancels_out_vanishes() -> None:
    evening = game("spartacus", *TRICK, {"event": "undo"}, {"event": "undo"})
    match, m = match_of(evening), moment_of(evening)
    said = "Blue 7 from the trick to Blue's hand · Green 4 from the trick to Green's hand"
    assert {*goback.strip(m, match.turned.goes)} == {said}
    done(evening, {"event": "redo"})
    assert list(match.turned.goes.moves) == [Move("green 4", 1, "trick", "hand green")]
    done(evening, {"event": "redo"})
    assert not match.turned.goes.moves and not goback.strip(moment_of(evening), match.turned.goes)


@pytest.mark.parametrize("name", games.NAMES)
@pytest.mark.parametrize("turn", ["undo", "redo", "back", "amend", "decide"])
def test_a_list_that_nobody_put_away_brings_the_table_to_where_it_lies_after_the_next_moves(
    name: str, turn: str
) -> None:
    """Nothing has been moved since before the turn: the list holds all of it, or nothing once the pieces are back."""
    evening, robot = played(name, 25, 2), Random(3)
    match = match_of(evening)
    for _ in range(60):
        match.turned.put_away()
        before = laid(match)
        for event in turned_by(turn, evening, robot):
            before = laid(match)
            match.act(event)
        evening.drain()
        if match.turned.goes.moves and match.session.legal():
            break
    assert match.turned.goes.moves
    for _ in range(4):
        if (moves := match.session.legal()) and match.turned.goes.moves:
            done(evening, event_data(robot.choice(moves).pick(robot.choice)))
            assert differences(before, laid(match)) == sums(match.turned.goes.moves)


def test_only_the_players_know_whether_a_list_was_carried_out_before_the_next_move() -> None:
    """Red's 4 chips should have come back before the next bid of 9: if they have, 9 are left to pay, else all of it."""
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"}, {"event": "auction", "seat": "red"},
                   {"event": "reveal"}, *({"event": "bid", "seat": seat, "chips": 4 - at} for at, seat in enumerate(SEATS)),
                   {"event": "undo"})  # fmt: skip
    turned = match_of(evening).turned
    back, pays = Payment(4, BANK, "red"), Payment(9, SEATS[-1], BANK)
    assert list(turned.goes.chips) == [back] and turned.before is None
    done(evening, {"event": "bid", "seat": SEATS[-1], "chips": 9})
    assert turned.before and list(turned.before.chips) == [back]
    for said in goback.strip(moment_of(evening), turned.before, asks=True):
        assert said.startswith("Did you still do this before? 4 chips from the bank to Red")
    turned.answer(done=False)
    assert turned.before is None and {*turned.goes.chips} == {back, pays}
    turned.answer(done=True)
    assert turned.goes == Restored(())


def test_what_is_paid_once_more_is_asked_about_though_nothing_is_left_to_move() -> None:
    """Who moved the 4 chips back pays them again; who did not has paid them."""
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"}, {"event": "auction", "seat": "red"},
                   {"event": "reveal"}, *({"event": "bid", "seat": seat, "chips": 4 - at} for at, seat in enumerate(SEATS)),
                   {"event": "undo"})  # fmt: skip
    turned, again = match_of(evening).turned, {"event": "bid", "seat": SEATS[-1], "chips": 5 - len(SEATS)}
    done(evening, again)
    assert turned.before and list(turned.before.chips) == [Payment(4, BANK, "red")] and not turned.goes.chips
    turned.put_pieces_away()
    assert turned.before == Restored((), [Payment(4, BANK, "red")]), "no comparison of pieces settles that"
    turned.answer(done=False)
    assert turned.before is None and turned.goes == Restored(()) and turned.line == "laid"


def test_after_the_answer_yes_everything_since_is_still_to_be_laid_out() -> None:
    """One move tells it in its line; what two of them pay is listed."""
    bids = [{"event": "bid", "seat": seat, "chips": 4 - at} for at, seat in enumerate(SEATS)]
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"}, {"event": "auction", "seat": "red"},
                   {"event": "reveal"}, *bids, {"event": "undo"}, bids[-1])  # fmt: skip
    turned = match_of(evening).turned
    assert turned.before
    turned.answer(done=True)
    assert turned.line == "again" and turned.goes == Restored(())
    done(evening, {"event": "undo"}, bids[-1])
    load = match_of(evening).session.legal()[0]
    done(evening, event_data(load.pick(lambda of: of[0])))
    turned.answer(done=True)
    assert list(turned.goes.chips) == [Payment(4, "red", BANK)] and not turned.line
    turned.answer(done=True)
    assert turned.goes == Restored(()) and turned.line == "laid"


def test_a_refused_correction_lists_nothing_though_its_reason_names_chips() -> None:
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"}, {"event": "auction", "seat": "red"},
                   {"event": "reveal"}, {"event": "bid", "seat": "red", "chips": 4})  # fmt: skip
    as_ = {"event": "bid", "seat": "red", "chips": 89}
    looked = preview(evening, event="amend", act=match_of(evening).session.acts[-1].number, **{"as": as_})
    assert not looked.possible and "89" in texts(looked.items)[0]


def test_a_purse_that_was_counted_needs_no_payment_from_before_it() -> None:
    """Red paid 4 and meant 6: the purse was counted, and then the bid is corrected. What was counted holds."""
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"}, {"event": "auction", "seat": "red"},
                   {"event": "reveal"}, *({"event": "bid", "seat": seat, "chips": 4 - at} for at, seat in enumerate(SEATS)))  # fmt: skip
    bid = next(act.number for act in match_of(evening).session.acts if getattr(act.event, "chips", 0) == 4)
    as_ = {"event": "bid", "seat": "red", "chips": 6}
    paid = [Payment(2, "red", BANK)]
    match = match_of(evening)
    assert list(match.turned.after(match.view, match.preview({"event": "amend", "act": bid, "as": as_})).chips) == paid
    done(evening, {"event": "decide", "words": "Red counted again.", "change": {"chips": {"red": 44}}})
    match.turned.put_away()
    looked = preview(evening, event="amend", act=bid, **{"as": as_})
    assert any(text.endswith("move it and count again: 2 chips from Red to the bank.") for text in texts(looked.items))
    done(evening, {"event": "amend", "act": bid, "as": as_})
    assert not match.turned.goes.chips and list(match.turned.goes.counted) == paid
    assert "Count the chips of Red again then." in texts(preview(evening, event="undo", to=bid).items)


def test_the_question_after_a_break_is_answered_by_all_in_place() -> None:
    match = match_of(game("spartacus", *TRICK))
    match.turned.take_up(match.opening[0])
    assert match.asks
    match.turned.answer(done=True)
    assert not match.asks


def test_steps_after_which_the_game_was_away_are_listed_again() -> None:
    match = match_of(game("spartacus", *TRICK, {"event": "undo"}))
    match.turned.put_away()
    match.turned.take_up(match.opening[0])
    assert match.asks and list(match.turned.goes.moves) == [Move("green 4", 1, "trick", "hand green")]


def test_pieces_that_were_compared_leave_the_list_and_chips_stay() -> None:
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"}, {"event": "auction", "seat": "red"},
                   {"event": "reveal"}, *({"event": "bid", "seat": seat, "chips": 4 - at} for at, seat in enumerate(SEATS)),
                   {"event": "undo"})  # fmt: skip
    turned = match_of(evening).turned
    assert turned.goes.moves
    turned.put_pieces_away()
    assert turned.goes == Restored((), [Payment(4, BANK, "red")])
    turned.put_away()
    assert turned.goes == Restored(())


def test_undoing_the_correction_of_a_mistyped_card_moves_nothing_also_when_the_list_was_put_away() -> None:
    evening = game("spartacus", *TRICK, {"event": "amend", "act": 1, "as": play("red", "red 10")})
    match = match_of(evening)
    match.turned.put_away()
    done(evening, {"event": "undo"})
    assert not match.turned.goes.moves
    done(evening, {"event": "redo"})
    assert not match.turned.goes.moves


def test_playing_the_same_again_ends_a_list_that_nobody_put_away() -> None:
    evening = game("spartacus", *TRICK, {"event": "undo"})
    match = match_of(evening)
    assert match.turned.goes.moves
    done(evening, TRICK[-1])
    assert match.turned.goes == Restored(())


def turned_by(turn: str, evening: Evening, robot: Random) -> Sequence[dict[str, Any]]:
    """Return events that turn the game to another line in this way."""
    match = match_of(evening)
    if turn == "decide":
        act = robot.choice(match.session.acts)
        now, then = (position_of(match.game.name).written(state) for state in (match.state, act.state))
        return [{"event": "decide", "words": "So be it.", "change": {**patch(now, then), SEALED: None}}]
    back = {"event": "undo", "to": robot.choice(match.session.acts[:-1]).number}
    if turn == "redo":
        done(evening, back)
        match.turned.put_away()
        return [{"event": "redo"}]
    if turn == "back":
        return [back]
    return [next(event for event in iter(lambda: any_turn(match, robot), None) if event["event"] == turn)]


def patch(now: Any, then: Any) -> Any:
    """Return the merge patch from one position to the other."""
    if not (isinstance(now, dict) and isinstance(then, dict)):
        return then
    return {key: patch(now.get(key), then.get(key)) for key in {**now, **then}}


def test_words_of_the_table_leave_the_list_and_all_in_place_ends_it() -> None:
    evening = game("spartacus", *TRICK, {"event": "undo"}, {"event": "decide", "words": "Green thinks again."})
    match = match_of(evening)
    assert list(match.turned.goes.moves) == [Move("green 4", 1, "trick", "hand green")]
    match.turned.put_away()
    assert match.turned.goes == Restored(())


def test_cards_that_were_only_seen_are_listed_until_the_next_move() -> None:
    """The battle's cards were taken up and put aside again: nothing moves, but everybody has seen them."""
    fleet = {"event": "move", "seat": "blue", "piece": "fleet", "from": "rome-corsica", "to": "sardinia-carthago"}
    laid = [{"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in (("blue", 3), ("red", 1))]
    evening = game("hannibal", fleet, *laid, {"event": "reveal"}, {"event": "undo"}, {"event": "redo"})
    match = match_of(evening)
    assert not match.turned.goes.moves and not match.turned.goes.chips
    assert {str(card) for card in match.turned.goes.seen} == {"blue 3", "red 1"}
    done(evening, event_data(match.session.legal()[0].pick(lambda of: of[0])))
    assert not match.turned.goes.seen


def test_a_mistyped_card_stays_on_the_table_also_among_other_steps() -> None:
    """The red 10 was entered as a 9: neither the correction nor its undo moves it, and play goes on as from there."""
    right = {"event": "amend", "act": 1, "as": play("red", "red 10")}
    evening = game("spartacus", *TRICK, right)
    match = match_of(evening)
    assert not match.turned.goes.moves
    done(evening, {"event": "undo"})
    assert not match.turned.goes.moves
    done(evening, {"event": "redo"}, {"event": "amend", "act": 1, "as": play("red", "red 8")})
    assert not match.turned.goes.moves and not match.turned.goes.seen
    done(evening, {"event": "undo", "to": 2})
    assert list(match.turned.goes.moves) == [Move("green 4", 1, "trick", "hand green")]
    evening = game("spartacus", *TRICK, right, {"event": "pass", "seat": "red"}, {"event": "undo", "to": 1})
    assert {(move.piece, move.to) for move in match_of(evening).turned.goes.moves} == {
        ("blue 7", "hand blue"), ("green 4", "hand green"),
    }  # fmt: skip


def test_a_card_recorded_by_mistake_comes_from_where_the_right_one_lies_also_when_another_wins() -> None:
    """The green 5 was entered as a 1 and has been put aside since Red won: it comes from there, not from the hand."""
    seats = ("red", "blue", "green")
    laid = [
        {"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in zip(seats, (9, 6, 1), strict=True)
    ]
    evening = game("prokonsul", {"event": "pawns", "order": list(seats)}, {"event": "province", "province": "asia"},
                   *laid, {"event": "reveal"})  # fmt: skip
    green = next(act for act in match_of(evening).session.acts if getattr(act.event, "seat", "") == "green")
    right = {"event": "choose", "seat": "green", "card": "green 5"}
    done(evening, {"event": "amend", "act": green.number, "as": right})
    moved = match_of(evening).turned.goes.moves
    assert Move("green 5", 1, "aside green", "before green") in moved
    assert not any(move.piece == "card" or "hand" in move.from_ + move.to for move in moved)
    match_of(evening).turned.put_away()
    done(evening, {"event": "amend", "act": green.number, "as": right | {"card": "green 1"}})
    moved = match_of(evening).turned.goes.moves
    assert Move("green 1", 1, "before green", "aside green") in moved
    assert not any(move.piece == "card" or "hand" in move.from_ + move.to for move in moved)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_list_leads_from_the_table_as_it_lay_to_the_table_as_it_is(name: str) -> None:
    """Whatever is undone, brought back and amended in a row: the sum of the moves is the difference."""
    evening, robot = played(name, 40, 5), Random(7)
    match = match_of(evening)
    before = laid(match)
    for _ in range(12):
        numbers = [act.number for act in match.session.acts]
        back: list[dict[str, Any]] = [{"event": "undo"}, {"event": "redo"}]
        back += [{"event": "undo", "to": robot.choice(numbers)}] if numbers else []
        match.act(robot.choice(back))
        evening.drain()
        after = laid(match)
        assert differences(before, after) == sums(match.turned.goes.moves)


def played(name: str, count: int, seed: int) -> Evening:
    evening, robot = game(name), Random(seed)
    for _ in range(count):
        if moves := match_of(evening).session.legal():
            done(evening, event_data(robot.choice(moves).pick(robot.choice)))
    return evening


def laid(match: Match) -> Mapping[str, int]:
    """How many pieces lie at each place: a card that turns over is the same piece."""
    return {place: sum(there.values()) for place, there in layout(match).items()}


def layout(match: Match) -> Layout:
    return position_of(match.game.name).layout(match.view, match.header.options)


def differences(before: Mapping[str, int], after: Mapping[str, int]) -> Mapping[str, int]:
    found = {place: after.get(place, 0) - before.get(place, 0) for place in {*before, *after}}
    return {place: count for place, count in found.items() if count}


def sums(moves: Sequence[Move]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for move in moves:
        if move.piece != "chip":
            found[move.from_] = found.get(move.from_, 0) - move.count
            found[move.to] = found.get(move.to, 0) + move.count
    return {place: count for place, count in found.items() if count}


def test_the_line_after_a_winning_yes_says_what_was_paid_to_whom() -> None:
    said = [
        {"event": "offer", "seat": "red", "to": "blue", "chips": 3},
        {"event": "answer", "seat": "blue", "accept": True},
    ]
    line = ruling_line(moment_of(game("prokonsul", *PLEA, *said, reveal="auto")))
    assert line.text == "Red pays Blue 3 chips. Red places a counter on Sicilia and is a candidate there."
    assert line.seats == ("red", "blue")
    free = ruling_line(moment_of(game("prokonsul", *PLEA, {**said[0], "chips": 0}, said[1], reveal="auto")))
    assert free.text == "Red places a counter on Sicilia and is a candidate there."


# -- the log ----------------------------------------------------------------------------------------------------


def test_moves_that_read_the_same_are_shown_with_the_table_after_each() -> None:
    """Green bids 4 twice, for another lot each time, and once more in a round that was undone."""
    bid = {"event": "bid", "seat": "green", "chips": 4}
    evening = game("mercator", *auction("red", "green 4"), bid, {"event": "undo"}, bid, *bids("red", "blue"),
                   *auction("blue", "red 9"), bid)  # fmt: skip
    m = moment_of(evening)
    said = [entry.act for entry in rulings.log(m, range(99)) if entry.text == "Green bids 4."]
    views: list[Any] = [m.after(act).view for act in said]
    assert [(view["lot"], len(m.after(act).acts)) for view, act in zip(views, said, strict=True)] == [
        (["red 9"], 10), (["green 4"], 4), (["green 4"], 4),
    ]  # fmt: skip


def auction(flipper: str, *cards: str) -> Sequence[dict[str, Any]]:
    """Return the events up to the bids; the third card begins the auction by itself."""
    flips = [{"event": "flip", "seat": flipper, "card": card} for card in cards]
    return [*flips, *([{"event": "auction", "seat": flipper}] if len(cards) < 3 else []), {"event": "reveal"}]


def bids(*seats: str) -> Sequence[dict[str, Any]]:
    return [{"event": "bid", "seat": seat, "chips": 1} for seat in seats]


def test_the_log_greys_what_no_longer_stands_and_marks_what_the_table_said() -> None:
    evening = game(
        "spartacus", *TRICK, {"event": "undo"}, {"event": "amend", "act": 1, "as": play("red", "red 10")},
        {"event": "decide", "words": "No coffee on the cards"},
    )  # fmt: skip
    found = {entry.text: entry for entry in rulings.log(moment_of(evening))}
    assert found["Green plays green 4: it is now the lowest."].mark == "undone"
    assert found["Green plays green 4: it is now the lowest."].gone
    assert found["Red leads red 9: it is the lowest."].mark == "corrected"
    assert found["Red leads red 9: it is the lowest."].number == 1
    assert not found["Blue plays blue 7: it is now the lowest."].gone
    correction = found["Corrected: Red played red 10. Before: Red played red 9."]
    assert correction.mark == "correction"
    assert rulings.corrected(moment_of(evening), correction) == "Before: Red played red 9. Now: Red played red 10."
    decided = found["The table decides: “No coffee on the cards”"]
    assert decided.mark == "decided" and decided.number == 6


BATTLE = (
    {"event": "move", "seat": "blue", "piece": "fleet", "from": "rome-corsica", "to": "sardinia-carthago"},
    {"event": "choose", "seat": "blue", "card": "blue 3"},
    {"event": "choose", "seat": "red", "card": "red 2"},
    {"event": "reveal"},
)


def test_changed_outcomes_are_shown() -> None:
    """Blue's card was another one: the exchange is the same act, and Blue has lost it now."""
    evening = game("hannibal", *BATTLE, {"event": "amend", "act": 2, "as": {**BATTLE[1], "card": "blue 1"}})
    m = moment_of(evening)
    found = {entry.text: entry for entry in rulings.log(m)}
    was, now = (text for text in found if text.startswith("Rome ") and "against Carthage" in text)
    was, now = (was, now) if "Rome 3" in was else (now, was)
    assert (found[was].mark, found[was].gone, found[was].number) == ("turned out differently", True, 4)
    assert "Rome 1 against Carthage 2" in now and (found[now].mark, found[now].gone) == ("as it stands", False)
    _, stands = (line.split(",") for line in export.last_word(m).decode("utf-8-sig").splitlines())
    assert stands == ["2", "amendment", "Blue chose blue 1.", "Blue chose blue 3."]
    assert texts(goback.words(m))[-2:] == ["Before: Blue chose blue 3.", "Now: Blue chose blue 1."]


def test_bids_and_what_an_auction_came_to_have_a_line_each() -> None:
    evening = game("mercator", *auction("red", "green 4"), *bid_all(0, 0, 0), *auction("blue", "red 9"))
    lines = [(entry.text, bool(entry.folded)) for entry in rulings.log(moment_of(evening))]
    assert [line for line in lines if line[1] or "bid" in line[0]][::-1] == [
        ("3 more moves", True), ("Red bids 0.", False), ("Blue bids 0.", False), ("Green bids 0.", False),
        ("All bids are 0. The lot leaves the game and cannot come again: green 4.", False),
    ]  # fmt: skip


def test_choices_are_folded_into_one_line_until_touched() -> None:
    evening = game("prokonsul", *PLEA[:4])
    (line, *_) = rulings.log(moment_of(evening))
    assert line.text == "Red and Blue have chosen." and line.seats == ["red", "blue"] and not line.number
    unfolded = rulings.log(moment_of(evening), {line.folded})
    assert [entry.text for entry in unfolded[:2]] == ["Blue has chosen.", "Red has chosen."]
    assert [entry.number for entry in unfolded[:2]] == [4, 3]
    of_red = rulings.log(moment_of(evening), seat="red")
    assert of_red[0].text == "Red has chosen." and all("red" in entry.seats for entry in of_red), "nothing is folded"


def test_a_card_that_lies_face_down_is_not_amended() -> None:
    m = moment_of(game("prokonsul", *PLEA[:4]))
    sealed, open_ = goback.action(m, 4), goback.action(m, 2)
    assert sealed and sealed.last
    assert sealed.sealed == "A face-down card needs no correction: choose again."
    assert open_ and not open_.sealed and not open_.last
    assert goback.action(m, 9) is None


def test_an_act_that_was_otherwise_shows_both() -> None:
    m = moment_of(game("spartacus", *TRICK, {"event": "amend", "act": 1, "as": play("red", "red 10")}))
    found = goback.action(m, 1)
    assert found and found.corrected == "Before: Red played red 9. Now: Red played red 10."


# -- it was otherwise -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.NAMES)
def test_the_pads_of_the_past_offer_what_was_done_with_a_mark(name: str) -> None:
    """Whoever amends by the marks alone hears that it was just that."""
    evening = played(name, 30, 3)
    m, match = moment_of(evening), match_of(evening)
    for act in m.acts:
        then = correct_move.pads(m, match.past(act.number), act.number)
        marked = [other.action for other in correct_move.others(m, then) if other.was]
        assert len(marked) == 1, then.was
        picked = {key: value for key, value in as_json(act.event).items() if value is not None and key != "opened"}
        event = settled(then.moment.outlines, then.was["event"], _as_offered(then.moment.outlines, picked))
        came = match.preview(then.amended(event or then.was))
        assert {ruling.code for ruling in came.public} <= {"same", "sealed", "covered"}, (then.was, came.public)


def _as_offered(outlines: Any, picked: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values as the outlines have them, which are not JSON."""
    offered = [
        (key, value) for outline in outlines for key, (_, values) in outline.keys.items() for value in values or ()
    ]
    return {key: next((v for k, v in offered if k == key and as_json(v) == of), of) for key, of in picked.items()}


def test_the_moment_of_the_past_is_the_moment_of_then() -> None:
    evening = game("spartacus", *TRICK)
    m = moment_of(evening)
    then = correct_move.pads(m, match_of(evening).past(2), 2)
    assert then.moment.view["turn"] == "blue"
    assert [act.number for act in then.moment.log] == [1]
    assert then.was == play("blue", "blue 7")
    with pytest.raises(LookupError):
        match_of(evening).past(9)


def test_a_wrong_bid_is_chosen_among_all_bids_of_the_lot() -> None:
    """Blue's 9 was entered as a 19: no matter from which bid the page was opened, Blue's control corrects Blue's bid."""
    bids = [{"event": "bid", "seat": seat, "chips": chips} for seat, chips in (("red", 12), ("blue", 19), ("green", 4))]
    evening = game("mercator", {"event": "flip", "seat": "red", "card": "green 4"},
                   {"event": "auction", "seat": "red"}, {"event": "reveal"}, *bids)  # fmt: skip
    m, match = moment_of(evening), match_of(evening)
    for number in (4, 5, 6):
        found = correct_move.others(m, correct_move.pads(m, match.past(number), number))
        assert [(other.action.text, other.number) for other in found] == [
            ("Red bid 12.", 4), ("Blue bid 19.", 5), ("Green bid 4.", 6),
        ]  # fmt: skip
    then = correct_move.pads(m, match.past(5), 5)
    done(evening, then.amended({"event": "bid", "seat": "blue", "chips": 9}))
    assert goback.named_move(moment_of(evening), 5) == "Blue bid 9."


def test_a_promise_stays_with_its_offer() -> None:
    offer = {"event": "offer", "seat": "red", "to": "blue", "chips": 3, "promise": "I shall help"}
    evening = game("prokonsul", *PLEA, reveal="auto")
    done(evening, offer)
    number = match_of(evening).session.acts[-1].number
    then = correct_move.pads(moment_of(evening), match_of(evening).past(number), number)
    amended = then.amended({"event": "offer", "seat": "red", "to": "blue", "chips": 2})
    assert amended["as"]["promise"] == "I shall help" and amended["as"]["chips"] == 2


# -- the whole game ---------------------------------------------------------------------------------------------


def test_end_page_lists_decisions_and_corrections() -> None:
    evening = game(
        "spartacus", *TRICK, {"event": "amend", "act": 1, "as": play("red", "red 10")},
        {"event": "decide", "words": "No coffee"}, {"event": "decide", "words": "Never said"}, {"event": "undo"},
    )  # fmt: skip
    m = moment_of(evening)
    assert goback.counted(m) == "1 decision · 1 correction"
    said = texts(goback.words(m))
    assert "The table decides: “No coffee”" in said and "Now: Red played red 10." in said
    assert not any("Never said" in text for text in said)
    assert export.last_word(m).decode("utf-8-sig").splitlines() == [
        "act,kind,text,reported",
        "5,decision,The table decides: “No coffee”,",
        "1,amendment,Red played red 10.,Red played red 9.",
    ]
    plain = moment_of(game("spartacus"))
    assert (goback.counted(plain), export.last_word(plain)) == ("", b"")


@pytest.mark.parametrize("name", games.NAMES)
def test_the_end_says_of_every_winner_why_it_won(name: str) -> None:
    m = moment_of(played(name, 2000, 3))
    model = end.end(m)
    assert m.view["over"] and len(model.why) == len(m.result["winners"])
    assert all(m.name(seat) in text for seat, text in zip(m.result["winners"], model.why, strict=True))


# -- what is hidden stays hidden (law 2) ------------------------------------------------------------------------


def disguised(game: AnyGame, options: Any, event: Any, robot: Random) -> Any:
    """Another card, where nobody sees which."""
    cards = [card for card in game.cards(options, event.seat) if card != event.card]
    return type(event)(event.seat, robot.choice(cards))


def shown(evening: Evening) -> Iterator[Any]:
    """Everything the screen could show of going back and amending now, but for the pads behind a cover."""
    m, match = moment_of(evening), match_of(evening)
    yield texts_of(rulings.log(m)), match.turned.goes, goback.words(m)
    for act in m.acts[-4:]:
        yield goback.action(m, act.number)
        then = correct_move.pads(m, match.past(act.number), act.number)
        yield (
            [(other.action.text, other.was) for other in correct_move.others(m, then)],
            then.moment.view,
            then.moment.outlines,
        )
        for event in ({"event": "undo", "to": act.number}, {"event": "undo"}, amended(act.number)):
            came = match.preview(event)
            yield goback.foreseen(m, came, match.turned.after(match.view, came))


def amended(number: int) -> dict[str, Any]:
    return {"event": "amend", "act": number, "as": {"event": "decide", "words": "As agreed"}}


def texts_of(entries: Sequence[rulings.LogEntry]) -> list[tuple[str, str, bool]]:
    return [(entry.text, entry.mark, entry.gone) for entry in entries]


@pytest.mark.parametrize("name", ["prokonsul", "caesar", "hannibal"])
def test_nothing_shown_depends_on_a_sealed_card(name: str) -> None:
    """Two games that differ in a card lying face down alone: sheets, previews, pads and lists are the same."""
    robot, compared = Random(11), 0
    for seed in range(40):
        evening, other = (game(name, reveal="fists") for _ in range(2))
        moves = Random(seed)
        for _ in range(60):
            legal = match_of(evening).session.legal()
            if not legal:
                break
            event = moves.choice(legal).pick(moves.choice)
            done(evening, event_data(event))
            if isinstance(event, Choose):
                at = match_of(other)
                found = at.act(event_data(disguised(at.game, at.header.options, event, robot)))
                if not all(receipt.ok for receipt in found):
                    break
                other.drain()
                assert list(shown(evening)) == list(shown(other))
                compared += 1
                break  # from here on the games may go their ways
            done(other, event_data(event))
    assert compared > 5


def test_a_purse_is_in_no_list_and_no_preview() -> None:
    """Chips whose price nobody announced: a decision about a purse is seen by its owner alone."""
    evening = game("mercator")
    change = {"event": "decide", "words": "Miscounted", "change": {"chips": {"red": 17}}}
    done(evening, change)
    for items in ([match_of(evening).turned.goes], list(shown(evening))):
        assert "17" not in str(items)
    assert not goback.strip(moment_of(evening), match_of(evening).turned.goes)


def test_the_headings_lead_and_never_stand_alone() -> None:
    evening = game("spartacus", *TRICK)
    items = preview(evening, event="undo", to=1).items
    assert all(
        isinstance(items[at + 1], Sentence | Carried) for at, item in enumerate(items) if isinstance(item, Heading)
    )


def test_the_correction_of_a_card_put_aside_moves_no_card() -> None:
    """The right card has been put aside all along, and nobody has seen the card that it never was."""
    fleet = {"event": "move", "seat": "blue", "piece": "fleet", "from": "rome-corsica", "to": "sardinia-carthago"}
    laid = [{"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in (("blue", 3), ("red", 1))]
    evening = game("hannibal", fleet, *laid, {"event": "reveal"})
    match = match_of(evening)
    as_ = {"event": "choose", "seat": "blue", "card": "blue 4"}
    event = {"event": "amend", "act": 2, "as": as_}
    came = match.preview(event)
    looked = goback.foreseen(moment_of(evening), came, match.turned.after(match.view, came))
    done(evening, event)
    moved = [item for item in looked.items if isinstance(item, Carried)]
    assert not [item for item in moved if "card" in item.piece]
    assert moved == [
        item for item in goback.carried(moment_of(evening), match.turned.goes) if isinstance(item, Carried)
    ]
    assert "blue 3" not in {str(card) for card in match.turned.goes.seen}


def test_why_says_what_was_corrected_in_words() -> None:
    evening = game(
        "prokonsul", {"event": "pawns", "order": SEATS}, {"event": "province", "province": "asia"},
        *({"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in zip(SEATS, (9, 4, 3), strict=True)),
    )  # fmt: skip
    match = match_of(evening)
    if match.session.fists():
        done(evening, {"event": "reveal"})
    for event in (
        {"event": "amend", "act": 4, "as": {"event": "choose", "seat": "blue", "card": "blue 5"}},
        {"event": "amend", "act": 4, "as": {"event": "choose", "seat": "blue", "card": "blue 6"}},
    ):
        done(evening, event)
    m = moment_of(evening)
    found = why.why(m.game, m.tongue, m.log)
    assert found and found.lead.text == "Before: Blue chose blue 5. Now: Blue chose blue 6."
    assert dict(found.lead.facts) == {"After it": "2 later moves still stand."}
