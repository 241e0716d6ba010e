"""Hannibal gegen Rom, asked: what may be done now, the reason for every ruling, numbers, and a first game."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers.guide import due, now
from companion.answers.why import number, why
from companion.cli import main
from companion.cli.simulate import play as playout
from companion.cli.simulate import table as random_table
from companion.games import guide_of
from companion.games.hannibal.rules import GAME
from companion.rules.guide import Known
from companion.rules.outline import outlines
from companion.rules.words import Tongue, clause, tr
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.hannibal import OPTIONS, SEATS, exchange, go, table
from tests.support.playing import Play

GUIDE = guide_of("hannibal")


def known(session: Session, reveal: str = "fists") -> Known[Any, Any]:
    can = outlines(session.game, session.state)
    return Known(session.setup.seats, session.setup.options, session.view(), session.derived(), can, reveal)


def told(play: Play) -> tuple[list[str], list[str]]:
    """What can be done, and what cannot, as sentences."""
    found = now(GAME, known(play.session))
    return [said(can.says) for can in found.can], [said(each) for each in found.cannot]


def said(saying: Any) -> str:
    return tr(saying.text, **saying.facts)


# -- what may be done now ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS)
def test_every_act_that_is_possible_is_told_with_its_clause(options: dict[str, Any]) -> None:
    for seed in range(3):
        for session, _ in playout(random_table(GAME, 2, options), Random(seed)):
            at = known(session)
            found = now(GAME, at)
            assert {can.verb for can in found.can} == {outline.verb for outline in at.outlines}
            for each in (*(can.says for can in found.can), *found.cannot):
                assert clause(GAME, each.rule) and said(each)
            assert all(can.ways and can.seats for can in found.can)


def test_moving() -> None:
    play = table("rome corsica rome-corsica", "h:carthago zama")
    assert told(play) == (
        [
            "Blue: move a legion to a neighbouring region by land, or along a route with a fleet of your own.",
            "Blue: move a fleet to any other route.",
        ],
        ["Nobody can pass: Blue must move one piece.", "No card is chosen now: only a battle needs cards."],
    )
    go(play, "rome-corsica sicilia-zama")
    can, cannot = told(play)
    assert can[1:] == ["Red: move Hannibal to a neighbouring region by land."]
    assert "Hannibal cannot cross the sea, even with a fleet." in cannot
    go(play, "zama carthago")
    assert "No legion can leave Corsica now: no fleet of its own side is on a route from there." in told(play)[1]


def test_declaring() -> None:
    play = table("rome 3", "gallia h:gallia carthago")
    go(play, "rome gallia")
    assert told(play) == (
        ["Red: say who fights, Hannibal or a legion."],
        [
            "No card is chosen before Red has said who fights.",
            "Nobody can retreat: the battle goes on until at most one side is left there.",
        ],
    )


def test_choosing_and_revealing() -> None:
    play = table("rome 3", "gallia 2 carthago")
    go(play, "rome gallia")
    assert told(play)[0] == ["Blue and Red: choose a card for the battle, face down."]
    play.ok("choose", "red", card="red 5")
    assert told(play)[0] == [
        "Blue: choose a card for the battle, face down.",
        "Red: choose another card instead, until the reveal.",
    ]
    assert told(play)[1][0] == "No reveal yet: Blue must still choose."
    play.ok("choose", "blue", card="blue 5")
    assert told(play)[0][0] == "Blue and Red: reveal both cards together."
    assert next(can.ways for can in now(GAME, known(play.session)).can) == ("fists", "finger")
    assert next(can.ways for can in now(GAME, known(play.session, "auto")).can) == ("finger",)


def test_who_fights_is_settled_on_land_and_no_question_at_sea() -> None:
    settled = "Who fights for Red is settled for this exchange."
    play = table("rome rome-corsica", "gallia h:carthago sardinia-carthago")
    go(play, "rome-corsica sardinia-carthago")
    assert settled not in told(play)[1]
    play = table("rome 2", "h:gallia carthago")
    go(play, "rome gallia")
    assert settled in told(play)[1]


def test_nothing_is_possible_once_it_is_over() -> None:
    play = table("zama rome", "carthago")
    go(play, "zama carthago")
    assert told(play) == ([], [])


# -- why --------------------------------------------------------------------------------------------------------

Told = Iterator[tuple[Play, list[Receipt]]]


def one(play: Play, *receipts: Receipt) -> tuple[Play, list[Receipt]]:
    return play, list(receipts)


def moments() -> Told:
    """Games in which every ruling of the game is heard at least once."""
    play = Play("hannibal", SEATS)
    refused = [
        play("move", "blue", piece="hannibal", **{"from": "rome", "to": "gallia"}),
        play("move", "red", piece="legion", **{"from": "carthago", "to": "zama"}),
        play("move", "blue", piece="fleet", **{"from": "rome", "to": "gallia"}),
        play("move", "blue", piece="legion", **{"from": "gallia", "to": "rome"}),
        play("move", "blue", piece="legion", **{"from": "rome", "to": "zama"}),
        play("reveal"),
    ]
    yield one(play, *refused, go(play, "rome corsica"))
    play = table("corsica rome", "carthago")
    yield one(play, play("move", "blue", piece="legion", **{"from": "corsica", "to": "sardinia"}))

    play = table("rome 3 cannae", "gallia h:gallia carthago")
    acts = [go(play, "rome gallia"), play("defend", "blue", piece="legion"), play("defend", "red", piece="fleet")]
    acts += [play("defend", "red", piece="hannibal"), play("defend", "red", piece="legion"), play("reveal")]
    acts += [play("choose", "blue", card="red 3"), play("choose", "blue", card="blue 7")]
    acts += [play("choose", "blue", card="blue 3"), play("choose", "red", card="red 3"), play("reveal")]
    acts += [go(play, "carthago zama"), go(play, "rome gallia"), play.ok("defend", "red", piece="legion")]
    yield one(play, *acts, play("choose", "blue", card="blue 3"))

    play = table("gallia rome", "hispania_n carthago")
    yield one(play, go(play, "gallia hispania_n"), exchange(play, 3, 3))
    play = table("gallia 2 rome", "hispania_n 6 carthago")
    acts = [go(play, "gallia hispania_n"), *(exchange(play, 5 - n, 4 - n) for n in range(4)), exchange(play, 1, 5)]
    yield one(play, *acts)
    play = table("gallia", "hispania_n 2 carthago")
    yield one(play, go(play, "gallia hispania_n"), exchange(play, 1, 2))
    play = table("gallia", "hispania_n")
    yield one(play, go(play, "gallia hispania_n"), exchange(play, 2, 2))

    play = table("zama rome", "carthago")
    yield one(play, go(play, "zama carthago"))
    play = table("sardinia hispania_s cannae cannae-sicilia", "carthago")
    yield one(play, go(play, "cannae sicilia"))
    play = table("corsica sardinia", "carthago", "red")
    yield one(play, go(play, "carthago zama"))
    play = table("rome 2", "carthago gallia sicilia", core_control=True, chips=(0, 6))
    yield one(
        play, go(play, "rome cannae"), go(play, "carthago zama"), go(play, "rome cannae"), go(play, "zama carthago")
    )


LEADS = {
    "moved": "moved", "battle": "battle", "who_fights": "who_fights", "fights": "fights", "chosen": "chosen",
    "exchange": "exchange", "cards_back": "cards_back", "battle_won": "exchange", "battle_over": "exchange",
    "no_legions": "no_legions", "no_winner": "no_winner", "capital": "capital", "mediterranean": "mediterranean",
    "no_move": "no_move", "no_chip": "no_chip", "chip": "chip", "eight_chips": "chip",
    "not_now": "not_now", "turn": "turn", "whose": "whose", "kind": "kind", "absent": "absent", "reach": "reach",
    "no_fleet": "no_fleet", "settled": "settled", "land": "land", "missing": "missing", "colour": "colour",
    "card": "card", "played": "played",
}  # fmt: skip
"""Every code of the game, and the code of the ruling that gives its reason."""


def test_every_ruling_leads_to_its_reason() -> None:
    heard: set[str] = set()
    for _, acts in moments():
        for at, act in enumerate(acts):
            for ruling in act.public:
                found = why(GAME, Tongue(), acts[: at + 1], ruling)
                assert found and found.lead.ruling.code == LEADS[ruling.code], ruling.code
                assert [link.ruling for link in found.links] == list(act.public)
                heard.add(ruling.code)
    assert heard == set(LEADS) >= spoken()


def spoken() -> set[str]:
    """The codes that the game's module names."""
    source = Path(games.__file__).parent / "hannibal" / "rules.py"
    found: set[str] = set()
    for part in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        match part:
            case ast.Call(ast.Name("ruled" | "Ruling" | "no_way"), [ast.Constant(str(code)), *_]):
                found.add(code)
            case ast.Call(ast.Name("require"), [_, ast.Constant(str(code)), *_]):
                found.add(code)
    return found - {"either"}  # a few words within a sentence


