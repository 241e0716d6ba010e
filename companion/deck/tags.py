"""The assignment of tags to cards. Nothing here writes anything: `keep` hands what has changed to a store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from companion.rules import N_, AnyGame, Ruling, ruled
from companion.rules.cards import DECK, Card
from companion.rules.readings import TAG


class KnownTag(NamedTuple):
    """The card that a tag is stuck to, and its deck."""

    card: Card
    deck: str


Tags = Mapping[str, KnownTag]
"""All enrolled tags."""


class TagStore(Protocol):
    """The part of a store that keeps tags."""

    def enrol(self, tag: str, card: str, deck: str) -> int: ...
    def forget(self, tag: str) -> int: ...


def known(enrolled: Mapping[str, tuple[str, str]]) -> dict[str, KnownTag]:
    """Return a store's tags, without any whose card the disk has spoilt: nobody can say what it was."""
    return {tag: KnownTag(DECK[card], deck) for tag, (card, deck) in enrolled.items() if card in DECK}


def keep(store: TagStore, before: Tags, after: Tags) -> int | None:
    """Write down what has changed; return the last ticket, None if nothing has."""
    ticket = None
    for tag in before.keys() - after.keys():
        ticket = store.forget(tag)
    for tag, of in after.items():
        if before.get(tag) != of:
            ticket = store.enrol(tag, str(of.card), of.deck)
    return ticket


@dataclass(frozen=True, slots=True)
class Deck:
    """A named deck: card by tag. Of the two flags of a colour each may have a tag; one is enough to play."""

    name: str
    tags: Mapping[str, Card] = field(default_factory=dict)

    def of(self, card: Card) -> list[str]:
        """Return the card's tags."""
        return [tag for tag, other in self.tags.items() if other == card]

    @property
    def missing(self) -> list[Card]:
        """Return the cards without a tag, in the deck's order."""
        there = set(self.tags.values())
        return [card for card in DECK.values() if card not in there]


def deck(tags: Tags, name: str) -> Deck:
    """Return the deck of that name; empty where nobody has enrolled one."""
    return Deck(name, {tag: of.card for tag, of in tags.items() if of.deck == name})


def names(tags: Tags) -> list[str]:
    """Return the names of all decks, in alphabetical order."""
    return sorted({of.deck for of in tags.values()}, key=str.casefold)


def without(tags: Tags, name: str) -> dict[str, KnownTag]:
    """Return all tags but those of a deck."""
    return {tag: of for tag, of in tags.items() if of.deck != name}


def brought(tags: Tags, read: Deck) -> dict[str, KnownTag]:
    """Return the tags with this deck instead of the one that had its name."""
    return without(tags, read.name) | {tag: KnownTag(card, read.name) for tag, card in read.tags.items()}


def needed(game: AnyGame) -> list[Card]:
    """Return the cards a game is played with, of every colour it knows."""
    return list(game.cards(game.defaults))


def can_be_laid(tag: str) -> bool:
    """Return whether a table without hardware can lay a tag.

    Its readers know ids of ISO/IEC 14443 alone, of 4, 7 or 10 bytes.
    """
    return TAG.fullmatch(tag.upper()) is not None and len(tag) in (8, 14, 20)


def blank(tags: Iterable[str]) -> str:
    """Return the id of a tag nobody knows yet, for a table without hardware: seven bytes, as on an NTAG sticker."""
    taken = set(tags)
    return next(tag for number in range(1, len(taken) + 2) if (tag := f"04B1{number:010X}") not in taken)


# -- what enrolling and checking say ----------------------------------------------------------------------------


WEAK = 0.2
"""The share of missed polls from which a tag is called weak."""


def deck_ruling(code: str, text: str, **facts: object) -> Ruling:
    """Return a ruling about tags and decks (T-2)."""
    return ruled(code, "T-2", text, **facts)


def weak(tag: str, of: KnownTag | None, share: float) -> Ruling:
    """Return the ruling that a tag was missed in that share of the polls."""
    text = N_(
        "Tag {tag} ({card}) did not answer first time in {percent} % of the polls: stick it flat, or use another."
    )
    return deck_ruling("weak", text, tag=tag, card=of.card if of else None, percent=round(100 * share))
