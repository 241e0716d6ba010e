"""The table decides, as view-models: parts in people's words, and nothing that one seat alone may know; no window."""

from random import Random
from typing import Any

import pytest

from companion.answers.editing import Draft, draft, held
from companion.dialogues import table_draft
from companion.games import position_of
from companion.rules.cards import DECK
from companion.rules.position_parts import Part, holding
from companion.rules.words import LANGUAGES, Tongue
from tests.support.drafts import drafted, touch
from tests.support.evening_pages import played
from tests.support.playing import Play, header, match_of, moment_of
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import FEW, times
from ui.games.face import face_of
from ui.pages import decide, draft_moment, editor, history

NAMES = Tongue("en", {"red": "Anna", "blue": "Bert"})


def part(found: Draft, head: str, of: str = "") -> Part:
    return next(part for part in found.parts if part.path[0] == head and part.of == of)


def opening(game: str, seats: str, **more: Any) -> Draft:
    head = header(game, seats, **more)
    return draft(head.game, head.setup, head.game.setup(head.setup))


def tile(found: Draft, wanted: Part, **more: Any) -> editor.PartTile:
    return editor.tiles(found, [wanted], NAMES, **more)[0]


def test_a_place_says_whose_counters_stand_there() -> None:
    found = opening("caesar", "red blue")
    square = part(found, "board", "c3")
    assert (tile(found, square).caption, tile(found, square).value) == ("c3", "nothing")
    for field, value in zip(square.fields, ("red", 3), strict=True):
        found = editor.touched(found, square, field, None, value)
    shown = tile(found, square)
    assert (shown.value, shown.seat) == ("3 counters", "red")
    assert editor.said(square, found.get(square), NAMES) == "Anna, 3 counters"
    follows = "Whose turn: Bert (before: Anna)"
    assert editor.changes(found, NAMES) == [follows, "c3: Anna, 3 counters (before: nothing)"]


def test_mistakes_are_shown_at_their_part_with_names() -> None:
    found = opening("caesar", "red blue")
    passes = part(found, "passes")
    found = editor.touched(found, passes, passes.fields[0], 0, 1)
    status = editor.status(found, NAMES)
    said = "What is going on: nobody attacks or passes while counters are placed"
    assert tile(found, part(found, "phase")).wrong and (status.text, status.ready) == (said, False)


def test_a_card_goes_where_it_is_touched_from_where_it_lies() -> None:
    found = opening("mercator", "red blue green")
    lot, ship = part(found, "lot"), part(found, "ships", "red")
    found = editor.touched(found, lot, lot.fields[0], [], "red 7")
    found = editor.touched(found, ship, ship.fields[0], [], "red 7")
    assert (found.get(lot), found.get(ship)) == ([], ["red 7"])
    assert tile(found, ship).value == "red 7"


def test_a_purse_is_changed_on_its_pad_and_only_told_to_be_checked() -> None:
    found = opening("mercator", "red blue green")
    purse = part(found, "chips", "blue")
    before = tile(found, purse)
    found = editor.touched(found, purse, purse.fields[0], held(purse.fields[0], found.own(purse, "blue")), 3)
    assert found.change == {"chips": {"blue": 3}}
    assert tile(found, purse) == before and before.value == "for Bert only"
    assert tile(found, purse, seen={purse.path}).value == "checked"
    assert editor.changes(found, NAMES) == []


def test_a_decision_is_words_or_words_and_the_least_change() -> None:
    play = Play("mercator", "red blue green")
    found = draft(play.header.game, play.header.setup, play.session.state)
    assert decide.event("So.") == {"event": "decide", "words": "So."}
    assert decide.event("So.", found) == {"event": "decide", "words": "So.", "change": {}}
    flipper = part(found, "flipper")
    found = editor.touched(found, flipper, flipper.fields[0], "red", "blue")
    event = decide.event("So.", found)
    assert event == {"event": "decide", "words": "So.", "change": {"flipper": "blue"}}
    assert play("decide", words="So.", change=event["change"]).ok and play.view["flipper"] == "blue"