def last(play: Play, *acts: Receipt) -> Any:
    found = why(GAME, Tongue(), acts)
    assert found
    return found


def test_three_against_three_with_hannibal_leads_with_his_one_more() -> None:
    play = table("gallia rome", "h:hispania_n carthago")
    found = last(play, go(play, "gallia hispania_n"), exchange(play, 3, 3))
    lead = found.lead
    assert lead.rule == "H-12" and "counts one more" in lead.clause
    assert lead.text == "Rome 3 against Carthage 3 + 1 = 4: Blue loses a legion at Hispania N."
    assert lead.mark.startswith("printed in the rules; our reading: on a tie the Roman legion")
    assert lead.contest.columns == [("card", "H-12")]
    assert [(seat, cells[0].text, cells[0].decides) for seat, cells in lead.contest.lines] == [
        ("blue", "3", False), ("red", "4", True),
    ]  # fmt: skip
    assert lead.contest.nearest == "With 5 in all, Blue would have won the exchange."
    assert [link.ruling.code for link in found.links] == ["exchange", "battle_won"]


def test_a_move_tells_what_is_not_yet_a_win() -> None:
    play = table("mauretania rome", "carthago", core_control=True)
    lead = last(play, go(play, "rome gallia")).lead
    assert lead.ruling.code == "moved"
    assert [(held.rule, held.holds) for held in lead.conditions] == [("H-14", False), ("H-14", True), ("H-14", False)]
    assert lead.conditions[0].text == "Not yet a win: Rome has no legion in Sardinia."


