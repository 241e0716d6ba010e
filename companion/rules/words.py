"""Texts as sentences: templates with named facts, in English, German and Japanese.

Templates are the keys of the gettext catalogues in `locale/`; codes, keys and clause numbers are never translated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from math import ceil
from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

from companion.rules import N_, NC_, Amount, AnyGame, InContext, Plural, Ruling, Said, plural
from companion.rules.cards import DECK, Card
from companion.rules.catalogues import loaded
from companion.rules.data import Data
from companion.rules.layout import Move, Payment
from companion.rules.message import Message, Messages, into, program
from companion.rules.vocabulary import COLOURS, KNOWN

if TYPE_CHECKING:
    from gettext import NullTranslations

LANGUAGES = {"en": "English", "de": "Deutsch", "ja": "日本語"}

AND = N_("{a} and {b}")

CARD_COLOURS = {
    "red": N_("red"),
    "blue": N_("blue"),
    "green": N_("green"),
    "yellow": N_("yellow"),
    "purple": N_("purple"),
}


def catalogue(lang: str) -> Callable[[str], str]:
    """Return the function that translates a template; English and unknown languages keep the template itself."""
    if lang == "en":
        return str
    found = translations(lang)
    return lambda text: found.pgettext(text.context, text) if isinstance(text, InContext) else found.gettext(text)


@cache
def translations(lang: str) -> NullTranslations:
    from gettext import GNUTranslations, NullTranslations
    from io import BytesIO

    try:
        return GNUTranslations(BytesIO(loaded(lang)))
    except FileNotFoundError:
        return NullTranslations()


def template(text: str, lang: str, facts: Data) -> str:
    """Return the template in the language; of a plural the one for the number that its counting fact gives."""
    if not isinstance(text, Plural):
        return catalogue(lang)(text)
    if lang == "en":
        return text.english(facts)
    count = facts[text.by]
    several = max(2, ceil(count)) if count else 0  # halves are several too
    return translations(lang).ngettext(text, text.many, 1 if count == 1 else several)


class Words(str):
    """Words as people read them: said already, so that they are neither translated nor taken for a template again."""

    __slots__ = ("lang",)
    lang: str

    def __format__(self, spec: str) -> str:
        """Return the words as they are, or with the spec `of` as the owner of something: "Anna's"."""
        return owner(self, self.lang) if spec == "of" else super().__format__(spec)


def words(text: str, lang: str) -> Words:
    """Return these words, marked as being in this language."""
    said = Words(text)
    said.lang = lang
    return said


def owner(who: str, lang: str) -> str:
    """Return the owner of something: Anna's, James's; Annas, Hans’, Annas (Rot); アンナの."""
    match lang:
        case "ja":
            return f"{who}の"
        case "de":
            name, _, aside = who.partition(" (")
            silent = not name[-1:].isalpha() or name.casefold().endswith(("s", "x", "z", "ce"))
            return f"{name}{'’' if silent else 's'}{aside and ' (' + aside}"
    return f"{who}'s"


@dataclass(frozen=True)
class Tongue:
    """A language, and the people of a game by seat: its sentences call them by name, the others by their colour."""

    lang: str = "en"
    names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def people(self) -> Mapping[str, str]:
        """Return what the players are called; an ambiguous name comes with the colour: "Anna (Red)"."""
        if not self.names:
            return {}
        entered = {seat: spoken(player) for seat, player in self.names.items() if spoken(player)}
        colours = {seat: name(seat, self.lang) for seat in {*COLOURS, *entered}}
        pattern = catalogue(self.lang)(N_("{name} ({colour})"))
        full = {seat: pattern.format(name=who, colour=colours[seat]) for seat, who in entered.items()}
        called = {seat: {alike(of[seat]) for of in (colours, entered, full) if seat in of} for seat in colours}
        return {
            seat: full[seat] if any(alike(who) in called[other] for other in colours if other != seat) else who
            for seat, who in entered.items()
        }

    @cached_property
    def _between_kana(self) -> Tongue:
        """Return the language with names in hiragana in brackets, or they would merge with the particles."""
        if not any(map(HIRAGANA.fullmatch, self.names.values())):
            return self
        names = {seat: f"「{name}」" if HIRAGANA.fullmatch(name) else name for seat, name in self.names.items()}
        return replace(self, names=names)

    def say(self, ruling: Ruling) -> str:
        """Return a ruling as a sentence."""
        return self.tr(ruling.text, **ruling.facts)

    def tr(self, text: str, /, **facts: object) -> str:
        """Translate and fill a template: seats, cards and places by their names."""
        said = template(text, self.lang, facts)
        inside = self._between_kana if BESIDE_KANA.search(said) else self
        filled = {name: words(inside.phrase(value), self.lang) for name, value in facts.items()}
        filled.setdefault("tabularium", words(program(), self.lang))
        return words(said.format_map(filled), self.lang)

    def phrase(self, value: object) -> str:
        """Return a fact as words."""
        match value:
            case None:
                return "–"
            case bool():
                return catalogue(self.lang)(N_("yes") if value else N_("no"))
            case Message():
                return self.tr(value.template, **value.facts)
            case Messages():
                return self.messages(value)
            case Amount() if not value:
                return catalogue(self.lang)(NC_("chips", "nothing"))
            case Amount():
                return template(CHIPS, self.lang, {"count": value}).format(count=int(value))
            case Card() | Ruling() | str():
                return self.name(value)
            case Move(piece, count, start, end):
                return self.tr(MOVE, piece=self.piece(piece, count), start=self.way(start, 0), end=self.way(end, 1))
            case Payment(count, start, end):
                return self.tr(MOVE, piece=self.piece("chip", count), start=self.way(start, 0), end=self.way(end, 1))
            case int() | float() | Fraction():
                return digits(value)
            case Mapping():
                return comma(self.lang).join(f"{self.phrase(key)} {self.phrase(of)}" for key, of in value.items())
            case [Move() | Payment(), *_]:
                return self.listed([self.phrase(item) for item in value], NC_("moves", "{a} and {b}"))
            case tuple() | list() | frozenset():
                return self.listed([self.phrase(item) for item in value])
        return str(value)

    def messages(self, several: Messages) -> str:
        """Join several messages; in English they stand as programs have them."""
        if self.lang == "en":
            return self.name(Said(several))
        return catalogue(self.lang)(N_("{a}; {b}")).format(a="", b="").join(map(self.phrase, several.each))

    def name(self, value: str | Card | Ruling) -> str:
        """Return a seat, a card, a place or a piece as people call it; spoken words stay as they were said."""
        say = catalogue(self.lang)
        match value:
            case Words():
                return value
            case Ruling():
                return self.say(value)
            case Card():
                text = N_("{colour} {rank}") if value.rank else N_("{colour} flag")
                found = say(text).format(colour=say(CARD_COLOURS[value.colour]), rank=value.rank)
            case Said():
                found = say(N_("“{said}”")).format(said=str(value))
            case _ if value in self.people:
                found = self.people[value]
            case _ if value in KNOWN.names:
                found = say(KNOWN.names[value])
            case _ if "-" in value and re.fullmatch(PLACE, value.partition("-")[0]):
                found = "–".join(self.name(end) for end in value.split("-"))
            case _:
                found = value.replace("_", " ").title() if re.fullmatch(PLACE, value) else value
        return words(found, self.lang)

    def piece(self, piece: str, count: int | Fraction = 1) -> str:
        """Return a number of one piece of a layout: "red 7", "2 counters", "1 counter (Red)"."""
        if piece in DECK:
            return words(self.name(DECK[piece]), self.lang)
        if piece in KNOWN.pieces:
            return self.tr(KNOWN.pieces[piece], count=count)
        colour, _, kind = piece.partition(" ")
        if kind in KNOWN.pieces:
            return self.tr(N_("{pieces} ({colour})"), pieces=self.piece(kind, count), colour=colour)
        return self.tr(N_("{count} {piece}"), count=count, piece=piece.replace("_", " "))

    def place(self, place: str) -> str:
        """Return a place of a layout: "Red's hand"."""
        word, _, of = place.partition(" ")
        if word in KNOWN.places:
            return self.tr(KNOWN.places[word], of=of)
        return words(self.name(place), self.lang)

    def way(self, place: str, end: Literal[0, 1]) -> str:
        """Return how something goes from a place of a layout, or to it: "to Red's hand"."""
        word, _, of = place.partition(" ")
        if word in KNOWN.ways:
            return self.tr(KNOWN.ways[word][end], of=of)
        if place in COLOURS:
            return self.tr((NC_("a player", "from {seat}"), NC_("a player", "to {seat}"))[end], seat=place)
        return self.tr((N_("from {place}"), N_("to {place}"))[end], place=self.place(place))

    def listed(self, items: Sequence[str], both: str = AND) -> str:
        """Return words as a sentence lists them: "Red, Blue and Green"; "–" for none. `both` lists two."""
        say = catalogue(self.lang)
        match items:
            case []:
                return "–"
            case [word]:
                return word
            case [a, b]:
                return say(both).format(a=a, b=b)
            case [*most, b, c]:
                return say(N_("{a}, {b} and {c}")).format(a=comma(self.lang).join(most), b=b, c=c)
        raise AssertionError(items)

    def player(self, who: str) -> str:
        """Return what a player is called whom a series counts: by name where everybody has one, else by seat."""
        if who in self.names.values():
            who = next(seat for seat, player in self.names.items() if player == who)
        return self.name(who) if who in COLOURS else words(spoken(who), self.lang)


HIRAGANA = re.compile("[ぁ-ゖー]+")
BESIDE_KANA = re.compile(r"[ぁ-ゖ]\{|\}[ぁ-ゖ]")


def digits(value: float | Fraction) -> str:
    """Return a number of halves in digits: "7", "−7½", "½"."""
    whole, half = divmod(abs(Fraction(value)), 1)
    return ("−" if value < 0 else "") + (f"{whole or ''}½" if half else str(whole))


def spoken(name: str) -> str:
    """Return a name as it can be shown: on one line, without invisible characters."""
    if not name.isprintable():
        name = "".join(sign if sign.isprintable() else " " for sign in name)
    return " ".join(name.split())


def alike(name: str) -> str:
    """Return a key that is the same for names that only capitals, spaces or the width of letters tell apart."""
    return "".join(normalize("NFKC", name).casefold().split())


def say(ruling: Ruling, lang: str = "en") -> str:
    """Return a ruling as a sentence in which players have no names."""
    return Tongue(lang).say(ruling)


def tr(text: str, lang: str = "en", **facts: object) -> str:
    """Translate and fill a text in which players have no names."""
    return Tongue(lang).tr(text, **facts)


def phrase(value: object, lang: str = "en") -> str:
    """Return a fact as words, without players' names."""
    return Tongue(lang).phrase(value)


