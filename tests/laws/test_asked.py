"""The table may ask: contests, why, now and lessons, as laws over all games (T-12, law 2)."""

from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest

from companion import games
from companion.answers.guide import due, now
from companion.answers.why import FACTS, link, made_of, why
from companion.cli import main
from companion.cli.simulate import play
from companion.games import acts_of, guide_of, position_of, prompts_of
from companion.games.spartacus import guide as spartacus
from companion.record.transcript import Header
from companion.rules import Reveal, judge
from companion.rules.guide import Known
from companion.rules.outline import outlines
from companion.rules.prompts import Now, Way
from companion.rules.words import LANGUAGES, Tongue, find_clause
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support import contests
from tests.support.guide_checks import codes
from tests.support.playing import Play
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import EVERY, TABLES

GUIDED = [name for name in games.NAMES if guide_of(name).aim]
"""A new game has nothing of its own to tell until somebody writes its guide; these have."""
GUIDED_TABLES = [param for param in TABLES if param.values[0] in GUIDED]


def known(header: Header, state: Any) -> Known[Any, Any]:
    game = header.game
    return Known(
        header.seats, header.options, game.view(state), game.derived(state), outlines(game, state), header.reveal
    )


# -- contests ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), GUIDED_TABLES)
def test_contests_hold_together_and_are_what_happened(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, _ = travel(name, seats, options)
    session, before, count = Session(header.game, header.setup), {}, 0
    for event in events:
        before = dict(session.view())
        count += contests.check(header, before, session.receive(event))
    decided_alone = name == "prokonsul" and options["negotiation"] == "free"
    assert count or decided_alone or name == "caesar"


@pytest.mark.parametrize(("name", "seats", "options"), GUIDED_TABLES)
def test_the_end_is_a_contest(name: str, seats: int, options: dict[str, Any]) -> None:
    """Hannibal's end compares nothing; where nobody is left there is nobody to compare."""
    header, events, states = travel(name, seats, options)
    result = header.game.view(states[-1])["result"]
    session = Session(header.game, header.setup)
    last = [session.receive(event) for event in events][-1]
    ends = [contest for contest in contests.contests(last) if contest.what == "game"]
    assert len(ends) == (name != "hannibal" and bool(result["winners"]))


# -- what may be done now ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_now_names_every_act_that_is_possible_and_no_other(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    for state in some(states, 15):
        at = known(header, state)
        answer = now(header.game, at)
        assert {can.verb for can in answer.can} == {outline.verb for outline in at.outlines}
        for can in answer.can:
            assert set(can.seats) <= set(header.seats) and can.ways and set(can.ways) <= set(get_args(Way))
            assert len(set(can.ways)) == len(can.ways)
            named = {seat for o in at.outlines if o.verb == can.verb for seat in o.keys.get("seat", ("", ()))[1] or ()}
            assert set(can.seats) <= (named - {None} or set(header.seats))
        for saying in (*(can.says for can in answer.can), *answer.cannot):
            assert find_clause(header.game, saying.rule)
            for lang in LANGUAGES:
                assert Tongue(lang).tr(saying.text, **saying.facts)


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_prompts_depend_on_the_public_table_alone(name: str, seats: int, options: dict[str, Any]) -> None:
    """The voice and the ear ask without outlines, the screen with them: all say the same."""
    header, _, states = travel(name, seats, options)
    prompts = prompts_of(name)
    for state in some(states, 15):
        at = known(header, state)
        if at.view["over"]:
            continue
        bare = replace(at, outlines=())
        assert prompts.shown(bare) == prompts.shown(at) and prompts.turn(bare) == prompts.turn(at)
        assert [prompts.mine(bare, seat) for seat in header.seats] == [prompts.mine(at, seat) for seat in header.seats]


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_answers_do_not_depend_on_hidden_state(name: str, seats: int, options: dict[str, Any]) -> None:
    """Law 2: now, the lesson that is due, and why, with other hidden things."""
    header, _, states = travel(name, seats, options)
    game, rng = header.game, Random(5)
    for state in some(states, 8):
        if game.view(state)["over"]:
            continue
        seen = answered(header, state)
        for disguise in (*disguises(game, state), *extremes(game, state)):
            assert answered(header, disguise) == seen
        events = [moves.pick(rng.choice) for moves in game.legal(state) if moves.event is not Reveal]
        for disguise in disguises(game, state):
            for event in events:
                assert explained(header, state, event) == explained(header, disguise, event)


def answered(header: Header, state: Any) -> tuple[Now, str | None]:
    at = known(header, state)
    lesson = due(header.game, at, ())
    return now(header.game, at), lesson.key if lesson else None


def explained(header: Header, state: Any, event: Any) -> Any:
    """Everything *why* says of an act, if it leaves the game going on and takes place in both."""
    ok, after, rulings = judge(header.game, state, event)
    if header.game.view(after)["over"]:
        return None
    act = Receipt(ok, event, tuple(rulings), 1)
    return why(header.game, Tongue(), [act])


# -- why --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), GUIDED_TABLES)
def test_why_tells_the_whole_act_in_every_language(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, _ = travel(name, seats, options)
    session = Session(header.game, header.setup)
    log = [session.receive(event) for event in events]
    for at, act in enumerate(log[:: max(1, len(log) // 20)]):
        for lang in LANGUAGES if at % 5 == 0 else ("en",):
            found = why(header.game, Tongue(lang), log[: log.index(act) + 1])
            assert found
            assert [one.ruling for one in found.links] == list(act.public)
            for one in (found.lead, *found.links):
                assert one.text and one.rule and one.clause and one.mark


def test_an_act_that_was_taken_back_is_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spartacus, "GUIDE", replace(spartacus.GUIDE, because={"passed": ("play",)}))
    play = Play("spartacus", "red blue green")
    log = [play.ok("play", "red", card="red 9"), play.ok("play", "blue", card="blue 7"), play.ok("undo")]
    log.append(play.ok("pass", "blue"))
    (passed,) = [ruling for ruling in log[-1].public if ruling.code == "passed"]
    found = why(play.header.game, Tongue(), log, passed)
    assert found and found.lead.number == 1
    assert str(found.lead.ruling.facts["card"]) == "red 9"


@pytest.mark.parametrize("name", GUIDED)
def test_a_guide_speaks_of_codes_that_exist(name: str) -> None:
    guide, real = guide_of(name), codes(name)
    assert {code for reasons in guide.because.values() for code in reasons} <= real
    assert set(guide.because) <= real and set(guide.quiet) <= real
    for counted in guide.numbers.values():
        assert set(counted.codes) <= real and set(counted.since) <= real and counted.codes


@pytest.mark.parametrize("name", GUIDED)
def test_every_number_is_made_of_something(name: str) -> None:
    """By the end of some game there is an act behind each number that the screen can be asked about."""
    guide = guide_of(name)
    made: set[str] = set()
    for table in EVERY[name]:
        header, events, _ = travel(*table)
        session = Session(header.game, header.setup)
        log = [session.receive(event) for event in events]
        for word in set(guide.numbers) - made:
            if any(made_of(header.game, log[:end], word, None) for end in range(1, len(log) + 1)):
                made.add(word)
        if made == set(guide.numbers):
            break
    assert made == set(guide.numbers) and made


@pytest.mark.parametrize("name", games.NAMES)
def test_every_number_has_a_name(name: str) -> None:
    """What the page is headed by is a word of the catalogue, not the guide's own."""
    guide = guide_of(name)
    assert [word for word in guide.numbers if word not in {**FACTS, **guide.names}] == []


def test_a_clause_tells_whose_it_is() -> None:
    session = next(play(travel("prokonsul", 3, dict(games.game("prokonsul").defaults))[0], Random(1)))[0]
    game = session.game
    for rule, words in (("P-7", "printed in the rules"), ("P-22", "a variant"), ("T-3", "our reading")):
        from companion.rules import ruled

        one = link(game, Tongue(), Receipt(True), ruled("x", rule, ""))
        assert one.mark.startswith(words)


# -- a first game -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), GUIDED_TABLES)
def test_a_lesson_is_told_once_and_cites_its_clause(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    told: list[str] = []
    for state in states:
        at = known(header, state)
        while lesson := due(header.game, at, told):
            assert lesson.key not in told and find_clause(header.game, lesson.rule)
            assert set(lesson.to(at)) <= set(header.seats)
            assert set(lesson.acts) <= {*acts_of(name)}, "a verb that the game has not"
            assert not lesson.acts or {outline.verb for outline in at.outlines} & {*lesson.acts}, lesson.key
            for lang in LANGUAGES:
                assert Tongue(lang).tr(lesson.text, **lesson.said(at))
            told.append(lesson.key)
    assert told
    for line in guide_of(name).layout(header.seats, header.options):
        assert Tongue().tr(line.text, **line.facts) and find_clause(header.game, line.rule)


@pytest.mark.parametrize(("name", "seats", "options"), GUIDED_TABLES)
def test_the_steps_of_a_set_up_lay_out_what_the_game_begins_with(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    header, _, states = travel(name, seats, options)
    laid: dict[str, dict[str, int]] = {}
    for line in guide_of(name).layout(header.seats, header.options):
        for place, pieces in line.lies.items():
            laid.setdefault(place, {}).update(pieces)
    for place, pieces in position_of(name).layout(header.game.view(states[0]), header.options).items():
        if place != "box":
            assert laid.get(place) == pieces


@pytest.mark.parametrize("name", GUIDED)
def test_every_lesson_matters_sometime(name: str) -> None:
    lessons = {lesson.key for lesson in guide_of(name).lessons}
    assert len(lessons) == len(guide_of(name).lessons) and guide_of(name).aim
    told: set[str] = set()
    for table in EVERY[name]:
        header, _, states = travel(*table)
        for state in states:
            at = known(header, state)
            while lesson := due(header.game, at, told):
                told.add(lesson.key)
        if told == lessons:
            return
    assert told == lessons


@pytest.mark.parametrize("name", games.NAMES)
def test_the_short_way_in_has_no_lesson_of_a_variant_that_is_not_played(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", name, "--teach"]) == 0
    said = capsys.readouterr().out
    game = games.game(name)
    told = [lesson for lesson in guide_of(name).lessons if lesson.text in said and "{" not in lesson.text]
    assert (told or not guide_of(name).lessons) and all(
        game.defaults[option] in values for lesson in told for option, values in lesson.only.items()
    )
    left_out = [lesson for lesson in guide_of(name).lessons if not lesson.fits(game.defaults)]
    assert all(f"- {lesson.text} ({lesson.rule})" not in said for lesson in left_out)
    assert " minutes" in said.splitlines()[1]
