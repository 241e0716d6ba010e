"""Checking a deck before an evening: all cards of a game are laid, and what is missing or strange is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.deck.tags import WEAK, KnownTag, Tags, deck_ruling, needed, weak
from companion.rules import N_, AnyGame, Ruling, Said, ruled
from companion.rules.cards import Card
from companion.rules.readings import Reading

HALF = 8
"""The digits of four bytes."""


@dataclass(frozen=True, slots=True)
class Check:
    """A deck before an evening: all cards of a game are laid, in any order. `strange` says by tag what is wrong."""

    tags: Tags
    name: str
    game: AnyGame
    laid: frozenset[Card] = frozenset()
    strange: Mapping[str, Ruling] = field(default_factory=dict)
    weak: frozenset[str] = frozenset()
    ruling: Ruling | None = None

    @property
    def missing(self) -> list[Card]:
        """Return the cards that have not been laid."""
        return [card for card in needed(self.game) if card not in self.laid]

    def hear(self, reading: Reading, errors: float | None = None) -> Check:
        """Return the check after a tag has come or gone.

        `errors` is the share of polls that missed the tag, where the reader can tell.
        """
        tag = reading.tag.upper()
        of = self.tags.get(tag)
        if not reading.present:
            if errors is None or errors < WEAK:
                return self
            return replace(self, weak=self.weak | {tag}, ruling=weak(tag, of, errors))
        wrong = self._wrong_card(tag, of)
        if wrong:
            return replace(self, strange={**self.strange, tag: wrong}, ruling=wrong)
        assert of
        return replace(self, laid=self.laid | {of.card}, ruling=deck_ruling("laid", N_("Found: {card}."), card=of.card))

    def _card_of_short_id(self, tag: str) -> KnownTag | None:
        """Return the card whose tag begins alike, None without one: some readers know four bytes of seven."""
        alike = (of for other, of in self.tags.items() if len(other) != len(tag) and HALF in (len(other), len(tag))
                 and other[:HALF] == tag[:HALF])  # fmt: skip
        return next(alike, None)

    def _wrong_card(self, tag: str, of: KnownTag | None) -> Ruling | None:
        if of is None and (half := self._card_of_short_id(tag)):
            text = N_("{card} by its first four bytes: another kind of reader enrolled this deck. Enrol it anew.")
            return deck_ruling("half", text, card=half.card)
        if of is None:
            return deck_ruling("stranger", N_("Tag {tag} is unknown: enrol it, or put that card aside."), tag=tag)
        if of.deck != self.name:
            text = N_("From the deck {deck}: {card} ({tag}). Put it back there.")
            return deck_ruling("other_deck", text, card=of.card, tag=tag, deck=Said(of.deck))
        if of.card not in needed(self.game):
            text = N_("Not used in {game}: {card}. Put it aside.")
            return deck_ruling("not_played", text, card=of.card, game=ruled("game", "T-2", self.game.title))
        return None
