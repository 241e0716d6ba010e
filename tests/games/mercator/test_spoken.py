"""Mercator as it is heard: the page's examples in words, nothing hidden in them, and no act without its name."""

from random import Random
from typing import Any

import pytest

from companion.answers.guide import known
from companion.games import acts_of
from companion.games.mercator.prompts import PROMPTS
from companion.games.mercator.voice import SPEECH
from companion.rules import judge
from companion.rules.guide import Known
from companion.rules.line import Line
from companion.rules.outline import outlines
from companion.rules.words import LANGUAGES
from companion.session.receipt import Receipt
from companion.voice.telling import Level, Teller
from tests.support.mercator import FOUR, THREE, Market, sale
from tests.support.playing import Play
from tests.support.states import disguises, extremes, some, travel
from tests.support.tables import OF, shown

TABLES = [shown(table) for table in OF["mercator"]]


def heard(play: Play, *receipts: Receipt, lang: str = "en", level: Level = "full") -> list[str]:
    """What everybody hears of these acts, without the question who is next."""
    teller = Teller(play.header, lang, level)
    return [line.say for line in teller.tell(receipts, at(play)) if line.sound != "turn" and line.say]


def at(play: Play) -> Known[Any, Any]:
    return known(play.header, play.session)


def asked(play: Play, seat: str | None = None, lang: str = "en") -> str:
    """Who is awaited, as everybody hears it, or in that seat's ear."""
    saying = PROMPTS.mine(at(play), seat) if seat else PROMPTS.turn(at(play))
    return Teller(play.header, lang).tongue.tr(saying.text, **saying.facts) if saying else ""


def lying(play: Play) -> list[str]:
    return [Teller(play.header, "en").tongue.tr(it.text, **it.facts) for it in SPEECH.lies(at(play))]


@pytest.mark.parametrize(
    ("bids", "winner", "said"),
    [
        ("7 7 5 7", "Yellow", "Yellow, Red and Blue tie with seven. Yellow is first from Blue's left and has the lot."),
        ("7 7 5 5", "Red", "Red and Blue tie with seven. Red is first from Blue's left and has the lot."),
    ],
)
def test_check_3_a_tie_is_one_sentence_with_its_reason(bids: str, winner: str, said: str) -> None:
    play = Market(FOUR)
    play.waste(1)
    play.lot("red 9, blue 4")
    receipt = play.bid(**dict(zip(FOUR.split(), map(int, bids.split()), strict=True)))
    assert heard(play, receipt)[1:] == [said, f"{winner}'s pawn: thirteen."]
    assert heard(play, receipt, level="brief") == [f"Tie at seven: {winner} has the lot."]


def test_a_tie_in_german_and_japanese() -> None:
    play = Market(THREE)
    play.lot("red 9, blue 4")
    receipt = play.bid(red=20, blue=20)
    assert heard(play, receipt, lang="de")[1] == (
        "Blau und Rot sind mit zwanzig gleichauf. Links von Rot kommt Blau zuerst und bekommt den Posten."
    )
    assert (
        heard(play, receipt, lang="ja")[1]
        == "青と赤が二十チップで同額です。赤の左隣から時計回りで最初の青が落札します。"
    )


@pytest.mark.parametrize(
    ("cargos", "options", "said"),
    [
        (("10 10 10 10", "9 9 9 9 4", "10"), {}, [
            "Red and Blue tie with forty and share: twenty-two and a half each.",
            "Green's cargo of ten earns nothing.",
        ]),
        (("10 10 10 10", "10 7 3", "9 6 5"), {"halves": "down"}, [
            "Red's cargo of forty earns thirty.",
            "Blue and Green tie with twenty and share: seven each, rounded down.",
        ]),
        (("5 5", "9 1", "10"), {}, ["Red, Blue and Green tie with ten and share: fifteen each."]),
    ],
)  # fmt: skip
def test_check_1_the_sale(cargos: tuple[str, ...], options: dict[str, Any], said: list[str]) -> None:
    play = sale(THREE, cargos, **options)
    last = play.session.acts[-1]
    assert [line for line in heard(play, last) if "cargo" in line or "share:" in line] == said
    assert lying(play)[0].startswith("In chips: Red ")


