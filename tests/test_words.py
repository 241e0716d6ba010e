"""Texts: complete in every language, with the same facts, and compiled as they stand."""

import string
from fractions import Fraction
from typing import Any

import pytest

from companion import games
from companion.cards import DECK
from companion.locale.__main__ import catalogue, po, texts
from companion.rules import Amount, Ruling, Said
from companion.words import LANGUAGES, clause, clauses, phrase, say, shared_clauses, tr

OTHERS = [lang for lang in LANGUAGES if lang != "en"]


def facts(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_is_translated_with_the_same_facts(lang: str) -> None:
    words = catalogue(lang)
    ids = {text for text, _ in texts()}
    missing = [text for text in ids if not words[text].string]
    assert not missing
    assert not [text for text in ids if facts(text) != facts(str(words[text].string))]


@pytest.mark.parametrize("lang", OTHERS)
def test_the_compiled_catalogue_is_the_written_one(lang: str) -> None:
    import gettext

    with po(lang).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    words = catalogue(lang)
    stale = [text for text, _ in texts() if compiled.gettext(text) != words[text].string]
    assert not stale, "make words"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("red", "Red"), (Said("red"), "“red”"), (DECK["red 7"], "red 7"), (DECK["blue flag"], "blue flag"),
        ("hispania_n", "Hispania N"), ("rome-corsica", "Rome–Corsica"), ("c3", "c3"), (None, "–"), (True, "yes"),
        (Amount(1), "1 chip"), (Amount(0), "0 chips"), (7, "7"), (22.5, "22½"), (Fraction(15, 2), "7½"), (Fraction(8), "8"),
        (["red", "blue"], "Red, Blue"), ([], "–"), ({"red": 5, "blue": 22.5}, "Red 5, Blue 22½"), ("9 + 7 = 16", "9 + 7 = 16"),
        (Ruling("chosen", "P-5", "{seat} has chosen.", {"seat": "red"}), "Red has chosen."),
    ],
)  # fmt: skip
def test_facts_become_words(value: Any, words: str) -> None:
    assert phrase(value) == words


def test_spoken_words_are_never_translated_nor_taken_for_a_template() -> None:
    promise = Said("{seat} red 100 %")
    assert tr("{promise}!", "de", promise=promise).count("{seat} red 100 %") == 1


def test_every_clause_of_a_page_can_be_cited() -> None:
    assert set(shared_clauses()) == {f"T-{n}" for n in range(1, 7)}
    counts = {
        "mercator": ("M", 20),
        "prokonsul": ("P", 25),
        "spartacus": ("S", 15),
        "caesar": ("C", 16),
        "hannibal": ("H", 18),
    }
    for name in games.NAMES:
        letter, last = counts[name]
        assert set(clauses(games.game(name).clauses)) == {f"{letter}-{n}" for n in range(1, last + 1)}
        assert clause(games.game(name), "T-5") and not clause(games.game(name), "X-1")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_ruling_is_said_in_every_language(lang: str) -> None:
    ruling = Ruling("tie", "P-9", "{tied} tie with {rank}: {pleader} stands furthest left and pleads; the row becomes {row_after}.",
                    {"tied": ["red", "blue"], "rank": 9, "pleader": "red", "row_after": ["blue", "red"]})  # fmt: skip
    said = say(ruling, lang)
    assert "9" in said and "{" not in said
    assert lang == "en" or said != say(ruling)
