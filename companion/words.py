"""Texts as sentences: templates with named facts, in English, German and Japanese.

Templates are the keys of the gettext catalogues in `locale/`; codes, keys and clause numbers are never translated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from companion.cards import Card
from companion.message import into
from companion.rules import N_, Amount, AnyGame, Ruling, Said

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
PIECE_NAMES = {"legion": N_("Legion"), "fleet": N_("Fleet")}
CARD_COLOURS = {
    "red": N_("red"),
    "blue": N_("blue"),
    "green": N_("green"),
    "yellow": N_("yellow"),
    "purple": N_("purple"),
}
NAMES = COLOUR_NAMES | PIECE_NAMES


@cache
def catalogue(lang: str) -> Callable[[str], str]:
    """Translates a template; English is the templates themselves. An unknown language is English too."""
    if lang == "en":
        return str
    import gettext

    return gettext.translation("tabularium", LOCALE, [lang], fallback=True).gettext


def say(ruling: Ruling, lang: str = "en") -> str:
    """A ruling as a sentence."""
    return tr(ruling.text, lang, **ruling.facts)


def tr(text: str, lang: str = "en", **facts: Any) -> str:
    """A template, translated and filled: seats, cards and places by their names, lists with commas."""
    return catalogue(lang)(text).format_map({name: phrase(value, lang) for name, value in facts.items()})


def phrase(value: Any, lang: str = "en") -> str:
    """A fact as words."""
    match value:
        case None:
            return "–"
        case bool():
            return catalogue(lang)(N_("yes") if value else N_("no"))
        case Amount():
            return catalogue(lang)(N_("1 chip") if value == 1 else N_("{count} chips")).format(count=int(value))
        case Card() | Said() | Ruling() | str():
            return name(value, lang)
        case float() | Fraction():
            return f"{int(value)}½" if value % 1 else str(int(value))
        case Mapping():
            return comma(lang).join(f"{phrase(key, lang)} {phrase(of, lang)}" for key, of in value.items())
        case tuple() | list() | frozenset():
            return comma(lang).join(phrase(item, lang) for item in value) or "–"
    return str(value)


def message(text: str, lang: str = "en") -> str:
    """What a device or the doctor says; other words stay as they are."""
    return str(into(text, catalogue(lang)))


def device(part: str, lang: str = "en") -> str:
    """A device or another part of the table, as "reader centre" or "disk"."""
    return " ".join(map(catalogue(lang), part.split()))


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


def comma(lang: str) -> str:
    return catalogue(lang)(N_("{a}, {b}")).format(a="", b="")


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
    if re.fullmatch(r"[a-z][a-z_]+(-[a-z_]+)?", value):
        return value.replace("_", " ").title().replace("-", "–")
    return value


# -- the rulebook's clauses -------------------------------------------------------------------------------------


def clause(game: AnyGame, rule: str, lang: str = "en") -> str:
    """The text of a clause like "P-9", "" for one that is not there."""
    text = clauses(game.clauses).get(rule) or shared_clauses().get(rule, "")
    return catalogue(lang)(text) if text else ""


@cache
def clauses(page: str) -> Mapping[str, str]:
    """The numbered clauses of a page: {"P-9": "If several …"}."""
    parts = re.split(r"^([A-Z]-\d+)\s+", page, flags=re.MULTILINE)[1:]
    return {rule: " ".join(text.split()) for rule, text in zip(parts[::2], parts[1::2], strict=True)}


def shared_clauses() -> Mapping[str, str]:
    from companion import rules

    return clauses(rules.__doc__ or "")