def test_a_lot_is_flipped_sold_and_loaded() -> None:
    play = Market(THREE)
    assert (asked(play), asked(play, "red"), asked(play, "blue")) == (
        "Red flips.",
        "Your turn: flip the first card of the lot.",
        "",
    )
    first, second = play.ok("flip", "red", card="red 9"), play.ok("flip", "red", card="blue 8")
    assert heard(play, first, second) == ["Red nine.", "Blue eight; lot of seventeen."]
    assert (asked(play), asked(play, "red")) == ("Red flips.", "Your turn: flip another card, or start the auction.")
    assert heard(play, play.ok("auction", "red")) == ["Red sells this lot."]
    assert asked(play) == "Fists, everybody."
    assert "In a tie the first of these wins: Blue, Green and Red." in lying(play)
    play.ok("reveal")
    assert asked(play) == "Name your bids."
    assert heard(play, play.ok("bid", "red", chips=3), play.ok("bid", "red", chips=4)) == [
        "Red: three.",
        "Red now bids four.",
    ]
    assert (asked(play, "red"), asked(play, "blue")) == ("", "Name your bid.")
    assert "Still to come: Blue and Green." in lying(play)
    play.ok("bid", "blue", chips=0)
    last = play.ok("bid", "green", chips=1)
    assert heard(play, last) == ["Green: one.", "Red has the lot for four.", "Red's pawn: seventeen."]
    assert heard(play, last, level="brief") == ["Red has the lot for four."]
    assert "Red's ship: worth seventeen, room for four cards. red nine and blue eight." in lying(play)


def test_a_single_chip_is_spoken_in_the_singular() -> None:
    play = Market(THREE)
    last = play.sell("red 9", "blue")
    assert heard(play, last, lang="de")[1] == "Blau bekommt den Posten für einen Chip."
    assert [
        Teller(play.header, lang).tongue.tr(text.text, **text.facts)
        for lang in LANGUAGES
        for text in SPEECH.holds(at(play), "blue", play.private("blue"))
    ] == ["You have forty-nine chips.", "Du hast neunundvierzig Chips.", "チップは四十九枚です。"]


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_hidden_state_is_never_heard(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    game, rng, tried = header.game, Random(f"{name} {seats}"), 0
    for state in some(states, 20):
        if game.view(state)["over"]:
            continue
        for disguise in (*disguises(game, state), *extremes(game, state)):
            for moves in game.legal(state):
                event = moves.pick(rng.choice)
                said = []
                for one in (state, disguise):
                    ok, after, rulings = judge(game, one, event)
                    said.append((ok, game.view(after)["over"], lines(header, Receipt(ok, event, rulings), after)))
                if said[0][0] and said[1][0] and not said[0][1]:
                    assert said[0] == said[1], event
                    tried += 1
    assert tried


def lines(header: Any, receipt: Receipt, state: Any) -> list[Line | str]:
    """All that is said to everybody of an act, then into every ear who is awaited, and what lies."""
    game = header.game
    at: Known[Any, Any] = Known(header.seats, header.options, game.view(state), game.derived(state))
    if at.view["over"]:
        return []
    teller = Teller(header, "en", "full", header.seats)
    lies = [teller.tongue.tr(it.text, **it.facts) for it in SPEECH.lies(at)]
    return [*teller.tell([receipt], at), *lies]


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_every_act_and_every_value_of_it_can_be_asked_for(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    for state in some(states):
        for outline in outlines(header.game, state):
            assert acts_of(name)[outline.verb]
            for key, (kind, values) in outline.keys.items():
                if kind != "opened" and (values is None or len(values) > 1):
                    assert SPEECH.asks[f"{outline.verb}.{key}"]


def test_a_refusal_is_one_short_sentence_or_two() -> None:
    play = Market(THREE)
    play.ok("flip", "red", card="red 9")
    refusals = [play("flip", "red", card="red 9"), play("flip", "blue", card="red 8"), play("reveal"),
                play("flip", "red", card="red 12")]  # fmt: skip
    assert heard(play, *refusals) == [
        "The red nine is already in the lot; flip a card from the pile.",
        "Red flips; nobody else does.",
        "Not now: Red must flip.",
        "The red twelve is not in this game; only the cards one to ten are.",
    ]
    assert heard(play, *refusals, level="brief") == []
