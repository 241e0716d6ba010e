"""The real table compared, as view-models: what should lie where, what is said, what explains it; no window."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.answers.explaining import Search
from companion.games import position_of
from companion.rules.words import LANGUAGES
from tests.support.differences import played, some_want
from tests.support.goback import done, game
from tests.support.playing import match_of, moment_of
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import FEW
from tests.support.twins import pair
from ui.pages import check
from ui.pages.check import BOARD, Checked
from ui.table.moment import Moment

PLACED = [{"event": "place", "seat": seat, "square": square} for seat, square in (("red", "a1"), ("blue", "b2"))]


def caesar() -> tuple[Any, Moment, Checked]:
    evening = game("caesar", *PLACED)
    match, m = match_of(evening), moment_of(evening)
    return evening, m, check.checked("caesar", match.header.setup, match.lies)


def told(m: Moment, c: Checked) -> dict[str, str]:
    return {spot.place: check.told(m, c, spot) for spot in c.spots}


def test_places_before_a_seat_belong_to_it() -> None:
    _, m, c = caesar()
    assert {c.side(spot) for spot in c.spots} == {"red", "blue", "green", BOARD}
    assert [check.told(m, c, spot) for spot in c.spots if c.side(spot) == "red"] == [
        "hand\n10 cards", "face down\nnothing", "put aside\nnothing", "in front\n4 counters",
    ]  # fmt: skip
    assert told(m, c)["square a1"] == "a1\n1 red counter"


def test_reported_differences_stand_until_resolved() -> None:
    evening, m, c = caesar()
    c = c.say("square c3", {"green counter": 1}).agree("red").agree("green")
    assert told(m, c)["square c3"] == "c3\n1 green counter"
    assert c.want["square c3"] == {"green counter": 1, "": 0} and c.well["hand red"] == {"card": 10, "": 0}
    assert "square a1" not in c.want, "nobody has spoken of it"
    assert not c.say("square c3", {}).said, "it is empty, as it should be"
    done(evening, {"event": "place", "seat": "green", "square": "c3"})
    c = c.again(match_of(evening).lies)
    assert not c.said and set(c.agreed) == {"red"}, "green has a counter less than everybody agreed on"


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_matching_report_is_no_difference(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    for state in some(states, 12):
        c = check.checked(
            name, header.setup, position_of(header.game.name).lies(header.game.view(state), header.options)
        )
        for spot in c.spots:
            said = check.pieces_of(spot, check.value(spot, header.seats, c.there(spot.place)))
            c = c.say(spot.place, said)
        assert not c.said


@pytest.mark.parametrize(
    ("place", "pieces"),
    [("square c3", {"blue counter": 3}), ("square c3", {"counter": 1}), ("square c3", {}), ("hand red", {"card": 4})],
)
def test_a_pane_says_what_lies_there(place: str, pieces: dict[str, int]) -> None:
    _, m, c = caesar()
    spot = next(spot for spot in c.spots if spot.place == place)
    assert check.pieces_of(spot, check.value(spot, m.seats, pieces)) == pieces


def test_a_finger_says_whose_they_are_and_how_many() -> None:
    _, m, c = caesar()
    spot = next(spot for spot in c.spots if spot.place == "square c3")
    part = check.part(spot, m.seats)
    whose, count = part.fields
    said = check.touched(part, check.value(spot, m.seats, {}), whose, "blue")
    assert check.pieces_of(spot, said) == {"blue counter": 1}
    assert check.pieces_of(spot, check.touched(part, said, count, 3)) == {"blue counter": 3}
    assert check.pieces_of(spot, check.touched(part, said, whose, None)) == {}


def reasons(evening: Any, c: Checked) -> list[tuple[str, str, str]]:
    search, steps = match_of(evening).explaining(c.want, c.well)
    for _ in steps:
        pass
    return [(reason.kind, reason.text, reason.beside) for reason in check.reasons(moment_of(evening), search.best, c)]


def test_an_explanation_names_the_act_and_what_else_it_would_change() -> None:
    evening, _, c = caesar()
    kind, text, beside = reasons(evening, c.say("square c3", {"green counter": 1}))[0]
    assert kind == "Never entered" and text.startswith("Green places a counter on c3")
    assert beside == "Then also: in front of Green: 4 counters"
    kind, text, beside = reasons(evening, c.say("square b2", {}))[0]
    assert (kind, beside) == ("Never happened", "Then also: in front of Blue: 5 counters")
    agreed = reasons(evening, c.say("square b2", {}).agree("blue"))
    assert agreed[0][1].startswith("Blue places a counter on ") and "before" not in agreed[0][2]
    assert "Never happened" not in {reason[0] for reason in agreed[:4]}, "Blue's counters were found to be well"
    found = reasons(evening, c.say("square b2", {}).say("square d4", {"blue counter": 1}))
    assert found[0][0] == "Reported wrongly" and "d4" in found[0][1] and "Reported as: " in found[0][1]


def test_unexplained_report_prefills_the_decision() -> None:
    evening, _, c = caesar()
    c = c.say("square a1", {"green counter": 2}).say("hand red", {"card": 3})
    draft = check.prefilled("caesar", match_of(evening).draft(), c.said)
    assert draft.change == {"board": {"a1": {"owner": "green", "size": 2}}}, "a hand is its owner's to say"


def test_a_rule_that_raises_ends_the_search_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    evening, _, c = caesar()

    def broken(*_: object) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(Search, "_judge", broken)
    assert reasons(evening, c.say("square c3", {"green counter": 1})) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "seats", "options"), FEW[::2])
def test_every_place_and_explanation_has_words(lang: str, name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, states = travel(name, seats, options)
    m, rng = shown(header, states[0], lang), Random(lang)
    for at in range(4, len(events) - 1, max(1, len(events) // 5)):
        session = played(header, events[:at])
        m = shown(header, session.state, lang)
        c = check.checked(name, header.setup, position_of(header.game.name).lies(m.view, header.options))
        for text in told(m, c).values():
            caption, value = text.split("\n")
            assert caption and value and not {*"{}_"} & {*text}
        search = Search(session, some_want(session, rng))
        for _ in search.steps():
            pass
        for reason in check.reasons(m, search.best, c):
            assert reason.kind and reason.text and not {*"{}_"} & {*(reason.text + reason.beside)}


def shown(header: Any, state: Any, lang: str = "en") -> Moment:
    evening = game(header.game.name) if header.game.fixed else game(header.game.name, seats=list(header.seats))
    return replace(moment_of(evening), view=header.game.view(state), lang=lang, seats=header.seats,
                   options=header.options)  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_the_shared_screen_shows_nothing_hidden(name: str, seats: int, options: dict[str, Any]) -> None:
    """Law 2: with other purses, hands and cards face down every tile and every explanation is the same."""
    header, _, states = travel(name, seats, options)
    game_, rng = header.game, Random(5)
    alike = [(state, other) for state in states if not game_.view(state)["over"]
             for other in (*disguises(game_, state), *extremes(game_, state))]  # fmt: skip
    for state, other in some(alike, 5):
        both, said = pair(name, seats, options, state, other), []
        want = some_want(both[0], rng)
        for session in both:
            m = shown(header, session.state)
            c = check.checked(name, header.setup, position_of(game_.name).lies(session.view(), header.options))
            search = Search(session, want)
            for _ in search.steps():
                pass
            found = [(one.kind, one.text, one.beside, one.seats) for one in check.reasons(m, search.best, c)]
            said.append((told(m, c), found))
        assert said[0] == said[1]


def test_a_game_that_nobody_has_written_down_is_not_compared() -> None:
    assert not position_of("toy").places(caesar()[1])  # type: ignore[arg-type] # nobody looks
