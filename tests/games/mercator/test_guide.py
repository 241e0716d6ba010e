"""Mercator, asked: what may be done now, why, the nearest miss, a first game."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from companion import games
from companion.answers.guide import known, now
from companion.answers.why import made_of, why
from companion.games import guide_of
from companion.rules.words import Tongue, clauses
from companion.session.receipt import Receipt
from tests.support.guide_checks import answered, codes, lessons, moments
from tests.support.playing import Play

GAME = games.game("mercator")
TABLES = list(product((3, 5, 7), ("fists", "open"), (False, True)))


@pytest.mark.parametrize(("seats", "auction", "bonus"), TABLES)
def test_every_act_is_offered_at_every_moment(seats: int, auction: str, bonus: bool) -> None:
    for at in moments("mercator", seats, {"auction": auction, "colour_bonus": bonus}):
        answered("mercator", at)


class Market(Play):
    """A game, and what it set off."""

    def __init__(self, **options: Any) -> None:
        super().__init__("mercator", "red blue green", options=options)
        self.log: list[Receipt] = []

    def __call__(self, verb: str, seat: str | None = None, **facts: Any) -> Receipt:
        self.log.append(super().__call__(verb, seat, **facts))
        return self.log[-1]

    def lot(self, *cards: str) -> None:
        for card in cards:
            self.ok("flip", self.view["flipper"], card=card)
        if self.view["phase"] == "flipping":
            self.ok("auction", self.view["flipper"])

    def bids(self, **bids: int) -> Receipt:
        self.ok("reveal")
        for seat in self.view["taking_part"]:
            last = self.ok("bid", seat, chips=bids.get(seat, 0))
        return last

    def says(self) -> list[str]:
        answer = now(GAME, known(self.header, self.session))
        told = [*(can.says for can in answer.can), *answer.cannot]
        return [Tongue("en").tr(saying.text, **saying.facts) for saying in told]


def test_possible_moves_are_written_in_plain_words() -> None:
    play = Market()
    assert play.says() == [
        "Red: flip the top card of the pile.",
        "The auction begins once at least one card has been flipped.",
    ]
    play.ok("flip", "red", card="red 9")
    assert play.says()[:2] == [
        "Red: flip up to 2 more cards.",
        "Red: stop here and sell the lot as it is.",
    ]
    play.lot("blue 7")
    assert play.says()[0] == "Red, Blue and Green: hide 0 or more chips in a fist each, and open together."
    play.ok("reveal")
    play.ok("bid", "red", chips=3)
    assert play.says() == [
        "Blue and Green: say what was in the fist.",
        "Red: name the amount again if it was misheard, until the last one is named.",
    ]


def test_fists_are_held_only_where_there_are_buttons() -> None:
    play = Market()
    play.lot("red 9")
    ways = {}
    for reveal in ("fists", "auto"):
        at = known(play.header, play.session)
        (can,) = now(GAME, type(at)(at.seats, at.options, at.view, at.derived, at.outlines, reveal)).can
        ways[reveal] = can.ways
    assert ways == {"fists": ("fists", "finger"), "auto": ("finger",)}


# -- why --------------------------------------------------------------------------------------------------------

LEADS: dict[str, str] = {
    **{code: code for code in (
        "flipped", "limit", "stopped", "no_room", "auction", "revealed", "bid", "won", "tie", "unsold", "bought",
        "bonus", "full", "next", "loading", "loaded", "auctions_over", "sale", "shared", "over",
    )},
    **{code: code for code in (
        "not_now", "outcry", "fists", "card", "seen", "turn", "no_lot", "balance", "room", "nothing",
    )},
    "sold": "tie, won or bought",
}  # fmt: skip


def test_every_ruling_has_its_reason() -> None:
    assert codes("mercator") == set(LEADS)


@pytest.mark.parametrize("auction", ["fists", "open"])
def test_why_leads_with_the_reason_for_every_ruling(auction: str) -> None:
    from random import Random

    from companion.cli.simulate import play, table

    seen: set[str] = set()
    header = table(GAME, 4, {"auction": auction, "colour_bonus": True})
    for seed in range(12):
        log: list[Receipt] = []
        for _, receipt in play(header, Random(seed)):
            log.append(receipt)
            for ruling in receipt.public:
                if ruling.code in seen and ruling.code != "sold":
                    continue
                found = why(GAME, Tongue("en"), log, ruling)
                assert found and found.lead.number == receipt.number
                assert found.lead.ruling.code in LEADS[ruling.code], ruling.code
                seen.add(ruling.code)
    both = {"no_room", "bonus", "full", "sold", "unsold", "sale", "over", "next", "flipped", "auctions_over"}
    assert both | ({"won", "tie", "bid", "revealed"} if auction == "fists" else {"bought"}) <= seen


def test_a_payment_is_explained_by_the_tie_that_led_to_it() -> None:
    play = Market()
    play.lot("red 9")
    play.bids(red=5, blue=4)
    play.lot("blue 7")
    play.bids(red=3, green=3)
    found = why(GAME, Tongue("en"), play.log)
    assert found and found.lead.ruling.code == "tie"
    assert found.lead.contest and found.lead.contest.nearest == "With 4 chips Red would have had the lot."
    assert [link.ruling.code for link in found.links] == ["bid", "tie", "sold", "next"]
    assert not found.lead.facts, "the sentence says it all"
    play.lot("green 7")
    play.bids(red=2)
    found = why(GAME, Tongue("en"), play.log)
    assert found and found.lead.ruling.code == "won", "not the tie of the lot before"


def test_numbers_on_the_table_are_made_of_acts() -> None:
    play = Market()
    play.lot("red 9", "blue 7")
    assert [ruling.facts["sum"] for _, ruling in made_of(GAME, play.log, "lot")] == ["9", "9 + 7 = 16"]
    play.bids(red=5, blue=4)
    play.lot("green 1")
    play.bids(blue=2)
    assert [ruling.facts["after"] for _, ruling in made_of(GAME, play.log, "cargo", "red")] == [16]
    assert [ruling.facts["after"] for _, ruling in made_of(GAME, play.log, "cargo", "blue")] == [1]
    assert [ruling.code for _, ruling in made_of(GAME, play.log, "paid")] == ["bid", "bid", "bid", "won", "sold"]
    for word in guide_of("mercator").numbers:
        made_of(GAME, play.log, word, "red")


# -- a first game -----------------------------------------------------------------------------------------------


def test_the_pile_is_laid_out_for_as_many_players() -> None:
    piles: list[Sequence[Any]] = []
    for count in range(3, 8):
        lines = guide_of("mercator").layout(tuple(GAME.colours)[:count], GAME.defaults)
        piles.append([Tongue("en").tr(line.text, **line.facts) for line in lines])
    assert [next(text for text in lines if text.startswith("Lay ")).split()[1] for lines in piles] == [
        "24", "32", "40", "45", "them",
    ]  # fmt: skip
    assert piles[0][-1] == "Red flips the first lot."


def test_lessons_come_just_before_they_matter() -> None:
    told = lessons("mercator", moments("mercator", 4, {}, seed=3))
    assert told[:4] == ["lot", "room", "fists", "secret"]
    assert {"track", "sale", "full", "limit"} <= set(told)
    assert "outcry" not in told and "bonus" not in told
    told = lessons("mercator", moments("mercator", 4, {"auction": "open", "colour_bonus": True}, seed=3))
    assert {"outcry", "bonus"} <= set(told) and "fists" not in told


def test_every_lesson_rests_on_a_clause() -> None:
    guide = guide_of("mercator")
    assert 8 <= len(guide.lessons) <= 16
    assert all(lesson.rule in clauses(GAME.clauses) and "{" not in lesson.text for lesson in guide.lessons)
    assert len({lesson.key for lesson in guide.lessons}) == len(guide.lessons)
