"""The cards on the readers, as far as everybody may know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.rules import Ruling, Seat
from companion.rules.cards import Card
from companion.rules.readings import CENTRE, Reading
from companion.session import Session


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card on a reader, as everybody may know it: whose it is and which, None where that may not be known."""

    reader: str
    seat: Seat | None = None
    card: Card | None = None


class CardsOnReaders:
    """The cards on the readers of one game; `tags` are the game's cards."""

    def __init__(self, session: Session, tags: Mapping[str, Card]) -> None:
        self._session, self._tags = session, tags
        self._on: dict[tuple[str, str], LyingCard] = {}  # by reader and tag

    @property
    def cards(self) -> tuple[LyingCard, ...]:
        """Return the cards on the readers of this game, the one laid last at the end."""
        return tuple(self._on.values())

    def note(self, reading: Reading) -> None:
        """Record a card that has come or gone, before anybody interprets it."""
        place = reading.reader, reading.tag.upper()
        # popped even where the card is laid again: a dictionary keeps the old place in its order
        self._on.pop(place, None)
        if reading.present and reading.reader in (CENTRE, *self._session.setup.seats):
            self._on[place] = LyingCard(reading.reader, self._owner(place[1]))

    def _owner(self, tag: str) -> Seat | None:
        """Return the seat that a tag's card belongs to, where that may be known.

        Backs are alike, so it may be known only where a card belongs to the seat of its colour.
        """
        card = self._tags.get(tag)
        # where cards have no owner, a colour would give away what lies face down
        known = card and self._session.game.owned and card.colour in self._session.setup.seats
        return card.colour if card and known else None

    def name(self, reading: Reading, told: Sequence[Ruling]) -> None:
        """Make the card public once a ruling for everybody has named it."""
        place, card = (reading.reader, reading.tag.upper()), self._tags.get(reading.tag.upper())
        named = (value for ruling in told for value in ruling.facts.values())
        if place in self._on and any(value == card for value in named if isinstance(value, Card)):
            self._on[place] = replace(self._on[place], card=card)
