"""What the pages answer, from the public view of real games: no window, no Kivy."""

from dataclasses import replace
from typing import Any

import pytest

from companion import games
from companion.answers import why
from companion.answers.why import Cell, Comparison, Held, Reason
from companion.games.spartacus import guide, prompts
from companion.play.equipment import Equipment
from companion.play.evening import Evening
from companion.rules import ruled
from companion.rules.guide import Saying
from companion.rules.prompts import Can
from companion.rules.readings import Press
from companion.rules.words import LANGUAGES, Tongue, clauses, shared_clauses
from tests.support import toy_guide
from tests.support.playing import match_of, moment_of
from tools.scenes.rehearsal import Memory
from ui.pages import answer_items, rules
from ui.pages.answer_items import Cited, Compared, Heading, Sentence, StoodBefore, Ticked, Weighed
from ui.pages.layout_guide import steps
from ui.pages.possible_moves import how, possible
from ui.table.presses import Pressing, pressing

SEATS = ["red", "blue", "green"]
WHOLE = guide.GUIDE


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide, "GUIDE", toy_guide.small())
    monkeypatch.setattr(prompts, "PROMPTS", toy_guide.prompts())


def game(*played: tuple[str, str], **table: Any) -> Evening:
    """A game of Spartacus in which these cards have been played."""
    evening = Evening(Memory(), **table)
    evening.begin({"tabularium": 1, "game": "spartacus", "seats": SEATS, "players": {"red": "Anna"}})
    for seat, card in played:
        assert all(receipt.ok for receipt in match_of(evening).act({"event": "play", "seat": seat, "card": card}))
    evening.drain()
    return evening


# -- why --------------------------------------------------------------------------------------------------------


def test_the_reason_comes_first_and_the_chain_tells_all_that_followed() -> None:
    evening = game(("red", "red 9"), ("blue", "blue 7"))
    for seat in ("green", "red"):
        match_of(evening).act({"event": "pass", "seat": seat})
    evening.drain()
    m = moment_of(evening)
    found = why.why(m.game, m.tongue, m.log)
    assert found and len(found.links) > 1
    lead, *_ = answer_items.reason(m, found.lead)
    chain = answer_items.chain(m, found, found.lead)
    assert lead == Sentence(found.lead.text, lead.seats, "lead")
    assert [(act.number, act.text) for act in chain] == list(enumerate((link.text for link in found.links), 1))
    assert [act.chosen for act in chain].count(True) == 1
    other = found.links[-1]
    assert answer_items.reason(m, other)[0].text == other.text


def test_an_act_of_one_ruling_has_no_chain() -> None:
    m = moment_of(game(("red", "red 9")))
    found = why.why(m.game, m.tongue, m.log)
    assert found
    assert [act.chosen for act in answer_items.chain(m, found, found.lead)] == [True]
    assert not any(isinstance(item, Cited | Heading) for item in answer_items.reason(m, found.lead))


def test_everything_behind_a_ruling_is_shown() -> None:
    m = moment_of(game())
    table = Comparison([("card", "S-7")], [("red", [Cell("9", True, True)]), ("blue", [Cell("7", False, False)])],
                       ["red"], "Had Bert played 10, …")  # fmt: skip
    held = Held("Nobody in Sardinia.", "S-1", False)
    link = Reason(ruled("x", "S-7", ""), 1, "So.", "S-7", "The clause.", "printed in the rules", [("sum", "9")],
                [("Row before", ("red", "blue"))], table, [held])  # fmt: skip
    assert answer_items.reason(m, link) == [
        Sentence("So.", (), "lead"), Compared(table, {"red": "Anna", "blue": "Blue"}, {}),
        Sentence(table.nearest, (), "near"), Ticked(held), StoodBefore("Row before", ("red", "blue")),
        Weighed("sum", "9"),
    ]  # fmt: skip


def test_a_number_is_asked_about_by_its_name() -> None:
    m = moment_of(game(("red", "red 9"), ("blue", "blue 7")))
    assert answer_items.title(m, None) == "Why?"
    assert answer_items.title(m, ("cards", "red")) == "Where Anna's cards went"
    found = why.number(m.game, m.tongue, m.log, "cards", "red")
    assert found and found.links == [found.lead]


# -- what may be done now ---------------------------------------------------------------------------------------


def test_possible_moves_name_seat_means_and_clause() -> None:
    evening = game()
    evening.devices.equipment = Equipment(("centre",), SEATS)
    m = moment_of(evening)
    first, how, clause, _, button, _, head, cannot, *_ = possible(m)
    assert first == Sentence("Anna: play a card.", ("red",))
    assert how.text == "Hold the card to the reader · screen"
    assert clause == Cited("S-4", clauses(m.game.clauses)["S-4"].text, "printed in the rules")
    assert button.text == "Press: yes · hold for half a second: no"
    assert isinstance(head, Heading)
    assert cannot.text == "Nobody can pass before a number lies."


