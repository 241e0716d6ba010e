"""A table in a hall: the round that is seated there, and whether its result is right. No window."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from companion.dialogues import table_draft
from companion.play.equipment import Equipment
from companion.play.evening import Evening
from companion.play.hall_status import SeatedGame, Verdict
from companion.rules import result
from companion.rules.words import LANGUAGES
from tests.support.playing import match_of, moment_of
from tools.scenes.rehearsal import Hall, Memory, to_the_end
from ui.pages import approve, in_hall
from ui.pages.approve import Approval
from ui.table.frame import rail
from ui.table.moment import moment

FOUR = {"yellow": "Dora", "red": "Anna", "blue": "Bert", "green": "Chiara"}
SEATED = SeatedGame(3, "spartacus", {"flags": "joker"}, FOUR)


def joined(seated: SeatedGame | None = SEATED) -> tuple[Evening, Hall]:
    """An evening at a table that belongs to a hall."""
    evening, hall = Evening(Memory()), Hall(seated=seated)
    evening.join(hall)
    return evening, hall


def offer(evening: Evening) -> in_hall.RoundOffer:
    found = in_hall.offered(evening, "en")
    assert found
    return found


# -- what is seated ----------------------------------------------------------------------------------------------


def test_one_touch_begins_exactly_what_the_hall_has_seated() -> None:
    evening, _ = joined()
    header = evening.begin(table_draft.header(offer(evening).draft)).header
    assert (header.game.name, list(header.seats)) == ("spartacus", ["yellow", "red", "blue", "green"])
    assert (header.players, header.options["flags"]) == (FOUR, "joker")
    assert offer(evening).begun and in_hall.waits(evening, "en") is None


def test_the_round_is_offered_in_a_line_with_the_names_clockwise() -> None:
    found = offer(joined()[0])
    assert (found.text, found.whole) == ("Round 3: Spartacus", "Round 3: Spartacus – Dora, Anna, Bert, Chiara")
    assert found.who == "Seated by the hall: Dora, Anna, Bert, Chiara"


def test_names_that_the_hall_hides_are_left_empty() -> None:
    found = offer(joined(replace(SEATED, players=dict.fromkeys(FOUR, "")))[0])
    assert found.draft.players == {} and found.draft.seats == tuple(FOUR)
    assert found.whole == "Round 3: Spartacus – Yellow, Red, Blue, Green"
    assert not in_hall.differs(table_draft.call(found.draft, "red", "Anna"), found), (
        "who sits there, only the hall knows"
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_is_no_colour_and_no_template(lang: str) -> None:
    found = in_hall.offer(replace(SEATED, players={"red": "{game}", "blue": "red"}), joined()[0].games, lang)
    assert found and "{game}" in found.whole and found.draft.players == {"red": "{game}", "blue": "red"}


def test_nothing_is_offered_where_nothing_is_seated_or_the_game_is_unknown() -> None:
    for seated in (None, replace(SEATED, game="go")):
        assert in_hall.offered(joined(seated)[0], "en") is None
    assert in_hall.offered(Evening(Memory()), "en") is None


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (lambda d, _: d, False),
        (lambda d, _: table_draft.choose(d, "joker_penalty", "none"), False),  # which it was anyway
        (lambda d, _: table_draft.choose(d, "flags", "double"), True),
        (lambda d, _: table_draft.stand(d, "red"), True),
        (lambda d, _: table_draft.sit(table_draft.stand(d, "yellow"), "yellow"), True),  # and so plays last
        (lambda d, _: table_draft.call(d, "red", "Bert"), True),
        (lambda d, games: table_draft.play(d, games["caesar"]), True),
    ],
)
def test_deviation_from_the_seating_is_shown_and_allowed(change: Any, differs: bool) -> None:
    evening, _ = joined()
    found = offer(evening)
    draft = change(found.draft, {game.name: game for game in evening.games})
    said = {False: "The hall’s seating.", True: "Not the hall’s seating."}
    assert in_hall.remark(draft, found, "en") == said[differs]
    evening.begin(table_draft.header(draft))


def test_nothing_is_said_of_a_draft_before_it_is_one_nor_once_the_round_is_begun() -> None:
    evening, _ = joined()
    found = offer(evening)
    assert in_hall.remark(table_draft.TableDraft(found.draft.game), found, "en") == ""
    assert in_hall.remark(table_draft.stand(found.draft, "red"), replace(found, begun=True), "en") == ""
    assert in_hall.remark(found.draft, None, "en") == ""


@pytest.mark.parametrize(
    ("state", "word", "well"), [("away", "away", False), ("sending", "sending", True), ("kept", "OK", True)]
)
def test_the_hall_stands_among_the_devices(state: Any, word: str, well: bool) -> None:
    of = in_hall.device(Hall(state=state), "en")
    mark, name, more, does_well = of.mark, of.name, of.detail, of.well
    assert (mark, name, does_well) == (word, "hall", well) and more.startswith("open-of-saturday, table 3. ")


# -- whether the result is right ---------------------------------------------------------------------------------


def over(*right: str, wrong: str = "") -> tuple[Evening, Hall]:
    """A game that is over; these seats say that its result is right, another that it is not."""
    evening, hall = joined()
    to_the_end(evening, SEATED.table)
    for seat in (*right, *wrong.split()):
        say(evening, seat, seat in right)
    return evening, hall


def say(evening: Evening, seat: str, right: bool) -> None:
    assert evening.approving
    evening.approving.say(match_of(evening), seat, right)
    evening.drain()


def model(evening: Evening, hall: Hall) -> Approval:
    return approve.approval(moment_of(evening), evening.approvals, hall, match_of(evening).number)


@pytest.mark.parametrize(
    ("right", "wrong", "state", "so_far"),
    [
        ("", "", "Still to answer: Dora, Anna, Bert and Chiara", "Nobody has approved the result yet · "),
        ("red", "", "Still to answer: Dora, Bert and Chiara", "1 of 4 has approved the result · "),
        ("red blue", "", "Still to answer: Dora and Chiara", "2 of 4 have approved the result · "),
        ("red", "blue", "Bert: not right", ""),
        ("red", "green blue", "Bert and Chiara: not right", ""),
        ("red blue green yellow", "", "All agree: the result is approved.", ""),
    ],
)
def test_missing_and_contesting_seats_are_named(right: str, wrong: str, state: str, so_far: str) -> None:
    found = model(*over(*right.split(), wrong=wrong))
    assert (found.state, found.so_far) == (state, so_far + state)
    assert (found.contested, found.done) == (bool(wrong), len(right.split()) == 4)
    assert ("organiser" in found.how) == bool(wrong) and bool(found.how) != found.done
    assert {line.seat: line.says for line in found.lines} == {
        seat: True if seat in right else False if seat in wrong else None for seat in FOUR
    }


def test_the_lamps_on_the_screen_do_what_those_of_the_table_do() -> None:
    evening, _ = over("red", "blue")
    now = moment(match_of(evening), evening.devices.health, evening.devices.equipment, approvals=evening.approvals)
    assert [tile.awaited for tile in rail(now)] == [now.lamps[seat] == "blink" for seat in now.seats]
    assert now.lamps == {"yellow": "blink", "red": "on", "blue": "on", "green": "blink"}


def test_the_seats_stand_in_the_order_of_their_places() -> None:
    evening, hall = over()
    places = match_of(evening).view["result"]["places"]  # type: ignore[index]
    lines = model(evening, hall).lines
    assert [places[line.seat] for line in lines] == sorted(places.values())
    assert [line.place for line in lines] == [str(places[line.seat]) for line in lines]


def test_a_button_is_spoken_of_where_there_is_one() -> None:
    evening, hall = over()
    assert model(evening, hall).how == "Tap “Right” in your row."
    evening.devices.equipment = Equipment(buttons=["red"])
    assert model(evening, hall).how == "Tap “Right” in your row, or hold your button."


@pytest.mark.parametrize(
    ("verdict", "said", "done"),
    [
        (Verdict("all"), "The result counts.", False),
        (Verdict("organiser"), "The organiser has settled it.", True),
        (Verdict("organiser", "red"), "The organiser has settled it: “red”", True),
        (Verdict("nobody", "a {card} was lost"), "This result does not count: “a {card} was lost”", True),
        (Verdict("nobody"), "This result does not count.", True),
    ],
)
def test_hall_verdict_is_shown_with_its_reason(verdict: Verdict, said: str, done: bool) -> None:
    evening, hall = over("red", wrong="blue")
    hall.verdicts[match_of(evening).number] = verdict
    found = model(evening, hall)
    assert (found.verdict, found.so_far, found.done, found.contested) == (said, said, done, not done)
    assert found.count == said.split(": “", maxsplit=1)[0].removesuffix(".") + "."


def test_overridden_results_stand_in_the_rows() -> None:
    evening, hall = over("red")
    counts = result({"yellow": 7, "red": 9, "blue": 9, "green": Fraction(1, 2)})
    hall.verdicts[match_of(evening).number] = Verdict("organiser", "counted again", counts)
    lines = [(line.seat, line.place, line.score) for line in model(evening, hall).lines]
    assert sorted(lines[:2]) == [("blue", "1", "9"), ("red", "1", "9")]
    assert lines[2:] == [("yellow", "3", "7"), ("green", "4", "½")]


@pytest.mark.parametrize("state", ["away", "sending", "kept"])
def test_delivery_state_of_the_result_is_shown(state: Any) -> None:
    evening, hall = over("red")
    hall.state = state
    assert model(evening, hall).hall == approve.STATES[state]