def test_decision_preview_changes_nothing() -> None:
    evening = played("caesar", acts=10)
    match = match_of(evening)
    found, state = match.draft(), match.session.state
    square = next(of for of in found.parts if of.path[0] == "board" and found.get(of) is None)
    other = next(of for of in found.parts if of.path[0] == "board" and (found.get(of) or {}).get("owner") == "red")
    found = found.put(square, found.get(other)).put(other, None)
    told = decide.comes(match.preview(decide.event("It stood there.", found)), moment_of(evening).tongue)
    assert f"1 counter from {other.of} to {square.of}" in told
    assert match.session.state is state
    unmoved = decide.comes(match.preview(decide.event("So.")), NAMES)
    assert "Nothing moves on the table." in unmoved


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_the_shared_screen_shows_nothing_hidden(name: str, seats: int, options: dict[str, Any]) -> None:
    """Law 2: with other purses, hands and sealed cards every tile and sentence is the same, whatever is touched."""
    head, _, states = travel(name, seats, options)
    game, rng = head.game, Random(8)
    for state in some(states, times(5, 12)):
        for other in (*disguises(game, state), *extremes(game, state)) if not game.view(state)["over"] else ():
            pair = [drafted(game, head.setup, found) for found in (state, other)]
            wanted = rng.choice([of for of in pair[0].parts if not of.secret])
            seed = rng.random()
            pair = [touch(found, wanted, wanted.fields[0], Random(seed)) for found in pair]
            one, two = (editor.tiles(found, editor.asked(found, live=True), NAMES) for found in pair)
            assert one == two
            if not pair[0].wrong[1] and not pair[1].wrong[1]:
                assert editor.status(pair[0], NAMES) == editor.status(pair[1], NAMES)
            assert editor.changes(pair[0], NAMES) == editor.changes(pair[1], NAMES)
            assert draft_moment.moment(pair[0], NAMES, head.board) == draft_moment.moment(pair[1], NAMES, head.board)
            assert draft_moment.changed(pair[0]) == draft_moment.changed(pair[1])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "seats", "options"), FEW[::2])
def test_every_part_has_words_in_every_language(lang: str, name: str, seats: int, options: dict[str, Any]) -> None:
    head, _, states = travel(name, seats, options)
    for state in some(states, 8):
        found = drafted(head.game, head.setup, state)
        for shown in editor.tiles(found, found.parts, Tongue(lang)):
            assert shown.caption and shown.value and "{" not in shown.caption + shown.value
            assert "_" not in shown.value
        for of in found.parts:
            for field in of.fields:
                if not hasattr(field.kind, "values") or "colour" in str(field.kind) or of.secret:
                    continue
                if type(field.kind).__name__ in ("One", "Some"):
                    said = editor.choices(found.setup.seats, field, held(field, found.get(of)), Tongue(lang))
                    assert len({choice.text for choice in said}) == len(said)


def test_taken_tricks_stay_covered_while_a_covered_game_is_played() -> None:
    found = opening("spartacus", "red blue green", options={"points": "covered"})
    played, entered = ({part.path[0] for part in editor.asked(found, live)} for live in (True, False))
    assert "taken" not in played and entered - played == {"taken"}


def test_the_history_offers_to_continue_what_is_unfinished() -> None:
    evening = played("prokonsul-short")
    played("mercator", evening, acts=3)
    rows = history.rows(evening.history(), {}, "en")
    assert [row.open for row in rows] == [True, False]
    assert table_draft.draft(evening.games, evening.regulars.last_table).game.name == "mercator"