@pytest.mark.parametrize(
    ("equipment", "card", "fists"),
    [
        (Equipment(), "Tap the screen", "Tap the screen"),
        (Equipment(("centre",)), "Hold your card to the reader, then lay it face down before you · screen",
         "Tap the screen"),
        (Equipment(("red",), SEATS[:2]), "Card on the reader · screen", "Tap the screen"),
        (Equipment(SEATS, SEATS), "Lay it on your reader · screen", "All buttons held, then let go together · screen"),
    ],
)  # fmt: skip
def test_possible_moves_name_this_tables_devices(equipment: Equipment, card: str, fists: str) -> None:
    m = replace(moment_of(game()), means=equipment.means(SEATS, {}), fists=SEATS)
    assert how(m, Can("choose", SEATS, Saying("S-1", ""), ("card", "finger"))) == card
    assert how(m, Can("reveal", (), Saying("S-1", ""), ("fists", "finger"))) == fists


def test_a_clause_is_cited_once() -> None:
    for name in games.NAMES:
        evening = Evening(Memory())
        of = games.game(name)
        evening.begin({"tabularium": 1, "game": name, "seats": list(of.fixed or of.colours[: of.seats[-1]])})
        cited = [item.rule for item in possible(moment_of(evening)) if isinstance(item, Cited)]
        assert cited and len(cited) == len(set(cited))


# -- a press that answers ---------------------------------------------------------------------------------------


def test_a_press_comes_to_the_screen_with_what_it_will_mean() -> None:
    time = 5000
    evening = game(clock=lambda: time, no_ms=700)
    heard: list[Any] = []
    evening.port.subscribe(heard.append)
    assert pressing(moment_of(evening)) is None
    evening.devices.inbox.put(Press("red", True, 5000))
    evening.drain()
    time = 5250
    assert heard[-1].closed == {"red"}  # the port says so, and the screen paints
    assert pressing(moment_of(evening)) == Pressing("red", "Anna", "yes", "no", 250, 700)
    evening.devices.inbox.put(Press("blue", True, 5300))
    evening.drain()
    assert pressing(moment_of(evening)).seat == "red"  # type: ignore[union-attr]
    evening.devices.inbox.put(Press("red", False, 5400))
    evening.drain()
    assert pressing(moment_of(evening)) is None  # nobody has asked Blue


def test_a_press_that_began_before_the_question_answers_nothing() -> None:
    evening = game()
    evening.devices.inbox.put(Press("red", True, 10))
    evening.devices.inbox.put(Press("blue", True, 20))
    evening.drain()
    match_of(evening).act({"event": "play", "seat": "red", "card": "red 9"})
    evening.drain()
    assert pressing(moment_of(evening)) is None


# -- the rules --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", games.NAMES)
def test_the_rules_are_there_to_the_last_clause_under_headings(name: str, lang: str) -> None:
    of = games.game(name)
    items = rules.pages(of, Tongue(lang))
    cited = [item for item in items if isinstance(item, Cited)]
    assert [item.rule for item in cited] == [*clauses(of.clauses), *shared_clauses()]
    assert all(item.text and item.mark for item in cited)
    assert isinstance(items[0], Heading)
    heads = rules.headings(items)
    assert [items[at].text for at, _ in heads] == [text for _, text in heads]
    assert len({text for _, text in heads}) == len(heads)
    assert all(items[rules.place(items, item.rule)] is item for item in cited)


def test_a_set_up_without_places_is_one_step_with_a_picture_of_all() -> None:
    (step,) = steps(moment_of(game()))
    assert step.texts == ["Anna: ten cards.", "Blue: ten cards.", "Green: ten cards."]
    assert [(mat.name, len(mat.lines[0])) for mat in step.mats] == [("Anna", 11), ("Blue", 11), ("Green", 11)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", games.NAMES)
def test_every_step_of_a_set_up_has_a_picture_and_the_box_comes_last(
    name: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guide, "GUIDE", WHOLE)
    of, evening = games.game(name), Evening(Memory())
    for seats in of.seats:
        evening.begin({"tabularium": 1, "game": name, "seats": list(of.fixed or of.colours[:seats])})
        m = replace(moment_of(evening), lang=lang)
        found = steps(m)
        assert len(found) > 1 and all(step.texts and (step.mats or step.board) for step in found)
        boxed = [
            at for at, step in enumerate(found) for mat in step.mats if mat.name.lower() == m.say("in the box").lower()
        ]
        stays = name == "spartacus" or (name == "mercator" and seats < 7)  # seven play with all fifty cards
        assert boxed == [len(found) - 1] * stays, "and what lies beside the board is not in it"