def name(value: str | Card | Ruling, lang: str = "en") -> str:
    """Return a seat's colour, a card, a place or a piece as people call it."""
    return Tongue(lang).name(value)


def listed(items: Sequence[str], lang: str = "en") -> str:
    """Return words as a sentence lists them."""
    return Tongue(lang).listed(items)


def message(text: str, lang: str = "en") -> str:
    """Translate what a device or the doctor says; other words stay as they are."""
    return str(into(text, catalogue(lang)))


def device(part: str, lang: str = "en") -> str:
    """Translate the name of a device or another part of the table, such as "reader centre" or "disk"."""
    return " ".join(map(catalogue(lang), part.split()))


MOVE = N_("{piece} {start} {end}")
CHIPS = plural("{count} chip", "{count} chips")

PARTS = (
    N_("reader"),
    N_("button"),
    N_("lamp"),
    N_("hub"),
    N_("voice"),
    N_("loudspeaker"),
    N_("ear"),
    N_("phone"),
    N_("phones"),
    N_("box"),
    N_("centre"),
    N_("black"),
    N_("white"),
    N_("computer"),
    N_("supply"),
    N_("keyboard"),
    N_("controller"),
    N_("power"),
    N_("packages"),
    N_("folder"),
    N_("pins"),
    N_("readers"),
    N_("display"),
    N_("disk"),
    N_("clock"),
    N_("doctor"),
    N_("hardware"),
    N_("recording"),
    N_("installation"),
    N_("service"),
    N_("groups"),
    N_("boot"),
    N_("blanking"),
    N_("speed"),
)


def title(game: AnyGame, lang: str = "en") -> str:
    """Return what a game is called; one that has no translation keeps its name."""
    return catalogue(lang)(game.title)


def comma(lang: str) -> str:
    return catalogue(lang)(N_("{a}, {b}")).format(a="", b="")


PLACE = "[a-z][a-z_]+"
"""A place as boards write it; a route is two of them."""


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
    """Return the text of a clause like "P-9"; "" for one that is not there."""
    found = find_clause(game, rule)
    return catalogue(lang)(found.text) if found else ""


def find_clause(game: AnyGame, rule: str) -> Clause | None:
    """Return a clause of the game's page, or of those for every game, by its id; None for an unknown id."""
    return clauses(game.clauses).get(rule) or shared_clauses().get(rule)


@cache
def clauses(page: str) -> Mapping[str, Clause]:
    """Return the numbered clauses of a page by their ids, in the page's order.

    A page is a docstring: after its first paragraph each clause begins a line with its id and its mark, as in "P-4
    (text+decided: the first round) The black pawn …"; a line without an id before some of them heads a section.
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
    """Return the clauses that hold in every game: T-1 and on."""
    from companion.rules import contract as rules

    return clauses(rules.__doc__ or "")