# -- the board as it lies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_every_place_belongs_to_a_part(name: str, seats: int, options: dict[str, Any]) -> None:
    """Every place of the layout: its open cards and the colours on it stand in its parts, or it follows from them."""
    head, _, states = travel(name, seats, options)
    for state in some(states, times(8, 20)):
        found = drafted(head.game, head.setup, state)
        for place, pieces in draft_moment.lain(found).items():
            parts = holding(found.parts, [place])
            assert bool(parts) != (place.split()[0] in position_of(name).follows), place
            texts = "".join(f"{of.path} {found.get(of)}" for of in parts if not of.secret)
            for piece in pieces if texts and place != "box" else ():
                colour, _, kind = piece.partition(" ")
                assert (piece if piece in DECK else colour if kind and colour != "black" else "") in texts, place
        for seat in head.seats:
            assert {of.path[0] for of in holding(found.parts, [f"seat {seat}"])} >= {
                of.path[0] for of in found.parts if of.of == seat
            }


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_the_board_shows_a_change_at_once_and_marks_it(name: str, seats: int, options: dict[str, Any]) -> None:
    """Whatever is touched: what can be, and most of what cannot, is shown as it lies; only what changed is marked."""
    head, _, states = travel(name, seats, options)
    rng, drawn, possible = Random(7), 0, 0
    for state in some(states, times(12, 30)):
        found = drafted(head.game, head.setup, state)
        assert not draft_moment.changed(found)
        wanted = rng.choice([of for of in found.parts if not of.secret and of.places])
        found = touch(found, wanted, rng.choice(wanted.fields), rng)
        moment = draft_moment.moment(found, NAMES, head.board)
        drawn += moment is not None
        ends = not head.game.view(state)["over"] and moment is None
        possible += found.wrong == ((), {})
        assert moment or ends or found.wrong[0]
        assert bool(draft_moment.changed(found)) == any(found.differs(of) for of in found.parts if not of.secret)
        if moment:
            assert not moment.outlines and "private" not in moment.view
            face_of(name).centre(moment)
    assert drawn > times(5, 15) and possible


def test_a_piece_is_gone_from_the_board_before_it_is_possible() -> None:
    """A move is two changes: between them the rules speak against it, and it is shown as it lies."""
    play = Play("caesar", "red blue")
    play("place", seat="red", square="c3")
    found = draft(play.header.game, play.header.setup, play.session.state)
    found = found.put(part(found, "board", "c3"), None)
    assert found.open["turn"] == "red" and found.laid and dict(found.laid.view)["board"] == {}
    assert "square c3" in draft_moment.changed(found)
    moved = found.put(part(found, "board", "b2"), {"owner": "red", "size": 1})
    assert moved.wrong == ((), {}) and {"square b2", "square c3"} <= {*draft_moment.changed(moved)}


def test_no_pad_is_seen_on_the_board() -> None:
    """What somebody changes in a purse or a hand, everybody else sees nothing of."""
    for game, head, value in (("mercator", "chips", 3), ("caesar", "hand", ["red 1"])):
        found = opening(game, "red blue green")
        moment = draft_moment.moment(found, NAMES, None)
        found = found.put(part(found, head, "red"), value)
        assert draft_moment.moment(found, NAMES, None) == moment and not draft_moment.changed(found)


def test_no_end_is_shown_before_it_is_decided() -> None:
    """The end opens every purse: touched by mistake, or to look, it tells nothing."""
    found = opening("mercator", "red blue green")
    found = found.put(part(found, "phase"), "over")
    assert found.laid is None and draft_moment.moment(found, NAMES, None) is None
    found = found.put(part(found, "phase"), "flipping")
    assert found.laid


def test_a_touch_that_could_mean_several_parts_is_asked_about() -> None:
    found = opening("spartacus", "red blue green", options={"points": "covered"})
    heads = {True: ["turn", "passed"], False: ["turn", "passed", "taken"]}
    for live, wanted in heads.items():
        assert [of.path[0] for of in holding(editor.asked(found, live), ["seat red"])] == wanted
    assert [of.path[0] for of in holding(editor.asked(found, live=True), ["trick"])] == ["trick"]
    assert holding(editor.asked(found, live=True), ["hand red"]) == []