def test_a_win_over_a_defended_capital_says_that_it_is_not_defended() -> None:
    play = table("zama rome", "carthago 5")
    assert last(play, go(play, "zama carthago")).lead.text.endswith("no battle is fought for a capital.")


# -- numbers ----------------------------------------------------------------------------------------------------


def numbers(word: str, seat: str | None, acts: Sequence[Receipt]) -> list[tuple[str, Any]]:
    found = number(GAME, Tongue(), acts, word, seat)
    return [(link.ruling.code, link.ruling.facts.get("seat")) for link in found.links] if found else []


def test_numbers_are_made_of_acts() -> None:
    play = table("rome 3 gallia", "hispania_n 2 carthago", core_control=True, chips=(0, 0))
    acts = [go(play, "gallia hispania_n")]
    assert numbers("battle", None, acts) == [("battle", "blue")]
    assert numbers("exchanges", None, acts) == []
    acts += [exchange(play, 3, 2), exchange(play, 1, 4)]
    assert [code for code, _ in numbers("battle", None, acts)] == ["battle", "exchange", "exchange"]
    assert len(numbers("exchanges", None, acts)) == len(numbers("pieces", "red", acts)) == 2
    acts += [go(play, "carthago zama"), go(play, "rome gallia")]
    assert numbers("regions", "red", acts) == [("moved", "red")]
    assert numbers("regions", "blue", acts) == [("moved", "blue"), ("battle_won", "blue"), ("moved", "blue")]
    assert numbers("core", None, acts)[-2:] == [("no_chip", "red"), ("no_chip", "blue")]


