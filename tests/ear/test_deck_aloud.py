"""A deck enrolled without looking: which card is next, and what was read."""

import json

import pytest

from companion import deck, games
from companion.deck import Check, Enrolment, KnownTag
from companion.rules.cards import DECK
from companion.rules.readings import Reading
from companion.voice import deck as aloud
from tests.support.decks import ALL, lines, run, uid

pytestmark = pytest.mark.usefixtures("at_home")


def said(state: Enrolment | Check, *tags: str, lang: str = "en") -> list[tuple[str, str | None]]:
    """What is said while these tags are laid and lifted, one after the other."""
    heard = list(aloud.begun(state, lang))
    for at, tag in enumerate(tags):
        for present in (True, False):
            before, state = state, state.hear(Reading("centre", tag, present, 2000 * at + (0 if present else 1000)))
            heard += aloud.heard(before, state, lang)
    assert all(line.to is None for line in heard)
    return [(line.say, line.sound) for line in heard]


def test_card_after_card_is_asked_for_and_what_was_read_is_said() -> None:
    assert said(deck.enrolment({}, "box"), uid(0), uid(0), uid(1)) == [
        ("Lay the red one.", None),
        ("Red one is read.", "card"),
        ("Lay the red two.", None),
        ("Red one, known already: lay another one. If it is to be the red two, lay it again.", "refused"),
        ("Red two is read.", "card"),
        ("Lay the red three.", None),
    ]


def test_a_card_of_another_deck_moves_when_it_is_laid_again() -> None:
    heard = said(deck.enrolment({uid(70): KnownTag(DECK["blue 3"], "other")}, "box"), uid(70), uid(70))
    assert [say for say, _ in heard[1:3]] == [
        "Blue three of the deck other, known already. If it is to be the red one, lay it again.",
        "Red one is read.",
    ]


def test_the_last_card_ends_it() -> None:
    but_one = {tag: of for tag, of in ALL.items() if tag != uid(0)}
    assert said(deck.enrolment(but_one, "box"), uid(0), uid(3), uid(70)) == [
        ("Lay the red one.", None),
        ("Red one is read.", "card"),
        ("Done: sixty cards.", None),
        ("Red four, known already: lay another one.", "refused"),
        ("An unknown tag, and every card has one already.", "refused"),
    ]


def test_a_weak_tag_is_named_by_its_card_where_it_has_one() -> None:
    e = deck.enrolment(ALL, "box")
    mine = e.hear(Reading("centre", uid(3), False, 0), 0.5)
    assert aloud.heard(e, mine, "en")[0].say == "The tag of red four is hard to read: stick it flat, or use another."
    other = e.hear(Reading("centre", uid(99), False, 0), 0.5)
    assert aloud.heard(e, other, "en")[0].say == "This tag is hard to read: use another."


@pytest.mark.parametrize(("lang", "first"), [("de", "Leg die rote eins auf."), ("ja", "赤の一を置いてください。")])
def test_in_every_language(lang: str, first: str) -> None:
    heard = said(deck.enrolment({}, "box"), uid(0), "08A1B2C3", lang=lang)
    assert heard[0][0].casefold() == first.casefold() and all(say and "{" not in say for say, _ in heard)


def test_a_check_says_what_is_strange_and_when_all_are_there() -> None:
    tags = ALL | {uid(90): KnownTag(DECK["red 1"], "other")}
    c = Check(tags, "box", games.game("hannibal"))
    flag = next(tag for tag, of in ALL.items() if of.card == DECK["red flag"])
    wanted = [tag for tag, of in ALL.items() if of.card in deck.needed(c.game)]
    heard = said(c, uid(90), uid(99), flag, *wanted)
    assert [say for say, _ in heard[:4]] == [
        "Lay all cards, one after the other.",
        "Red one of the deck other: put it aside.",
        "An unknown tag: put this card aside.",
        "Red flag is not needed: put it aside.",
    ]
    assert [say for say, _ in heard[-2:]] == ["Blue five is here.", "All ten cards are here."]


def test_in_a_terminal_it_is_json_and_nothing_else() -> None:
    typed = lines(uid(0), uid(0)) + "undo\nblu 2\nlay rde 9\ndone\n"
    status, out, err = run("enrol", "box", "--spoken", typed=typed)
    assert status == 0 and "did you mean 'blue 2'?" in err and "did you mean 'red 9'?" in err
    heard = [json.loads(line) for line in out.splitlines()]
    assert [tuple(line) for line in heard] == [("line", "to", "say", "sound")] * len(heard)
    assert [(line["line"], line["to"], line["say"]) for line in heard[:3]] == [
        (0, "all", "Lay the red one."),
        (1, "all", "Red one is read."),
        (1, "all", "Lay the red two."),
    ]
    assert [(line["say"], line["sound"]) for line in heard[-2:]] == [
        ("Taken back: red one.", "back"),
        ("Lay the red one.", None),
    ]
