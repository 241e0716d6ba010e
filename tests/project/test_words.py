"""Texts: complete in every language, with the same facts, and compiled as they stand."""

import ast
import re
import string
from fractions import Fraction
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.dialogues import settings, voice
from companion.rules import NC_, Amount, InContext, Ruling, Said, plural
from companion.rules import contract as rules
from companion.rules.cards import DECK
from companion.rules.catalogues import compiled, written
from companion.rules.layout import Move
from companion.rules.vocabulary import value_word
from companion.rules.words import LANGUAGES, MARKS, Clause, Tongue, clause, clauses, phrase, say, tr
from tests.support.playing import Play
from tools.words import KEYWORDS, ROOT, Text, forms, key, texts
from tools.words import catalogue as catalogue_of

OTHERS = [lang for lang in LANGUAGES if lang != "en"]
catalogue = cache(catalogue_of)


def facts(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("lang", OTHERS)
def test_a_file_that_is_translated_is_translated_whole(lang: str) -> None:
    """A new game may speak English until somebody translates it; `make words` lists what is missing."""
    words = catalogue(lang)
    files: dict[Text, set[str]] = {}
    for text, file in texts():
        files.setdefault(text, set()).add(file)
    own = {file: [text for text, where in files.items() if where == {file}] for _, file in texts()}
    for file, its in own.items():
        missing = [text for text in its if not all(forms(words, text))]
        assert not missing or len(missing) == len(its), file


def test_every_marked_text_is_collected() -> None:
    """The extractor looks into f-strings with some versions of Python, and not with others: no text is marked there, or
    the catalogues would depend on who collects them."""
    known = {key(text) for text, _ in texts()}
    for file in (file for package in ("companion", "drivers", "ui") for file in (ROOT / package).rglob("*.py")):
        for part in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match part:
                case ast.Call(ast.Name("N_"), [ast.Constant(str(text))]) | ast.Call(
                    ast.Name("NC_"), [_, ast.Constant(str(text))]
                ):
                    assert text in known, f"{file}: {text}"
                case ast.JoinedStr():
                    inside = [
                        one.func.id
                        for one in ast.walk(part)
                        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
                    ]
                    assert KEYWORDS.keys().isdisjoint(inside), f"{file}:{part.lineno}: mark it outside the f-string"


ELSEWHERE = (
    "Start it on the hall's computer: ",
    "On the hall's computer, type: ",
    "other machine",
    "{file} is no",
    "he user tabularium",
    "says how to update it.",
)
"""What is typed on another computer or says whose file it is: the name as it is."""


def test_a_command_to_type_is_named_as_it_can_be_typed_here() -> None:
    bare = [key(text) for text, _ in texts() if re.search(r"(?<!\{)\btabularium [a-z]", key(text))]
    assert not [text for text in bare if not any(words in text for words in ELSEWHERE)], "{tabularium} …"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_ellipsis_has_one_form(lang: str) -> None:
    """One letter, after a space; in Japanese without one."""
    wrong = re.compile(r"\.\.\.|\s…$" if lang == "ja" else r"\.\.\.|[^\s“\"(]…")
    for text, _ in texts():
        written = [*forms(catalogue(lang), text)] if lang != "en" else [text] if isinstance(text, str) else [*text]
        assert not [form for form in written if wrong.search(form)]


def test_the_values_of_settings_and_options_are_small_letters() -> None:
    """They stand side by side: all of them begin alike, and only names are names."""
    rows = [tuple(values.values()) for _, values in settings.SCREEN.values()] + [tuple(text for _, text in voice.WORDS)]
    for game in map(games.game, games.NAMES):
        rows += [tuple(map(value_word, option.values)) for option in game.options]
    names = {"Hispania N", "Hispania S"}
    assert not [value for row in rows for value in row if value[:1].isupper() and value not in names]


@pytest.mark.parametrize("lang", OTHERS)
def test_a_translation_has_the_facts_of_its_text(lang: str) -> None:
    words = catalogue(lang)
    for text, _ in texts():
        named = [facts(text)] if isinstance(text, str) else [*map(facts, text)]  # "one chip" names no number
        assert all(facts(form) in named for form in forms(words, text) if form), text


def test_whose_something_is_is_said_by_the_spec_of() -> None:
    """An ending written after a fact fits some names only."""
    for text, _ in texts():
        written = [text] if isinstance(text, str) else [*text]
        for form in (*written, *(form for words in map(catalogue, OTHERS) for form in forms(words, text))):
            specs = {spec for _, _, spec, _ in string.Formatter().parse(form) if spec}
            assert all(spec == "of" for spec in specs if spec.isalpha()), form
            assert not re.search(r"\}['’]?s\b", form), form


@pytest.mark.parametrize("lang", OTHERS)
def test_the_compiled_catalogue_is_the_written_one_as_babel_reads_it(lang: str) -> None:
    loaded = GNUTranslations(BytesIO(compiled(written(lang).read_text(encoding="utf-8"))))
    words = catalogue(lang)
    for text, _ in texts():
        these = forms(words, text)
        if all(these):
            match text:
                case InContext():
                    said = [loaded.pgettext(text.context, text)]
                case str():
                    said = [loaded.gettext(text)]
                case _:
                    said = [loaded.ngettext(*text, n) for n in (1, 2)]
            assert set(said) == set(these), "make words"


def test_a_word_with_two_meanings_is_translated_by_its_context() -> None:
    assert {lang: [tr(NC_(kind, "to"), lang) for kind in ("place", "person")] for lang in LANGUAGES} == {
        "en": ["to", "to"],
        "de": ["nach", "an"],
        "ja": ["行き先", "相手"],
    }


def test_one_chip_is_not_chips() -> None:
    assert [phrase(Amount(count)) for count in (0, 1, 2)] == ["nothing", "1 chip", "2 chips"]
    assert [phrase(Amount(count), "ja") for count in (1, 2)] == ["1チップ", "2チップ"]
    text = plural("{who} has {count} card.", "{who} has {count} cards.")
    assert [tr(text, who="red", count=count) for count in (1, 3)] == ["Red has 1 card.", "Red has 3 cards."]
    assert say(Ruling("left", "T-1", text, {"who": "red", "count": 1}), "de") == "Rot has 1 card."  # not translated


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("red", "Red"), (Said("red"), "“red”"), (DECK["red 7"], "red 7"), (DECK["blue flag"], "blue flag"),
        ("hispania_n", "Hispania N"), ("rome-corsica", "Rome–Corsica"), ("c3", "c3"), (None, "–"), (True, "yes"),
        (Amount(1), "1 chip"), (Amount(0), "nothing"), (7, "7"), (-21, "−21"), (-7.5, "−7½"), (22.5, "22½"), (Fraction(15, 2), "7½"), (Fraction(8), "8"),
        (["red", "blue"], "Red and Blue"), (("red", "blue", "green"), "Red, Blue and Green"), ([], "–"), ({"red": 5, "blue": 22.5}, "Red 5, Blue 22½"), ("9 + 7 = 16", "9 + 7 = 16"),
        (Ruling("chosen", "P-5", "{seat} has chosen.", {"seat": "red"}), "Red has chosen."),
    ],
)  # fmt: skip
def test_facts_become_words(value: Any, words: str) -> None:
    assert phrase(value) == words


