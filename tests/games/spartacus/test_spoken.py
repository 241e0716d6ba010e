"""Spartacus as it is heard: the page's examples in words, nothing hidden in them, and no act without its name."""

from typing import Any

import pytest

from companion.answers.guide import known
from companion.games import acts_of
from companion.games.spartacus.prompts import PROMPTS
from companion.games.spartacus.voice import SPEECH
from companion.rules import judge
from companion.rules.guide import Known
from companion.rules.outline import outlines
from companion.session.receipt import Receipt
from companion.voice.telling import Level, Teller
from tests.support.playing import Play
from tests.support.spartacus import FOUR, deal, go, lead, table
from tests.support.states import extremes, some, travel
from tests.support.tables import OF, shown

TABLES = [shown(table) for table in OF["spartacus"]]


def at(play: Play) -> Known[Any, Any]:
    return known(play.header, play.session)


def heard(play: Play, *receipts: Receipt, lang: str = "en", level: Level = "full") -> list[str]:
    """What everybody hears of these acts, with who is awaited after them."""
    return [line.say for line in Teller(play.header, lang, level).tell(receipts, at(play)) if line.say]


def asked(play: Play, seat: str) -> str:
    """What this seat hears in its ear when it is awaited."""
    saying = PROMPTS.mine(at(play), seat)
    return Teller(play.header, "en").tongue.tr(saying.text, **saying.facts) if saying else ""


def told(play: Play, seat: str | None = None) -> list[str]:
    """What lies on the table, or what this seat alone knows."""
    said = SPEECH.holds(at(play), seat, play.private(seat)) if seat else SPEECH.lies(at(play))
    return [Teller(play.header, "en").tongue.tr(saying.text, **saying.facts) for saying in said]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("red 9, blue 7, green 5, red 4, blue 3, green flag, red 1, blue pass, green pass", [
            "Green passes.", "Red's one is lowest and takes the trick.",
            "Twenty-nine, doubled: fifty-eight.",
        ]),
        ("red 9, blue 7, green 5, red 4, blue 3, green flag, red 1, blue flag, green pass", [
            "Green passes.", "Red's one is lowest and takes the trick.",
            "Twenty-nine, doubled twice: one hundred sixteen.",
        ]),
        ("red 5, blue flag, green pass", [
            "Green passes.", "Red's five is lowest and takes the trick.", "Five, doubled: ten.",
        ]),
    ],
)  # fmt: skip
def test_checks_1_and_3_a_trick_is_taken_for_a_reason_and_counted(script: str, said: list[str]) -> None:
    play = table()
    assert heard(play, go(play, script))[:-1] == said


def test_check_4_who_leads_and_what_may_follow() -> None:
    play = table()
    assert heard(play) == ["Red leads."] and asked(play, "red") == "Your turn: play any card."
    assert heard(play, go(play, "red flag")) == ["Red: the flag. The trick doubles.", "Blue, any card."]
    assert asked(play, "blue") == "Your turn: play any card; nobody may pass yet." and not asked(play, "red")
    refused = play("pass", "blue")
    assert heard(play, refused)[0] == "While only flags have been played, nobody may pass: Blue plays any card."
    assert heard(play, go(play, "blue 1")) == ["Blue: one.", "Green to play."]
    assert asked(play, "green") == "Your turn: play your flag or pass."
    assert heard(play, play("play", "green", card="green 4"))[0] == "No number is lower than one, but you may pass."
    go(play, "green pass")
    assert asked(play, "red") == "Your turn: pass; nothing is below one."


def test_checks_2_and_5_the_last_card_ends_it_and_hands_cost() -> None:
    play = table()
    go(play, "red 10")
    deal(play, red="9 flag", blue="6", green="flag")
    assert heard(play, go(play, "blue 6")) == [
        "Blue: six.",
        "Blue's hand is empty: the game is over.",
        "Blue's six takes the last trick.",
        "It is worth sixteen.",
        "Red's hand costs eighteen, doubled by the flag.",
        "Green's hand costs nothing.",
        "Blue wins with sixteen. Green zero, Red minus eighteen.",
    ]
    assert told(play) == ["Total: Red minus eighteen, Blue sixteen, Green zero."]


