"""Prokonsul, asked: what may be done now, the right reason first, what numbers are made of, a first game."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers.guide import due, known, now
from companion.answers.why import made_of, number, why
from companion.cli.simulate import play, table
from companion.games.prokonsul.guide import GUIDE, WON
from companion.record.transcript import Header
from companion.rules import Ruling, judge
from companion.rules.guide import Known
from companion.rules.words import LANGUAGES, Tongue, find_clause
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.guide_checks import codes
from tests.support.playing import BOARD, Play
from tests.support.prokonsul import FOUR, ask, cards, in_vain
from tests.support.prokonsul import table as seated
from tests.support.states import well_formed
from tests.support.tables import variants

GAME = games.game("prokonsul")
VARIANTS = list(variants(GAME))


@cache
def played(variant: int, seats: int = 4) -> Sequence[tuple[Known[Any, Any], Receipt]]:
    """A random game of the variant, with refusals tried in between: what was known after each receipt."""
    header = table(GAME, seats, dict(VARIANTS[variant]))
    rng, found = Random(variant), []
    for session, receipt in play(header, rng):
        found.append((known(header, session), receipt))
    return found


@cache
def rulings(variant: int) -> dict[str, tuple[Sequence[Receipt], Ruling]]:
    """Each code once, with the acts up to it; refusals are tried in between."""
    header, rng, log = table(GAME, 4, dict(VARIANTS[variant])), Random(variant), []
    found: dict[str, tuple[Sequence[Receipt], Ruling]] = {}
    opening = Session(GAME, header.setup)
    for session, receipt in chain([(opening, Receipt(True))], play(header, rng)):
        log.append(receipt)
        for one in (receipt, *refusals(header, session.state, rng)):
            for ruling in one.public:
                found.setdefault(ruling.code, ((*log[-30:], *([one] if one is not receipt else ())), ruling))
    return found


def refusals(header: Header, state: Any, rng: Random) -> Iterator[Receipt]:
    """What some random events are refused with."""
    for event in (well_formed(header, rng) for _ in range(20)):
        ok, _, told = judge(GAME, state, event)
        if not ok:
            yield Receipt(False, event, tuple(told))


def moments() -> Iterator[Known[Any, Any]]:
    for variant in range(len(VARIANTS)):
        header = table(GAME, 4, dict(VARIANTS[variant]))
        yield known(header, Session(GAME, header.setup))
        yield from (at for at, receipt in played(variant) if receipt.ok)


# -- what may be done now ---------------------------------------------------------------------------------------


def test_now_says_how_everything_is_done_that_can_be_done() -> None:
    phases = set()
    for at in moments():
        answer = now(GAME, at)
        phases.add(at.view["phase"])
        assert {can.verb for can in answer.can} == {outline.verb for outline in at.outlines}, at.view["phase"]
        for saying in (*(can.says for can in answer.can), *answer.cannot):
            assert find_clause(GAME, saying.rule), saying
            for lang in LANGUAGES:
                assert "{" not in Tongue(lang).tr(saying.text, **saying.facts)
    assert phases == {"pawns", "province", "choosing", "pleading", "answering", "negotiating", "over"}


def at(game: Play) -> Known[Any, Any]:
    return known(game.header, game.session)


def cannot(game: Play) -> dict[str, str]:
    """By clause, what is not possible now and why."""
    return {saying.rule: Tongue().tr(saying.text, **saying.facts) for saying in now(GAME, at(game)).cannot}


def test_refusing_seat_is_not_asked_again_in_the_plea() -> None:
    game = seated(FOUR)
    cards(game, "5 9 1 12")
    assert "P-12" not in cannot(game)
    ask(game, "blue")
    assert cannot(game)["P-12"] == "Cannot be asked again in this plea: Blue, who said no to Yellow."
    ask(game, "red")
    ask(game, "green", accept=True)
    assert "P-12" not in cannot(game)  # another plea
    assert cannot(game)["P-13"].startswith("Nobody can stop pleading early")
    assert "No cards left, so cannot be asked: Green." in {
        Tongue().tr(saying.text, **saying.facts) for saying in now(GAME, at(game)).cannot
    }


@pytest.mark.parametrize(("negotiation", "verbs"), [("strict", ["answer"]), ("two_way", ["answer", "offer"])])
def test_an_offer_is_answered_by_button_or_finger(negotiation: str, verbs: list[str]) -> None:
    game = seated(negotiation=negotiation)
    cards(game, "5 9 5")
    game.ok("offer", "blue", to="green", chips=1)
    can = now(GAME, at(game)).can
    assert [one.verb for one in can] == verbs
    assert (list(can[0].seats), list(can[0].ways)) == (["green"], ["press", "hold", "finger"])
    assert (can[0].press, can[0].hold) == ("yes", "no")


@pytest.mark.parametrize(("reveal", "ways"), [("fists", ["fists", "finger"]), ("auto", ["finger"])])
def test_cards_are_revealed_by_fists_where_there_are_buttons(reveal: str, ways: list[str]) -> None:
    game = Play("prokonsul", "red blue green", board=BOARD, reveal=reveal)
    game.ok("pawns", order=["red", "blue", "green"])
    game.ok("province", province="a")
    for seat in ("red", "blue", "green"):
        game.ok("choose", seat, card=f"{seat} 5")
    can = now(GAME, at(game)).can
    assert [(one.verb, list(one.ways)) for one in can] == [("reveal", ways), ("choose", ["card", "finger"])]


# -- why --------------------------------------------------------------------------------------------------------


BECAUSE_WON = ("candidate", "no_counter", "governor", "move_pawn")
"""Who won the round, and how, is the reason for these; every other ruling gives its own."""


def test_why_shows_the_right_reason_first_for_every_ruling() -> None:
    reached = set()
    for variant in range(len(VARIANTS)):
        for code, (log, ruling) in rulings(variant).items():
            reached.add(code)
            found = why(GAME, Tongue(), log, ruling)
            assert found
            if code in BECAUSE_WON:
                assert found.lead.ruling.code in WON
                assert any(found.lead.ruling is one for one in log[-1].public)  # of this act, not of an older round
            else:
                assert found.lead.ruling is ruling
    assert codes("prokonsul") - reached == set()


def test_a_win_is_explained_by_how_the_target_was_reached() -> None:
    game = seated()
    log = [cards(game, "5 9 5")]
    game.ok("offer", "blue", to="red", chips=3)
    log.append(game.ok("answer", "red", accept=True))
    found = why(GAME, Tongue(), log)
    assert found
    assert found.lead.text == "Blue holds 9 + 5 = 14 and reaches the target of 10."
    assert [condition.text for condition in found.lead.conditions] == [
        "The cards held come to 14: the target of 10 is reached."
    ]
    assert [link.ruling.code for link in found.links] == ["accepted", "reached", "candidate", "move_pawn"]


def test_why_shows_the_plea_as_a_table_and_how_close_it_was() -> None:
    game = seated()
    receipt = cards(game, "7 7 6")
    plea = next(ruling for ruling in receipt.public if ruling.code == "plea")
    found = why(GAME, Tongue(), [receipt], plea)
    assert found and found.lead.contest
    assert found.lead.contest.columns == [("card", "P-8"), ("row", "P-9")]
    assert found.lead.contest.nearest == "Had Blue laid the 8, Blue would have had this plea."


# -- numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=lambda at: "-".join(map(str, VARIANTS[at].values())))
def test_a_score_is_made_of_everything_that_changed_it(variant: int) -> None:
    log = [receipt for _, receipt in played(variant) if receipt.ok]
    scores = log[-1].public[-1].facts["scores"]
    for seat, score in scores.items():
        rulings = [ruling for _, ruling in made_of(GAME, log, "score", seat)]
        assert rulings[-1].code == "over"
        assert 20 + sum(gained(ruling, seat) for ruling in rulings) == score


def gained(ruling: Ruling, seat: str) -> int:
    facts = ruling.facts
    match ruling.code:
        case "governor" | "link":
            return int(facts["value"])
        case "accepted":
            return int(facts["chips"]) * (1 if facts["seat"] == seat else -1)
        case "transfer":
            return int(facts["chips"]) * (1 if facts["to"] == seat else -1)
    return 0


def test_target_and_cards_held_are_those_of_this_round() -> None:
    game = seated("red blue green yellow purple")
    log = [cards(game, "9 8 7 6 5"), ask(game, "purple", accept=True), ask(game, "blue")]
    assert [ruling.code for _, ruling in made_of(GAME, log, "held", "red")] == ["plea", "accepted"]
    assert [ruling.facts["target"] for _, ruling in made_of(GAME, log, "target")] == [18]
    assert number(GAME, Tongue(), log, "held", "green") is None


def test_counters_are_made_of_wins_and_of_those_that_went_home() -> None:
    log = [receipt for _, receipt in played(0) if receipt.ok]
    for seat in log[-1].view["result"]["scores"]:  # type: ignore[index]
        out = 0
        for _, ruling in made_of(GAME, log, "counters", seat):
            if ruling.code == "candidate":
                out += 1
            elif seat in ruling.facts.get("home", ()):
                out -= 1
        assert 5 - out == log[-1].view["counters"][seat]  # type: ignore[typeddict-item]


def test_a_provinces_value_is_asked_for_by_its_name() -> None:
    log = [receipt for _, receipt in played(0) if receipt.ok]
    for name, province in log[-1].view["provinces"].items():  # type: ignore[typeddict-item]
        rulings = [ruling for _, ruling in made_of(GAME, log, "value", name)]
        assert any(ruling.code == "governor" and ruling.facts["seat"] == province["governor"] for ruling in rulings)
        assert all(name in (ruling.facts["province"], ruling.facts.get("linked")) for ruling in rulings)


# -- a first game -----------------------------------------------------------------------------------------------


def test_every_lesson_comes_due_in_some_game_and_in_some_once_only() -> None:
    told: dict[int, list[str]] = {}
    for variant in range(len(VARIANTS)):
        heard = told[variant] = []
        for at, receipt in played(variant):
            while receipt.ok and not at.view["over"] and (lesson := due(GAME, at, heard)):
                heard.append(lesson.key)
                assert set(lesson.to(at)) <= set(at.seats)
                assert find_clause(GAME, lesson.rule)
        assert len(heard) == len(set(heard))
    assert set().union(*told.values()) | {"row", "stake"} == {lesson.key for lesson in GUIDE.lessons}


def test_a_first_round_is_explained_as_it_happens() -> None:
    game, heard = Play("prokonsul", "red blue green", board=BOARD), list[str]()

    def lessons() -> list[str]:
        fresh = []
        while lesson := due(GAME, at(game), heard):
            heard.append(lesson.key)
            fresh.append(lesson.key)
        return fresh

    assert lessons() == ["row"]
    game.ok("pawns", order=["red", "blue", "green"])
    assert lessons() == ["stake"]
    game.ok("province", province="a")
    assert lessons() == ["card", "spent"]
    cards(game, "5 9 5")
    assert lessons() == ["plea", "offer", "first", "silence"]
    game.ok("offer", "blue", to="red", chips=1)
    assert lessons() == ["answer"]
    game.ok("answer", "red", accept=False)
    assert lessons() == ["no", "all"]
    in_vain(game)
    assert lessons() == ["tie", "failed"]
    ask(game, "blue", accept=True)
    assert lessons() == ["aside", "candidate", "link"], "no other province has a counter of the winner"
    winner = str(game.view["turn"])
    game.ok("province", winner, province="b")
    lessons()
    cards(game, " ".join("12" if seat == winner else "1" for seat in ("red", "blue", "green")))
    assert game.view["turn"] == winner and lessons()[0] == "next"


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_setup_list_fits_the_variant(options: dict[str, Any]) -> None:
    seats = ("red", "blue", "green")
    lines = [Tongue().tr(line.text, **line.facts) for line in GUIDE.layout(seats, options)]
    text = " ".join(lines)
    assert ("1–7" in text) is (options["game"] == "short")
    assert ("One pawn for each" in text) is (options["negotiation"] != "free")
    assert all(find_clause(GAME, line.rule) for line in GUIDE.layout(seats, options))