def test_every_number_is_known_to_the_guide() -> None:
    assert set(GUIDE.numbers) == {"regions", "core", "battle", "exchanges", "pieces"}


# -- a first game -----------------------------------------------------------------------------------------------


def test_setup_list() -> None:
    header = random_table(GAME, 2, {"core_control": True})
    lines = [tr(line.text, **line.facts) for line in GUIDE.layout(header.seats, header.options)]
    assert lines[1] == "Blue plays Rome and takes the blue cards 1–5, seven blue counters and three blue pawns."
    assert lines[2].endswith("in Rome; the pawns are fleets and go on Rome–Corsica.")
    assert lines[-1] == "Put eight chips beside the board."
    assert len(GUIDE.layout(header.seats, random_table(GAME, 2, {}).options)) == len(lines) - 1


def lessons(session: Session, told: set[str]) -> list[str]:
    """Those that are told before the next act, in order."""
    found: list[str] = []
    while lesson := due(GAME, known(session), told):
        told.add(lesson.key)
        found.append(lesson.key)
        facts = lesson.said(known(session))
        assert tr(lesson.text, **facts) and "{" not in tr(lesson.text, **facts) and clause(GAME, lesson.rule)
        assert set(lesson.to(known(session))) <= {"blue", "red"}
    return found


def test_a_first_game_tells_each_clause_just_before_it_matters() -> None:
    told: set[str] = set()
    play = table("rome 3 rome-corsica", "gallia h:gallia carthago")
    assert lessons(play.session, told) == ["legion", "fleet", "rome", "capital", "battle"]
    go(play, "rome gallia")
    assert lessons(play.session, told) == ["who"]
    play.ok("defend", "red", piece="hannibal")
    assert lessons(play.session, told) == ["exchange", "elephants"]
    play.ok("choose", "red", card="red 1")
    play.ok("choose", "blue", card="blue 5")
    play.ok("reveal")
    assert lessons(play.session, told) == ["aside", "alive"]


def test_the_opening_teaches_little_at_once() -> None:
    told: set[str] = set()
    play = Play("hannibal", SEATS)
    assert lessons(play.session, told) == ["legion", "fleet", "rome", "battle"]
    go(play, "rome gallia")
    assert lessons(play.session, told) == ["carthage", "hannibal", "capital"]


def test_control_is_taught_with_the_regions_that_are_agreed() -> None:
    (lesson,) = [lesson for lesson in GUIDE.lessons if lesson.key == "rome"]
    for chosen, name in (("south", "Hispania S"), ("north", "Hispania N")):
        play = Play("hannibal", SEATS, options={"rome_hispania": chosen})
        assert f"one in {name} or Mauretania and" in tr(lesson.text, **lesson.said(known(play.session)))


def test_all_lessons_come_up_in_play() -> None:
    told: set[str] = set()
    for seed, options in enumerate([*OPTIONS] * 3):
        for session, _ in playout(random_table(GAME, 2, options), Random(seed)):
            lessons(session, told)
    assert told == {lesson.key for lesson in GUIDE.lessons}


def test_nothing_told_depends_on_a_sealed_card() -> None:
    play = table("rome 3", "gallia 2 carthago")
    go(play, "rome gallia")
    for rank in (1, 5):
        play.ok("choose", "red", card=f"red {rank}")
        state = play.session.state
        other = replace(state, choices={"red": state.hands["red"][2]})
        before = now(GAME, known(play.session))
        play.put(other)
        assert now(GAME, known(play.session)) == before
        play.put(state)


@pytest.mark.parametrize("name", games.NAMES)
def test_the_short_way_in_names_what_its_lessons_speak_of(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name, "--teach"]) == 0
    assert "{" not in capsys.readouterr().out