def test_jokers_are_said_as_jokers() -> None:
    play = table(flags="joker", joker_penalty="minus10")
    assert heard(play, go(play, "red 5, blue flag")) == ["Blue: a joker.", "Green, below five."]
    assert asked(play, "green") == "Your turn: play below five, a joker, or pass."
    assert told(play)[0] == "The trick: Red five and Blue joker."
    last = go(play, "green pass, red pass")
    assert heard(play, last)[1:3] == [
        "Blue's joker came last and takes the trick.",
        "Five, less ten for the joker: minus five.",
    ]
    assert heard(play, last, lang="de")[1:3] == [
        "Blaus Joker kam zuletzt und nimmt den Stich.",
        "Fünf, zehn weniger für den Joker: minus fünf.",
    ]
    assert heard(play, last, lang="ja")[1:3] == [
        "最後のカードは青のジョーカーです。青がトリックを獲得します。",
        "五からジョーカーの十を引いてマイナス五点です。",
    ]
    void = table(flags="joker", joker_penalty="void")
    assert "With a joker in it, it is worth nothing." in heard(void, go(void, "red 5, blue flag, green pass, red pass"))


def test_covered_points_stay_covered_until_the_end() -> None:
    play = table(points="covered")
    assert heard(play, go(play, "red 5, blue flag, green pass"))[1] == "Red's five is lowest and takes the trick."
    assert not [line for line in told(play) if "worth" in line or "Points" in line]
    deal(play, blue="7")
    lead(play, "blue")
    assert "Red's one trick was worth ten." in heard(play, go(play, "blue 7"))


def test_spoken_trick_and_hand() -> None:
    play = table(FOUR)
    go(play, "red 9, blue pass, green 4")
    assert told(play) == [
        "The trick: Red nine and Green four.",
        "Green has it so far. It is worth thirteen.",
        "A number must be below four.",
        "Out of this trick: Blue.",
        "Cards in hand: Red ten, Blue eleven, Green ten, Yellow eleven.",
        "Flags still to come: Red, Blue, Green and Yellow.",
        "Tricks taken: Red zero, Blue zero, Green zero, Yellow zero.",
        "Points in tricks: Red zero, Blue zero, Green zero, Yellow zero.",
    ]
    deal(play, yellow="2 8 flag")
    assert told(play, "yellow") == ["Playable: two and the flag.", "You hold eight, two and the flag."]
    deal(play, red="2 8")
    assert told(play, "red") == ["You hold eight and two."], "it is not Red's turn"


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_hidden_state_is_never_heard(name: str, seats: int, options: dict[str, Any]) -> None:
    """Other hands, and an act that all of them allow sounds alike, to everybody and in every ear."""
    header, _, states = travel(name, seats, options)
    game, tried = header.game, 0
    for number, state in enumerate(some(states, 20)):
        for disguise in extremes(game, state) if not game.view(state)["over"] else ():
            both = [{event for moves in game.legal(one) for event in moves} for one in (state, disguise)]
            for event in sorted(both[0] & both[1], key=str)[: 1 + number % 3]:
                said = [sounds(header, one, event) for one in (state, disguise)]
                assert said[0] == said[1], event
                tried += said[0] is not None
    assert tried


def sounds(header: Any, state: Any, event: Any) -> Any:
    """All that is said of an act, and what lies then; None where it ends the game and opens the hands."""
    ok, after, rulings = judge(header.game, state, event)
    game = header.game
    at: Known[Any, Any] = Known(header.seats, header.options, game.view(after), game.derived(after))
    if at.view["over"]:
        return None
    teller = Teller(header, "en", "full", header.seats)
    lies = [teller.tongue.tr(saying.text, **saying.facts) for saying in SPEECH.lies(at)]
    return teller.tell([Receipt(ok, event, rulings)], at), lies


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_every_act_and_every_value_of_it_can_be_asked_for(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    for state in some(states):
        for outline in outlines(header.game, state):
            assert acts_of(name)[outline.verb]
            for key, (_, values) in outline.keys.items():
                if values is None or len(values) > 1:
                    assert SPEECH.asks[f"{outline.verb}.{key}"]
