"""The glossary: the catalogues use its terms and no others, and its names stand in the code."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from companion.rules.words import LANGUAGES
from tests.support.paths import ROOT
from tools.words import Text, context, forms, key, texts
from tools.words import catalogue as catalogue_of

PAGE = ROOT / "docs/site/glossary.md"
OTHERS = [lang for lang in LANGUAGES if lang != "en"]
catalogue = cache(catalogue_of)

AVOIDED = [
    ("de", r"\bmistake\b(?!.*program)(?<!program made a mistake)", r"Fehler"),
    ("de", r"\breaders?\b", r"\bLesern?\b|Kartenleser"),
    ("de", r"\b(undo|undoes|taken back)\b", r"Rücknahme"),
    ("de", r"\blog\b", r"Logbuch|Historie|Chronik"),
    ("de", r"\brulings?\b", r"\bEntscheide?\b|Urteil"),
    ("de", r"\bdecks?\b", r"\bDecks?\b"),
    ("de", r"\bmoves?\b", r"Aktion|Spielzug|Spielzüge|\bAkte?\b"),
    ("de", r"\bcorrect", r"Berichtigung|berichtig"),
    ("de", r"\btarget\b", r"\bZiel\b"),
    ("de", r"\bhall\b", r"\bHalle\b"),
    ("de", r"\bseats?\b", r"\bSitz(e|platz|plätze)?\b"),
    ("de", r"\btags?\b", r"\bTags?\b|Etikett"),
    ("de", r"\brules?\b", r"Vorschrift|Klausel"),
    ("de", r"\bgame is over\b|\bend of the game\b", r"Spiel ist|Spielende"),
    ("ja", r"\bgroups? (on|of counters|into|sees|size)\b|\bown group", r"グループ"),
    ("ja", r"\bcounters?\b", r"コマ"),
    ("ja", r"\bpawns?\b", r"コマ|駒"),
    ("ja", r"\bbids?\b", r"入札|ビッド"),
    ("ja", r"\bbank\b(?! card)", r"銀行"),
    ("ja", r"\blots?\b", r"ロット"),
    ("ja", r"\bplea(d|ds)?\b", r"請願|訴え"),
    ("ja", r"\bgovernors?\b", r"知事|統治者"),
    ("ja", r"\bprovinces?\b", r"(?<!属)州"),
    ("ja", r"\bfists?\b", r"こぶし|グー"),
    ("ja", r"\bflags?\b", r"フラグ|旗札"),
    ("ja", r"\bduels?\b", r"決闘|デュエル"),
    ("ja", r"\b(all|everything|everybody)\b", r"全て"),
    ("ja", r"\babout\b", r"概要"),
    ("ja", r"\breaders?\b", r"読取機|読み取り機"),
    ("ja", r"\bundo\b", r"アンドゥ|取消し"),
    ("ja", r"\bcorrect(ed|ion|ions)?\b", r"修正"),
    ("ja", r"\brulings?\b", r"裁決|判決"),
    ("ja", r"\bhall\b", r"ホール"),
    ("ja", r"\bseats?\b", r"座席"),
    ("ja", r"\bboards?\b", r"ボード(?!コンピュ|ゲーム)"),
    ("ja", r"\b(version|release)s?\b", r"(?<!テキスト)版"),
]
"""Words that other translators chose, where the English has the term: the language, the term, the words."""


class Term(NamedTuple):
    """A row of the glossary."""

    en: frozenset[str]
    de: frozenset[str]
    ja: frozenset[str]
    code: tuple[str, ...]


def glossary() -> Iterator[Term]:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| **")]
    for row in rows:
        en, de, ja, _, code = (cell.strip() for cell in row.strip("| ").split(" | "))
        yield Term(english(listed(en)), listed(de), listed(ja), tuple(re.findall(r"`([^`]+)`", code)))


def listed(cell: str) -> frozenset[str]:
    """The terms of a cell; what stands in brackets only tells where one is used."""
    return frozenset(bare(word) for word in re.split("[,、]", re.sub(r"\([^)]*\)|\*", "", cell)) if bare(word) != "–")


def english(terms: frozenset[str]) -> frozenset[str]:
    return terms | {f"{term}s" for term in terms}


def bare(text: str) -> str:
    return re.sub(r"(です)?[\s.…?!。？！]+$", "", text.strip()).casefold()


TERMS = list(glossary())


def translated(lang: str) -> Iterator[tuple[Text, str, str]]:
    """Each text, all its English, and all its words in the language."""
    for text, _ in texts():
        yield text, text if isinstance(text, str) else " ".join(text), " ".join(forms(catalogue(lang), text))


def test_a_term_stands_once_and_in_its_order() -> None:
    sections = [re.findall(r"^\| (\*\*.+?) \|", part, re.MULTILINE) for part in PAGE.read_text("utf-8").split("\n## ")]
    every = [term for section in sections for term in section]
    assert sections == [sorted(section) for section in sections] and len(every) == len(set(every)) > 60


@pytest.mark.parametrize("lang", OTHERS)
def test_a_text_that_is_a_term_is_translated_as_the_glossary_says(lang: str) -> None:
    known: dict[str, set[str]] = {}
    for term in TERMS:
        for word in term.en:
            known.setdefault(word, set()).update(getattr(term, lang))
    wrong = {key(text): form for text, _ in texts() if not context(text) and known.get(bare(key(text)))
             for form in forms(catalogue(lang), text) if form and bare(form) not in known[bare(key(text))]}  # fmt: skip
    assert not wrong


@pytest.mark.parametrize("lang", OTHERS)
def test_each_term_of_the_glossary_is_shown(lang: str) -> None:
    every = [(whole.casefold(), said.casefold()) for _, whole, said in translated(lang)]
    unused = [(set(term.en), word) for term in TERMS for word in getattr(term, lang)
              if not any(word in said and any(re.search(rf"\b{en}\b", whole) for en in term.en) for whole, said in every)]  # fmt: skip
    assert not unused


@pytest.mark.parametrize(("lang", "term", "avoided"), AVOIDED)
def test_no_translation_has_another_word_for_a_term(lang: str, term: str, avoided: str) -> None:
    about = [said for _, whole, said in translated(lang) if re.search(term, whole, re.IGNORECASE)]
    assert about, "no text has this term"
    assert not [said for said in about if re.search(avoided, said)]


def test_the_names_of_the_glossary_stand_in_the_code() -> None:
    names = [name for term in TERMS for name in term.code]
    assert len(names) > 40 and not [name for name in names if not stands(name)]


def stands(name: str) -> bool:
    """Return whether the code has a name such as `companion.session.session:Session.receive`, or a module."""
    module, _, path = name.partition(":")
    file = ROOT.joinpath(*module.split("."))
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    if not file.exists():
        return False
    body = ast.parse(file.read_text(encoding="utf-8")).body
    for part in filter(None, path.split(".")):
        found = [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == part]
        if not found:
            return False
        body = found[0].body
    return True
