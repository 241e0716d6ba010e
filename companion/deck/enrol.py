"""Enrolling a deck: each Reading gives a new state, as in a game, with a `ruling` on the outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.deck.tags import WEAK, Deck, KnownTag, Tags, deck, deck_ruling, weak
from companion.rules import N_, Ruling, Said
from companion.rules.cards import DECK, FLAG, Card
from companion.rules.readings import Reading

TOGETHER_MS = 500
"""A second tag this soon after the first was laid with it: nobody can say which one was meant."""
AT_ONCE_MS = 100
"""No hand changes cards so quickly: what comes this soon after another tag has left is the same one, misread."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A deck being enrolled: `asked` is the card whose tag is expected, None when all have theirs.

    `ruling` is the outcome of the last reading or wish. A tag is taken only from a reader on which nothing else lies.
    """

    tags: Tags
    name: str
    sealed: bool = False
    """A game is on: no card that comes onto a reader is named, and none loses its tag."""
    asked: Card | None = None
    ruling: Ruling | None = None
    weak: frozenset[str] = frozenset()
    before: Enrolment | None = None
    """The state to restore on undo."""
    lying: tuple[Reading, ...] = ()
    gone: Reading | None = None
    latest: Reading | None = None
    """The reading of the tag enrolled last."""
    doubt: str | None = None
    """A tag in use by another card: laid again, it moves."""

    @property
    def deck(self) -> Deck:
        return deck(self.tags, self.name)

    def pick(self, card: Card | None) -> Enrolment:
        """Ask for another card next, out of turn."""
        return replace(self, asked=card, ruling=None, doubt=None)

    def skip(self) -> Enrolment:
        """Ask for the next card without a tag."""
        return self.pick(self._next_card(self.asked))

    def undo(self) -> Enrolment:
        """Go back to before the last tag was enrolled."""
        if not self.before:
            return replace(self, ruling=deck_ruling("no_undo", N_("There is nothing to take back.")))
        assert self.latest
        ruling = deck_ruling("undone", N_("Taken back: {card}."), card=self.tags[self.latest.tag].card)
        return replace(self.before, ruling=ruling, lying=self.lying, gone=self.gone, weak=self.weak)

    def hear(self, reading: Reading, errors: float | None = None) -> Enrolment:
        """Return the enrolment after a tag has come or gone.

        `errors` is the share of polls that missed the tag, where the reader can tell.
        """
        reading = replace(reading, tag=reading.tag.upper())
        there = tuple(lying for lying in self.lying if lying.tag != reading.tag)
        beside = next((lying for lying in there if lying.reader == reading.reader), None)
        if not reading.present:
            return replace(self, lying=there, gone=reading)._lifted(reading, beside, errors)
        s = replace(self, lying=(*there, reading))
        if beside:
            return s._two_tags(beside, reading)
        if s.gone and s.gone.reader == reading.reader and reading.t - s.gone.t < AT_ONCE_MS:
            return s if s.gone.tag == reading.tag else s._tag_changed(s.gone, reading)
        return s._enrol_reading(reading)

    def _lifted(self, reading: Reading, beside: Reading | None, errors: float | None) -> Enrolment:
        if beside and self.ruling and self.ruling.code == "two" and reading.t - beside.t < AT_ONCE_MS:
            return self._tag_changed(reading, beside)
        return self._note_weak_tag(reading.tag, errors)

    def _note_weak_tag(self, tag: str, errors: float | None) -> Enrolment:
        mine = self.latest and self.latest.tag == tag
        if errors is None or (self.sealed and not mine):
            return self
        if errors < WEAK:
            return replace(self, weak=self.weak - {tag})
        return replace(self, weak=self.weak | {tag}, ruling=weak(tag, self.tags.get(tag), errors))

    def _two_tags(self, first: Reading, second: Reading) -> Enrolment:
        return self._undo_doubtful(
            first, second, deck_ruling("two", N_("Two tags on the reader: lift both, then lay one."))
        )

    def _tag_changed(self, first: Reading, second: Reading) -> Enrolment:
        text = N_("It was read as one tag, then at once as another: lift it and lay it again, or use a new tag.")
        return self._undo_doubtful(first, second, deck_ruling("changed", text))

    def _undo_doubtful(self, first: Reading, second: Reading, ruling: Ruling) -> Enrolment:
        """Undo the first tag's enrolment if both were laid together, and set the ruling."""
        last = self.latest
        together = last and last.tag == first.tag and second.t - last.t < TOGETHER_MS
        s = self.undo() if together else self
        return replace(s, ruling=ruling, doubt=None)

    def _enrol_reading(self, reading: Reading) -> Enrolment:
        tag = reading.tag
        of, here = self.tags.get(tag), KnownTag(self.asked, self.name) if self.asked else None
        if len(tag) == 8 and tag.startswith("08"):  # ISO/IEC 14443-3: four bytes that begin so are made up each time
            text = N_("Tag {tag} changes its number every time, as phones and some bank cards do: use another.")
            return replace(self, ruling=deck_ruling("random", text, tag=tag), doubt=None)
        if of and self.sealed:
            return replace(self, ruling=deck_ruling("sealed", N_("That tag already belongs to a card: lay a new one.")))
        if of and (of == here or not here):
            return replace(self, ruling=self._already_enrolled(of), doubt=None)
        if not here:
            text = N_("Tag {tag} is unknown: tap the card it is for, then lay it again.")
            return replace(self, ruling=deck_ruling("unasked", text, tag=tag))
        if of and self.doubt != tag:
            text = N_("That is already {card} of the deck {deck}. Meant for {asked}? Lay it again.")
            if len(tag) == 8:  # two of seven bytes may look alike to it
                text = N_(
                    "That is {card} of the deck {deck}, or its number begins the same: take another tag. "
                    "Meant for {asked}?"
                )
            ruling = deck_ruling("taken", text, card=of.card, deck=Said(of.deck), asked=here.card)
            return replace(self, ruling=ruling, doubt=tag)
        return self._enrol(reading, here)

    def _already_enrolled(self, of: KnownTag) -> Ruling:
        return deck_ruling("known", N_("That is already {card} of the deck {deck}."), card=of.card, deck=Said(of.deck))

    def _enrol(self, reading: Reading, of: KnownTag) -> Enrolment:
        tag = reading.tag
        # A new tag replaces the old one, except on a flag: there are two, and nobody can say which was lost.
        kept = {t: o for t, o in self.tags.items() if t != tag and (o != of or of.card.rank == FLAG)}
        s = replace(self, tags={**kept, tag: of}, before=self, latest=reading, doubt=None)
        ruling = deck_ruling("enrolled", N_("Tag {tag} is now {card}."), card=of.card, tag=tag)
        return replace(s, asked=s._next_card(of.card), ruling=ruling)

    def _next_card(self, card: Card | None) -> Card | None:
        """Return the next card without a tag, from this one on and round again."""
        missing = [other for other in self.deck.missing if other != card]
        order = list(DECK.values())
        at = order.index(card) if card else 0
        return min(missing, key=lambda other: (order.index(other) - at) % len(order), default=None)


def enrolment(tags: Tags, name: str, sealed: bool = False) -> Enrolment:
    """Return the enrolment of a deck of that name, new or known, at its first card without a tag."""
    start = Enrolment(tags, name, sealed)
    return start.pick(next(iter(start.deck.missing), None))
