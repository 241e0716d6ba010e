"""Texts as sentences: templates with named facts, in English, German and Japanese.

Templates are the keys of the gettext catalogues in `locale/`; codes, keys and clause numbers are never translated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cards import Card
from companion.message import into
from companion.rules import N_, Amount, AnyGame, Plural, Ruling, Said, plural

if TYPE_CHECKING:
    from gettext import NullTranslations

LANGUAGES = {"en": "English", "de": "Deutsch", "ja": "日本語"}
LOCALE = Path(__file__).parent / "locale"

COLOUR_NAMES = {
    "red": N_("Red"),
    "blue": N_("Blue"),
    "green": N_("Green"),
    "yellow": N_("Yellow"),
    "purple": N_("Purple"),
    "black": N_("Black"),
    "white": N_("White"),
}
PIECE_NAMES = {"legion": N_("Legion"), "fleet": N_("Fleet"), "hannibal": N_("Hannibal")}
CARD_COLOURS = {
    "red": N_("red"),
    "blue": N_("blue"),
    "green": N_("green"),
    "yellow": N_("yellow"),
    "purple": N_("purple"),
}
PLACE_NAMES = {
    "rome": N_("Rome"),
    "cannae": N_("Cannae"),
    "gallia": N_("Gallia"),
    "hispania_n": N_("Hispania N"),
    "hispania_s": N_("Hispania S"),
    "mauretania": N_("Mauretania"),
    "carthago": N_("Carthago"),
    "zama": N_("Zama"),
    "corsica": N_("Corsica"),
    "sardinia": N_("Sardinia"),
    "sicilia": N_("Sicilia"),
    "hispania_citerior": N_("Hispania Citerior"),
    "hispania_ulterior": N_("Hispania Ulterior"),
    "macedonia": N_("Macedonia"),
    "africa": N_("Africa"),
    "asia": N_("Asia"),
}
"""The places of the boards that are shipped; a place named by an owner keeps that name in every language."""
NAMES = COLOUR_NAMES | PIECE_NAMES | PLACE_NAMES


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language, and who sits where: how sentences are said at this table."""

    lang: str = "en"
    names: Mapping[str, str] = field(default_factory=dict)

    def tr(self, text: str, **facts: Any) -> str:
        """A template, translated and filled."""
        return tr(text, self.lang, **facts)

    def say(self, ruling: Ruling) -> str:
        """A ruling as a sentence."""
        return say(ruling, self.lang)

    def phrase(self, value: Any) -> str:
        """A fact as words."""
        return phrase(value, self.lang)


def catalogue(lang: str) -> Callable[[str], str]:
    """Translates a template; English is the templates themselves. An unknown language is English too."""
    return str if lang == "en" else translations(lang).gettext


@cache
def translations(lang: str) -> NullTranslations:
    import gettext

    return gettext.translation("tabularium", LOCALE, [lang], fallback=True)


def template(text: str, lang: str, facts: Mapping[str, Any]) -> str:
    """The template in the language; of a plural the one for the number that its counting fact gives."""
    if not isinstance(text, Plural):
        return catalogue(lang)(text)
    count = facts[text.by]
    if lang == "en":
        return str(text) if count == 1 else text.many
    return translations(lang).ngettext(text, text.many, count)


def say(ruling: Ruling, lang: str = "en") -> str:
    """A ruling as a sentence."""
    return tr(ruling.text, lang, **ruling.facts)


def tr(text: str, lang: str = "en", **facts: Any) -> str:
    """A template, translated and filled: seats, cards and places by their names."""
    return template(text, lang, facts).format_map({name: phrase(value, lang) for name, value in facts.items()})


def phrase(value: Any, lang: str = "en") -> str:
    """A fact as words."""
    match value:
        case None:
            return "–"
        case bool():
            return catalogue(lang)(N_("yes") if value else N_("no"))
        case Amount():
            return template(CHIPS, lang, {"count": value}).format(count=int(value))
        case Card() | Said() | Ruling() | str():
            return name(value, lang)
        case float() | Fraction():
            return f"{int(value)}½" if value % 1 else str(int(value))
        case Mapping():
            return comma(lang).join(f"{phrase(key, lang)} {phrase(of, lang)}" for key, of in value.items())
        case tuple() | list() | frozenset():
            return listed([phrase(item, lang) for item in value], lang)
    return str(value)


