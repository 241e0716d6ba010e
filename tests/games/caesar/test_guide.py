"""Caesar, asked: what may be done now, why, what a number is made of, and a first game."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.answers.guide import due, known, now
from companion.answers.why import Reason, made_of, why
from companion.cli.simulate import play, table
from companion.games import game, guide_of
from companion.rules import Ruling
from companion.rules.guide import Known
from companion.rules.words import LANGUAGES, Tongue, find_clause, tr
from companion.session.receipt import Receipt
from tests.support.caesar import DUEL, EMPTY, FIVE, THREE, TWO, Position
from tests.support.guide_checks import codes as codes_of
from tests.support.playing import Play as Opening
from tests.support.playing import facts

GAME = game("caesar")
GUIDE = guide_of("caesar")


def at(play: Opening) -> Known[Any, Any]:
    return known(play.header, play.session)


def asked(play: Opening) -> tuple[dict[str, Any], list[str]]:
    """What may be done now, by verb: by whom and how; and what may not, by its clause."""
    answer = now(GAME, at(play))
    can = {f"{one.verb} {one.says.rule}": (list(one.seats), list(one.ways)) for one in answer.can}
    return can, [saying.rule for saying in answer.cannot]


def games(count: int) -> Iterator[tuple[Any, Sequence[Receipt], Any]]:
    """Every moment of some random games: the header, the acts so far, and the session."""
    for seed in range(count):
        header = table(GAME, 2 + seed % 4)
        log: list[Receipt] = []
        for session, receipt in play(header, Random(seed)):
            log.append(receipt)
            yield header, log, session


# -- now --------------------------------------------------------------------------------------------------------


def test_every_act_that_can_be_done_is_said_with_its_clause_in_every_language() -> None:
    for header, _, session in games(8):
        known_now = known(header, session)
        answer = now(GAME, known_now)
        assert {can.verb for can in answer.can} == {outline.verb for outline in known_now.outlines}
        for says in (*(can.says for can in answer.can), *answer.cannot):
            assert find_clause(GAME, says.rule)
            assert all("{" not in tr(says.text, lang, **says.facts) for lang in LANGUAGES)
        assert all(can.ways and can.seats for can in answer.can)


def test_a_turn_says_which_groups_can_act_and_why_nobody_may_pass() -> None:
    play = Position("r1 n1 b1 . . r1 . b1 . ." + EMPTY * 3)
    can, cannot = asked(play)
    assert can == {"attack C-8": (["red"], ["finger"]), "ally C-6": (["red"], ["finger"])}
    assert cannot == ["C-4"]
    says = now(GAME, at(play)).can[0].says
    assert tr(says.text, **says.facts).endswith("sees, from a2.")


def test_without_an_attack_one_may_pass_with_the_button() -> None:
    play = Position("r1 n1 b1 . ." + EMPTY * 4)
    assert asked(play) == ({"ally C-6": (["red"], ["finger"]), "pass C-4": (["red"], ["press", "finger"])}, ["C-5"])
    assert asked(Position("r1 . . . . . b1 b1 . .  . . . . ." + EMPTY * 2))[1] == ["C-5", "C-6"]


def test_in_a_duel_cards_are_chosen_changed_and_revealed() -> None:
    play = Position(DUEL, THREE)
    play.ok("attack", "red", **{"from": "a1", "to": "c1"})
    assert asked(play) == ({"choose C-9": (["red", "blue"], ["card", "finger"])}, ["C-9", "C-9"])
    play.ok("choose", "blue", card="blue 4")
    assert asked(play)[0] == {
        "choose C-9": (["red"], ["card", "finger"]), "choose T-3": (["blue"], ["card", "finger"]),
    }  # fmt: skip
    play.ok("choose", "red", card="red 4")
    can, cannot = asked(play)
    assert can["reveal C-9"] == (["red", "blue"], ["fists", "finger"])
    assert can["choose T-3"] == (["red", "blue"], ["card", "finger"])
    assert cannot == ["C-9"], "green takes no part"
    without = replace(at(play), reveal="auto")
    assert [list(can.ways) for can in now(GAME, without).can if can.verb == "reveal"] == [["finger"]]


# -- why --------------------------------------------------------------------------------------------------------

LEADS = {
    **{code: code for code in ("placed", "neutrals", "opens", "alliance", "attack", "chosen", "passed", "all_passed")},
    **{code: code for code in ("revealed", "flag", "totals", "tenth_card", "no_attack", "scored", "over")},
    **dict.fromkeys(("won", "equal", "eliminated"), "totals"),
}  # fmt: skip
"""The ruling that gives the reason, for each that an accepted act can have; a refusal gives its own."""

REFUSALS = {
    "not_now", "turn", "taken", "empty", "neutral", "owner", "same", "enemy", "own", "hidden", "line", "attack_open",
    "duellist", "colour", "card", "spent", "missing",
}  # fmt: skip


def test_no_code_is_forgotten() -> None:
    assert set(LEADS) | REFUSALS == codes_of("caesar")


def sat(play: Opening, squares: str) -> Receipt:
    for number, square in enumerate(squares.split()):
        receipt = play.ok("place", play.header.seats[number % len(play.header.seats)], square=square)
    return receipt


def accepted() -> Iterator[Receipt]:
    """Acts that between them have every ruling."""
    yield sat(Opening("caesar", TWO), "a1 b1 a2 b2 a3 b3 a4 b4 a5 b5")
    play = Position("r3 . b1 . . r1 . b1 . ." + EMPTY * 3)
    yield play.ok("attack", "red", **{"from": "a1", "to": "c1"})
    yield play.ok("choose", "red", card="red 4")
    play.ok("choose", "blue", card="blue 6")
    yield play.ok("reveal")
    yield Position("r2 . b1 . . n1 . r1 . r4" + EMPTY * 3).duel("red", "a1", "c1", 9, 1)
    yield Position("r2 . b1 . ." + EMPTY * 4, red="flag").duel("red", "a1", "c1", "flag", 9)
    play = Position("r1 n1 b1 n1 n1" + EMPTY * 4)
    yield play.ok("pass", "red")
    yield play.ok("pass", "blue")
    yield Position("r1 n1 b1 . ." + EMPTY * 4).ally("red", "a1", "b1")


def test_why_gives_the_reason_first_for_every_ruling() -> None:
    seen = set[str]()
    for receipt in accepted():
        for ruling in receipt.public:
            found = why(GAME, Tongue(), [receipt], ruling)
            assert found and found.lead.ruling.code == LEADS[ruling.code], ruling.code
            seen.add(ruling.code)
    assert seen == set(LEADS)


def test_a_refusal_is_its_own_reason() -> None:
    play = Position("r1 n1 b1 . ." + EMPTY * 4)
    receipt = play("attack", "red", **{"from": "a1", "to": "c1"})
    found = why(GAME, Tongue(), [receipt])
    assert found and found.lead.ruling.code == "hidden"
    assert found.lead.text == "a1 and c1 do not see each other: counters on b1 stand in between."


def lead(receipt: Receipt, lang: str = "en") -> Reason:
    found = why(GAME, Tongue(lang), [receipt])
    assert found
    return found.lead


def test_a_lost_duel_shows_both_totals_and_how_close_it_was() -> None:
    found = lead(Position("r2 . b1 . . r1 . b1 . ." + EMPTY * 3).duel("red", "a1", "c1", 3, 9))
    assert found.contest
    assert found.contest.columns == [("total", "C-11")]
    assert [(seat, cells[0].text, cells[0].decides) for seat, cells in found.contest.lines] == [
        ("red", "5", False), ("blue", "10", True),
    ]  # fmt: skip
    assert found.contest.nearest == "With a total of 11, Red would have won the duel."


def test_conditions_are_said_whether_they_hold_or_not() -> None:
    receipt = Position("r2 . b1 . . r1 . b1 . ." + EMPTY * 3, blue="9 1").duel("red", "a1", "c1", 3, 9)
    found = why(GAME, Tongue(), [receipt])
    assert found
    said = [(held.text, held.holds) for link in found.links for held in link.conditions]
    assert said == [
        ("Red still has 9 cards.", False),
        ("Blue still has 1 card.", False),
        ("An attack can still happen: counters in rows and columns join the groups of Red and Blue.", False),
    ]


# -- numbers ----------------------------------------------------------------------------------------------------


def codes(log: Sequence[Receipt], word: str, whose: str | None = None) -> list[str]:
    return [ruling.code for _, ruling in made_of(GAME, log, word, whose)]


def rulings(log: Sequence[Receipt], word: str, whose: str | None = None) -> list[Ruling]:
    return [ruling for _, ruling in made_of(GAME, log, word, whose)]


def test_a_number_is_the_sum_of_the_acts_it_is_made_of() -> None:
    for header, log, session in games(6):
        view = session.view()
        owned = dict.fromkeys(header.seats, 0)
        for group in view["board"].values():
            if group["owner"] in owned:
                owned[group["owner"]] += group["size"]
        for seat in header.seats:
            assert sum(one.facts["gains"][seat] for one in rulings(log, "counters", seat)) == owned[seat]
            assert 10 - len(rulings(log, "cards", seat)) == view["hand_sizes"][seat]
            if view["to_place"]:
                assert 5 - len(rulings(log, "to_place", seat)) == view["to_place"][seat]


def test_a_group_is_made_of_every_act_that_put_a_counter_there() -> None:
    for _, log, session in games(4):
        for square, group in session.view()["board"].items():
            found = rulings(log, "group", square)
            squares = {square, *(one.facts["from"] for one in found if "from" in one.facts)}
            neutrals = next((set(one.facts["squares"]) for one in found if one.code == "neutrals"), set())
            placed = sum(one.code == "placed" for one in found)
            assert placed + len(neutrals & squares) == group["size"]


def test_a_duel_is_made_of_its_own_acts_alone() -> None:
    play = Position(DUEL, THREE)
    log = [play.duel("red", "a1", "c1", 1, "flag"), play.ok("attack", "blue", **{"from": "c1", "to": "a1"})]
    assert codes(log, "duel") == ["attack"]
    play.ok("choose", "red", card="red 9")
    play.ok("choose", "blue", card="blue 9")
    log.append(play.ok("reveal"))
    assert codes(log, "duel") == ["attack", "revealed", "totals"]


def test_undone_moves_do_not_count() -> None:
    play = Opening("caesar", TWO)
    log = [play.ok("place", "red", square="a1"), play.ok("undo"), play.ok("place", "red", square="b2")]
    assert [one.facts["square"] for one in rulings(log, "counters", "red")] == ["b2"]
    assert rulings(log, "group", "a1") == []


def test_a_loser_is_told_how_many_counters_went() -> None:
    receipt = Position("r3 . b2 . . r1 . b1 . ." + EMPTY * 3).duel("red", "a1", "c1", 9, 1)
    assert facts(receipt, "won")["gains"] == {"red": 2, "blue": -2}


# -- a first game -----------------------------------------------------------------------------------------------


def neutral(seats: str) -> Mapping[str, int]:
    laid: Sequence[Any] = GUIDE.layout(seats.split(), {})
    return next((line.facts["counters"] for line in laid if "counters" in line.facts), {})


@pytest.mark.parametrize(
    ("seats", "counters"),
    [
        ("red green", {"blue": 10, "yellow": 5}),
        ("red blue", {"green": 5, "yellow": 5, "purple": 5}),
        ("red green yellow", {"blue": 10}),
        ("blue green yellow", {"red": 5, "purple": 5}),
        ("red green yellow purple", {"blue": 5}),
        ("red blue green yellow", {"purple": 5}),
        (FIVE, {}),
    ],
)
def test_neutral_counters_are_of_colours_that_nobody_plays(seats: str, counters: dict[str, int]) -> None:
    assert neutral(seats) == counters
    assert sum(counters.values()) + 5 * len(seats.split()) == 25


def test_each_lesson_is_told_once_before_it_matters_and_a_game_tells_them_all() -> None:
    told, first = list[str](), list[str]()
    for header, _, session in games(12):
        here = known(header, session)
        lesson = due(GAME, here, told) if not session.view()["over"] else None
        if lesson:
            told.append(lesson.key)
            first.append(session.view()["phase"])
            assert set(lesson.to(here)) <= set(header.seats)
            assert find_clause(GAME, lesson.rule)
    assert sorted(told) == sorted(lesson.key for lesson in GUIDE.lessons)
    assert 8 <= len(told) <= 16
    phases = dict(zip(told, first, strict=True))
    assert phases["place"] == "placing" and phases["turn"] == "turn" and phases["total"] == "choosing"
