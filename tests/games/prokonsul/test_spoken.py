"""Prokonsul as it is heard: the examples of the rules, every act of every variant, and nothing that is hidden."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from string import Formatter
from typing import Any

import pytest

from companion.games import acts_of, speech_of
from companion.record.transcript import Header
from companion.rules import Reveal, Seat
from companion.rules.guide import Saying
from companion.rules.outline import outlines
from companion.rules.words import LANGUAGES
from companion.session import Session
from companion.voice.spoken_language import Spoken
from companion.voice.telling import Teller
from tests.support.playing import header
from tests.support.sayable import UNSAID
from tests.support.spoken_prokonsul import Listening, begun, known
from tests.support.states import disguises, some, travel, well_formed
from tests.support.tables import OF, times

SPEECH = speech_of("prokonsul")
TABLES = [pytest.param(seats, options, id=f"{seats}-{'-'.join(map(str, options.values()))}")
          for _, seats, options in OF["prokonsul"]]  # fmt: skip


# -- a round ----------------------------------------------------------------------------------------------------


def test_a_round_is_opened_in_three_short_sentences() -> None:
    game = Listening("red blue green")
    assert game("pawns", order=["blue", "red", "green"]) == ["From the left: Ben, Anna and Chiara.",
                                                             "Where does the black pawn start?"]  # fmt: skip
    assert game("province", province="asia") == [
        "The black pawn goes to Asia, worth thirty.",
        "Round one.",
        "Your cards, please.",
    ]
    assert game("choose", "red", card="red 3") == ["Anna has chosen."]
    assert game("choose", "blue", card="blue 3") == ["Ben has chosen.", "Waiting for Chiara."]
    assert game("choose", "green", card="green 3") == ["Chiara has chosen.", "Hold your buttons."]


def test_a_card_that_wins_alone() -> None:
    """Check 1 of the page."""
    assert Listening("red blue green").begin(12, 6, 5) == [
        "Anna twelve, Ben six, Chiara five. Total twenty-three. Twelve wins.",
        "Anna wins the round with twelve alone.",
        "Anna is a candidate in Sicilia.",
        "Anna moves the black pawn.",
    ]
    assert Listening("red blue green").begin(12, 7, 5) == [
        "Anna twelve, Ben seven, Chiara five. Total twenty-four. Thirteen wins.",
        "Silence, please.",
        "Anna pleads with twelve, one short.",
    ]


def test_a_tie_and_a_rival_who_is_none_any_more() -> None:
    """Check 2: R5 G5 B9."""
    game = Listening("red blue green")
    assert game.begin(5, 9, 5) == [
        "Ben nine, Anna and Chiara five each. Total nineteen. Ten wins.",
        "Silence, please.",
        "Ben pleads with nine, one short.",
    ]
    assert game.deal("blue", "red") == ["Anna says no.", "Ben can still ask Chiara."]
    assert game.deal("blue", "green") == [
        "Chiara says no.",
        "Ben has asked everybody: the plea fails.",
        "Anna and Chiara tie with five. Of the two, Anna stands further left and pleads; that pawn goes to the right end.",
        "Anna pleads with five, five short.",
    ]
    game.deal("red", "blue")
    assert game.deal("red", "green") == [
        "Chiara says no.",
        "Anna has asked everybody: the plea fails.",
        "Chiara has no rival left, so no pawn moves.",
        "Chiara pleads with five, five short.",
    ]
    game.deal("green", "blue")
    assert game.deal("green", "red") == [
        "Anna says no.",
        "Chiara has asked everybody: the plea fails.",
        "Nobody is left to plead. Ben pleaded first and wins the round.",
        "Ben is a candidate in Sicilia.",
        "Ben moves the black pawn.",
    ]


def test_a_plea_that_goes_on_and_wins() -> None:
    game = Listening("red blue green yellow")
    game.begin(5, 9, 4, 7)
    assert game("offer", "blue", to="red", chips=3, promise="Asia later.") == [
        "Ben offers Anna three chips and promises: Asia later.",
        "Anna, yes or no?",
    ]
    assert game("answer", "blue", accept=True) == ["Only Anna answers now."]
    assert game("undo") == ["Taken back: Ben's offer, three chips.", "Ben pleads with nine, four short."]
    game("offer", "blue", to="green", chips=1)
    assert game("answer", "green", accept=False) == ["Chiara says no.", "Ben can still ask Anna and Dai."]
    assert game("offer", "blue", to="green", chips=1) == [
        "Chiara has said no to Ben in this plea. Can be asked: Anna and Dai."
    ]
    assert game("offer", "blue", to="red", chips=21) == ["That is more than you have. Offer less."]
    assert game("offer", "blue", to="red", chips=0) == ["Ben offers Anna nothing.", "Anna, yes or no?"]
    assert game("answer", "red", accept=True) == [
        "Anna says yes.",
        "Ben wins the round with fourteen.",
        "Ben is a candidate in Sicilia.",
        "Ben moves the black pawn.",
    ]


def test_a_governor_a_linked_pair_and_the_cards_taken_back() -> None:
    """P-17, P-18, P-20, and what brief leaves out."""
    full, brief = Listening("red blue green"), Listening("red blue green", "brief")
    for game in (full, brief):
        game.begin(12, 6, 5)
        for at, province in enumerate(["africa", "sicilia", "africa"]):
            game("province", "red", province=province)
            said = game.cards(*([9, 3, 4], [8, 2, 1], [7, 1, 2])[at])
            if province == "sicilia":
                assert game.play.view["provinces"]["sicilia"]["governor"] == "red"
        won = ["Anna governs Africa and is paid twenty-five chips.", "Anna moves the black pawn."]
        if game is full:
            linked = "And five chips more: Africa and Sicilia are linked."
            assert said[1:] == ["Anna wins the round with seven alone.", won[0], linked, won[1]]
        else:
            assert said == ["Six wins.", won[0], "And five chips more.", won[1]]


def test_offers_that_are_replaced() -> None:
    """P-23."""
    game = Listening("red blue green", options={"negotiation": "two_way"})
    game.begin(9, 6, 5)
    game("offer", "red", to="blue", chips=1, promise="Asia")
    ask = "Ben, yes or no?"
    assert game("offer", "red", to="blue", chips=2) == ["Anna now offers Ben two chips, without the promise.", ask]
    assert game("offer", "red", to="blue", chips=0) == ["Anna now offers Ben nothing.", ask]
    said = game("offer", "red", to="blue", chips=0, promise="peace")
    assert said == ["Anna now offers Ben nothing but a promise: peace."]
    assert game("offer", "red", to="green", chips=1) == ["An offer may be replaced only by another offer to Ben."]


def test_free_negotiation() -> None:
    """P-23 to P-25."""
    options = {"negotiation": "free", "top_two": "ranks", "no_decision": True}
    game = Listening("red blue green", options=options)
    assert game.begin(7, 6, 5)[1:] == ["Negotiate. Who can win: Anna and Ben."]
    assert game("transfer", "red", to="blue", chips=0) == ["At least one chip must be handed over."]
    assert game("transfer", "red", to="blue", chips=1) == ["Anna hands Ben one chip."]
    said = game("coalition", "green", members=["green", "blue"])
    assert said == ["Two or more players laid a higher card than Chiara, who cannot win. These can: Anna and Ben."]
    said = game("coalition", "blue", members=["blue"])
    assert said == ["The cards of Ben come to six, four short of the target of ten: name more members."]
    said = game("coalition", "blue", members=["blue", "green"])
    assert said[0] == "With Chiara, Ben has eleven and wins the round."
    game("undo")
    assert game("no_decision")[0] == "No decision: the black pawn stays on Sicilia."


def test_the_table_keeps_its_words_where_the_game_has_the_same_code() -> None:
    game = Listening("red blue green", options={"negotiation": "free"})
    assert game("undo")[0] == "There is nothing to take back."
    game.begin(7, 6, 5)
    game("transfer", "red", to="blue", chips=1)
    same = {"event": "transfer", "seat": "red", "to": "blue", "chips": 1}
    assert game("amend", act=game.play.session.accepted, as_=same) == ["That is just how it was."]


# -- asked ------------------------------------------------------------------------------------------------------


def test_spoken_table_has_one_fact_per_sentence() -> None:
    game = Listening("red blue green")
    game.begin(12, 6, 5)
    game("province", "red", province="africa")
    game.cards(9, 7, 6)
    game("offer", "red", to="blue", chips=2)
    assert game.said(SPEECH.lies(game.at)) == [
        "Anna offers Ben two chips.",
        "Anna pleads with nine of twelve, three short.",
        "Can be asked: Chiara six.",
        "If nobody sells, these plead next: Ben and Chiara.",
        "Laid: Anna nine, Ben seven, Chiara six. Total twenty-two. Twelve wins.",
        "The black pawn stands on Africa, worth twenty-five.",
        "Round two.",
        "Sicilia, twenty, candidate Anna.",
        "Sardinia, fifteen, empty.",
        "Hispania Citerior, twenty, empty.",
        "Hispania Ulterior, fifteen, empty.",
        "Macedonia, twenty-five, empty.",
        "Africa, twenty-five, empty.",
        "Asia, thirty, empty.",
        "The row from the left: Anna, Ben and Chiara.",
        "Counters left: Ben and Chiara five each, Anna four.",
    ]
    asked = [told for saying in SPEECH.lies(game.at) for told in SPEECH.details(game.at, saying)]
    assert game.said(asked)[:2] == ["Linked with Sardinia and Africa.", "Linked with Sicilia."] and len(asked) == 7


def test_a_player_or_a_province_to_choose_is_said_with_what_it_is_worth() -> None:
    game = Listening("red blue green")
    game.begin(9, 7, 6)
    values = [("offer.to", "green"), ("province.province", "asia")]
    assert game.said(SPEECH.values[key](game.at, value, {}) for key, value in values) == [
        "Chiara with six.",
        "Asia, thirty, empty.",
    ]


def test_private_facts_reach_one_audio_seat() -> None:
    game = Listening("red blue green", ears=["blue"], options={"game": "short"})
    game("pawns", order=["red", "blue", "green"])
    game("province", province="sicilia")
    assert [line.say for line in game.ears] == ["Your card, please."]
    assert game("choose", "blue", card="blue 3") == ["Ben has chosen."]
    assert [(line.to, begun(line.say)) for line in game.ears] == [("blue", "Three, face down.")]
    private = game.play.session.view("blue")["private"]
    assert game.said(SPEECH.holds(game.at, "blue", private)) == [
        "Your three lies face down.",
        "You hold one, two and four to seven.",
        "You have twenty chips.",
    ]
    game("choose", "red", card="red 4")
    game("choose", "green", card="green 3")
    game("reveal")
    game("offer", "red", to="blue", chips=1)
    assert [begun(line.say) for line in game.ears] == ["One chip for your three: yes or no?"]
    game("undo")
    game("offer", "red", to="blue", chips=0)
    assert [line.say for line in game.ears] == ["No chips for your three: yes or no?"]


# -- every variant ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_every_act_has_words_and_every_value_a_question(seats: int, options: dict[str, Any]) -> None:
    of, _, states = travel("prokonsul", seats, options)
    for state in some(states, 30):
        for outline in outlines(of.game, state):
            assert outline.verb in acts_of("prokonsul")
            before: set[str] = set()
            for key, (kind, values) in outline.keys.items():
                if kind != "opened" and (values is None or len(values) > 1):
                    asked = SPEECH.asks[f"{outline.verb}.{key}"]
                    assert {name for _, name, _, _ in Formatter().parse(asked) if name} <= before
                before.add(key)


@pytest.mark.parametrize(("seats", "options"), TABLES[:: times(3, 1)])
def test_a_whole_game_can_be_said_in_every_language(seats: int, options: dict[str, Any]) -> None:
    """Rulings, turns, what lies and what is held, and refusals of all kinds: no sign that nobody says, and no key."""
    of, events, _ = travel("prokonsul", seats, options)
    rng, session = Random(f"{seats} {options}"), Session(of.game, of.setup)
    tellers = [Teller(of, lang, level, of.seats) for lang in LANGUAGES for level in ("full", "brief")]
    for at, event in enumerate(events):
        wrong = [session.preview(well_formed(of, rng))] if at % 4 == 0 else []
        receipts = [*(receipt for receipt in wrong if not receipt.ok), session.receive(event)]
        for teller in tellers[:: 1 if at % 8 == 0 else 5]:
            for line in teller.tell(receipts, known(of, session)):
                good(line.say)
            if at % 16 == 0:
                for saying in asked(of, session):
                    good(teller.tongue.tr(saying.text, **saying.facts))


def good(said: str) -> None:
    assert not UNSAID.search(said) and not re.search(r"\bNone\b|\.\.|。。", said), said


def asked(of: Header, session: Session) -> Iterator[Saying]:
    at = known(of, session)
    yield from SPEECH.lies(at)
    for seat in of.seats:
        yield from SPEECH.holds(at, seat, session.view(seat)["private"])


@pytest.mark.parametrize("options", [{}, {"negotiation": "free"}])
def test_speech_does_not_depend_on_others_hidden_state(options: dict[str, Any]) -> None:
    """Law 2: neither on the common loudspeaker nor in the ear of somebody else."""
    of, events, states = travel("prokonsul", 3, {**header("prokonsul", "red blue green").options, **options})
    heard, me = 0, of.seats[0]
    for state, event in some(list(zip(states, events, strict=False)), 60):
        for disguise in disguises(of.game, state) if not isinstance(event, Reveal) else ():
            other = mine_again(state, disguise, me)
            lines = [lines_of(of, each, event, me) for each in (state, other)]
            assert lines[0] == lines[1] and lines[0]
            heard += 1
    assert heard > 40


def mine_again(state: Any, disguise: Any, seat: Seat) -> Any:
    """A disguise in which only others hide something else."""
    own = {name: {**getattr(disguise, name), seat: getattr(state, name)[seat]} for name in ("chips", "choices")
           if seat in getattr(state, name)}  # fmt: skip
    return replace(disguise, **own)


def lines_of(of: Header, state: Any, event: Any, ear: Seat) -> list[Any]:
    session = Session(of.game, of.setup)
    session.opening = state
    teller = Teller(of, "en", "full", [ear])
    first = teller.tell((), known(of, session))
    then = teller.tell([session.receive(event)], known(of, session))
    at = known(of, session)
    held = SPEECH.holds(at, ear, session.view(ear)["private"])
    tongue = Spoken("en")
    return [*first, *then, *(tongue.tr(saying.text, **saying.facts) for saying in (*SPEECH.lies(at), *held))]