def test_spoken_words_are_never_translated_nor_taken_for_a_template() -> None:
    promise = Said("{seat} red 100 %")
    assert tr("{promise}!", "de", promise=promise).count("{seat} red 100 %") == 1


PAGES = {"T": rules.__doc__ or ""} | {name: games.game(name).clauses for name in games.NAMES}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_clauses_of_a_page_are_numbered_without_gaps_in_a_letter_of_its_own(page: str) -> None:
    letters = [next(iter(clauses(other)))[0] for other in PAGES.values()]
    found = list(clauses(page))
    assert found == [f"{found[0][0]}-{n}" for n in range(1, len(found) + 1)]
    assert letters.count(found[0][0]) == 1


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_clause_is_marked_and_what_is_decided_is_said(page: str) -> None:
    for found in clauses(page).values():
        assert found.mark in MARKS, found.rule
        assert found.text and not found.text.startswith("("), found.rule
        assert found.note or not found.mark.endswith("+decided"), found.rule


def test_a_clause_has_its_mark_its_note_and_its_section() -> None:
    page = """A toy game (2 players).

Set-up
X-1  (text) Each seat has
     a coin.
X-2  (text+decided: who
     begins) The first seat begins.

X-3  (variant) Two coins (or three).
X-4  (house) No mark of ours.
"""
    assert list(clauses(page).values()) == [
        Clause("X-1", "text", "", "Each seat has a coin.", "Set-up"),
        Clause("X-2", "text+decided", "who begins", "The first seat begins.", "Set-up"),
        Clause("X-3", "variant", "", "Two coins (or three).", "Set-up"),
        Clause("X-4", "", "", "(house) No mark of ours.", "Set-up"),
    ]


