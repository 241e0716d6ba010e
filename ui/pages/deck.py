"""The deck on the screen: a cell for each card, what to lay next, and the result of the last card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion import deck
from companion.deck import Check, Deck, Enrolment, Tags
from companion.rules import N_, Ruling, Said, words
from companion.rules.cards import DECK, FLAG, Card
from companion.rules.words import comma, phrase, say, tr

FINE = ("enrolled", "undone", "laid", "known")
"""Codes of rulings told without alarm."""

MOST = 5
"""The number of strange tags named on one line."""


@dataclass(frozen=True, slots=True)
class CardHere:
    """A card: `there` if it has a tag, or has been laid; `off` if it is not needed."""

    card: str
    seat: str
    text: str
    there: bool
    asked: bool = False
    weak: bool = False
    off: bool = False


@dataclass(frozen=True, slots=True)
class CardStates:
    """The page: what is expected now, the result of the last card, the progress, and every card."""

    title: str
    lead: str
    told: str
    wrong: bool
    count: str
    cells: Sequence[CardHere]
    done: bool
    asked: str = ""
    """The colour of the requested card."""


@dataclass(frozen=True, slots=True)
class DeckLine:
    """A deck in the list of decks."""

    name: str
    text: str


def enrolling(e: Enrolment, lang: str) -> CardStates:
    """Return the page of a deck that is being enrolled, or opened to replace a tag."""
    d = e.deck
    weak = {d.tags[tag] for tag in e.weak if tag in d.tags}
    cells = [_card_here(card, lang, d.of(card), card == e.asked, card in weak) for card in DECK.values()]
    lead = tr(N_("Lay {card}"), lang, card=e.asked) if e.asked else tr(N_("Every card has its tag"), lang)
    hint = N_("Or tap another card to lay that one.") if e.asked else N_("Tag lost or weak? Tap its card.")
    told, wrong = _ruling_text(e.ruling, lang)
    there = len(DECK) - len(d.missing)
    title = tr(N_("Deck {deck}"), lang, deck=Said(e.name))
    progress, colour = _count_text(there, len(DECK), lang), e.asked.colour if e.asked else ""
    return CardStates(title, lead, told or tr(hint, lang), wrong, progress, cells, not e.asked, colour)


def _card_here(card: Card, lang: str, tags: Sequence[str], asked: bool, weak: bool) -> CardHere:
    return CardHere(str(card), card.colour, _rank_text(card, lang, len(tags)), bool(tags), asked, weak)


def checking(c: Check, lang: str) -> CardStates:
    """Return the page of a deck that is being checked before a game."""
    wanted = deck.needed(c.game)
    missing = c.missing
    weak = {c.tags[tag].card for tag in c.weak if tag in c.tags}
    cells = [
        CardHere(
            str(card), card.colour, _rank_text(card, lang), card in c.laid, False, card in weak, card not in wanted
        )
        for card in DECK.values()
    ]
    lead = N_("All cards for {game} are here") if not missing else N_("Lay the cards for {game} in any order")
    told, wrong = _ruling_text(c.ruling, lang)
    title = tr(N_("Checking deck {deck}"), lang, deck=Said(c.name))
    count = _count_text(len(wanted) - len(missing), len(wanted), lang)
    return CardStates(title, tr(lead, lang, game=words.title(c.game, lang)), told, wrong, count, cells, not missing)


def strange(c: Check, lang: str) -> str:
    """Return the tags that do not belong, named by card if they have one, the latest first; "" for none."""
    if not c.strange:
        return ""
    names = [phrase(c.tags[tag].card, lang) if tag in c.tags else tag for tag in reversed(list(c.strange))]
    shown = [*names[:MOST], *(["…"] if names[MOST:] else [])]
    return tr(N_("Out of place ({count}): {names}"), lang, count=len(names), names=comma(lang).join(shown))


def decks(tags: Tags, lang: str) -> Sequence[DeckLine]:
    """Return every deck, with the number of its cards that have a tag."""
    lines = []
    for name in deck.names(tags):
        there = len(DECK) - len(deck.deck(tags, name).missing)
        text = N_("{deck}: {there} of {all} cards")
        lines.append(DeckLine(name, tr(text, lang, deck=Said(name), there=there, all=len(DECK))))
    return lines


def files(folder: Path) -> list[Path]:
    """Return the YAML files of a folder, by name."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in (".yaml", ".yml"))
    except OSError:
        return []


def read(file: Path, tags: Tags) -> Deck:
    """Return the deck in a file. Raises ConfigError with everything that is wrong with it."""
    from companion.deck.file import load  # brings YAML, which no other page needs

    return load(file, tags)


def laid_by_hand(own: Mapping[str, str], tags: Tags, name: str) -> dict[str, str]:
    """Return the tag of each card on the virtual table: this deck's, else the table's own."""
    return dict(own) | {str(of.card): tag for tag, of in tags.items() if of.deck == name and deck.can_be_laid(tag)}


def _rank_text(card: Card, lang: str, tags: int = 1) -> str:
    if card.rank != FLAG:
        return str(card.rank)
    return tr(N_("flag"), lang) + (f" ×{tags}" if tags > 1 else "")


def _count_text(there: int, of: int, lang: str) -> str:
    return tr(N_("{there} of {all}"), lang, there=there, all=of)


def _ruling_text(ruling: Ruling | None, lang: str) -> tuple[str, bool]:
    return (say(ruling, lang), ruling.code not in FINE) if ruling else ("", False)
