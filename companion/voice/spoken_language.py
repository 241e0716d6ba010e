"""A language as it is spoken: numbers as words, names as they can be said, and nothing that is only read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any
from unicodedata import category

from companion.rules import N_, Amount, Ruling, Said, plural
from companion.rules.cards import DECK, Card
from companion.rules.speech import Address, Letters
from companion.rules.vocabulary import KNOWN
from companion.rules.words import AND, CARD_COLOURS, PLACE, Tongue, catalogue, comma, spoken, template, words
from companion.voice.alphabet import spelled, square, typed

LONGEST = 40
"""Letters of a name that is said; most people have stopped listening by then."""
NUMBER = re.compile(r"\d+")
UNSAID = re.compile(r"[^\w\s.,;:!?'’\-、。・！？：ー々]|_")
"""What no engine should be given: brackets (espeak-ng reads [[phonemes]]), markup, quotes, signs of every kind."""
SIGNS = {"+": N_("plus"), "−": N_("minus"), "×": N_("times"), "=": N_("equals"), "½": N_("a half"), "%": N_("percent")}
"""Signs that are said, where somebody counts: a sum is the reason for many a ruling."""
FROM_TO = re.compile(r"(?P<first>\d+)[–〜～](?P<last>\d+)")
SPAN = N_("{first} to {last}")
CLOCK = re.compile(r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)\b")
FULL_HOUR, HOUR = N_("{hour} o'clock"), N_("{hour} {minute}")
HALF = N_("{whole} and a half")
PAIR = N_("{name} {value}")
ROUTE = N_("{a}-{b}")
SQUARE, COLUMN = N_("{letter} {row}"), N_("column")
ALIKE = {"Charlie": "Cesar"}
"""Words for letters that are first names too, each with another one for where somebody here is called so."""


@dataclass(frozen=True)
class Spoken(Tongue):
    """The language of a table, for the ear. Facts are said as people say them: "twenty-two", "red seven"."""

    def tr(self, text: str, /, **facts: object) -> str:
        """Translate and fill a template, and leave nothing in it that cannot be said."""
        filled = {name: words(self.phrase(value), self.lang) for name, value in facts.items()}
        said = template(text, self.lang, facts).format_map(filled)
        return words(sayable(reckoned(said, self.lang), self.lang), self.lang)

    def phrase(self, value: object) -> str:
        match value:
            case bool():
                return super().phrase(value)
            case None | () | []:
                return catalogue(self.lang)(N_("nobody"))
            case Amount():
                return chips(int(value), self.lang)
            case int():
                return number(value, self.lang)
            case float() | Fraction() if value % 1:
                return catalogue(self.lang)(HALF).format(whole=number(int(value), self.lang))
            case float() | Fraction():
                return number(int(value), self.lang)
            case Mapping():
                pair = catalogue(self.lang)(PAIR)
                pairs = (pair.format(name=self.phrase(key), value=self.phrase(of)) for key, of in value.items())
                return comma(self.lang).join(pairs)
        return super().phrase(value)

    def name(self, value: str | Card | Ruling) -> str:
        """Return a seat, a card or a place as it is said: a name that cannot be said gives way to its colour."""
        match value:
            case Letters():
                return words(comma(self.lang).join(spelled(value, self.lang)), self.lang)
            case Address():  # browsers add the scheme themselves
                return words(comma(self.lang).join(typed(value.rpartition("//")[2], self.lang)), self.lang)
            case Said():
                return words(sayable(str(value), self.lang), self.lang)
            case Card():
                text = N_("{colour} {rank}") if value.rank else N_("{colour} flag")
                colour = catalogue(self.lang)(CARD_COLOURS[value.colour])
                if value.rank and self.lang == "ja":
                    colour += "の"  # without it some are read as another word
                return words(
                    catalogue(self.lang)(text).format(colour=colour, rank=number(value.rank, self.lang)), self.lang
                )
            case str() if value in DECK:
                return self.name(DECK[value])
            case str() if value in self.people:
                said = short(sayable(self.people[value], self.lang))
                return words(
                    said if can_be_said(said, self.lang) else catalogue(self.lang)(KNOWN.names[value]), self.lang
                )
            case str() if value in KNOWN.heard:
                return words(catalogue(self.lang)(KNOWN.heard[value]), self.lang)
            case str() if re.fullmatch("[a-e][1-9]?", value):
                row = number(int(value[1]), self.lang) if value[1:] else catalogue(self.lang)(COLUMN)
                called = {name.casefold() for name in self.people.values()}
                letter = square(value[0], self.lang)
                letter = ALIKE.get(letter, letter) if letter.casefold() in called else letter
                return words(catalogue(self.lang)(SQUARE).format(letter=letter, row=row), self.lang)
            case str() if "-" in value and re.fullmatch(PLACE, value.partition("-")[0]):
                a, _, b = value.partition("-")
                return words(catalogue(self.lang)(ROUTE).format(a=self.name(a), b=self.name(b)), self.lang)
        return super().name(value)

    def piece(self, piece: str, count: int | Fraction = 1) -> str:
        """Return a piece in words; in German a single one has no number, as that would have to be an article."""
        said = super().piece(piece, count)
        one = number(1, self.lang)
        return said.removeprefix(f"{one} ") if self.lang == "de" and count == 1 else said

    def listed(self, items: Sequence[str], both: str = AND) -> str:
        return super().listed(items, both) if items else catalogue(self.lang)(N_("nobody"))


def reckoned(text: str, lang: str) -> str:
    """Return text with sums and number ranges as words; other dashes and brackets are pauses."""
    text = re.sub(r"\)(?=\s*[+−×=])", ", ", text)
    text = FROM_TO.sub(lambda found: catalogue(lang)(SPAN).format_map(found.groupdict()), text)
    text = text.replace(" – ", ", ")
    for sign, word in SIGNS.items():
        if sign in text:
            text = text.replace(sign, f" {catalogue(lang)(word)} ")
    return text


def _clock(found: re.Match[str], lang: str) -> str:
    """Return a time of the day as it is said."""
    hour, minute = int(found["hour"]), int(found["minute"])
    return catalogue(lang)(HOUR if minute else FULL_HOUR).format(hour=hour, minute=minute)


def sayable(text: str, lang: str) -> str:
    """Return text with every number as words and without signs that are only read."""
    text = CLOCK.sub(lambda found: _clock(found, lang), spoken(text))
    said = NUMBER.sub(
        lambda found: f" {number(int(found[0]), lang)} " if lang != "ja" else number(int(found[0]), lang), text
    )
    said = said.replace("：", "。")  # which an engine may say by its name
    said = UNSAID.sub(" ", said)
    if not said.isascii():
        said = "".join(" " if category(sign) in ("So", "Sk", "Cs", "Co", "Cn") else sign for sign in said)
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(said.split())).lstrip("-– .,;:")


def short(name: str) -> str:
    """Cut a name to as much as anybody listens to, between words where possible."""
    if len(name) <= LONGEST:
        return name
    cut = name[:LONGEST].rpartition(" ")[0]
    return cut or name[:LONGEST]


def can_be_said(text: str, lang: str) -> bool:
    """Return whether text has letters, all read in this language: kana and kanji are not in English or German."""
    letters = [sign for sign in text if sign.isalpha()]
    return bool(letters) and (lang == "ja" or all(sign < "\u0250" for sign in letters))


def number(value: int, lang: str) -> str:
    """Return a whole number as words: twenty-two, zweiundzwanzig, 二十二. From a million on it stays digits."""
    return _number(value, lang) if abs(value) < 10**6 else str(value)


@cache
def _number(value: int, lang: str) -> str:
    return str(_engine(lang).format_number(value).text).replace("\u00ad", "").replace("〇", "ゼロ")


@cache
def _engine(lang: str) -> Any:  # the package has no name for it that mypy knows
    from unicode_rbnf import RbnfEngine

    return RbnfEngine.for_language({"en": "en", "de": "de", "ja": "ja"}.get(lang, "en"))


CHIPS = plural("one chip", "{count} chips")


def chips(count: int, lang: str) -> str:
    """Return an amount with its unit: one chip, seven chips; ein Chip, sieben Chips."""
    return template(CHIPS, lang, {"count": count}).format(count=number(count, lang))