@pytest.mark.parametrize("name", games.NAMES)
def test_clauses_are_cited_by_their_ids_in_every_language(name: str) -> None:
    game = games.game(name)
    assert all(clause(game, rule, lang) for rule in (*clauses(game.clauses), "T-5") for lang in LANGUAGES)
    assert len({clause(game, "T-5", lang) for lang in LANGUAGES}) == len(LANGUAGES)
    assert not clause(game, "X-1")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_ruling_is_said_in_every_language(lang: str) -> None:
    ruling = Ruling("tie", "P-9", "{tied} are tied at {rank}: {pleader} is furthest left and pleads; the row is now {row_after}.",
                    {"tied": ["red", "blue"], "rank": 9, "pleader": "red", "row_after": ["blue", "red"]})  # fmt: skip
    said = say(ruling, lang)
    assert "9" in said and "{" not in said
    assert lang == "en" or said != say(ruling)


def test_a_translation_stays_and_is_marked_when_its_english_is_reworded(tmp_path: Path) -> None:
    text, reworded = "Version {version}, under the MIT licence.", "Version {version}, under MIT's licence."
    path = tmp_path / "tabularium.po"
    whole = written("de").read_text(encoding="utf-8")
    path.write_text(whole.replace(text, reworded) + '\n#~ msgid "Gone"\n#~ msgstr "Weg"\n', encoding="utf-8")
    words = catalogue_of("de", path)
    message = words[text]
    assert message.string == "Version {version}, unter der MIT-Lizenz." and message.fuzzy
    assert forms(words, text) == ("",), "what nobody has looked at is not shown"
    assert words.obsolete["Gone"].string == "Weg"


@pytest.mark.parametrize(
    ("move", "en", "de", "ja"),
    [
        (Move("red 5", 1, "taken", "trick"), "red 5 from the tricks taken to the trick",
         "rote 5 aus den genommenen Stichen in den Stich", "赤5を、取ったトリックの山から場のトリックへ"),
        (Move("card", 1, "sealed blue", "hand blue"), "1 card from in front of Ben (face down) to Ben's hand",
         "1 Karte vom Platz vor Ben (verdeckt) auf Bens Hand", "カード1枚を、Benの前から（裏向き）Benの手札へ"),
        (Move("card", 2, "aside red", "hand red"), "2 cards from Anna's used cards to Anna's hand",
         "2 Karten von Annas gespielten Karten auf Annas Hand", "カード2枚を、Annaの使用済みカードからAnnaの手札へ"),
        (Move("counter", 3, "square b3", "square b4"), "3 counters from b3 to b4", "3 Steine von b3 nach b4",
         "カウンター3個を、b3からb4へ"),
    ],
)  # fmt: skip
def test_where_pieces_go_is_said_as_people_say_it(move: Move, en: str, de: str, ja: str) -> None:
    for lang, said in (("en", en), ("de", de), ("ja", ja)):
        assert Tongue(lang, {"red": "Anna", "blue": "Ben"}).phrase(move) == said


@pytest.mark.parametrize(("count", "rest"), [(3, True), (7, False)])
def test_the_rest_of_the_cards_is_spoken_of_where_there_is_one(count: int, rest: bool) -> None:
    """M-2: with seven all fifty cards are in the pile."""
    guide, seats = games.guide_of("mercator"), games.game("mercator").colours[:count]
    said = [tr(line.text, "en", **line.facts) for line in guide.layout(seats, games.game("mercator").defaults)]
    assert any("the rest go back" in line for line in said) == rest


def test_a_refusal_waits_for_nobody_where_all_have_chosen() -> None:
    play = Play("prokonsul", "red blue green")
    play.ok("pawns", order=["red", "blue", "green"])
    play.ok("province", province="asia")
    for rank, seat in enumerate(play.header.seats, start=3):
        play.ok("choose", seat, card=f"{seat} {rank}")
    (refused,) = play("province", province="africa").rulings
    assert {lang: say(refused, lang) for lang in LANGUAGES} == {
        "en": "Not now: all have chosen. Reveal the cards.",
        "de": "Jetzt nicht: Alle haben gewählt. Deckt die Karten auf.",
        "ja": "今はできません：全員が選び終えました。公開してください。",
    }