def listed(words: Sequence[str], lang: str = "en") -> str:
    """Words as a sentence lists them: "Red, Blue and Green"; "–" for none."""
    match words:
        case []:
            return "–"
        case [word]:
            return word
        case [a, b]:
            return catalogue(lang)(N_("{a} and {b}")).format(a=a, b=b)
        case [*most, b, c]:
            return catalogue(lang)(N_("{a}, {b} and {c}")).format(a=comma(lang).join(most), b=b, c=c)
    raise AssertionError(words)


def message(text: str, lang: str = "en") -> str:
    """What a device or the doctor says; other words stay as they are."""
    return str(into(text, catalogue(lang)))


def device(part: str, lang: str = "en") -> str:
    """A device or another part of the table, as "reader centre" or "disk"."""
    return " ".join(map(catalogue(lang), part.split()))


CHIPS = plural("{count} chip", "{count} chips")

PARTS = (
    N_("reader"),
    N_("button"),
    N_("lamp"),
    N_("hub"),
    N_("box"),
    N_("centre"),
    N_("black"),
    N_("white"),
    N_("computer"),
    N_("supply"),
    N_("packages"),
    N_("folder"),
    N_("pins"),
    N_("readers"),
    N_("display"),
    N_("disk"),
    N_("clock"),
    N_("doctor"),
    N_("hardware"),
)


def title(game: AnyGame, lang: str = "en") -> str:
    """What a game is called; one that has no translation keeps its name."""
    return catalogue(lang)(game.title)


def comma(lang: str) -> str:
    return catalogue(lang)(N_("{a}, {b}")).format(a="", b="")


PLACE = "[a-z][a-z_]+"
"""A place as boards write it; a route is two of them."""


def name(value: str | Card | Ruling, lang: str = "en") -> str:
    """A seat's colour, a card, a place or a piece as people call it; spoken words stay as they were said."""
    if isinstance(value, Ruling):
        return say(value, lang)
    if isinstance(value, Card):
        text = N_("{colour} {rank}") if value.rank else N_("{colour} flag")
        colour = catalogue(lang)(CARD_COLOURS[value.colour])
        return catalogue(lang)(text).format(colour=colour, rank=value.rank)
    if isinstance(value, Said):
        return catalogue(lang)(N_("“{said}”")).format(said=str(value))
    if value in NAMES:
        return catalogue(lang)(NAMES[value])
    if "-" in value and re.fullmatch(PLACE, value.partition("-")[0]):
        return "–".join(name(end, lang) for end in value.split("-"))
    return value.replace("_", " ").title() if re.fullmatch(PLACE, value) else value


# -- the rulebook's clauses -------------------------------------------------------------------------------------

MARKS = ("text", "text+decided", "decided", "variant", "variant+decided", "option")
"""Whose a clause is: printed in the rulebook, our reading where it is silent or unclear, or some of each; a variant
that the rulebook offers; a house rule of ours."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered clause of a page.

    `mark` is one of MARKS ("" where the page gives none) and `note` what exactly is decided, in English; `section`
    is the heading it stands under, "" without one.
    """

    rule: str
    mark: str
    note: str
    text: str
    section: str = ""


def clause(game: AnyGame, rule: str, lang: str = "en") -> str:
    """The text of a clause like "P-9", "" for one that is not there."""
    found = find_clause(game, rule)
    return catalogue(lang)(found.text) if found else ""


def find_clause(game: AnyGame, rule: str) -> Clause | None:
    """A clause of the game's page, or of those for every game, by its id."""
    return clauses(game.clauses).get(rule) or shared_clauses().get(rule)


@cache
def clauses(page: str) -> Mapping[str, Clause]:
    """The numbered clauses of a page, in its order, by their ids.

    A page is a docstring: after its first paragraph each clause begins a line with its id and its mark, as in
    "P-4 (text+decided: the first round) The black pawn …"; a line without an id before some of them heads a section.
    """
    found: dict[str, Clause] = {}
    section = ""
    for block in page.split("\n\n")[1:]:
        heading, *parts = re.split(r"^([A-Z]-\d+)\s+", block, flags=re.MULTILINE)
        section = " ".join(heading.split()) or section
        found |= {rule: _clause(rule, text, section) for rule, text in zip(parts[::2], parts[1::2], strict=True)}
    return found


def _clause(rule: str, text: str, section: str) -> Clause:
    text = " ".join(text.split())
    marked = re.match(r"\(([a-z+]+)(?:: ([^)]+))?\) ", text)
    if not marked or marked[1] not in MARKS:
        return Clause(rule, "", "", text, section)
    return Clause(rule, marked[1], marked[2] or "", text[marked.end() :], section)


def shared_clauses() -> Mapping[str, Clause]:
    """The clauses that hold in every game: T-1 and on."""
    from companion import rules

    return clauses(rules.__doc__ or "")
