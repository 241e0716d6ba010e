"""Spartacus, asked: what may be done now, why, the nearest miss, a first game."""

from itertools import product
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers.guide import known, now
from companion.answers.why import made_of, why
from companion.cli.simulate import play, table
from companion.games import guide_of
from companion.rules.words import Tongue, clauses
from companion.session.receipt import Receipt
from tests.support.guide_checks import answered, codes, lessons, moments
from tests.support.playing import Play
from tests.support.spartacus import lead

GAME = games.game("spartacus")


@pytest.mark.parametrize(
    ("seats", "flags", "points"), list(product((3, 5), ("double", "joker", "none"), ("shown", "covered")))
)
def test_every_act_is_offered_at_every_moment(seats: int, flags: str, points: str) -> None:
    for at in moments("spartacus", seats, {"flags": flags, "points": points}):
        answered("spartacus", at)


class Arena(Play):
    """A game, and what it set off."""

    def __init__(self, **options: Any) -> None:
        super().__init__("spartacus", "red blue green", options=options)
        self.log: list[Receipt] = []

    def go(self, script: str) -> None:
        for act in script.split(", "):
            seat, what = act.split()
            self.log.append(self.ok("pass", seat) if what == "pass" else self.ok("play", seat, card=act))

    def says(self) -> list[str]:
        answer = now(GAME, known(self.header, self.session))
        told = [*(can.says for can in answer.can), *answer.cannot]
        return [Tongue("en").tr(saying.text, **saying.facts) for saying in told]


@pytest.mark.parametrize(
    ("flags", "script", "said"),
    [
        ("double", "", ["Red: lead any card.", "The leader of a trick cannot pass."]),
        ("double", "red flag", ["Blue: play any card.", "Nobody may pass while only flags have been played."]),
        ("joker", "red flag", ["Blue: play any card.", "Nobody may pass while only jokers have been played."]),
        ("double", "red 5", ["Blue: play a number lower than 5, or the flag.", "Blue: pass, and be out of this trick."]),
        ("joker", "red 5", ["Blue: play a number lower than 5, or a joker.", "Blue: pass, and be out of this trick."]),
        ("none", "red 5", ["Blue: play a number lower than 5.", "Blue: pass, and be out of this trick."]),
        (
            "double",
            "red 1, blue pass",
            [
                "Green: play the flag; nothing is lower than 1.",
                "Green: pass, and be out of this trick.",
                "No card from Blue until this trick is taken.",
            ],
        ),
    ],
)  # fmt: skip
def test_possible_moves_are_written_in_plain_words(flags: str, script: str, said: list[str]) -> None:
    arena = Arena(flags=flags)
    if script:
        arena.go(script)
    assert arena.says() == said


def test_a_flag_that_was_seen_is_not_offered() -> None:
    arena = Arena()
    arena.go("red flag, blue 5, green 4")
    assert arena.says()[0] == "Red: play a number lower than 4."
    arena.go("red pass, blue 1, green pass")
    lead(arena, "green")
    assert arena.says()[0] == "Green: lead any card."
    arena.go("green 1")
    assert arena.says()[0] == "Red: nothing is lower than 1, so no card can be played."


# -- why --------------------------------------------------------------------------------------------------------

LEADS = {
    **{code: code for code in (
        "play", "passed", "taken", "worth", "empty", "last_trick", "nobody", "tricks", "hand", "over",
    )},
    **{code: code for code in ("not_now", "out", "turn", "leader", "only_flags", "lower", "colour", "card", "played")},
    "leads": "taken",
}  # fmt: skip


def test_every_ruling_has_its_reason() -> None:
    assert codes("spartacus") == set(LEADS)


@pytest.mark.parametrize(("flags", "points"), [("double", "shown"), ("joker", "shown"), ("double", "covered")])
def test_why_leads_with_the_reason_for_every_ruling(flags: str, points: str) -> None:
    seen: set[str] = set()
    header = table(GAME, 3, {"flags": flags, "points": points})
    for seed in range(6):
        log: list[Receipt] = []
        for _, receipt in play(header, Random(seed)):
            log.append(receipt)
            for ruling in receipt.public:
                found = why(GAME, Tongue("en"), log, ruling)
                assert found and (found.lead.ruling.code, found.lead.number) == (LEADS[ruling.code], receipt.number)
                seen.add(ruling.code)
    assert {"play", "passed", "taken", "leads", "empty", "last_trick", "hand", "over"} <= seen
    assert ("worth" in seen, "tricks" in seen) == (points == "shown", points == "covered")


def test_a_trick_is_explained_by_its_numbers_and_who_was_near() -> None:
    arena = Arena()
    arena.go("red 9, blue 7, green 5, red 4, blue flag, green pass")
    found = why(GAME, Tongue("en"), arena.log)
    assert found and found.lead.ruling.code == "taken" and found.lead.contest
    assert [(seat, [cell.text for cell in cells]) for seat, cells in found.lead.contest.lines] == [
        ("red", ["4"]), ("blue", ["7"]), ("green", ["5"]),
    ]  # fmt: skip
    assert found.lead.contest.columns == [("lowest number", "S-7")]
    assert found.lead.contest.nearest == "By playing 3, Green would have taken the trick."
    assert [link.ruling.code for link in found.links] == ["passed", "taken", "worth", "leads"]


def test_numbers_on_the_table_are_made_of_acts() -> None:
    arena = Arena()
    arena.go("red 9, blue 5, green pass, red pass, green 8, red pass, blue 6")
    assert [ruling.facts["points"] for _, ruling in made_of(GAME, arena.log, "points", "blue")] == [14]
    assert [str(ruling.facts["card"]) for _, ruling in made_of(GAME, arena.log, "worth")] == ["green 8", "blue 6"]
    for word in guide_of("spartacus").numbers:
        made_of(GAME, arena.log, word, "red")


def test_covered_points_are_in_no_explanation_before_the_end() -> None:
    arena = Arena(points="covered")
    arena.go("red 9, blue 5, green pass, red pass")
    found = why(GAME, Tongue("en"), arena.log)
    assert found and not any("14" in text for link in found.links for text in (link.text, *dict(link.facts).values()))
    assert not made_of(GAME, arena.log, "points", "blue")


# -- a first game -----------------------------------------------------------------------------------------------


def test_setup_list_depends_on_the_flags_variant() -> None:
    flags = {
        value: guide_of("spartacus").layout(("red", "blue", "green"), {**GAME.defaults, "flags": value})[0].text
        for value in ("double", "joker", "none")
    }
    assert "one flag" in flags["double"] == flags["joker"] and "No flags" in flags["none"]


def test_lessons_come_just_before_they_matter() -> None:
    told = lessons("spartacus", moments("spartacus", 4, {}, seed=3))
    assert told[:2] == ["lead", "lower"]
    assert {"double", "out", "takes", "worth", "leads next", "end", "hand"} <= set(told)
    assert "joker" not in told
    told = lessons("spartacus", moments("spartacus", 4, {"flags": "joker"}, seed=3))
    assert "joker" in told and not {"double", "hand"} & set(told)


def test_every_lesson_rests_on_a_clause() -> None:
    guide = guide_of("spartacus")
    assert 8 <= len(guide.lessons) <= 16
    assert all(lesson.rule in clauses(GAME.clauses) and "{" not in lesson.text for lesson in guide.lessons)
    assert len({lesson.key for lesson in guide.lessons}) == len(guide.lessons)
